"""One table of the answers that stand: of which pair of a graph, what counts of it, and where people differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from ..graph.arrays import PairIndex
from ..graph.identity import lookup, nodes_of
from ..graph.paths import shortest_paths
from .record import NUMBERS, OVERRULES, SAME, Answer, pair_of, standing, untaken

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["Answers", "Dispute", "Pair", "Row", "ends_of"]

#: An unordered pair of nodes, one node for a sentence with itself. A text stands for itself where a graph lacks it.
Pair = frozenset[int | str]
#: Texts that are looked up one by one, without making an index of all sentences.
FEW = 4


@dataclass(frozen=True, slots=True)
class Row:
    """One person's last answer about one pair."""

    record: Answer
    pair: Pair
    #: The pairs of the conflicts in view, as the record names them.
    about: frozenset[Pair]
    #: The edge that states the pair, or -1.
    edge: int
    #: The nodes of the edge, or those of the pair: see `ends_of`.
    ends: tuple[int, int]
    #: The label that the graph states: 1, 0, or None. Of a sentence with itself, 0 if a row says so.
    label: int | None

    @property
    def same(self) -> str:
        """ "1", "0", "?" or "later"."""
        return self.record.same

    @property
    def reviewer(self) -> str:
        """The person."""
        return self.record.reviewer

    @property
    def fits(self) -> bool:
        """True if the person saw the label that the graph states, or saw none, or says what the graph states."""
        label = "" if self.label is None else str(self.label)
        return self.record.stated in ("", label) or self.same == label

    @property
    def random(self) -> bool:
        """True if the pair was drawn at random, not chosen by a list."""
        return self.record.saw.get("random") is True

    @property
    def overrules(self) -> list[str]:
        """The ids of other people's answers that this one overrules."""
        named = self.record.saw.get(OVERRULES) if self.same != "later" else None
        return [id for id in named if isinstance(id, str)] if isinstance(named, list) else []


class Dispute(NamedTuple):
    """A disagreement of two or more people that nobody has settled."""

    pair: Pair  #: on which they differ; or whose positives they cut at different places
    conflicts: set[Pair]  #: nothing that was answered about them applies
    rows: list[Row]  #: those that differ, in the order they were given

    @property
    def why(self) -> str:
        """The answers in words."""
        one_pair = len({row.same for row in self.rows}) > 1
        words = []
        for row in self.rows:
            word = SAME[row.same] if one_pair else f"{row.record.text_a!r}, {row.record.text_b!r} differ"
            words.append(f"{row.reviewer}: {word}")
        return ", ".join(words)


