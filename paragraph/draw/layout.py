"""The places of the nodes of a small signed graph, with clusters apart and the same picture per seed; communities."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

__all__ = ["bends", "communities", "layout", "outwards"]

LEAST = 6  # nodes: with fewer, communities that fall apart are seen at a glance
DIVIDED = 0.3  # modularity from which a division counts (Newman and Girvan 2004: "in practice 0.3 to 0.7")

#: Kamada–Kawai looks better and costs O(n³); a component with more nodes than this uses springs.
KAMADA_KAWAI = 60

GAP = 1.3  # between components
APART = 2.2  # length of an edge between two groups, where one inside a group has 1
CLEAR = 0.3  # what an edge keeps from nodes it does not join
THICKET = 200_000  # edges × nodes above which nobody could follow a bend, and it takes seconds to find one
BENDS = (0.0, 0.08, -0.08, 0.16, -0.16, 0.28, -0.28, 0.45, -0.45)


def layout(
    n: int, positive: Iterable[tuple[int, int]], seed: int = 0, groups: np.ndarray | None = None
) -> np.ndarray:
    """Positions of the nodes ``0..n-1``, shape (n, 2); the nearest neighbours are about 1 apart.

    Each connected component of the positive edges is laid out separately, with its long axis horizontal; components
    stand in rows, the largest first. Negative edges do not pull. Nodes of different `groups` (a number each) are
    pulled apart.

    Examples
    --------
    >>> positions = layout(5, [(0, 1), (1, 2), (3, 4)])
    >>> bool((positions == layout(5, [(0, 1), (1, 2), (3, 4)])).all())
    True
    >>> np.linalg.norm(positions[0] - positions[1]).round(1)
    np.float64(1.0)
    """
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    group = np.zeros(n, dtype=np.int64) if groups is None else groups
    graph.add_edges_from((a, b, {"length": 1.0 if group[a] == group[b] else APART}) for a, b in positive)
    parts = sorted((sorted(part) for part in nx.connected_components(graph)), key=lambda p: (-len(p), p[0]))
    positions = np.zeros((n, 2))
    placed = [_component(graph.subgraph(part), part, seed) for part in parts]
    for part, points, centre in zip(parts, placed, _pack(placed), strict=True):
        positions[part] = points + centre
    return positions


def _component(graph, nodes: list[int], seed: int) -> np.ndarray:
    """One connected component, centred, its principal axis horizontal, nearest neighbours about 1 apart."""
    import networkx as nx

    if len(nodes) == 1:
        return np.zeros((1, 2))
    if len(nodes) == 2:
        return np.array([[-0.5, 0.0], [0.5, 0.0]])
    # networkx visits the nodes in the order of the graph: make that order the sorted one.
    ordered = nx.Graph()
    ordered.add_nodes_from(nodes)
    for a, b, length in sorted((*sorted(edge[:2]), edge[2]) for edge in graph.edges(data="length")):
        ordered.add_edge(a, b, length=length, weight=length**-2)
    small = len(nodes) <= KAMADA_KAWAI
    found = nx.spring_layout(ordered, seed=seed, iterations=50 if small else 100)
    if small:
        found = nx.kamada_kawai_layout(ordered, pos=found, weight="length")
    points = np.array([found[node] for node in nodes])
    points -= points.mean(axis=0)
    _, _, axes = np.linalg.svd(points, full_matrices=False)
    axes *= np.where(axes[np.arange(2), np.abs(axes).argmax(axis=1)] < 0, -1, 1)[:, None]
    points = points @ axes.T
    points -= (points.max(axis=0) + points.min(axis=0)) / 2
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(gaps, np.inf)
    return points / max(float(np.median(gaps.min(axis=1))), 1e-9)


def _pack(parts: list[np.ndarray]) -> list[np.ndarray]:
    """A centre for each component: side by side in centred rows, about four wide to three high."""
    sizes = [np.ptp(points, axis=0) + GAP for points in parts]
    wide = max([np.sqrt(4 / 3 * sum(w * h for w, h in sizes)), *(w for w, _ in sizes)], default=0)
    rows: list[list[int]] = []
    for part, (width, _) in enumerate(sizes):
        if not rows or sum(sizes[i][0] for i in rows[-1]) + width > wide + 1e-9:
            rows.append([])
        rows[-1].append(part)
    centres, y = [], 0.0
    for row in rows:
        height = max(sizes[i][1] for i in row)
        x = -sum(sizes[i][0] for i in row) / 2
        for i in row:
            centres.append(np.array([x + sizes[i][0] / 2, y - height / 2]))
            x += sizes[i][0]
        y -= height
    return centres


def bends(positions: np.ndarray, edges: Iterable[tuple[int, int]]) -> list[float]:
    """Return how far to bend each edge so that it passes no node it does not join.

    A bend is the place of the control point of a quadratic curve: this share of the edge's length to the left of its
    middle, seen from its first end; 0 is a straight line, as most edges are. In a dense graph, all are straight.

    >>> bends(np.array([[0, 0], [1, 0], [2, 0]]), [(0, 1), (0, 2)])
    [0.0, 0.45]
    """
    ends = np.array(list(edges), dtype=np.int64).reshape(-1, 2)
    best, clearest = np.zeros(len(ends)), np.full(len(ends), -1.0)
    if len(positions) < 3 or len(ends) * len(positions) > THICKET:
        return best.tolist()
    open_ = np.arange(len(ends))
    for bend in BENDS:
        for some in np.array_split(open_, 1 + len(open_) * len(positions) // 10_000):
            clear = _clearance(positions, ends[some], bend)
            better = clear > clearest[some] + 0.02
            best[some[better]], clearest[some[better]] = bend, clear[better]
            clearest[some[clear >= CLEAR]] = np.inf  # nothing more to look for
        open_ = open_[np.isfinite(clearest[open_])]
    return best.tolist()


def _clearance(positions: np.ndarray, ends: np.ndarray, bend: float) -> np.ndarray:
    """Return the least distance between each bent edge and the nodes that it does not join."""
    t = np.linspace(0, 1, 25)[:, None]
    start, end = positions[ends[:, :1]], positions[ends[:, 1:]]
    across = np.stack([start[..., 1] - end[..., 1], end[..., 0] - start[..., 0]], axis=-1)
    control = (start + end) / 2 + bend * across
    curve = (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end
    far = np.linalg.norm(curve[:, :, None] - positions, axis=3).min(axis=1)
    np.put_along_axis(far, ends, np.inf, axis=1)
    return far.min(axis=1)


# -- communities inside a cluster ------------------------------------------------------------------------------


def communities(n: int, edges: Iterable[tuple[int, int]]) -> np.ndarray:
    """The community of each of the nodes ``0..n-1``, from 0, the largest first; all 0 where none stands out.

    Found by the method of Blondel et al. (2008, *Fast unfolding of communities in large networks*), if its division
    has a modularity of 0.3 or more.

    Parameters
    ----------
    edges : iterable of (int, int)
        Undirected; here the positive ones.

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
    parts = nx.community.louvain_communities(graph, seed=0)
    if nx.community.modularity(graph, parts) < DIVIDED:
        return found
    for number, part in enumerate(sorted(parts, key=lambda part: (-len(part), min(part)))):
        found[list(part)] = number
    return found


def outwards(group: np.ndarray, edges: Iterable[tuple[int, int]]) -> np.ndarray:
    """The nodes, community by community, each from its best connected node outwards (breadth first).

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
