"""Signed graphs as arrays, and the verdict on them: strong or weak balance, with a witness."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree

from ..files import PairsError
from ..files.shown import counting
from ..graph import ParaphraseGraph
from ..graph.arrays import PairIndex, connected, pair_keys, symmetric

if TYPE_CHECKING:
    import networkx as nx
    from scipy.sparse import csr_array

__all__ = [
    "Balance", "SignError", "SignedGraph", "as_signed", "balance", "check_kind", "doubled", "first_camps",
    "fitting_camps", "misfits",
]  # fmt: skip


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
    a: np.ndarray
    b: np.ndarray
    sign: np.ndarray
    names: Sequence[Hashable]
    clusters: np.ndarray | None = None
    sentence: Callable[[int], str] | None = None  #: the text of a node, where it has one
    find: Callable[[str], int] | None = None  #: the node of a sentence, where sentences can be looked up

    def __repr__(self) -> str:
        positive = int(np.count_nonzero(self.sign > 0))
        return f"<SignedGraph: {self.n:,} nodes, {positive:,} positive and {self.m - positive:,} negative edges>"

    @property
    def m(self) -> int:
        """Number of edges."""
        return len(self.sign)

    def text(self, node: int) -> str:
        """Return the sentence of a node, else its name as a string."""
        return str(self.names[node]) if self.sentence is None else self.sentence(node)

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
    def positive_parts(self) -> np.ndarray:
        """The connected part of the positive edges of each node: its cluster, where there are clusters.

        Otherwise parts are numbered by their first node.
        """
        if self.clusters is not None:
            return self.clusters
        positive = self.sign > 0
        return connected(self.n, self.a[positive], self.b[positive])

    def edges_around(self, cycle: Sequence[int]) -> list[int]:
        """Return the edges of a cycle given by its nodes; the edge from the last node to the first comes last."""
        return self.edge_index.places(np.array(cycle), np.roll(cycle, -1)).tolist()

    def part(self, edges: np.ndarray) -> SignedGraph:
        """Return the graph of some edges and their ends, with the same names."""
        nodes, ends = np.unique([self.a[edges], self.b[edges]], return_inverse=True)
        return SignedGraph(len(nodes), *ends.reshape(2, -1), self.sign[edges], self.named(nodes))

    def to_networkx(self) -> nx.Graph:
        """Return the graph as one of networkx, with a `sign` on each edge."""
        import networkx as nx

        graph = nx.Graph()
        graph.add_nodes_from(self.names)
        ends = zip(self.named(self.a), self.named(self.b), self.sign.tolist(), strict=True)
        graph.add_weighted_edges_from(ends, weight="sign")
        return graph

    def with_sign(self, sign: np.ndarray) -> SignedGraph:
        """Return the graph with new signs, and without clusters, which depended on the signs."""
        return replace(self, sign=np.asarray(sign, dtype=np.int8), clusters=None)

    def flipped(self, edges: Sequence[int] | np.ndarray) -> SignedGraph:
        """Return the graph with the signs of some edges flipped."""
        sign = self.sign.copy()
        sign[edges] *= -1
        return self.with_sign(sign)


def doubled(n: int, a: np.ndarray, b: np.ndarray, sign: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges of the doubled graph: node v is v in one camp and v + n in the other.

    A positive edge joins equal camps, a negative one different camps. So a way from v to v + n is a closed walk with
    an odd number of negatives; a shortest one is a cycle.
    """
    a = a.astype(np.int64)
    b = b.astype(np.int64)
    across = np.where(sign < 0, n, 0)
    return np.concatenate([a, a + n]), np.concatenate([b + across, b + n - across])


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
        return SignedGraph(graph.n, *ends, graph.edge_sign, names, graph.cluster_of, graph.text, graph.node)
    if not (hasattr(graph, "is_directed") and hasattr(graph, "edges")):
        raise SignError(f"a {type(graph).__name__} is neither a ParaphraseGraph nor a networkx graph")
    if graph.is_directed():
        raise SignError("the graph is directed; make it undirected, with one sign for each pair of nodes")
    names = list(graph)
    place = {name: i for i, name in enumerate(names)}
    edges = []
    for x, y, value in graph.edges(data="sign"):
        if value is None:
            raise SignError(f"edge {x!r} – {y!r} has no sign; give it sign=+1 or sign=-1")
        if isinstance(value, bool) or value not in (1, -1):
            raise SignError(f"edge {x!r} – {y!r}: sign {value!r} is not one of +1, -1")
        edges.append((place[x], place[y], int(value)))
    a, b, sign = np.array(edges, int).reshape(-1, 3).T
    again = np.ones(len(a), dtype=bool)
    again[np.unique(pair_keys(a, b, len(names)), return_index=True)[1]] = False
    for odd, why in (
        (a == b, "joins a node to itself; remove self-loops first"),
        (again, "occurs more than once; keep one sign for each pair of nodes"),
    ):
        if odd.any():
            at = odd.argmax()
            raise SignError(f"edge {names[a[at]]!r} – {names[b[at]]!r} {why}")
    signed = SignedGraph(len(names), a, b, sign.astype(np.int8), names)
    texts = [str(text) for _, text in graph.nodes(data="text", default="")]
    if not any(texts):
        return signed
    return replace(signed, sentence=lambda i: texts[i] or str(names[i]))


