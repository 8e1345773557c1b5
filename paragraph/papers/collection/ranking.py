"""Cosines of all pairs: where positives stand among them, exactly, without keeping them all."""

from __future__ import annotations

import numpy as np

from ...files import PairsError
from ...graph.arrays import draw_ranks
from ..experiments.resampling import HIGHEST, RANDOM
from ..experiments.scoring import Steps, steps
from .worlds import World

__all__ = ["cosines", "count_all", "scaled"]

#: Cells per unit of cosine in which the pairs below the listed ones are counted.
CELLS = 2**15
#: Cosines closer than this are the same but for rounding: equal vectors must tie.
EQUAL = 2.0**-40


def scaled(vectors: np.ndarray, n: int) -> np.ndarray:
    """Scale n vectors to length 1, float64; a row of zeros stays, and has cosine 0 with everything."""
    try:
        rows = np.asarray(vectors)
    except ValueError as error:  # rows of different lengths
        raise PairsError(f"vectors are no array: {error}") from None
    is_table = rows.ndim == 2 and len(rows) == n
    if not is_table or rows.dtype.kind not in "fiub":
        given = f"{rows.dtype}, {rows.shape}"
        raise PairsError(f"vectors must be numbers, ({n:,} sentences, d); these are {given}")
    rows = rows.astype(np.float64)
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    finite = np.isfinite(length)
    if not finite.all():
        row = int(np.argmin(finite))
        raise PairsError(f"the length of the vector of sentence {row} is not finite")
    length[length == 0] = 1
    rows /= length[:, None]
    return rows


def cosines(vectors: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the cosine of each pair of rows of `scaled` vectors."""
    found = np.empty(len(a))
    for i in range(0, len(a), 1 << 14):
        some = slice(i, i + (1 << 14))
        left = vectors[a[some]]
        right = vectors[b[some]]
        found[some] = np.einsum("ij,ij->i", left, right)
    return _even(found)


def count_all(
    world: World, vectors: np.ndarray, seed: int = 0, progress: bool = False
) -> tuple[Steps, np.ndarray, np.ndarray, int]:
    """Rank all pairs by the cosine of their `scaled` vectors; O(pairs · d) time, in blocks.

    Up to four million pairs are listed and sorted; of more, the quarter of a million highest. What lies below is
    counted in 2¹⁵ cells for each unit of cosine, positives in the same cells, from the same products. A cell is a
    tie, which matters little with that many pairs above.

    Returns
    -------
    steps, ranks, scores, number
        All pairs by cosine; ranks and scores of some: `number` positives and highest pairs, then random others.
    """
    positives = world.positives
    own = cosines(vectors, *world.ends(positives))
    floor = -1.5
    cut = -1.5
    drawn = np.empty(0, dtype=np.int64)
    if world.size > 16 * HIGHEST:
        rng = np.random.default_rng(seed)
        drawn = draw_ranks(rng, world.size, RANDOM)
        values = cosines(vectors, *world.ends(drawn))
        rising = np.sort(values)
        cut = rising[-1 - RANDOM * HIGHEST // world.size]
        floor = min(cut, own.min() - EQUAL)  # what lies below all positives matters to none of them
    cells = _cells(np.empty(0))
    row, column = world.ends(positives)
    ranks = []
    scores = []
    for i, j, found in world.products(vectors, progress):
        flat = found.ravel()
        height, width = found.shape
        begin, end = np.searchsorted(row, [i, i + height])
        columns = column[begin:end]
        inside = (columns >= j) & (columns < j + width)
        here = begin + np.flatnonzero(inside)
        of_here = (row[here] - i, column[here] - j)
        own[here] = found[of_here]
        at = np.flatnonzero(flat > floor)
        high = flat[at] > cut
        cells += _cells(flat[at[~high]])
        at = at[high]
        down, along = np.divmod(at, width)
        number = world.steps.number(i + down, j + along)
        ranks.append(number)
        scores.append(flat[at])
    highest = np.concatenate(ranks)
    score = np.concatenate(scores)
    low = own <= cut
    positive = np.isin(highest, positives)
    top = steps(_even(score), positive)
    there = np.flatnonzero(cells)[::-1]
    hits = _cells(own[low])[there]
    tail = (there / CELLS - 2, hits, cells[there])
    parts = zip(top, tail, strict=True)
    every = Steps(*map(np.concatenate, parts))
    rank = np.append(highest, positives[low])
    counted = len(rank)
    drawn = np.setdiff1d(drawn, rank, assume_unique=True)
    score = _even(np.append(score, own[low]))
    of_drawn = cosines(vectors, *world.ends(drawn))
    score = np.append(score, of_drawn)
    return every, np.append(rank, drawn), score, counted


def _even(values: np.ndarray) -> np.ndarray:
    return np.rint(values / EQUAL) * EQUAL


def _cells(values: np.ndarray) -> np.ndarray:
    """Count the values in each cell; the middle of cell c is c / CELLS − 2."""
    cells = values * CELLS + (2 * CELLS + 0.5)
    cells = cells.astype(np.int64)
    return np.bincount(cells, minlength=3 * CELLS + 2)
