"""The queue of a review: items in the order for deciding them, each with its state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from .answers import Answers, Pair, Row
from .record import Answer

__all__ = ["DONE", "Part", "Queue"]

#: States that need no more work by hand.
DONE = {"flip", "cut", "keep", "ambiguous", "same", "different"}
#: The parts of a queue that can be listed, and their states.
PARTS = {"open": {"open", "skip"}, "moot": {"moot"}, "decided": DONE}


@dataclass(frozen=True)
class Part:
    """One person's part in a queue that a team shares (`team.Team`); by default, there is no team."""

    #: Items to be asked about before all others.
    due: Sequence[int] = ()
    #: Items that others have answered, or are at now.
    barred: Set[int] = frozenset()
    #: False if nothing is asked but what is due.
    is_open: bool = True
    #: The items in `due` that were drawn at random.
    random: Set[int] = frozenset()
    #: By item: the answer of others where they agree; none for an item in `due`.
    taught: Mapping[int, Row] = field(default_factory=dict)
    #: All records of the team.
    records: Sequence[Answer] | None = None
    #: By pair: the answers of others that an answer of this person overrules.
    contested: Mapping[Pair, list[Row]] = field(default_factory=dict)
    #: The title when nothing is left to ask.
    note: str = ""

    def asks(self, item: int) -> bool:
        """Return whether this person may be asked about an item now."""
        return item in self.due or (self.is_open and item not in self.barred)


class Queue:
    """Items (integers of any meaning) numbered from 1 in the order for deciding them.

    A subclass reads the answers of one person (`read`), and puts the state of an item into words
    (`description`). The state is the decision, "moot", "skip" or "open".

    Parameters
    ----------
    texts : iterable of two sentences
        Those of each item.
    pairs : iterable of Pair
        The pair of each item, as `Row.pair` has it.
    """

    part = Part()

    def __init__(
        self, items: Iterable[int], texts: Iterable[tuple[str, str]], pairs: Iterable[Pair]
    ):
        self.items = list(items)
        self.number = {item: i for i, item in enumerate(self.items, 1)}
        self.pair = dict(zip(self.items, map(tuple, texts), strict=True))
        self.pair_of = dict(zip(self.items, pairs, strict=True))
        self._item_by_pair = {pair: item for item, pair in self.pair_of.items()}
        self.rows: dict[int, Row] = {}  #: by item, the answer about its pair that counts
        self.states: dict[int, str] = {}  #: of the items that are not open
        self.elsewhere = 0  #: answers that say nothing of these items

    def read(self, answers: Answers) -> None:
        """Read the answers of one person."""
        raise NotImplementedError

    def item_at(self, pair: Pair) -> int | None:
        """The item of a pair."""
        return self._item_by_pair.get(pair)

    def item_of(self, row: Row) -> int | None:
        """The item that an answer is about."""
        for pair in (*row.about, row.pair):
            if pair in self._item_by_pair:
                return self._item_by_pair[pair]
        return None

    def state(self, item: int) -> str:
        """The state of an item."""
        return self.states.get(item, "open")

    def is_left(self, item: int) -> bool:
        """Return whether an item is not decided yet, nor moot."""
        return self.state(item) in PARTS["open"]

    def next(self, after: int | None = None) -> int | None:
        """The next open item after a given one, round to it; if none is open, a skipped one."""
        start = self.number.get(after, 0)
        due = [item for item in self.part.due if item != after]
        order = due + self.items[start:] + self.items[:start]
        for state in ("open", "skip"):
            for item in order:
                if self.state(item) == state and self.part.asks(item):
                    return item
        return None

    def together(self, item: int) -> Iterable[int]:
        """The items that one person gets together with an item."""
        return [item]

    def done(self) -> set[int]:
        """The items that this person need not be asked about any more."""
        done_states = {*DONE, "moot"}
        return {item for item, state in self.states.items() if state in done_states}

    def find(self, words: str, show: str) -> list[int]:
        """Find items whose sentences contain all the words, or the item of a number like ``#12``.

        Case does not matter. `show` is a key of `PARTS`, or "all".
        """
        items = self.items
        if show != "all":
            items = [item for item in items if self.state(item) in PARTS[show]]
        if self.part.records is not None:
            items = [item for item in items if item in self.states or self.part.asks(item)]
        words = words.strip()
        if words[:1] == "#" and words[1:].isdecimal():
            number = int(words[1:])
            return [item for item in items if self.number[item] == number]
        for word in words.casefold().split():
            items = [item for item in items if self._has(item, word)]
        return items

    def _has(self, item: int, word: str) -> bool:
        """True if a sentence of an item contains a word, ignoring case."""
        texts = "\n".join(self.pair[item])
        return word in texts.casefold()

    def progress(self) -> dict[str, int]:
        """Count the decided, moot, skipped and open items."""
        states = Counter(self.states.values())
        counts = {"total": len(self.items)}
        counts["decided"] = sum(states[state] for state in DONE)
        counts["moot"] = states["moot"]
        counts["skipped"] = states["skip"]
        counts["open"] = len(self.items) - counts["decided"] - states["moot"] - states["skip"]
        return counts
