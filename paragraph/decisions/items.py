"""What a review goes through: items in an order, each a pair of sentences with a state."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from statistics import median

from .records import Decision, pair_of

__all__ = ["DECIDED", "Items"]

#: States in which nothing is left to do by hand.
DECIDED = {"flip", "cut", "keep", "ambiguous", "same", "different"}


class Items:
    """Items (integers of any meaning) numbered from 1 in the order in which they are to be decided.

    A subclass says the state of an item (`state`), from the decisions that it reads (`read`).

    Parameters
    ----------
    pairs : iterable of two sentences
        Of each item.
    """

    def __init__(self, items: Iterable[int], pairs: Iterable[tuple[str, str]]):
        self.items = list(items)
        self.number = {item: i for i, item in enumerate(self.items, 1)}
        self.pair = {item: (a, b) for item, (a, b) in zip(self.items, pairs, strict=True)}
        self._of_pair = {pair_of(*pair): item for item, pair in self.pair.items()}
        self._standing: dict[int, Decision] = {}
        self.elsewhere = 0  #: decisions that say nothing of these items

    def state(self, item: int) -> str:
        """The state of an item: a decision, "settled" or "open"."""
        raise NotImplementedError

    def description(self, item: int, long: bool = False) -> str:
        """The state of an item in words."""
        raise NotImplementedError

    def read(self, records: Iterable[Decision]) -> None:
        """Read all decisions that stand."""
        raise NotImplementedError

    def standing(self, item: int) -> Decision | None:
        """The decision on an item that counts."""
        return self._standing.get(item)

    def item_of(self, record: Decision) -> int | None:
        """The item that a decision was made for."""
        return self._of_pair.get(record.pair)

    def next(self, after: int | None = None) -> int | None:
        """The next open item in the order, from a given one round to it; where none is, the next skipped one."""
        start = self.number[after] if after is not None else 0
        for wanted in ("open", "skip"):
            for item in chain(self.items[start:], self.items[:start]):
                if self.state(item) == wanted:
                    return item
        return None

    def find(self, words: str, show: str) -> list[int]:
        """Items whose sentences hold all the words, case aside, in one of the states; ``#12`` is the number."""
        wanted = {"all": None, "open": {"open", "skip", "conflict"}, "settled": {"settled"}}.get(show, DECIDED)
        found = [item for item in self.items if wanted is None or self.state(item) in wanted]
        parts = words.casefold().split()
        if len(parts) == 1 and parts[0][0] == "#" and parts[0][1:].isdigit():
            return [item for item in found if self.number[item] == int(parts[0][1:])]
        if parts:
            texts = ("\n".join(self.pair[item]).casefold() for item in found)
            found = [item for item, text in zip(found, texts, strict=True) if all(part in text for part in parts)]
        return found

    def progress(self) -> dict[str, float | int | None]:
        """How many are decided, settled, skipped and open, and the median of seconds a decision."""
        states = [self.state(item) for item in self.items]
        seconds = [record.seconds for record in self._standing.values() if record.seconds is not None]
        return {
            "total": len(states),
            "decided": sum(state in DECIDED for state in states),
            "settled": states.count("settled"),
            "skipped": states.count("skip"),
            "open": states.count("open"),
            "seconds": median(seconds) if seconds else None,
        }
