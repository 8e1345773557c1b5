"""Blocks (biconnected components): the parts of a graph that share no cycle."""

from __future__ import annotations

import numpy as np

from ..graph.arrays import connected, symmetric
from .signed import SignedGraph
from .verdict import first_camps, misfits

__all__ = ["blocks", "unbalanced_blocks"]


def blocks(n: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The block of each edge, numbered from 0; -1 for a bridge, which lies on no cycle.

    Two edges are in one block if and only if some simple cycle runs through both. So whatever is asked of the
    cycles of a graph may be asked block by block.

    Notes
    -----
    O(n + m): lowpoints on a depth-first tree (Hopcroft and Tarjan 1973, Algorithm 447). scipy walks the tree.

    Examples
    --------
    A triangle, a bridge, and another triangle:

    >>> blocks(6, np.array([0, 1, 2, 2, 3, 4, 5]), np.array([1, 2, 0, 3, 4, 5, 3]))
    array([ 0,  0,  0, -1,  1,  1,  1])
    """
    from scipy.sparse.csgraph import depth_first_order

    m = len(a)
    if not m:
        return np.empty(0, dtype=np.int64)
    # Bridges from each component to the next make one tree of the forest and no new cycle. (Not all from one node:
    # scipy looks through the neighbours of a node again after each child.)
    _, first = np.unique(connected(n, a, b), return_index=True)
    ends = np.concatenate([a, first[:-1]]), np.concatenate([b, first[1:]])
    order, parent = depth_first_order(symmetric(n, *ends, np.ones(len(ends[0]))), 0)
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    above = np.append(0, place[parent[order[1:]]]).tolist()

    # Everything below counts nodes by their place in the walk, where a parent comes before its children.
    x, y = place[a], place[b]
    reach = np.arange(n)
    np.minimum.at(reach, np.maximum(x, y), np.minimum(x, y))
    low = reach.tolist()
    for i in range(n - 1, 0, -1):
        low[above[i]] = min(low[above[i]], low[i])
    head = list(range(n))
    for i in range(1, n):
        if low[i] < above[i]:
            head[i] = head[above[i]]
    found = np.array(head)[np.maximum(x, y)]  # of two ends, the one below carries the edge
    _, label, size = np.unique(found, return_inverse=True, return_counts=True)
    number = np.where(size > 1, np.cumsum(size > 1) - 1, -1)
    return number[label]


def unbalanced_blocks(signed: SignedGraph, kind: str) -> list[np.ndarray]:
    """The edges of each block that holds an unbalanced cycle, smallest first.

    An edge that does not fit the camps of a spanning forest closes an unbalanced cycle with edges of the forest, in
    its own block. Weak: the same holds of a negative inside a positive part; other negatives lie on no such cycle.
    """
    wrong = misfits(signed, first_camps(signed, kind))
    edges = np.flatnonzero(wrong | (signed.sign > 0) | (kind == "strong"))
    label = blocks(signed.n, signed.a[edges], signed.b[edges])
    order = np.argsort(label, kind="stable")
    each = np.split(edges[order], np.flatnonzero(np.diff(label[order])) + 1)
    return sorted((block for block in each if wrong[block].any()), key=len)
