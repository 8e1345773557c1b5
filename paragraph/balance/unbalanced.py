"""Unbalanced cycles as constraints: found by shortest paths, kept as rows of a 0-1 matrix over the edges."""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from ..graph.arrays import symmetric
from .signed import SignedGraph, doubled

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["TOLERANCE", "UnbalancedCycles"]

TOLERANCE = 1e-6
SOURCES = 256  #: shortest-path trees in memory at a time
ENOUGH = 2000  #: new cycles to go on with


class UnbalancedCycles:
    """The unbalanced cycles found so far in a graph: those that have to be covered.

    *Weak*: such a cycle is a negative edge and a positive path between its ends. *Strong*: a path in the doubled
    graph from a node to its other copy goes round an odd number of negatives (`doubled`).
    """

    def __init__(self, graph: SignedGraph, kind: str):
        self.graph, edges, positive = graph, np.arange(graph.m), graph.sign > 0
        self.known: dict[tuple[int, ...], None] = {}
        if kind == "weak":
            nodes, x, y, carried = graph.n, graph.a[positive], graph.b[positive], edges[positive]
            self.closing = edges[~positive]
            self.start, self.end = graph.a[~positive], graph.b[~positive]
        else:
            nodes, (x, y), carried = 2 * graph.n, doubled(graph.n, graph.a, graph.b, graph.sign), np.tile(edges, 2)
            self.start = np.unique(graph.a[~positive])  # some negative edge lies on every unbalanced cycle
            self.end, self.closing = self.start + graph.n, np.full(len(self.start), -1)
        self.arcs = symmetric(nodes, x, y, carried + 1)

    def add_violated(self, f: np.ndarray, deadline: float = np.inf) -> list[tuple[int, ...]]:
        """Add cycles over which f sums to less than 1, for each start a shortest; which are new.

        Short of time it may miss some, and with many found it leaves the rest for the next call.
        """
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        # Of two cycles violated alike the one with fewer edges says more, so every edge is a little longer than f.
        length = np.maximum(f, 0) + TOLERANCE**2
        arcs = csr_array((length[self.arcs.data - 1], self.arcs.indices, self.arcs.indptr), shape=self.arcs.shape)
        sources, query_source = np.unique(self.start, return_inverse=True)
        found: dict[tuple[int, ...], None] = {}
        for begin in range(0, len(sources), SOURCES):
            if len(found) > ENOUGH or perf_counter() > deadline:
                break
            chunk = sources[begin : begin + SOURCES]
            far, came = dijkstra(arcs, indices=chunk, return_predecessors=True, limit=1.0)
            for query in np.flatnonzero((query_source >= begin) & (query_source < begin + SOURCES)):
                tree, closing = query_source[query] - begin, self.closing[query]
                short = far[tree, self.end[query]] + (f[closing] if closing >= 0 else 0)
                if short < 1 - TOLERANCE:
                    found[self._cycle(came[tree], int(self.start[query]), int(self.end[query]), int(closing))] = None
        new = [cycle for cycle in found if cycle not in self.known]
        self.known |= found
        return new

    def pack(self, weights: np.ndarray) -> float:
        """A lower bound on the cost of covering all: cycles of which each takes its least weight from its edges.

        Cycles over edges with weight left are added until there is none. With weights of 1, no two share an edge.
        """
        left, bound = weights.astype(float), 0.0
        while found := self.add_violated((left <= TOLERANCE**2).astype(float)):
            for cycle in sorted(found, key=len):
                share = left[list(cycle)].min()
                left[list(cycle)] -= share
                bound += share
        return float(bound)

    def matrix(self) -> csr_array:
        """One row a cycle, one column an edge."""
        from scipy.sparse import csr_array

        begins = np.cumsum([0, *map(len, self.known)])
        columns = np.concatenate([np.array(cycle) for cycle in self.known])
        return csr_array((np.ones(len(columns)), columns, begins), shape=(len(self.known), self.graph.m))

    def _cycle(self, came: np.ndarray, start: int, end: int, closing: int) -> tuple[int, ...]:
        """The edges of a simple unbalanced cycle on the way back from `end` to `start`."""
        path = [end]
        while path[-1] != start:
            path.append(int(came[path[-1]]))
        if closing < 0:
            path = _loop([node % self.graph.n for node in path])
        edges = [self.graph.edge_between(x, y) for x, y in pairwise(path)]
        return tuple(sorted(edges + [closing] * (closing >= 0)))


def _loop(walk: list[int]) -> list[int]:
    """The part of a closed walk between the first node met twice and itself.

    In a shortest walk from a node to its other copy, the two visits are to different copies: so this loop has an
    odd number of negatives, and what comes before it is a stem that the walk takes twice.
    """
    place: dict[int, int] = {}
    for at, node in enumerate(walk):
        if node in place:
            return walk[place[node] : at + 1]
        place[node] = at
    raise AssertionError("a closed walk meets its first node again")
