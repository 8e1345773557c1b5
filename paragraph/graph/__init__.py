"""Sentences, signed edges, clusters; what follows from the stated labels, and what contradicts them."""

from .paraphrase import ParaphraseGraph

__all__ = ["ParaphraseGraph"]
