"""Sentences, signed edges, clusters; what follows from the stated labels, and what contradicts them."""

from .core import ParaphraseGraph

__all__ = ["ParaphraseGraph"]
