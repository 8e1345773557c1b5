"""The sentences of a cluster that are drawn, and where they stand; the still twin of open clusters."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...draw.layout import KAMADA_KAWAI, communities, layout, outwards
from ...draw.style import Line, line
from ...draw.view import View, nearest, told
from ...graph import ParaphraseGraph

__all__ = ["Sketch", "Sketchbook", "beside", "sketch", "still_view"]

SPACING = 95  # pixels between neighbouring sentences; `scene.js` has the same
GAP = 1.3  # between open clusters; the nearest sentences are about 1 apart
SHAPE = 1.35  # width over height that a picture tends to
STRETCH = 1.7  # but no axis is stretched by more
KEPT = 20  # clusters
BENT = 120  # lines of a still picture: more are not bent, for nobody could follow them, and it takes long


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


# -- the still twin ------------------------------------------------------------------------------------------


def still_view(
    graph: ParaphraseGraph | None, sketches: tuple[Sketch, ...], title: str, layers: dict[str, Any],
    placed: dict[str, Any], inferred: list[tuple[Any, ...]], marks: dict[str, dict[str, Any]], kinds: dict[str, Line],
) -> View:  # fmt: skip
    """Return open clusters with their visible layers, each sentence at its place or where it was dragged.

    Parameters
    ----------
    inferred : list of (a, b, sign, distance) or (a, b, sign, distance, right)
        Labels between sentences, with the probability that each is right, in thousandths.
    marks : dict
        Lines that differ from the stated ones, or are not stated, by id: see `Review._marks`.
    kinds : dict
        Lines drawn in their own style, by their text.
    """
    spots = beside(sketches)
    number = {key: i for i, key in enumerate(spots)}
    drawn = [
        (
            number[f"n{a}"],
            number[f"n{b}"],
            line(sign, inferred=True, right=right[0] / 1000 if right else None),
            f"inferred, distance {far}{f', right with {right[0] / 1000:.3f}' if right else ''}",
        )
        for a, b, sign, far, *right in sorted(inferred, key=lambda label: label[4:])
        if far <= layers["distance"] and not (right and right[0] < round(1000 * layers["sure"]))
    ]
    lines = _stated(graph, sketches) if sketches else {}
    for id, mark in marks.items():
        lines[id] = lines.get(id, {}) | mark
    for one in lines.values():
        if "from" in one and layers[one["layer"]]:
            why = one["text"].split(". Click")[0]
            # A question has no sign; a review gives it its own kind.
            kind = kinds.get(why) or line(one["sign"] or 1, conflict=one["layer"] == "conflicts")
            drawn.append((number[one["from"]], number[one["to"]], kind, why))
    nodes = np.array([int(key[1:]) for key in spots], dtype=np.int64)
    places = np.array([placed.get(key, spot) for key, spot in spots.items()]).reshape(-1, 2) / [SPACING, -SPACING]
    parts, first = [], 0
    for one in sketches:
        groups = [np.flatnonzero(one.group == k) + first for k in range(one.group.max() + 1)]
        parts += [(k, part.tolist()) for k, part in enumerate(groups) if len(groups) > 1]
        first += len(one.nodes)
    texts = graph.texts(nodes) if len(nodes) else []
    return View.of(title, nodes, texts, drawn, places, most=BENT)._replace(parts=tuple(parts))


def _stated(graph: ParaphraseGraph, sketches: tuple[Sketch, ...]) -> dict[str, dict[str, Any]]:
    """Return the stated labels between the drawn sentences, as lines, by id."""
    edges, lines = graph.edges_among(np.concatenate([one.nodes for one in sketches])), {}
    for edge, (a, b) in zip(edges.tolist(), graph.ends(edges).T.tolist(), strict=True):
        sign = int(graph.edge_sign[edge])
        layer = "conflicts" if graph.conflicting[edge] else "positive" if sign > 0 else "negative"
        lines[f"e{edge}"] = {"from": f"n{a}", "to": f"n{b}", "sign": sign, "layer": layer, "text": told(graph, edge)}
    return lines
