"""Missed friends: similar sentences in different clusters."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np

from ...files import PairsError
from ...graph import ParaphraseGraph
from ...learn.vectors import at_hand, unit
from ...words.tokens import tfidf
from ..base.doubted import thousandths
from ..base.records import Plain

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
        if find_spec("torch") and find_spec("transformers"):
            with suppress(PairsError):  # no model on this machine
                if (vectors := at_hand(texts)) is not None:
                    return "meaning", unit(vectors)
        return "words", tfidf(texts)

    def nearest(self, node: int) -> Plain:
        """Return `by`, and in `found` the nearest of other clusters, the nearest first.

        Number, sentence, cluster and its size, likeness in thousandths, and the number of stated negatives between
        the two clusters.
        """
        graph, (by, vectors) = self.graph, self._vectors
        own = graph.cluster_of[graph.node(node)]
        alike = vectors @ (vectors[node] if by == "meaning" else vectors[[node]].toarray()[0])
        alike[graph.cluster_of == own] = 0
        best = np.argsort(-alike, kind="stable")[:MOST]
        best = best[alike[best] > 0]
        homes = graph.cluster_of[best]
        a, b, count = graph.links
        mine = (a == own) | (b == own)
        apart = dict(zip((a + b - own)[mine].tolist(), count[mine].tolist(), strict=True))
        told = zip(
            best.tolist(), graph.texts(best), homes.tolist(), graph.cluster_sizes[homes].tolist(),
            thousandths(alike[best]).tolist(), (apart.get(home, 0) for home in homes.tolist()), strict=True,
        )  # fmt: skip
        return {"by": by, "found": [list(one) for one in told]}
