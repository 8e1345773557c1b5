"""The pairs a closure speaks of, as positions ``0 .. size-1``: counted and drawn from without being listed.

Every unordered pair inside a cluster has a position in `inside`, every pair of sentences from two linked
clusters one in `between`. Positions whose pair has a stated label are known (`stated`), so the k-th inferred
pair is found by arithmetic, whatever the size of the closure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from .distance import BUDGET, pair_lengths, path_lengths

if TYPE_CHECKING:
    from .core import GraphArrays

__all__ = ["PairSpace", "between", "count_between", "count_inside", "inside"]


#: Sentences of a cluster that are looked at from one end in the time that it takes to look from both ends of a pair.
BOTH_ENDS = 20_000


@dataclass(frozen=True)
class PairSpace:
    """Pairs by position, in rows: row r holds the positions ``row_starts[r] .. row_starts[r + 1] - 1``."""

    row_starts: np.ndarray
    stated: np.ndarray  #: sorted positions whose pair has a stated label
    owner_starts: np.ndarray  #: the pairs of cluster c stand at ``owner_starts[c] .. owner_starts[c + 1] - 1``
    ends: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]  #: row, column -> nodes a, b
    edges_used: Callable[[np.ndarray, np.ndarray, int | None], np.ndarray]  #: rows, columns, longest -> length

    @property
    def size(self) -> int:
        return int(self.row_starts[-1])

    @property
    def n_inferred(self) -> int:
        """Positions without a stated label."""
        return self.size - len(self.stated)

    def unstated(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Positions without a stated label in a range, with row and column of each."""
        first = int(np.searchsorted(self.row_starts, start, side="right")) - 1
        last = int(np.searchsorted(self.row_starts, stop, side="left"))
        bounds = np.clip(self.row_starts[first : last + 1], start, stop)
        rows = np.repeat(np.arange(first, last), np.diff(bounds))
        positions = np.arange(start, stop)
        gone = self.stated[slice(*np.searchsorted(self.stated, [start, stop]))]
        if len(gone):
            keep = np.ones(stop - start, dtype=bool)
            keep[gone - start] = False
            rows, positions = rows[keep], positions[keep]
        return positions, rows, positions - self.row_starts[rows]

    def locate(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of positions."""
        rows = np.searchsorted(self.row_starts, positions, side="right") - 1
        return rows, positions - self.row_starts[rows]

    def nth_inferred(self, ranks: np.ndarray) -> np.ndarray:
        """Positions of the inferred pairs of the given ranks."""
        # The stated position number i has stated[i] - i inferred pairs before it.
        return ranks + np.searchsorted(self.stated - np.arange(len(self.stated)), ranks, side="right")

    def rank(self, positions: np.ndarray) -> np.ndarray:
        """How many inferred pairs stand before each position."""
        return positions - np.searchsorted(self.stated, positions)


def inside(graph: GraphArrays, max_cluster_size: int | None = None) -> PairSpace:
    """Pairs within a cluster. A row is a sentence; its columns are the later sentences of its cluster."""
    sizes = graph.cluster_sizes
    starts, nodes = graph.cluster_members
    # Ids go by size, so too large clusters are a prefix and single sentences a suffix of the nodes.
    skipped = 0 if max_cluster_size is None else int(np.count_nonzero(sizes > max_cluster_size))
    last = max(skipped, int(np.count_nonzero(sizes > 1)))
    begin, end = int(starts[skipped]), int(starts[last])
    cluster = graph.cluster_of[nodes[begin:end]]
    later = starts[cluster + 1] - np.arange(begin, end) - 1
    row_starts = np.concatenate([[0], np.cumsum(later, dtype=np.int64)])

    a, b = graph.places[graph.edge_a], graph.places[graph.edge_b]
    low, high = np.minimum(a, b), np.maximum(a, b)
    home, away = graph.edge_clusters
    same = (home == away) & (low >= begin) & (high < end)
    low, high = low[same], high[same]
    stated = np.sort(row_starts[low - begin] + high - low - 1)

    def ends(rows: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return nodes[begin + rows], nodes[begin + rows + 1 + columns]

    def edges_used(rows: np.ndarray, columns: np.ndarray, longest: int | None) -> np.ndarray:
        if _scattered(len(rows), sizes[cluster[np.unique(rows)]]):
            return pair_lengths(graph, *ends(rows, columns), longest)
        used = np.empty(len(rows), dtype=np.int32)
        for part in _parts(rows, sizes[cluster]):
            sources, at = np.unique(rows[part], return_inverse=True)
            from_row, lengths = path_lengths(graph, nodes[begin + sources], longest)
            local = begin + rows[part] + 1 + columns[part] - starts[cluster[rows[part]]]
            used[part] = lengths[from_row[at] + local]
        return used

    owner_starts = row_starts[np.clip(starts - begin, 0, end - begin)]
    return PairSpace(row_starts, stated, owner_starts, ends, edges_used)


def between(graph: GraphArrays, rule: str, max_cluster_size: int | None = None) -> PairSpace:
    """Pairs across two linked clusters A < B. A row is a link; its columns are A × B, B running faster.

    The larger cluster (A, the lower id) owns the pairs.
    """
    links, sizes = graph.links, graph.cluster_sizes
    starts, nodes = graph.cluster_members
    keep = _carrying(graph, rule, max_cluster_size)
    a, b = links.a[keep], links.b[keep]
    row_starts = np.concatenate([[0], np.cumsum(sizes[a] * sizes[b], dtype=np.int64)])
    row_of_link = np.where(keep, np.cumsum(keep) - 1, -1)

    edges = np.flatnonzero(graph.edge_link >= 0)
    row = row_of_link[graph.edge_link[edges]]
    edges, row = edges[row >= 0], row[row >= 0]
    order = np.argsort(row, kind="stable")
    edges, row = edges[order], row[order]
    x, y = graph.edge_a[edges], graph.edge_b[edges]
    swap = graph.cluster_of[x] != a[row]
    x, y = np.where(swap, y, x), np.where(swap, x, y)
    local_x, local_y = graph.places[x] - starts[a[row]], graph.places[y] - starts[b[row]]
    stated = np.sort(row_starts[row] + local_x * sizes[b[row]] + local_y)
    first_edge = np.searchsorted(row, np.arange(len(a) + 1))

    def ends(rows: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        i, j = np.divmod(columns, sizes[b[rows]])
        return nodes[starts[a[rows]] + i], nodes[starts[b[rows]] + j]

    def edges_used(rows: np.ndarray, columns: np.ndarray, longest: int | None) -> np.ndarray:
        far = np.int32(np.iinfo(np.int32).max)
        best = np.full(len(rows), far)

        def within_limit() -> np.ndarray:
            return np.where(best > (far - 1 if longest is None else longest), np.int32(-1), best)

        i, j = np.divmod(columns, sizes[b[rows]])
        wanted, at = np.unique(rows, return_inverse=True)
        counts = first_edge[wanted + 1] - first_edge[wanted]
        used_edges = np.repeat(first_edge[wanted], counts) + _ramp(counts)
        if _scattered(int(counts[at].sum()), (sizes[a[row]] + sizes[b[row]])[used_edges]):
            left, right = ends(rows, columns)
            pair = np.repeat(np.arange(len(rows)), counts[at])
            edge = first_edge[rows[pair]] + _ramp(counts[at])
            to_left = pair_lengths(graph, x[edge], left[pair], longest)
            to_right = pair_lengths(graph, y[edge], right[pair], longest)
            total = np.where((to_left < 0) | (to_right < 0), far, to_left + to_right)
            np.minimum.at(best, pair, total)
            return within_limit()
        for part in _parts(used_edges, sizes[a[row]] + sizes[b[row]]):
            chunk = used_edges[part]
            from_x, to_i = path_lengths(graph, x[chunk], longest)
            from_y, to_j = path_lengths(graph, y[chunk], longest)
            # The t-th negative of every link at once, so that each position is touched once a pass.
            begin = np.searchsorted(row[chunk], wanted)
            count = np.searchsorted(row[chunk], wanted, side="right") - begin
            for t in range(int(count.max(initial=0))):
                which = np.flatnonzero(count[at] > t)
                edge = begin[at[which]] + t
                left, right = to_i[from_x[edge] + i[which]], to_j[from_y[edge] + j[which]]
                total = np.where((left < 0) | (right < 0), far, left + right)
                best[which] = np.minimum(best[which], total)
        return within_limit()

    owner_starts = row_starts[np.searchsorted(a, np.arange(len(sizes) + 1))]
    return PairSpace(row_starts, stated, owner_starts, ends, edges_used)


def count_inside(graph: GraphArrays, max_cluster_size: int | None = None) -> int:
    """Inferred positives, by arithmetic: all pairs within a cluster less the stated ones."""
    sizes = graph.cluster_sizes.astype(np.int64)
    stated = (graph.edge_sign > 0) | graph.within
    if max_cluster_size is not None:
        home, _ = graph.edge_clusters
        stated &= sizes[home] <= max_cluster_size
        sizes = sizes[sizes <= max_cluster_size]
    return int((sizes * (sizes - 1) // 2).sum()) - int(np.count_nonzero(stated))


def count_between(graph: GraphArrays, rule: str, max_cluster_size: int | None = None) -> int:
    """Inferred negatives, by arithmetic: all pairs across linked clusters less the stated ones."""
    links, sizes = graph.links, graph.cluster_sizes
    pairs = sizes[links.a] * sizes[links.b] - links.count
    return int(pairs[_carrying(graph, rule, max_cluster_size)].sum())


def _carrying(graph: GraphArrays, rule: str, max_cluster_size: int | None) -> np.ndarray:
    """For every link between clusters: does a negative carry over it?"""
    links, sizes = graph.links, graph.cluster_sizes
    carrying = np.ones(len(links.a), dtype=bool)
    if rule == "clusters":
        carrying &= sizes[links.b] > 1  # the smaller of the two: ids go by size
    if max_cluster_size is not None:
        carrying &= sizes[links.a] <= max_cluster_size  # the larger
    return carrying


def _scattered(pairs: int, sizes: np.ndarray) -> bool:
    """Whether to look from both ends of each pair is less work than to look from some ends at whole clusters."""
    return int(sizes.sum()) > BOTH_ENDS * pairs


def _ramp(counts: np.ndarray) -> np.ndarray:
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def _parts(items: np.ndarray, cost: np.ndarray) -> list[slice]:
    """Cut sorted items where the cost of the distinct ones would exceed the budget of path lengths."""
    if not len(items):
        return []
    new = np.concatenate([[True], items[1:] != items[:-1]])
    spent = np.cumsum(np.where(new, cost[items], 0))
    cuts = np.flatnonzero(np.diff(spent // BUDGET, prepend=0) * new)
    bounds = np.unique(np.concatenate([[0], cuts, [len(items)]]))
    return [slice(start, stop) for start, stop in pairwise(bounds)]
