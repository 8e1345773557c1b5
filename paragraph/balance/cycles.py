"""Shortest unbalanced cycles."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..graph.arrays import symmetric
from .signed import SignedGraph, as_signed, doubled
from .triangles import triad_edges
from .verdict import balance, check_kind

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["shortest_unbalanced_cycle"]


def shortest_unbalanced_cycle(graph: Any, kind: str = "strong") -> list[Hashable] | None:
    """The names of the nodes along an unbalanced cycle of fewest edges (see `Balance.cycle`), or None.

    O(n m) at worst; a triad, where one is unbalanced, is found in O(m^1.5).

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.cycle_graph(5)
    >>> graph.add_edge(0, 3)
    >>> nx.set_edge_attributes(graph, 1, "sign")
    >>> graph.edges[3, 4]["sign"] = -1
    >>> shortest_unbalanced_cycle(graph, "weak")
    [4, 0, 3]
    """
    signed = as_signed(graph)
    check_kind(kind)
    unbalanced = _unbalanced_triad(signed, kind)  # no cycle is shorter
    if unbalanced is None and kind == "strong":
        unbalanced = _shortest_strong(signed, np.flatnonzero(balance(signed, "strong").camps < 0))
    elif unbalanced is None:
        unbalanced = _shortest_weak(signed)
    return None if unbalanced is None else signed.named(unbalanced)


def _unbalanced_triad(signed: SignedGraph, kind: str) -> list[int] | None:
    """The first unbalanced triad, a negative edge last, or None."""
    for edges in triad_edges(signed):
        negatives = (signed.sign[edges] < 0).sum(axis=1)
        unbalanced = negatives == 1 if kind == "weak" else negatives % 2 == 1
        if unbalanced.any():
            uv, vw, wu = edges[np.argmax(unbalanced)]
            u, v = sorted((int(signed.a[uv]), int(signed.b[uv])))
            w = int(max(signed.a[wu], signed.b[wu]))
            turned = {int(uv): [v, w, u], int(vw): [w, u, v], int(wu): [u, v, w]}
            return next(turned[int(edge)] for edge in (wu, vw, uv) if signed.sign[edge] < 0)
    return None


def _shortest_strong(signed: SignedGraph, unbalanced: np.ndarray) -> list[int] | None:
    """A shortest cycle with an odd number of negatives, through `unbalanced` nodes; where no triad is one."""
    n = signed.n
    # A cycle is looked for from its first node alone, so earlier ones are out of bounds.
    walk = _shortest(
        symmetric(2 * n, *doubled(n, signed.a, signed.b, signed.sign), np.ones(2 * signed.m)),
        ((v, v + n, v) for v in unbalanced.tolist()),
        n,
        4,
    )
    return None if walk is None else [node % n for node in walk[:-1]]


def _shortest_weak(signed: SignedGraph) -> list[int] | None:
    """A shortest cycle with exactly one negative, from its last node to its first; where no triad is one."""
    part = signed.positive_parts
    inner = np.flatnonzero((signed.sign < 0) & (part[signed.a] == part[signed.b]))
    positive = signed.sign > 0
    matrix = symmetric(signed.n, signed.a[positive], signed.b[positive], np.ones(positive.sum()))
    ends = zip(signed.a[inner].tolist(), signed.b[inner].tolist(), strict=True)
    return _shortest(matrix, ((a, b, 0) for a, b in ends), signed.n, 3)


def _shortest(matrix: csr_array, queries: Iterable[tuple[int, int, int]], n: int, least: int) -> list[int] | None:
    """The shortest of the shortest paths of all queries (source, target, first node allowed), as nodes.

    `least` is the fewest edges that a path can have: the search ends where one is met.
    """
    found = None
    for source, target, first in queries:
        limit = len(matrix.indices) if found is None else len(found) - 2
        path = _bidirectional(matrix, source, target, first, n, limit)
        found = found if path is None else path
        if found is not None and len(found) - 1 == least:
            break
    return found


def _bidirectional(matrix: csr_array, source: int, target: int, first: int, n: int, limit: int) -> list[int] | None:
    """A shortest path of at most `limit` edges through nodes v with v % n >= first; breadth-first from both ends."""
    begins, neighbours = matrix.indptr, matrix.indices
    sides = ({source: source}, {target: target})  # of each node met, the one before it
    fronts = [[source], [target]]
    for _ in range(limit):
        side = 0 if len(fronts[0]) <= len(fronts[1]) else 1
        here, there = sides[side], sides[1 - side]
        front = []
        for node in fronts[side]:
            for other in neighbours[begins[node] : begins[node + 1]].tolist():
                if other in here or other % n < first:
                    continue
                here[other] = node
                if other in there:
                    return [*reversed(list(_trail(sides[0], other))), *list(_trail(sides[1], other))[1:]]
                front.append(other)
        if not front:
            return None
        fronts[side] = front
    return None


def _trail(before: dict[int, int], node: int) -> Iterator[int]:
    yield node
    while before[node] != node:
        node = before[node]
        yield node
