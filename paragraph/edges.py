"""Stated labels: what the rows of a pair table say about each unordered pair."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Edges", "stated_edges"]


class Edges(NamedTuple):
    """One entry a distinct unordered pair, in order of first appearance, oriented as first stated."""

    a: np.ndarray  #: node codes, one end
    b: np.ndarray  #: node codes, the other end
    sign: np.ndarray  #: int8, +1 paraphrase, -1 not: the stated label
    n_positive: np.ndarray  #: int32, rows that say paraphrase
    n_negative: np.ndarray  #: int32, rows that say not
    of_row: np.ndarray  #: for every row its edge, or -1 (a self-pair, or a row without a label)


def stated_edges(a: np.ndarray, b: np.ndarray, sign: np.ndarray, n: int) -> Edges:
    """The stated label of each pair: the majority of its rows, the later row on a tie.

    Parameters
    ----------
    a, b : integer arrays, one entry a row
        Codes in ``0..n-1`` of the two sentences.
    sign : int8 array
        +1, -1, or 0 for a row without a label. Rows that pair a sentence with itself are no edges.

    Notes
    -----
    O(m log m) for m rows, by one sort of 64-bit keys.

    Examples
    --------
    >>> edges = stated_edges(np.array([0, 1, 0, 2]), np.array([1, 0, 1, 2]), np.array([1, -1, -1, 1]), 3)
    >>> edges.a, edges.b, edges.sign, edges.n_positive, edges.n_negative
    (array([0]), array([1]), array([-1], dtype=int8), array([1], dtype=int32), array([2], dtype=int32))
    >>> edges.of_row
    array([ 0,  0,  0, -1])
    """
    rows = np.flatnonzero((a != b) & (sign != 0))
    of_row = np.full(len(a), -1, dtype=np.int64)
    if len(rows) == 0:
        none = np.empty(0, dtype=np.int64)
        return Edges(none, none, none.astype(np.int8), none.astype(np.int32), none.astype(np.int32), of_row)

    everything = len(rows) == len(a)  # the usual case: spare the copies
    first, second, given = (a, b, sign) if everything else (a[rows], b[rows], sign[rows])
    keys = np.minimum(first, second).astype(np.int64) * n + np.maximum(first, second)
    order = np.argsort(keys)
    keys = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    del keys
    if len(starts) == len(rows):  # no pair repeats: every row is its own edge
        of_row[rows] = np.arange(len(rows))
        positive = given > 0
        return Edges(
            first.copy(), second.copy(), np.where(positive, 1, -1).astype(np.int8),
            positive.astype(np.int32), (~positive).astype(np.int32), of_row,
        )  # fmt: skip

    sizes = np.diff(starts, append=len(rows))
    # The sort need not be stable: only the first and the last row of a pair matter, and how many say what.
    earliest = np.minimum.reduceat(order, starts)
    latest = np.maximum.reduceat(order, starts)
    n_positive = np.add.reduceat(given[order] > 0, starts, dtype=np.int32)
    balance = 2 * n_positive.astype(np.int64) - sizes
    label = np.where(balance == 0, given[latest], np.sign(balance)).astype(np.int8)

    begins = np.zeros(len(rows), dtype=bool)
    begins[earliest] = True
    rank = np.cumsum(begins) - 1  # number of an edge by its first row
    edge = rank[earliest]
    of_row[rows[order]] = np.repeat(edge, sizes)
    by_first_row = np.empty(len(starts), dtype=np.int64)
    by_first_row[edge] = np.arange(len(starts))
    n_positive = n_positive[by_first_row]
    return Edges(
        first[begins], second[begins], label[by_first_row],
        n_positive, (sizes[by_first_row] - n_positive).astype(np.int32), of_row,
    )  # fmt: skip
