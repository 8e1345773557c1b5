"""The sentences of open clusters, the labels stated between them, and where they stand.

A node's key is ``"n12"`` for sentence 12 and ``"c3"`` for cluster 3; both survive from one scene to the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...draw.layout import KAMADA_KAWAI, communities, layout, outwards
from ...draw.style import line
from ...draw.text import oneline, shorten, wrap
from ...draw.view import View, nearest, told
from ...graph import ParaphraseGraph
from ...graph.distance import distance as distance_of
from ...graph.pairspace import inferred_among
from .why import Plain

__all__ = ["Scene", "inferred_labels", "make_scene", "still_view"]

SPACING = 95  # pixels between neighbouring sentences
INFERRED = 6_000  # inferred labels drawn at most, the nearest first
BENT = 120  # lines of a still picture: more are not bent, for nobody could follow them, and it takes long
GAP = 1.3  # between open clusters; the nearest sentences are about 1 apart
SHAPE = 1.35  # width over height that a picture tends to
STRETCH = 1.7  # but no axis is stretched by more


@dataclass(frozen=True)
class Scene:
    """Nodes, stated labels between them, and what had to be left out."""

    opened: tuple[int, ...] = ()  #: the main cluster first
    sentences: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))  #: nodes of the graph shown
    nodes: list[Plain] = field(default_factory=list)
    edges: list[Plain] = field(default_factory=list)
    note: str = ""

    def spots(self, placed: dict[str, list[float]]) -> dict[str, tuple[float, float]]:
        """Return the place of each node, by key, in pixels; `placed` holds those that were put elsewhere by hand."""
        return {node["key"]: tuple(placed.get(node["key"], (node["x"], node["y"]))) for node in self.nodes}

    def drawn(self, keys: Iterable[str]) -> list[str]:
        """Return those of some keys that are of nodes shown, each once."""
        known = {node["key"] for node in self.nodes}
        return [key for key in dict.fromkeys(map(str, keys)) if key in known]


def make_scene(
    graph: ParaphraseGraph,
    opened: tuple[int, ...],
    limit: int = 300,
    seed: int = 0,
    wanted: tuple[int, ...] = (),
) -> Scene:
    """Return the scene of open clusters, the first in the middle, the others to the right and left of it.

    Of a cluster with more than `limit` sentences, those in conflict are shown and those nearest to the first
    `wanted` sentence, else to the best connected one; the note says so. The sentences of a cluster come in order:
    community by community (`group`), from the best connected outwards.
    """
    notes: list[str] = []
    members = [_shown(graph, c, limit, wanted, notes) for c in opened]
    inside = np.concatenate([Scene().sentences, *members])
    edges = _stated(graph, graph.edges_at(opened), inside)
    conflicting = {key for edge in edges if edge["layer"] == "conflicts" for key in (edge["from"], edge["to"])}
    sentences, placed, nodes = Scene().sentences, [], []
    for cluster, some in zip(opened, members, strict=True):
        ties = _positive(some, edges)
        group = communities(len(some), ties)
        order = outwards(group, ties)
        some, group = some[order], group[order]
        sentences = np.concatenate([sentences, some])
        placed.append(_beside(_place_cluster(some, edges, group, seed), placed))
        for node, text, part in zip(some.tolist(), graph.texts(some), group.tolist(), strict=True):
            nodes.append(
                {
                    "key": f"n{node}", "text": text, "label": _label(text), "size": 1, "home": cluster, "group": part,
                    "conflict": f"n{node}" in conflicting, "parts": int(group.max()) + 1,
                }
            )  # fmt: skip
    for node, (x, y) in zip(nodes, np.concatenate([np.empty((0, 2)), *placed]), strict=True):
        node["x"], node["y"] = round(float(x) * SPACING, 1), round(float(-y) * SPACING, 1)
    return Scene(opened, sentences, nodes, edges, " ".join(notes))


def inferred_labels(graph: ParaphraseGraph, scene: Scene, sign: int, distance: str) -> tuple[np.ndarray, int]:
    """Return rows ``(a, b, distance)``, the inferred labels between the sentences of a scene; and how many there are.

    At most 6,000 rows, the nearest first. None where closure makes no sense. O(s²) for s sentences shown.
    """
    shown = scene.sentences[:0] if graph.bipartite else scene.sentences
    i, j, used = inferred_among(graph, shown, sign)
    far = distance_of(used, sign, distance)
    nearest_first = np.argsort(far, kind="stable")[:INFERRED]
    return np.stack([shown[i], shown[j], far], axis=1)[nearest_first], len(far)


def still_view(
    scene: Scene,
    title: str,
    layers: Plain,
    inferred: list[tuple[Any, ...]],
    placed: dict[str, list[float]],
) -> View:
    """Return a scene with its visible layers, each node where it stands or was placed by hand.

    `inferred` holds keys, sign and distance of each label, and how probably it is right, in thousandths, where known.
    """
    number = {node["key"]: i for i, node in enumerate(scene.nodes)}
    drawn = [
        (
            number[a],
            number[b],
            line(sign, inferred=True, right=right[0] / 1000 if right else None),
            f"inferred, distance {far}{f', right with {right[0] / 1000:.3f}' if right else ''}",
        )
        for a, b, sign, far, *right in sorted(inferred, key=lambda label: label[4:])
        if layers["inferred_positive" if sign > 0 else "inferred_negative"]
        and far <= layers["distance"]
        and not (right and right[0] < round(1000 * layers["sure"]))
    ]
    for edge in scene.edges:
        if layers[edge["layer"]]:
            # A question has no sign; a review gives it a kind of its own.
            kind = line(edge["sign"] or 1, conflict=edge["layer"] == "conflicts")
            drawn.append((number[edge["from"]], number[edge["to"]], kind, edge["text"].split(". Click")[0]))
    positions = np.array([*scene.spots(placed).values()]).reshape(-1, 2) / [SPACING, -SPACING]
    nodes = [int(node["key"][1:]) for node in scene.nodes]
    texts = [node["text"] for node in scene.nodes]
    parts: dict[tuple[int, int], list[int]] = {}
    for i, node in enumerate(scene.nodes):
        if node.get("parts", 1) > 1:
            parts.setdefault((node["home"], node["group"]), []).append(i)
    view = View.of(title, np.array(nodes, dtype=np.int64), texts, drawn, positions, most=BENT)
    return view._replace(parts=tuple((group, part) for (_, group), part in parts.items()))


# -- what is shown -----------------------------------------------------------------------------------------


def _label(text: str) -> str:
    """Return a sentence in at most two short lines; the picture shows the whole of it on hover."""
    lines = wrap(shorten(oneline(text), 44), 24)
    return "\n".join(lines if len(lines) <= 2 else [lines[0], lines[1].rstrip("…") + "…"])


def _shown(graph: ParaphraseGraph, cluster: int, limit: int, wanted: tuple[int, ...], notes: list[str]) -> np.ndarray:
    """Return the sentences of an open cluster that are drawn."""
    members = graph.members(cluster)
    if len(members) <= limit:
        return members
    mine = [node for node in wanted if graph.cluster_of[node] == cluster]
    near = nearest(graph, members, limit, mine)
    conflicts = graph.edges_at([cluster])
    conflicts = conflicts[graph.within[conflicts]][: limit // 4]
    picked = np.union1d(graph.ends(conflicts), near)
    notes.append(
        f"{len(picked):,} of the {len(members):,} sentences of cluster {cluster} are shown: those in conflict, and "
        f"the nearest to the {'chosen' if mine else 'best connected'} one."
    )
    return picked


def _stated(graph: ParaphraseGraph, edges: np.ndarray, inside: np.ndarray) -> list[Plain]:
    """Return those of some stated labels that are between the sentences shown."""
    drawn = []
    for edge in edges[np.isin(graph.ends(edges), inside).all(axis=0)].tolist():
        (a, b), sign = graph.ends(edge).tolist(), int(graph.edge_sign[edge])
        layer = "conflicts" if graph.conflicting[edge] else "positive" if sign > 0 else "negative"
        drawn.append(
            {
                "id": f"e{edge}", "from": f"n{a}", "to": f"n{b}", "a": a, "b": b, "sign": sign, "count": 1,
                "layer": layer, "text": f"{told(graph, edge)}. Click to see why.",
            }
        )  # fmt: skip
    return drawn


# -- where it stands: open clusters side by side -----------------------------------------------------------


def _positive(nodes: np.ndarray, edges: list[Plain]) -> list[tuple[int, int]]:
    """Return the positive edges among the nodes of one cluster, each end by its place in `nodes`."""
    number = {int(node): i for i, node in enumerate(nodes)}
    return [(number[e["a"]], number[e["b"]]) for e in edges if e["sign"] > 0 and e.get("a") in number]


def _place_cluster(nodes: np.ndarray, edges: list[Plain], group: np.ndarray, seed: int) -> np.ndarray:
    """Place the sentences of an open cluster, its communities pulled apart.

    A picture is wider than it is high, so the shorter side of one that is flat or tall is stretched.
    """
    points = _spread(layout(len(nodes), _positive(nodes, edges), seed, group))
    wide, high = np.ptp(points, axis=0)
    if min(wide, high) >= 0.5:  # else all stand in a row
        points = points * [np.clip(SHAPE * high / wide, 1, STRETCH), np.clip(wide / high / SHAPE, 1, STRETCH)]
    return np.round(1.25 * points * SPACING, 1) / SPACING  # what follows from places follows from those that are sent


def _beside(points: np.ndarray, placed: list[np.ndarray]) -> np.ndarray:
    """Move a cluster to the right or left of the first, in turn, beyond what stands there."""
    if placed:
        side = 1 if len(placed) % 2 else -1
        reach = max(abs(float((side * others[:, 0]).max())) for others in placed)
        points[:, 0] += side * (reach + GAP + np.ptp(points[:, 0]) / 2 + 0.5)
    return points


def _spread(points: np.ndarray) -> np.ndarray:
    """Push points that are less than 1 apart away from each other.

    Springs alone leave most of a large cluster in one knot: its core is opened before.
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
