"""Disputes: where people's answers differ, which of them a third person replaces, and what is left of each pair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from .record import SAME, SETTLES, Answer, Key, Lines, answer_table, final_answers, pair_of

__all__ = ["Dispute", "disputes", "set_aside", "settles", "verdicts"]


class Dispute(NamedTuple):
    """A disagreement of two or more people that nobody has settled."""

    pair: frozenset  #: on which they differ; or whose positives they cut at different places
    conflicts: set[frozenset]  #: nothing that was said about them applies
    answers: list[Answer]  #: those that differ, in the order they were given

    @property
    def why(self) -> str:
        """The answers in words."""
        one_line = len({one.same for one in self.answers}) > 1
        words = [SAME[one.same] if one_line else f"{one.text_a!r}, {one.text_b!r} differ" for one in self.answers]
        return ", ".join(f"{one.reviewer}: {word}" for one, word in zip(self.answers, words, strict=True))


def disputes(answers: Iterable[Answer], key: Key = pair_of, lines: Lines = MappingProxyType({})) -> list[Dispute]:
    """List where people's last answers differ: on one line, or on where to cut one conflict.

    An answer about a pair says nothing about another pair. But two people who both judge the pair of a conflict, and
    then find different positives wrong, would drop different labels.
    """
    said: dict[frozenset, dict[str, Answer]] = defaultdict(dict)  # by pair and reviewer
    cuts: dict[frozenset, dict[str, dict]] = defaultdict(lambda: defaultdict(dict))  # by conflict, reviewer, and pair
    for one in answers:
        pair = key(one.text_a, one.text_b)
        said[pair][one.reviewer] = one
        for conflict in one.conflicts(key, lines) - {pair} if one.same == "0" else ():
            cuts[conflict][one.reviewer][pair] = one
    found = {
        pair: Dispute(pair, {pair}.union(*(one.conflicts(key, lines) for one in each.values())), [*each.values()])
        for pair, each in said.items()
        if len({one.same for one in each.values()}) > 1
    }
    for conflict, by in cuts.items():
        judges = [each for name, each in by.items() if name in said[conflict]]
        if any(one.keys() - two.keys() and two.keys() - one.keys() for one in judges for two in judges):
            every = [one for each in judges for one in each.values()]
            found.setdefault(conflict, Dispute(conflict, {conflict}, every))
    return [*found.values()]


def settles(answer: Answer) -> list[str]:
    """The ids of other people's answers that an answer settles."""
    named = answer.saw.get(SETTLES) if answer.same != "later" else None
    return [id for id in named if isinstance(id, str)] if isinstance(named, list) else []


def set_aside(answers: Iterable[Answer], key: Key = pair_of, lines: Lines = MappingProxyType({})) -> dict[str, str]:
    """Return, by id, the person whose answer replaces another: nobody settles their own answers.

    An answer about several conflicts stands until all of them are settled.
    """
    answers = list(answers)
    settled: dict[str, dict[frozenset, str]] = defaultdict(dict)
    for one in answers:
        for id in settles(one):
            settled[id] |= dict.fromkeys(one.conflicts(key, lines), one.reviewer)
    found = {}
    for one in answers:
        by = {conflict: name for conflict, name in settled[one.id].items() if name != one.reviewer}
        if by and one.conflicts(key, lines) - {key(one.text_a, one.text_b)} <= {*by}:
            found[one.id] = next(iter(by.values()))
    return found


def verdicts(records: Iterable[Answer]) -> pd.DataFrame:
    """One row per answered pair, in their order: `text_a`, `text_b`, `same`, as `paragraph.audited` reads them.

    `same` is 1, 0, or missing if nobody can say, or if two reviewers differ and no third person has settled it.
    """
    records = list(records)
    table = answer_table(records)
    table = table[~table["id"].isin([*set_aside(final_answers(records))])].reset_index(drop=True)
    pairs = pd.Series(map(pair_of, table["text_a"], table["text_b"]), dtype=object)
    each = table.groupby(pairs, sort=False)
    same = each["same"].first().mask((each["same"].nunique(dropna=False) > 1).to_numpy())
    found = each[["text_a", "text_b"]].first().assign(same=same).reset_index(drop=True)
    found.attrs["log"] = True  # it may hold more than one purpose asks for
    return found
