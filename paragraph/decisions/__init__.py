"""People's answers about pairs: the log, the queue of open items, replay, agreement."""

from .log import DecisionError, DecisionLog

__all__ = ["DecisionError", "DecisionLog"]