@dataclass(frozen=True, eq=False)
class Balance:
    """A verdict on a signed graph, with its witness. True if the graph is balanced.

    Attributes
    ----------
    kind : str
        "strong" or "weak".
    balanced : bool
    camps : integer array (n,)
        The camp of each node: `+` edges stay inside camps, `-` edges run between them. -1 for every node of a
        connected part that is not balanced. Strong: 0 or 1, and 0 for the first node of each connected part. Weak:
        the positive parts (for sentences, their clusters).
    cycle : list or None
        If the graph is not balanced, the names of the nodes along an unbalanced cycle, that is, a cycle that fits no
        camps: no node occurs twice, each is joined to the next and the last to the first. Strong: an odd number of
        its edges is negative. Weak: exactly one is, the edge from the last node to the first.
    """

    kind: str
    balanced: bool
    camps: np.ndarray
    cycle: list[Hashable] | None
    graph: SignedGraph

    def __bool__(self) -> bool:
        return self.balanced

    @property
    def cycle_signs(self) -> list[int] | None:
        """The sign of each edge of the cycle, the one from the last node to the first at the end."""
        if self.cycle is None:
            return None
        nodes = [self.graph.index(name) for name in self.cycle]
        return self.graph.sign[self.graph.edges_around(nodes)].tolist()

    def camp_of(self, name: Hashable) -> int:
        """Return the camp of a node, called by its name or sentence; raise `SignError` where it has none."""
        camp = int(self.camps[self.graph.index(name)])
        if camp < 0:
            raise SignError(f"{name!r} lies in a part that is not balanced ({self.kind}), so it has no camp")
        return camp

    def __str__(self) -> str:
        if self.balanced:
            camps = len(np.unique(self.camps))
            return f"{self.kind}ly balanced: {counting(camps, 'camp')}"
        texts = [self.graph.text(self.graph.index(name)) for name in self.cycle]
        steps = (f"{text} ({'+' if sign > 0 else '−'})" for text, sign in zip(texts, self.cycle_signs, strict=True))
        return f"not {self.kind}ly balanced: {' '.join(steps)} {texts[0]}"


def balance(graph: Any, kind: str = "strong") -> Balance:
    """Judge the balance of a graph, with the camps or an unbalanced cycle as a witness.

    *Strong* (Cartwright and Harary 1956; Harary 1953): the nodes split in two camps, `+` inside and `-` between them;
    equivalently no cycle has an odd number of `-`. *Weak* (Davis 1967): any number of camps; equivalently no cycle
    has exactly one `-`.

    Parameters
    ----------
    graph : ParaphraseGraph, networkx graph or SignedGraph
    kind : "strong" or "weak"

    Notes
    -----
    Linear time except for a sort. The camps of a spanning forest (strong), or the parts connected by positive edges
    (weak), are tried. An edge that does not fit them closes an unbalanced cycle with a path of edges that do (Harary
    and Kabell 1980).

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.Graph()
    >>> graph.add_weighted_edges_from([("x", "y", -1), ("y", "z", -1), ("x", "z", -1)], weight="sign")
    >>> print(balance(graph, "strong"))
    not strongly balanced: y (−) x (−) z (−) y
    >>> weak = balance(graph, "weak")
    >>> print(weak, weak.camps, weak.camp_of("z"))
    weakly balanced: 3 camps [0 1 2] 2
    """
    signed = as_signed(graph)
    check_kind(kind)
    camps = first_camps(signed, kind)
    wrong = misfits(signed, camps)
    if not wrong.any():
        return Balance(kind, True, camps, None, signed)
    fitting = ~wrong if kind == "strong" else signed.sign > 0
    edge = int(np.argmax(wrong))
    cycle = _path(signed, fitting, int(signed.a[edge]), int(signed.b[edge]))
    part = connected(signed.n, signed.a, signed.b)
    camps[np.isin(part, part[signed.a[wrong]])] = -1
    return Balance(kind, False, camps, signed.named(cycle), signed)


def check_kind(kind: str) -> None:
    """Raise `PairsError` for an unknown kind of balance."""
    if kind not in ("strong", "weak"):
        raise PairsError(f"kind={kind!r} is not one of 'strong', 'weak'")


def misfits(graph: SignedGraph, camps: np.ndarray) -> np.ndarray:
    """Return the mask of edges that do not fit the camps: positives between two, negatives inside one."""
    return (camps[graph.a] == camps[graph.b]) != (graph.sign > 0)


def first_camps(graph: SignedGraph, kind: str) -> np.ndarray:
    """Return camps that fit a spanning forest (strong) or all positives (weak), and all edges of a balanced graph."""
    if kind == "weak":
        return graph.positive_parts.astype(np.int64)
    if not graph.m:
        return np.zeros(graph.n, np.int64)
    forest = minimum_spanning_tree(graph.adjacency).data.astype(np.int64) - 1
    return fitting_camps(graph.n, graph.a[forest], graph.b[forest], graph.sign[forest], kind)


def fitting_camps(n: int, a: np.ndarray, b: np.ndarray, sign: np.ndarray, kind: str) -> np.ndarray:
    """Return camps that fit balanced edges among n nodes. Strong: the first node of each part is in camp 0."""
    if kind == "weak":
        return connected(n, a[sign > 0], b[sign > 0])
    part = connected(2 * n, *doubled(n, a, b, sign))
    return (part[:n] > part[n:]).astype(np.int64)


def _path(graph: SignedGraph, edges: np.ndarray, source: int, target: int) -> list[int]:
    """Return a shortest path along some edges, which join its ends."""
    matrix = symmetric(graph.n, graph.a[edges], graph.b[edges], np.ones(np.count_nonzero(edges), np.int8))
    _, before = breadth_first_order(matrix, source)
    path = [target]
    while path[-1] != source:
        path.append(int(before[path[-1]]))
    return path[::-1]
