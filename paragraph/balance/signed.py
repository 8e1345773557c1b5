"""Signed graphs as arrays."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..files import PairsError
from ..graph import ParaphraseGraph
from ..graph.arrays import Array, PairIndex, connected, symmetric

if TYPE_CHECKING:
    import networkx as nx
    from scipy.sparse import csr_array

__all__ = ["SignError", "SignedGraph", "as_signed"]


class SignError(PairsError):
    """An error: a graph that is not a simple, undirected, signed one, or a node that it does not hold."""


@dataclass(frozen=True, eq=False)
class SignedGraph:
    """A simple undirected graph with a sign on every edge; nodes are ``0..n-1``. See `as_signed`.

    The constructor trusts its arrays.

    Attributes
    ----------
    n : int
        Number of nodes.
    a, b : integer arrays, one entry per edge
        The ends of each edge, in either order; no pair of nodes occurs twice, and no node is joined to itself.
    sign : int8 array
        +1 or -1 for each edge.
    names : sequence
        The caller's name for each node: the node objects of networkx, or the integers of a ParaphraseGraph.
    clusters : integer array or None
        The cluster of each sentence; None where the graph does not come from sentences.
    """

    n: int
    a: Array
    b: Array
    sign: Array
    names: Sequence[Hashable]
    clusters: Array | None = None
    sentence: Callable[[int], str] | None = None  #: the text of a node, where it has one
    find: Callable[[str], int] | None = (
        None  #: the node of a sentence, where sentences can be looked up
    )

    def __repr__(self) -> str:
        positive = int(np.count_nonzero(self.sign > 0))
        return f"<SignedGraph: {self.n:,} nodes, {positive:,} positive and {self.m - positive:,} negative edges>"

    @property
    def m(self) -> int:
        """Number of edges."""
        return len(self.sign)

    def text(self, node: int) -> str:
        """Return the sentence of a node, else its name as a string."""
        if self.sentence is None:
            return str(self.names[node])
        return self.sentence(node)

    @cached_property
    def _places(self) -> dict[Hashable, int]:
        return {name: i for i, name in enumerate(self.names)}

    def index(self, name: Hashable) -> int:
        """Return the node of a name, or of a sentence; raise `SignError` where there is none."""
        if self.find is not None and isinstance(name, str):
            return self.find(name)
        try:
            return self._places[name]
        except (KeyError, TypeError):
            raise SignError(f"no node is called {name!r}") from None

    def named(self, nodes: Sequence[int]) -> list[Hashable]:
        """Return the names of several nodes."""
        return [self.names[int(node)] for node in nodes]

    @cached_property
    def adjacency(self) -> csr_array:
        """Edges as a symmetric sparse matrix with sorted rows; its data are edge numbers + 1."""
        return symmetric(self.n, self.a, self.b, np.arange(1, self.m + 1))

    @cached_property
    def edge_index(self) -> PairIndex:
        """An index that finds the edges of pairs of nodes."""
        return PairIndex.of(self.a, self.b, self.n)

    @cached_property
    def positive_parts(self) -> Array:
        """The connected part of the positive edges of each node: its cluster, where there are clusters.

        Otherwise parts are numbered by their first node.
        """
        if self.clusters is not None:
            return self.clusters
        positive = self.sign > 0
        return connected(self.n, self.a[positive], self.b[positive])

    def edges_around(self, cycle: Sequence[int]) -> list[int]:
        """Return the edges of a cycle given by its nodes; the edge from the last node to the first comes last."""
        edges = self.edge_index.places(cycle, np.roll(cycle, -1))
        return edges.tolist()

    def part(self, edges: Array) -> SignedGraph:
        """Return the graph of some edges and their ends, with the same names."""
        ends = [self.a[edges], self.b[edges]]
        nodes, places = np.unique(ends, return_inverse=True)
        a, b = places.reshape(2, -1)
        return SignedGraph(len(nodes), a, b, self.sign[edges], self.named(nodes))

    def to_networkx(self) -> nx.Graph:
        """Return the graph as one of networkx, with a `sign` on each edge."""
        import networkx as nx

        graph = nx.Graph()
        graph.add_nodes_from(self.names)
        ends = zip(self.named(self.a), self.named(self.b), self.sign.tolist(), strict=True)
        graph.add_weighted_edges_from(ends, weight="sign")
        return graph

    def with_sign(self, sign: Array) -> SignedGraph:
        """Return the graph with new signs, and without clusters, which depended on the signs."""
        return replace(self, sign=np.asarray(sign, dtype=np.int8), clusters=None)

    def flipped(self, edges: Sequence[int] | Array) -> SignedGraph:
        """Return the graph with the signs of some edges flipped."""
        sign = self.sign.copy()
        sign[edges] *= -1
        return self.with_sign(sign)


def as_signed(graph: Any) -> SignedGraph:
    """Return any signed graph as arrays.

    Parameters
    ----------
    graph : ParaphraseGraph, networkx graph or SignedGraph
        Every edge of a networkx graph carries a `sign`, +1 or -1. A multigraph is accepted if no two of its edges are
        parallel.

    Raises
    ------
    SignError
        For a directed graph, parallel edges, self-loops, and signs that are missing, zero or anything else.
        (A graph without nodes or edges is fine.)

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.Graph()
    >>> graph.add_edge("Ann", "Bob", sign=+1)
    >>> graph.add_edge("Bob", "Cid", sign=-1)
    >>> signed = as_signed(graph)
    >>> signed
    <SignedGraph: 3 nodes, 1 positive and 1 negative edges>
    >>> signed.a, signed.b, signed.sign, signed.names
    (array([0, 1]), array([1, 2]), array([ 1, -1], dtype=int8), ['Ann', 'Bob', 'Cid'])
    >>> graph.add_edge("Ann", "Cid")
    >>> as_signed(graph)
    Traceback (most recent call last):
        ...
    paragraph.balance.signed.SignError: edge 'Ann' – 'Cid' has no sign; give it sign=+1 or sign=-1
    """
    if isinstance(graph, SignedGraph):
        return graph
    if isinstance(graph, ParaphraseGraph):
        ends = (graph.edge_a, graph.edge_b)
        names = range(graph.n)
        return SignedGraph(
            graph.n, *ends, graph.edge_sign, names, graph.cluster_of, graph.text, graph.node
        )
    if not (hasattr(graph, "is_directed") and hasattr(graph, "edges")):
        raise SignError(
            f"a {type(graph).__name__} is neither a ParaphraseGraph nor a networkx graph"
        )
    if graph.is_directed():
        raise SignError(
            "the graph is directed; make it undirected, with one sign for each pair of nodes"
        )
    names = list(graph)
    place = {name: i for i, name in enumerate(names)}
    signs: dict[tuple[int, int], int] = {}
    for x, y, sign in graph.edges(data="sign"):
        ends = (place[x], place[y])
        fault = ""
        if sign is None:
            fault = " has no sign; give it sign=+1 or sign=-1"
        elif isinstance(sign, bool) or sign not in (1, -1):
            fault = f": sign {sign!r} is not one of +1, -1"
        elif x == y:
            fault = " joins a node to itself; remove self-loops first"
        elif ends in signs or ends[::-1] in signs:
            fault = " occurs more than once; keep one sign for each pair of nodes"
        if fault:
            raise SignError(f"edge {x!r} – {y!r}{fault}")
        signs[ends] = int(sign)
    a, b = np.array(list(signs), int).reshape(-1, 2).T
    signed = SignedGraph(len(names), a, b, np.array(list(signs.values()), np.int8), names)
    texts = [str(text) for _, text in graph.nodes(data="text", default="")]
    if not any(texts):
        return signed
    return replace(signed, sentence=lambda i: texts[i] or str(names[i]))
