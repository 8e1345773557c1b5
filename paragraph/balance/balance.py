"""Strong and weak balance, each verdict with its witness: the camps, or a guilty cycle."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..pairs import PairsError
from .signed import SignedGraph, SignError, as_signed, connected
from .triads import triad_edges

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Balance", "balance", "shortest_guilty_cycle"]


@dataclass(frozen=True, eq=False)
class Balance:
    """A verdict on a signed graph, and what shows it. True where the graph is balanced.

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
        Where the graph is not balanced, the names of the nodes along a guilty cycle: no node occurs twice, each is
        joined to the next and the last to the first. Strong: an odd number of its edges is negative. Weak: exactly
        one is, the one from the last node to the first.
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
        edges = [self.graph.edge_between(x, y) for x, y in zip(nodes, nodes[1:] + nodes[:1], strict=True)]
        return self.graph.sign[edges].tolist()

    def camp_of(self, name: Hashable) -> int:
        """The camp of a node, called by its name or by its sentence; `SignError` where it has none."""
        camp = int(self.camps[self.graph.index(name)])
        if camp < 0:
            raise SignError(f"{name!r} lies in a part that is not balanced ({self.kind}), so it has no camp")
        return camp

    def __str__(self) -> str:
        if self.balanced:
            camps = len(np.unique(self.camps))
            return f"{self.kind}ly balanced: {camps} camp{'s' * (camps != 1)}"
        texts = [self.graph.text(self.graph.index(name)) for name in self.cycle]
        steps = (f"{text} ({'+' if sign > 0 else '−'})" for text, sign in zip(texts, self.cycle_signs, strict=True))
        return f"not {self.kind}ly balanced: {' '.join(steps)} {texts[0]}"


def balance(graph: Any, kind: str = "strong") -> Balance:
    """Is the graph balanced? With the camps, or with some guilty cycle.

    *Strong* (Cartwright and Harary 1956; Harary 1953): the nodes split in two camps, `+` inside and `-` between them;
    equivalently no cycle has an odd number of `-`. *Weak* (Davis 1967): any number of camps; equivalently no cycle
    has exactly one `-`.

    Parameters
    ----------
    graph : ParaphraseGraph, networkx graph or SignedGraph
    kind : "strong" or "weak"

    Notes
    -----
    Linear time (but for the logarithm of the depth of a breadth-first forest), in compiled code. Strong: the forest
    puts every node in a camp; an edge that disagrees closes a guilty cycle with the ways to its ends (Harary and
    Kabell 1980). Weak: a negative edge must not have both ends in one connected part of the positive edges; a
    positive path between its ends closes a guilty cycle.

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
    _check(kind)
    return _strong(signed) if kind == "strong" else _weak(signed)


def shortest_guilty_cycle(graph: Any, kind: str = "strong") -> list[Hashable] | None:
    """The names of the nodes along a guilty cycle of fewest edges (see `Balance.cycle`), or None.

    O(n m) at worst; a triad, where one is guilty, is found in O(m^1.5).

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.cycle_graph(5)
    >>> graph.add_edge(0, 3)
    >>> nx.set_edge_attributes(graph, 1, "sign")
    >>> graph.edges[3, 4]["sign"] = -1
    >>> shortest_guilty_cycle(graph, "weak")
    [4, 0, 3]
    """
    signed = as_signed(graph)
    _check(kind)
    guilty = _guilty_triad(signed, kind)
    if guilty is None:
        guilty = _shortest_strong(signed) if kind == "strong" else _shortest_weak(signed)
    return None if guilty is None else signed.named(guilty)


def _check(kind: str) -> None:
    if kind not in ("strong", "weak"):
        raise PairsError(f"kind={kind!r} is not one of 'strong', 'weak'")


# -- some guilty cycle, in linear time -------------------------------------------------------------------


def _strong(signed: SignedGraph) -> Balance:
    part, before = _forest(signed)
    side = _sides(signed, before)
    guilty = side[signed.a] * side[signed.b] != signed.sign
    camps = (side < 0).astype(np.int64)
    if not guilty.any():
        return Balance("strong", True, camps, None, signed)
    bad = np.zeros(signed.n, dtype=bool)
    bad[part[signed.a[guilty]]] = True
    camps[bad[part]] = -1
    edge = int(np.argmax(guilty))
    cycle = _tree_path(before, int(signed.a[edge]), int(signed.b[edge]))
    return Balance("strong", False, camps, signed.named(cycle), signed)


def _forest(signed: SignedGraph) -> tuple[np.ndarray, np.ndarray]:
    """The connected part of each node, and the node before it breadth-first from the part's first; n for a first."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order, connected_components

    n, near = signed.n, signed.adjacency
    if not n:
        return np.empty(0, np.int32), np.empty(0, np.int32)
    _, part = connected_components(near, directed=False)
    # scipy numbers parts in the order in which it meets their first node. One node more leads to all of those.
    firsts = np.flatnonzero(np.diff(np.maximum.accumulate(part), prepend=-1))
    indices = np.concatenate([near.indices, firsts])
    indptr = np.append(near.indptr, len(indices))
    rooted = csr_array((np.ones(len(indices)), indices, indptr), shape=(n + 1, n + 1))
    return part, breadth_first_order(rooted, n)[1][:n]


