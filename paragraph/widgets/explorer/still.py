"""The screen of an Explorer as a still picture: its layers and the selection."""

from __future__ import annotations

from ...draw.style import POSITIVE
from ...draw.view import Drawn, View, view_of
from ...graph import ParaphraseGraph
from ...graph.closure import infer
from ..base.records import Plain

__all__ = ["layer_of", "still_of"]


def layer_of(label: Drawn) -> str:
    """Return the name of the layer that shows a line."""
    if label.line.halo:
        return "conflicts"
    sign = "positive" if label.line.color == POSITIVE else "negative"
    return f"inferred_{sign}" if label.line.width < 1 else sign


def still_of(
    graph: ParaphraseGraph, clusters: list[int], layers: Plain, selected: list[str]
) -> View:
    """Return the view of some clusters, without their neighbours.

    Parameters
    ----------
    layers : dict
        As `Explorer.layers`: only lines of those that are on are drawn; inferred ones up to `distance`.
    selected : list of str
        Keys of selected sentences, ``n12``.
    """
    closure = None
    if (layers["inferred_positive"] or layers["inferred_negative"]) and not graph.bipartite:
        closure = infer(graph, max_distance=layers["distance"])
    view = view_of(graph, clusters, closure=closure)
    shown = [label for label in view.edges if layers[layer_of(label)]]
    chosen = [place for place, text in enumerate(view.texts) if f"n{graph.node(text)}" in selected]
    return view._replace(edges=shown, chosen=frozenset(chosen))
