"""The verdict on a signed graph: strong or weak balance, with a witness."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree

from ..files import PairsError
from ..files.shown import counting
from ..graph.arrays import Array, connected, symmetric
from .signed import SignedGraph, SignError, as_signed

__all__ = ["Balance", "balance", "check_kind", "doubled", "first_camps", "fitting_camps", "misfits"]


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
    camps: Array
    cycle: list[Hashable] | None
    graph: SignedGraph

    def __bool__(self) -> bool:
        return self.balanced

    @property
    def cycle_signs(self) -> list[int] | None:
        """The sign of each edge of the cycle, the one from the last node to the first at the end."""
        if self.cycle is None:
            return None
        nodes = list(map(self.graph.index, self.cycle))
        edges = self.graph.edges_around(nodes)
        return self.graph.sign[edges].tolist()

    def camp_of(self, name: Hashable) -> int:
        """Return the camp of a node, called by its name or sentence; raise `SignError` where it has none."""
        camp = int(self.camps[self.graph.index(name)])
        if camp < 0:
            raise SignError(
                f"{name!r} lies in a part that is not balanced ({self.kind}), so it has no camp"
            )
        return camp

    def __str__(self) -> str:
        if self.balanced:
            camps = len(np.unique(self.camps))
            return f"{self.kind}ly balanced: {counting(camps, 'camp')}"
        texts = [self.graph.text(self.graph.index(name)) for name in self.cycle]
        marks = {1: "(+)", -1: "(−)"}
        walk = ""
        for text, sign in zip(texts, self.cycle_signs, strict=True):
            walk += f"{text} {marks[sign]} "
        return f"not {self.kind}ly balanced: {walk}{texts[0]}"


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
    fitting = ~wrong
    if kind == "weak":
        fitting = signed.sign > 0
    edge = int(np.argmax(wrong))
    cycle = _path(signed, fitting, int(signed.a[edge]), int(signed.b[edge]))
    part = connected(signed.n, signed.a, signed.b)
    unbalanced = part[signed.a[wrong]]
    camps[np.isin(part, unbalanced)] = -1
    return Balance(kind, False, camps, signed.named(cycle), signed)


def check_kind(kind: str) -> None:
    """Raise `PairsError` for an unknown kind of balance."""
    if kind not in ("strong", "weak"):
        raise PairsError(f"kind={kind!r} is not one of 'strong', 'weak'")


def misfits(graph: SignedGraph, camps: Array) -> Array:
    """Return the mask of edges that do not fit the camps: positives between two, negatives inside one."""
    same = camps[graph.a] == camps[graph.b]
    return same != (graph.sign > 0)


def first_camps(graph: SignedGraph, kind: str) -> Array:
    """Return camps that fit a spanning forest (strong) or all positives (weak), and all edges of a balanced graph."""
    if kind == "weak":
        return graph.positive_parts.astype(np.int64)
    if not graph.m:
        return np.zeros(graph.n, np.int64)
    forest = minimum_spanning_tree(graph.adjacency).data.astype(np.int64) - 1
    return fitting_camps(graph.n, graph.a[forest], graph.b[forest], graph.sign[forest], kind)


def fitting_camps(n: int, a: Array, b: Array, sign: Array, kind: str) -> Array:
    """Return camps that fit balanced edges among n nodes. Strong: the first node of each part is in camp 0."""
    if kind == "weak":
        return connected(n, a[sign > 0], b[sign > 0])
    part = connected(2 * n, *doubled(n, a, b, sign))
    return (part[:n] > part[n:]).astype(np.int64)


def _path(graph: SignedGraph, edges: Array, source: int, target: int) -> list[int]:
    """Return a shortest path along some edges, which join its ends."""
    ones = np.ones(np.count_nonzero(edges), np.int8)
    matrix = symmetric(graph.n, graph.a[edges], graph.b[edges], ones)
    _, before = breadth_first_order(matrix, source)
    path = [target]
    while path[-1] != source:
        path.append(int(before[path[-1]]))
    return path[::-1]


def doubled(n: int, a: Array, b: Array, sign: Array) -> tuple[Array, Array]:
    """Return the edges of the doubled graph: node v is v in one camp and v + n in the other.

    A positive edge joins equal camps, a negative one different camps. So a way from v to v + n is a closed walk with
    an odd number of negatives; a shortest one is a cycle.
    """
    a = a.astype(np.int64)
    b = b.astype(np.int64)
    across = np.where(sign < 0, n, 0)
    begin = np.concatenate([a, a + n])
    end = np.concatenate([b + across, b + n - across])
    return begin, end
