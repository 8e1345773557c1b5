"""The pairs a closure speaks of, as positions ``0 .. size-1``: counted and drawn from without being listed.

Every unordered pair inside a cluster has a position in `Inside`, every pair of sentences from two linked clusters
one in `Between`. Positions whose pair has a stated label are known (`stated`), so the k-th inferred pair is found by
arithmetic, whatever the size of the closure.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .distance import carrying, pair_lengths, path_lengths

if TYPE_CHECKING:
    from .core import ParaphraseGraph

__all__ = ["Between", "Inside", "PairSpace", "draw_ranks", "inferred_among"]

FAR = np.iinfo(np.int32).max  # in place of a path length: too long


class PairSpace:
    """Pairs by position, in rows: row r holds the positions ``row_starts[r] .. row_starts[r + 1] - 1``.

    `Inside` and `Between` say which pairs. Both have ``ends(rows, columns)``, the nodes of pairs, and
    ``edges_used(rows, columns, longest)``, the positive edges that the shortest proof of each pair uses, or -1 where
    it uses more than `longest`. Arrays of rows and columns are in the order of their positions.
    """

    graph: ParaphraseGraph
    sign: int  #: of the labels that follow
    row_starts: np.ndarray
    owner_starts: np.ndarray  #: the pairs of cluster c stand at ``owner_starts[c] .. owner_starts[c + 1] - 1``
    n_stated: int  #: positions whose pair has a stated label
    stated: np.ndarray  #: those positions, sorted

    @property
    def size(self) -> int:
        return int(self.row_starts[-1])

    @property
    def n_inferred(self) -> int:
        """Positions without a stated label."""
        return self.size - self.n_stated

    def unstated(self, start: int, stop: int) -> np.ndarray:
        """Positions without a stated label in a range."""
        keep = np.ones(stop - start, dtype=bool)
        keep[self.stated[slice(*np.searchsorted(self.stated, [start, stop]))] - start] = False
        return start + np.flatnonzero(keep)

    def locate(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of positions."""
        rows = np.searchsorted(self.row_starts, positions, side="right") - 1
        return rows, positions - self.row_starts[rows]

    def nth_inferred(self, ranks: np.ndarray) -> np.ndarray:
        """Positions of the inferred pairs of the given ranks."""
        # The stated position number i has stated[i] - i inferred pairs before it.
        return ranks + np.searchsorted(self.stated - np.arange(len(self.stated)), ranks, side="right")

    def rank(self, positions: np.ndarray) -> np.ndarray:
        """Count the inferred pairs before each position."""
        return positions - np.searchsorted(self.stated, positions)


