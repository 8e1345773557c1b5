"""One signed-graph view: the widget, what it draws, and why."""

from .widget import Bench, Refused

__all__ = ["Bench", "Refused"]
