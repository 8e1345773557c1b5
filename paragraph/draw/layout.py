"""The places of the nodes of a small graph."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

__all__ = ["layout"]

APART = 1.6  # length of an edge that joins what differs: less than two others, so that a cycle opens to a ring


def layout(
    n: int, near: Iterable[tuple[int, int]], apart: Iterable[tuple[int, int]] = ()
) -> np.ndarray:
    """Positions of the nodes ``0..n-1``, shape (n, 2), as far apart as the paths between them are long.

    An edge of `near` has length 1, one of `apart` 1.6; nodes that no path joins are one farther apart than all
    others. They are scaled so that most have a neighbour 1 apart; the longer side is horizontal.

    References
    ----------
    Kamada and Kawai (1989), An algorithm for drawing general undirected graphs.

    Examples
    --------
    >>> layout(3, [(0, 1), (1, 2)]).round(1)[:, 0].tolist() in ([-1, 0, 1], [1, 0, -1])
    True
    """
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(sorted(apart), length=APART)
    graph.add_edges_from(sorted(near), length=1.0)
    lengths = np.full((n, n), np.inf)
    for node, paths in nx.all_pairs_dijkstra_path_length(graph, weight="length"):
        lengths[node, list(paths)] = list(paths.values())
    joined = np.isfinite(lengths)
    lengths[~joined] = 1 + lengths[joined].max(initial=0)
    dist = {}
    for node, row in enumerate(lengths.tolist()):
        dist[node] = dict(enumerate(row))
    found = nx.kamada_kawai_layout(graph, dist=dist)
    points = np.array(list(found.values()))
    points = points.reshape(-1, 2)
    if n < 2:
        return points
    centred = points - points.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    ways = points[:, None] - points
    gaps = np.linalg.norm(ways, axis=2)
    np.fill_diagonal(gaps, np.inf)
    nearest = gaps.min(axis=1)
    return points @ axes.T / np.median(nearest)
