"""Doubts: which stated label is wrong, which label that follows is right.

Names load when they are first used.
"""

from .. import lazy_names

_HOME = {"share_interval": "audit"}
__all__ = [*_HOME]
__getattr__, __dir__ = lazy_names(__name__, _HOME)
