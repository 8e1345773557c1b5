"""The pairs whose labels an audit can ask about: four kinds, each by the size of the cluster that they lie in."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..graph.pairspace import Inside, PairSpace, draw_ranks
from .worlds import check_graph

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["KINDS", "SIZES", "Strata", "size_class"]

#: Kinds of pairs, and whether the label that they have, stated or inferred, is "the same".
KINDS = {"positive": 1, "negative": 0, "conflict": 0, "unstated": 1}
#: Classes of clusters by their number of sentences, and the sizes at which the later ones begin.
SIZES = ("≤ 2", "3–4", "5–9", "≥ 10")
_BEGIN = (3, 5, 10)
_UNSTATED = list(KINDS).index("unstated")


def size_class(size: np.ndarray) -> np.ndarray:
    """The class of clusters of so many sentences, as a place in `SIZES`.

    Examples
    --------
    >>> [SIZES[i] for i in size_class(np.array([1, 2, 4, 5, 10]))]
    ['≤ 2', '≤ 2', '3–4', '5–9', '≥ 10']
    """
    return np.searchsorted(_BEGIN, size, side="right")


class Strata:
    """The pairs of a graph by kind and size of cluster: counted, drawn from, and found again.

    Kinds are *positive* (stated), *negative* (stated, between clusters), *conflict* (a negative inside a cluster) and
    *unstated* (inside a cluster, without a label: an inferred positive, never listed). The size is that of the larger
    cluster of the two ends. In bipartite data nothing follows, so there are stated pairs alone.

    Examples
    --------
    >>> import paragraph as pg
    >>> strata = Strata(pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO)))
    >>> strata.counts.sum(axis=1).tolist() == [
    ...     int((strata.graph.edge_sign > 0).sum()), int((strata.graph.edge_link >= 0).sum()),
    ...     int(strata.graph.within.sum()), pg.infer(strata.graph).counts()["positive"]]
    True
    """

    def __init__(self, graph: ParaphraseGraph):
        check_graph(graph)
        self.graph = graph
        within = graph.within & (not graph.bipartite)
        self._kind = np.select([graph.edge_sign > 0, within], [0, 2], 1)

    @cached_property
    def _size(self) -> np.ndarray:
        """Size class of each edge."""
        return self._size_of(self.graph.edge_a, self.graph.edge_b)

    def _size_of(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        # Ids of clusters go by size, the largest first.
        return size_class(self.graph.cluster_sizes[np.minimum(self.graph.cluster_of[a], self.graph.cluster_of[b])])

    @cached_property
    def _space(self) -> PairSpace:
        return Inside(self.graph)

    @cached_property
    def _unstated(self) -> np.ndarray:
        """For each size class the ranks of its inferred pairs: from, to."""
        sizes = size_class(self.graph.cluster_sizes)
        bounds = [np.searchsorted(-sizes, [-k, 1 - k]) for k in range(len(SIZES))]  # ids go by size, descending
        return self._space.rank(self._space.owner_starts[np.array(bounds)])

    @cached_property
    def counts(self) -> np.ndarray:
        """How many pairs each stratum holds: (kinds, sizes), int64."""
        found = np.zeros((len(KINDS), len(SIZES)), dtype=np.int64)
        np.add.at(found, (self._kind, self._size), 1)
        if not self.graph.bipartite:
            found[_UNSTATED] = np.diff(self._unstated)[:, 0]
        return found

    def draw(self, kind: int, size: int, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """So many pairs of a stratum, uniformly without repetition: their nodes."""
        ranks = draw_ranks(rng, int(self.counts[kind, size]), count)
        if kind == _UNSTATED:
            positions = self._space.nth_inferred(self._unstated[size, 0] + ranks)
            return self._space.ends(*self._space.locate(positions))
        edges = np.flatnonzero((self._kind == kind) & (self._size == size))[ranks]
        return self.graph.edge_a[edges], self.graph.edge_b[edges]

    def of(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Kind and size class of pairs of nodes; kind −1 for pairs that are in no stratum."""
        edge, clusters = self.graph.edge_index.places(a, b), self.graph.cluster_of
        joined = (clusters[a] == clusters[b]) & (a != b) & (not self.graph.bipartite)
        kind = np.where(joined, _UNSTATED, -1)
        kind[edge >= 0] = self._kind[edge[edge >= 0]]
        return kind, self._size_of(a, b)
