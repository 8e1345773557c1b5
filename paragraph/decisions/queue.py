"""The queue of a review: items in the order for deciding them, each with its state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .answers import Answers, Pair, Row

__all__ = ["DONE", "Queue"]

#: States that need no more work by hand.
DONE = {"flip", "cut", "keep", "ambiguous", "same", "different"}
#: The states of the parts of a queue that can be listed.
PARTS = {"open": {"open", "skip"}, "moot": {"moot"}, "decided": DONE}


class Queue:
    """Items (integers of any meaning) numbered from 1 in the order for deciding them.

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
        self.rows: dict[int, Row] = {}  #: by item, the answer about its pair that counts
        self.states: dict[int, str] = {}  #: of the items that are not open
        self.elsewhere = 0  #: answers that say nothing of these items

    def read(self, answers: Answers) -> None:
        """Read the answers of one person."""
        raise NotImplementedError

    def standing(self, item: int) -> Row | None:
        """The answer about the pair of an item that counts."""
        return self.rows.get(item)

    def item_at(self, pair: Pair) -> int | None:
        """The item of a pair."""
        return self._of_pair.get(pair)

    def item_of(self, row: Row) -> int | None:
        """The item that an answer is about."""
        for pair in (*row.about, row.pair):
            if pair in self._of_pair:
                return self._of_pair[pair]
        return None

    def state(self, item: int) -> str:
        """The state of an item."""
        return self.states.get(item, "open")

    def next(self, after: int | None = None) -> int | None:
        """The next open item in the order, from a given one round to it; if there is none, the next skipped one."""
        start = self.number.get(after, 0)
        order = self.items[start:] + self.items[:start]
        for state in ("open", "skip"):
            for item in order:
                if self.state(item) == state:
                    return item
        return None

    def find(self, words: str, show: str) -> list[int]:
        """Find items in a part of the queue whose sentences contain all the words, ignoring case; ``#12`` is the
        number."""
        items = self.items
        if show != "all":
            items = [item for item in items if self.state(item) in PARTS[show]]
        words = words.strip()
        if words[:1] == "#" and words[1:].isdecimal():
            return [item for item in items if self.number[item] == int(words[1:])]
        for word in words.casefold().split():
            items = [item for item in items if word in "\n".join(self.pair[item]).casefold()]
        return items

    def progress(self) -> dict[str, int]:
        """Count the decided, moot, skipped and open items."""
        states = Counter(self.states.values())
        decided = sum(states[state] for state in DONE)
        left = len(self.items) - decided - states["moot"] - states["skip"]
        return {
            "total": len(self.items),
            "decided": decided,
            "moot": states["moot"],
            "skipped": states["skip"],
            "open": left,
        }