class Inside(PairSpace):
    """Pairs within a cluster. A row is a sentence; its columns are the later sentences of its cluster."""

    sign = 1

    def __init__(self, graph: ParaphraseGraph, max_cluster_size: int | None = None):
        self.graph, sizes = graph, graph.cluster_sizes
        starts, self._nodes = graph.cluster_members
        # Ids go by size, so too large clusters are a prefix and single sentences a suffix of the nodes.
        self._skipped = 0 if max_cluster_size is None else int(np.count_nonzero(sizes > max_cluster_size))
        last = max(self._skipped, int(np.count_nonzero(sizes > 1)))
        self._begin, end = int(starts[self._skipped]), int(starts[last])
        home, away = graph.edge_clusters
        self._edges = np.flatnonzero((home == away) & (home >= self._skipped))
        self.n_stated = len(self._edges)
        later = starts[graph.cluster_of[self._nodes[self._begin : end]] + 1] - np.arange(self._begin, end) - 1
        self.row_starts = np.concatenate([[0], np.cumsum(later, dtype=np.int64)])
        self.owner_starts = self.row_starts[np.clip(starts - self._begin, 0, end - self._begin)]

    @cached_property
    def stated(self) -> np.ndarray:
        starts, _ = self.graph.cluster_members
        first = starts[self.graph.edge_clusters[0][self._edges]] - self._begin
        places = [self.graph.place_in_cluster[end[self._edges]] for end in (self.graph.edge_a, self.graph.edge_b)]
        low, high = np.minimum(*places), np.maximum(*places)
        return np.sort(self.row_starts[first + low] + high - low - 1)

    def ends(self, rows: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        at = self._begin + rows
        return self._nodes[at], self._nodes[at + 1 + columns]

    def edges_used(self, rows: np.ndarray, columns: np.ndarray, longest: int | None) -> np.ndarray:
        return pair_lengths(self.graph, *self.ends(rows, columns), longest)


class Between(PairSpace):
    """Pairs across two linked clusters A < B. A row is a link; its columns are A × B, B running faster.

    The larger cluster (A, the lower id) owns the pairs.
    """

    sign = -1

    def __init__(self, graph: ParaphraseGraph, negatives: str = "all", max_cluster_size: int | None = None):
        self.graph, links, sizes = graph, graph.links, graph.cluster_sizes
        keep = carrying(sizes[links.a], sizes[links.b], negatives)
        if max_cluster_size is not None:
            keep &= sizes[links.a] <= max_cluster_size  # the larger
        self._keep, self._a, self._b = keep, links.a[keep], links.b[keep]
        self.n_stated = int(links.count[keep].sum())
        self.row_starts = np.concatenate([[0], np.cumsum(sizes[self._a] * sizes[self._b], dtype=np.int64)])
        self.owner_starts = self.row_starts[np.searchsorted(self._a, np.arange(len(sizes) + 1))]

    @cached_property
    def _negatives(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The stated negatives by row: their ends in A and in B; where each row begins."""
        graph = self.graph
        row_of_link = np.where(self._keep, np.cumsum(self._keep) - 1, -1)
        row = (
            np.where(graph.edge_link >= 0, row_of_link[graph.edge_link], -1) if len(row_of_link) else graph.edge_link
        )
        edges = np.flatnonzero(row >= 0)
        edges = edges[np.argsort(row[edges], kind="stable")]
        x, y, row = graph.edge_a[edges], graph.edge_b[edges], row[edges]
        swap = graph.cluster_of[x] != self._a[row]
        return np.where(swap, y, x), np.where(swap, x, y), np.searchsorted(row, np.arange(len(self._a) + 1))

    @cached_property
    def stated(self) -> np.ndarray:
        x, y, begins = self._negatives
        row = np.repeat(np.arange(len(self._a)), np.diff(begins))
        i, j = self.graph.place_in_cluster[x], self.graph.place_in_cluster[y]
        return np.sort(self.row_starts[row] + i * self.graph.cluster_sizes[self._b[row]] + j)

    def ends(self, rows: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        starts, nodes = self.graph.cluster_members
        i, j = np.divmod(columns, self.graph.cluster_sizes[self._b[rows]])
        return nodes[starts[self._a[rows]] + i], nodes[starts[self._b[rows]] + j]

    def edges_used(self, rows: np.ndarray, columns: np.ndarray, longest: int | None) -> np.ndarray:
        x, y, begins = self._negatives
        left, right = self.ends(rows, columns)
        count = begins[rows + 1] - begins[rows]
        best = np.full(len(rows), FAR, dtype=np.int32)
        for nth in range(int(count.max(initial=0))):  # the n-th negative of every link at once
            some = np.flatnonzero(count > nth)
            edge = begins[rows[some]] + nth
            to_left = pair_lengths(self.graph, x[edge], left[some], longest)
            to_right = pair_lengths(self.graph, y[edge], right[some], longest)
            reached = (to_left >= 0) & (to_right >= 0)
            some = some[reached]
            best[some] = np.minimum(best[some], (to_left + to_right)[reached])
        best[best > (FAR - 1 if longest is None else longest)] = -1
        return best


def inferred_among(graph: ParaphraseGraph, nodes: np.ndarray, sign: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The inferred labels of one sign between the given sentences: ``(i, j, used)``, arrays of equal length.

    `i` and `j` are places in `nodes`, ``i < j``, in this order; `used` is the number of positive edges that the
    shortest proof uses (`distance.distance` takes it). A positive joins two sentences of one cluster, a negative
    two of clusters that a stated negative joins (rule "all"). Paths may leave the given sentences. O(s²) memory for
    s sentences, and O(s²) time for each stated negative between their clusters.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "c", "x"], "label": [1, 1, 0]})
    >>> graph = pg.ParaphraseGraph.from_pairs(pairs)
    >>> [part.tolist() for part in inferred_among(graph, np.array([0, 2, 3]), +1)]  # a and c
    [[0], [1], [2]]
    >>> [part.tolist() for part in inferred_among(graph, np.array([0, 2, 3]), -1)]  # a and x
    [[0], [2], [2]]
    """
    home = graph.cluster_of[nodes]
    starts, lengths = path_lengths(graph, nodes)

    def path(some: np.ndarray, node: np.ndarray | int) -> np.ndarray:
        """Lengths from some of the sentences, by place, to nodes of their clusters."""
        return lengths[starts[some] + graph.place_in_cluster[node]]

    i, j = np.triu_indices(len(nodes), 1)
    if sign > 0:
        together = home[i] == home[j]
        i, j = i[together], j[together]
        used = path(i, nodes[j])
    else:
        ends = graph.edge_clusters
        across = (graph.edge_sign < 0) & ~graph.within & np.isin(ends[0], home) & np.isin(ends[1], home)
        table = np.full((len(nodes), len(nodes)), FAR, dtype=np.int32)
        for x, y in zip(graph.edge_a[across].tolist(), graph.edge_b[across].tolist(), strict=True):
            left, right = (np.flatnonzero(home == graph.cluster_of[end]) for end in (x, y))
            block = np.ix_(left, right)
            table[block] = np.minimum(table[block], path(left, x)[:, None] + path(right, y))
        used = np.minimum(table, table.T)[i, j]
        i, j, used = (part[used < FAR] for part in (i, j, used))
    unstated = graph.edge_index.places(nodes[i], nodes[j]) < 0
    return i[unstated], j[unstated], used[unstated]


def draw_ranks(rng: np.random.Generator, population: int, k: int) -> np.ndarray:
    """`k` distinct numbers below `population`, uniformly, sorted; in memory of order `k`."""
    if k > population // 2 or population < 1_000_000:
        return np.sort(rng.choice(population, k, replace=False, shuffle=False))
    drawn = np.empty(0, dtype=np.int64)
    while len(drawn) < k:
        drawn = np.union1d(drawn, rng.integers(0, population, k + k // 4 + 100))
    return drawn[np.sort(rng.choice(len(drawn), k, replace=False, shuffle=False))]