class Answers:
    """The answers of some records that stand, met with a graph: a row for each person's last one about each pair.

    What was taken back, and what a later answer of the same person replaced, has no row. Each sentence is looked up
    once, in any spelling that is the same by the graph's identity; where ids decide, the first sentence of that text
    stands for all of them.

    Parameters
    ----------
    records : iterable of Answer
        In any order. `add` takes more.
    graph : ParaphraseGraph, optional
        Without one, pairs are those of texts, and no label is stated.
    only : function, optional
        Of an answer: does it count here?

    Attributes
    ----------
    rows : list of Row
        By time. "Later" has a row, too.
    left_out : int
        Answers that do not count here.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> from paragraph import ParaphraseGraph
    >>> one = Answer("2026-01-31T12:00:00.000Z", "Ada", "c", " b", "0", "1", '[["a","c"]]')
    >>> [row] = Answers([one], ParaphraseGraph.from_pairs(pairs)).rows
    >>> sorted(row.pair), [sorted(pair) for pair in row.about], row.edge, row.label, row.fits
    ([1, 2], [[0, 2]], 1, 1, True)
    """

    def __init__(
        self,
        records: Iterable[Answer] = (),
        graph: ParaphraseGraph | None = None,
        only: Callable[[Answer], bool] | None = None,
    ):
        self.graph = graph
        self.rows: list[Row] = []
        self.left_out = 0
        self._known: dict[str, Answer] = {}  # records by id
        self._only = only
        self._name: dict[str, int | str] = {}  # of each text
        self._row: dict[str, Row] = {}  # by id
        self.add(records)

    def add(self, records: Iterable[Answer]) -> None:
        """Take in more records; linear in all, and each sentence is looked up once."""
        self._known |= {record.id: record for record in records}
        answers = standing(self.records)
        if self._only is not None:
            self.left_out = len(answers)
            answers = [one for one in answers if self._only(one)]
            self.left_out -= len(answers)
        self._meet([one for one in answers if one.id not in self._row])
        last: dict[tuple[str, Pair], Row] = {}
        for one in answers:
            row = self._row[one.id]
            last.pop((row.reviewer, row.pair), None)  # the order is that of the last answers
            last[row.reviewer, row.pair] = row
        self.rows = [*last.values()]
        for name in ("lines", "overruled", "disputes", "notes"):
            self.__dict__.pop(name, None)

    @property
    def records(self) -> list[Answer]:
        """The records, each once, in the order in which they came."""
        return [*self._known.values()]

    def has(self, record: Answer) -> bool:
        """True if this record was taken in."""
        return record.id in self._known

    # -- where they are in the graph -----------------------------------------------------------------------

    def pairs(self, texts: Iterable[tuple[str, str]]) -> list[Pair]:
        """The pairs of two sentences each."""
        pairs = [pair_of(*each) for each in texts]
        self._look_up(text for pair in pairs for text in pair)
        return [frozenset(self._name[text] for text in pair) for pair in pairs]

    def pairs_at(self, a: np.ndarray, b: np.ndarray) -> list[Pair]:
        """The pairs of nodes, as rows have them."""
        if self._first is not None:
            a, b = self._first[a], self._first[b]
        return [frozenset(ends) for ends in zip(a.tolist(), b.tolist(), strict=True)]

    def _look_up(self, texts: Iterable[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._name]
        if self.graph is None or not new:
            nodes = [-1] * len(new)
        elif len(new) <= FEW:
            nodes = [lookup(self.graph, text) for text in new]
        else:
            nodes = nodes_of(self.graph, new).tolist()
        for text, node in zip(new, nodes, strict=True):
            self._name[text] = node if node >= 0 else text

    @cached_property
    def _first(self) -> np.ndarray | None:
        """Where ids decide, the first node of the same text, of each node."""
        if self.graph is None or self.graph.identity != "id":
            return None
        return nodes_of(self.graph, self.graph.sentences.to_pylist())

    @cached_property
    def _edges(self) -> PairIndex:
        """Finds the edges of pairs."""
        if self._first is None:
            return self.graph.edge_index
        return PairIndex.of(self._first[self.graph.edge_a], self._first[self.graph.edge_b], self.graph.n)

    def _meet(self, answers: list[Answer]) -> None:
        """Make the rows of answers."""
        pairs = self.pairs((one.text_a, one.text_b) for one in answers)
        views = iter(self.pairs(pair for one in answers for pair in one.about_pairs))
        for one, pair, edge in zip(answers, pairs, self._edges_of(pairs), strict=True):
            about = frozenset(next(views) for _ in one.about_pairs)
            ends = ends_of(pair)
            if edge >= 0 and self._first is not None:
                ends = tuple(sorted(self.graph.ends(edge).tolist()))
            self._row[one.id] = Row(one, pair, about, edge, ends, self._label(pair, edge))

    def _edges_of(self, pairs: list[Pair]) -> list[int]:
        a, b = np.array([*map(ends_of, pairs)], dtype=np.int64).reshape(-1, 2).T
        edges = np.full(len(pairs), -1, dtype=np.int64)
        known = np.flatnonzero(a >= 0)
        if len(known):
            edges[known] = self._edges.places(a[known], b[known])
        return edges.tolist()

    def _label(self, pair: Pair, edge: int) -> int | None:
        if edge >= 0:
            return int(self.graph.edge_sign[edge] > 0)
        a, b = ends_of(pair)
        if a < 0 or a != b:
            return None
        rows = self.graph.rows_between(a, b)
        return min((self.graph.row_sign[rows] > 0).astype(int).tolist(), default=None)

    # -- what counts ---------------------------------------------------------------------------------------

    @property
    def live(self) -> list[Row]:
        """The rows that say something: all but "later"."""
        return [row for row in self.rows if row.same != "later"]

    @cached_property
    def notes(self) -> dict[tuple[str, Pair], str]:
        """All notes of each person on each pair that were not taken back, in one line."""
        noted = [record for record in untaken(self.records) if record.note]
        found: dict[tuple[str, Pair], dict[str, None]] = defaultdict(dict)  # each once
        for record, pair in zip(noted, self.pairs((one.text_a, one.text_b) for one in noted), strict=True):
            found[record.reviewer, pair][" ".join(record.note.split())] = None
        return {key: "; ".join(texts) for key, texts in found.items()}

    @cached_property
    def lines(self) -> dict[Pair, set[Pair]]:
        """By pair, the conflicts of which it is a line, as a sheet lists them; in the clusters of the answers.

        Whoever answers about a line looked at all conflicts on whose path it lies, in whatever file the answer came.
        """
        graph = self.graph
        found: dict[Pair, set[Pair]] = defaultdict(set)
        if graph is None:
            return found
        nodes = [node for row in self.live for node in row.pair if isinstance(node, int)]
        near = np.isin(graph.edge_clusters[0], np.unique(graph.cluster_of[np.array(nodes, dtype=np.int64)]))
        ends = graph.ends(np.flatnonzero(graph.negatives_inside & near))
        for conflict, path in zip(self.pairs_at(*ends), shortest_paths(graph, *ends), strict=True):
            for line in self.pairs_at(*np.array([path[:-1], path[1:]])):
                found[line].add(conflict)
        for pair in self.pairs_at(*graph.ends(np.flatnonzero(graph.labelled_twice))):
            found[pair].add(pair)
        return found

    def conflicts(self, row: Row) -> set[Pair]:
        """The conflicts that a row is about, in view or as one of their lines; only its own pair if about none."""
        return row.about | self.lines.get(row.pair, set()) or {row.pair}

    @cached_property
    def overruled(self) -> dict[str, str]:
        """By id, the person whose answer overrules another: nobody overrules their own answers.

        An answer about several conflicts stands until all of them are overruled.
        """
        live = self.live
        overruling: dict[str, dict[Pair, str]] = defaultdict(dict)
        for row in live:
            for id in row.overrules:
                overruling[id] |= dict.fromkeys(self.conflicts(row), row.reviewer)
        found = {}
        for row in live:
            by = {
                conflict: name for conflict, name in overruling.get(row.record.id, {}).items() if name != row.reviewer
            }
            if by and self.conflicts(row) - {row.pair} <= {*by}:
                found[row.record.id] = next(iter(by.values()))
        return found

    @cached_property
    def disputes(self) -> list[Dispute]:
        """Where people's answers differ, and nobody has settled it: on one pair, or on where to cut one conflict.

        An answer about a pair says nothing about another pair. But two people who both judge the pair of a conflict,
        and then find different positives wrong, would drop different labels.
        """
        rows = [row for row in self.live if row.record.id not in self.overruled]
        if len({row.reviewer for row in rows}) < 2:
            return []
        by_pair: dict[Pair, dict[str, Row]] = defaultdict(dict)
        cuts: dict[Pair, dict[str, dict[Pair, Row]]] = defaultdict(lambda: defaultdict(dict))
        for row in rows:
            by_pair[row.pair][row.reviewer] = row
            if row.same == "0":
                for conflict in self.conflicts(row) - {row.pair}:
                    cuts[conflict][row.reviewer][row.pair] = row
        found = {}
        for pair, each in by_pair.items():
            if len({row.same for row in each.values()}) > 1:
                conflicts = {pair}.union(*map(self.conflicts, each.values()))
                found[pair] = Dispute(pair, conflicts, [*each.values()])
        for conflict, by in cuts.items():
            sides = [wrong for name, wrong in by.items() if name in by_pair[conflict]]
            if conflict not in found and any(_cut_apart(one, two) for one in sides for two in sides):
                found[conflict] = Dispute(conflict, {conflict}, [row for wrong in sides for row in wrong.values()])
        return [*found.values()]

    # -- tables --------------------------------------------------------------------------------------------

    def table(self) -> pd.DataFrame:
        """The rows that say something, by time, as a table for people.

        Columns `text_a`, `text_b`; `same` (1, 0, missing if nobody can say); `reviewer`; `time`; `stated`, the label
        at that time (missing if no row stated one); `note`, all notes of the reviewer on the pair; `about` and
        `shown` as JSON: the conflicts in view, and what the reviewer saw; `id`.
        """
        names = ("text_a", "text_b", "same", "reviewer", "time", "stated", "note", "about", "shown", "id")
        rows = []
        for row in self.live:
            values = {name: getattr(row.record, name) for name in names}
            rows.append(values | {"note": self.notes.get((row.reviewer, row.pair), "")})
        table = pd.DataFrame(rows, columns=list(names)).astype("str")
        numbers = {name: table[name].map(NUMBERS).astype("Int8") for name in ("same", "stated")}
        return table.assign(**numbers)

    def answered_in(self, graph: ParaphraseGraph) -> pd.DataFrame:
        """The answers that count, met with another graph: see `answered`."""
        return Answers(self.records, graph, self._only).answered()

    def answered(self) -> pd.DataFrame:
        """The answers that count: one row per answered pair, in the order of its first answer.

        Columns `text_a`, `text_b`; `a`, `b`, their nodes in the graph, the lower first (-1 where it lacks one);
        `same`: 1, 0, or missing if nobody can say, or if two people differ and no third has settled it; `random`:
        some answer was to a pair drawn at random.
        """
        by_pair: dict[Pair, list[Row]] = defaultdict(list)
        for row in self.live:
            if row.record.id not in self.overruled:
                by_pair[row.pair].append(row)
        rows = []
        for each in by_pair.values():
            first = each[0].record
            meanings = {row.same for row in each}
            same = NUMBERS.get(meanings.pop()) if len(meanings) == 1 else None
            rows.append((first.text_a, first.text_b, *each[0].ends, same, any(row.random for row in each)))
        table = pd.DataFrame(rows, columns=["text_a", "text_b", "a", "b", "same", "random"])
        types = {"text_a": "str", "text_b": "str", "a": np.int64, "b": np.int64, "same": "Int8", "random": bool}
        table = table.astype(types)
        table.attrs["log"] = True  # it may hold more than one purpose asks for
        return table


def ends_of(pair: Pair) -> tuple[int, int]:
    """The nodes of a pair, the lower first, one node twice for a sentence with itself; (-1, -1) if one is missing."""
    if not all(isinstance(node, int) for node in pair):
        return -1, -1
    return min(pair), max(pair)


def _cut_apart(one: dict[Pair, Row], two: dict[Pair, Row]) -> bool:
    """True if each of two people found a positive wrong that the other did not."""
    return bool(one.keys() - two.keys()) and bool(two.keys() - one.keys())
