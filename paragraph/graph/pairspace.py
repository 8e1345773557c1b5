"""The pairs that a closure covers, as positions ``0 .. size-1``: counted and drawn from without being listed.

Every unordered pair inside a cluster has a position in `Inside`, every pair of sentences from two linked clusters
one in `Between`. Positions whose pair has a stated label are known (`stated`), so the k-th inferred pair is found by
arithmetic, whatever the size of the closure.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .core import ParaphraseGraph
from .distance import carrying, pair_lengths

__all__ = ["Between", "Inside", "PairSpace", "draw_ranks", "inferred_among"]

FAR = np.iinfo(np.int32).max  # in place of a path length: too long


class PairSpace:
    """Pairs by position, in rows: row r holds the positions ``row_starts[r] .. row_starts[r + 1] - 1``.

    `Inside` and `Between` say which pairs. Both have ``ends(positions)``, the nodes of pairs, and
    ``edges_used(positions, longest)``, the positive edges that the shortest proof of each pair uses, or -1 where it
    uses more than `longest`; ``homes(rows)``, the clusters that rows are of, and ``row_of(homes)``, the way back.
    Positions are sorted.
    """

    graph: ParaphraseGraph
    sign: int  #: of the inferred labels
    row_starts: np.ndarray
    owner_starts: np.ndarray  #: the pairs of cluster c stand at ``owner_starts[c] .. owner_starts[c + 1] - 1``
    stated: np.ndarray  #: positions whose pair has a stated label, sorted
    stated_in_rows: np.ndarray  #: the number of them in each row

    @property
    def size(self) -> int:
        return int(self.row_starts[-1])

    @property
    def n_inferred(self) -> int:
        """Positions without a stated label."""
        return self.size - int(self.stated_in_rows.sum(dtype=np.int64))

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

    @cached_property
    def ranks_before(self) -> np.ndarray:
        """Count the inferred pairs before each row, and in all."""
        return self.row_starts - np.append(0, np.cumsum(self.stated_in_rows, dtype=np.int64))

    def rank(self, positions: np.ndarray) -> np.ndarray:
        """Count the inferred pairs before each position."""
        return positions - np.searchsorted(self.stated, positions)


class Inside(PairSpace):
    """Pairs within a cluster, which is a row: those of its first sentence with each later one, then of its second."""

    sign = 1

    def __init__(self, graph: ParaphraseGraph, max_cluster_size: int | None = None):
        self.graph, sizes = graph, graph.cluster_sizes
        self._first = 0 if max_cluster_size is None else int(np.count_nonzero(sizes > max_cluster_size))
        pairs, self.stated_in_rows = sizes * (sizes - 1) // 2, graph.stated_inside
        if self._first:  # ids go by size
            pairs[: self._first] = 0
            self.stated_in_rows = np.where(pairs, self.stated_in_rows, 0)
        self.row_starts = self.owner_starts = np.append(0, np.cumsum(pairs))

    @cached_property
    def _begins(self) -> np.ndarray:
        """The position of the first pair of each sentence, in the order of `cluster_members`, and the size."""
        ends, nodes = self.graph.cluster_members
        home = self.graph.cluster_of[nodes]
        later = np.where(home < self._first, 0, ends[home + 1] - 1 - np.arange(len(nodes)))
        return np.append(0, np.cumsum(later))

    @cached_property
    def stated(self) -> np.ndarray:
        home, away = self.graph.edge_clusters
        edges = np.flatnonzero((home == away) & (home >= self._first))
        starts, place = self.graph.cluster_members[0][home[edges]], self.graph.place_in_cluster
        one, other = place[self.graph.ends(edges)]
        return np.sort(self._begins[starts + np.minimum(one, other)] + np.abs(one - other) - 1)

    def homes(self, rows: np.ndarray) -> np.ndarray:
        return rows[None]

    def row_of(self, homes: np.ndarray) -> np.ndarray:
        return homes[0]

    def ends(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        first, nodes = np.searchsorted(self._begins, positions, side="right") - 1, self.graph.cluster_members[1]
        return nodes[first], nodes[first + 1 + positions - self._begins[first]]

    def edges_used(self, positions: np.ndarray, longest: int | None) -> np.ndarray:
        return pair_lengths(self.graph, *self.ends(positions), longest)


class Between(PairSpace):
    """Pairs across two linked clusters A < B. A row is a link; its columns are A × B, B running faster.

    The larger cluster (A, the lower id) owns the pairs. A link that carries nothing over has no columns.
    """

    sign = -1

    def __init__(self, graph: ParaphraseGraph, negatives: str = "all", max_cluster_size: int | None = None):
        self.graph, (a, b, count), sizes = graph, graph.links, graph.cluster_sizes
        larger, smaller = (sizes.take(cluster, mode="clip") for cluster in (a, b))  # see `marked`
        self._kept = carrying(larger, smaller, negatives)
        if max_cluster_size is not None:
            self._kept &= larger <= max_cluster_size
        self.stated_in_rows = np.where(self._kept, count, 0)
        self.row_starts = np.append(0, np.cumsum(np.where(self._kept, larger * smaller, 0), dtype=np.int64))

    @cached_property
    def owner_starts(self) -> np.ndarray:
        return self.row_starts[np.searchsorted(self.graph.links.a, np.arange(len(self.graph.cluster_sizes) + 1))]

    @cached_property
    def stated(self) -> np.ndarray:
        begins, x, y = self.graph.link_negatives
        link, place = np.repeat(np.arange(len(self._kept)), np.diff(begins)), self.graph.place_in_cluster
        columns = place[x] * self.graph.cluster_sizes[self.graph.cluster_of[y]] + place[y]
        return np.sort((self.row_starts[link] + columns)[self._kept[link]])

    def homes(self, rows: np.ndarray) -> np.ndarray:
        return np.stack([self.graph.links.a[rows], self.graph.links.b[rows]])

    def row_of(self, homes: np.ndarray) -> np.ndarray:
        return self.graph.links_between(*homes)

    def ends(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows, columns = self.locate(positions)
        (starts, nodes), (a, b, _) = self.graph.cluster_members, self.graph.links
        i, j = np.divmod(columns, self.graph.cluster_sizes[b[rows]])
        return nodes[starts[a[rows]] + i], nodes[starts[b[rows]] + j]

    def edges_used(self, positions: np.ndarray, longest: int | None) -> np.ndarray:
        return _lengths_across(self.graph, self.locate(positions)[0], *self.ends(positions), longest)


def _lengths_across(
    graph: ParaphraseGraph, link: np.ndarray, a: np.ndarray, b: np.ndarray, longest: int | None = None
) -> np.ndarray:
    """The positive edges that the shortest proof of a negative uses, or -1 beyond `longest`, for pairs across links.

    `a` lies in the larger cluster. Pairs of one link stand next to each other and share their searches.
    """
    begins, x, y = graph.link_negatives
    count = begins[link + 1] - begins[link]
    best = np.full(len(link), FAR, dtype=np.int32)
    for nth in range(int(count.max(initial=0))):  # the n-th negative of every link at once
        some = np.flatnonzero(count > nth)
        edge = begins[link[some]] + nth
        to_a, to_b = pair_lengths(graph, x[edge], a[some], longest), pair_lengths(graph, y[edge], b[some], longest)
        reached = (to_a >= 0) & (to_b >= 0)
        best[some[reached]] = np.minimum(best[some[reached]], (to_a + to_b)[reached])
    best[best > (FAR - 1 if longest is None else longest)] = -1
    return best


def inferred_among(graph: ParaphraseGraph, nodes: np.ndarray, sign: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The inferred labels of one sign between the given sentences: ``(i, j, used)``, arrays of equal length.

    `i` and `j` are places in `nodes`, ``i < j``, in this order; `used` is the number of positive edges that the
    shortest proof uses (`distance.distance` takes it). A positive joins two sentences of one cluster, a negative
    two of clusters that a stated negative joins (rule "all"). Paths may leave the given sentences. O(s²) memory for
    s sentences, and O(s²) time for each stated negative between two of their clusters.

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
    i, j = np.triu_indices(len(nodes), 1)
    a, b = nodes[i], nodes[j]
    homes = graph.cluster_of[a], graph.cluster_of[b]
    link = graph.links_between(*homes)
    follows = np.flatnonzero((homes[0] == homes[1] if sign > 0 else link >= 0) & (graph.edge_index.places(a, b) < 0))
    if sign > 0:
        used = pair_lengths(graph, a[follows], b[follows])
    else:
        follows = follows[np.argsort(link[follows], kind="stable")]
        swap = homes[0][follows] > homes[1][follows]
        ends = np.where(swap, b[follows], a[follows]), np.where(swap, a[follows], b[follows])
        used = _lengths_across(graph, link[follows], *ends)
    order = np.argsort(follows)
    return i[follows[order]], j[follows[order]], used[order]


def draw_ranks(rng: np.random.Generator, population: int, k: int) -> np.ndarray:
    """`k` distinct numbers below `population`, uniformly, sorted; in memory of order `k`."""
    if k > population // 2 or population < 1_000_000:
        return np.sort(rng.choice(population, k, replace=False, shuffle=False))
    drawn = np.empty(0, dtype=np.int64)
    while len(drawn) < k:
        drawn = np.union1d(drawn, rng.integers(0, population, k + k // 4 + 100))
    return drawn[np.sort(rng.choice(len(drawn), k, replace=False, shuffle=False))]
