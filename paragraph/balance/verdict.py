"""Strong and weak balance, each verdict with its witness: the camps, or an unbalanced cycle."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph.arrays import connected
from ..pairs import PairsError
from .signed import SignedGraph, SignError, as_signed

__all__ = ["Balance", "balance", "check_kind", "tree_camps"]


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
        Where the graph is not balanced, the names of the nodes along an unbalanced cycle, that is a cycle which no
        camps agree with: no node occurs twice, each is joined to the next and the last to the first. Strong: an odd
        number of its edges is negative. Weak: exactly one is, the one from the last node to the first.
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
    """Is the graph balanced? With the camps, or with some unbalanced cycle.

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
    puts every node in a camp; an edge that disagrees closes an unbalanced cycle with the ways to its ends (Harary and
    Kabell 1980). Weak: a negative edge must not have both ends in one connected part of the positive edges; a
    positive path between its ends closes an unbalanced cycle.

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
    return _strong(signed) if kind == "strong" else _weak(signed)


def check_kind(kind: str) -> None:
    """`PairsError` for a kind of balance that there is not."""
    if kind not in ("strong", "weak"):
        raise PairsError(f"kind={kind!r} is not one of 'strong', 'weak'")


def _strong(signed: SignedGraph) -> Balance:
    part, before = _forest(signed)
    camps = _camps_along(signed, before)
    unbalanced = (camps[signed.a] == camps[signed.b]) != (signed.sign > 0)
    if not unbalanced.any():
        return Balance("strong", True, camps, None, signed)
    bad = np.zeros(signed.n, dtype=bool)
    bad[part[signed.a[unbalanced]]] = True
    camps[bad[part]] = -1
    edge = int(np.argmax(unbalanced))
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


def tree_camps(signed: SignedGraph) -> np.ndarray:
    """Two camps, 0 and 1, that every edge of a breadth-first forest agrees with; the first node of a part is in 0."""
    return _camps_along(signed, _forest(signed)[1])


def _camps_along(signed: SignedGraph, before: np.ndarray) -> np.ndarray:
    camp = np.zeros(signed.n + 1, np.int64)
    for x, y in ((signed.a, signed.b), (signed.b, signed.a)):
        up = before[x] == y
        camp[x[up]] = signed.sign[up] < 0
    ahead = np.append(before, signed.n)
    while (ahead < signed.n).any():  # each round doubles the way that is accounted for
        camp ^= camp[ahead]
        ahead = ahead[ahead]
    return camp[: signed.n]


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
