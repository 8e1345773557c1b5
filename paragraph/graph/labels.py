"""The labels of one sign that a closure infers under its limits: counted, gone through, and found by rank."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np

from .arrays import Array
from .pairspace import PairSpace

__all__ = ["BLOCK", "Labels", "draw_ranks"]

BLOCK = 1_000_000  #: positions that are looked at together


class Labels:
    """The labels of one sign in a closure: by position in their space, or by place among those chosen.

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
            return self.space.n_inferred
        of_owner = np.diff(self.space.rank(self.space.owner_starts))
        return int(np.minimum(of_owner, self._per_cluster).sum())

    def count(self) -> int:
        """Count the labels."""
        if self._longest is None:
            return self.at_most()
        return int(self._before[-1])

    def nth(self, ranks: Array) -> Array:
        """The positions of the labels of the given ranks, which are sorted."""
        if self._per_cluster is not None:
            return self._chosen[ranks]
        if self._longest is None:
            return self.space.nth_inferred(ranks)
        positions = np.empty(len(ranks), dtype=np.int64)
        blocks = np.searchsorted(self._before, ranks, side="right") - 1
        for block in np.unique(blocks).tolist():
            here = blocks == block
            found, _ = self.block(block * BLOCK)
            positions[here] = found[ranks[here] - self._before[block]]
        return positions

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
    def _before(self) -> Array:
        """The number of labels before each block, and in all."""
        before = [0]
        for start in range(0, self.extent, BLOCK):
            positions, _ = self.block(start)
            before.append(before[-1] + len(positions))
        return np.array(before, dtype=np.int64)

    @cached_property
    def _chosen(self) -> Array:
        """The positions that stay when every cluster contributes at most `per_cluster`."""
        rng = np.random.default_rng(self._seed)
        if self._longest is not None:
            return self._choose_near(rng)
        kept = [np.empty(0, dtype=np.int64)]
        begins = self.space.rank(self.space.owner_starts)
        for first, last in pairwise(begins.tolist()):
            count = last - first
            if count > self._per_cluster:
                kept.append(first + draw_ranks(rng, count, self._per_cluster))
            elif count:
                kept.append(np.arange(first, last))
        return self.space.nth_inferred(np.concatenate(kept))

    def _choose_near(self, rng: np.random.Generator) -> Array:
        """Choose for each owner the pairs with the smallest random keys among those near enough."""
        positions = np.empty(0, dtype=np.int64)
        keys = np.empty(0)
        for start in range(0, self.space.size, BLOCK):
            more, _ = self._open(start)
            best = self._smallest(more, rng.random(len(more)))
            positions = np.append(positions, best[0])
            keys = np.append(keys, best[1])
        return self._smallest(positions, keys)[0]

    def _smallest(self, positions: Array, keys: Array) -> tuple[Array, Array]:
        """The pairs with the smallest keys of each owner, at most `per_cluster`, and their keys."""
        owner = np.searchsorted(self.space.owner_starts, positions, side="right")
        order = np.lexsort((keys, owner))
        begins = np.searchsorted(owner[order], owner[order])
        place = np.arange(len(order)) - begins  # among those of the same owner
        stay = np.sort(order[place < self._per_cluster])
        return positions[stay], keys[stay]


def draw_ranks(rng: np.random.Generator, population: int, k: int) -> Array:
    """`k` distinct numbers below `population`, uniformly, sorted; in memory of order `k`."""
    if k > population // 2 or population < 1_000_000:
        ranks = rng.choice(population, k, replace=False, shuffle=False)
        return np.sort(ranks)
    drawn = np.empty(0, dtype=np.int64)
    while len(drawn) < k:
        more = rng.integers(0, population, k + k // 4 + 100)
        drawn = np.union1d(drawn, more)
    places = rng.choice(len(drawn), k, replace=False, shuffle=False)
    return drawn[np.sort(places)]
