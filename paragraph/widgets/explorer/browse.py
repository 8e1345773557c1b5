"""The list of clusters: Python filters, searches and sorts it; the browser sees one page."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from ...graph.search import find, match_grade
from ...pairs import PairsError

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph

__all__ = ["COLUMNS", "KINDS", "SURPRISES", "ClusterList", "Query"]

#: What clusters can be sorted by; the second value is the order a first click gives (-1: largest first).
COLUMNS = {"cluster": 1, "size": -1, "conflicts": -1, "negatives": -1, "density": 1}
KINDS = ("any", "within", "direct", "none")
SURPRISES = ("size", "density", "conflict")


@dataclass(frozen=True)
class Query:
    """A query of the list: words to find, bounds on columns ``{name: (least, most)}``, kind of conflict, order."""

    words: str = ""
    bounds: dict[str, tuple[float | None, float | None]] = field(default_factory=lambda: {"size": (2, None)})
    kind: str = "any"
    sort: str = "cluster"
    descending: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.words, str):
            raise PairsError(f"words to find are a string, not {self.words!r}")
        if self.sort not in COLUMNS:
            raise PairsError(f"clusters are not sorted by {self.sort!r} but by one of {', '.join(COLUMNS)}")
        if self.kind not in KINDS:
            raise PairsError(f"kind of conflict {self.kind!r} is not one of {', '.join(KINDS)}")
        for name, bounds in self.bounds.items():
            if name not in COLUMNS:
                raise PairsError(f"clusters have no column {name!r}, but {', '.join(COLUMNS)}")
            pair = isinstance(bounds, list | tuple) and len(bounds) == 2
            if not (pair and all(one is None or (isinstance(one, int | float) and isfinite(one)) for one in bounds)):
                raise PairsError(f"the bounds {bounds!r} of {name} are not (least, most), each a number or None")

    def with_(self, **changes: Any) -> Query:
        """Return the query with something changed."""
        return replace(self, **changes)


class ClusterList:
    """All clusters of a graph as columns of numbers; `find` gives those that answer a query.

    Columns: `cluster` (id), `size`, `conflicts` (within and direct), `negatives` (stated, to other clusters),
    `density` (share of its pairs stated positive; 1 for a single sentence). Making it is linear in the graph, and
    so is a query; a search reads all sentences.
    """

    def __init__(self, graph: ParaphraseGraph):
        self.graph = graph
        self._last: tuple[str, np.ndarray] = "", np.arange(graph.n)
        k = len(graph.cluster_sizes)
        size = graph.cluster_sizes.astype(np.int64)
        home, _ = graph.edge_clusters
        self.within = np.bincount(home[graph.within], minlength=k)
        self.direct = np.bincount(home[graph.both_ways & ~graph.within], minlength=k)
        positive = np.bincount(home[graph.edge_sign > 0], minlength=k)
        links = graph.links
        negatives = np.bincount(links.a, links.count, k) + np.bincount(links.b, links.count, k)
        self.columns = {
            "cluster": np.arange(k),
            "size": size,
            "conflicts": self.within + self.direct,
            "negatives": negatives.astype(np.int64),
            "density": np.where(size > 1, positive / np.maximum(size * (size - 1) / 2, 1), 1.0),
        }

    def find(self, query: Query) -> np.ndarray:
        """Return the ids of the clusters that answer a query, in its order; equals stay in that of their ids.

        Where words are searched and no order is asked for, the best match comes first.
        """
        keep = np.ones(len(self.within), dtype=bool)
        for name, (least, most) in query.bounds.items():
            keep &= self.columns[name] >= (-inf if least is None else least)
            keep &= self.columns[name] <= (inf if most is None else most)
        if query.kind == "none":
            keep &= self.columns["conflicts"] == 0
        elif query.kind != "any":
            keep &= getattr(self, query.kind) > 0
        values = self.columns[query.sort] * (-1 if query.descending else 1)
        if query.words.split():
            hits, best = self.hits(query.words), np.full(len(keep), -1, dtype=np.int8)
            np.maximum.at(best, self.graph.cluster_of[hits], match_grade(self.graph, hits, query.words))
            keep &= best >= 0
            if (query.sort, query.descending) == ("cluster", False):
                values = -best
        ids = np.flatnonzero(keep)
        return ids[np.argsort(values[ids], kind="stable")]

    def hits(self, words: str) -> np.ndarray:
        """Return the sentences that hold all the words, case aside; to find them reads all, so the last are kept."""
        if words != self._last[0]:
            self._last = words, find(self.graph, words)
        return self._last[1]

    def rows(self, ids: np.ndarray, words: str = "") -> list[dict[str, Any]]:
        """Return the rows of the list: the numbers of each cluster, and its first sentence or the best one found."""
        starts, nodes = self.graph.cluster_members
        shown, count = nodes[starts[ids]], np.zeros(len(ids), dtype=np.int64)
        if words.split():
            hits = self.hits(words)
            hits = hits[np.argsort(-match_grade(self.graph, hits, words), kind="stable")]
            homes, first, n = np.unique(self.graph.cluster_of[hits], return_index=True, return_counts=True)
            _, row, at = np.intersect1d(ids, homes, assume_unique=True, return_indices=True)
            shown[row], count[row] = hits[first[at]], n[at]
        return [
            {name: column[c].item() for name, column in self.columns.items()} | {"text": text, "hits": hits_in_it}
            for c, text, hits_in_it in zip(ids, self.graph.texts(shown), count.tolist(), strict=True)
        ]

    def surprise(self, by: str, rng: np.random.Generator) -> int | None:
        """Return a cluster drawn at random, or None where there is nothing to draw from.

        ``"size"``: large ones more likely, in proportion. ``"density"``: of the tenth with the lowest density, at
        least three sentences each. ``"conflict"``: of those that hold one.
        """
        if by not in SURPRISES:
            raise PairsError(f"surprise by {by!r} is not one of {', '.join(SURPRISES)}")
        size, weight = self.columns["size"], None
        possible = {"size": size > 1, "density": size > 2, "conflict": self.columns["conflicts"] > 0}
        ids = np.flatnonzero(possible[by])
        if by == "size":
            weight = size[ids] / max(1, size[ids].sum())
        elif by == "density":
            ids = ids[np.argsort(self.columns["density"][ids], kind="stable")][: max(1, len(ids) // 10)]
        return int(rng.choice(ids, p=weight)) if len(ids) else None
