"""The list of clusters, its queries, and the memory of earlier queries and views."""

from __future__ import annotations

import re
import sys
import zlib
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from math import inf, isfinite
from typing import Any

import numpy as np
import pyarrow.compute as pc

from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.clusters import central_sentences
from ...graph.identity import find, match_grade
from ..base.records import Plain
from .apart import Doubted

__all__ = ["COLUMNS", "KINDS", "ClusterList", "Query", "recall"]

#: The columns that sort clusters.
COLUMNS = ("cluster", "size", "conflicts", "negatives", "density", "decided")
#: The columns that filter clusters; `p_wrong` if suspects are given.
BOUNDED = (*COLUMNS, "p_wrong")
KINDS = ("any", "within", "direct", "none")


@dataclass(frozen=True)
class Query:
    """A query of the list: words to find, bounds on columns (``{name: (least, most)}``), kind of conflict, order."""

    words: str = ""
    bounds: dict[str, tuple[float | None, float | None]] = field(default_factory=lambda: {"size": (2, None)})
    kind: str = "any"
    sort: str = "cluster"
    descending: bool = False
    only: tuple[int, ...] | None = None  #: no clusters but these: chosen on a map

    def __post_init__(self) -> None:
        if not isinstance(self.words, str):
            raise PairsError(f"words to find are a string, not {self.words!r}")
        if self.sort not in COLUMNS:
            raise PairsError(f"clusters are not sorted by {self.sort!r} but by one of {', '.join(COLUMNS)}")
        if self.kind not in KINDS:
            raise PairsError(f"kind of conflict {self.kind!r} is not one of {', '.join(KINDS)}")
        for name, bounds in self.bounds.items():
            if name not in BOUNDED:
                raise PairsError(f"clusters have no column {name!r}, but {', '.join(BOUNDED)}")
            pair = isinstance(bounds, list | tuple) and len(bounds) == 2
            if not (pair and all(one is None or (isinstance(one, int | float) and isfinite(one)) for one in bounds)):
                raise PairsError(f"the bounds {bounds!r} of {name} are not (least, most), each a number or None")

    @property
    def filter(self) -> tuple[Any, ...]:
        """The conditions on clusters, except the words."""
        return self.bounds, self.kind, self.only

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Query:
        """Return a query from a page's plain values."""
        only, bounds = plain.get("only"), plain["bounds"]
        bounds = {name: tuple(pair) if isinstance(pair, list) else pair for name, pair in bounds.items()}
        return cls(**plain | {"bounds": bounds, "only": only if only is None else tuple(map(int, only))})

    @property
    def plain(self) -> dict[str, Any]:
        """The query as plain values for a page."""
        only = None if self.only is None else [int(one) for one in self.only]
        return vars(self) | {"bounds": {name: list(pair) for name, pair in self.bounds.items()}, "only": only}

    def with_(self, **changes: Any) -> Query:
        """Return the query with something changed."""
        return replace(self, **changes)


