"""Edges as a network writes them, before their signs are known; those of networkx, GraphML, GML and Pajek."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple
from xml.etree import ElementTree

import networkx as nx

from ..files.spelling import option
from .signed import SignError

__all__ = [
    "KNOWN", "ROLES", "Edge", "Edges", "check_names", "edges_of_gml", "edges_of_graph", "edges_of_graphml",
    "edges_of_pajek", "number", "word",
]  # fmt: skip

ROLES = ("source", "target", "sign")
#: The networks that are read, for a message about another.
KNOWN = (
    "a signed network is an edge list with the header source,target,sign (or weight), or with "
    "these three columns and no header; a matrix whose first row and first column name the nodes; "
    "GraphML (.graphml), GML (.gml), Pajek (.net)"
)
#: Rows of Pajek: what begins a part of the file, a vertex, and an edge; a number behind its value is another edge.
HEAD = re.compile(r"\*(network.*|vertices\s+\d+|edges|arcs)\s*", re.IGNORECASE)
VERTEX = re.compile(r"\s*\d+\s+\S.*")
TIE = re.compile(r"\s*\d+\s+\d+(\s+\S+(\s+[a-z].*)?)?\s*", re.IGNORECASE)
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)


class Edge(NamedTuple):
    """An edge as it is written."""

    place: str  #: where it stands: "quarrels.csv, row 3"
    source: Any
    target: Any
    word: str  #: its sign; empty where there is none


class Edges(NamedTuple):
    """The edges of a network as they are written."""

    edges: list[Edge]
    nodes: Sequence = ()  #: names of nodes, also of those without an edge
    column: str = ""  #: the name of the signs' column, where it has one


def word(value: Any) -> str:
    """Spell a sign as it is compared: 1, 1.0 and "1" are "1", True is "true", a minus is a hyphen.

    >>> word(-2.0), word(" −1 "), word("Friend"), word(None)
    ('-2', '-1', 'Friend', '')
    """
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value).strip().replace("−", "-")
    return re.sub(r"(?<=\d)\.0*$", "", text) if NUMBER.fullmatch(text) else text


def number(text: str) -> float | None:
    """Return the number that a word writes, if it is one."""
    return float(text) if NUMBER.fullmatch(text) else None


def check_names(where: str, names: Iterable[str]) -> None:
    """Raise `SignError` for nodes without a name, and for two with the same one."""
    for name, times in Counter(names).items():
        if not name:
            raise SignError(f"{where}: a node has no name")
        if times > 1:
            raise SignError(f"{where}: {times} nodes are called {name!r}; each needs its own name")


def edges_of_graph(name: str, graph: nx.Graph, columns: Mapping[str, str | int]) -> Edges:
    """List the edges of a networkx graph.

    Their sign is the attribute that `columns` names, else `sign` or, if no edge has one, `weight`.
    """
    say = option("columns", {"sign": "…"})
    if {*columns} - {"sign"}:
        raise SignError(f"{name}: only the attribute of its signs has another name, {say}")
    attributes = Counter(chain.from_iterable(data for _, _, data in graph.edges(data=True)))
    usual = "sign" if "sign" in attributes else "weight"
    column = columns.get("sign", usual)
    default = graph.graph.get("edge_default", {}).get(column)
    if graph.size() and column not in attributes and default is None:
        there = ", ".join(map(str, attributes)) or "nothing"
        raise SignError(f"{name}: its edges have no {column!r}, but {there}; {say} names another")
    edges = []
    for place, (source, target, value) in enumerate(graph.edges(data=column, default=default), 1):
        edges.append(Edge(f"{name}, edge {place}", source, target, word(value)))
    return Edges(edges, list(graph), column)


def edges_of_graphml(name: str, data: bytes, columns: Mapping[str, str | int]) -> Edges:
    """Read the edges of GraphML, where every node and edge of the file is one of the graph."""
    tags = Counter(
        element.tag.rpartition("}")[2] for element in ElementTree.fromstring(data).iter()
    )
    graph = nx.parse_graphml(data, force_multigraph=True)
    _check_count(name, graph, tags["node"] + tags["edge"])
    return edges_of_graph(name, graph, columns)


def _check_count(name: str, graph: nx.Graph, written: int) -> None:
    nodes = len(graph)
    edges = graph.number_of_edges()
    if nodes + edges != written:
        raise SignError(
            f"{name}: {written} nodes and edges are written, but {nodes} nodes and {edges} edges are read; "
            "write one graph, all ends of edges as nodes, and each node once"
        )


def edges_of_gml(name: str, lines: list[str], columns: Mapping[str, str | int]) -> Edges:
    """Read the edges of GML; nodes are called by their labels, or by their ids if none has a label."""
    graph = nx.parse_gml(lines, label=None)
    for key, value in graph.graph.items():
        if isinstance(value, dict | list):
            raise SignError(f"{name}: {key!r} is neither 'node' nor 'edge', the words of GML")
    labels = dict(graph.nodes(data="label"))
    without = [node for node, label in labels.items() if label is None]
    if len(without) == len(graph):
        labels = {node: node for node in graph}
    elif without:
        raise SignError(f"{name}: node {without[0]} has no label, and other nodes have one")
    names = {node: str(label) for node, label in labels.items()}
    check_names(name, names.values())
    return edges_of_graph(name, nx.relabel_nodes(graph, names), columns)


def edges_of_pajek(name: str, lines: list[str], columns: Mapping[str, str | int]) -> Edges:
    """Read the vertices, edges and arcs of Pajek, where every vertex has a row, and every edge one with its value.

    networkx takes a list of arcs, and the second of several relations, for edges with values, and joins vertices of
    one label; such files are refused.
    """
    rows = []
    heads = 0
    below = VERTEX
    for row, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("%"):
            continue
        rows.append(line)
        if line.startswith("*"):
            heads += 1
            if line.lower().startswith(("*edges", "*arcs")):
                below = TIE
        if not (HEAD if line.startswith("*") else below).fullmatch(line):
            raise SignError(
                f"{name}, row {row}: {line.strip()[:40]!r} is no part of a signed network; write one network, its "
                f"'*Vertices n' with a row 'number label' each, and below *Edges rows 'number number value'"
            )
    graph = nx.parse_pajek(rows)
    _check_count(name, graph, len(rows) - heads)
    return edges_of_graph(name, graph, columns)
