"""Triads: the triangles of a signed graph, counted and listed by their signs."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..pairs import PairsError
from .signed import SignedGraph, as_signed

__all__ = ["KINDS", "Triad", "census", "triad_edges", "triads", "triads_of"]

KINDS = ("+++", "++-", "+--", "---")  #: by the number of negatives: kind k has k of them
BLOCK = 1 << 21  #: wedges that are looked at in one go, which bounds the memory

#: Bits of one integer for each count of common neighbours by sign.
BITS = 21


class Triad(NamedTuple):
    """Three nodes that are joined pairwise."""

    nodes: tuple[Hashable, Hashable, Hashable]
    signs: tuple[int, int, int]  #: of the edges 0–1, 1–2, 2–0
    texts: tuple[str, str, str]

    @property
    def kind(self) -> str:
        """One of `KINDS`: positives first."""
        return KINDS[self.signs.count(-1)]


def census(graph: Any, by: str | None = None) -> pd.Series | pd.DataFrame:
    """Count the triads of each kind: `+++`, `++-`, `+--`, `---`.

    Heider (1946) and Cartwright and Harary (1956) call `+++` and `+--` balanced; Davis (1967) also `---`.

    Parameters
    ----------
    graph : ParaphraseGraph, networkx graph or SignedGraph
    by : None, "cluster", "node" or "edge"
        None counts the whole graph. "node" and "edge" count the triads that hold each node or edge; each triad
        is counted three times, and rows keep the order of the graph's nodes or edges. "cluster" counts the triads
        whose three nodes lie in one cluster (connected by positive edges).

    Returns
    -------
    Series, or DataFrame with one column a kind; by edge, columns `a`, `b` and `sign` come first.

    Notes
    -----
    O(m^1.5) time at worst for m edges, in bounded memory. One sparse matrix product counts whole graphs and clusters.
    A positive edge has the value 1, a negative one 2**21. Then three groups of bits of the entry u, w of A @ A say
    how many common neighbours of u and w are joined to them by ++, +- and --. All edges point to the end of higher
    degree, so each triad is met once, and no hub is costly. Nodes and edges are counted from the list of triads.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.Graph()
    >>> graph.add_weighted_edges_from([(0, 1, 1), (1, 2, 1), (0, 2, -1), (1, 3, -1), (2, 3, -1)], weight="sign")
    >>> census(graph)
    +++    0
    ++-    1
    +--    1
    ---    0
    Name: triads, dtype: int64
    >>> census(graph, by="node")
       +++  ++-  +--  ---
    0    0    1    0    0
    1    0    1    1    0
    2    0    1    1    0
    3    0    0    1    0
    """
    signed = as_signed(graph)
    if by in (None, "cluster"):
        home = signed.positive_parts if by else np.zeros(signed.n, np.int64)
        counted = np.zeros((int(home.max(initial=-1)) + 1 if by else 1, 4))
        for node, counts in _products(signed, home[signed.a] == home[signed.b]):
            for kind in range(4):
                counted[:, kind] += np.bincount(home[node], counts[:, kind], minlength=len(counted))
        table = pd.DataFrame(counted.astype(np.int64), columns=list(KINDS)).rename_axis("cluster")
        return table if by else table.loc[0].rename("triads")
    if by not in ("node", "edge"):
        raise PairsError(f"by={by!r} is not one of None, 'cluster', 'node', 'edge'")
    found = np.zeros((4, signed.m), np.int64)
    for edges in triad_edges(signed):
        kind = (signed.sign[edges] < 0).sum(axis=1)
        for k in range(4):
            found[k] += np.bincount(edges[kind == k].ravel(), minlength=signed.m)
    if by == "node":  # each triad of a node holds two of its edges
        ends = np.concatenate([signed.a, signed.b])
        counts = [np.bincount(ends, np.tile(row, 2), minlength=signed.n) for row in found]
        table = np.array(counts).astype(np.int64).T // 2
        return pd.DataFrame(table, pd.Index(list(signed.names), tupleize_cols=False), list(KINDS))
    ends = {"a": signed.named(signed.a), "b": signed.named(signed.b), "sign": signed.sign}
    return pd.DataFrame(ends | dict(zip(KINDS, found, strict=True)))


def triads(graph: Any, kind: str | None = None) -> Iterator[Triad]:
    """Yield the triads of one kind (or all), one by one, in the order of their nodes.

    The iterator lists them as they are needed: the first come at once, and memory stays bounded.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.Graph()
    >>> graph.add_weighted_edges_from([("x", "y", 1), ("y", "z", 1), ("x", "z", -1)], weight="sign")
    >>> next(triads(graph, "++-"))
    Triad(nodes=('x', 'y', 'z'), signs=(1, 1, -1), texts=('x', 'y', 'z'))
    """
    wanted = kind if kind is None else "".join(sorted(str(kind).replace("−", "-")))
    if wanted not in (None, *KINDS):
        raise PairsError(f"kind={kind!r} is not one of {', '.join(KINDS)}")
    signed = as_signed(graph)
    listed = triad_edges(signed)
    if wanted is not None:
        negatives = KINDS.index(wanted)
        listed = (edges[(signed.sign[edges] < 0).sum(axis=1) == negatives] for edges in listed)
    return (triad for edges in listed for triad in triads_of(signed, edges))


def triads_of(signed: SignedGraph, edges: np.ndarray) -> Iterator[Triad]:
    """Yield the triads whose edges uv, vw, wu are given, for u < v < w."""
    low, high = np.minimum(signed.a[edges], signed.b[edges]), np.maximum(signed.a[edges], signed.b[edges])
    nodes = np.stack([low[:, 0], high[:, 0], high[:, 1]], axis=1)
    for three, signs in zip(nodes.tolist(), signed.sign[edges].tolist(), strict=True):
        yield Triad(tuple(signed.named(three)), tuple(signs), tuple(map(signed.text, three)))


def triad_edges(signed: SignedGraph, block: int = BLOCK) -> Iterator[np.ndarray]:
    """Yield all triads u < v < w in lexicographic order, as integer arrays (triads, 3) of edges uv, vw, wu.

    For every edge uv, one end has fewer later neighbours; each of them is looked up among those of the other end.
    O(m^1.5 log m) at worst (Chiba and Nishizeki 1985), about `block` at a time.
    """
    low, high = np.minimum(signed.a, signed.b), np.maximum(signed.a, signed.b)
    order = np.lexsort((high, low))
    u, v = low[order], high[order]
    ends = np.searchsorted(u, np.arange(signed.n + 1))  # later neighbours of u: v[ends[u]:ends[u + 1]]
    after = ends[u + 1] - np.arange(1, signed.m + 1)  # neighbours of u that come after v
    beyond = ends[v + 1] - ends[v]  # and those of v
    from_u = after < beyond
    count = np.where(from_u, after, beyond)
    first = np.where(from_u, np.arange(1, signed.m + 1), ends[v])
    other = np.where(from_u, v, u)
    for begin, upto in _stretches(count, block):
        size = count[begin:upto]
        edge = np.repeat(np.arange(begin, upto), size)
        one = first[edge] + np.arange(len(edge)) - np.repeat(np.cumsum(size) - size, size)
        closing = signed.edge_index.places(other[edge], v[one])
        closed = closing >= 0
        if closed.any():
            edge, one, closing = edge[closed], order[one[closed]], closing[closed]
            vw, wu = np.where(from_u[edge], [closing, one], [one, closing])
            yield np.stack([order[edge], vw, wu], axis=1)


def _stretches(costs: np.ndarray, block: int) -> Iterator[tuple[int, int]]:
    """Yield the begin and end of stretches of about the same cost, of one item at least."""
    total, begin = np.cumsum(costs), 0
    while begin < len(costs):
        spent = total[begin - 1] if begin else 0
        upto = max(begin + 1, int(np.searchsorted(total, spent + block, side="right")))
        yield begin, upto
        begin = upto


def _products(signed: SignedGraph, kept: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Count the triads made of the kept edges: a node of some, and their number by kind, (k,) and (k, 4)."""
    from scipy.sparse import csr_array

    a, b, sign = signed.a[kept], signed.b[kept], signed.sign[kept]
    degree = np.bincount(a, minlength=signed.n) + np.bincount(b, minlength=signed.n)
    node = np.argsort(degree, kind="stable")
    rank = np.argsort(node)
    ends = np.minimum(rank[a], rank[b]), np.maximum(rank[a], rank[b])
    shape = signed.n, signed.n
    packed = csr_array((np.where(sign > 0, 1, 1 << BITS).astype(np.int64), ends), shape=shape)
    signs = csr_array((sign.astype(np.int64), ends), shape=shape)
    out = np.diff(packed.indptr)
    wedges = csr_array((out[packed.indices], packed.indices, packed.indptr), shape=shape).sum(axis=1)
    for begin, upto in _stretches(wedges, BLOCK):
        closed = ((packed[begin:upto] @ packed) * signs[begin:upto]).tocoo()
        some, third = abs(closed.data), closed.data < 0
        counts = np.zeros((len(some), 4), np.int64)
        for k in range(3):  # negatives among the two edges of the wedge; the third edge has the sign
            counts[np.arange(len(some)), k + third] += some >> (k * BITS) & ((1 << BITS) - 1)
        yield node[begin + closed.coords[0]], counts
