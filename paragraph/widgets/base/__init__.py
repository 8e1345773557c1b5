"""One view of a signed graph: the widget, its picture, and its explanations."""

from .widget import Bench, Refused

__all__ = ["Bench", "Refused"]
