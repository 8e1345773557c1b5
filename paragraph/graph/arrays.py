"""Arrays of pairs and groups: the few functions from which every graph of this package is built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = [
    "PART", "Allocate", "Edges", "PairIndex", "clusters_of", "connected", "first_nodes", "gathered", "group",
    "in_memory", "numbered", "pair_keys", "parts", "ramp", "stated_edges", "symmetric",
]  # fmt: skip


#: Makes arrays of zeros, given a name (none if nobody needs the array later), a shape and a dtype.
Allocate = Callable[[str, int | tuple[int, ...], type], np.ndarray]
PART = 1 << 22  #: numbers that are looked at together: some .3 GB


def in_memory(name: str, shape: int | tuple[int, ...], dtype: type) -> np.ndarray:
    """An array of zeros in memory; `store.coded.on_disk` keeps an array with a name as a file."""
    return np.zeros(shape, dtype)


def parts(n: int) -> Iterator[slice]:
    """The numbers below n, in slices of `PART`."""
    return (slice(start, min(start + PART, n)) for start in range(0, n, PART))


def pair_keys(a: np.ndarray, b: np.ndarray, n: int) -> np.ndarray:
    """One number (int64) for each unordered pair of numbers below n."""
    return np.minimum(a, b).astype(np.int64) * n + np.maximum(a, b)


class PairIndex(NamedTuple):
    """Finds the place of an unordered pair among many: one sort, then O(log m) per pair."""

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
    """One entry per distinct unordered pair, in order of first appearance, oriented as first stated."""

    a: np.ndarray  #: node codes, one end
    b: np.ndarray  #: node codes, the other end
    sign: np.ndarray  #: int8, +1 paraphrase, -1 not: the stated label
    n_positive: np.ndarray  #: int32, rows with label 1
    n_negative: np.ndarray  #: int32, rows with label 0
    of_row: np.ndarray  #: for every row the edge of its pair, or -1 (a self-pair, or a pair without a label)


def stated_edges(a: np.ndarray, b: np.ndarray, sign: np.ndarray, n: int, allocate: Allocate = in_memory) -> Edges:
    """The stated label of each pair: the majority of its rows, the later row on a tie; linear time.

    Apart from the arrays that `allocate` makes, memory does not grow with the rows: they are processed part by part.

    Parameters
    ----------
    a, b : integer arrays, one entry per row
        Codes in ``0..n-1`` of the two sentences.
    sign : int8 array
        +1, -1, or 0 for a row without a label. Rows that pair a sentence with itself make no edge.
    allocate : callable
        Makes arrays of zeros, as `in_memory` does.

    Examples
    --------
    >>> edges = stated_edges(np.array([0, 1, 0, 2]), np.array([1, 0, 1, 2]), np.array([1, -1, -1, 1]), 3)
    >>> edges.a, edges.b, edges.sign, edges.n_positive, edges.n_negative
    (array([0]), array([1]), array([-1], dtype=int8), array([1], dtype=int32), array([2], dtype=int32))
    >>> edges.of_row
    array([ 0,  0,  0, -1], dtype=int32)
    """
    first = _first_rows(a, b, sign, n, allocate)
    begins = first == np.arange(len(a), dtype=np.int32)  # an edge begins in the row that is the first of its pair
    number = np.cumsum(begins, dtype=np.int32) - 1
    count = int(np.count_nonzero(begins))
    of_row = allocate("row_edge", len(a), np.int32)
    of_row[:] = np.where(first < 0, -1, number[first])
    kinds = {"a": a.dtype, "b": b.dtype, "sign": np.int8, "n_positive": np.int32, "n_negative": np.int32}
    edges = Edges(**{name: allocate(f"edge_{name}", count, kind) for name, kind in kinds.items()}, of_row=of_row)
    edges.a[:], edges.b[:] = a[begins], b[begins]
    for one, counted in ((1, edges.n_positive), (-1, edges.n_negative)):
        np.add.at(counted, of_row[(sign == one) & (of_row >= 0)], 1)
    given = (sign != 0) & (of_row >= 0)
    edges.sign[of_row[given]] = sign[given]  # of several the latest stays
    balance = edges.n_positive - edges.n_negative
    edges.sign[balance != 0] = np.sign(balance[balance != 0])
    return edges


def _first_rows(a: np.ndarray, b: np.ndarray, sign: np.ndarray, n: int, allocate: Allocate) -> np.ndarray:
    """For each row, the first row with a label of the same pair, or -1: int32."""
    first = allocate("", len(a), np.int32)
    first[a == b] = -1
    turns = 1 << (len(a) // PART).bit_length()
    for turn in range(turns):  # a pair has all its rows in one of them
        at = np.flatnonzero((np.minimum(a, b) & (turns - 1) == turn) & (a != b))
        keys = pair_keys(a[at], b[at], n)
        given = sign[at] != 0
        edge, distinct = pd.factorize(keys[given])  # numbered by first appearance
        firsts = np.append(at[given][np.diff(np.maximum.accumulate(edge), prepend=-1) > 0], -1)
        first[at[given]] = firsts[edge]
        if not given.all():  # other rows may give their pairs a label
            first[at[~given]] = firsts[pd.Index(distinct).get_indexer(keys[~given])]
    return first


def first_nodes(
    n: int, pieces: Iterable[tuple[np.ndarray, np.ndarray]], allocate: Allocate = in_memory
) -> np.ndarray:
    """The first node of the connected part of each of n nodes: int32; pairs come in pieces ``a, b``.

    O((n + m) log n): each root hooks itself to a lower one that a pair joins it to, until none has one (after
    Shiloach and Vishkin 1982, J. Algorithms 3). As fast as scipy up to a million pairs, without the time to load
    scipy, which is that of a small command.
    """
    first = allocate("", n, np.int32)
    first[:] = np.arange(n, dtype=np.int32)
    for a, b in pieces:
        a, b = (np.asarray(end, dtype=np.int32) for end in (a, b))
        while len(a):
            for ends in (a, b):
                _shorten(first, ends)
            a = first[a]
            b = first[b]
            apart = a != b
            a = a[apart]
            b = b[apart]
            np.minimum.at(first, np.maximum(a, b), np.minimum(a, b))
    _shorten(first, slice(None))
    return first


def _shorten(first: np.ndarray, nodes: np.ndarray | slice) -> None:
    """Point each of some nodes at the root of its tree."""
    here = first[nodes]
    while not np.array_equal(further := first[here], here):
        first[nodes] = here = further


def numbered(first: np.ndarray) -> np.ndarray:
    """Number connected parts by their first nodes: the number of each node's, int32."""
    return (np.cumsum(first == np.arange(len(first), dtype=np.int32), dtype=np.int32) - 1)[first]


