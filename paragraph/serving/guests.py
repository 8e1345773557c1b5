"""People who come back, each by a key of their own; and limits on what they ask."""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from typing import Any

from ..files import PairsError
from .gate import Gate, same
from .handlers import Line

__all__ = ["Guests", "Paces"]

PACE = 20  # requests of one guest in a second
BURST = 20  # and at once
SPARE = 20  # times that a page may come back before it must be loaded again


class Guests:
    """Guests who come back: each page keeps who it is, a secret, and passes that prove the server to it.

    `gate` is the address that they come to. A subclass has ``key(who)``, the secret of somebody who is in,
    ``view(line)``, what a page is shown, and ``changed()`` for when somebody has come, gone or done something.
    `stranger` is said to others.
    """

    gate: Gate
    stranger: str

    def welcome(self, line: Line, who: str) -> tuple[str, dict[str, Any]]:
        """Return what a page that is let in is told."""
        line.who = who
        key = self.key(who)
        self.changed()
        return who, {
            "who": who,
            "secret": key,
            "passes": self.gate.passes(key, SPARE),
            **self.view(line),
        }

    def check(self, who: str, secret: str) -> None:
        """Refuse whoever does not have the secret of somebody who is in."""
        if not same(secret, self.key(who) or secrets.token_hex()):
            raise PairsError(self.stranger)

    def tell_all(self) -> None:
        """Show news to all who are in."""
        for line in list(self.gate.lines):
            if line.who:
                line.tell(self.view(line))


class Paces:
    """Limits on asking: at most `rate` times a second, after a `burst`."""

    def __init__(self):
        # until when somebody has used up their requests
        self._due: dict[Any, float] = defaultdict(float)

    def check(self, who: Any, rate: float = PACE, burst: int = BURST, spend: bool = True) -> None:
        """Refuse one request too many."""
        now = time.monotonic()
        due = max(self._due[who], now - burst / rate) + 1 / rate
        if due > now:
            raise PairsError("Too many requests: wait a moment.")
        if spend:
            self._due[who] = due
