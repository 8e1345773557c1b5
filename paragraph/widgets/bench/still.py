"""The still twin of a live picture: its nodes, labels and places as a view that can be drawn on paper."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...draw.layout import bends
from ...draw.style import line
from ...draw.view import Drawn, View
from .scene import SPACING, Scene

__all__ = ["still_view"]


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
