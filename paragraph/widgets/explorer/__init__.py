"""Clusters to search and sort, and the picture of the open one."""

from .widget import Explorer

__all__ = ["Explorer"]
