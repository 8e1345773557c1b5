"""Edges as a network writes them, before their signs are known; those of networkx, GraphML and GML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from xml.etree import ElementTree

import networkx as nx

from ..files.spelling import option
from .signed import SignError

__all__ = [
    "KNOWN", "Edge", "Edges", "check_names", "edges_of_gml", "edges_of_graph", "edges_of_graphml", "number", "word",
]  # fmt: skip

#: The networks that are read, for a message about another.
KNOWN = (
    "a signed network is an edge list with the header source,target,sign (or weight), or with "
    "these three columns and no header; a matrix whose first row and first column name the nodes; "
    "GraphML (.graphml), GML (.gml), Pajek (.net)"
)
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)


class Edge(NamedTuple):
    """An edge as it is written."""

    place: str  #: where it stands: "row 3"
    source: Any
    target: Any
    word: str  #: its sign; empty where there is none


class Edges(NamedTuple):
    """The edges of a network as they are written."""

    name: str  #: of the file; empty for a graph
    edges: list[Edge]
    nodes: list  #: names of nodes, also of those without an edge
    column: str  #: the name of the signs' column, where it has one


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
    whole = re.fullmatch(r"([+-]?\d+)\.0*", text, re.ASCII)
    return whole[1] if whole else text


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


def edges_of_graph(graph: nx.Graph, columns: Mapping[str, str | int], name: str = "") -> Edges:
    """List the edges of a networkx graph.

    Their sign is the attribute that `columns` names, else `sign` or, if no edge has one, `weight`.
    """
    where = name or "the graph"
    if {*columns} - {"sign"}:
        say = option("columns", {"sign": "…"})
        raise SignError(f"{where}: only the attribute of its signs has another name, {say}")
    given = [*graph.edges(data=True)]
    attributes = Counter(key for _, _, data in given for key in data)
    usual = "sign" if "sign" in attributes else "weight"
    column = columns.get("sign", usual)
    default = graph.graph.get("edge_default", {}).get(column)
    if given and column not in attributes and default is None:
        there = ", ".join(map(str, attributes)) or "nothing"
        say = option("columns", {"sign": "…"})
        raise SignError(f"{where}: its edges have no {column!r}, but {there}; {say} names another")
    edges = []
    for place, (source, target, data) in enumerate(given, 1):
        edges.append(Edge(f"edge {place}", source, target, word(data.get(column, default))))
    return Edges(name, edges, [*graph], column)


def edges_of_graphml(name: str, data: bytes, columns: Mapping[str, str | int]) -> Edges:
    """Read the edges of GraphML, where every node and edge of the file is one of the graph."""
    elements = ElementTree.fromstring(data).iter()
    tags = Counter(element.tag.rpartition("}")[2] for element in elements)
    graph = nx.parse_graphml(data, force_multigraph=True)
    if (len(graph), graph.number_of_edges()) != (tags["node"], tags["edge"]):
        raise SignError(
            f"{name}: {tags['node']} nodes and {tags['edge']} edges are written, but {len(graph)} "
            f"and {graph.number_of_edges()} are read; write one graph, and all ends of edges as nodes"
        )
    return edges_of_graph(graph, columns, name)


def edges_of_gml(name: str, lines: list[str], columns: Mapping[str, str | int]) -> Edges:
    """Read the edges of GML; nodes are called by their labels, or by their ids if none has a label."""
    graph = nx.parse_gml(lines, label=None)
    for key, value in graph.graph.items():
        blocks = value if isinstance(value, list) else [value]
        if any(isinstance(block, dict) and {"id", "source"} & {*block} for block in blocks):
            raise SignError(f"{name}: {key!r} is neither 'node' nor 'edge', the words of GML")
    names = {}
    for node, label in graph.nodes(data="label"):
        if isinstance(label, list) and label:
            raise SignError(f"{name}: node {node} has {len(label)} labels; write one")
        if label is not None:
            names[node] = str(label)
    if not names:
        names = {node: str(node) for node in graph}
    if len(names) < len(graph):
        without = next(node for node in graph if node not in names)
        raise SignError(f"{name}: node {without} has no label, and other nodes have one")
    check_names(name, names.values())
    return edges_of_graph(nx.relabel_nodes(graph, names), columns, name)