class ClusterList:
    """All clusters of a graph as columns of numbers; `find` returns those that match a query.

    Columns: `cluster` (id), `size`, `conflicts` (within and direct), `negatives` (stated, to other clusters),
    `density` (share of its pairs stated positive; 1 for a single sentence), `decided` (pairs that a person has
    decided: see `decide`), `p_wrong` (the greatest of its stated pairs, if suspects are given; missing if none is
    known). Making the list is linear in the graph, and so is a query; a search reads all sentences.
    """

    def __init__(self, graph: ParaphraseGraph, doubted: Doubted | None = None):
        self.graph = graph
        self.hits, self.nearest = lru_cache(1)(self.hits), lru_cache(1)(self.nearest)  # each reads all sentences
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
            "decided": np.zeros(k, dtype=np.int64),
        }

        #: The whole numbers from which a page makes its list.
        self.counts = {name: self.columns[name] for name in ("size", "conflicts", "negatives")}
        self.counts |= {"within": self.within, "positive": positive}
        if doubted is not None:
            worst = np.full(k, -1)
            np.maximum.at(worst, home, doubted.wrong)
            self.columns["p_wrong"] = np.where(worst < 0, np.nan, worst / 1000)
            self.counts["doubt"] = worst + 1

    def check(self, query: Query) -> Query:
        """Return the query, if its columns exist."""
        if missing := set(query.bounds) - set(self.columns):
            raise PairsError(f"clusters have no {', '.join(missing)} without suspects=")
        return query

    def decide(self, said: list[list[Any]]) -> None:
        """Count the answers about pairs, each given as two nodes and their two clusters."""
        homes = [home for *_, one, other, _ in said for home in {one, other}]
        self.columns["decided"] = np.bincount(np.array(homes, dtype=np.int64), minlength=len(self.within))

    def find(self, query: Query) -> np.ndarray:
        """Return the ids of the clusters that match a query, in its order; ties are in order of id.

        If words are searched and no order is set, the best match comes first.
        """
        keep = np.ones(len(self.within), dtype=bool)
        for name, (least, most) in query.bounds.items():
            keep &= self.columns[name] >= (-inf if least is None else least)
            keep &= self.columns[name] <= (inf if most is None else most)
        if query.kind == "none":
            keep &= self.columns["conflicts"] == 0
        elif query.kind != "any":
            keep &= getattr(self, query.kind) > 0
        if query.only is not None:
            keep &= np.isin(self.columns["cluster"], query.only)
        values = self.columns[query.sort] * (-1 if query.descending else 1)
        if query.words.split():
            best = self.grades(query.words)
            keep &= best >= 0
            if (query.sort, query.descending) == ("cluster", False):
                values = -best
        ids = np.flatnonzero(keep)
        return ids[np.argsort(values[ids], kind="stable")]

    def grades(self, words: str) -> np.ndarray:
        """Return how well each cluster matches the words (`match_grade`), -1 if it does not."""
        hits, best = self.hits(words), np.full(len(self.within), -1, dtype=np.int8)
        np.maximum.at(best, self.graph.cluster_of[hits], match_grade(self.graph, hits, words))
        return best

    def hits(self, words: str) -> np.ndarray:
        """Return the sentences that contain all the words, ignoring case, or those of a row: ``#1927``."""
        graph, found = self.graph, find(self.graph, words)
        if named := re.fullmatch(r"(?i)\s*(row\s+|#)(\S+)\s*", words):
            rows = np.flatnonzero((graph.row_edge >= 0) & graph.row_labelled)
            rows = rows[np.array([str(name) == named[2] for name in graph.row_names(rows)], dtype=bool)]
            found = np.unique(np.concatenate([found, graph.row_a[rows], graph.row_b[rows]]))
        return found

    def nearest(self, words: str) -> str:
        """Return words, each unknown one replaced by the most similar known one, or ""."""
        unknown = [word for word in words.lower().split() if not len(find(self.graph, word))]
        if not unknown or len(self.hits(words)):
            return ""
        pieces = pc.split_pattern_regex(pc.utf8_lower(self.graph.sentences), r"[^\pL\pN_]+")
        known = pc.unique(pc.list_flatten(pieces)).to_pylist()
        near = {word: next(iter(get_close_matches(word, known, 1, 0.8)), "") for word in unknown}
        return " ".join(near.get(word, word) for word in words.lower().split()) if all(near.values()) else ""

    def names(self, ids: list[int], words: str = "") -> list[list[Any]]:
        """Return the most central sentence of each cluster, or the best hit, and how many hits it has."""
        shown = np.array([central_sentences(self.graph, 1, c)[0] for c in ids], dtype=np.int64)
        count = np.zeros(len(ids), dtype=np.int64)
        if words.split():
            hits = self.hits(words)
            hits = hits[np.argsort(-match_grade(self.graph, hits, words), kind="stable")]
            homes, first, n = np.unique(self.graph.cluster_of[hits], return_index=True, return_counts=True)
            _, row, at = np.intersect1d(ids, homes, assume_unique=True, return_indices=True)
            shown[row], count[row] = hits[first[at]], n[at]
        return [[text, many] for text, many in zip(self.graph.texts(shown), count.tolist(), strict=True)]


_kept: dict[tuple, Plain] = {}


def recall(graph: ParaphraseGraph, seed: int, fresh: bool) -> Plain:
    """Return the memory of the last Explorer of the same data and cell; empty if `fresh`, or if there was none.

    Each cell has its own memory: a sort order set in one does not appear in the next. If the front end does not name
    the cell, all share one memory, without the order.
    """
    cell = _cell()
    key = (cell, seed, *_fingerprint(graph))
    if fresh or key not in _kept:
        _kept[key] = {}
    memory = _kept[key]
    if cell is None and "asked" in memory:
        memory["asked"] |= {"sort": Query().sort, "descending": Query().descending}
    return memory


def _cell() -> str | None:
    """The id of the running notebook cell, if there is one."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if not hasattr(shell, "get_parent"):
        return None
    return (shell.get_parent() or {}).get("metadata", {}).get("cellId")


def _fingerprint(graph: ParaphraseGraph) -> tuple:
    """A fingerprint that is equal for two graphs of the same data."""
    parts = (graph.edge_a, graph.edge_b, graph.edge_sign)
    texts = [graph.text(node) for node in {0, graph.n // 2, graph.n - 1} if 0 <= node < graph.n]
    return graph.n, *(zlib.crc32(np.ascontiguousarray(part)) for part in parts), *texts
