"""Pairs of a graph by kind and size of cluster, and the pairs whose meaning a person has answered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..graph.core import checked_graph
from ..graph.labels import draw_ranks
from ..graph.pairspace import Inside
from ..pairs.tables import canonical, refuse

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["PAIR_KINDS", "SIZES", "Answered", "Strata", "answer_table", "answered_pairs"]

#: Kinds of pairs, and whether their label, stated or inferred, is "the same".
PAIR_KINDS = {"positive": 1, "negative": 0, "conflict": 0, "unstated": 1}
#: Classes of clusters by their number of sentences, and the sizes at which the later ones begin.
SIZES = ("≤ 2", "3–4", "5–9", "≥ 10")
_BEGIN = (3, 5, 10)
_UNSTATED = list(PAIR_KINDS).index("unstated")


class Strata:
    """The pairs of a graph by kind and size of cluster: counted, drawn from, and found again.

    Kinds are *positive* (stated), *negative* (stated, between clusters), *conflict* (a negative inside a cluster) and
    *unstated* (inside a cluster, without a label: an inferred positive, never listed). The size is that of the larger
    cluster of the two ends. In bipartite data nothing follows, so there are only stated pairs.

    Examples
    --------
    >>> import paragraph as pg
    >>> strata = Strata(pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO)))
    >>> strata.counts.sum(axis=1).tolist() == [
    ...     int((strata.graph.edge_sign > 0).sum()), len(strata.graph.link_negatives[1]),
    ...     int(strata.graph.negatives_inside.sum()), pg.infer(strata.graph).counts()["positive"]]
    True
    """

    def __init__(self, graph: ParaphraseGraph):
        checked_graph(graph, "audit")
        self.graph = graph
        self._space = Inside(graph)
        #: Class of each cluster, as a place in `SIZES`; ids of clusters go by size, the largest first.
        self._class = np.searchsorted(_BEGIN, graph.cluster_sizes, side="right")
        within = graph.negatives_inside
        self._kind = np.select([graph.edge_sign > 0, within], [0, 2], 1)
        self._size = self._size_of(graph.edge_a, graph.edge_b)

    def _size_of(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return self._class[np.minimum(self.graph.cluster_of[a], self.graph.cluster_of[b])]

    @cached_property
    def _unstated(self) -> np.ndarray:
        """The first and last ranks of the inferred pairs of each size class."""
        bounds = [np.searchsorted(-self._class, [-k, 1 - k]) for k in range(len(SIZES))]
        return self._space.rank(self._space.owner_starts[np.array(bounds)])

    @cached_property
    def counts(self) -> np.ndarray:
        """The number of pairs in each stratum: (kinds, sizes), int64."""
        found = np.zeros((len(PAIR_KINDS), len(SIZES)), dtype=np.int64)
        np.add.at(found, (self._kind, self._size), 1)
        if not self.graph.bipartite:
            found[_UNSTATED] = np.diff(self._unstated)[:, 0]
        return found

    def draw(self, kind: int, size: int, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw `n` pairs of a stratum, uniformly without repetition, and return their nodes."""
        ranks = draw_ranks(rng, int(self.counts[kind, size]), count)
        if kind == _UNSTATED:
            positions = self._space.nth_inferred(self._unstated[size, 0] + ranks)
            return self._space.ends(positions)
        edges = np.flatnonzero((self._kind == kind) & (self._size == size))[ranks]
        return self.graph.ends(edges)

    def of(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return kind and size class of pairs of nodes; kind −1 for pairs that are in no stratum."""
        edge, clusters = self.graph.edge_index.places(a, b), self.graph.cluster_of
        joined = (clusters[a] == clusters[b]) & (a != b) & (not self.graph.bipartite)
        kind = np.where(joined, _UNSTATED, -1)
        kind[edge >= 0] = self._kind[edge[edge >= 0]]
        return kind, self._size_of(a, b)


@dataclass(frozen=True)
class Answered:
    """Answered pairs of a graph: one entry per pair in each array."""

    same: np.ndarray  #: bool
    kind: np.ndarray  #: place in `PAIR_KINDS`
    size: np.ndarray  #: place in `SIZES`
    edge: np.ndarray  #: the stated label, or −1
    a: np.ndarray  #: the lower node
    b: np.ndarray  #: the other node
    random: np.ndarray  #: bool: was the pair drawn at random?
    left: int  #: pairs named without an answer
    elsewhere: int = 0  #: pairs of a log that are none of these kinds
    disputed: int = 0  #: pairs that were answered both ways, and so count as not answered

    @property
    def wrong(self) -> np.ndarray:
        """Flags of the pairs whose label, stated or inferred, is wrong."""
        return self.same != np.array(list(PAIR_KINDS.values()), dtype=bool)[self.kind]


def answered_pairs(graph: ParaphraseGraph, answers: Any, strata: Strata | None = None) -> Answered:
    """Read a table of answers: columns `text_a`, `text_b`, `same` (1, 0, empty), in any order of rows.

    A column `random` (true, false) says which pairs were drawn at random; without it, all were, as by `audit`.

    Parameters
    ----------
    answers : DataFrame, or a log or review with a method `answered` that gives one
        A log may serve more than one purpose: its answers about other pairs are left out, and counted. So is a pair
        that two rows answer differently, as two reviewers may.

    Raises
    ------
    PairsError
        Naming the row: a `same` that is not 1, 0 or empty; a sentence that is not in the graph; a pair that is
        neither stated nor inside a cluster.

    Examples
    --------
    >>> from paragraph import ParaphraseGraph
    >>> pairs = pd.DataFrame({"text_a": ["a", "b"], "text_b": ["b", "c"], "label": [1, 1]})
    >>> table = pd.DataFrame({"text_a": ["a", "c"], "text_b": ["b", "a"], "same": [1, 0]})
    >>> answered_pairs(ParaphraseGraph.from_pairs(pairs), table).wrong.tolist()
    [False, True]
    """
    if hasattr(answers, "answered_in"):
        table = answers.answered_in(graph)
        a, b = table["a"].to_numpy(), table["b"].to_numpy()
        same = table["same"].to_numpy(float, na_value=np.nan)
    else:
        table, same = answer_table(answers)
        a, b = np.sort(graph.pair_nodes(table), axis=0)
    random = np.ones(len(table), dtype=bool)
    if "random" in table:
        random = table["random"].astype("str").str.lower().isin(["true", "1"]).to_numpy()
    strata, elsewhere = strata or Strata(graph), 0
    kind, size = strata.of(a, b)
    kind[a < 0] = -1
    if table.attrs.get("log"):
        elsewhere = int(np.count_nonzero(kind < 0))
    else:
        where = "leave the row out, or give the graph of the file that the sample was drawn from"
        no_pair = f"neither a stated pair of the data nor in one cluster; {where}"
        refuse(table, kind < 0, lambda row: f"{row['text_a']!r} and {row['text_b']!r} are {no_pair}")
    pairs = pd.DataFrame({"a": a, "b": b, "same": same})[kind >= 0]
    known = pairs.dropna()
    alike = known.groupby(["a", "b"])["same"].transform("nunique") == 1
    rows = known[alike].drop_duplicates(["a", "b"]).index.to_numpy()
    disputed = len(known[~alike].drop_duplicates(["a", "b"]))
    left = len(pairs.drop_duplicates(["a", "b"])) - len(rows) - disputed
    edge = graph.edge_index.places(a, b)
    columns = [each[rows] for each in (same == 1, kind, size, edge, a, b, random)]
    return Answered(*columns, left, elsewhere, disputed)


def answer_table(answers: Any) -> tuple[pd.DataFrame, np.ndarray]:
    """Return a table of answers, or the one of a log or review; and its answers as 1, 0 or NaN."""
    if not isinstance(answers, pd.DataFrame):
        if not hasattr(answers, "answered"):
            raise PairsError(f"a table of answers, a log or a review is expected, not {type(answers).__name__}")
        answers = answers.answered()
    table = canonical(answers, "a table of answers")
    if "same" not in table:
        raise PairsError("a table of answers needs the column same (1, 0 or empty)")
    given = table["same"].astype(object).replace(r"^\s*$", None, regex=True)
    found = pd.to_numeric(given, errors="coerce").to_numpy(float, na_value=np.nan)
    odd = given.notna().to_numpy() & (found != 0) & (found != 1)
    refuse(table, odd, lambda row: f"same {row['same']!r} is not 1, 0 or empty")
    return table, found
