"""The right-hand side of the Triad Lab in free play: the verdict with its witness, or a vote on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...balance import Balance
from ...draw.text import oneline, shorten

if TYPE_CHECKING:
    from .widget import TriadLab

__all__ = ["ANSWERS", "HIDDEN", "around", "chart", "spoken", "symbol", "verdict", "vote"]

HIDDEN = "hidden until the vote is closed"
ANSWERS = [(kind, answer) for kind in ("strong", "weak") for answer in ("balanced", "not balanced")]


def verdict(lab: TriadLab) -> dict[str, Any]:
    """Both verdicts, with an unbalanced cycle where there is one."""
    facts = [[f"{kind} balance", spoken(one)] for kind, one in lab.verdicts.items()]
    strong, weak = lab.verdicts["strong"], lab.verdicts["weak"]
    for one in (strong, weak):
        if not one and (one is strong or one.cycle != strong.cycle):
            facts.append([f"unbalanced cycle ({one.kind})", _product(lab, one)])
    if strong:
        camps = "One camp" if len(np.unique(strong.camps)) == 1 else "Two camps"
        text = f"{camps}: every cycle has an even number of negatives."
    elif weak:
        text = "More than two camps: friends of friends are friends, but enemies of enemies need not be."
    else:
        text = "A path of positives is contradicted by one negative: no camps agree with every edge."
    panel = {"title": "Verdict", "facts": facts, "text": text, "note": "Click a line to turn its sign."}
    if lab._unbalanced is not None:
        keys = list(map(lab._key, lab._unbalanced.cycle))
        panel["highlight"] = {"nodes": keys, "edges": [list(one) for one in around(keys)], "soft": True}
    return panel


def vote(lab: TriadLab) -> dict[str, Any]:
    """What the class can vote for, with the votes so far."""
    actions = [
        {"text": f"{kind}: {answer} ({lab._votes.get((kind, answer), 0)})", "intent": "vote",
         "content": {"kind": kind, "answer": answer}}
        for kind, answer in ANSWERS
    ]  # fmt: skip
    reveal = {"text": "Reveal the verdict (r)", "intent": "control", "content": {"name": "reveal", "value": True}}
    text = f"Is this graph balanced? The verdict is {HIDDEN}."
    return {"title": "Vote", "text": text, "actions": [*actions, reveal]}


def chart(lab: TriadLab) -> dict[str, Any]:
    """The share of balanced triads while dynamics plays; without a triad there is no share."""
    shares = lab._dynamics.balanced_shares if lab._dynamics is not None else []
    if not np.isfinite(shares).all() or not shares:
        return {}
    return {"chart": {"points": shares, "title": "Share of balanced triads, step by step"}}


def spoken(verdict: Balance) -> str:
    if not verdict:
        return "✗ not balanced"
    camps = len(np.unique(verdict.camps))
    return f"✓ balanced, {camps} camp{'s' * (camps != 1)}"


def symbol(sign: int) -> str:
    return "+" if sign > 0 else "−"


def around(cycle: list) -> list[tuple]:
    """The edges of a cycle given by its nodes."""
    return list(zip(cycle, cycle[1:] + cycle[:1], strict=True))


def _product(lab: TriadLab, verdict: Balance) -> str:
    names = [shorten(oneline(lab._text(node)), 18) for node in verdict.cycle]
    signs = " · ".join(map(symbol, verdict.cycle_signs))
    return f"{' – '.join([*names, names[0]])}: {signs} = {symbol(np.prod(verdict.cycle_signs))}"
