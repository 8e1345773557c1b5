"""The queue of a review of pairs: in the given order, or drawn by a belief about labels that learns from answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...decisions.answers import Answer, pair_of
from ...decisions.queue import Items
from ...pairs import PairsError
from ...repairs.reading import Onward
from ...repairs.wrong import Belief
from ..base.records import Plain
from .questions import Question, verdict

__all__ = ["TURN", "Pairs", "in_order"]

#: Pairs drawn after an answer: the next one, and those that Enter moves on to without an answer.
TURN = 4


def in_order(count: int, order: str, seed: int, *more: str) -> list[int]:
    """Items in the given order (or one of `more` orders), or shuffled."""
    if order not in (orders := (*more, "given", "random")):
        raise PairsError(f"order {order!r} is not one of {', '.join(orders)}")
    items = np.arange(count)
    return (np.random.default_rng(seed).permutation(count) if order == "random" else items).tolist()


class Pairs(Items):
    """Pairs with a label to judge, and the answers to a question about each.

    With a belief about the labels of all pairs, the next questions follow from it and the answers, else from the
    order.
    """

    def __init__(
        self, texts: Sequence[tuple[str, str]], label: Sequence[int], question: Question, order: list[int],
        stated: Sequence[str] | None = None, belief: Belief | None = None, seed: int = 0,
        records: Sequence[Answer] = (), onward: Onward | None = None,
    ):  # fmt: skip
        super().__init__(order, (texts[i] for i in order))
        self.label, self.question, self.stated, self.seed = label, question, stated, seed
        self.belief, self.onward, self._records, self._known = belief, onward, records, 0
        if belief is not None:
            self._before, self._never = belief.wrong.copy(), np.isin(np.arange(len(label)), order, invert=True)

    def read(self, answers: Iterable[Answer]) -> None:
        """Read all answers that stand: the last one about a pair counts."""
        self._standing, self.elsewhere = {}, 0
        for one in answers:
            item = self.item_of(one)
            if item is None:
                self.elsewhere += 1
            else:
                self._standing[item] = one
        if self.belief is not None:
            self._learn()
            wrong, aside = self._before.copy(), self._never.copy()
            for item, one in self._standing.items():
                said = verdict(one, self.label[item])
                wrong[item] = {"flip": 1, "keep": 0}.get(said, np.nan)
                aside[item] |= said in ("ambiguous", "skip")
            self.belief = self.belief.told(wrong, aside)
            self.drawn = self.belief.next(TURN, self.seed).tolist()
            if self.onward:
                self.onward.prepare(self.belief.open)

    def _learn(self) -> None:
        """Take from new records the pairs that were read, and those for which only the log now counts."""
        new, self._known, read = self._records[self._known :], len(self._records), {}
        for record in new:
            if record.same and (item := self._of_pair.get(record.pair)) is not None:
                self._before[item] = np.nan
            for a, b, same in record.saw.get("read", ()):
                if (item := self._of_pair.get(pair_of(a, b))) is not None:
                    read[item] = same
        if self.onward and read:
            self.belief = self.belief.seen(*self.onward.take(read))

    def next(self, after: int | None = None) -> int | None:
        """The next open item: the first one drawn by the belief, or the one after a given one."""
        if self.belief is None or not self.drawn:
            return super().next(after)
        return self.drawn[(self.drawn.index(after) + 1) % len(self.drawn) if after in self.drawn else 0]

    def chosen(self, item: int) -> Plain:
        """Return how an item was chosen, for the log: with it, seed and earlier answers reproduce the draw."""
        if self.belief is None:
            return {}
        how = {"p_wrong": round(float(self.belief.p_wrong[item]), 3), "drawn": item in self.drawn}
        return how | {"after": int(np.count_nonzero(~np.isnan(self.belief.wrong))), "seed": self.seed}

    def read_meanwhile(self) -> list[list[str | float]]:
        """Return the pairs that were read in the background since the last answer, and the results, for the log."""
        return [[*self.pair[row], same] for row, same in self.onward.news.items()] if self.onward else []

    def item_of(self, answer: Answer) -> int | None:
        """The pair that an answer is about; an answer that saw a different stated label says nothing about it."""
        item = self._of_pair.get(answer.pair)
        known = item is None or self.stated is None or answer.stated in ("", self.stated[item])
        return item if known else None

    def state(self, item: int) -> str:
        """One of the states of the question."""
        return self.question.of(self._standing[item], self.label[item]) if item in self._standing else "open"

    def description(self, item: int, long: bool = False) -> str:
        """The state of a pair in words."""
        return self.question.states[self.state(item)][long]

    @property
    def judged(self) -> list[int]:
        """The pairs that have an answer."""
        return list(self._standing)
