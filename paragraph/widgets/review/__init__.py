"""Benches to decide by hand: conflicts, and any table of pairs."""
