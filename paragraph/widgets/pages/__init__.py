"""Widgets that live without Python: their own JavaScript with a kernel in JavaScript."""

from .living import NOTEBOOK, living, page_of

__all__ = ["NOTEBOOK", "living", "page_of"]
