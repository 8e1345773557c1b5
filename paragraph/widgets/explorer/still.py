"""The screen of an Explorer as a still picture: its layers, the clusters beside it, and the selection."""

from __future__ import annotations

from collections import defaultdict

from ...draw.layout import layout
from ...draw.style import POSITIVE, line
from ...draw.view import Drawn, View, view_of
from ...files.shown import counting
from ...graph import ParaphraseGraph
from ...graph.closure import infer
from ..base.records import Plain

__all__ = ["layer_of", "still_of"]

#: Neighbouring clusters at most, those with most negatives: a still picture has less room than a page.
BESIDE = 8


def layer_of(label: Drawn) -> str:
    """Return the name of the layer that shows a line."""
    if label.line.halo:
        return "conflicts"
    sign = "positive" if label.line.color == POSITIVE else "negative"
    return f"inferred_{sign}" if label.line.width < 1 else sign


def still_of(
    graph: ParaphraseGraph, clusters: list[int], layers: Plain, selected: list[str]
) -> View:
    """Return the view of some clusters as a page shows them.

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
    nodes = [graph.node(text) for text in view.texts]
    chosen = frozenset(place for place, node in enumerate(nodes) if f"n{node}" in selected)
    if layers["negative"]:
        view = _with_neighbours(graph, clusters, view, nodes)
    shown = [label for label in view.edges if layers[layer_of(label)]]
    return view._replace(edges=shown, chosen=chosen)


def _with_neighbours(
    graph: ParaphraseGraph, clusters: list[int], view: View, nodes: list[int]
) -> View:
    """The view, with the clusters beside it, each as one node, and the negatives that lead there."""
    beside = _neighbours(graph, clusters, nodes)
    ranked = sorted(beside, key=lambda cluster: (-len(beside[cluster]), cluster))
    texts = list(view.texts)
    edges = list(view.edges)
    for cluster in ranked[:BESIDE]:
        for edge, node in beside[cluster]:
            kind = line(-1, conflict=bool(graph.conflicting[edge]))
            edges.append(Drawn(nodes.index(node), len(texts), kind))
        centre = graph.central_sentences[cluster]
        size = graph.cluster_sizes[cluster]
        others = f", {size - 1} more" if size > 1 else ""
        texts.append(f"cluster {cluster}{others}: {graph.text(centre)}")
    title = view.title
    if beside:
        title += f", {counting(len(ranked[:BESIDE]), 'neighbouring cluster')}"
    if len(ranked) > BESIDE:
        title += f" of {len(ranked):,}"
    near = [label[:2] for label in view.edges if layer_of(label) == "positive"]
    positions = layout(len(texts), near, [label[:2] for label in edges])
    return view._replace(title=title, texts=texts, edges=edges, positions=positions)


def _neighbours(
    graph: ParaphraseGraph, clusters: list[int], nodes: list[int]
) -> dict[int, list[tuple[int, int]]]:
    """The stated negatives to each cluster beside some, each with its end among `nodes`."""
    shown = {*nodes}
    crossing = defaultdict(list)
    for edge in graph.edges_at(clusters).tolist():
        a, b = map(int, graph.ends(edge))
        for node, other in ((a, b), (b, a)):
            home = int(graph.cluster_of[other])
            if home not in clusters and node in shown:
                crossing[home].append((edge, node))
    return crossing
