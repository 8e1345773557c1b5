"""Answers of people to pairs: the log, the queue of what is left, replay, agreement."""

from .log import DecisionError, DecisionLog

__all__ = ["DecisionError", "DecisionLog"]
