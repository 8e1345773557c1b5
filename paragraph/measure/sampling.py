"""Some of the negatives of a world: those near each other, and random ones that stand for the rest."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ..graph.pairspace import draw_ranks
from .worlds import World

__all__ = ["near_pairs", "random_pairs", "without"]

#: Cosines that are held at once: 32 MB.
_AT_ONCE = 2**23
#: In which the pairs found are sorted.
PIECES = 32


def near_pairs(world: World, vectors: np.ndarray, k: int, progress: bool = False) -> np.ndarray:
    """The ranks of all pairs of a sentence and one of its k nearest by `unit` vectors, each once, sorted.

    On two sides, the nearest of each left and of each right sentence, so that both are treated alike. Mussmann, Jia
    and Liang (2020), appendix A.2; their published code counts a pair twice where each is near the other.
    """
    from tqdm.auto import tqdm

    vectors, found = vectors.astype(np.float32), [np.empty(0, dtype=np.int64)]
    sides = [(world.rows, world.columns), (world.columns, world.rows)]
    for here, there in sides[: 1 + world.two_sided] if k else ():
        others, most = vectors[there], min(k, len(there))
        step = max(1, _AT_ONCE // max(1, len(there)))
        for i in tqdm(range(0, len(here), step), "near pairs", delay=2, disable=not progress):
            some = here[i : i + step]
            cosine = vectors[some] @ others.T
            cosine[some[:, None] == there] = -2
            best = np.argpartition(cosine, -most, axis=1)[:, -most:]
            found.append(world.ranks(np.repeat(some, most), there[best].ravel()))
    # In pieces: while NumPy sorts, no other thread goes on, and one may be waiting for a key to be answered.
    ranks, bounds = np.concatenate(found), np.linspace(0, world.size, PIECES + 1).astype(np.int64)
    return np.concatenate([np.unique(ranks[(ranks >= low) & (ranks < high)]) for low, high in pairwise(bounds)])


def without(ranks: np.ndarray, closed: np.ndarray) -> np.ndarray:
    """Ranks but those that are closed, both sorted.

    >>> without(np.array([2, 3, 5, 7]), np.array([1, 3, 7, 9])).tolist()
    [2, 5]
    """
    at = np.searchsorted(ranks, closed)
    at, closed = at[at < len(ranks)], closed[at < len(ranks)]
    return np.delete(ranks, at[ranks[at] == closed])


def random_pairs(world: World, known: np.ndarray, count: int, seed: int) -> tuple[np.ndarray, float]:
    """Ranks of random pairs, each once, that are not among the `known` (sorted) ones; how many each stands for.

    All pairs that are left, each for itself, where there are no more than `count`.
    """
    left = world.size - len(known)
    drawn = draw_ranks(np.random.default_rng(seed), left, min(count, left))
    # The i-th known pair has known[i] − i others before it.
    ranks = drawn + np.searchsorted(known - np.arange(len(known)), drawn, side="right")
    return ranks, left / max(1, len(drawn))
