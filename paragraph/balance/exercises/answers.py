"""Answers are read from a widget, a cell or a text box, in any clear spelling. Other answers raise `Wrong`."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from itertools import islice
from numbers import Real
from reprlib import repr as short
from typing import Any

import networkx as nx

from ...pairs import PairsError
from ..signed import as_signed

__all__ = ["READERS", "Wrong", "read_camps", "read_choice", "read_cycle", "read_edges", "read_graph", "read_number"]

Edge = tuple[Hashable, Hashable]
Mark = tuple[Hashable, Hashable, int]  #: an edge and its sign

MOST = 1000  # parts of an answer are read; an endless one ends here


class Wrong(Exception):
    """Why an answer is not accepted, and the edges (a, b, sign) in which it can be seen."""

    def __init__(self, why: str, marks: Iterable[Mark] = ()):
        super().__init__(why)
        self.marks = tuple(marks)


def read_choice(graph: nx.Graph, choices: tuple[str, ...], answer: Any) -> str:
    """One of the choices. A hyphen is read as a minus sign; the signs of a triad may come in any order."""
    if not isinstance(answer, str):
        raise Wrong(f"The answer is one of: {', '.join(choices)}. This is a {type(answer).__name__}.")
    for choice in choices:
        if _plain(choice) == _plain(answer):
            return choice
    raise Wrong(f"{short(answer)} is none of the choices: {', '.join(choices)}.")


def _plain(choice: str) -> str:
    plain = choice.strip().casefold().replace("−", "-")
    return "".join(sorted(plain)) if set(plain) <= {"+", "-"} else plain


def read_number(graph: nx.Graph, choices: tuple[str, ...], answer: Any) -> int:
    """A whole number, or a text of one."""
    if isinstance(answer, str) and re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*", answer):
        return int(answer)
    if isinstance(answer, Real) and not isinstance(answer, bool) and abs(answer) < 10**9 and answer == int(answer):
        return int(answer)
    raise Wrong(f"The answer is a whole number, not {short(answer)}.")


def read_edges(graph: nx.Graph, choices: tuple[str, ...], answer: Any) -> list[Edge]:
    """Edges of the graph, each once. An edge is a pair of nodes in any order, or a word: ``"A-B"`` or ``"AB"``."""
    found: dict[frozenset, Edge] = {}
    items = _listing(graph, answer)
    if len(items) == 2 and all(_is_node(graph, item) for item in items):
        items = [items]  # one edge, not wrapped in a list
    for item in items:
        ends = _items(item) if not isinstance(item, str) else _words(graph, item)
        if len(ends) != 2:
            raise Wrong(f"An edge is a pair of nodes; {short(item)} is not.")
        a, b = (_node(graph, end) for end in ends)
        if not graph.has_edge(a, b):
            raise Wrong(f"{named(graph, a)} and {named(graph, b)} are not joined.")
        found[frozenset((a, b))] = a, b
    return list(found.values())


def read_cycle(graph: nx.Graph, choices: tuple[str, ...], answer: Any) -> list[Hashable]:
    """The nodes along a cycle of the graph. It is given by its edges, or by its nodes one after the other."""
    items = _listing(graph, answer)
    if items and all(_is_node(graph, item) for item in items):
        nodes = [_node(graph, item) for item in items]
        nodes = nodes[:-1] if len(nodes) > 1 and nodes[0] == nodes[-1] else nodes
        if len(set(nodes)) < len(nodes):
            raise Wrong("A cycle passes through each of its nodes once; one of yours occurs twice.")
    else:
        nodes = _around(graph, read_edges(graph, choices, items))
    if len(nodes) < 3:
        raise Wrong("A cycle has at least three edges.")
    for a, b in steps(nodes):
        if not graph.has_edge(a, b):
            raise Wrong(f"{named(graph, a)} and {named(graph, b)} follow each other, but are not joined.")
    return nodes


def _around(graph: nx.Graph, edges: list[Edge]) -> list[Hashable]:
    ring = nx.Graph(edges)
    for node, degree in ring.degree:
        if degree != 2:
            times = "only one edge" if degree == 1 else f"{degree} edges"
            raise Wrong(f"These edges are no single cycle: {named(graph, node)} has {times} of them.")
    nodes = list(nx.dfs_preorder_nodes(ring, next(iter(ring)))) if edges else []
    if len(nodes) < len(ring):
        raise Wrong("These edges are more than one cycle.")
    return nodes


def read_camps(graph: nx.Graph, choices: tuple[str, ...], answer: Any) -> dict[Hashable, int]:
    """The camp of each node. They are given by a dictionary node → camp, a list of sets, or a text: ``"A B | C"``."""
    if isinstance(answer, Mapping):
        camps: dict[str, list[Any]] = {}
        for node, camp in islice(answer.items(), MOST):
            camps.setdefault(short(camp), []).append(node)
        answer = camps.values()
    elif isinstance(answer, str):
        answer = answer.split("|")
    found: dict[Hashable, int] = {}
    for number, camp in enumerate(_items(answer)):
        for name in _words(graph, camp) if isinstance(camp, str) else _items(camp):
            node = _node(graph, name)
            if node in found:
                raise Wrong(f"{named(graph, node)} is in two camps, or twice in one.")
            found[node] = number
    if missing := [node for node in graph if node not in found]:
        raise Wrong(f"{named(graph, missing[0])} is in no camp.")
    return found


def read_graph(graph: nx.Graph, choices: tuple[str, ...], answer: Any) -> nx.Graph:
    """A signed graph on the same nodes."""
    try:
        signed = as_signed(answer)
    except PairsError as error:
        raise Wrong(f"This is no signed graph: {error}") from None
    drawn = signed.to_networkx()
    if missing := [node for node in graph if node not in drawn]:
        raise Wrong(f"{named(graph, missing[0])} is missing.")
    if more := [node for node in drawn if node not in graph]:
        raise Wrong(f"{short(more[0])} is too much: the nodes are those you were given.")
    return drawn


#: The reader of each kind of answer: (graph, choices, answer) → what it says; raises `Wrong`.
READERS = {
    "choice": read_choice,
    "number": read_number,
    "edges": read_edges,
    "cycle": read_cycle,
    "camps": read_camps,
    "graph": read_graph,
}


def named(graph: nx.Graph, node: Hashable) -> str:
    """What a person calls a node: its sentence, else its name."""
    text = graph.nodes[node].get("text")
    return str(node) if text is None else f"“{text}”"


def steps(cycle: list[Hashable]) -> list[Edge]:
    return list(zip(cycle, cycle[1:] + cycle[:1], strict=True))


def _items(answer: Any) -> list[Any]:
    if not isinstance(answer, Iterable):
        raise Wrong(f"{short(answer)} is neither a list nor a set.")
    return list(islice(answer, MOST))


def _listing(graph: nx.Graph, answer: Any) -> list[Any]:
    """The parts of a list or of a text: ``"A-B, C-D"`` has two, ``"A-B-C"`` has three."""
    if not isinstance(answer, str):
        return _items(answer)
    parts = [part for part in re.split(r"[\s,;]+", answer) if part.strip("-–")]
    return _words(graph, answer) if len(parts) < 2 or _is_node(graph, answer) else parts


def _words(graph: nx.Graph, text: str) -> list[str]:
    """The text itself where it names a node; else the names in it, with or without separators."""
    if _is_node(graph, text):
        return [text]
    words = [word for word in re.split(r"[\s,;–-]+", text) if word]
    return list(words[0]) if len(words) == 1 and not _is_node(graph, words[0]) else words


def _is_node(graph: nx.Graph, name: Any) -> bool:
    try:
        _node(graph, name)
    except Wrong:
        return False
    return True


def _node(graph: nx.Graph, name: Any) -> Hashable:
    if name in graph:
        return name
    if isinstance(name, str):
        for node, text in graph.nodes(data="text"):
            if name.strip() in (text, str(node)):
                return node
    raise Wrong(f"{short(name)} is no node of this graph.")
