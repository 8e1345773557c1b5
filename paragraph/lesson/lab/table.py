"""The table of the Triad Lab (see table.js): conversion of a graph to plain values and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import networkx as nx
import numpy as np

from ...draw.layout import layout
from ...draw.signed import ring
from ...draw.style import oneline, shorten, wrap
from ...widgets.base.records import Plain
from ...words.shared import Span, mark_rare

__all__ = ["caption", "laid", "lifted", "listed", "names", "places_of"]

SPACING = 150  #: pixels between neighbouring nodes
LETTERS = 2  # a name of at most this many letters is written in its node


def laid(graph: nx.Graph, name: str = "", of: str | int | None = None) -> Plain:
    """Return a signed graph in the form for the table; `of` names the origin of its nodes."""
    written = _written(graph)
    key = {node: f"n{i}" for i, node in enumerate(graph)}
    nodes = [
        {"key": key[node], "text": str(node if text is None else text), "sentence": text is not None, "label": ""}
        | written[node]
        for node, text in graph.nodes(data="text")
    ]
    edges = [[key[a], key[b], sign] for a, b, sign in graph.edges(data="sign")]
    return {"of": of, "name": name, "note": str(graph.graph.get("source", "")), "nodes": nodes, "edges": edges}


def places_of(table: Plain, placed: Plain) -> np.ndarray:
    """Return the places of the nodes on a table for a still picture, shape (n, 2), neighbours about 1 apart.

    They are those of the page, or where a person put a node; a table that no page has shown is laid out here.
    """
    nodes = table["nodes"]
    if all("x" in node for node in nodes):
        places = np.array([[node["x"], -node["y"]] for node in nodes], dtype=float).reshape(-1, 2) / SPACING
    elif table["edges"]:
        place = {node["key"]: i for i, node in enumerate(nodes)}
        places = layout(len(nodes), [(place[a], place[b]) for a, b, _ in table["edges"]])
    else:
        places = ring(len(nodes))
    for i, node in enumerate(nodes):
        if node["key"] in placed:
            x, y = placed[node["key"]]
            places[i] = x / SPACING, -y / SPACING
    return places


def names(source: nx.Graph, nodes: Iterable[Plain]) -> Plain:
    """Return nodes by their keys: those of the original graph, and those added on the table."""
    return {node["key"]: node["text"] for node in nodes} | {f"n{i}": node for i, node in enumerate(source)}


def lifted(table: Plain, source: nx.Graph) -> nx.Graph:
    """Return the graph on a table, with the attributes of nodes and edges in the original graph."""
    graph, name = nx.Graph(**source.graph), names(source, table["nodes"])
    for node in table["nodes"]:
        one = name[node["key"]]
        graph.add_node(one, **source.nodes[one] if one in source else {})
    for a, b, sign in table["edges"]:
        a, b = name[a], name[b]
        graph.add_edge(a, b, **(source.get_edge_data(a, b) or {}) | {"sign": sign})
    return graph


# -- sentences in the nodes, named by the words that set them apart -----------------------------------------


def _written(graph: nx.Graph) -> dict[Any, Plain]:
    """Return the texts in and beside each node: a short name, or the number of a sentence and some words."""
    written, told = {}, _told(graph)
    for number, node in enumerate(graph, 1):
        name = oneline(str(node))
        if node in told:
            written[node] = {"number": number, "label": caption(told[node])}
        elif len(name) <= LETTERS:
            written[node] = {"number": name}
        else:
            written[node] = {"label": "\n".join(wrap(shorten(name, 44), 24)[:2])}
    return written


def caption(spans: Sequence[Span]) -> str:
    """Return two short lines for a node: the words that set it apart, else the beginning of the sentence."""
    text = oneline("".join(piece for piece, _ in spans))
    if any(marked for _, marked in spans):
        kept = "".join(piece if marked or not any(map(str.isalnum, piece)) else " … " for piece, marked in spans)
        text = oneline(kept).strip(" ….,?!")
    return "\n".join(wrap(shorten(text, 44).replace("……", "…").replace("… …", "…"), 24)[:2])


def _told(graph: nx.Graph) -> dict[Any, list[Span]]:
    """Return the sentences of nodes, the words marked that set each apart from the others."""
    texts = {node: str(text) for node, text in graph.nodes(data="text") if text is not None}
    return {node: mark_rare(text, [texts[one] for one in texts if one != node]) for node, text in texts.items()}


def listed(graph: nx.Graph) -> list[Plain]:
    """Return the full sentences for the right-hand side; none if the nodes are not sentences."""
    told = _told(graph)
    return [
        {"number": number, "keys": [f"n{number - 1}"], "rows": [], "sign": 1, "texts": [told[node]]}
        for number, node in enumerate(graph, 1) if node in told
    ]  # fmt: skip
