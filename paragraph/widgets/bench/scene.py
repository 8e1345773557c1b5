"""What the live picture shows: some clusters open (as sentences), some closed (as one node), and where all stand.

A node's key is ``"n12"`` for sentence 12 and ``"c3"`` for cluster 3; both survive from one scene to the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...draw.layout import KAMADA_KAWAI, layout
from ...draw.lettering import oneline, shorten, wrap
from ...draw.view import nearest
from ...graph.distance import distance as distance_of
from ...graph.distance import path_lengths

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph

__all__ = ["Scene", "inferred_labels", "make_scene"]

SPACING = 95  # pixels between neighbouring sentences
NEIGHBOURS = 40  # closed clusters shown around the open ones
INFERRED = 6_000  # inferred labels drawn at most, the nearest first
GAP = 1.6  # between groups, in units of SPACING


@dataclass(frozen=True)
class Scene:
    """Nodes, stated labels between them, and what had to be left out."""

    opened: tuple[int, ...]  #: clusters shown as sentences, the main one first
    closed: tuple[int, ...]  #: clusters shown as one node
    sentences: np.ndarray  #: nodes of the graph that are shown
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]
    note: str


def make_scene(
    graph: ParaphraseGraph,
    opened: tuple[int, ...],
    closed: tuple[int, ...],
    limit: int = 300,
    seed: int = 0,
    wanted: tuple[int, ...] = (),
    neighbours: int = NEIGHBOURS,
) -> Scene:
    """The scene of some open and closed clusters, with the neighbours of the open ones closed around them.

    Of an open cluster with more than `limit` sentences the `wanted`, those in conflict and those nearest to the
    first wanted or best connected sentence are shown, of more than `neighbours` those held apart by
    most negatives; the note says so.
    """
    notes: list[str] = []
    members = [_shown(graph, c, limit, wanted, notes) for c in opened]
    sentences = np.concatenate([np.empty(0, dtype=np.int64), *members])
    around = _neighbours(graph, opened, closed, neighbours, notes)
    edges = _sentence_edges(graph, sentences) + _outward_edges(graph, sentences, around) + _links(graph, around)
    in_conflict = {key for edge in edges if edge["layer"] == "conflicts" for key in (edge["from"], edge["to"])}

    nodes = []
    for node, text in zip(sentences.tolist(), graph.texts(sentences), strict=True):
        key = f"n{node}"
        nodes.append({"key": key, "text": text, "label": _label(text), "size": 1, "conflict": key in in_conflict})
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
    for node, (x, y) in zip(nodes, _positions(graph, members, around, edges, seed), strict=True):
        node["x"], node["y"] = round(float(x) * SPACING, 1), round(float(-y) * SPACING, 1)
    return Scene(opened, around, sentences, nodes, edges, " ".join(notes))


def inferred_labels(graph: ParaphraseGraph, scene: Scene, sign: int, distance: str) -> tuple[np.ndarray, int]:
    """Inferred labels between the sentences of a scene: rows ``(a, b, distance)``, nearest first; how many in all.

    At most 6,000 rows. Positives inside the open clusters; negatives between open clusters that a stated negative
    joins; none where closure makes no sense. O(s²) for s sentences shown.
    """
    shown = scene.sentences
    if not len(shown) or graph.bipartite:
        return np.empty((0, 3), dtype=np.int64), 0
    first, _ = graph.cluster_members
    home = graph.cluster_of[shown]
    place = graph.places[shown] - first[home]
    found = []
    if sign > 0:
        for cluster in scene.opened:
            mine = np.flatnonzero(home == cluster)
            _, lengths = path_lengths(graph, shown[mine])
            table = lengths.reshape(len(mine), -1)[:, place[mine]]
            i, j = np.triu_indices(len(mine), 1)
            found.append((shown[mine][i], shown[mine][j], table[i, j]))
    else:
        across = (graph.edge_sign < 0) & ~graph.within
        for end in graph.edge_clusters:
            across &= np.isin(end, scene.opened)
        best: dict[tuple[int, int], np.ndarray] = {}
        for edge in np.flatnonzero(across).tolist():
            x, y = int(graph.edge_a[edge]), int(graph.edge_b[edge])
            if graph.cluster_of[x] > graph.cluster_of[y]:
                x, y = y, x
            pair = int(graph.cluster_of[x]), int(graph.cluster_of[y])
            left, right = (np.flatnonzero(home == cluster) for cluster in pair)
            _, from_x = path_lengths(graph, np.array([x]))
            _, from_y = path_lengths(graph, np.array([y]))
            used = from_x[place[left]][:, None] + from_y[place[right]][None, :]
            best[pair] = np.minimum(best[pair], used) if pair in best else used
        for pair, used in best.items():
            left, right = (np.flatnonzero(home == cluster) for cluster in pair)
            i, j = np.indices(used.shape).reshape(2, -1)
            found.append((shown[left][i], shown[right][j], used.ravel()))
    if not found:
        return np.empty((0, 3), dtype=np.int64), 0
    a, b, used = (np.concatenate(part) for part in zip(*found, strict=True))
    stated = {frozenset((e["a"], e["b"])) for e in scene.edges if "a" in e}
    if stated:
        keep = np.array(
            [frozenset(pair) not in stated for pair in zip(a.tolist(), b.tolist(), strict=True)], dtype=bool
        )
        a, b, used = a[keep], b[keep], used[keep]
    far = distance_of(used, sign, distance)
    nearest_first = np.argsort(far, kind="stable")[:INFERRED]
    return np.stack([a, b, far], axis=1)[nearest_first], len(a)


def _shown(graph: ParaphraseGraph, cluster: int, limit: int, wanted: tuple[int, ...], notes: list[str]) -> np.ndarray:
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
    inside = graph.edge_clusters[0] == cluster
    torn = np.flatnonzero(inside & graph.within)[: limit // 4]
    picked = np.unique(np.concatenate([graph.edge_a[torn], graph.edge_b[torn], near]))
    notes.append(
        f"{len(picked):,} of the {len(members):,} sentences of cluster {cluster} are shown: those in conflict, and "
        f"the nearest to the {'chosen' if len(mine) else 'best connected'} one."
    )
    return picked


def _neighbours(
    graph: ParaphraseGraph, opened: tuple[int, ...], closed: tuple[int, ...], most: int, notes: list[str]
) -> tuple[int, ...]:
    """The clusters asked for closed, and those a stated negative joins to one of these or to an open one."""
    links = graph.links
    centre = {*opened, *closed}
    near = np.isin(links.a, list(centre)) | np.isin(links.b, list(centre))
    count: dict[int, int] = {}
    for a, b, n in zip(links.a[near].tolist(), links.b[near].tolist(), links.count[near].tolist(), strict=True):
        for one in (a, b):
            if one not in centre:
                count[one] = count.get(one, 0) + n
    ranked = sorted(count, key=lambda c: (-count[c], c))
    if len(ranked) > most > 0:
        notes.append(f"{most} of {len(ranked):,} neighbouring clusters are shown: those with most negatives.")
    return (*(c for c in closed if c not in opened), *ranked[:most])


def _sentence_edges(graph: ParaphraseGraph, sentences: np.ndarray) -> list[dict[str, Any]]:
    inside = np.zeros(graph.n, dtype=bool)
    inside[sentences] = True
    drawn = []
    for edge in np.flatnonzero(inside[graph.edge_a] & inside[graph.edge_b]).tolist():
        a, b, sign = int(graph.edge_a[edge]), int(graph.edge_b[edge]), int(graph.edge_sign[edge])
        yes, no = int(graph.edge_n_positive[edge]), int(graph.edge_n_negative[edge])
        conflict = bool(graph.within[edge]) or (yes > 0 and no > 0)
        what = "a paraphrase" if sign > 0 else "not a paraphrase"
        if yes and no:
            what += f", stated both ways ({yes} for, {no} against)"
        if graph.within[edge]:
            what += ", yet a positive path joins the two"
        layer = "conflicts" if conflict else "positive" if sign > 0 else "negative"
        drawn.append(
            {
                "id": f"e{edge}", "from": f"n{a}", "to": f"n{b}", "a": a, "b": b, "sign": sign, "layer": layer,
                "count": 1, "text": f"{what}. Click to see why.",
            }
        )  # fmt: skip
    return drawn


def _outward_edges(graph: ParaphraseGraph, sentences: np.ndarray, around: tuple[int, ...]) -> list[dict[str, Any]]:
    """Stated negatives from a sentence to closed clusters, those to one cluster together."""
    inside = np.zeros(graph.n, dtype=bool)
    inside[sentences] = True
    count: dict[tuple[int, int], int] = {}
    for end, other in ((graph.edge_a, graph.edge_clusters[1]), (graph.edge_b, graph.edge_clusters[0])):
        out = np.flatnonzero((graph.edge_sign < 0) & ~graph.within & inside[end])
        out = out[np.isin(other[out], around)]
        for node, cluster in zip(end[out].tolist(), other[out].tolist(), strict=True):
            count[node, cluster] = count.get((node, cluster), 0) + 1
    return [
        {
            "id": f"x{node}-{cluster}", "from": f"n{node}", "to": f"c{cluster}", "sign": -1, "layer": "negative",
            "count": n, "text": f"{n} stated negative{'s' * (n > 1)} to cluster {cluster}. Click to read.",
        }
        for (node, cluster), n in sorted(count.items())
    ]  # fmt: skip


def _links(graph: ParaphraseGraph, around: tuple[int, ...]) -> list[dict[str, Any]]:
    """Stated negatives between closed clusters, those between the same two together."""
    links = graph.links
    both = np.flatnonzero(np.isin(links.a, around) & np.isin(links.b, around))
    return [
        {
            "id": f"l{a}-{b}", "from": f"c{a}", "to": f"c{b}", "sign": -1, "layer": "negative", "count": n,
            "text": f"{n} stated negative{'s' * (n > 1)} between clusters {a} and {b}. Click to read.",
        }
        for a, b, n in zip(links.a[both].tolist(), links.b[both].tolist(), links.count[both].tolist(), strict=True)
    ]  # fmt: skip


def _label(text: str) -> str:
    """A sentence in at most two short lines; the picture shows the whole of it on hover."""
    lines = wrap(shorten(oneline(text), 44), 24)
    return "\n".join(lines if len(lines) <= 2 else [lines[0], lines[1].rstrip("…") + "…"])


def _positions(
    graph: ParaphraseGraph, members: list[np.ndarray], around: tuple[int, ...], edges: list[dict], seed: int
) -> np.ndarray:
    """Open clusters side by side, the first in the middle; closed ones in a ring, near what they are joined to."""
    if not members:
        number = {f"c{cluster}": i for i, cluster in enumerate(around)}
        return 2.2 * layout(len(around), [(number[e["from"]], number[e["to"]]) for e in edges], seed)
    placed = []
    for i, nodes in enumerate(members):
        number = {int(node): j for j, node in enumerate(nodes)}
        ties = [(number[e["a"]], number[e["b"]]) for e in edges if "a" in e and e["sign"] > 0 and e["a"] in number]
        points = 1.25 * _spread(layout(len(nodes), ties, seed))
        if i:
            # To the right and left of the first in turn, each beyond what stands there.
            side = 1 if i % 2 else -1
            reach = max(abs(float(p[:, 0].max() if side > 0 else p[:, 0].min())) for p in placed)
            points = points + np.array([side * (reach + GAP + np.ptp(points[:, 0]) / 2 + 0.5), 0])
        placed.append(points)
    points = np.concatenate(placed)
    if not around:
        return points
    spot = {f"n{node}": at for node, at in zip(np.concatenate(members).tolist(), points, strict=True)}
    low, high = points.min(axis=0), points.max(axis=0)
    centre = (low + high) / 2
    radii = np.maximum((high - low) / 2 * 1.15 + GAP, len(around) * 1.5 / (2 * np.pi))
    wish = {}
    for cluster in around:
        tied = [spot[e["from"]] for e in edges if e["to"] == f"c{cluster}" and e["from"] in spot]
        away = (np.mean(tied, axis=0) - centre) / radii if tied else np.zeros(2)
        wish[cluster] = float(np.arctan2(away[1], away[0]))
    # As many places as clusters, evenly round, turned so that each is near where it wants to be.
    ring = sorted(around, key=lambda c: (wish[c], c))
    even = np.arange(len(ring)) * 2 * np.pi / len(ring)
    turn = np.angle(np.exp(1j * (np.array([wish[c] for c in ring]) - even)).sum())
    angle = dict(zip(ring, even + turn, strict=True))
    outer = np.array([centre + radii * [np.cos(angle[c]), np.sin(angle[c])] for c in around])
    return np.concatenate([points, outer])


def _spread(points: np.ndarray) -> np.ndarray:
    """Points with a dense core opened: springs alone leave most of a large cluster in one knot.

    Each is moved half way to where its rank by distance from the centre would put it in an even disc, then those
    less than 1 apart push each other away.
    """
    from scipy.spatial import cKDTree

    if len(points) <= KAMADA_KAWAI:
        return points
    away = points - points.mean(axis=0)
    reach = np.maximum(np.linalg.norm(away, axis=1), 1e-9)
    rank = np.argsort(np.argsort(reach, kind="stable"), kind="stable")
    even = np.sqrt((rank + 0.5) / len(points)) * reach.max()
    points = away * ((reach + even) / (2 * reach))[:, None]
    for _ in range(60):
        close = cKDTree(points).query_pairs(1, output_type="ndarray")
        if not len(close):
            break
        a, b = close[np.lexsort((close[:, 1], close[:, 0]))].T
        gap = points[b] - points[a]
        far = np.maximum(np.linalg.norm(gap, axis=1, keepdims=True), 1e-6)
        push = 0.4 * (1 - far) * gap / far
        np.add.at(points, b, push)
        np.subtract.at(points, a, push)
    return points
