"""The list of clusters as columns of numbers, which a page sorts and filters (`query.js`), and its searches."""

from __future__ import annotations

import re
from functools import lru_cache
from math import isfinite
from typing import Any

import numpy as np

from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.search import find, match_grade
from ..base.records import Plain

__all__ = ["COLUMNS", "EVERYTHING", "KINDS", "ClusterList"]

#: The columns that sort clusters: `conflicts` within and direct; `negatives` stated to other clusters; `density`,
#: the share of a cluster's pairs stated positive (1 for a single sentence); `decided`, pairs that a person decided.
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
    """All clusters of a graph as columns of numbers, linear in the graph; a search reads all sentences."""

    def __init__(self, graph: ParaphraseGraph):
        self.graph = graph
        self.hits = lru_cache(1)(self.hits)  # it reads all sentences
        n = len(graph.cluster_sizes)
        home = graph.edge_clusters[0]
        within = np.bincount(home[graph.negatives_inside], minlength=n)
        direct = np.bincount(home[graph.labelled_twice & ~graph.negatives_inside], minlength=n)
        ends = np.concatenate([graph.links.a, graph.links.b])
        #: The whole numbers from which a page makes its list.
        self.counts = {
            "size": graph.cluster_sizes.astype(np.int64),
            "conflicts": within + direct,
            "negatives": np.bincount(ends, np.tile(graph.links.count, 2), n).astype(np.int64),
            "within": within,
            "positive": np.bincount(home[graph.edge_sign > 0], minlength=n),
        }
        self.start = dict(EVERYTHING)
        self.listed = int(np.count_nonzero(graph.cluster_sizes > 1))  # by the query `start`
        if self.listed:  # single sentences would crowd the list, unless there is nothing else
            self.start["bounds"] = {"size": [2, None]}
        else:
            self.listed = n

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
        for name, known in (("sort", COLUMNS), ("kind", KINDS)):
            if query[name] not in known:
                raise PairsError(f"{name} {query[name]!r} is not one of {', '.join(known)}")
        query["bounds"] = {
            name: _checked_bounds(name, pair) for name, pair in query["bounds"].items()
        }
        query["descending"] = bool(query["descending"])
        if query["only"] is not None:
            query["only"] = [int(one) for one in query["only"]]
        return query

    def search(self, words: str) -> Plain:
        """Return the clusters that contain the words, and how well each matches (`match_grade`), in plain values."""
        hits = self.hits(words)
        best = np.full(len(self.graph.cluster_sizes), -1, dtype=np.int8)
        np.maximum.at(best, self.graph.cluster_of[hits], match_grade(self.graph, hits, words))
        ids = np.flatnonzero(best >= 0)
        return {"ids": ids.tolist(), "grades": best[ids].tolist()}

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


def _checked_bounds(name: str, pair: Any) -> list[float | None]:
    if name not in COLUMNS:
        raise PairsError(f"clusters have no column {name!r}, but {', '.join(COLUMNS)}")
    bounds = [*pair] if isinstance(pair, list | tuple) else []
    fits = [one is None or (isinstance(one, int | float) and isfinite(one)) for one in bounds]
    if fits != [True, True]:
        raise PairsError(
            f"the bounds {pair!r} of {name} are not (least, most), each a number or None"
        )
    return bounds