def connected(n: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The connected part each of n nodes lies in, numbered by their first node: int32 (see `first_nodes`).

    Examples
    --------
    >>> connected(5, np.array([4, 2]), np.array([1, 4])).tolist()
    [0, 1, 1, 2, 1]
    """
    return numbered(first_nodes(n, [(a, b)]))


def clusters_of(edges: Edges, n: int, allocate: Allocate) -> tuple[np.ndarray, np.ndarray]:
    """Connected components of the positive edges: label of each node, sizes; by size, then first node."""
    positive = ((part, edges.sign[part] > 0) for part in parts(len(edges.sign)))
    label = numbered(
        first_nodes(n, ((edges.a[part][some], edges.b[part][some]) for part, some in positive), allocate)
    )
    sizes = np.bincount(label)
    # Components are numbered by their first node, so a stable sort by size keeps that order among equals.
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(sizes), dtype=np.int32)
    rank[order] = np.arange(len(sizes), dtype=np.int32)
    return rank[label], sizes[order]


def symmetric(n: int, a: np.ndarray, b: np.ndarray, value: np.ndarray) -> csr_array:
    """The n × n sparse matrix that holds `value` of each pair at (a, b) and at (b, a)."""
    from scipy.sparse import csr_array

    ends = np.concatenate([a, b]), np.concatenate([b, a])
    return csr_array((np.concatenate([value, value]), ends), shape=(n, n))


def group(labels: np.ndarray, k: int, values: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Values by label, in their order: those of label i are ``values[starts[i]:starts[i + 1]]``; linear time.

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


def gathered(groups: tuple[np.ndarray, np.ndarray], labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of values of each of some labels in the result of `group`, and the values, label after label.

    Examples
    --------
    >>> [part.tolist() for part in gathered((np.array([0, 1, 1, 3]), np.array([1, 0, 2])), np.array([2, 1, 0]))]
    [[2, 0, 1], [0, 2, 1]]
    """
    starts, values = groups
    count = starts[labels + 1] - starts[labels]
    return count, values[np.repeat(starts[labels], count) + ramp(count)]


def ramp(counts: np.ndarray) -> np.ndarray:
    """The numbers from 0 below each count, one count after another."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
