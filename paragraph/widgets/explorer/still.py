"""The still twin of an Explorer: its open clusters, on paper."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...draw.view import View
from ...graph.closure import Batch
from ..base.scene import Scene, inferred_labels, still_view
from .apart import thousandths

__all__ = ["still"]


def still(explorer: Any, scene: Scene) -> View:
    """Return a scene as a view that can be drawn on paper, with the layers that are on."""
    layers = explorer.layers
    signs = [sign for name, sign in (("inferred_positive", 1), ("inferred_negative", -1)) if layers[name]]
    inferred = [label for sign in signs for label in _inferred(explorer, scene, sign)]
    size = int(explorer.graph.cluster_sizes[list(scene.opened)].sum())
    name = f"Cluster{'s' * (len(scene.opened) > 1)} {', '.join(map(str, scene.opened))}"
    title = f"{name}: {size:,} sentence{'s' * (size != 1)}" if scene.opened else "The graph has no sentences."
    return still_view(scene, title, layers, inferred, explorer.placed)


def _inferred(explorer: Any, scene: Scene, sign: int) -> list[tuple[Any, ...]]:
    """Return the inferred labels of one sign; with friends how probably each is right."""
    labels = inferred_labels(explorer.graph, scene, sign, explorer.distance)[0]
    if explorer._friends is not None:
        a, b = labels[:, :2].T
        right = thousandths(explorer._friends.reader(Batch(a, b, np.full(len(a), int(sign > 0)), None)))
        labels = np.column_stack([labels, right])
    return [(f"n{a}", f"n{b}", sign, *rest) for a, b, *rest in labels.tolist()]
