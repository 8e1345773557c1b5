"""Arrays of pairs and groups: the few functions that every graph of this package is built with."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["PairIndex", "connected", "group", "pair_keys", "symmetric"]


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
