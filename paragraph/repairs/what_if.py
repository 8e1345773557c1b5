"""Effects of changed labels on a cluster: its parts, the inferred labels, the conflicts that are settled."""

from __future__ import annotations

from collections.abc import Set
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..graph import ParaphraseGraph
from ..graph.arrays import connected
from ..graph.distance import disjoint_paths, shortest_path
from ..graph.held import Held

__all__ = ["NONE", "Changes", "Decided", "Outcome"]


class Changes(NamedTuple):
    """Changed labels, as edges of the graph."""

    flipped: frozenset[int] = frozenset()  #: negatives that count as positive
    gone: frozenset[int] = frozenset()  #: positives cut, and pairs set aside as ambiguous


NONE = Changes()


class Outcome(NamedTuple):
    """A cluster under some changes."""

    parts: tuple[int, ...]  #: sentences of each cluster it falls into, largest first
    positive: int  #: inferred positive labels
    negative: int  #: inferred negative labels, including those to other clusters (rule "all")
    apart: frozenset[int]  #: its labels whose ends are no longer joined


class Decided:
    """A graph under changes, cluster by cluster: a change in one cluster never joins two.

    The graph is not copied. The first question is linear in the edges of the graph, every other one in those of
    the cluster.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("a", "b", 1), ("b", "c", 1), ("c", "d", 1), ("a", "c", 0)]
    >>> graph = ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    >>> decided = Decided(graph)
    >>> decided.outcome(0)[:3]
    ((4,), 2, 0)
    >>> decided.outcome(0, Changes(gone=frozenset([1])))  # without b-c, the negative holds for 2 × 2 pairs
    Outcome(parts=(2, 2), positive=0, negative=3, apart=frozenset({1, 3}))
    """

    def __init__(self, graph: ParaphraseGraph):
        self.graph = graph
        self.changes: dict[int, Changes] = {}  # by cluster
        self._part_of = graph.cluster_of.astype(np.int64)  # the first part of a cluster keeps its id
        self._size_of = graph.cluster_sizes[graph.cluster_of].astype(np.int64)  # of the part of each sentence
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
        self._part_of[here.members], self._size_of[here.members] = ids[part], sizes[part]

    def outcome(self, cluster: int, changes: Changes | None = None) -> Outcome:
        """The cluster under these changes instead of those that were set."""
        here = self._cluster(cluster)
        changes = self.of(cluster) if changes is None else changes
        part, sizes = here.parts(changes)
        stated = ~here.among(changes.gone)
        together = part[here.a] == part[here.b]
        positive = int((sizes * (sizes - 1) // 2).sum() - (stated & together).sum())
        minus = here.negative & stated & ~here.among(changes.flipped)
        # A negative between two parts holds for every pair of them; so does one to a part of another cluster.
        inner = np.sort(np.stack([part[here.a], part[here.b]], axis=1)[minus & ~together], axis=1)
        outer = np.stack([part[here.out], self._part_of[here.other]], axis=1)
        ends = np.unique(inner, axis=0)
        links, first = np.unique(outer, axis=0, return_index=True)
        negative = (sizes[ends[:, 0]] * sizes[ends[:, 1]]).sum()
        negative += (sizes[links[:, 0]] * self._size_of[here.other[first]]).sum() - len(inner) - len(outer)
        apart = here.edges[~together]
        parts = tuple(sorted(sizes.tolist(), reverse=True))
        return Outcome(parts, positive, int(negative), frozenset(apart.tolist()))

    def disjoint(self, a: int, b: int, changes: Changes | None = None) -> int:
        """The number of edge-disjoint paths of positives that join two sentences of one cluster."""
        links, start, end = self._between(a, b, changes)
        joined = links.cluster_of[start] == links.cluster_of[end]
        return int(disjoint_paths(links, np.array([start]), np.array([end]))[0]) if joined else 0

    def path(self, a: int, b: int, changes: Changes | None = None) -> list[int]:
        """The nodes of a shortest path of positives, of several the least by node; empty where there is none."""
        links, start, end = self._between(a, b, changes)
        if links.cluster_of[start] != links.cluster_of[end]:
            return []
        return self.graph.members(self.graph.cluster_of[a])[shortest_path(links, start, end)].tolist()

    def path_edges(self, path: list[int]) -> list[int]:
        """The edges of a path."""
        return [self.graph.edge_between(a, b) for a, b in pairwise(path)]

    def _between(self, a: int, b: int, changes: Changes | None) -> tuple[Held, int, int]:
        """The positives of the cluster of two sentences as a graph, and the two in it."""
        cluster = int(self.graph.cluster_of[a])
        here = self._cluster(cluster)
        stands = here.stands(self.of(cluster) if changes is None else changes)
        links = Held(here.a[stands], here.b[stands], np.ones(stands.sum(), np.int8), len(here.members))
        return links, *self.graph.place_in_cluster[[a, b]].tolist()

    def _cluster(self, cluster: int) -> _Cluster:
        if self._last is None or self._last[0] != cluster:
            edges = self.graph.edges_at([cluster])
            inside = np.equal(*self.graph.edge_clusters[:, edges])
            self._last = cluster, _Cluster(self.graph, cluster, edges[inside], edges[~inside])
        return self._last[1]


class _Cluster:
    """The stated labels of one cluster, its sentences numbered from 0."""

    def __init__(self, graph: ParaphraseGraph, cluster: int, edges: np.ndarray, out: np.ndarray):
        self.members, self.edges = graph.members(cluster), edges
        place = graph.place_in_cluster
        self.a, self.b = place[graph.ends(edges)]
        self.negative = graph.edge_sign[edges] < 0
        a, b = graph.ends(out)
        mine = graph.cluster_of[a] == cluster
        self.out, self.other = place[np.where(mine, a, b)], np.where(mine, b, a)

    def among(self, edges: Set[int]) -> np.ndarray:
        """Flags of the cluster's edges that are among these."""
        return np.isin(self.edges, list(edges))

    def stands(self, changes: Changes) -> np.ndarray:
        """Flags of the cluster's edges that are positive under these changes."""
        return (~self.negative | self.among(changes.flipped)) & ~self.among(changes.gone - changes.flipped)

    def parts(self, changes: Changes) -> tuple[np.ndarray, np.ndarray]:
        """The part of each sentence, and the sizes of the parts."""
        stands = self.stands(changes)
        part = connected(len(self.members), self.a[stands], self.b[stands])
        return part, np.bincount(part)
