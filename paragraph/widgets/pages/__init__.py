"""Pages that live without a kernel: the widgets' own JavaScript on a second kernel, in JavaScript."""

from .page import page_of

__all__ = ["page_of"]
