"""The questions asked of one person, batch by batch; the answers of all people, and what follows from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np
import pandas as pd

from ..decisions.queue import Items
from ..decisions.records import Decision, last_words, of_unstated, pair_of, says
from ..pairs import PairsError
from .closure import Inference, Pair, ordered

__all__ = ["STATES", "Answers"]

#: A state in words: in the list, and above the pair.
STATES = {
    "open": ("", "not asked yet"),
    "skip": ("skipped", "skipped: comes back when nothing else is open"),
    "same": ("yes", "answered: the two mean the same"),
    "different": ("no", "answered: they do not mean the same"),
    "ambiguous": ("cannot say", "answered: nobody can say, nothing follows"),
    "conflict": ("conflict", "conflict: not all that is said can be true"),
}
GIVEN, YOU = "given", "you"


class Answers(Items):
    """Pairs to ask, numbered in their order; the labels that all answers give; what follows and is never asked.

    The state of a pair is its label ("same", "different"), "ambiguous", "settled" (its label follows from others),
    "conflict" (labelled 0, yet in one cluster; or said both ways, and the label is not this reviewer's word), "skip"
    or "open".

    Each pair has one label: the majority of the given labels, the answers of others and of this reviewer; on a tie
    the later answer, the reviewer's own last. If the last answer is "cannot say", the pair has no label.

    Parameters
    ----------
    texts : sequence of str
        The sentences, each once.
    given : DataFrame
        Labels known before: `text_a`, `text_b`, `label`.
    closes : bool
        See `Inference`.
    budget : int
        Answers after which nothing is asked.
    """

    def __init__(self, texts: Sequence[str], given: pd.DataFrame, closes: bool = True, budget: int = 500):
        super().__init__([], [])
        self.texts, self.budget, self.known = list(texts), budget, Inference(closes)
        self._node = {one: node for node, text in enumerate(self.texts) for one in pair_of(text, text)}
        self.asked: list[Decision] = []  #: this reviewer's answers that count against the budget, in their order
        self._words: dict[Pair, list[tuple[str, int | None]]] = {}  # who else says what of a pair, in that order
        self._mine: dict[Pair, int | None] = {}
        self._states: dict[int, str] = {}  # those asked for since anything changed
        self._contested: set[Pair] = set()  # said both ways
        self._torn: set[Pair] = set()  # labelled 0, in one cluster
        self._turned: set[Pair] = set()  # those written with the higher number first
        pairs = [self._written(*texts) for texts in zip(given["text_a"], given["text_b"], strict=True)]
        self._given = [one for one in zip(pairs, given["label"].astype(int), strict=True) if one[0]]
        self._beyond = given[np.array([pair is None for pair in pairs], dtype=bool)]  # of other sentences
        self.hear([])

    # -- questions -----------------------------------------------------------------------------------------

    def renew(self, pairs: Iterable[tuple[str, str]], after: int | None = None) -> None:
        """Ask these pairs next, instead of the open ones after an item."""
        from_here = self.number.get(after, len(self.items))
        dropped = {item for item in self.items[from_here:] if self.state(item) == "open"}
        for item in dropped:
            del self.pair[item]
        self.items = [item for item in self.items if item not in dropped]
        for texts in pairs:
            pair = self._written(*texts)
            if pair is None:
                raise PairsError(f"{texts!r} is no pair of two of the sentences")
            self._item(pair)
        self.number = {item: i for i, item in enumerate(self.items, 1)}

    def next(self, after: int | None = None) -> int | None:
        """Return the next open pair after a given one; else a conflict, else a skipped pair; None beyond budget."""
        start = self.number.get(after, 0)
        found: dict[str, int] = {}
        for item in chain(self.items[start:], self.items[:start]):
            state = self.state(item)
            if item != after or state != "conflict":  # which the last answer has not ended
                found.setdefault(state, item)
        wanted = ("open", "conflict", "skip") if self.left else ("conflict",)
        return next((found[state] for state in wanted if state in found), None)

    @property
    def left(self) -> int:
        """The number of answers left of the budget."""
        return max(0, self.budget - len(self.asked))

    def state(self, item: int) -> str:
        """Return the state of a pair."""
        if item not in self._states:
            self._states[item] = self._state(item)
        return self._states[item]

    def _state(self, item: int) -> str:
        pair = self._nodes(item)
        label = self.known.labels.get(pair)
        if label is not None:
            outvoted = pair in self._contested and self._mine.get(pair) != label
            return "conflict" if outvoted or pair in self._torn else "same" if label else "different"
        if self._said(pair):
            return "ambiguous"
        if self.known.follows(*pair) is not None:
            return "settled"
        return "skip" if item in self._standing else "open"

    def description(self, item: int, long: bool = False) -> str:
        """Return the state of a pair in words."""
        state = self.state(item)
        if state != "settled":
            return STATES[state][long]
        label = "yes" if self.known.follows(*self._nodes(item)) else "no"
        return f"follows: {label}{', which costs nothing' if long else ''}"

    # -- answers -------------------------------------------------------------------------------------------

    def hear(self, others: Iterable[Decision]) -> None:
        """Take the decisions of other people that stand, in addition to the given labels."""
        words: dict[Pair, list[tuple[str, int | None]]] = defaultdict(list)
        for pair, label in self._given:
            words[pair].append((GIVEN, label))
        for record in last_words(others):
            for pair, same in self._says(record):
                words[pair].append((record.reviewer, same))
        before, self._words = self._words, dict(words)
        self._settle(before, self._words)

    def read(self, records: Iterable[Decision]) -> None:
        """Take all decisions of this reviewer that stand."""
        before, self._mine, self._standing, self.asked, self.elsewhere = self._mine, {}, {}, [], 0
        for record in last_words(records):
            pair = self._written(record.question1, record.question2)
            if pair is None:
                self.elsewhere += 1
                continue
            self._standing[self._item(pair)] = record
            self._mine.update(self._says(record))
            if record.decision != "skip" and of_unstated(record):
                self.asked.append(record)
        self._settle(before, self._mine)

    def given(self, item: int) -> int | None:
        """Return the label that was given for a pair."""
        return next((label for who, label in self._words.get(self._nodes(item), []) if who == GIVEN), None)

    def is_known(self, a: str, b: str) -> bool:
        """Tell whether the label of two sentences was answered, or follows."""
        pair = self._pair(pair_of(a, b))
        return pair is not None and (bool(self._said(pair)) or self.known.follows(*pair) is not None)

    def who(self, a: int, b: int) -> str:
        """List the answers to a pair with their reviewers, in words."""
        words = {1: "yes", 0: "no", None: "cannot say"}
        return ", ".join(f"{who}: {words[word]}" for who, word in self._said(ordered(a, b)))

    def conflicts(self) -> pd.DataFrame:
        """List the pairs in conflict: `text_a`, `text_b`, `label`, `kind`, `said`.

        `kind` is "within" (labelled 0, yet in one cluster) or "direct" (said both ways).
        """
        rows = [
            (*self._texts(pair), self.known.labels.get(pair), kind, self.who(*pair))
            for kind, pairs in (("within", self._torn), ("direct", self._contested))
            for pair in sorted(pairs)
        ]
        dtypes = {"text_a": "str", "text_b": "str", "label": "Int8", "kind": "str", "said": "str"}
        return pd.DataFrame(rows, columns=list(dtypes)).astype(dtypes)

    def labels(self, inferred: int = 0) -> pd.DataFrame:
        """List the labels that stand, and at most so many that follow: `text_a`, `text_b`, `label`, `source`.

        `source` is "given", "asked" (a person answered), or "inferred".
        """
        first = {pair: who for pair, ((who, _), *_) in self._words.items()}
        rows = [
            (*self._texts(pair), label, GIVEN if first.get(pair) == GIVEN and pair not in self._mine else "asked")
            for pair, label in self.known.labels.items()
        ]
        free = (one for one in self.known.inferred() if not self._said(one[:2]))
        rows += [(*self._texts((a, b)), label, "inferred") for a, b, label in islice(free, inferred)]
        rows += [(*row, GIVEN) for row in self._beyond[["text_a", "text_b", "label"]].itertuples(index=False)]
        dtypes = {"text_a": "str", "text_b": "str", "label": "int64", "source": "str"}
        return pd.DataFrame(rows, columns=list(dtypes)).astype(dtypes)

    # -- how it is done ------------------------------------------------------------------------------------

    def _said(self, pair: Pair) -> list[tuple[str, int | None]]:
        mine = [(YOU, self._mine[pair])] if pair in self._mine else []
        return self._words.get(pair, []) + mine

    def _says(self, record: Decision) -> list[tuple[Pair, int | None]]:
        """Return the labels that a decision gives pairs of these sentences."""
        return [(pair, same) for texts, same in says(record).items() if (pair := self._pair(texts))]

    def _settle(self, before: dict[Pair, Any], after: dict[Pair, Any]) -> None:
        """Settle the labels of the pairs of which something else is said now."""
        self._states = {}
        for pair in before.keys() | after.keys():
            if pair in before and pair in after and before[pair] == after[pair]:
                continue
            words = [word for _, word in self._said(pair)]
            ones, zeros = words.count(1), words.count(0)
            label = None if not words or words[-1] is None else words[-1] if ones == zeros else int(ones > zeros)
            self.known.set(*pair, label)
            (self._contested.add if ones and zeros else self._contested.discard)(pair)
        self._torn = set(self.known.conflicts())
        for pair in sorted(self._torn | self._contested):
            self._item(pair)

    def _item(self, pair: Pair) -> int:
        """Return the item of a pair; a new pair becomes the last."""
        item = pair[0] * len(self.texts) + pair[1]
        if item not in self.pair:
            self.items.append(item)
            self.number[item], self.pair[item] = len(self.items), self._texts(pair)
        return item

    def _nodes(self, item: int) -> Pair:
        """Return the two sentences of an item by number, the lower first."""
        return divmod(item, len(self.texts))

    def item_between(self, a: int, b: int) -> int | None:
        """Return the item of two sentences, if there is one."""
        low, high = ordered(a, b)
        item = low * len(self.texts) + high
        return item if item in self.pair else None

    def item_of(self, record: Decision) -> int | None:
        """Return the item that a decision was made for."""
        pair = self._pair(record.pair)
        return pair and self.item_between(*pair)

    def _pair(self, texts: Iterable[str]) -> Pair | None:
        """Return two sentences by number, the lower first; None where one is not among the texts."""
        nodes = sorted({self._node.get(text, -1) for text in texts})
        return (nodes[0], nodes[1]) if len(nodes) == 2 and nodes[0] >= 0 else None

    def node(self, text: str) -> int:
        """Return the number of a sentence."""
        return self._node[next(iter(pair_of(text, text)))]

    def _written(self, a: str, b: str) -> Pair | None:
        """Return two sentences by number, and keep their order from now on: the sides may be different things."""
        pair = self._pair(pair_of(a, b))
        if pair is not None and self.node(a) != pair[0]:
            self._turned.add(pair)
        return pair

    def _texts(self, pair: Pair) -> tuple[str, str]:
        a, b = reversed(pair) if pair in self._turned else pair
        return self.texts[a], self.texts[b]
