"""What decisions do to a cluster: which sentences stay together, which labels follow, which conflicts are settled."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from ..graph import ParaphraseGraph

__all__ = ["NONE", "Changes", "Decided", "Outcome"]


class Changes(NamedTuple):
    """Stated labels that decisions changed, as edges of the graph."""

    flipped: frozenset[int] = frozenset()  #: negatives that count as positive
    gone: frozenset[int] = frozenset()  #: positives cut, and pairs set aside as ambiguous


NONE = Changes()


class Outcome(NamedTuple):
    """A cluster under some changes."""

    parts: tuple[int, ...]  #: sentences of each cluster it falls into, largest first
    positive: int  #: inferred positive labels
    negative: int  #: inferred negative labels, those to other clusters included (rule "all")
    apart: frozenset[int]  #: its within-conflicts whose ends are no longer joined


class Decided:
    """A graph under decisions, each cluster looked at by itself: what is decided in one never joins two.

    Nothing here copies the graph. Looking at a cluster for the first time is linear in the edges of the graph, with a
    small constant; all else is linear in the cluster.

    Examples
    --------
    >>> import pandas as pd
    >>> from paragraph.graph import ParaphraseGraph
    >>> rows = [("a", "b", 1), ("b", "c", 1), ("c", "d", 1), ("a", "c", 0)]
    >>> graph = ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    >>> decided = Decided(graph)
    >>> decided.outcome(0)[:3]
    ((4,), 2, 0)
    >>> decided.outcome(0, Changes(gone=frozenset([1])))  # without b-c, the negative holds for 2 × 2 pairs
    Outcome(parts=(2, 2), positive=0, negative=3, apart=frozenset({3}))
    """

    def __init__(self, graph: ParaphraseGraph):
        self.graph = graph
        self.changes: dict[int, Changes] = {}  # by cluster
        self._part_of = graph.cluster_of.astype(np.int64)  # the first part of a cluster keeps its id
        self._sizes: dict[int, int] = {}  # of clusters that fell apart and of their parts
        self._ids = len(graph.cluster_sizes)
        self._last: tuple[int, _Cluster] | None = None

    def of(self, cluster: int) -> Changes:
        """The changes in a cluster."""
        return self.changes.get(cluster, NONE)

    def set(self, cluster: int, changes: Changes) -> None:
        """Make these the changes in a cluster."""
        if changes == self.of(cluster):
            return
        self.changes[cluster] = changes
        here = self._cluster(cluster)
        part, sizes = here.parts(changes)
        ids = np.array([cluster, *range(self._ids, self._ids + len(sizes) - 1)])
        self._ids += len(sizes) - 1
        self._part_of[here.members] = ids[part]
        self._sizes.update(zip(ids.tolist(), sizes.tolist(), strict=True))

    def outcome(self, cluster: int, changes: Changes | None = None) -> Outcome:
        """The cluster under these changes instead of those that were set."""
        here = self._cluster(cluster)
        changes = self.of(cluster) if changes is None else changes
        part, sizes = here.parts(changes)
        stated = np.array([edge not in changes.gone for edge in here.edges.tolist()], dtype=bool)
        together = part[here.a] == part[here.b]
        positive = int((sizes * (sizes - 1) // 2).sum() - (stated & together).sum())
        minus = here.negative & stated
        minus[[edge in changes.flipped for edge in here.edges.tolist()]] = False
        # Of two parts that a negative holds apart, every pair is negative; so it is towards other clusters.
        ends = np.sort(np.stack([part[here.a], part[here.b]], axis=1)[minus & ~together], axis=1)
        inner = np.unique(ends, axis=0)
        outer = np.unique(np.stack([part[here.out], self._part_of[here.other]], axis=1), axis=0)
        other_sizes = np.array([self._size(other) for other in outer[:, 1].tolist()], dtype=np.int64)
        negative = int((sizes[inner[:, 0]] * sizes[inner[:, 1]]).sum() + (sizes[outer[:, 0]] * other_sizes).sum())
        apart = here.edges[here.negative & ~together]
        return Outcome(
            tuple(sorted(sizes.tolist(), reverse=True)),
            positive,
            negative - len(ends) - len(here.out),
            frozenset(apart.tolist()),
        )

    def disjoint(self, a: int, b: int, changes: Changes | None = None) -> int:
        """How many paths of positives that stand, sharing no edge, join two sentences of one cluster."""
        from scipy.sparse.csgraph import maximum_flow

        cluster = int(self.graph.cluster_of[a])
        here = self._cluster(cluster)
        start, end = np.searchsorted(here.members, [a, b])
        return int(
            maximum_flow(
                here.links(self.of(cluster) if changes is None else changes), int(start), int(end)
            ).flow_value
        )

    def removed(self, cluster: int, edge: int) -> int:
        """Positive labels, stated or inferred, that go if this stated positive goes as well."""
        changes = self.of(cluster)
        after = Changes(changes.flipped, changes.gone | {edge})
        return 1 + self.outcome(cluster).positive - self.outcome(cluster, after).positive

    def path(self, a: int, b: int, changes: Changes | None = None) -> list[int]:
        """Nodes of a shortest path of positives that stand, of several the least by node; none: empty."""
        from scipy.sparse.csgraph import dijkstra

        cluster = int(self.graph.cluster_of[a])
        here = self._cluster(cluster)
        links = here.links(self.of(cluster) if changes is None else changes)
        start, end = np.searchsorted(here.members, [a, b])
        far = dijkstra(links, directed=False, indices=end, unweighted=True)
        if np.isinf(far[start]):
            return []
        walk = [int(start)]
        while walk[-1] != end:
            near = links.indices[links.indptr[walk[-1]] : links.indptr[walk[-1] + 1]]
            walk.append(int(near[far[near] == far[walk[-1]] - 1].min()))
        return here.members[walk].tolist()

    def path_edges(self, path: list[int]) -> list[int]:
        """The edges of a path."""
        return [self.graph.edge_between(a, b) for a, b in pairwise(path)]

    def _size(self, part: int) -> int:
        return self._sizes[part] if part in self._sizes else int(self.graph.cluster_sizes[part])

    def _cluster(self, cluster: int) -> _Cluster:
        if self._last is None or self._last[0] != cluster:
            self._last = cluster, _Cluster(self.graph, cluster)
        return self._last[1]


class _Cluster:
    """The stated labels of one cluster, its sentences numbered from 0."""

    def __init__(self, graph: ParaphraseGraph, cluster: int):
        home_a, home_b = graph.edge_clusters
        self.members = graph.members(cluster)
        self.edges = np.flatnonzero((home_a == cluster) & (home_b == cluster))
        self.a, self.b = (np.searchsorted(self.members, end[self.edges]) for end in (graph.edge_a, graph.edge_b))
        self.negative = graph.edge_sign[self.edges] < 0
        out = np.flatnonzero((home_a == cluster) != (home_b == cluster))  # only negatives lead out of a cluster
        mine = home_a[out] == cluster
        self.out = np.searchsorted(self.members, np.where(mine, graph.edge_a[out], graph.edge_b[out]))
        self.other = np.where(mine, graph.edge_b[out], graph.edge_a[out])

    def links(self, changes: Changes) -> csr_array:
        """The positives that stand, as a symmetric matrix."""
        from scipy.sparse import csr_array

        stands = ~self.negative
        for i, edge in enumerate(self.edges.tolist()):
            if edge in changes.flipped:
                stands[i] = True
            elif edge in changes.gone:
                stands[i] = False
        a, b = self.a[stands], self.b[stands]
        ends = np.concatenate([a, b]), np.concatenate([b, a])
        return csr_array((np.ones(2 * len(a), dtype=np.int32), ends), shape=(len(self.members),) * 2)

    def parts(self, changes: Changes) -> tuple[np.ndarray, np.ndarray]:
        """The part of each sentence, and the sizes of the parts."""
        from scipy.sparse.csgraph import connected_components

        count, part = connected_components(self.links(changes), directed=False)
        return part, np.bincount(part, minlength=count)
