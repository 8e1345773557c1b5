"""Dynamics in the Triad Lab: a graph moves towards balance, step by step, forward and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...balance import Step, dynamics
from . import table

if TYPE_CHECKING:
    from .widget import TriadLab

__all__ = ["back", "play"]

PLAYED = 200  # steps at most


def play(lab: TriadLab, steps: int = PLAYED) -> None:
    """Take steps of the dynamics (Antal, Krapivsky and Redner 2005), until nothing can change."""
    if lab._dynamics is None:
        lab._dynamics = dynamics(lab._graph, lab._rule, seed=lab.seed)
    for _ in range(steps):
        step = lab._dynamics.forward()
        if step is None:
            lab._message = "Nothing moves any more: every triad is balanced, or each change would make it worse."
            break
        _take(lab, step, step.sign)
    lab._changed(keep_dynamics=True)


def back(lab: TriadLab) -> None:
    """Take the last step back."""
    step = lab._dynamics.back() if lab._dynamics else None
    if step is not None:
        _take(lab, step, -step.sign)
        lab._changed(keep_dynamics=True)


def _take(lab: TriadLab, step: Step, sign: int) -> None:
    a, b = step.edge
    table.put(lab, a, b, sign)
    lab._message = f"{lab._text(a)} – {lab._text(b)} became {'+' if sign > 0 else '−'}"
