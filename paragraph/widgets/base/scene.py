"""The scene of a live picture: some clusters open (as sentences), some closed (as one node).

A node's key is ``"n12"`` for sentence 12 and ``"c3"`` for cluster 3; both survive from one scene to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...draw.layout import bends
from ...draw.style import line
from ...draw.text import oneline, shorten, wrap
from ...draw.view import Drawn, View, nearest
from ...graph.clusters import communities, outwards
from ...graph.distance import distance as distance_of
from ...graph.distance import path_lengths
from ...graph.pairspace import inferred_among
from .places import place_nodes, positive_ties

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph

__all__ = ["Scene", "inferred_labels", "label", "make_scene", "still_view"]

SPACING = 95  # pixels between neighbouring sentences
NEIGHBOURS = 40  # closed clusters shown around the open ones
INFERRED = 6_000  # inferred labels drawn at most, the nearest first


@dataclass(frozen=True)
class Scene:
    """Nodes, stated labels between them, and what had to be left out."""

    opened: tuple[int, ...] = ()  #: clusters shown as sentences, the main one first
    closed: tuple[int, ...] = ()  #: clusters shown as one node
    sentences: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))  #: nodes of the graph shown
    nodes: list[dict[str, Any]] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)
    note: str = ""

    def spots(self, placed: dict[str, list[float]]) -> dict[str, tuple[float, float]]:
        """Return the place of each node, by key, in pixels; `placed` holds those that were put elsewhere by hand."""
        return {node["key"]: tuple(placed.get(node["key"], (node["x"], node["y"]))) for node in self.nodes}


def make_scene(
    graph: ParaphraseGraph,
    opened: tuple[int, ...],
    closed: tuple[int, ...],
    limit: int = 300,
    seed: int = 0,
    wanted: tuple[int, ...] = (),
    neighbours: int = NEIGHBOURS,
    steps: int = 1,
) -> Scene:
    """The scene of some open and closed clusters, with the neighbours of these closed around them; of `steps` 2 also
    the neighbours of those.

    Of an open cluster with more than `limit` sentences, those in conflict are shown and those nearest to the first
    `wanted` sentence, else to the best connected one. Of more than `neighbours` neighbouring clusters, those joined
    by most negatives are shown. The note says what was left out. The sentences of a cluster come in order: community
    by community (`group`), from the best connected outwards.
    """
    notes: list[str] = []
    members = [_shown(graph, c, limit, wanted, notes) for c in opened]
    around = closed
    for _ in range(steps):
        around = _neighbours(graph, opened, around, neighbours, notes)
    inside = np.zeros(graph.n, dtype=bool)
    inside[[node for nodes in members for node in nodes]] = True
    edges = _stated(graph, inside) + _bundles(graph, inside, around)
    groups = []
    for i, nodes in enumerate(members):
        ties = positive_ties(nodes, edges)
        group = communities(len(nodes), ties)
        order = outwards(group, ties)
        members[i] = nodes[order]
        groups.append(group[order])
    sentences = np.concatenate([Scene().sentences, *members])
    conflicting = {key for edge in edges if edge["layer"] == "conflicts" for key in (edge["from"], edge["to"])}

    nodes = []
    group = [int(one) for part in groups for one in part]
    parts = {cluster: int(of_it.max()) + 1 for cluster, of_it in zip(opened, groups, strict=True)}
    for node, text, part in zip(sentences.tolist(), graph.texts(sentences), group, strict=True):
        key, home = f"n{node}", int(graph.cluster_of[node])
        nodes.append(
            {
                "key": key, "text": text, "label": label(text), "size": 1, "conflict": key in conflicting,
                "home": home, "group": part, "parts": parts[home],
            }
        )  # fmt: skip
    starts, order = graph.cluster_members
    for cluster, text in zip(around, graph.texts(order[starts[list(around)]]) if around else [], strict=True):
        size = int(graph.cluster_sizes[cluster])
        count = f"{size:,} sentence{'s' * (size != 1)}"
        nodes.append(
            {
                "key": f"c{cluster}", "text": f"Cluster {cluster}, {count}: {text}", "size": size, "cluster": cluster,
                "label": f"{shorten(oneline(text), 26)}\n{count}", "conflict": False,
            }
        )  # fmt: skip
    for node, (x, y) in zip(nodes, place_nodes(members, groups, around, edges, seed), strict=True):
        node["x"], node["y"] = round(float(x) * SPACING, 1), round(float(-y) * SPACING, 1)
    return Scene(opened, around, sentences, nodes, edges, " ".join(notes))


def inferred_labels(graph: ParaphraseGraph, scene: Scene, sign: int, distance: str) -> tuple[np.ndarray, int]:
    """Inferred labels between the sentences of a scene: rows ``(a, b, distance)``, nearest first; how many in all.

    At most 6,000 rows. None where closure makes no sense. O(s²) for s sentences shown.
    """
    shown = scene.sentences[:0] if graph.bipartite else scene.sentences
    i, j, used = inferred_among(graph, shown, sign)
    far = distance_of(used, sign, distance)
    nearest_first = np.argsort(far, kind="stable")[:INFERRED]
    return np.stack([shown[i], shown[j], far], axis=1)[nearest_first], len(far)


def label(text: str) -> str:
    """A sentence in at most two short lines; the picture shows the whole of it on hover."""
    lines = wrap(shorten(oneline(text), 44), 24)
    return "\n".join(lines if len(lines) <= 2 else [lines[0], lines[1].rstrip("…") + "…"])


def _shown(graph: ParaphraseGraph, cluster: int, limit: int, wanted: tuple[int, ...], notes: list[str]) -> np.ndarray:
    """The sentences of an open cluster that are drawn."""
    members = graph.members(cluster)
    if len(members) <= limit:
        return members
    mine = np.array([node for node in wanted if graph.cluster_of[node] == cluster], dtype=np.int64)
    if len(mine):
        _, far = path_lengths(graph, mine[:1])
        far[np.searchsorted(members, mine)] = -1  # members are sorted
        near = members[np.argsort(far, kind="stable")[:limit]]
    else:
        near = nearest(graph, members, limit)
    conflicts = np.flatnonzero(graph.within & (graph.edge_clusters[0] == cluster))[: limit // 4]
    picked = np.unique(np.concatenate([graph.edge_a[conflicts], graph.edge_b[conflicts], near]))
    notes.append(
        f"{len(picked):,} of the {len(members):,} sentences of cluster {cluster} are shown: those in conflict, and "
        f"the nearest to the {'chosen' if len(mine) else 'best connected'} one."
    )
    return picked


def _neighbours(
    graph: ParaphraseGraph, opened: tuple[int, ...], closed: tuple[int, ...], most: int, notes: list[str]
) -> tuple[int, ...]:
    """The clusters asked for closed, and those a stated negative joins to one of these or to an open one."""
    (a, b, n), k = graph.links, len(graph.cluster_sizes)
    centre = np.zeros(k, dtype=bool)
    centre[[*opened, *closed]] = True
    out, back = centre[a] & ~centre[b], centre[b] & ~centre[a]
    count = np.bincount(b[out], n[out], k) + np.bincount(a[back], n[back], k)
    ranked = np.flatnonzero(count)
    ranked = ranked[np.argsort(-count[ranked], kind="stable")].tolist()
    if len(ranked) > most > 0:
        notes.append(f"{most} of {len(ranked):,} neighbouring clusters are shown: those with most negatives.")
    return (*(c for c in closed if c not in opened), *ranked[:most])


def _stated(graph: ParaphraseGraph, inside: np.ndarray) -> list[dict[str, Any]]:
    """The stated labels between the sentences shown."""
    drawn = []
    for edge in np.flatnonzero(inside[graph.edge_a] & inside[graph.edge_b]).tolist():
        a, b, sign = int(graph.edge_a[edge]), int(graph.edge_b[edge]), int(graph.edge_sign[edge])
        yes, no = int(graph.edge_n_positive[edge]), int(graph.edge_n_negative[edge])
        text, layer = ("a paraphrase", "positive") if sign > 0 else ("not a paraphrase", "negative")
        if yes and no:
            text += f", stated both ways ({yes} for, {no} against)"
        if graph.within[edge]:
            text += ", yet a positive path joins the two"
        drawn.append(
            {
                "id": f"e{edge}", "from": f"n{a}", "to": f"n{b}", "a": a, "b": b, "sign": sign, "count": 1,
                "layer": "conflicts" if graph.conflicting[edge] else layer, "text": f"{text}. Click to see why.",
            }
        )  # fmt: skip
    return drawn


def _bundles(graph: ParaphraseGraph, inside: np.ndarray, around: tuple[int, ...]) -> list[dict[str, Any]]:
    """Stated negatives to closed clusters, those between the same two nodes of the picture as one line."""
    closed = np.zeros(len(graph.cluster_sizes), dtype=bool)
    closed[list(around)] = True
    across = (graph.edge_sign < 0) & ~graph.within
    ends = []
    for end in (graph.edge_a[across], graph.edge_b[across]):
        home = graph.cluster_of[end]
        ends.append(np.where(inside[end], end, np.where(closed[home], graph.n + home, -1)))  # sentences come first
    low, high = np.minimum(*ends), np.maximum(*ends)
    drawn = (low >= 0) & (high >= graph.n)
    pairs, counts = np.unique(np.stack([low[drawn], high[drawn]]), axis=1, return_counts=True)
    lines = []
    for one, other, count in zip(*pairs.tolist(), counts.tolist(), strict=True):
        cluster, negatives = other - graph.n, f"{count} stated negative{'s' * (count > 1)}"
        if one < graph.n:
            name, start, text = f"x{one}-{cluster}", f"n{one}", f"{negatives} to cluster {cluster}"
        else:
            one -= graph.n
            name, start, text = f"l{one}-{cluster}", f"c{one}", f"{negatives} between clusters {one} and {cluster}"
        lines.append(
            {
                "id": name, "from": start, "to": f"c{cluster}", "sign": -1, "layer": "negative", "count": count,
                "text": f"{text}. Click to read.",
            }
        )  # fmt: skip
    return lines


def still_view(
    scene: Scene,
    title: str,
    layers: dict[str, Any],
    inferred: list[tuple[str, str, int, int]],
    placed: dict[str, list[float]],
) -> View:
    """A scene with its visible layers, each node where it stands or was placed by hand."""
    spots = scene.spots(placed)
    number = {node["key"]: i for i, node in enumerate(scene.nodes)}
    drawn = [
        (number[a], number[b], line(sign, inferred=True), f"inferred, distance {far}")
        for a, b, sign, far in inferred
        if layers["inferred_positive" if sign > 0 else "inferred_negative"] and far <= layers["distance"]
    ]
    for edge in scene.edges:
        if layers[edge["layer"]]:
            # A question has no sign; a review gives it a kind of its own.
            kind = line(edge["sign"] or 1, conflict=edge["layer"] == "conflicts")
            drawn.append((number[edge["from"]], number[edge["to"]], kind, edge["text"].split(". Click")[0]))
    positions = np.array([spots[node["key"]] for node in scene.nodes]).reshape(-1, 2) / [SPACING, -SPACING]
    # Thousands of thin lines are not bent: nobody could follow them, and it takes long.
    curves = bends(positions, [(a, b) for a, b, *_ in drawn]) if len(drawn) <= 120 else [0.0] * len(drawn)
    edges = [Drawn(a, b, kind, bend, why) for (a, b, kind, why), bend in zip(drawn, curves, strict=True)]
    # A closed cluster is drawn as a node, but is none of the graph.
    nodes = np.array([int(node["key"][1:]) if node["key"][0] == "n" else -1 for node in scene.nodes], dtype=np.int64)
    return View(title, nodes, [node["text"] for node in scene.nodes], edges, positions)
