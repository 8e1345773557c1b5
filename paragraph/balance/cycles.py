"""Unbalanced cycles: a shortest one, and those that a covering must hit, found by shortest paths."""

from __future__ import annotations

from collections.abc import Hashable
from time import perf_counter
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from ..graph.arrays import Array, symmetric
from ..graph.bridges import blocks
from .signed import SignedGraph, as_signed
from .verdict import balance, doubled, first_camps, misfits

__all__ = ["TOLERANCE", "UnbalancedCycles", "shortest_unbalanced_cycle", "unbalanced_blocks",
           "with_few_negatives"]  # fmt: skip

TOLERANCE = 1e-6
SOURCES = 256  #: shortest-path trees in memory at a time
ENOUGH = 2000  #: new cycles to go on with


class UnbalancedCycles:
    """The unbalanced cycles found so far in a graph.

    *Weak*: such a cycle is a negative edge and a positive path between its ends. *Strong*: a path in the doubled
    graph from a node to its other copy goes round an odd number of negatives (`doubled`).
    """

    def __init__(self, graph: SignedGraph, kind: str):
        self.graph = graph
        edges = np.arange(graph.m)
        positive = graph.sign > 0
        self.known: dict[tuple[int, ...], list[int]] = {}
        if kind == "weak":
            nodes = graph.n
            ways = (graph.a[positive], graph.b[positive])
            carried = edges[positive]
            self.closing = edges[~positive]
            self.start = graph.a[~positive]
            self.end = graph.b[~positive]
        else:
            nodes = 2 * graph.n
            ways = doubled(graph.n, graph.a, graph.b, graph.sign)
            carried = np.tile(edges, 2)
            # some negative edge lies on every unbalanced cycle
            self.start = np.unique(graph.a[~positive])
            self.end = self.start + graph.n
            self.closing = np.full(len(self.start), -1)
        self.arcs = symmetric(nodes, *ways, carried + 1)

    def violated(self, f: Array, deadline: float = np.inf) -> dict[tuple[int, ...], list[int]]:
        """Return cycles over which f sums to less than 1, a shortest for each start: sorted edges → nodes.

        Leaves out the rest once many are found, or after the deadline. *Weak*: the negative edge joins the last node
        to the first.
        """
        # Of two equally violated cycles, the one with fewer edges says more, so every edge is a little longer than f.
        length = np.maximum(f, 0) + TOLERANCE**2
        arcs = self.arcs.astype(float)
        arcs.data = length[self.arcs.data - 1]
        closing = np.append(f, 0)[self.closing]
        found: dict[tuple[int, ...], list[int]] = {}
        for begin in range(0, len(self.start), SOURCES):
            if len(found) > ENOUGH or perf_counter() > deadline:
                break
            some = slice(begin, begin + SOURCES)
            start = self.start[some]
            end = self.end[some]
            sources, tree = np.unique(start, return_inverse=True)
            far, came = dijkstra(arcs, indices=sources, return_predecessors=True, limit=1.0)
            total = far[tree, end] + closing[some]
            for query in np.flatnonzero(total < 1 - TOLERANCE):
                before = came[tree[query]]
                nodes = self._cycle(before, int(start[query]), int(end[query]))
                edges = sorted(self.graph.edges_around(nodes))
                found[tuple(edges)] = nodes
        return found

    def add_violated(self, f: Array, deadline: float = np.inf) -> list[tuple[int, ...]]:
        """Add the `violated` cycles to those known; return the new ones."""
        found = self.violated(f, deadline)
        new = [cycle for cycle in found if cycle not in self.known]
        self.known |= found
        return new

    def pack(self, deadline: float = np.inf) -> int:
        """Count cycles that share no edge, taken one after another: at least that many edges must change."""
        free = np.ones(self.graph.m, dtype=bool)
        bound = 0
        while True:
            taken = (~free).astype(float)
            found = self.add_violated(taken, deadline)
            if not found:
                return bound
            for cycle in map(list, sorted(found, key=len)):
                if free[cycle].all():
                    free[cycle] = False
                    bound += 1

    def matrix(self) -> csr_array:
        """Return a 0-1 matrix with a row for each cycle and a column for each edge."""
        begins = np.cumsum([0, *map(len, self.known)])
        columns = np.concatenate(list(self.known))
        ones = np.ones(len(columns))
        shape = (len(self.known), self.graph.m)
        return csr_array((ones, columns, begins), shape=shape)

    def _cycle(self, came: Array, start: int, end: int) -> list[int]:
        """Return the nodes of a simple unbalanced cycle on the way back from `end` to `start`.

        A shortest walk from a node to its other copy may pass other nodes twice, each time another copy. So the loop
        between two such visits has an odd number of negatives, and the part before it is a stem, walked twice.
        """
        place: dict[int, int] = {}
        node = end
        while node % self.graph.n not in place:
            place[node % self.graph.n] = len(place)
            if node == start:
                return list(place)
            node = int(came[node])
        return list(place)[place[node % self.graph.n] :]


def unbalanced_blocks(signed: SignedGraph, kind: str) -> list[Array]:
    """Return the edges of each block that holds an unbalanced cycle, smallest first.

    An edge that does not fit the camps of a spanning forest closes an unbalanced cycle with edges of the forest, in
    its own block. Weak: the same holds for a negative inside a positive part; other negatives lie on no such cycle.
    """
    wrong = misfits(signed, first_camps(signed, kind))
    if kind == "strong":
        edges = np.arange(signed.m)
    else:
        edges = np.flatnonzero(wrong | (signed.sign > 0))
    label = blocks(signed.n, signed.a[edges], signed.b[edges])
    order = np.argsort(label, kind="stable")
    ends = np.flatnonzero(np.diff(label[order])) + 1
    each = np.split(edges[order], ends)
    unbalanced = [block for block in each if wrong[block].any()]
    return sorted(unbalanced, key=len)


def with_few_negatives(graph: SignedGraph, camps: Array, kind: str) -> SignedGraph:
    """Return a graph with the same unbalanced cycles, in which a search starts from few negatives.

    Strong: the misfits of the camps become the negatives, since switching keeps the unbalanced cycles.
    """
    if kind == "weak":
        return graph
    sign = np.where(misfits(graph, camps), -1, 1)
    return graph.with_sign(sign)


def shortest_unbalanced_cycle(graph: Any, kind: str = "strong") -> list[Hashable] | None:
    """Return the names of the nodes along an unbalanced cycle with the fewest edges (see `Balance.cycle`), or None.

    Notes
    -----
    O(n m log n) at worst: block by block, shortest paths are searched from ends of edges that do not fit some camps,
    no farther than the length of the shortest known cycle.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.cycle_graph(5)
    >>> graph.add_edge(0, 3)
    >>> nx.set_edge_attributes(graph, 1, "sign")
    >>> graph.edges[3, 4]["sign"] = -1
    >>> shortest_unbalanced_cycle(graph, "weak")
    [3, 0, 4]
    """
    signed = as_signed(graph)
    best = balance(signed, kind).cycle
    if best is None:
        return None
    for edges in unbalanced_blocks(signed, kind):
        if len(best) == 3:
            break
        block = signed.part(edges)
        block = with_few_negatives(block, first_camps(block, kind), kind)
        cycles = UnbalancedCycles(block, kind)
        shorter = cycles.violated(np.full(block.m, 1 / len(best)))
        named = map(block.named, shorter.values())
        best = min([best, *named], key=len)
    return best
