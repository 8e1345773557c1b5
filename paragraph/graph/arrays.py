"""Arrays of pairs and groups: the few functions from which every graph of this package is built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = [
    "PART", "Allocate", "Array", "PairIndex", "connected", "draw_ranks", "first_nodes", "gathered", "group",
    "in_memory", "numbered", "pair_keys", "parts", "ramp", "symmetric",
]  # fmt: skip


Array = np.ndarray
#: Makes arrays of zeros, given a name (none if nobody needs the array later), a shape and a dtype.
Allocate = Callable[[str, int | tuple[int, ...], type], Array]
PART = 1 << 22  #: entries processed together, in some 0.3 GB


def in_memory(name: str, shape: int | tuple[int, ...], dtype: type) -> Array:
    """An array of zeros in memory; `store.coded.on_disk` keeps an array with a name as a file."""
    return np.zeros(shape, dtype)


def parts(n: int) -> Iterator[slice]:
    """The range from 0 to n, cut into slices of `PART` entries."""
    for start in range(0, n, PART):
        stop = min(start + PART, n)
        yield slice(start, stop)


def pair_keys(a: Array, b: Array, n: int) -> Array:
    """One number (int64) for each unordered pair of numbers below n."""
    low = np.minimum(a, b).astype(np.int64)
    high = np.maximum(a, b)
    return low * n + high


class PairIndex(NamedTuple):
    """Finds the place of an unordered pair among many: one sort, then O(log m) per pair."""

    n: int
    keys: Array  #: sorted `pair_keys`
    order: Array  #: place of each of them in the arrays that were indexed

    @classmethod
    def of(cls, a: Array, b: Array, n: int) -> PairIndex:
        """The index of the pairs ``a[i], b[i]``, which are distinct."""
        keys = pair_keys(a, b, n)
        order = np.argsort(keys)
        return cls(n, keys[order], order)

    def places(self, a: Array, b: Array) -> Array:
        """The place of each pair, or -1.

        Examples
        --------
        >>> PairIndex.of(np.array([0, 2]), np.array([1, 1]), 3).places(np.array([1, 0]), np.array([2, 2]))
        array([ 1, -1])
        """
        key = pair_keys(a, b, self.n)
        if not len(self.keys):
            return np.full(key.shape, -1)
        position = np.searchsorted(self.keys, key)
        position = np.minimum(position, len(self.keys) - 1)
        is_known = self.keys[position] == key
        return np.where(is_known, self.order[position], -1)


def first_nodes(
    n: int, pieces: Iterable[tuple[Array, Array]], allocate: Allocate = in_memory
) -> Array:
    """The first node of each node's connected part: int32; pairs come in pieces ``a, b``.

    O((n + m) log n). Each root is hooked to a lower root that a pair joins to it, until no pair
    joins two roots (after Shiloach and Vishkin 1982, J. Algorithms 3). Up to a million pairs this
    is as fast as scipy, whose import alone takes as long as a small command.
    """
    first = allocate("", n, np.int32)
    first[:] = np.arange(n, dtype=np.int32)
    for a, b in pieces:
        a = np.asarray(a, dtype=np.int32)
        b = np.asarray(b, dtype=np.int32)
        while len(a):
            _shorten(first, a)
            _shorten(first, b)
            a = first[a]
            b = first[b]
            apart = a != b
            a = a[apart]
            b = b[apart]
            low = np.minimum(a, b)
            high = np.maximum(a, b)
            np.minimum.at(first, high, low)
    _shorten(first, slice(None))
    return first


def _shorten(first: Array, nodes: Array | slice) -> None:
    """Point each of these nodes at the root of its tree."""
    parent = first[nodes]
    grandparent = first[parent]
    while not np.array_equal(grandparent, parent):
        first[nodes] = grandparent
        parent = grandparent
        grandparent = first[parent]


def numbered(first: Array) -> Array:
    """The number of each node's connected part, in order of their first nodes: int32."""
    is_first = first == np.arange(len(first), dtype=np.int32)
    number = np.cumsum(is_first, dtype=np.int32) - 1
    return number[first]


def connected(n: int, a: Array, b: Array) -> Array:
    """The number of each node's connected part, given pairs of nodes: int32 (see `first_nodes`).

    Examples
    --------
    >>> connected(5, np.array([4, 2]), np.array([1, 4])).tolist()
    [0, 1, 1, 2, 1]
    """
    return numbered(first_nodes(n, [(a, b)]))


def symmetric(n: int, a: Array, b: Array, value: Array) -> csr_array:
    """The n × n sparse matrix that holds `value` of each pair at (a, b) and at (b, a)."""
    from scipy.sparse import csr_array

    row = np.concatenate([a, b])
    column = np.concatenate([b, a])
    both = np.concatenate([value, value])
    return csr_array((both, (row, column)), shape=(n, n))


def group(labels: Array, k: int, values: Array | None = None) -> tuple[Array, Array]:
    """Values by label, in their order: those of label i are ``values[starts[i]:starts[i + 1]]``; linear time.

    Examples
    --------
    >>> starts, values = group(np.array([2, 0, 2]), 3)
    >>> starts.tolist(), values.tolist()
    ([0, 1, 1, 3], [1, 0, 2])
    """
    # numpy sorts 16-bit numbers in linear time; labels have 32 bits at most, so two such sorts do
    order = np.argsort(labels.astype(np.uint16), kind="stable")
    if k > 1 << 16:
        high = (labels >> 16).astype(np.uint16)
        order = order[np.argsort(high[order], kind="stable")]
    count = np.bincount(labels, minlength=k)
    stops = np.cumsum(count)
    starts = np.append(0, stops)
    if values is None:
        return starts, order
    return starts, values[order]


def gathered(groups: tuple[Array, Array], labels: Array) -> tuple[Array, Array]:
    """Look up labels in a result of `group`: the number of values of each, and all these values.

    Examples
    --------
    >>> [part.tolist() for part in gathered((np.array([0, 1, 1, 3]), np.array([1, 0, 2])), np.array([2, 1, 0]))]
    [[2, 0, 1], [0, 2, 1]]
    """
    starts, values = groups
    first = starts[labels]
    count = starts[labels + 1] - first
    places = np.repeat(first, count) + ramp(count)
    return count, values[places]


def ramp(counts: Array) -> Array:
    """Count from 0 to below each count, one count after another: 2 and 3 give 0 1 0 1 2."""
    stops = np.cumsum(counts)
    number = np.arange(counts.sum())
    return number - np.repeat(stops - counts, counts)


def draw_ranks(rng: np.random.Generator, population: int, k: int) -> Array:
    """Draw `k` distinct numbers below `population`, sorted; a small `k` needs little memory."""
    ranks = rng.choice(population, k, replace=False, shuffle=False)
    return np.sort(ranks)
