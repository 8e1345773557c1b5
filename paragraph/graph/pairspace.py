"""The pairs that a closure covers, as positions ``0 .. size-1``: counted and sampled without being listed.

Every unordered pair inside a cluster has a position in `Inside`, every pair of sentences from two
linked clusters has one in `Between`. The positions of stated pairs are known (`stated`), so the
k-th inferred pair is found by arithmetic, however large the closure is.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .arrays import Array, draw_ranks, gathered
from .core import ParaphraseGraph
from .distance import carrying
from .paths import in_parts, pair_lengths

__all__ = ["BLOCK", "Between", "Inside", "Labels", "PairSpace", "Steps", "nth_other"]

FAR = np.iinfo(np.int32).max  # stands for a path that is too long
BLOCK = 1_000_000  #: positions processed together


class Steps(NamedTuple):
    """Pairs by number, in steps: the pairs of i with ``first[i] .. stop[i] - 1``, one i after another.

    Examples
    --------
    >>> steps = Steps.of(np.array([1, 2, 3]), np.array([3, 3, 3]))  # all pairs of three
    >>> [part.tolist() for part in steps.ends(np.arange(3))]
    [[0, 0, 1], [1, 2, 2]]
    """

    first: Array
    starts: Array  #: the number of the first pair of each i, and then the number of all pairs

    @classmethod
    def of(cls, first: Array, stop: Array) -> Steps:
        """Pair each i with the numbers from ``first[i]`` to below ``stop[i]``, if there are any."""
        count = np.maximum(stop - first, 0)
        stops = np.cumsum(count, dtype=np.int64)
        return cls(first, np.append(0, stops))

    def number(self, i: Array, j: Array) -> Array:
        """The number of each pair."""
        return self.starts[i] + j - self.first[i]

    def ends(self, numbers: Array) -> tuple[Array, Array]:
        """The pair of each number."""
        i = np.searchsorted(self.starts, numbers, side="right") - 1
        j = numbers - self.starts[i] + self.first[i]
        return i, j


def nth_other(ranks: Array, known: Array) -> Array:
    """The numbers of these ranks among all that are not in `known`, which is sorted.

    >>> nth_other(np.array([0, 1, 2]), np.array([1, 2])).tolist()
    [0, 3, 4]
    """
    others_before = known - np.arange(len(known))
    return ranks + np.searchsorted(others_before, ranks, side="right")


class PairSpace:
    """Pairs by position; cluster c owns those at ``owner_starts[c] .. owner_starts[c + 1] - 1``.

    The pairs are those of `Inside` or of `Between`. Both have ``ends(positions)``, the nodes of
    pairs, and ``edges_used(positions, longest)``, the positive edges that the shortest proof of
    each pair uses, or -1 where it uses more than `longest`. Positions are sorted.
    """

    graph: ParaphraseGraph
    sign: int  #: of the inferred labels
    owner_starts: Array
    stated: Array  #: positions whose pair has a stated label, sorted
    n_stated: int  #: the number of them
    size: int  #: the number of all positions

    def unstated(self, start: int, stop: int) -> Array:
        """The positions from `start` to below `stop` whose pair has no stated label."""
        positions = np.arange(start, stop)
        first, last = np.searchsorted(self.stated, [start, stop])
        return np.delete(positions, self.stated[first:last] - start)

    def nth_inferred(self, ranks: Array) -> Array:
        """Positions of the inferred pairs of the given ranks."""
        return nth_other(ranks, self.stated)

    def rank(self, positions: Array) -> Array:
        """Count the inferred pairs before each position."""
        return positions - np.searchsorted(self.stated, positions)


class Inside(PairSpace):
    """Pairs within a cluster: those of its first sentence with each later one, then of its second."""

    sign = 1

    def __init__(self, graph: ParaphraseGraph):
        self.graph = graph
        sizes = graph.cluster_sizes
        self.n_stated = int(graph.stated_inside.sum(dtype=np.int64))
        pairs = sizes * (sizes - 1) // 2
        self.owner_starts = np.append(0, np.cumsum(pairs))
        self.size = int(self.owner_starts[-1])

    @cached_property
    def steps(self) -> Steps:
        """Each sentence with the later ones of its cluster, by their places in `cluster_members`."""
        starts, nodes = self.graph.cluster_members
        first = np.arange(1, len(nodes) + 1)
        stop = starts[self.graph.cluster_of[nodes] + 1]
        return Steps.of(first, stop)

    @cached_property
    def stated(self) -> Array:
        home, away = self.graph.edge_clusters
        edges = np.flatnonzero(home == away)
        starts, _ = self.graph.cluster_members
        places = starts[home[edges]] + self.graph.place_in_cluster[self.graph.ends(edges)]
        earlier = places.min(axis=0)
        later = places.max(axis=0)
        numbers = self.steps.number(earlier, later)
        return np.sort(numbers)

    def ends(self, positions: Array) -> tuple[Array, Array]:
        _, nodes = self.graph.cluster_members
        i, j = self.steps.ends(positions)
        return nodes[i], nodes[j]

    def edges_used(self, positions: Array, longest: int | None) -> Array:
        a, b = self.ends(positions)
        return pair_lengths(self.graph, a, b, longest)


class Between(PairSpace):
    """Pairs across two linked clusters A < B, link by link: each sentence of A with those of B.

    The larger cluster (A, the lower id) owns the pairs. A link that carries nothing over has no pairs.
    """

    sign = -1

    def __init__(self, graph: ParaphraseGraph, negatives: str = "all"):
        self.graph = graph
        a, b, count = graph.links
        # with "clip", numpy does not check each of many numbers
        larger = graph.cluster_sizes.take(a, mode="clip")
        smaller = graph.cluster_sizes.take(b, mode="clip")
        self._carrying = carrying(larger, smaller, negatives)
        self.n_stated = int(count[self._carrying].sum(dtype=np.int64))
        pairs = np.where(self._carrying, larger * smaller, 0)
        self._starts = np.append(0, np.cumsum(pairs))  # the first position of each link
        self.size = int(self._starts[-1])

    @cached_property
    def owner_starts(self) -> Array:
        clusters = np.arange(len(self.graph.cluster_sizes) + 1)
        first_link = np.searchsorted(self.graph.links.a, clusters)
        return self._starts[first_link]

    @cached_property
    def stated(self) -> Array:
        begins, x, y = self.graph.link_negatives
        links = np.arange(len(self._carrying))
        link = np.repeat(links, np.diff(begins))
        place = self.graph.place_in_cluster
        smaller = self.graph.cluster_sizes[self.graph.cluster_of[y]]
        positions = self._starts[link] + place[x] * smaller + place[y]
        return np.sort(positions[self._carrying[link]])

    def _links(self, positions: Array) -> Array:
        return np.searchsorted(self._starts, positions, side="right") - 1

    def ends(self, positions: Array) -> tuple[Array, Array]:
        links = self._links(positions)
        starts, nodes = self.graph.cluster_members
        a = self.graph.links.a[links]
        b = self.graph.links.b[links]
        number = positions - self._starts[links]
        i, j = np.divmod(number, self.graph.cluster_sizes[b])
        return nodes[starts[a] + i], nodes[starts[b] + j]

    def edges_used(self, positions: Array, longest: int | None) -> Array:
        """Pairs of one link stand next to each other and share their searches."""
        a, b = self.ends(positions)
        link = self._links(positions)
        begins, x, y = self.graph.link_negatives
        negatives_of = (begins, np.arange(len(x)))
        best = np.full(len(link), FAR, dtype=np.int32)
        pairs = np.arange(len(link))
        searches = begins[link + 1] - begins[link]
        for part in in_parts(8 * searches):  # about a million at a time
            count, negative = gathered(negatives_of, link[part])
            pair = np.repeat(pairs[part], count)
            # so that searches from one sentence stand next to each other
            order = np.argsort(negative, kind="stable")
            negative = negative[order]
            pair = pair[order]
            sources = np.append(x[negative], y[negative])
            targets = np.append(a[pair], b[pair])
            lengths = pair_lengths(self.graph, sources, targets, longest)
            to_a, to_b = lengths.reshape(2, -1)
            near = (to_a >= 0) & (to_b >= 0)
            used = to_a + to_b
            np.minimum.at(best, pair[near], used[near])
        if longest is None:
            longest = FAR - 1
        best[best > longest] = -1
        return best


class Labels:
    """The inferred labels of a pair space under limits: counted, gone through, and found by rank.

    `longest` limits the positive edges that a proof uses. With `per_cluster`, every cluster contributes at most that
    many, drawn at random with `seed`.
    """

    def __init__(self, space: PairSpace, longest: int | None, per_cluster: int | None, seed: int):
        self.space = space
        self._longest = longest
        self._per_cluster = per_cluster
        self._seed = [seed, int(space.sign > 0)]

    @property
    def extent(self) -> int:
        """The number of positions to go through."""
        if self._per_cluster is None:
            return self.space.size
        return len(self._sample)

    def block(self, start: int, size: int = BLOCK) -> tuple[Array, Array | None]:
        """The positions of some labels, and the positive edges that each uses, if known."""
        if self._per_cluster is None:
            return self._near(start, size)
        return self._sample[start : start + size], None

    def at_most(self) -> int:
        """Count the labels, without the limit on distance."""
        if self._per_cluster is None:
            return self.space.size - self.space.n_stated
        bounds = self.space.rank(self.space.owner_starts)
        count = np.minimum(np.diff(bounds), self._per_cluster)
        return int(count.sum())

    def nth(self, ranks: Array) -> Array:
        """The positions of the labels of the given ranks, which are sorted; without a limit on distance."""
        if self._per_cluster is None:
            return self.space.nth_inferred(ranks)
        return self._sample[ranks]

    def _near(self, start: int, size: int = BLOCK) -> tuple[Array, Array | None]:
        """The labels of `block`, without the limit on each cluster's contribution."""
        stop = min(start + size, self.space.size)
        positions = self.space.unstated(start, stop)
        if self._longest is None:
            return positions, None
        used = self.space.edges_used(positions, self._longest)
        near = used >= 0
        return positions[near], used[near]

    @cached_property
    def _sample(self) -> Array:
        """The positions that stay when every cluster contributes at most `per_cluster`."""
        rng = np.random.default_rng(self._seed)
        parts = [np.empty(0, dtype=np.int64)]
        if self._longest is None:  # ranks are drawn; no position is looked at
            bounds = self.space.rank(self.space.owner_starts)
            for first, stop in pairwise(bounds.tolist()):
                count = stop - first
                if count > self._per_cluster:
                    ranks = draw_ranks(rng, count, self._per_cluster)
                else:
                    ranks = np.arange(count)
                parts.append(first + ranks)
            return self.space.nth_inferred(np.concatenate(parts))
        for start in range(0, self.space.size, BLOCK):
            positions, _ = self._near(start)
            parts.append(positions)
        near = np.concatenate(parts)
        # of each cluster, those with the smallest random keys
        owner = np.searchsorted(self.space.owner_starts, near, side="right")
        key = rng.random(len(near))
        order = np.lexsort((key, owner))
        place = np.arange(len(order)) - np.searchsorted(owner, owner)
        smallest = order[place < self._per_cluster]
        return near[np.sort(smallest)]
