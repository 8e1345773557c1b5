"""The Triad Lab's votes: a class says first, and the verdict shows after."""

from __future__ import annotations

from typing import Any

from ..pairs import PairsError
from .bench.widget import Bench

__all__ = ["HIDDEN", "Voting"]

HIDDEN = "hidden until the vote is closed"


class Voting(Bench):
    """The part of the lab that hides its verdict until a class has voted."""

    _hidden = False

    def _vote_panel(self) -> dict[str, Any]:
        actions = [
            {"text": f"{kind}: {answer} ({self._votes.get((kind, answer), 0)})", "intent": "vote",
             "content": {"kind": kind, "answer": answer}}
            for kind in ("strong", "weak") for answer in ("balanced", "not balanced")
        ]  # fmt: skip
        actions.append(
            {"text": "Reveal the verdict (r)", "intent": "control", "content": {"name": "reveal", "value": True}}
        )
        return {"title": "Vote", "text": "Is this graph balanced? The verdict is " + HIDDEN + ".", "actions": actions}

    def on_vote(self, kind: str, answer: str) -> None:
        """One vote of the class."""
        if kind not in ("strong", "weak") or answer not in ("balanced", "not balanced"):
            raise PairsError(f"no vote for {kind!r}, {answer!r}")
        self._votes[kind, answer] = self._votes.get((kind, answer), 0) + 1
        self._send_why()

    def _control_hide(self, value: bool) -> None:
        self._hidden, self._votes = bool(value), {}
        self._show()

    def _control_reveal(self, _: Any) -> None:
        self._hidden = False
        self._show()
