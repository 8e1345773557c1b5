"""Widgets that live without Python: their own JavaScript with a kernel in JavaScript."""

from .living import living, page_of

__all__ = ["living", "page_of"]
