"""Clusters to search and sort, and the picture of the one that is chosen."""

from .widget import Explorer

__all__ = ["Explorer"]
