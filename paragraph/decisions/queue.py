"""The queue of a review: items in the order for deciding them, each with its state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from .answers import Answers, Pair, Row

__all__ = ["DONE", "Queue"]

#: States that need no more work by hand.
DONE = {"flip", "cut", "keep", "ambiguous", "same", "different"}


class Queue:
    """Queue (integers of any meaning) numbered from 1 in the order for deciding them.

    A subclass reads the answers of one person (`read`): `state` is the decision, "moot" or "open", which it puts
    into words (`description`).

    Parameters
    ----------
    texts : iterable of two sentences
        Of each item.
    pairs : iterable of Pair
        The pair of each item, as the rows of answers have it.
    """

    def __init__(self, items: Iterable[int], texts: Iterable[tuple[str, str]], pairs: Iterable[Pair]):
        self.items = list(items)
        self.number = {item: i for i, item in enumerate(self.items, 1)}
        self.pair = {item: (a, b) for item, (a, b) in zip(self.items, texts, strict=True)}
        self.pair_of = dict(zip(self.items, pairs, strict=True))
        self._of_pair = {pair: item for item, pair in self.pair_of.items()}
        self._standing: dict[int, Row] = {}  # by item
        self._state: dict[int, str] = {}  # of the items that are not open
        self.elsewhere = 0  #: answers that say nothing of these items

    def read(self, answers: Answers) -> None:
        """Read the answers of one person."""
        raise NotImplementedError

    def standing(self, item: int) -> Row | None:
        """The answer about the pair of an item that counts."""
        return self._standing.get(item)

    def item_of(self, row: Row) -> int | None:
        """The item that an answer is about."""
        items = map(self._of_pair.get, [*row.about, row.pair])
        return next((item for item in items if item is not None), None)

    def state(self, item: int) -> str:
        """The state of an item."""
        return self._state.get(item, "open")

    def next(self, after: int | None = None) -> int | None:
        """The next open item in the order, from a given one round to it; if there is none, the next skipped one."""
        start = self.number[after] if after is not None else 0
        for wanted in ("open", "skip"):
            for item in chain(self.items[start:], self.items[:start]):
                if self.state(item) == wanted:
                    return item
        return None

    def find(self, words: str, show: str) -> list[int]:
        """Find items in a state whose sentences contain all the words, ignoring case; ``#12`` is the number."""
        wanted = {"all": None, "open": {"open", "skip"}, "moot": {"moot"}}.get(show, DONE)
        found = self.items if wanted is None else [item for item in self.items if self.state(item) in wanted]
        if words.strip()[:1] == "#" and words.strip()[1:].isdecimal():
            return [item for item in found if self.number[item] == int(words.strip()[1:])]
        for part in words.casefold().split():
            found = [item for item in found if part in "\n".join(self.pair[item]).casefold()]
        return found

    def progress(self) -> dict[str, int]:
        """Count the decided, moot, skipped and open items."""
        states = Counter(map(self.state, self._standing.keys() | self._state.keys()))
        found = {
            "decided": sum(states[state] for state in DONE),
            "moot": states["moot"],
            "skipped": states["skip"],
        }
        return {"total": len(self.items), **found, "open": len(self.items) - sum(found.values())}
