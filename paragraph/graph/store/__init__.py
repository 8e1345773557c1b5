"""Pairs that need not fit into memory: opened once, coded by an engine, then asked as any graph."""

from .opening import open_pairs
from .verbs import PairStore

__all__ = ["PairStore", "open_pairs"]
