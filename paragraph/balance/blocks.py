"""Blocks (biconnected components): the parts of a graph that share no cycle."""

from __future__ import annotations

import numpy as np

from ..graph.arrays import connected

__all__ = ["blocks"]


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
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import depth_first_order

    m = len(a)
    if not m:
        return np.empty(0, dtype=np.int64)
    # A node of its own, joined once to every component, makes one tree of the forest and no new cycle.
    _, first = np.unique(connected(n, a, b), return_index=True)
    ends = np.concatenate([a, b, np.full(len(first), n)]), np.concatenate([b, a, first])
    tree = coo_array((np.ones(len(ends[0])), ends), shape=(n + 1, n + 1)).tocsr()
    order, parent = depth_first_order(tree, n, directed=True)
    place = np.empty(n + 1, dtype=np.int64)
    place[order] = np.arange(n + 1)
    above = np.concatenate([[0], place[parent[order[1:]]]]).tolist()

    # Everything below counts nodes by their place in the walk, where a parent comes before its children.
    x, y = place[a], place[b]
    reach = np.arange(n + 1)
    np.minimum.at(reach, np.maximum(x, y), np.minimum(x, y))
    low = reach.tolist()
    for i in range(n, 0, -1):
        low[above[i]] = min(low[above[i]], low[i])
    head = list(range(n + 1))
    for i in range(1, n + 1):
        if low[i] < above[i]:
            head[i] = head[above[i]]
    found = np.array(head)[np.maximum(x, y)]  # of two ends, the one below carries the edge
    _, label, size = np.unique(found, return_inverse=True, return_counts=True)
    number = np.where(size > 1, np.cumsum(size > 1) - 1, -1)
    return number[label]
