"""Where positives stand among the cosines of all pairs, exactly, without keeping those."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..graph.inference import draw
from ..pairs import PairsError
from .ranking import HIGHEST, RANDOM, Steps, steps
from .worlds import World

__all__ = ["Counted", "cosines", "count_all", "unit"]

#: Cells per unit of cosine in which the pairs below the listed ones are counted.
CELLS = 2**15
#: Average precision that the lowest positives may be worth together.
NOTHING = 1e-5
#: Cosines closer than this are the same but for rounding: equal vectors must tie.
EQUAL = 2.0**-40


class Counted(NamedTuple):
    """The pairs of a world by their cosine."""

    steps: Steps
    rank: np.ndarray  #: of all positives, of the highest pairs, and of random ones of the rest
    score: np.ndarray  #: the cosine of each of these
    highest: int  #: how many positives and highest pairs there are, before the random ones


def unit(vectors: np.ndarray, n: int) -> np.ndarray:
    """Vectors of length 1, float64; a zero row stays what it is, and has cosine 0 with everything.

    Raises
    ------
    PairsError
        Not one vector of numbers for each of n sentences.
    """
    vectors = np.asarray(vectors)
    if vectors.ndim != 2 or len(vectors) != n or vectors.dtype.kind not in "fiub":
        raise PairsError(
            f"an array ({n:,} sentences, d) of numbers is needed; this is {vectors.dtype} {vectors.shape}"
        )
    found = vectors.astype(np.float64)
    length = np.sqrt(np.einsum("ij,ij->i", found, found))
    if not np.isfinite(length).all():
        raise PairsError(f"the vector of sentence {int(np.argmin(np.isfinite(length)))} is not finite")
    found /= np.where(length > 0, length, 1)[:, None]
    return found


def cosines(vectors: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The cosine of each pair of rows of `unit` vectors, equal ones equal."""
    found = np.empty(len(a))
    for at in range(0, len(a), 1 << 14):
        some = slice(at, at + (1 << 14))
        found[some] = np.einsum("ij,ij->i", vectors[a[some]], vectors[b[some]])
    return _even(found)


def _even(values: np.ndarray) -> np.ndarray:
    return np.rint(values / EQUAL) * EQUAL


def count_all(world: World, vectors: np.ndarray, seed: int = 0) -> Counted:
    """Multiply all pairs of `unit` vectors; O(pairs · d) time, in blocks.

    Up to four million pairs are listed and sorted; of more, the quarter of a million highest. What lies below is
    counted in 2¹⁵ cells for each unit of cosine, and the positives among it fall into the same cells, read from the
    same products; a cell counts as a tie, which matters little with so many pairs above. The lowest positives, which
    have so many pairs above that they make up less than 10⁻⁵ of average precision, share one last cell with all
    pairs below them. `Steps.average_precision` brackets all that.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["a"], "text_b": ["b"], "label": [1]})
    >>> world = World(pg.ParaphraseGraph.from_pairs(pairs), others=["c"])
    >>> found = count_all(world, unit(np.array([[1, 0], [1, 1], [2, 2.0]]), 3))
    >>> found.score.round(3).tolist(), found.steps.hits.tolist()
    ([0.707, 0.707, 1.0], [0, 1])
    """
    rng, positives = np.random.default_rng(seed), world.positives
    own = cosines(vectors, *world.ends(positives))
    cut = floor = -1.5
    drawn = np.empty(0, dtype=np.int64)
    if world.size > 16 * HIGHEST:
        drawn = draw(rng, world.size, RANDOM)
        falling = np.sort(cosines(vectors, *world.ends(drawn)))
        cut = falling[-1 - RANDOM * HIGHEST // world.size]
        floor = _floor(np.sort(own), 1 - np.searchsorted(falling, np.sort(own), side="right") / RANDOM, world.size)
        floor = min(floor, cut)
    cells = np.zeros(3 * CELLS + 2, dtype=np.int64)
    row, column = world.places(positives)
    ranks, scores = [], []
    for i, j, found in world.products(vectors):
        flat, (height, width) = found.ravel(), found.shape
        begin, end = np.searchsorted(row, [i, i + height])
        here = begin + np.flatnonzero((column[begin:end] >= j) & (column[begin:end] < j + width))
        own[here] = found[row[here] - i, column[here] - j]
        at = np.flatnonzero(flat > floor)
        values = flat[at]
        high = values > cut
        cells += _cells(values[~high])
        ranks.append(world.rank_at(i + at[high] // width, j + at[high] % width))
        scores.append(values[high])
    highest, score = np.concatenate(ranks), np.concatenate(scores)
    top = steps(_even(score), _among(highest, positives))
    low, lowest = (own <= cut) & (own > floor), int(np.sum(own <= floor))
    there = np.flatnonzero(cells)[::-1]
    tail = Steps(there / CELLS - 2, _cells(own[low])[there], cells[there])
    below = world.size - len(highest) - int(cells.sum())
    last = Steps(*(np.full(int(below > 0), value) for value in (floor, lowest, below)))
    rank, score = np.append(highest, positives[own <= cut]), np.append(score, own[own <= cut])
    drawn = drawn[~_among(drawn, np.sort(rank))]
    every = Steps(*(np.concatenate(parts) for parts in zip(top, tail, last, strict=True)))
    score = np.append(_even(score), cosines(vectors, *world.ends(drawn)))
    return Counted(every, np.append(rank, drawn), score, len(rank))


def _floor(own: np.ndarray, share: np.ndarray, size: int) -> float:
    """The cosine under which positives make up less than `NOTHING` of average precision: each, at most 1 in so many.

    `own` holds the cosines of positives, rising, and `share` the share of all pairs above each.
    """
    few = np.flatnonzero(np.arange(1, len(own) + 1) <= NOTHING * size * share)
    return float(own[few[-1]]) if len(few) else -1.5


def _cells(values: np.ndarray) -> np.ndarray:
    """How many values lie in each cell; the middle of cell c is c / CELLS − 2."""
    return np.bincount((values * CELLS + (2 * CELLS + 0.5)).astype(np.int64), minlength=3 * CELLS + 2)


def _among(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Whether each value is one of some sorted ones."""
    at = np.minimum(np.searchsorted(known, values), len(known) - 1)
    return known[at] == values if len(known) else np.zeros(len(values), dtype=bool)
