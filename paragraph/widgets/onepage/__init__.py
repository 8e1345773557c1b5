"""A file of pairs on one page, each figure a way into the Explorer."""

from .overview import Overview, overview

__all__ = ["Overview", "overview"]
