"""Stated labels: what the rows of a pair table say about each unordered pair."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from .arrays import PairIndex, pair_keys

__all__ = ["Edges", "stated_edges"]


class Edges(NamedTuple):
    """One entry a distinct unordered pair, in order of first appearance, oriented as first stated."""

    a: np.ndarray  #: node codes, one end
    b: np.ndarray  #: node codes, the other end
    sign: np.ndarray  #: int8, +1 paraphrase, -1 not: the stated label
    n_positive: np.ndarray  #: int32, rows that say paraphrase
    n_negative: np.ndarray  #: int32, rows that say not
    of_row: np.ndarray  #: for every row the edge of its pair, or -1 (a self-pair, or a pair without a label)


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
    Linear in the rows but for a sort of those that repeat a pair.

    Examples
    --------
    >>> edges = stated_edges(np.array([0, 1, 0, 2]), np.array([1, 0, 1, 2]), np.array([1, -1, -1, 1]), 3)
    >>> edges.a, edges.b, edges.sign, edges.n_positive, edges.n_negative
    (array([0]), array([1]), array([-1], dtype=int8), array([1], dtype=int32), array([2], dtype=int32))
    >>> edges.of_row
    array([ 0,  0,  0, -1], dtype=int32)
    """
    proper = (a != b) & (sign != 0)
    everything = bool(proper.all())  # the usual case: spare the copies
    first, second, given = (a, b, sign) if everything else (a[proper], b[proper], sign[proper])
    keys = pair_keys(first, second, n)
    repeated = np.flatnonzero(pd.Series(keys).duplicated(keep=False).to_numpy())

    # Rows that repeat a pair are gathered; the others are edges of their own. The sort need not be stable:
    # only the first and the last row of a pair matter, and how many say what.
    order = repeated[np.argsort(keys[repeated])]
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    sizes = np.diff(starts, append=len(order))
    if len(order):
        earliest = np.minimum.reduceat(order, starts)
        latest = np.maximum.reduceat(order, starts)
        positives = np.add.reduceat(given[order] > 0, starts, dtype=np.int32)
    else:
        earliest = latest = positives = np.empty(0, dtype=np.int64)
    balance = 2 * positives - sizes

    begins = np.ones(len(keys), dtype=bool)
    begins[repeated] = False
    begins[earliest] = True
    number = np.cumsum(begins, dtype=np.int32) - 1  # of the edge that begins in a row
    edge = number[earliest]
    label = given[begins].astype(np.int8)
    label[edge] = np.where(balance == 0, given[latest], np.sign(balance))
    n_positive = (label > 0).astype(np.int32)
    n_negative = (label < 0).astype(np.int32)
    n_positive[edge], n_negative[edge] = positives, sizes - positives

    number[order] = np.repeat(edge, sizes)
    of_row = number
    if not everything:
        of_row = np.full(len(a), -1, dtype=np.int32)
        of_row[proper] = number
        silent = np.flatnonzero((a != b) & (sign == 0))  # rows that say nothing of a pair others may speak of
        if len(silent):
            spoken = PairIndex.of(first[begins], second[begins], n)
            of_row[silent] = spoken.places(a[silent], b[silent])
    return Edges(first[begins], second[begins], label, n_positive, n_negative, of_row)
