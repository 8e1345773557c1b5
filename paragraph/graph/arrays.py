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
    """The connected part each of n nodes lies in, numbered by their first node; linear time."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not n:
        return np.empty(0, np.int32)
    # scipy numbers parts in the order in which it meets their first node.
    return connected_components(coo_array((np.ones(len(a), np.int8), (a, b)), shape=(n, n)), directed=False)[1]


def symmetric(n: int, a: np.ndarray, b: np.ndarray, value: np.ndarray) -> csr_array:
    """The n × n sparse matrix that holds `value` of each pair at (a, b) and at (b, a)."""
    from scipy.sparse import csr_array

    ends = np.concatenate([a, b]), np.concatenate([b, a])
    return csr_array((np.concatenate([value, value]), ends), shape=(n, n))


def group(labels: np.ndarray, k: int, values: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Values by label, order kept: those of label i are ``values[starts[i]:starts[i + 1]]``; linear time."""
    from scipy.sparse import csr_array

    m = len(labels)
    if values is None:
        values = np.arange(m)
    # A counting sort: scipy's conversion to CSR places the entries of each row in the order given.
    matrix = csr_array((values, (labels, np.arange(m))), shape=(k, m))
    return matrix.indptr, matrix.data
