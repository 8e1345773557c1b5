"""The list of clusters as columns of numbers, and the queries that it answers; `query.js` has the same for a page."""

from __future__ import annotations

import re
from functools import lru_cache
from math import isfinite
from typing import Any

import numpy as np

from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.search import find, match_grade
from ..base.doubted import Doubted
from ..base.records import Plain

__all__ = ["COLUMNS", "EVERYTHING", "KINDS", "ClusterList"]

#: The columns that sort clusters; with suspects, `p_wrong` as well.
COLUMNS = ("cluster", "size", "conflicts", "negatives", "density", "decided")
KINDS = ("any", "within", "direct", "none")
#: Words that name a row.
NAMED = re.compile(r"(?i)\s*(?:row\s+|#)(\S+)\s*")
#: The query that every cluster answers: words to find, bounds on columns (``{name: [least, most]}``, None for
#: no bound), kind of conflict, order, and clusters chosen on a map.
EVERYTHING = {
    "words": "",
    "bounds": {},
    "kind": "any",
    "sort": "cluster",
    "descending": False,
    "only": None,
}


class ClusterList:
    """All clusters of a graph as columns of numbers; `find` returns those that match a query.

    Columns: `cluster` (id), `size`, `conflicts` (within and direct), `negatives` (stated, to other clusters),
    `density` (share of its pairs stated positive; 1 for a single sentence), `decided` (pairs that a person has
    decided: see `decide`), `p_wrong` (the greatest of its stated pairs, if suspects are given; missing if none is
    known). Making the list is linear in the graph, and so is a query; a search reads all sentences.
    """

    def __init__(self, graph: ParaphraseGraph, doubted: Doubted | None = None):
        self.graph = graph
        self.hits = lru_cache(1)(self.hits)  # it reads all sentences
        self.n = len(graph.cluster_sizes)
        size = graph.cluster_sizes.astype(np.int64)
        home = graph.edge_clusters[0]
        positive = np.bincount(home[graph.edge_sign > 0], minlength=self.n)
        within = np.bincount(home[graph.negatives_inside], minlength=self.n)
        direct = np.bincount(home[graph.labelled_twice & ~graph.negatives_inside], minlength=self.n)
        ends = np.concatenate([graph.links.a, graph.links.b])
        negatives = np.bincount(ends, np.tile(graph.links.count, 2), self.n).astype(np.int64)
        #: By kind: the number of such conflicts.
        self.kinds = {"within": within, "direct": direct, "none": within + direct == 0}
        pairs = np.maximum(size * (size - 1) // 2, 1)
        self.columns = {
            "cluster": np.arange(self.n),
            "size": size,
            "conflicts": within + direct,
            "negatives": negatives,
            "density": np.where(size > 1, positive / pairs, 1.0),
            "decided": np.zeros(self.n, dtype=np.int64),
        }
        #: The whole numbers from which a page makes its list.
        self.counts = {name: self.columns[name] for name in ("size", "conflicts", "negatives")}
        self.counts |= {"within": within, "positive": positive}
        if doubted is not None:
            worst = doubted.of_clusters
            self.columns["p_wrong"] = np.where(worst < 0, np.nan, worst / 1000)
            self.counts["doubt"] = worst + 1
        self.start = dict(EVERYTHING)
        if (
            size.max(initial=0) > 1
        ):  # single sentences would crowd the list, unless there is nothing else
            self.start["bounds"] = {"size": [2, None]}

    def checked(self, query: Plain) -> Plain:
        """Return a complete query, or raise a `PairsError` that says what is wrong with it."""
        unknown = {*query} - {*EVERYTHING}
        if unknown:
            raise PairsError(
                f"a query has {', '.join(EVERYTHING)}; not {', '.join(map(str, unknown))}"
            )
        query = self.start | query
        if not isinstance(query["words"], str):
            raise PairsError(f"words to find are a string, not {query['words']!r}")
        for name, known in (("sort", [*self.columns]), ("kind", KINDS)):
            if query[name] not in known:
                raise PairsError(f"{name} {query[name]!r} is not one of {', '.join(known)}")
        query["bounds"] = {
            name: self._checked_bounds(name, pair) for name, pair in query["bounds"].items()
        }
        query["descending"] = bool(query["descending"])
        if query["only"] is not None:
            query["only"] = [int(one) for one in query["only"]]
        return query

    def _checked_bounds(self, name: str, pair: Any) -> list[float | None]:
        if name not in self.columns:
            raise PairsError(f"clusters have no column {name!r}, but {', '.join(self.columns)}")
        bounds = [*pair] if isinstance(pair, list | tuple) else []
        fits = [one is None or (isinstance(one, int | float) and isfinite(one)) for one in bounds]
        if fits != [True, True]:
            raise PairsError(
                f"the bounds {pair!r} of {name} are not (least, most), each a number or None"
            )
        return bounds

    def decide(self, said: list[list[Any]]) -> None:
        """Count the answers about pairs, each given as two nodes and their two clusters."""
        decided = np.zeros(self.n, dtype=np.int64)
        for *_, one, other, _ in said:
            decided[[*{one, other}]] += 1
        self.columns["decided"] = decided

    def find(self, query: Plain) -> np.ndarray:
        """Return the ids of the clusters that match a query, in its order; ties are in order of id.

        If words are searched and no order is set, the best match comes first. A row that is named by its number is
        found whatever the bounds: it may be of single sentences.
        """
        keep = np.ones(self.n, dtype=bool)
        named = NAMED.fullmatch(query["words"])
        bounds = {} if named and named[1].isdecimal() else query["bounds"]
        for name, (least, most) in bounds.items():
            if least is not None:
                keep &= self.columns[name] >= least
            if most is not None:
                keep &= self.columns[name] <= most
        if query["kind"] != "any":
            keep &= self.kinds[query["kind"]] > 0
        if query["only"] is not None:
            keep &= np.isin(self.columns["cluster"], query["only"])
        values = self.columns[query["sort"]]
        if query["descending"]:
            values = -values
        if query["words"].split():
            grades = self.grades(query["words"])
            keep &= grades >= 0
            if query["sort"] == "cluster" and not query["descending"]:
                values = -grades
        ids = np.flatnonzero(keep)
        return ids[np.argsort(values[ids], kind="stable")]

    def grades(self, words: str) -> np.ndarray:
        """Return how well each cluster matches the words (`match_grade`), -1 if it does not."""
        hits = self.hits(words)
        best = np.full(self.n, -1, dtype=np.int8)
        np.maximum.at(best, self.graph.cluster_of[hits], match_grade(self.graph, hits, words))
        return best

    def search(self, words: str) -> Plain:
        """Return the clusters that contain the words, with grades, in plain values."""
        grades = self.grades(words)
        ids = np.flatnonzero(grades >= 0)
        return {"ids": ids.tolist(), "grades": grades[ids].tolist()}

    def hits(self, words: str) -> np.ndarray:
        """Return the sentences that contain all the words, ignoring case, or those of a row: ``#1927``."""
        graph = self.graph
        found = find(graph, words)
        named = NAMED.fullmatch(words)
        if named:
            labelled = np.flatnonzero(graph.row_labelled)
            names = np.array(graph.row_names(labelled), dtype=str)
            rows = labelled[names == named[1]]
            found = np.unique(np.concatenate([found, graph.row_a[rows], graph.row_b[rows]]))
        return found

    def names(self, ids: list[int], words: str) -> list[list[Any]]:
        """Return the most central sentence of each cluster, or the best hit, and how many hits it has."""
        shown = {cluster: self.graph.central_sentences[cluster] for cluster in ids}
        count = dict.fromkeys(ids, 0)
        if words.split():
            hits = self.hits(words)
            hits = hits[np.argsort(-match_grade(self.graph, hits, words), kind="stable")]
            homes, first, n = np.unique(
                self.graph.cluster_of[hits], return_index=True, return_counts=True
            )
            for cluster, hit, many in zip(homes.tolist(), hits[first], n.tolist(), strict=True):
                if cluster in shown:
                    shown[cluster] = hit
                    count[cluster] = many
        return [[self.graph.text(node), count[cluster]] for cluster, node in shown.items()]
