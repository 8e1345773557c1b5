"""The screen of an Explorer as a still picture: its layers, the clusters beside it, and the selection."""

from __future__ import annotations

from ...draw.layout import layout
from ...draw.style import POSITIVE, line
from ...draw.view import Drawn, View, in_words, view_of
from ...files.shown import counting
from ...graph import ParaphraseGraph
from ...graph.closure import infer
from ...graph.clusters import central_sentences
from ..base.records import Plain

__all__ = ["layer_of", "still_of"]

BESIDE = 8  #: neighbouring clusters: those with most negatives


def layer_of(label: Drawn) -> str:
    """Return the name of the layer that shows a line."""
    if label.line.halo:
        return "conflicts"
    sign = "positive" if label.line.color == POSITIVE else "negative"
    return f"inferred_{sign}" if label.line.width < 1 else sign


def still_of(graph: ParaphraseGraph, clusters: list[int], layers: Plain, selected: list[str]) -> View:
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
    texts = list(view.texts)
    edges = list(view.edges)
    title = view.title
    near = [label[:2] for label in edges if layer_of(label) == "positive"]
    if layers["negative"]:
        beside, total = _neighbours(graph, clusters, nodes)
        for cluster, crossing in beside.items():
            for edge, node in crossing:
                kind = line(-1, conflict=bool(graph.conflicting[edge]))
                why = f"{graph.words[False]}; {in_words(graph.source_rows(edge))}"
                edges.append(Drawn(nodes.index(node), len(texts), kind, why))
            size = graph.cluster_sizes[cluster]
            others = f", {size - 1} more" if size > 1 else ""
            texts.append(f"cluster {cluster}{others}: {graph.text(central_sentences(graph, 1, cluster)[0])}")
        if beside:
            title += f", {counting(len(beside), 'neighbouring cluster')}"  # as the page calls it
        if len(beside) < total:
            title += f" of {total:,}"
    positions = layout(len(texts), near, [label[:2] for label in edges])
    shown = [label for label in edges if layers[layer_of(label)]]
    chosen = frozenset(nodes.index(int(key[1:])) for key in selected if key[0] == "n" and int(key[1:]) in nodes)
    return View(title, texts, shown, positions, chosen=chosen)


def _neighbours(
    graph: ParaphraseGraph, clusters: list[int], nodes: list[int]
) -> tuple[dict[int, list[tuple[int, int]]], int]:
    """Return the stated negatives to clusters beside, each with its end among `nodes`, and how many there are."""
    crossing: dict[int, list[tuple[int, int]]] = {}
    for edge in graph.edges_at(clusters).tolist():
        for node, other in (graph.ends(edge), graph.ends(edge)[::-1]):
            home = int(graph.cluster_of[other])
            if home not in clusters and node in nodes:
                crossing.setdefault(home, []).append((edge, int(node)))
    ranked = sorted(crossing, key=lambda home: (-len(crossing[home]), home))
    return {home: crossing[home] for home in ranked[:BESIDE]}, len(ranked)
