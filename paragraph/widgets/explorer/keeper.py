"""Answers to a page's questions: records of clusters, a search, names in the list, probabilities."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...doubts.trust import Trusted
from ...graph import ParaphraseGraph
from ...graph.closure import Batch
from ..base.doubted import Doubted, thousandths
from ..base.records import Beside, Plain, edges_of, kept_apart
from .columns import Column
from .like import Likeness
from .query import ClusterList
from .records import brief, neighbours_of, record

__all__ = ["QUESTIONS", "Keeper"]

#: The methods that a page may call; `keeper.js` describes their answers.
QUESTIONS = ("clusters", "search", "right", "apart", "like")


class Keeper:
    """Answers the questions of pages about one graph, in plain values."""

    def __init__(
        self,
        graph: ParaphraseGraph,
        doubted: Doubted | None = None,
        listed: ClusterList | None = None,
        friends: Trusted | None = None,
        columns: Mapping[str, Column] | None = None,
        beside: Beside | None = None,
    ):
        self.graph = graph
        self.doubted = doubted
        self.listed = listed
        self.friends = friends
        self._columns = columns or {}
        self._beside = beside
        self.like = Likeness(graph).nearest

    @property
    def about(self) -> Plain:
        """What a page knows of the graph before it asks anything."""
        graph = self.graph
        return {
            "bipartite": graph.bipartite, "table": graph.pairs is not None, "words": graph.words,
            "isTrusted": self.friends is not None,
        }  # fmt: skip

    def clusters(self, open: list[int], near: list[int], nodes: list[int], wanted: list[int]) -> Plain:
        """Return the records of clusters and of those of `nodes`, brief ones of others, and their stated labels."""
        graph = self.graph
        homes = [int(graph.cluster_of[graph.node(node)]) for node in nodes]
        whole = list(dict.fromkeys([*open, *homes]))
        beside = [*near, *(other for c in whole for other in neighbours_of(graph, c))]
        edges = graph.edges_at(whole)
        ends = np.unique(graph.ends(edges))
        ends = ends[~np.isin(graph.cluster_of[ends], whole)]
        return {
            "records": [record(graph, c, wanted, self._columns) for c in whole],
            "briefs": [brief(graph, c) for c in dict.fromkeys(beside) if c not in whole],
            "edges": edges_of(graph, edges, self._beside), "others": kept_apart(graph, ends),
            "wrong": [] if self.doubted is None else self.doubted.wrong[edges].tolist(),
        }  # fmt: skip

    def search(self, words: str) -> Plain:
        """Return the clusters that contain the words, with grades."""
        grades = self.listed.grades(words)
        ids = np.flatnonzero(grades >= 0)
        return {"ids": ids.tolist(), "grades": grades[ids].tolist()}

    def apart(self, trust: float) -> Plain:
        """Count what is left without the positives whose probability of being right is lower."""
        return self.doubted.apart(trust)

    def right(self, pairs: list[list[int]]) -> list[int]:
        """Return the probability that the label of each pair, stated or inferred, is right."""
        if not pairs:
            return []
        a, b = np.array(pairs, dtype=np.int64).T
        edge = self.graph.edge_index.places(a, b)
        right = np.zeros(len(a))
        label = self.graph.cluster_of[a] == self.graph.cluster_of[b]
        read = self.friends.confidence
        right[edge < 0] = read(Batch(a, b, label.astype(np.int64), None).where(edge < 0))
        right[edge >= 0] = read.of_edges(edge[edge >= 0])
        return thousandths(right).tolist()
