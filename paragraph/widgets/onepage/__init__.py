"""A file of pairs on one page, figures or a map, each a way into the Explorer."""

from .overview import Overview, overview

__all__ = ["Overview", "overview"]
