"""Missed friends: similar sentences in different clusters."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np

from ...files import PairsError
from ...graph import ParaphraseGraph
from ...learn.vectors import cached_vectors, unit
from ...words.tokens import tfidf
from ..base.doubted import thousandths
from ..base.records import Plain, rows_of

__all__ = ["Likeness"]

MOST = 30  # sentences that are listed


class Likeness:
    """Finds the sentences of a graph that are most like one of them.

    By meaning, if vectors of all sentences are kept (`encode` keeps them), else by words.
    """

    def __init__(self, graph: ParaphraseGraph):
        self.graph = graph

    @cached_property
    def _vectors(self) -> tuple[str, Any]:
        texts = self.graph.texts(range(self.graph.n))
        vectors = None
        if find_spec("torch") and find_spec("transformers"):
            with suppress(PairsError):  # no model on this machine
                vectors = cached_vectors(texts)
        if vectors is None:
            return "words", tfidf(texts)
        return "meaning", unit(vectors)

    def nearest(self, node: int) -> Plain:
        """Return `by`, and in `found` the nearest of other clusters, the nearest first.

        Number, sentence, cluster and its size, likeness in thousandths, and the number of stated negatives between
        the two clusters.
        """
        graph = self.graph
        own = graph.cluster_of[graph.node(node)]
        by, vectors = self._vectors
        one = vectors[node] if by == "meaning" else vectors[[node]].toarray()[0]
        alike = vectors @ one
        alike[graph.cluster_of == own] = 0
        best = np.argsort(-alike, kind="stable")[:MOST]
        best = best[alike[best] > 0]
        a, b, count = graph.links
        negatives = np.zeros(len(graph.cluster_sizes), dtype=np.int64)
        at = (a == own) | (b == own)
        negatives[(a + b - own)[at]] = count[at]
        homes = graph.cluster_of[best]
        columns = (homes, graph.cluster_sizes[homes], thousandths(alike[best]), negatives[homes])
        found = rows_of(best.tolist(), graph.texts(best), *(column.tolist() for column in columns))
        return {"by": by, "found": found}
