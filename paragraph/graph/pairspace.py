"""The pairs that a closure covers, as positions ``0 .. size-1``: counted and sampled without being listed.

Every unordered pair inside a cluster has a position in `Inside`, every pair of sentences from two linked clusters one
in `Between`. Positions whose pair has a stated label are known (`stated`), so the k-th inferred pair is found by
arithmetic, whatever the size of the closure.
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

FAR = np.iinfo(np.int32).max  # in place of a path length: too long
BLOCK = 1_000_000  #: positions that are looked at together


class Steps(NamedTuple):
    """Pairs by number, in steps: the pairs of i with ``first[i] .. stop[i] - 1``, one i after another.

    Examples
    --------
    >>> steps = Steps.of(np.array([1, 2, 3]), np.array([3, 3, 3]))  # all pairs of three
    >>> [part.tolist() for part in steps.ends(np.arange(3))]
    [[0, 0, 1], [1, 2, 2]]
    """

    first: Array
    starts: Array  #: the number of the first pair of each i, and that of all pairs

    @classmethod
    def of(cls, first: Array, stop: Array) -> Steps:
        """The steps of each i with these numbers; none if they are not below `stop`."""
        count = np.maximum(stop - first, 0)
        stops = np.cumsum(count, dtype=np.int64)
        return cls(first, np.append(0, stops))

    def number(self, i: Array, j: Array) -> Array:
        """The number of each pair."""
        return self.starts[i] + j - self.first[i]

    def ends(self, numbers: Array) -> tuple[Array, Array]:
        """The pair of each number."""
        i = np.searchsorted(self.starts, numbers, side="right") - 1
        return i, numbers - self.starts[i] + self.first[i]


def nth_other(ranks: Array, known: Array) -> Array:
    """The numbers of the given ranks among those that are not known; `known` is sorted.

    >>> nth_other(np.array([0, 1, 2]), np.array([1, 2])).tolist()
    [0, 3, 4]
    """
    others_before = known - np.arange(len(known))
    return ranks + np.searchsorted(others_before, ranks, side="right")


class PairSpace:
    """Pairs by position; those of cluster c stand at ``owner_starts[c] .. owner_starts[c + 1] - 1``.

    `Inside` and `Between` say which pairs. Both have ``ends(positions)``, the nodes of pairs, and
    ``edges_used(positions, longest)``, the positive edges that the shortest proof of each pair uses, or -1 where it
    uses more than `longest`. Positions are sorted.
    """

    graph: ParaphraseGraph
    sign: int  #: of the inferred labels
    owner_starts: Array
    stated: Array  #: positions whose pair has a stated label, sorted
    n_stated: int  #: the number of them
    size: int  #: the number of all positions

    def unstated(self, start: int, stop: int) -> Array:
        """Positions without a stated label in a range."""
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
        self.owner_starts = np.append(0, np.cumsum(sizes * (sizes - 1) // 2))
        self.size = int(self.owner_starts[-1])

    @cached_property
    def steps(self) -> Steps:
        """Each sentence with the later ones of its cluster, by their places in `cluster_members`."""
        starts, nodes = self.graph.cluster_members
        stop = starts[self.graph.cluster_of[nodes] + 1]
        return Steps.of(np.arange(1, len(nodes) + 1), stop)

    @cached_property
    def stated(self) -> Array:
        home, away = self.graph.edge_clusters
        edges = np.flatnonzero(home == away)
        starts, _ = self.graph.cluster_members
        places = starts[home[edges]] + self.graph.place_in_cluster[self.graph.ends(edges)]
        numbers = self.steps.number(places.min(axis=0), places.max(axis=0))
        return np.sort(numbers)

    def ends(self, positions: Array) -> tuple[Array, Array]:
        _, nodes = self.graph.cluster_members
        one, other = self.steps.ends(positions)
        return nodes[one], nodes[other]

    def edges_used(self, positions: Array, longest: int | None) -> Array:
        return pair_lengths(self.graph, *self.ends(positions), longest)


class Between(PairSpace):
    """Pairs across two linked clusters A < B, link by link: each sentence of A with those of B.

    The larger cluster (A, the lower id) owns the pairs. A link that carries nothing over has no pairs.
    """

    sign = -1

    def __init__(self, graph: ParaphraseGraph, negatives: str = "all"):
        self.graph = graph
        a, b, count = graph.links
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
        return self._starts[np.searchsorted(self.graph.links.a, clusters)]

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
        i, j = np.divmod(positions - self._starts[links], self.graph.cluster_sizes[b])
        return nodes[starts[a] + i], nodes[starts[b] + j]

    def edges_used(self, positions: Array, longest: int | None) -> Array:
        """Pairs of one link stand next to each other and share their searches."""
        a, b = self.ends(positions)
        link = self._links(positions)
        begins, x, y = self.graph.link_negatives
        groups = (begins, np.arange(len(x)))
        best = np.full(len(link), FAR, dtype=np.int32)
        pairs = np.arange(len(link))
        stated = begins[link + 1] - begins[link]
        for part in in_parts(8 * stated):  # some million searches at a time
            count, negative = gathered(groups, link[part])
            pair = np.repeat(pairs[part], count)
            order = np.argsort(
                negative, kind="stable"
            )  # searches from one sentence next to each other
            negative = negative[order]
            pair = pair[order]
            sources = np.append(x[negative], y[negative])
            targets = np.append(a[pair], b[pair])
            to_a, to_b = pair_lengths(self.graph, sources, targets, longest).reshape(2, -1)
            reached = (to_a >= 0) & (to_b >= 0)
            used = to_a + to_b
            np.minimum.at(best, pair[reached], used[reached])
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
        return len(self._chosen)

    def block(self, start: int, size: int = BLOCK) -> tuple[Array, Array | None]:
        """The positions of some labels, and the positive edges that each uses, if that was found on the way."""
        if self._per_cluster is None:
            return self._open(start, size)
        return self._chosen[start : start + size], None

    def at_most(self) -> int:
        """Count the labels, without the limit on distance."""
        if self._per_cluster is None:
            return self.space.size - self.space.n_stated
        of_owner = np.diff(self.space.rank(self.space.owner_starts))
        return int(np.minimum(of_owner, self._per_cluster).sum())

    def nth(self, ranks: Array) -> Array:
        """The positions of the labels of the given ranks, which are sorted; without a limit on distance."""
        if self._per_cluster is None:
            return self.space.nth_inferred(ranks)
        return self._chosen[ranks]

    def _open(self, start: int, size: int = BLOCK) -> tuple[Array, Array | None]:
        """`block`, without the limit on each cluster's contribution."""
        stop = min(start + size, self.space.size)
        positions = self.space.unstated(start, stop)
        if self._longest is None:
            return positions, None
        used = self.space.edges_used(positions, self._longest)
        near = used >= 0
        return positions[near], used[near]

    @cached_property
    def _chosen(self) -> Array:
        """The positions that stay when every cluster contributes at most `per_cluster`."""
        rng = np.random.default_rng(self._seed)
        kept = [np.empty(0, dtype=np.int64)]
        if self._longest is None:
            begins = self.space.rank(self.space.owner_starts)
            for first, last in pairwise(begins.tolist()):
                if last - first > self._per_cluster:
                    kept.append(first + draw_ranks(rng, last - first, self._per_cluster))
                else:
                    kept.append(np.arange(first, last))
            return self.space.nth_inferred(np.concatenate(kept))
        # of those near enough, the ones with the smallest random keys of each cluster
        kept += [self._open(start)[0] for start in range(0, self.space.size, BLOCK)]
        near = np.concatenate(kept)
        owner = np.searchsorted(self.space.owner_starts, near, side="right")
        order = np.lexsort((rng.random(len(near)), owner))
        place = np.arange(len(order)) - np.searchsorted(owner, owner)
        return near[np.sort(order[place < self._per_cluster])]
