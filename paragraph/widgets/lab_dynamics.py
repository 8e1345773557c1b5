"""The Triad Lab's dynamics: a graph that moves towards balance, step by step, forward and back."""

from __future__ import annotations

from typing import Any

from ..balance import dynamics
from .bench.widget import Bench

__all__ = ["Moving"]

PLAYED = 200  # steps at most


class Moving(Bench):
    """The part of the lab that plays dynamics (Antal, Krapivsky and Redner 2005)."""

    _rule = "local"
    _dynamics = None

    def _control_rule(self, value: str) -> None:
        self._rule = value
        self._dynamics = None
        self._show()

    def _control_step(self, _: Any) -> None:
        self._play(1)

    def _control_play(self, _: Any) -> None:
        self._play(PLAYED)

    def _play(self, steps: int) -> None:
        if self._dynamics is None:
            self._dynamics = dynamics(self._graph, self._rule, seed=self.seed)
        for _ in range(steps):
            step = self._dynamics.forward()
            if step is None:
                self._said = "Nothing moves any more: every triad is balanced, or each change would make it worse."
                break
            self._take(step, step.sign)
        self._changed(keep_dynamics=True)

    def _control_back(self, _: Any) -> None:
        step = self._dynamics.back() if self._dynamics else None
        if step is not None:
            self._take(step, -step.sign)
            self._changed(keep_dynamics=True)

    def _take(self, step: Any, sign: int) -> None:
        a, b = step.edge
        self._put(a, b, sign)
        self._said = f"{self._text(a)} – {self._text(b)} became {'+' if sign > 0 else '−'}"
        self._note("sign", edge=(a, b), **{"from": -sign, "to": sign})
