"""Decisions of people: the log, the queue of what is left, replay, agreement."""

from .log import DecisionLog
from .records import DecisionError

__all__ = ["DecisionError", "DecisionLog"]
