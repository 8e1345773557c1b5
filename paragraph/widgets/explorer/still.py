"""The still twin of an Explorer: its open clusters, on paper."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...draw.style import QUIET, Line
from ...draw.view import View
from ...graph import ParaphraseGraph
from ...graph.closure import Batch
from ...graph.distance import distance, shortest_paths
from ...graph.pairspace import inferred_among
from ..base.records import Plain
from ..base.sketch import Sketch, beside, still_view
from .apart import thousandths

__all__ = ["still"]

OUT = Line("left out: too probably wrong", QUIET, 0.9, (2, 4))
FALLS = 0.7  # a part moves by this share of its way from the middle of its cluster; `apart.js` has the same
INFERRED = 6_000  # inferred labels drawn at most, the nearest first


def still(explorer: Any, sketches: tuple[Sketch, ...]) -> View:
    """Return open clusters as a view that can be drawn on paper, as the page has them."""
    graph, layers, opened = explorer.graph, explorer.layers, [one.cluster for one in sketches]
    size = int(graph.cluster_sizes[opened].sum())
    name = f"Cluster{'s' * (len(opened) > 1)} {', '.join(map(str, opened))}"
    title = f"{name}: {size:,} sentence{'s' * (size != 1)}" if opened else "The graph has no sentences."
    placed, marks = beside(sketches), {}
    if layers["paths"] or layers["degree"]:
        sketches, marks = _filtered(graph, sketches, layers)
    if layers.get("trust"):
        doubted, trust = explorer._attributes.doubted, layers["trust"]
        sketches = tuple(_fallen(graph, one, doubted.parts(one.cluster, trust), placed) for one in sketches)
        out = [edge for edge in doubted.out(trust).tolist() if graph.cluster_of[graph.edge_a[edge]] in opened]
        marks |= {f"e{edge}": marks.get(f"e{edge}", {}) | {"text": OUT.name} for edge in out}
        title += f", {len(out):,} positive{'s' * (len(out) != 1)} left out"
    signs = [sign for name, sign in (("inferred_positive", 1), ("inferred_negative", -1)) if layers[name]]
    inferred = [label for sign in signs for label in inferred_labels(explorer, sketches, sign)]
    shown = layers | {"hidden": False}
    view = still_view(graph, sketches, title, shown, placed | explorer.placed, inferred, marks, {OUT.name: OUT})
    camps = [part if one.group.any() else -1 for one in sketches for part in one.group.tolist()]
    return view._replace(camps=tuple(camps)) if layers.get("trust") else view


def _filtered(
    graph: ParaphraseGraph, sketches: tuple[Sketch, ...], layers: Plain
) -> tuple[tuple[Sketch, ...], Plain]:
    """Return what is left of clusters by `paths` and `degree`, and marks that hide other lines: as `drawn.js`."""
    edges, on_path, lines = graph.edges_among(np.concatenate([one.nodes for one in sketches])), None, None
    if layers["paths"]:
        lines = edges[graph.conflicting[edges]]
        within = graph.ends(lines[graph.within[lines]])
        steps = [pair for path in shortest_paths(graph, *within) for pair in pairwise(path)]
        lines = np.append(lines, [graph.edge_between(*pair) for pair in steps]).astype(np.int64)
        on_path = graph.ends(lines)
    left = []
    for one in sketches:
        kept = graph.degree[one.nodes] >= layers["degree"]
        left.append(_some(one, np.flatnonzero(kept if lines is None else kept & np.isin(one.nodes, on_path))))
    hidden = [] if lines is None else np.setdiff1d(edges, lines).tolist()
    return tuple(one for one in left if len(one.nodes)), {f"e{edge}": {"layer": "hidden"} for edge in hidden}


def _fallen(graph: ParaphraseGraph, one: Sketch, parts: np.ndarray, placed: Plain) -> Sketch:
    """Return a cluster as its parts, moved apart in `placed`: as `apart.js`."""
    group = parts[np.searchsorted(graph.members(one.cluster), one.nodes)]
    one = _some(one._replace(group=group), np.argsort(group, kind="stable"))
    keys = [f"n{node}" for node in one.nodes.tolist()]
    spots = np.array([placed[key] for key in keys])
    means = np.array([spots[one.group == part].mean(axis=0) for part in one.group])
    placed |= dict(zip(keys, (spots + FALLS * (means - spots.mean(axis=0))).tolist(), strict=True))
    return one


def _some(one: Sketch, at: np.ndarray) -> Sketch:
    return one._replace(nodes=one.nodes[at], group=one.group[at], spots=one.spots[at])


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
