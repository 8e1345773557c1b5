"""Pairs that need not fit into memory: opened once, coded by an engine, then asked as any graph."""

from .open import PairStore, open_pairs

__all__ = ["PairStore", "open_pairs"]
