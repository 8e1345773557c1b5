"""Arrays of pairs and groups: the few functions that every graph of this package is built with."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Edges", "PairIndex", "connected", "group", "pair_keys", "stated_edges", "symmetric"]


def pair_keys(a: np.ndarray, b: np.ndarray, n: int) -> np.ndarray:
    """One number (int64) for each unordered pair of numbers below n."""
    return np.minimum(a, b).astype(np.int64) * n + np.maximum(a, b)


class PairIndex(NamedTuple):
    """Finds the place of an unordered pair among many: one sort, then O(log m) a pair."""

    n: int
    keys: np.ndarray  #: sorted `pair_keys`
    order: np.ndarray  #: where each of them stands in the arrays given

    @classmethod
    def of(cls, a: np.ndarray, b: np.ndarray, n: int) -> PairIndex:
        """The index of the pairs ``a[i], b[i]``, which are distinct."""
        keys = pair_keys(a, b, n)
        order = np.argsort(keys)
        return cls(n, keys[order], order)

    def places(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The place of each pair, or -1.

        Examples
        --------
        >>> PairIndex.of(np.array([0, 2]), np.array([1, 1]), 3).places(np.array([1, 0]), np.array([2, 2]))
        array([ 1, -1])
        """
        wanted = pair_keys(np.asarray(a), np.asarray(b), self.n)
        if not len(self.keys):
            return np.full(wanted.shape, -1)
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[at] == wanted, self.order[at], -1)


class Edges(NamedTuple):
    """One entry a distinct unordered pair, in order of first appearance, oriented as first stated."""

    a: np.ndarray  #: node codes, one end
    b: np.ndarray  #: node codes, the other end
    sign: np.ndarray  #: int8, +1 paraphrase, -1 not: the stated label
    n_positive: np.ndarray  #: int32, rows with label 1
    n_negative: np.ndarray  #: int32, rows with label 0
    of_row: np.ndarray  #: for every row the edge of its pair, or -1 (a self-pair, or a pair without a label)


def stated_edges(a: np.ndarray, b: np.ndarray, sign: np.ndarray, n: int) -> Edges:
    """The stated label of each pair: the majority of its rows, the later row on a tie; linear time.

    Parameters
    ----------
    a, b : integer arrays, one entry a row
        Codes in ``0..n-1`` of the two sentences.
    sign : int8 array
        +1, -1, or 0 for a row without a label. Rows that pair a sentence with itself are no edges.

    Examples
    --------
    >>> edges = stated_edges(np.array([0, 1, 0, 2]), np.array([1, 0, 1, 2]), np.array([1, -1, -1, 1]), 3)
    >>> edges.a, edges.b, edges.sign, edges.n_positive, edges.n_negative
    (array([0]), array([1]), array([-1], dtype=int8), array([1], dtype=int32), array([2], dtype=int32))
    >>> edges.of_row
    array([ 0,  0,  0, -1], dtype=int32)
    """
    proper = (a != b) & (sign != 0)
    first, second, given = a[proper], b[proper], sign[proper]
    edge, distinct = pd.factorize(pair_keys(first, second, n))  # numbered by first appearance
    begins = np.diff(np.maximum.accumulate(edge), prepend=-1) > 0
    n_positive, n_negative = (
        np.bincount(edge[given == one], minlength=len(distinct)).astype(np.int32) for one in (1, -1)
    )
    latest = np.empty(len(distinct), dtype=np.int8)
    latest[edge] = given
    balance = np.sign(n_positive - n_negative)
    of_row = np.full(len(a), -1, dtype=np.int32)
    of_row[proper] = edge
    silent = np.flatnonzero((a != b) & (sign == 0))
    if len(silent):  # other rows may give their pairs a label
        of_row[silent] = PairIndex.of(first[begins], second[begins], n).places(a[silent], b[silent])
    label = np.where(balance == 0, latest, balance).astype(np.int8)
    return Edges(first[begins], second[begins], label, n_positive, n_negative, of_row)


def connected(n: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The connected part each of n nodes lies in, numbered by their first node: int32.

    O((n + m) log n): each part hooks itself to a neighbour with a lower first node, until none has one (after
    Shiloach and Vishkin 1982, J. Algorithms 3). As fast as scipy up to a million pairs, without the time to load it,
    which is that of a small command.

    Examples
    --------
    >>> connected(5, np.array([4, 2]), np.array([1, 4])).tolist()
    [0, 1, 1, 2, 1]
    """
    first = np.arange(n, dtype=np.int32)
    a, b = np.asarray(a, dtype=np.int32), np.asarray(b, dtype=np.int32)
    while len(a):
        np.minimum.at(first, np.maximum(a, b), np.minimum(a, b))
        while not np.array_equal(further := first[first], first):
            first = further
        a, b = first[a], first[b]
        apart = a != b
        a, b = a[apart], b[apart]
    return (np.cumsum(first == np.arange(n), dtype=np.int32) - 1)[first]


def symmetric(n: int, a: np.ndarray, b: np.ndarray, value: np.ndarray) -> csr_array:
    """The n × n sparse matrix that holds `value` of each pair at (a, b) and at (b, a)."""
    from scipy.sparse import csr_array

    ends = np.concatenate([a, b]), np.concatenate([b, a])
    return csr_array((np.concatenate([value, value]), ends), shape=(n, n))


def group(labels: np.ndarray, k: int, values: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Values by label, order kept: those of label i are ``values[starts[i]:starts[i + 1]]``; linear time.

    Examples
    --------
    >>> starts, values = group(np.array([2, 0, 2]), 3)
    >>> starts.tolist(), values.tolist()
    ([0, 1, 1, 3], [1, 0, 2])
    """
    # A radix sort by 16 bits at a time, which is how numpy sorts such numbers; labels have at most 32.
    order = np.argsort(labels.astype(np.uint16), kind="stable")
    if k > 1 << 16:
        order = order[np.argsort((labels >> 16).astype(np.uint16)[order], kind="stable")]
    starts = np.append(0, np.cumsum(np.bincount(labels, minlength=k)))
    return starts, order if values is None else values[order]
