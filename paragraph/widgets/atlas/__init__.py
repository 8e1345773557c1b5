"""All clusters of a file as dots on one map."""

from .map import Map, dots
from .places import has_tsne, place_clusters

__all__ = ["Map", "dots", "has_tsne", "place_clusters"]
