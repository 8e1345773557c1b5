"""Parts of a cluster: bridges, whose loss splits it; blocks, which have none; and communities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from .arrays import Array, group

__all__ = ["blocks", "bridge_table", "bridges", "cluster_bridges", "communities"]

LEAST_NODES = 6  #: in fewer, communities are seen at a glance
#: A division with less counts as none (Newman and Girvan 2004: "in practice 0.3 to 0.7").
LEAST_MODULARITY = 0.3


class Walk(NamedTuple):
    """A depth-first walk over all nodes; a parent comes before its children."""

    place: Array  #: of each node in the walk
    above: list[int]  #: of each place, the place of its parent
    low: list[int]  #: of each place, the first place that an edge reaches from there or below
    size: Array  #: of each place, the number of nodes there and below


def depth_first(n: int, a: Array, b: Array) -> Walk:
    """Walk a graph of n nodes depth-first, with lowpoints (Hopcroft and Tarjan 1973, Algorithm 447).

    O(n + m), about 4 s per million edges. A node that is not connected to those before it is
    attached to the first. (scipy reads the neighbours of a node again after each child: n² steps
    for a star with n leaves.)
    """
    ends = np.concatenate([a, b])
    others = np.concatenate([b, a])
    starts, neighbours = group(ends, n, others)
    starts = starts.tolist()
    neighbours = neighbours.tolist()
    upcoming = starts[:-1]  # of each node, where its next neighbour stands
    place = np.full(n, -1).tolist()
    above = np.zeros(n, dtype=np.int64).tolist()
    next_place = 0
    for root in range(n):
        if place[root] >= 0:
            continue
        place[root] = next_place
        next_place += 1
        path = [root]
        while path:
            node = path[-1]
            if upcoming[node] == starts[node + 1]:
                path.pop()
                continue
            other = neighbours[upcoming[node]]
            upcoming[node] += 1
            if place[other] < 0:
                above[next_place] = place[node]
                place[other] = next_place
                next_place += 1
                path.append(other)
    # low points: what the edges reach, and from the last place back what the parents inherit
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

    Two edges are in one block if and only if some simple cycle runs through both; a bridge lies on
    no cycle. So a question about cycles is answered block by block. O(n + m).

    Examples
    --------
    A triangle, a bridge, and another triangle:

    >>> blocks(6, np.array([0, 1, 2, 2, 3, 4, 5]), np.array([1, 2, 0, 3, 4, 5, 3]))
    array([ 0,  0,  0, -1,  1,  1,  1])
    """
    if not len(a):
        return np.empty(0, dtype=np.int64)
    walk = depth_first(n, a, b)
    return _blocks_of(walk, a, b)


def _blocks_of(walk: Walk, a: Array, b: Array) -> Array:
    n = len(walk.low)
    # of each place, the block of the edge to its parent, named by that block's second place
    head = list(range(n))
    for i in range(1, n):
        if walk.low[i] < walk.above[i]:
            head[i] = head[walk.above[i]]
    below = np.maximum(walk.place[a], walk.place[b])  # of two ends, the one below carries the edge
    head_of_edge = np.array(head)[below]
    _, block, size = np.unique(head_of_edge, return_inverse=True, return_counts=True)
    is_block = size > 1  # an edge alone is a bridge
    number = np.cumsum(is_block) - 1
    number[~is_block] = -1
    return number[block]


def bridges(n: int, a: Array, b: Array) -> tuple[Array, Array]:
    """Find the edges that are bridges, and the number of nodes on one side of each, in time O(n + m).

    Examples
    --------
    >>> [each.tolist() for each in bridges(5, np.array([0, 1, 2, 3]), np.array([1, 2, 0, 2]))]
    [[3], [1]]
    """
    walk = depth_first(n, a, b)
    block = _blocks_of(walk, a, b)
    bridge = np.flatnonzero(block < 0)
    below = np.maximum(walk.place[a[bridge]], walk.place[b[bridge]])
    return bridge, walk.size[below]


def cluster_bridges(graph, cluster: int) -> tuple[Array, Array]:
    """Find the edges that are bridges of a cluster, and the size of the smaller side of each."""
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
    bridge, smaller = cluster_bridges(graph, cluster)
    order = np.argsort(-smaller, kind="stable")[:n]
    edges = bridge[order]
    table = graph.pair_texts(*graph.ends(edges))
    table["smaller"] = smaller[order]
    table["rows"] = [graph.source_rows(edge) for edge in edges]
    table.attrs["bridges"] = len(bridge)
    return table


def communities(n: int, edges: Iterable[tuple[int, int]]) -> tuple[Array, list[int]]:
    """The community of each of the nodes ``0..n-1``, and the nodes community by community.

    Communities are numbered from 0, the largest first; all nodes are in community 0 where none
    stands out. The method is that of Blondel et al. (2008, *Fast unfolding of communities in large
    networks*); its division counts from a modularity of 0.3. In each community the best connected
    node comes first.

    Examples
    --------
    >>> community, order = communities(6, [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)])
    >>> community.tolist(), order
    ([0, 0, 0, 1, 1, 1], [2, 0, 1, 3, 4, 5])
    """
    import networkx as nx

    community = np.zeros(n, dtype=np.int64)
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(sorted(edges))
    if n >= LEAST_NODES and graph.edges:
        parts = nx.community.louvain_communities(graph, seed=0)
        if nx.community.modularity(graph, parts) >= LEAST_MODULARITY:
            parts = sorted(parts, key=lambda part: (-len(part), min(part)))
            for number, part in enumerate(parts):
                community[list(part)] = number
    order = sorted(graph, key=lambda node: (community[node], -graph.degree[node], node))
    return community, order
