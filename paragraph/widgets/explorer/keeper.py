"""Answers to a page's questions: records of clusters, probabilities, similar sentences."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...doubts.trust import Trusted
from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.closure import Batch
from ..base.doubted import Doubted, thousandths
from ..base.records import Beside, Plain, brief, edges_of, neighbours_of, record, rows_of
from .like import Likeness

__all__ = ["QUESTIONS", "Keeper"]

#: The methods that a page may call; `keeper.js` describes their answers.
QUESTIONS = ("clusters", "right", "like")


class Keeper:
    """Answers the questions of pages about one graph, in plain values."""

    def __init__(
        self,
        graph: ParaphraseGraph,
        doubted: Doubted | None = None,
        trusted: Trusted | None = None,
        beside: Beside | None = None,
    ):
        if trusted is not None:
            _check_trusted(trusted, graph)
        self.graph = graph
        self.doubted = doubted
        self.trusted = trusted
        self.beside = beside
        self.like = Likeness(graph).nearest

    @property
    def about(self) -> Plain:
        """The facts about the graph with which a page begins, before it asks anything."""
        return {
            "bipartite": self.graph.bipartite,
            "table": self.graph.pairs is not None,
            "words": self.graph.words,
            "isTrusted": self.trusted is not None,
        }

    def edges(self, edges: np.ndarray) -> Plain:
        """Return stated labels, and how probably each is wrong."""
        wrong = [] if self.doubted is None else self.doubted.wrong[edges].tolist()
        return {"edges": edges_of(self.graph, edges, self.beside), "wrong": wrong}

    def clusters(
        self, open: list[int], near: list[int], nodes: list[int], wanted: list[int]
    ) -> Plain:
        """Return the records of clusters and of those of `nodes`, brief ones of others, and their stated labels."""
        graph = self.graph
        homes = [int(graph.cluster_of[graph.node(node)]) for node in nodes]
        whole = list(dict.fromkeys([*open, *homes]))
        beside = [*near]
        for cluster in whole:
            beside += neighbours_of(graph, cluster)
        edges = graph.edges_at(whole)
        ends = np.unique(graph.ends(edges))
        ends = ends[~np.isin(graph.cluster_of[ends], whole)]
        return self.edges(edges) | {
            "records": [record(graph, cluster, wanted) for cluster in whole],
            "briefs": [
                brief(graph, cluster) for cluster in dict.fromkeys(beside) if cluster not in whole
            ],
            "others": rows_of(ends.tolist(), graph.texts(ends), graph.cluster_of[ends].tolist()),
        }

    def right(self, pairs: list[list[int]]) -> list[int]:
        """Return the probability that the label of each pair, stated or inferred, is right."""
        if not pairs:
            return []
        a, b = np.array(pairs, dtype=np.int64).T
        label = (self.graph.cluster_of[a] == self.graph.cluster_of[b]).astype(np.int64)
        edge = self.graph.edge_index.places(a, b)
        is_stated = edge >= 0
        confidence = self.trusted.confidence
        right = np.zeros(len(a))
        right[~is_stated] = confidence(Batch(a, b, label, None).where(~is_stated))
        right[is_stated] = confidence.of_edges(edge[is_stated])
        return thousandths(right).tolist()


def _check_trusted(trusted: Any, graph: ParaphraseGraph) -> None:
    """Refuse what is no result of `trust` of this graph."""
    wrong = "of another graph"
    if not isinstance(trusted, Trusted):
        wrong = f"{trusted!r:.60}"
    elif trusted.graph is graph:
        return
    raise PairsError(
        f"trusted is what trust gives of this graph, not {wrong}: trusted=pg.trust(pg.infer(graph))"
    )
