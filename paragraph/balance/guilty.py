"""Guilty cycles as constraints: found by shortest paths, kept as rows of a 0-1 matrix over the edges."""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["TOLERANCE", "GuiltyCycles"]

TOLERANCE = 1e-6
SOURCES = 256  #: shortest-path trees in memory at a time
ENOUGH = 2000  #: new cycles to go on with


class GuiltyCycles:
    """The guilty cycles found so far in a graph of n nodes: those that have to be covered.

    *Weak*: a guilty cycle is a negative edge and a positive path between its ends. *Strong*: every node has two
    copies; a positive edge stays in its copy, a negative one changes it, so a path from a node to its other copy
    goes round an odd number of negatives.
    """

    def __init__(self, n: int, a: np.ndarray, b: np.ndarray, sign: np.ndarray, kind: str):
        from scipy.sparse import coo_array

        edges, positive = np.arange(len(a)), sign > 0
        self.n = n
        self.known: dict[tuple[int, ...], None] = {}
        self.edge = {frozenset(ends): edge for edge, ends in enumerate(zip(a.tolist(), b.tolist(), strict=True))}
        if kind == "weak":
            nodes, x, y, carried = n, a[positive], b[positive], edges[positive]
            self.closing = edges[~positive]
            self.start, self.end = a[~positive], b[~positive]
        else:
            nodes, x, carried = 2 * n, np.concatenate([a, a + n]), np.concatenate([edges, edges])
            y = np.concatenate([np.where(positive, b, b + n), np.where(positive, b + n, b)])
            self.start = np.unique(a[~positive])  # some negative edge lies on every guilty cycle
            self.end, self.closing = self.start + n, np.full(len(self.start), -1)
        ends = np.concatenate([x, y]), np.concatenate([y, x])
        self.arcs = coo_array((np.concatenate([carried, carried]) + 1, ends), shape=(nodes, nodes)).tocsr()

    def add_violated(self, f: np.ndarray, deadline: float = np.inf) -> bool:
        """Add cycles over which f sums to less than 1, for each start a shortest. False where none is violated.

        Short of time it may miss some, and with many found it leaves the rest for the next call.
        """
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        # Of two cycles violated alike the one with fewer edges says more, so every edge is a little longer than f.
        length = np.maximum(f, 0) + TOLERANCE**2
        arcs = csr_array((length[self.arcs.data - 1], self.arcs.indices, self.arcs.indptr), shape=self.arcs.shape)
        sources, query_source = np.unique(self.start, return_inverse=True)
        before = len(self.known)
        for begin in range(0, len(sources), SOURCES):
            if len(self.known) - before > ENOUGH or perf_counter() > deadline:
                break
            chunk = sources[begin : begin + SOURCES]
            far, came = dijkstra(arcs, indices=chunk, return_predecessors=True, limit=1.0)
            for query in np.flatnonzero((query_source >= begin) & (query_source < begin + SOURCES)):
                tree, closing = query_source[query] - begin, self.closing[query]
                short = far[tree, self.end[query]] + (f[closing] if closing >= 0 else 0)
                if short < 1 - TOLERANCE:
                    self.known[self._cycle(came[tree], self.start[query], self.end[query], closing)] = None
        return len(self.known) > before

    def _cycle(self, came: np.ndarray, start: int, end: int, closing: int) -> tuple[int, ...]:
        """The edges of a simple guilty cycle on the way back from `end` to `start`."""
        path = [int(end)]
        while path[-1] != start:
            path.append(int(came[path[-1]]))
        if closing < 0:
            path = _loop([node % self.n for node in path])
        edges = [self.edge[frozenset(ends)] for ends in pairwise(path)]
        return tuple(sorted(edges + ([int(closing)] if closing >= 0 else [])))

    def matrix(self) -> csr_array:
        """One row a cycle, one column an edge."""
        from scipy.sparse import csr_array

        begins = np.cumsum([0, *map(len, self.known)])
        columns = np.concatenate([np.array(cycle) for cycle in self.known])
        return csr_array((np.ones(len(columns)), columns, begins), shape=(len(self.known), len(self.edge)))


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
