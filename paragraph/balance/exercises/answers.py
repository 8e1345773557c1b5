"""Answers, read from a widget, a cell or a text box in any clear spelling. Other answers raise `Wrong`."""

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
from .sketch import Edge, Mark, named, steps

__all__ = ["Wrong", "read"]

MOST = 1000  # parts of an answer are read; an endless one ends here
HYPHENS = "-‐‑–—−"  # as keyboards, texts and mathematics write them
BETWEEN_ITEMS = re.compile(r"[\s,;]+")
BETWEEN_NAMES = re.compile(rf"[{HYPHENS}\s,;]+")


class Wrong(Exception):
    """The reason why an answer is not accepted, and the edges (a, b, sign) in which it can be seen."""

    def __init__(self, why: str, marks: Iterable[Mark] = ()):
        super().__init__(why)
        self.marks = tuple(marks)


def read(kind: str, graph: nx.Graph, choices: tuple[str, ...], answer: Any) -> Any:
    """Read an answer of a kind (see `Exercise`) on a graph; raise `Wrong` where it is none.

    An edge is a pair of nodes in any order, or a word: ``"A-B"`` or ``"AB"``. A cycle is given by its edges, or by
    its nodes one after the other. Camps are a dictionary node → camp, a list of sets, or a text: ``"A B | C"``.

    Returns
    -------
    A choice, a number, a list of edges (each once), a list of nodes along a cycle, a dictionary node → camp, or a
    signed graph on the same nodes.
    """
    if kind == "choice":
        return _choice(choices, answer)
    if kind == "number":
        return _number(answer)
    return {"edges": _edges, "cycle": _cycle, "camps": _camps, "graph": _graph}[kind](graph, answer)


def _choice(choices: tuple[str, ...], answer: Any) -> str:
    if not isinstance(answer, str):
        raise Wrong(f"The answer is one of: {', '.join(choices)}. This is a {type(answer).__name__}.")
    for choice in choices:
        if _plain(choice) == _plain(answer):
            return choice
    raise Wrong(f"{short(answer)} is none of the choices: {', '.join(choices)}.")


def _plain(choice: str) -> str:
    """Return a choice with hyphens for minus signs; the signs of a triad may come in any order."""
    plain = choice.strip().casefold().translate(dict.fromkeys(map(ord, HYPHENS), "-"))
    return "".join(sorted(plain)) if set(plain) <= {"+", "-"} else plain


def _number(answer: Any) -> int:
    if isinstance(answer, str) and re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*", answer):
        return int(answer)
    if isinstance(answer, Real) and not isinstance(answer, bool) and abs(answer) < 10**9 and answer == int(answer):
        return int(answer)
    raise Wrong(f"The answer is a whole number, not {short(answer)}.")


def _edges(graph: nx.Graph, answer: Any) -> list[Edge]:
    items = _parts(graph, answer)
    if len(items) == 2 and all(_is_node(graph, item) for item in items):
        items = [items]  # one edge, not wrapped in a list
    found: dict[frozenset, Edge] = {}
    for item in items:
        ends = _names(graph, item)
        if len(ends) != 2:
            raise Wrong(f"An edge is a pair of nodes; {short(item)} is not.")
        a, b = (_node(graph, end) for end in ends)
        if not graph.has_edge(a, b):
            raise Wrong(f"{named(graph, a)} and {named(graph, b)} are not joined.")
        found[frozenset((a, b))] = a, b
    return list(found.values())


def _cycle(graph: nx.Graph, answer: Any) -> list[Hashable]:
    items = _parts(graph, answer)
    if items and all(_is_node(graph, item) for item in items):
        nodes = [_node(graph, item) for item in items]
        nodes = nodes[:-1] if len(nodes) > 1 and nodes[0] == nodes[-1] else nodes
        if len(set(nodes)) < len(nodes):
            raise Wrong("A cycle passes through each of its nodes once; one of yours occurs twice.")
    else:
        nodes = _nodes_around(graph, _edges(graph, items))
    if len(nodes) < 3:
        raise Wrong("A cycle has at least three edges.")
    for a, b in steps(nodes):
        if not graph.has_edge(a, b):
            raise Wrong(f"{named(graph, a)} and {named(graph, b)} follow each other, but are not joined.")
    return nodes


def _nodes_around(graph: nx.Graph, edges: list[Edge]) -> list[Hashable]:
    """Return the nodes along the cycle that some edges make."""
    ring = nx.Graph(edges)
    for node, degree in ring.degree:
        if degree != 2:
            times = "only one edge" if degree == 1 else f"{degree} edges"
            raise Wrong(f"These edges are no single cycle: {named(graph, node)} has {times} of them.")
    nodes = list(nx.dfs_preorder_nodes(ring, next(iter(ring)))) if edges else []
    if len(nodes) < len(ring):
        raise Wrong("These edges are more than one cycle.")
    return nodes


def _camps(graph: nx.Graph, answer: Any) -> dict[Hashable, int]:
    if isinstance(answer, Mapping):
        camps: dict[str, list[Any]] = {}
        for node, camp in islice(answer.items(), MOST):
            camps.setdefault(short(camp), []).append(node)
        answer = camps.values()
    elif isinstance(answer, str):
        answer = answer.split("|")
    found: dict[Hashable, int] = {}
    for number, camp in enumerate(_items(answer)):
        for name in _names(graph, camp):
            node = _node(graph, name)
            if node in found:
                raise Wrong(f"{named(graph, node)} is in two camps, or twice in one.")
            found[node] = number
    if missing := [node for node in graph if node not in found]:
        raise Wrong(f"{named(graph, missing[0])} is in no camp.")
    return found


def _graph(graph: nx.Graph, answer: Any) -> nx.Graph:
    try:
        drawn = as_signed(answer).to_networkx()
    except PairsError as error:
        raise Wrong(f"This is no signed graph: {error}") from None
    if missing := [node for node in graph if node not in drawn]:
        raise Wrong(f"{named(graph, missing[0])} is missing.")
    if more := [node for node in drawn if node not in graph]:
        raise Wrong(f"{short(more[0])} is too much: the nodes are those you were given.")
    return drawn


# -- texts and lists of nodes ------------------------------------------------------------------------------


def _items(answer: Any) -> list[Any]:
    if not isinstance(answer, Iterable):
        raise Wrong(f"{short(answer)} is neither a list nor a set.")
    return list(islice(answer, MOST))


def _parts(graph: nx.Graph, answer: Any) -> list[Any]:
    """Return the parts of a list or of a text: ``"A-B, C-D"`` has two, ``"A-B-C"`` has three."""
    if not isinstance(answer, str):
        return _items(answer)
    parts = [part for part in BETWEEN_ITEMS.split(answer) if part.strip(HYPHENS)]
    return _names(graph, answer) if len(parts) < 2 or _is_node(graph, answer) else parts


def _names(graph: nx.Graph, item: Any) -> list[Any]:
    """Return the names in a list or a text, with or without separators; a text that names a node is one name."""
    if not isinstance(item, str):
        return _items(item)
    if _is_node(graph, item):
        return [item]
    words = [word for word in BETWEEN_NAMES.split(item) if word]
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
