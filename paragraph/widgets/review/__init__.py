"""Benches for decisions by hand: conflicts, any table of pairs, new pairs, and words."""
