"""Sentences, signed edges, clusters; labels that follow from the stated ones, and labels that contradict them."""

from .core import ParaphraseGraph

__all__ = ["ParaphraseGraph"]
