"""Answers of several people: where they differ, of one line or one conflict, and what a third settles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

from .answers import SAME, Answer, Key, answer_table, opinions, pair_of

__all__ = ["SETTLES", "Dispute", "disputes", "set_aside", "settles", "verdicts"]

#: Key in the `shown` of an answer: the ids of answers of others that it takes the place of.
SETTLES = "settles"


class Dispute(NamedTuple):
    """A disagreement of two people or more, which nobody has settled."""

    pair: frozenset  #: on which they differ; or whose positives they cut at different places
    conflicts: set[frozenset]  #: nothing that was said about them applies
    answers: list[Answer]  #: those that differ, in the order they were given

    @property
    def why(self) -> str:
        """The answers in words."""
        one_line = len({one.same for one in self.answers}) > 1
        words = [SAME[one.same] if one_line else f"{one.text_a!r}, {one.text_b!r} differ" for one in self.answers]
        return ", ".join(f"{one.reviewer}: {word}" for one, word in zip(self.answers, words, strict=True))


def settles(answer: Answer) -> list[str]:
    """The ids of the answers of others that an answer settles."""
    named = answer.saw.get(SETTLES) if answer.same != "later" else None
    return [id for id in named if isinstance(id, str)] if isinstance(named, list) else []


def set_aside(answers: Iterable[Answer], key: Key = pair_of) -> dict[str, str]:
    """Return by id whose answer takes the place of another: nobody settles what they have said themselves.

    An answer about several conflicts stands until all of them are settled.
    """
    answers = list(answers)
    settled: dict[str, dict[frozenset, str]] = defaultdict(dict)
    for one in answers:
        for id in settles(one):
            settled[id] |= dict.fromkeys(one.conflicts(key), one.reviewer)
    found = {}
    for one in answers:
        by = {conflict: name for conflict, name in settled[one.id].items() if name != one.reviewer}
        about = one.conflicts(key) if one.about != "[]" else set()
        if by and about <= {*by}:
            found[one.id] = next(iter(by.values()))
    return found


def disputes(answers: Iterable[Answer], key: Key = pair_of) -> list[Dispute]:
    """List where people differ in their last words: on one line, or on where to cut one conflict.

    Who answers a pair says nothing of another pair. But two who both judge the pair of a conflict, and then find
    different positives wrong, differ in what they would drop.
    """
    said: dict[frozenset, dict[str, Answer]] = defaultdict(dict)  # by pair and reviewer
    cuts: dict[frozenset, dict[str, dict]] = defaultdict(lambda: defaultdict(dict))  # by conflict, reviewer, and pair
    for one in answers:
        pair = key(one.text_a, one.text_b)
        said[pair][one.reviewer] = one
        for conflict in one.conflicts(key) - {pair} if one.same == "0" else ():
            cuts[conflict][one.reviewer][pair] = one
    found = {
        pair: Dispute(pair, {pair}.union(*(one.conflicts(key) for one in each.values())), [*each.values()])
        for pair, each in said.items()
        if len({one.same for one in each.values()}) > 1
    }
    for conflict, by in cuts.items():
        judges = [each for name, each in by.items() if name in said[conflict]]
        if any(one.keys() - two.keys() and two.keys() - one.keys() for one in judges for two in judges):
            every = [one for each in judges for one in each.values()]
            found.setdefault(conflict, Dispute(conflict, {conflict}, every))
    return [*found.values()]


def verdicts(records: Iterable[Answer]) -> pd.DataFrame:
    """One row an answered pair, in their order: `text_a`, `text_b`, `same`, as `paragraph.audited` reads them.

    `same` is 1, 0, or missing where nobody can say or two reviewers differ, and no third has settled it.
    """
    records = list(records)
    table = answer_table(records)
    table = table[~table["id"].isin([*set_aside(opinions(records))])].reset_index(drop=True)
    pairs = pd.Series(map(pair_of, table["text_a"], table["text_b"]), dtype=object)
    each = table.groupby(pairs, sort=False)
    same = each["same"].first().mask((each["same"].nunique(dropna=False) > 1).to_numpy())
    found = each[["text_a", "text_b"]].first().assign(same=same).reset_index(drop=True)
    found.attrs["log"] = True  # it may hold more than one purpose asks for
    return found
