"""Communities inside a cluster, and an order of its sentences that keeps them together."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

__all__ = ["communities"]

LEAST = 6  # nodes: with fewer, communities that fall apart are seen at a glance
DIVIDED = 0.3  # modularity from which a division counts (Newman and Girvan 2004: "in practice 0.3 to 0.7")


def communities(n: int, edges: Iterable[tuple[int, int]]) -> tuple[np.ndarray, list[int]]:
    """The community of each of the nodes ``0..n-1``, and the nodes community by community.

    Communities are numbered from 0, the largest first; all are 0 where none stands out. They are found by the method
    of Blondel et al. (2008, *Fast unfolding of communities in large networks*), if its division has a modularity of
    0.3 or more. Each is ordered from its best connected node outwards (breadth first).

    Examples
    --------
    >>> group, order = communities(6, [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)])
    >>> group.tolist(), order
    ([0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 4, 5])
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
    across = [(a, b) for a, b in graph.edges if group[a] != group[b]]
    graph.remove_edges_from(across)

    def best(nodes: Iterable[int]) -> list[int]:
        return sorted(nodes, key=lambda node: (group[node], -graph.degree[node], node))

    order: dict[int, None] = {}
    for start in best(graph):
        if start in order:
            continue
        order[start] = None
        for _, node in nx.bfs_edges(graph, start, sort_neighbors=best):
            order[node] = None
    return group, list(order)
