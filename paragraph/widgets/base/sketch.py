"""The drawn sentences of a cluster, and their places."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...draw.layout import KAMADA_KAWAI, communities, layout, outwards
from ...draw.view import nearest
from ...graph import ParaphraseGraph

__all__ = ["Sketch", "Sketchbook", "beside", "sketch"]

SPACING = 95  # pixels between neighbouring sentences; `scene.js` has the same
GAP = 1.3  # between open clusters; the nearest sentences are about 1 apart
SHAPE = 1.35  # width over height that a picture tends to
STRETCH = 1.7  # but no axis is stretched by more
KEPT = 20  # clusters


class Sketch(NamedTuple):
    """The part of a cluster that is drawn."""

    cluster: int
    nodes: np.ndarray  #: community by community, from the best connected outwards
    group: np.ndarray  #: the number of its community, of each
    spots: np.ndarray  #: (number of nodes, 2), in pixels, downwards
    ties: list[tuple[int, int]]  #: positive labels, each end by its place in `nodes`
    note: str  #: what is left out


def sketch(
    graph: ParaphraseGraph, cluster: int, limit: int = 300, seed: int = 0, wanted: tuple[int, ...] = ()
) -> Sketch:
    """Lay out a cluster.

    Of a cluster with more than `limit` sentences, only those in conflict are drawn, and those nearest to the first
    `wanted` sentence, or else to the best connected one; the note says so.
    """
    nodes, note = _drawn(graph, cluster, limit, wanted)
    edges = graph.edges_at([cluster])
    ends = graph.ends(edges[graph.edge_sign[edges] > 0])
    ends = ends[:, np.isin(ends, nodes).all(axis=0)]
    ties = _numbered(nodes, ends)
    group = communities(len(nodes), ties)
    order = outwards(group, ties)
    nodes, group = nodes[order], group[order]
    ties = _numbered(nodes, ends)
    points = _spread(layout(len(nodes), ties, seed, group))
    wide, high = np.ptp(points, axis=0)
    if min(wide, high) >= 0.5:  # else all stand in a row; a picture is wider than it is high
        points = points * [np.clip(SHAPE * high / wide, 1, STRETCH), np.clip(wide / high / SHAPE, 1, STRETCH)]
    return Sketch(cluster, nodes, group, np.round(1.25 * points * [SPACING, -SPACING], 1), ties, note)


def beside(sketches: tuple[Sketch, ...]) -> dict[str, tuple[float, float]]:
    """Return the place of each sentence of open clusters, by its key, in pixels.

    The first cluster is in the middle, the others right and left of it in turn, as in `scene.js`.
    """
    placed: list[np.ndarray] = []
    for i, one in enumerate(sketches):
        spots = one.spots.copy()
        if placed:
            side = 1 if i % 2 else -1
            reach = max(abs(float((side * others[:, 0]).max())) for others in placed)
            spots[:, 0] += side * (reach + SPACING * (GAP + 0.5) + np.ptp(spots[:, 0]) / 2)
        placed.append(spots)
    keys = (f"n{node}" for one in sketches for node in one.nodes.tolist())
    return dict(zip(keys, map(tuple, np.round(np.concatenate([np.empty((0, 2)), *placed]), 1).tolist()), strict=True))


class Sketchbook:
    """The layouts of recently seen clusters: the next conflict of a cluster is mostly drawn already."""

    def __init__(self, graph: ParaphraseGraph | None, limit: int, seed: int):
        self.graph, self.limit, self.seed = graph, limit, seed
        self._kept: dict[int, Sketch] = {}  # by cluster, the last used last

    def of(self, nodes: list[int]) -> tuple[Sketch, ...]:
        """Find or lay out the clusters of some sentences, and draw all of these sentences."""
        homes = self.graph.cluster_of[nodes].tolist() if nodes else []
        for cluster in (clusters := dict.fromkeys(homes)):
            wanted = [node for node, home in zip(nodes, homes, strict=True) if home == cluster]
            kept = self._kept.pop(cluster, None)
            if kept is None or not {*wanted} <= {*kept.nodes.tolist()}:
                kept = sketch(self.graph, cluster, self.limit, self.seed, tuple(dict.fromkeys(wanted)))
            self._kept[cluster] = kept
        found = tuple(self._kept[cluster] for cluster in clusters)
        for cluster in list(self._kept)[:-KEPT]:
            del self._kept[cluster]
        return found


def _drawn(graph: ParaphraseGraph, cluster: int, limit: int, wanted: tuple[int, ...]) -> tuple[np.ndarray, str]:
    """Return the drawn sentences, and a note about the others."""
    members = graph.members(cluster)
    if len(members) <= limit:
        return members, ""
    mine = [node for node in wanted if graph.cluster_of[node] == cluster]
    near = nearest(graph, members, limit, mine)
    conflicts = graph.edges_at([cluster])
    conflicts = conflicts[graph.within[conflicts]][: limit // 4]
    picked = np.union1d(graph.ends(conflicts), near)
    return picked, (
        f"{len(picked):,} of the {len(members):,} sentences of cluster {cluster} are shown: those in conflict, and "
        f"the nearest to the {'chosen' if mine else 'best connected'} one."
    )


def _numbered(nodes: np.ndarray, ends: np.ndarray) -> list[tuple[int, int]]:
    """Return edges with their ends as places in `nodes`."""
    number = {node: i for i, node in enumerate(nodes.tolist())}
    return [(number[a], number[b]) for a, b in ends.T.tolist()]


def _spread(points: np.ndarray) -> np.ndarray:
    """Push points that are less than 1 apart away from each other.

    Springs alone leave most of a large cluster in one knot, so its core is opened first.
    """
    if len(points) > KAMADA_KAWAI:
        points = _opened(points)
    for _ in range(60):
        a, b = _close(points)
        if not len(a):
            break
        gap = points[b] - points[a]
        far = np.maximum(np.linalg.norm(gap, axis=1, keepdims=True), 1e-6)
        push = 0.4 * (1 - far) * gap / far
        np.add.at(points, b, push)
        np.subtract.at(points, a, push)
    return points


def _close(points: np.ndarray) -> np.ndarray:
    """Return the pairs of points at most 1 apart, shape (2, pairs), in order."""
    from scipy.spatial import KDTree

    pairs = KDTree(points).query_pairs(1, output_type="ndarray").T
    return pairs[:, np.lexsort(pairs[::-1])]


def _opened(points: np.ndarray) -> np.ndarray:
    """Move each point half way to where its rank by distance from the centre puts it in an even disc."""
    away = points - points.mean(axis=0)
    reach = np.maximum(np.linalg.norm(away, axis=1), 1e-9)
    rank = np.argsort(np.argsort(reach, kind="stable"), kind="stable")
    even = np.sqrt((rank + 0.5) / len(points)) * reach.max()
    return away * ((reach + even) / (2 * reach))[:, None]
