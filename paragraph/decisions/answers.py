"""One table of the answers that stand: their pairs in a graph, and where people differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from .places import Pair, Places, Row, ends_of
from .record import (
    FIELDS,
    NUMBERS,
    SAME,
    Answer,
    drop_undone,
    standing_answers,
    values_of,
)

__all__ = ["Answers", "Dispute", "Pair", "Row"]


class Dispute(NamedTuple):
    """A disagreement of two or more people that nobody has settled."""

    pair: Pair  #: the pair on which they differ, or the conflict that they cut at different places
    conflicts: set[Pair]  #: until it is settled, no answer about these applies
    rows: list[Row]  #: the answers that differ, in the order they were given

    @property
    def why(self) -> str:
        """The answers in words."""
        words = []
        for row in self.rows:
            word = SAME[row.same]
            if row.pair != self.pair:
                word = f"{row.record.text_a!r}, {row.record.text_b!r} differ"
            words.append(f"{row.reviewer}: {word}")
        return ", ".join(words)


class Answers(Places):
    """The last answers of some records, found in a graph: one row per person and pair.

    An answer that was taken back, or that a later one of the same person replaced, has no row.

    Parameters
    ----------
    records : iterable of Answer
        In any order. `add` takes more.
    graph : ParaphraseGraph, optional
        Without one, pairs are pairs of texts, and no label is stated.
    only : function, optional
        Takes an answer; true if it counts here.

    Attributes
    ----------
    rows : list of Row
        By time, also those of "later".
    live : list of Row
        All rows but those of "later".
    left_out : int
        Answers that do not count here.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> from paragraph import ParaphraseGraph
    >>> answer = Answer("2026-01-31T12:00:00.000Z", "Ada", "c", " b", "0", "1", '[["a","c"]]')
    >>> [row] = Answers([answer], ParaphraseGraph.from_pairs(pairs)).rows
    >>> sorted(row.pair), [sorted(pair) for pair in row.about], row.edge, row.label, row.fits
    ([1, 2], [[0, 2]], 1, 1, True)
    """

    def __init__(
        self,
        records: Iterable[Answer] = (),
        graph: ParaphraseGraph | None = None,
        only: Callable[[Answer], bool] | None = None,
    ):
        super().__init__(graph)
        self._only = only
        self._record: dict[str, Answer] = {}  # by id
        self._row: dict[str, Row] = {}  # by id
        self.add(records)

    def add(self, records: Iterable[Answer]) -> None:
        """Take in more records, in time linear in all of them; each sentence is looked up once."""
        self._record |= {record.id: record for record in records}
        answers = standing_answers(self.records)
        counting = answers
        if self._only:
            counting = [answer for answer in answers if self._only(answer)]
        self.left_out = len(answers) - len(counting)
        new = [answer for answer in counting if answer.id not in self._row]
        self._make_rows(new)
        last: dict[tuple[str, Pair], Row] = {}
        for answer in counting:
            row = self._row[answer.id]
            key = (row.reviewer, row.pair)
            last.pop(key, None)  # the order is that of the last answers
            last[key] = row
        self.rows = list(last.values())
        self.live = [row for row in self.rows if row.same != "later"]
        for name in ("overruler", "opinions", "disputes", "notes"):  # computed again when asked for
            self.__dict__.pop(name, None)

    @property
    def records(self) -> list[Answer]:
        """The records, each once, in the order in which they came."""
        return list(self._record.values())

    def has(self, record: Answer) -> bool:
        """True if this record was taken in."""
        return record.id in self._record

    def _make_rows(self, answers: list[Answer]) -> None:
        """Find answers in the graph, and make a row of each."""
        pairs = self.pairs((answer.text_a, answer.text_b) for answer in answers)
        edges = self.edges(pairs)
        texts = chain.from_iterable(answer.about_pairs for answer in answers)
        conflicts = iter(self.pairs(texts))
        for answer, pair, edge in zip(answers, pairs, edges, strict=True):
            nodes = ends_of(pair)
            label = None
            if edge >= 0:
                nodes = tuple(sorted(self.graph.ends(edge).tolist()))
                label = int(self.graph.edge_sign[edge] > 0)
            elif nodes[0] == nodes[1] >= 0:
                rows = self.graph.rows_between(*nodes)
                if len(rows):
                    label = int(self.graph.row_sign[rows].min() > 0)
            about = frozenset(next(conflicts) for _ in answer.about_pairs)
            self._row[answer.id] = Row(answer, pair, about, edge, nodes, label)

    # -- what counts ---------------------------------------------------------------------------------------

    @cached_property
    def notes(self) -> dict[tuple[str, Pair], str]:
        """By person and pair, all notes that were not taken back, in one line."""
        records = [record for record in drop_undone(self.records) if record.note]
        pairs = self.pairs((record.text_a, record.text_b) for record in records)
        notes = defaultdict(dict)  # each once
        for record, pair in zip(records, pairs, strict=True):
            line = " ".join(record.note.split())
            notes[record.reviewer, pair][line] = None
        return {key: "; ".join(texts) for key, texts in notes.items()}

    @cached_property
    def overruler(self) -> dict[str, str]:
        """By id of an overruled answer, the person who overrules it: never its own reviewer.

        An answer about several conflicts stands until it is overruled for all of them.
        """
        rows = {row.record.id: row for row in self.live}
        conflicts = defaultdict(set)  # by id: those for which somebody overrules the answer
        names = {}
        for row in self.live:
            for id in row.overrules:
                if id in rows and rows[id].reviewer != row.reviewer:
                    conflicts[id] |= row.conflicts
                    names[id] = row.reviewer
        overruler = {}
        for id, name in names.items():
            others = rows[id].about - {rows[id].pair}
            if others <= conflicts[id]:
                overruler[id] = name
        return overruler

    @cached_property
    def opinions(self) -> dict[Pair, list[Row]]:
        """By pair, the rows that count: without "later", and without overruled ones."""
        rows = defaultdict(list)
        for row in self.live:
            if row.record.id not in self.overruler:
                rows[row.pair].append(row)
        return dict(rows)

    @cached_property
    def disputes(self) -> list[Dispute]:
        """The disagreements that nobody has settled: on a pair, or on where to cut a conflict.

        An answer about a pair says nothing about another pair. But two people who both judge the pair of a conflict,
        and then find different positives wrong, would drop different labels.
        """
        disputes = {}
        cuts = defaultdict(lambda: defaultdict(list))  # by conflict and person
        for pair, rows in self.opinions.items():
            if len({row.same for row in rows}) > 1:
                conflicts = {pair}.union(*(row.conflicts for row in rows))
                disputes[pair] = Dispute(pair, conflicts, rows)
            for row in rows:
                if row.same == "0":
                    for conflict in row.about - {pair}:
                        cuts[conflict][row.reviewer].append(row)
        for conflict, cuts_of in cuts.items():
            people = [row.reviewer for row in self.opinions.get(conflict, [])]
            sides = [cuts_of[name] for name in people if name in cuts_of]
            if conflict not in disputes and _cuts_differ(sides):
                rows = list(chain(*sides))
                disputes[conflict] = Dispute(conflict, {conflict}, rows)
        return list(disputes.values())

    def contested(self, by_conflict: bool) -> dict[Pair, list[Row]]:
        """By pair, or by conflict, the answers that a person overrules who settles the disputes.

        Among them are those that an earlier third person has overruled, whose answer is then
        replaced.
        """
        contested = defaultdict(dict)  # each row once
        for dispute in self.disputes:
            pairs = {row.pair for row in dispute.rows}
            for row in self.live:
                keys = pairs & {row.pair}
                if by_conflict:
                    keys = dispute.conflicts & row.conflicts
                    if row in dispute.rows:
                        keys = dispute.conflicts
                for key in keys:
                    contested[key][row] = None
        return {key: list(rows) for key, rows in contested.items()}

    # -- tables --------------------------------------------------------------------------------------------

    def table(self) -> pd.DataFrame:
        """The rows without "later", by time, as a table for people.

        Columns `text_a`, `text_b`; `same` (1, 0, missing if nobody can say); `reviewer`; `time`; `stated`, the label
        at that time (missing if no row stated one); `note`, all notes of the reviewer on the pair; `about` and
        `shown` as JSON: the conflicts in view, and what the reviewer saw; `id`.
        """
        records = [values_of(row.record) for row in self.live]
        table = pd.DataFrame(records, columns=FIELDS, dtype="str")
        notes = [self.notes.get((row.reviewer, row.pair), "") for row in self.live]
        table["note"] = pd.array(notes, dtype="str")
        for name in ("same", "stated"):
            table[name] = table[name].map(NUMBERS).astype("Int8")
        first = ["text_a", "text_b", "same", "reviewer"]
        return table[[*first, "time", "stated", "note", "about", "shown", "id"]]

    def answered_in(self, graph: ParaphraseGraph) -> pd.DataFrame:
        """The answers that count, found in another graph: see `answered`."""
        answers = Answers(self.records, graph, self._only)
        return answers.answered()

    def answered(self) -> pd.DataFrame:
        """The answers that count: one row per answered pair, in the order of its first answer.

        Columns `text_a`, `text_b`; `a`, `b`, their nodes in the graph, the lower first (-1 where it lacks one);
        `same`: 1, 0, or missing if nobody can say, or if two people differ and no third has settled it; `random`:
        true if some answer was to a pair drawn at random.
        """
        types = {
            "text_a": "str",
            "text_b": "str",
            "a": np.int64,
            "b": np.int64,
            "same": "Int8",
            "random": bool,
        }
        lines = []
        for rows in self.opinions.values():
            first = rows[0].record
            answers = {row.same for row in rows}
            same = NUMBERS.get(first.same) if len(answers) == 1 else None
            random = any(row.random for row in rows)
            texts = (first.text_a, first.text_b)
            lines.append((*texts, *rows[0].ends, same, random))
        table = pd.DataFrame(lines, columns=list(types)).astype(types)
        table.attrs["log"] = True  # it may hold more than one purpose asks for
        return table


def _cuts_differ(sides: list[list[Row]]) -> bool:
    """True if each of two people found a positive wrong that the other did not."""
    cuts = [{row.pair for row in side} for side in sides]
    return any(one - two and two - one for one, two in combinations(cuts, 2))
