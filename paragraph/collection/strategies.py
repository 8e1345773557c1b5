"""Strategies of asking: random pairs, the most similar, the most probable, the least certain."""

from __future__ import annotations

import numpy as np

from ..measure.pool.worlds import World, near_pairs, random_pairs, without

__all__ = ["STRATEGIES", "candidates"]

#: What a strategy takes first, given cosines and log-odds of pairs: the least of these values. None: it looks at
#: neither.
STRATEGIES = {
    "random": None,
    "static": lambda cosine, logit: -cosine,  # of the encoder as it was before any label
    "adaptive": lambda cosine, logit: -cosine,  # the probability grows with the cosine
    "uncertainty": lambda cosine, logit: np.abs(logit),
}


def candidates(
    world: World, vectors: np.ndarray | None, n: int, closed: np.ndarray, m: int, seed: int | list[int]
) -> np.ndarray:
    """Return the ranks of the pairs to choose n from: those of each sentence and its m nearest, without the `closed`.

    Where there are too few, more neighbours; where there are no vectors, n random pairs. `closed` is sorted.
    """
    if vectors is None:
        return random_pairs(world, closed, n, seed)[0]
    while True:
        found = without(near_pairs(world, vectors, m), closed)
        if len(found) >= n or m >= world.graph.n:
            return found
        m *= 2
