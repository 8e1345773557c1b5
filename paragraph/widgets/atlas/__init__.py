"""All clusters of a file as dots on one map."""

from .widget import Atlas

__all__ = ["Atlas"]
