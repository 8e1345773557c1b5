"""Effects of changed labels on a cluster: its parts, its inferred labels, its settled conflicts."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..graph import ParaphraseGraph
from ..graph.arrays import connected
from ..graph.paths import disjoint_paths, shortest_path

__all__ = ["NONE", "Changes", "Decided", "Outcome"]


class Changes(NamedTuple):
    """Changed labels, as edges of the graph."""

    flipped: frozenset[int] = frozenset()  #: negatives that count as positive
    gone: frozenset[int] = frozenset()  #: positives cut, and pairs set aside as ambiguous


NONE = Changes()
NAMED = 4  # parts of a cluster that are named, at most


class Outcome(NamedTuple):
    """A cluster under some changes."""

    parts: tuple[int, ...]  #: sentences of each cluster it falls into, largest first
    positive: int  #: inferred positive labels
    negative: int  #: inferred negative labels, including those to other clusters (rule "all")
    apart: frozenset[int]  #: its labels whose ends are no longer joined

    def cells(self, before: Outcome | None = None) -> list[str]:
        """Sizes of the parts, and inferred positives and negatives as changes from `before`, in words."""
        sizes = " + ".join([f"{size:,}" for size in self.parts[:NAMED]])
        if len(self.parts) > NAMED:
            sizes += " + …"
        if before is None:
            return [sizes, f"{self.positive:,}", f"{self.negative:,}"]
        more = (self.positive - before.positive, self.negative - before.negative)
        return [sizes, *(f"{one:+,}".replace("-", "−") if one else "±0" for one in more)]


class Decided:
    """A graph under changes, cluster by cluster: a change in one cluster never joins two.

    The graph is not copied. The first question is linear in the edges of the graph, others in those of the cluster.

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
        #: By sentence: its part of a cluster, of which the first keeps the cluster's number.
        self.part_of = graph.cluster_of.astype(np.int64)
        self._size_of = graph.cluster_sizes[graph.cluster_of].astype(np.int64)  # of the part of each sentence
        self.parts = len(graph.cluster_sizes)  #: numbers of parts that were given
        self._cluster = lru_cache(1)(partial(_Cluster, self))

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
        ids = np.array([cluster, *range(self.parts, self.parts + len(sizes) - 1)])
        self.parts += len(sizes) - 1
        self.part_of[here.members], self._size_of[here.members] = ids[part], sizes[part]

    def read(self, same: dict[int, str]) -> None:
        """Make the changes those by answers about edges, "1" (the same), "0", "?" or "later", and no others.

        An answer about a label between two clusters changes neither.
        """
        graph = self.graph
        changes: dict[int, list[set[int]]] = defaultdict(lambda: [set(), set()])  # by cluster: flipped, gone
        for edge, home, away in zip(same, *graph.edge_clusters[:, [*same]].tolist(), strict=True):
            if home == away:
                flipped, gone = changes[home]
                positive = graph.edge_sign[edge] > 0
                if same[edge] == "1" and not positive:
                    flipped.add(edge)
                elif same[edge] == "?" or (same[edge] == "0" and positive):
                    gone.add(edge)
        for cluster in {*self.changes, *changes}:
            self.set(cluster, Changes(*map(frozenset, changes[cluster])))

    def outcome(self, cluster: int, changes: Changes | None = None) -> Outcome:
        """The cluster under these changes instead of those that were set."""
        here = self._cluster(cluster)
        changes = self.of(cluster) if changes is None else changes
        part, sizes = here.parts(changes)
        ends = np.sort(part[np.stack([here.a, here.b])], axis=0)
        across, stays = ends[0] != ends[1], ~np.isin(here.edges, [*changes.gone])
        positive = (sizes * (sizes - 1) // 2).sum() - np.count_nonzero(stays & ~across)
        # A negative between two parts applies to every pair of them; so does one to a part of another cluster.
        minus = across & stays & here.negative & ~np.isin(here.edges, [*changes.flipped])
        a, b = np.divmod(np.unique(ends[0, minus] * len(sizes) + ends[1, minus]), len(sizes))
        near, far = np.divmod(np.unique(part[here.out] * len(here.far_size) + here.far), max(1, len(here.far_size)))
        negative = (sizes[a] * sizes[b]).sum() + (sizes[near] * here.far_size[far]).sum()
        stated = np.count_nonzero(minus) + len(here.out)
        parts, apart = tuple(sorted(sizes.tolist(), reverse=True)), frozenset(here.edges[across].tolist())
        return Outcome(parts, int(positive), int(negative - stated), apart)

    def disjoint(self, a: int, b: int, changes: Changes | None = None) -> int:
        """The number of edge-disjoint paths of positives that join two sentences of one cluster."""
        links, start, end = self._between(a, b, changes)
        joined = links.cluster_of[start] == links.cluster_of[end]
        return int(disjoint_paths(links, np.array([start]), np.array([end]))[0]) if joined else 0

    def path(self, a: int, b: int, changes: Changes | None = None) -> list[int]:
        """The nodes of a shortest path of positives, of several the least by node; empty if there is none."""
        links, start, end = self._between(a, b, changes)
        if links.cluster_of[start] != links.cluster_of[end]:
            return []
        return self.graph.members(self.graph.cluster_of[a])[shortest_path(links, start, end)].tolist()

    def path_edges(self, path: list[int]) -> list[int]:
        """The edges of a path."""
        return [self.graph.edge_between(a, b) for a, b in pairwise(path)]

    def _between(self, a: int, b: int, changes: Changes | None) -> tuple[ParaphraseGraph, int, int]:
        """The positives of the cluster of two sentences as a graph, and the two in it."""
        cluster = int(self.graph.cluster_of[a])
        here = self._cluster(cluster)
        stands = here.stands(self.of(cluster) if changes is None else changes)
        links = ParaphraseGraph(here.a[stands], here.b[stands], np.ones(stands.sum(), np.int8), len(here.members))
        return links, *self.graph.place_in_cluster[[a, b]].tolist()


class _Cluster:
    """The stated labels of one cluster, its sentences numbered from 0."""

    def __init__(self, decided: Decided, cluster: int):
        graph = decided.graph
        edges = graph.edges_at([cluster])
        inside = np.equal(*graph.edge_clusters[:, edges])
        edges, out = edges[inside], edges[~inside]
        self.members = graph.members(cluster)
        self.edges = edges  # which ascend
        place = graph.place_in_cluster
        self.a, self.b = place[graph.ends(edges)]
        self.negative = graph.edge_sign[edges] < 0
        a, b = graph.ends(out)
        mine = graph.cluster_of[a] == cluster
        self.out, other = place[np.where(mine, a, b)], np.where(mine, b, a)
        # Of each negative that leaves the cluster, the part at its other end; and the size of each such part.
        _, first, self.far = np.unique(decided.part_of[other], return_index=True, return_inverse=True)
        self.far_size = decided._size_of[other[first]]

    def stands(self, changes: Changes) -> np.ndarray:
        """Flags of the cluster's edges that are positive under these changes."""
        flipped, gone = (np.isin(self.edges, [*some]) for some in changes)
        return (~self.negative & ~gone) | flipped

    def parts(self, changes: Changes) -> tuple[np.ndarray, np.ndarray]:
        """The part of each sentence, and the sizes of the parts."""
        stands = self.stands(changes)
        part = connected(len(self.members), self.a[stands], self.b[stands]).astype(np.int64)
        return part, np.bincount(part)
