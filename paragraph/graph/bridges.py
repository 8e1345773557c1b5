"""Parts of a cluster: bridges that alone hold it together, blocks that hold without any, and communities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from .arrays import Array, group

__all__ = ["blocks", "bridge_table", "bridges", "cluster_bridges", "communities"]

LEAST = 6  # nodes: with fewer, communities that fall apart are seen at a glance
DIVIDED = 0.3  # modularity from which a division counts (Newman and Girvan 2004: "in practice 0.3 to 0.7")


class Walk(NamedTuple):
    """A depth-first walk over all nodes; a parent comes before its children."""

    place: Array  #: of each node in the walk
    above: list[int]  #: of each place, that of its parent
    low: list[int]  #: of each place, the first place that an edge reaches from there or below
    size: Array  #: of each place, the nodes there and below


def depth_first(n: int, a: Array, b: Array) -> Walk:
    """Walk a graph of n nodes depth-first, with lowpoints (Hopcroft and Tarjan 1973, Algorithm 447).

    O(n + m), about 4 s per million edges. A node that is not connected to those before it is attached to the first.
    (scipy goes through the neighbours of a node again after each child: n² times for a star with n leaves.)
    """
    ends = np.concatenate([a, b])
    starts, near = group(ends, n, np.concatenate([b, a]))
    starts = starts.tolist()
    near = near.tolist()
    left = starts[:-1]
    place = np.full(n, -1).tolist()
    above = np.zeros(n, dtype=np.int64).tolist()
    met = 0
    for root in range(n):
        if place[root] >= 0:
            continue
        place[root] = met
        met += 1
        path = [root]
        while path:
            node = path[-1]
            if left[node] == starts[node + 1]:
                path.pop()
                continue
            other = near[left[node]]
            left[node] += 1
            if place[other] < 0:
                above[met] = place[node]
                place[other] = met
                met += 1
                path.append(other)
    places = np.array(place, dtype=np.int64)
    first = np.minimum(places[a], places[b])
    last = np.maximum(places[a], places[b])
    reach = np.arange(n)
    np.minimum.at(reach, last, first)
    low = reach.tolist()
    size = np.ones(n, dtype=np.int64).tolist()
    for i in range(n - 1, 0, -1):
        parent = above[i]
        low[parent] = min(low[parent], low[i])
        size[parent] += size[i]
    return Walk(places, above, low, np.array(size, dtype=np.int64))


def blocks(n: int, a: Array, b: Array) -> Array:
    """Return the block (biconnected component) of each edge, numbered from 0; -1 for a bridge.

    Two edges are in one block if and only if some simple cycle runs through both; a bridge lies on no cycle. So
    questions about cycles can be answered block by block. O(n + m).

    Examples
    --------
    A triangle, a bridge, and another triangle:

    >>> blocks(6, np.array([0, 1, 2, 2, 3, 4, 5]), np.array([1, 2, 0, 3, 4, 5, 3]))
    array([ 0,  0,  0, -1,  1,  1,  1])
    """
    if not len(a):
        return np.empty(0, dtype=np.int64)
    return _blocks_of(depth_first(n, a, b), a, b)


def _blocks_of(walk: Walk, a: Array, b: Array) -> Array:
    n = len(walk.low)
    # of each place: the block that joins it to its parent, by its first place below the top
    head = list(range(n))
    for i in range(1, n):
        if walk.low[i] < walk.above[i]:
            head[i] = head[walk.above[i]]
    below = np.maximum(walk.place[a], walk.place[b])  # of two ends, the one below carries the edge
    head_of_edge = np.array(head)[below]
    _, label, size = np.unique(head_of_edge, return_inverse=True, return_counts=True)
    several = size > 1
    number = np.where(several, np.cumsum(several) - 1, -1)
    return number[label]


def bridges(n: int, a: Array, b: Array) -> tuple[Array, Array]:
    """Find the edges that are bridges, and the number of nodes on one side of each, in time O(n + m).

    Examples
    --------
    >>> [found.tolist() for found in bridges(5, np.array([0, 1, 2, 3]), np.array([1, 2, 0, 2]))]
    [[3], [1]]
    """
    walk = depth_first(n, a, b)
    found = np.flatnonzero(_blocks_of(walk, a, b) < 0)
    below = np.maximum(walk.place[a], walk.place[b])
    return found, walk.size[below[found]]


def cluster_bridges(graph, cluster: int) -> tuple[Array, Array]:
    """Find the bridges of a cluster, as edges of the graph, and the number of sentences on the smaller sides."""
    edges = graph.edges_at([cluster])
    edges = edges[graph.edge_sign[edges] > 0]
    n = len(graph.members(cluster))
    a, b = graph.place_in_cluster[graph.ends(edges)]
    bridge, below = bridges(n, a, b)
    return edges[bridge], np.minimum(below, n - below)


def bridge_table(graph, cluster: int, n: int | None = 40) -> pd.DataFrame:
    """The `n` pairs whose loss splits a cluster most evenly: `text_a`, `text_b`, `rows`, `smaller`.

    `smaller` is the number of sentences that a pair cuts off, ``.attrs["bridges"]`` the number of bridges. In a giant
    cluster of near duplicates, read the pairs at the top: they are few, and each alone makes one cluster out of two.
    """
    found, smaller = cluster_bridges(graph, cluster)
    order = np.argsort(-smaller, kind="stable")[:n]
    edges = found[order]
    table = graph.pair_texts(*graph.ends(edges))
    table["smaller"] = smaller[order]
    table["rows"] = [graph.source_rows(edge) for edge in edges]
    table.attrs["bridges"] = len(found)
    return table


def communities(n: int, edges: Iterable[tuple[int, int]]) -> tuple[Array, list[int]]:
    """The community of each of the nodes ``0..n-1``, and the nodes community by community.

    Communities are numbered from 0, the largest first; all are 0 where none stands out. They are found by the method
    of Blondel et al. (2008, *Fast unfolding of communities in large networks*), if its division has a modularity of
    0.3 or more. In each the best connected node comes first.

    Examples
    --------
    >>> group, order = communities(6, [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)])
    >>> group.tolist(), order
    ([0, 0, 0, 1, 1, 1], [2, 0, 1, 3, 4, 5])
    """
    import networkx as nx

    group = np.zeros(n, dtype=np.int64)
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(sorted(edges))
    if n >= LEAST and graph.edges:
        parts = nx.community.louvain_communities(graph, seed=0)
        if nx.community.modularity(graph, parts) >= DIVIDED:
            parts = sorted(parts, key=lambda part: (-len(part), min(part)))
            for number, part in enumerate(parts):
                group[list(part)] = number
    order = sorted(graph, key=lambda node: (group[node], -graph.degree[node], node))
    return group, order
