"""The map of a file: every cluster is one dot, and dots with similar sentences lie close."""

from .. import lazy_names

_HOME = {"Atlas": "widget"}

__all__ = [*_HOME]
__getattr__, __dir__ = lazy_names(__name__, _HOME)
