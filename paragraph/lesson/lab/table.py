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
    nodes = []
    for node, text in graph.nodes(data="text"):
        is_sentence = text is not None
        if not is_sentence:
            text = node
        row = {"key": key[node], "text": str(text), "sentence": is_sentence, "label": ""}
        nodes.append(row | written[node])
    edges = [[key[a], key[b], sign] for a, b, sign in graph.edges(data="sign")]
    note = str(graph.graph.get("source", ""))
    return {"of": of, "name": name, "note": note, "nodes": nodes, "edges": edges}


def places_of(table: Plain, placed: Plain) -> np.ndarray:
    """Return the places of the nodes on a table for a still picture, shape (n, 2), neighbours about 1 apart.

    They are those of the page, or where a person put a node; a table that no page has shown is laid out here.
    """
    nodes = table["nodes"]
    if all("x" in node for node in nodes):
        pixels = [[node["x"], -node["y"]] for node in nodes]
        places = np.reshape(pixels, (-1, 2)) / SPACING
    elif table["edges"]:
        place = {node["key"]: i for i, node in enumerate(nodes)}
        edges = [(place[a], place[b]) for a, b, _ in table["edges"]]
        places = layout(len(nodes), edges)
    else:
        places = ring(len(nodes))
    for i, node in enumerate(nodes):
        if node["key"] in placed:
            x, y = placed[node["key"]]
            places[i] = x / SPACING, -y / SPACING
    return places


def names(source: nx.Graph, nodes: Iterable[Plain]) -> Plain:
    """Return nodes by their keys: those of the original graph, and those added on the table."""
    named = {node["key"]: node["text"] for node in nodes}
    for i, node in enumerate(source):
        named[f"n{i}"] = node
    return named


def lifted(table: Plain, source: nx.Graph) -> nx.Graph:
    """Return the graph on a table, with the attributes of nodes and edges in the original graph."""
    graph = nx.Graph(**source.graph)
    name = names(source, table["nodes"])
    for row in table["nodes"]:
        node = name[row["key"]]
        attributes = source.nodes.get(node, {})
        graph.add_node(node, **attributes)
    for key, other, sign in table["edges"]:
        pair = (name[key], name[other])
        attributes = source.get_edge_data(*pair, {}) | {"sign": sign}
        graph.add_edge(*pair, **attributes)
    return graph


# -- sentences in the nodes, named by the words that set them apart -----------------------------------------


def _written(graph: nx.Graph) -> dict[Any, Plain]:
    """Return the texts in and beside each node: a short name, or the number of a sentence and some words."""
    written = {}
    sentences = _sentences(graph)
    for number, node in enumerate(graph, 1):
        name = oneline(str(node))
        if node in sentences:
            written[node] = {"number": number, "label": caption(sentences[node])}
        elif len(name) <= LETTERS:
            written[node] = {"number": name}
        else:
            written[node] = {"label": _two_lines(shorten(name, 44))}
    return written


def caption(spans: Sequence[Span]) -> str:
    """Return two short lines for a node: the words that set it apart, else the beginning of the sentence."""
    text = oneline("".join(piece for piece, _ in spans))
    if any(marked for _, marked in spans):
        kept = ""
        for piece, marked in spans:
            if not marked and any(map(str.isalnum, piece)):
                piece = " … "
            kept += piece
        text = oneline(kept).strip(" ….,?!")
    short = shorten(text, 44)
    return _two_lines(short.replace("……", "…").replace("… …", "…"))


def _two_lines(text: str) -> str:
    return "\n".join(wrap(text, 24)[:2])


def _sentences(graph: nx.Graph) -> dict[Any, list[Span]]:
    """Return the sentences of nodes, the words marked that set each apart from the others."""
    texts = nx.get_node_attributes(graph, "text")
    texts = {node: str(text) for node, text in texts.items() if text is not None}
    marked = {}
    for node, text in texts.items():
        others = [texts[other] for other in texts if other != node]
        marked[node] = mark_rare(text, others)
    return marked


def listed(graph: nx.Graph) -> list[Plain]:
    """Return the full sentences for the right-hand side; none if the nodes are not sentences."""
    sentences = _sentences(graph)
    rows = []
    for number, node in enumerate(graph, 1):
        if node in sentences:
            row = {"number": number, "keys": [f"n{number - 1}"], "rows": []}
            rows.append(row | {"sign": 1, "texts": [sentences[node]]})
    return rows