def _sides(signed: SignedGraph, before: np.ndarray) -> np.ndarray:
    """The product of the signs on the way from each node to the first of its part: +1 or -1."""
    side = np.ones(signed.n + 1, np.int8)
    for x, y in ((signed.a, signed.b), (signed.b, signed.a)):
        up = before[x] == y
        side[x[up]] = signed.sign[up]
    ahead = np.append(before, signed.n)
    while (ahead < signed.n).any():  # each round doubles the way that is accounted for
        side *= side[ahead]
        ahead = ahead[ahead]
    return side[: signed.n]


def _tree_path(before: np.ndarray, a: int, b: int) -> list[int]:
    """The nodes from a to b along a forest."""
    roots = len(before)
    ways = []
    for node in (a, b):
        way = []
        while node < roots:
            way.append(node)
            node = int(before[node])
        ways.append(way)
    up, down = ways
    while len(up) > 1 and len(down) > 1 and up[-2] == down[-2]:
        del up[-1], down[-1]
    return up + down[-2::-1]


def _weak(signed: SignedGraph) -> Balance:
    part = signed.positive_parts
    inner = (signed.sign < 0) & (part[signed.a] == part[signed.b])
    camps = part.astype(np.int64)
    if not inner.any():
        return Balance("weak", True, camps, None, signed)
    whole = connected(signed.n, signed.a, signed.b)
    camps[np.isin(whole, whole[signed.a[inner]])] = -1
    edge = int(np.argmax(inner))
    a, b = int(signed.a[edge]), int(signed.b[edge])
    inside = (signed.sign > 0) & (part[signed.a] == part[a])
    path = _path(signed.n, signed.a[inside], signed.b[inside], a, b)
    return Balance("weak", False, camps, signed.named(path), signed)


def _path(n: int, a: np.ndarray, b: np.ndarray, source: int, target: int) -> list[int]:
    """A shortest path between two nodes of one connected part."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import breadth_first_order

    matrix = coo_array((np.ones(len(a), np.int8), (a, b)), shape=(n, n))
    _, before = breadth_first_order(matrix, source, directed=False)
    path = [target]
    while path[-1] != source:
        path.append(int(before[path[-1]]))
    return path[::-1]


# -- a shortest guilty cycle -----------------------------------------------------------------------------


def _guilty_triad(signed: SignedGraph, kind: str) -> list[int] | None:
    """The first guilty triad, its negative edge last; no cycle is shorter."""
    for edges in triad_edges(signed):
        negatives = (signed.sign[edges] < 0).sum(axis=1)
        guilty = negatives == 1 if kind == "weak" else negatives % 2 == 1
        if guilty.any():
            uv, vw, wu = edges[np.argmax(guilty)]
            u, v = sorted((int(signed.a[uv]), int(signed.b[uv])))
            w = int(max(signed.a[wu], signed.b[wu]))
            turned = {int(uv): [v, w, u], int(vw): [w, u, v], int(wu): [u, v, w]}
            return next(turned[int(edge)] for edge in (wu, vw, uv) if signed.sign[edge] < 0)
    return None


def _shortest_strong(signed: SignedGraph) -> list[int] | None:
    n = signed.n
    guilty = np.flatnonzero(_strong(signed).camps < 0).tolist()
    # A cycle is looked for from its first node alone, so earlier ones are out of bounds.
    walk = _shortest(_matrix(2 * n, *_doubled(signed)), ((v, v + n, v) for v in guilty), n, 4)
    return None if walk is None else [node % n for node in walk[:-1]]


def _shortest_weak(signed: SignedGraph) -> list[int] | None:
    part = signed.positive_parts
    inner = np.flatnonzero((signed.sign < 0) & (part[signed.a] == part[signed.b]))
    positive = signed.sign > 0
    matrix = _matrix(signed.n, signed.a[positive], signed.b[positive])
    ends = zip(signed.a[inner].tolist(), signed.b[inner].tolist(), strict=True)
    return _shortest(matrix, ((a, b, 0) for a, b in ends), signed.n, 3)


def _doubled(signed: SignedGraph) -> tuple[np.ndarray, np.ndarray]:
    """The edges of the doubled graph: node v is v in the one camp and v + n in the other.

    A positive edge joins like camps, a negative one unlike, so a way from v to v + n is a closed walk with an odd
    number of negatives; a shortest one is a cycle.
    """
    n = signed.n
    a, b = signed.a.astype(np.int64), signed.b.astype(np.int64)
    across = np.where(signed.sign < 0, n, 0)
    return np.concatenate([a, a + n]), np.concatenate([b + across, b + n - across])


def _matrix(n: int, a: np.ndarray, b: np.ndarray) -> csr_array:
    from scipy.sparse import csr_array

    ends = np.concatenate([a, b]), np.concatenate([b, a])
    return csr_array((np.ones(len(ends[0]), np.int8), ends), shape=(n, n))


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
