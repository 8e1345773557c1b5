"""Triads, the triangles of a signed graph: counted, listed by their signs, compared with chance."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..files import PairsError
from ..graph.arrays import Array, ramp
from .signed import SignedGraph, as_signed

__all__ = ["KINDS", "Triad", "all_triads", "census", "census_z", "triads", "triads_of"]

KINDS = ("+++", "++-", "+--", "---")  #: by the number of negatives: kind k has k of them
BLOCK = 1 << 21  #: wedges that are looked at in one go, which bounds the memory


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
    by : None or "edge"
        None counts the whole graph. "edge" counts the triads that hold each edge; each triad is counted three times,
        and rows keep the order of the graph's edges.

    Returns
    -------
    Series, or DataFrame with one column per kind; by edge, columns `a`, `b` and `sign` come first.

    Notes
    -----
    The triads are listed, O(m^1.5 log m) time at worst for m edges, in bounded memory.

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
    >>> census(graph, by="edge").loc[:1]
       a  b  sign  +++  ++-  +--  ---
    0  0  1     1    0    1    0    0
    1  0  2    -1    0    1    0    0
    """
    if by not in (None, "edge"):
        raise PairsError(f"by={by!r} is not one of None, 'edge'")
    signed = as_signed(graph)
    on_edge = np.zeros((4, signed.m), np.int64)  # triads of each kind that hold each edge
    for edges in triad_edges(signed):
        negatives = _negatives(signed, edges)
        place = negatives[:, None] * signed.m + edges
        count = np.bincount(place.ravel(), minlength=on_edge.size)
        on_edge += count.reshape(on_edge.shape)
    if by == "edge":
        table = pd.DataFrame({"a": signed.named(signed.a), "b": signed.named(signed.b)})
        table["sign"] = signed.sign
        table[list(KINDS)] = on_edge.T
        return table
    count = on_edge.sum(axis=1) // 3
    return pd.Series(count, KINDS, name="triads")


def _negatives(signed: SignedGraph, edges: Array) -> Array:
    """The number of negatives of each triad, given its three edges."""
    return (signed.sign[edges] < 0).sum(axis=1)


def triads(graph: Any, kind: str | None = None) -> Iterator[Triad]:
    """Yield the triads of one kind (or all), one by one, in the order of their nodes.

    They are listed on demand, in bounded memory.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.Graph()
    >>> graph.add_weighted_edges_from([("x", "y", 1), ("y", "z", 1), ("x", "z", -1)], weight="sign")
    >>> next(triads(graph, "++-"))
    Triad(nodes=('x', 'y', 'z'), signs=(1, 1, -1), texts=('x', 'y', 'z'))
    """
    if kind not in (None, *KINDS):
        raise PairsError(f"kind={kind!r} is not one of {', '.join(KINDS)}")
    signed = as_signed(graph)
    return _triads(signed, kind)


def _triads(signed: SignedGraph, kind: str | None) -> Iterator[Triad]:
    for edges in triad_edges(signed):
        if kind is not None:
            of_kind = _negatives(signed, edges) == KINDS.index(kind)
            edges = edges[of_kind]
        yield from triads_of(signed, edges)


def triads_of(signed: SignedGraph, edges: Array) -> Iterator[Triad]:
    """Yield the triads whose edges uv, vw, wu are given, for u < v < w."""
    a = signed.a[edges]
    b = signed.b[edges]
    low = np.minimum(a, b)
    high = np.maximum(a, b)
    nodes = np.column_stack([low[:, 0], high[:, :2]])
    signs = signed.sign[edges].tolist()
    for three, each in zip(nodes.tolist(), signs, strict=True):
        names = signed.named(three)
        texts = map(signed.text, three)
        yield Triad(tuple(names), tuple(each), tuple(texts))


def triad_edges(signed: SignedGraph) -> Iterator[Array]:
    """Yield all triads u < v < w in lexicographic order, as integer arrays (triads, 3) of edges uv, vw, wu.

    For every edge uv, one end has fewer later neighbours; each of them is looked up among those of the other end.
    O(m^1.5 log m) at worst (Chiba and Nishizeki 1985), about `BLOCK` at a time.
    """
    low = np.minimum(signed.a, signed.b)
    high = np.maximum(signed.a, signed.b)
    order = np.lexsort((high, low))
    u = low[order]
    v = high[order]
    # later neighbours of u: v[ends[u]:ends[u + 1]]
    ends = np.searchsorted(u, np.arange(signed.n + 1))
    following = np.arange(1, signed.m + 1)
    after = ends[u + 1] - following  # neighbours of u that come after v
    beyond = ends[v + 1] - ends[v]  # and those of v
    from_u = after < beyond
    count = np.where(from_u, after, beyond)
    first = np.where(from_u, following, ends[v])
    other = np.where(from_u, v, u)
    total = np.cumsum(count)
    upto = 0
    while upto < signed.m:
        begin = upto
        spent = total[upto] - count[upto]
        upto = int(np.searchsorted(total, spent + BLOCK, side="right"))
        upto = max(begin + 1, upto)
        size = count[begin:upto]
        edge = np.repeat(np.arange(begin, upto), size)
        one = first[edge] + ramp(size)
        closing = signed.edge_index.places(other[edge], v[one])
        closed = closing >= 0
        if closed.any():
            edge = edge[closed]
            one = order[one[closed]]
            closing = closing[closed]
            direct = from_u[edge]
            vw = np.where(direct, closing, one)
            wu = np.where(direct, one, closing)
            yield np.stack([order[edge], vw, wu], axis=1)


def all_triads(signed: SignedGraph) -> Array:
    """Return all `triad_edges` in one array."""
    none = np.empty((0, 3), np.int32)
    return np.concatenate([none, *triad_edges(signed)], dtype=np.int32)


def census_z(graph: Any, samples: int = 200, seed: int = 0) -> pd.DataFrame:
    """Compare the triad census with chance: the same edges with shuffled signs.

    Parameters
    ----------
    graph : ParaphraseGraph, networkx graph or SignedGraph
    samples : int
        Number of shuffles, at least 2.

    Returns
    -------
    DataFrame with columns `kind`, `observed`, `mean` and `sd` over the shuffles, and `z` = (observed - mean) / sd,
    NaN where sd is 0: the surprise of Leskovec, Huttenlocher and Kleinberg (2010, Signed networks in social media).

    Notes
    -----
    Memory and the time of a shuffle are linear in the number of triads and edges.

    Examples
    --------
    >>> from paragraph.balance.presets import tribes
    >>> census_z(tribes()).round(1)
      kind  observed  mean   sd    z
    0  +++        19   8.1  2.4  4.5
    1  ++-         2  25.9  3.9 -6.1
    2  +--        40  26.0  3.5  3.9
    3  ---         7   8.0  2.3 -0.4
    """
    if samples < 2:
        raise PairsError(f"samples={samples}: a standard deviation needs at least 2")
    signed = as_signed(graph)
    edges = all_triads(signed)
    rng = np.random.default_rng(seed)
    negative = (signed.sign < 0).astype(np.int8)

    def count(negative: Array) -> Array:
        kind = negative[edges].sum(axis=1, dtype=np.int8)
        return np.bincount(kind, minlength=4)

    observed = count(negative)
    shuffled = np.array([count(rng.permutation(negative)) for _ in range(samples)])
    mean = shuffled.mean(axis=0)
    sd = shuffled.std(axis=0, ddof=1)
    z = np.full(4, np.nan)
    np.divide(observed - mean, sd, out=z, where=sd > 0)
    return pd.DataFrame({"kind": KINDS, "observed": observed, "mean": mean, "sd": sd, "z": z})
