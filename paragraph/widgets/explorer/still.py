"""The still twin of an Explorer: its open clusters, on paper."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...draw.view import View
from ...graph.closure import Batch
from ...graph.distance import distance
from ...graph.pairspace import inferred_among
from ..base.sketch import Sketch
from ..base.still import still_view
from .apart import thousandths

__all__ = ["still"]

INFERRED = 6_000  # inferred labels drawn at most, the nearest first


def still(explorer: Any, sketches: tuple[Sketch, ...]) -> View:
    """Return open clusters as a view for drawing on paper, with the visible layers."""
    graph, layers, opened = explorer.graph, explorer.layers, [one.cluster for one in sketches]
    signs = [sign for name, sign in (("inferred_positive", 1), ("inferred_negative", -1)) if layers[name]]
    inferred = [label for sign in signs for label in inferred_labels(explorer, sketches, sign)]
    size = int(graph.cluster_sizes[opened].sum())
    name = f"Cluster{'s' * (len(opened) > 1)} {', '.join(map(str, opened))}"
    title = f"{name}: {size:,} sentence{'s' * (size != 1)}" if opened else "The graph has no sentences."
    return still_view(graph, sketches, title, layers, explorer.placed, inferred, {}, {})


def inferred_labels(explorer: Any, sketches: tuple[Sketch, ...], sign: int) -> list[tuple[Any, ...]]:
    """Return the nearest inferred labels of one sign: `a`, `b`, sign, distance, and with friends `right`.

    None if closure makes no sense. O(s²) for s drawn sentences.
    """
    if explorer.graph.bipartite:
        return []
    drawn = np.concatenate([np.empty(0, np.int64), *(one.nodes for one in sketches)])
    i, j, used = inferred_among(explorer.graph, drawn, sign)
    far = distance(used, sign, explorer.distance)
    near = np.argsort(far, kind="stable")[:INFERRED]
    a, b, right = drawn[i[near]], drawn[j[near]], []
    if explorer._friends is not None:
        batch = Batch(a, b, np.full(len(a), int(sign > 0)), None)
        right = [thousandths(explorer._friends.reader(batch))]
    labels = np.column_stack([a, b, far[near], *right]).tolist()
    return [(one, other, sign, *rest) for one, other, *rest in labels]
