"""Communities inside a cluster: groups of a picture, and the order in which their nodes are placed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

__all__ = ["communities", "outwards"]

LEAST = 6  # nodes: with fewer, parts that fall apart are seen at a glance
APART = 0.3  # modularity from which a division counts (Newman and Girvan 2004: "in practice 0.3 to 0.7")


def communities(n: int, edges: Iterable[tuple[int, int]], seed: int = 0) -> np.ndarray:
    """The community of each of the nodes ``0..n-1``, from 0, the largest first; all 0 where none stands out.

    By the method of Blondel et al. (2008, *Fast unfolding of communities in large networks*), where its division
    has a modularity of 0.3 or more.

    Parameters
    ----------
    edges : iterable of (int, int)
        Undirected; here the positive ones.
    seed : int
        The same seed, the same communities.

    Examples
    --------
    >>> two = [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)]
    >>> communities(6, two).tolist(), communities(3, two[:3]).tolist()
    ([0, 0, 0, 1, 1, 1], [0, 0, 0])
    """
    import networkx as nx

    found, edges = np.zeros(n, dtype=np.int64), sorted(edges)
    if n < LEAST or not edges:
        return found
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    parts = nx.community.louvain_communities(graph, seed=seed)
    if nx.community.modularity(graph, parts) < APART:
        return found
    for number, part in enumerate(sorted(parts, key=lambda part: (-len(part), min(part)))):
        found[list(part)] = number
    return found


def outwards(group: np.ndarray, edges: Iterable[tuple[int, int]]) -> np.ndarray:
    """The nodes, community by community, in each from its best connected one outwards (breadth first).

    Examples
    --------
    >>> outwards(np.array([1, 0, 0, 0]), [(1, 2), (2, 3), (0, 1)]).tolist()
    [2, 1, 3, 0]
    """
    near: list[set[int]] = [set() for _ in group]
    for a, b in edges:
        if group[a] == group[b]:
            near[a].add(b)
            near[b].add(a)
    best = sorted(range(len(group)), key=lambda node: (group[node], -len(near[node]), node))
    order: dict[int, None] = {}
    for start in best:
        wave = [] if start in order else [start]
        while wave:
            order |= dict.fromkeys(wave)
            ahead = {other for node in wave for other in near[node]} - order.keys()
            wave = sorted(ahead, key=lambda node: (-len(near[node]), node))
    return np.array(list(order), dtype=np.int64)
