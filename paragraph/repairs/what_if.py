"""Effects of changed labels on a cluster: its parts, its inferred labels, its settled conflicts."""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..graph import ParaphraseGraph
from ..graph.arrays import connected, group
from ..graph.bridges import Walk, depth_first
from ..graph.distance import disjoint_paths, gathered, ramp, shortest_path

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
        sizes = " + ".join([f"{size:,}" for size in self.parts[:NAMED]] + ["…"] * (len(self.parts) > NAMED))
        if before is None:
            return [sizes, f"{self.positive:,}", f"{self.negative:,}"]
        more = (self.positive - before.positive, self.negative - before.negative)
        return [sizes, *(f"{one:+,}".replace("-", "−") if one else "±0" for one in more)]


class Decided:
    """A graph under changes, cluster by cluster: a change in one cluster never joins two.

    The graph is not copied. The first question is linear in the edges of the graph, the first about a cluster in its
    edges. After that, the time of a single cut grows with its block and with the parts it splits off from the
    largest; other changes take as long as the first question about their cluster.

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
        part, sizes, _ = here.parts(changes)
        ids = np.array([cluster, *range(self._ids, self._ids + len(sizes) - 1)])
        self._ids += len(sizes) - 1
        self._part_of[here.members], self._size_of[here.members] = ids[part], sizes[part]

    def outcome(self, cluster: int, changes: Changes | None = None) -> Outcome:
        """The cluster under these changes instead of those that were set."""
        here = self._cluster(cluster)
        changes = self.of(cluster) if changes is None else changes
        part, sizes, few = here.parts(changes)
        near = np.unique(gathered(here.edges_at, few)[1])
        ends = np.sort(part[np.stack([here.a[near], here.b[near]])], axis=0)
        across, ends = near[ends[0] != ends[1]], ends[:, ends[0] != ends[1]]
        gone = here.places(changes.gone)
        together = len(here.edges) - len(across) - np.count_nonzero(~np.isin(gone, across))
        positive = (sizes * (sizes - 1) // 2).sum() - together
        # A negative between two parts applies to every pair of them; so does one to a part of another cluster.
        minus = here.negative[across] & ~np.isin(across, np.append(gone, here.places(changes.flipped)))
        a, b = np.divmod(np.unique(ends[0, minus] * len(sizes) + ends[1, minus]), len(sizes))
        negative = (sizes[a] * sizes[b]).sum() + here.leaving(part, sizes, few)
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

    def _cluster(self, cluster: int) -> _Cluster:
        if self._last is None or self._last[0] != cluster:
            edges = self.graph.edges_at([cluster])
            inside = np.equal(*self.graph.edge_clusters[:, edges])
            self._last = cluster, _Cluster(self, cluster, edges[inside], edges[~inside])
        return self._last[1]


class _Cluster:
    """The stated labels of one cluster, its sentences numbered from 0."""

    def __init__(self, decided: Decided, cluster: int, edges: np.ndarray, out: np.ndarray):
        graph = decided.graph
        self.members, self.edges = graph.members(cluster), edges  # which ascend
        place = graph.place_in_cluster
        self.a, self.b = place[graph.ends(edges)]
        self.negative = graph.edge_sign[edges] < 0
        a, b = graph.ends(out)
        mine = graph.cluster_of[a] == cluster
        self.out, other = place[np.where(mine, a, b)], np.where(mine, b, a)
        # For each negative that leaves the cluster, the part at its other end; for each such part, negatives and
        # size.
        found = np.unique(decided._part_of[other], return_index=True, return_inverse=True, return_counts=True)
        self.far, self.far_count, self.far_size = found[2], found[3], decided._size_of[other[found[1]]]
        self.far_sum = self.far_size.sum()

    @cached_property
    def edges_at(self) -> tuple[np.ndarray, np.ndarray]:
        """The places of its edges, by sentence."""
        return group(np.append(self.a, self.b), len(self.members), np.tile(np.arange(len(self.edges)), 2))

    @cached_property
    def out_at(self) -> tuple[np.ndarray, np.ndarray]:
        """The places of the negatives that leave it, by sentence."""
        return group(self.out, len(self.members))

    @cached_property
    def walk(self) -> Walk:
        """A walk over its positives."""
        return depth_first(len(self.members), self.a[~self.negative], self.b[~self.negative])

    @cached_property
    def blocks(self) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
        """The block of each edge (of a positive; a bridge is one), and by block the places in the walk and edges."""
        n, head = len(self.members), self.walk.heads()
        block = head[np.maximum(self.walk.place[self.a], self.walk.place[self.b])]
        positive = np.flatnonzero(~self.negative)
        return block, group(head, n), group(block[positive], n, positive)

    @cached_property
    def walked(self) -> tuple[np.ndarray, np.ndarray]:
        """The sentence at each place of the walk, and the place of its parent."""
        return np.argsort(self.walk.place), np.array(self.walk.above)

    def places(self, edges: Set[int]) -> np.ndarray:
        """The places of those of some edges that are the cluster's."""
        wanted = np.array(sorted(edges), dtype=np.int64)
        first, last = (np.searchsorted(self.edges, wanted, side) for side in ("left", "right"))
        return first[first < last]

    def stands(self, changes: Changes) -> np.ndarray:
        """Flags of the cluster's edges that are positive under these changes."""
        stands = ~self.negative
        stands[self.places(changes.gone - changes.flipped)] = False
        stands[self.places(changes.flipped)] = True
        return stands

    def parts(self, changes: Changes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The part of each sentence, the sizes of the parts, and the sentences outside the largest."""
        gone = self.places(changes.gone)
        cut = gone[~self.negative[gone]]
        if len(cut) and not changes.flipped and len(np.unique(self.blocks[0][cut])) == 1:
            return self._cut(int(self.blocks[0][cut[0]]), cut)
        stands = self.stands(changes)
        part = connected(len(self.members), self.a[stands], self.b[stands]).astype(np.int64)
        sizes = np.bincount(part)
        return part, sizes, np.flatnonzero(part != sizes.argmax())

    def _cut(self, block: int, cut: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The parts without some positives of one block: sentences attached to one of the block stay with it."""
        (nodes, above), (_, (starts, places), (begins, edges)) = self.walked, self.blocks
        below = places[starts[block] : starts[block + 1]]
        inside = np.append(above[block], below)  # the block's top comes before all others
        edges = np.setdiff1d(edges[begins[block] : begins[block + 1]], cut)
        ends = (np.searchsorted(inside, self.walk.place[end[edges]]) for end in (self.a, self.b))
        label = connected(len(inside), *ends)
        # In the walk, everything below a sentence of the block is one span, with its label, except for spans within.
        step = label[1:] - label[np.searchsorted(inside, above[below])]
        bounds, at = np.unique(np.concatenate([[0], below, below + self.walk.size[below]]), return_inverse=True)
        label = np.cumsum(np.bincount(at, np.concatenate([[0], step, -step]))).astype(np.int64)
        span = np.diff(bounds, append=len(nodes))
        sizes = np.bincount(label, span).astype(np.int64)
        some = label != sizes.argmax()
        few = nodes[np.repeat(bounds[some], span[some]) + ramp(span[some])]
        part = np.full(len(nodes), sizes.argmax())
        part[few] = np.repeat(label[some], span[some])
        return part, sizes, few

    def leaving(self, part: np.ndarray, sizes: np.ndarray, few: np.ndarray) -> int:
        """The number of pairs to which negatives to other clusters apply, once the cluster falls into parts."""
        at = gathered(self.out_at, few)[1]
        links = np.unique(part[self.out[at]] * len(self.far_size) + self.far[at])
        near, far = np.divmod(links, max(len(self.far_size), 1))
        found = (sizes[near] * self.far_size[far]).sum()
        far, count = np.unique(self.far[at], return_counts=True)
        lost = far[count == self.far_count[far]]  # no longer linked to the largest part
        return int(found + sizes.max() * (self.far_sum - self.far_size[lost].sum()))
