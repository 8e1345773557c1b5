"""Votes in the Triad Lab: a class votes before the verdict is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...pairs import PairsError

if TYPE_CHECKING:
    from .widget import TriadLab

__all__ = ["HIDDEN", "panel", "vote"]

HIDDEN = "hidden until the vote is closed"
ANSWERS = [(kind, answer) for kind in ("strong", "weak") for answer in ("balanced", "not balanced")]


def panel(lab: TriadLab) -> dict[str, Any]:
    """What can be voted for, with the votes so far."""
    actions = [
        {"text": f"{kind}: {answer} ({lab._votes.get((kind, answer), 0)})", "intent": "vote",
         "content": {"kind": kind, "answer": answer}}
        for kind, answer in ANSWERS
    ]  # fmt: skip
    reveal = {"text": "Reveal the verdict (r)", "intent": "control", "content": {"name": "reveal", "value": True}}
    text = f"Is this graph balanced? The verdict is {HIDDEN}."
    return {"title": "Vote", "text": text, "actions": [*actions, reveal]}


def vote(lab: TriadLab, kind: str, answer: str) -> None:
    """Count one vote."""
    if (kind, answer) not in ANSWERS:
        raise PairsError(f"no vote for {kind!r}, {answer!r}")
    lab._votes[kind, answer] = lab._votes.get((kind, answer), 0) + 1
