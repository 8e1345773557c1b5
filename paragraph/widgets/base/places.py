"""The places of the nodes of a scene: open clusters side by side, closed ones in a ring around them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...draw.layout import KAMADA_KAWAI, layout

__all__ = ["place_nodes", "positive_ties"]

GAP = 1.3  # between groups; the nearest sentences are about 1 apart
SHAPE = 1.35  # width over height that a picture tends to
STRETCH = 1.7  # but no axis is stretched by more


def positive_ties(nodes: np.ndarray, edges: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """The positive edges among the nodes of one cluster, each end by its place in `nodes`."""
    number = {int(node): i for i, node in enumerate(nodes)}
    return [(number[e["a"]], number[e["b"]]) for e in edges if e["sign"] > 0 and e.get("a") in number]


def place_nodes(
    members: list[np.ndarray],
    groups: list[np.ndarray],
    around: tuple[int, ...],
    edges: list[dict[str, Any]],
    seed: int,
) -> np.ndarray:
    """Positions of the sentences of each open cluster, then of the closed clusters: shape (number of nodes, 2).

    The first open cluster stands in the middle, communities (`groups`) pulled apart. A closed cluster stands near
    what it is joined to. A picture is wider than it is high, so what is flat or tall is pulled towards that shape.
    """
    if not members:
        number = {f"c{cluster}": i for i, cluster in enumerate(around)}
        return 2.2 * layout(len(around), [(number[e["from"]], number[e["to"]]) for e in edges], seed)
    placed: list[np.ndarray] = []
    for i, (nodes, group) in enumerate(zip(members, groups, strict=True)):
        ties = positive_ties(nodes, edges)
        points = 1.25 * _shaped(_spread(layout(len(nodes), ties, seed, group)))
        if i:
            # To the right and left of the first in turn, each beyond what stands there.
            side = 1 if i % 2 else -1
            reach = max(abs(float((side * p[:, 0]).max())) for p in placed)
            points[:, 0] += side * (reach + GAP + np.ptp(points[:, 0]) / 2 + 0.5)
        placed.append(points)
    points = np.concatenate(placed)
    return np.concatenate([points, _ring(points, members, around, edges)]) if around else points


def _ring(
    points: np.ndarray, members: list[np.ndarray], around: tuple[int, ...], edges: list[dict[str, Any]]
) -> np.ndarray:
    """Places of the closed clusters: evenly around the points, turned so that each is near what it is joined to."""
    spot = {f"n{node}": at for node, at in zip(np.concatenate(members).tolist(), points, strict=True)}
    low, high = points.min(axis=0), points.max(axis=0)
    centre = (low + high) / 2
    radii = np.maximum((high - low) / 2 * 1.15 + GAP, len(around) * 1.5 / (2 * np.pi))
    wish = np.zeros(len(around))
    for i, cluster in enumerate(around):
        tied = [spot[e["from"]] for e in edges if e["to"] == f"c{cluster}" and e["from"] in spot]
        if tied:
            across, up = (np.mean(tied, axis=0) - centre) / radii
            wish[i] = np.arctan2(up, across)
    order = np.lexsort((around, wish))
    angle = np.empty(len(around))
    angle[order] = np.arange(len(around)) * 2 * np.pi / len(around)
    angle += np.angle(np.exp(1j * (wish - angle)).sum())
    return centre + radii * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _shaped(points: np.ndarray) -> np.ndarray:
    """Points with the shorter side of their box stretched."""
    wide, high = np.ptp(points, axis=0)
    if min(wide, high) < 0.5:  # all in a row
        return points
    return points * [np.clip(SHAPE * high / wide, 1, STRETCH), np.clip(wide / high / SHAPE, 1, STRETCH)]


def _spread(points: np.ndarray) -> np.ndarray:
    """Points of which those less than 1 apart have pushed each other away.

    Springs alone leave most of a large cluster in one knot: its core is opened before.
    """
    from scipy.spatial import cKDTree

    if len(points) > KAMADA_KAWAI:
        points = _opened(points)
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


def _opened(points: np.ndarray) -> np.ndarray:
    """Each point half way to where its rank by distance from the centre would put it in an even disc."""
    away = points - points.mean(axis=0)
    reach = np.maximum(np.linalg.norm(away, axis=1), 1e-9)
    rank = np.argsort(np.argsort(reach, kind="stable"), kind="stable")
    even = np.sqrt((rank + 0.5) / len(points)) * reach.max()
    return away * ((reach + even) / (2 * reach))[:, None]
