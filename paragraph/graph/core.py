"""The arrays of a paraphrase graph: sentences, signed edges, the clusters they make, and the links between those."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from ..pairs import PairsError
from .arrays import PairIndex, connected, group, pair_keys, symmetric
from .edges import Edges, stated_edges

if TYPE_CHECKING:
    import pandas as pd
    from scipy.sparse import csr_array

__all__ = ["GraphArrays", "Links"]


class Links(NamedTuple):
    """The pairs of different clusters that a stated negative joins, ``a < b``, sorted."""

    a: np.ndarray  #: cluster id
    b: np.ndarray  #: cluster id
    count: np.ndarray  #: stated negatives between the two


class GraphArrays:
    """Labelled pairs of codes as a signed graph: an immutable value. See `ParaphraseGraph`, which adds the words."""

    def __init__(
        self,
        a: np.ndarray,
        b: np.ndarray,
        sign: np.ndarray,
        n: int,
        texts: pa.LargeStringArray | None = None,
        pairs: pd.DataFrame | None = None,
        merged: int = 0,
        identity: str = "text",
        roots: np.ndarray | None = None,
    ):
        edges = stated_edges(a, b, sign, n)
        self.n, self.pairs, self.merged, self.identity = n, pairs, merged, identity
        self.report: dict[str, Any] = {} if pairs is None else pairs.attrs.get("report") or {}  #: of `pairs.reading`
        self.n_rows, self.n_self_pairs = len(a), int(np.count_nonzero(a == b))
        self.n_unlabelled = int(np.count_nonzero(sign == 0))
        self.edge_a, self.edge_b, self.edge_sign = edges.a, edges.b, edges.sign
        self.edge_n_positive, self.edge_n_negative = edges.n_positive, edges.n_negative
        self.row_edge = edges.of_row  # for every row the edge of its pair, or -1
        self.row_sign, self.row_labelled = sign, sign != 0
        self.row_a, self.row_b = a, b  # for every row its two nodes
        self.cluster_of, self.cluster_sizes = _clusters(edges, n, roots)
        self._texts = texts
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    @property
    def bipartite(self) -> bool:
        """Whether the two sides are different things (question, answer), so that closure makes no sense."""
        return self.pairs is not None and bool(self.pairs.attrs.get("bipartite"))

    # -- sentences ---------------------------------------------------------------------------------------

    @property
    def sentences(self) -> pa.LargeStringArray:
        """All sentences by code, in the spelling first seen."""
        if self._texts is None:  # a graph made from codes alone
            self._texts = pa.array([f"sentence {i}" for i in range(self.n)], pa.large_string())
        return self._texts

    def text(self, node: int) -> str:
        """The sentence of a node."""
        if not 0 <= node < self.n:
            raise PairsError(f"{node} is no node: nodes are the whole numbers 0 .. {self.n - 1}")
        return self.sentences[int(node)].as_py()

    def texts(self, nodes: Iterable[int]) -> list[str]:
        """The sentences of several nodes."""
        return self.sentences.take(pa.array(np.asarray(nodes, dtype=np.int64))).to_pylist()

    # -- edges -------------------------------------------------------------------------------------------

    @cached_property
    def edge_index(self) -> PairIndex:
        """Finds the edges of pairs of nodes."""
        return PairIndex.of(self.edge_a, self.edge_b, self.n)

    def edge_between(self, i: int, j: int) -> int:
        """The edge that joins two nodes, or -1."""
        return int(self.edge_index.places(i, j))

    @cached_property
    def _edge_rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The first row of each edge; edge and row of all later ones, which are few, by edge."""
        rows = np.flatnonzero((self.row_edge >= 0) & self.row_labelled)
        edge = self.row_edge[rows]
        begins = np.diff(np.maximum.accumulate(edge), prepend=-1) > 0  # edges are numbered by their first rows
        again = np.flatnonzero(~begins)
        again = again[np.argsort(edge[again], kind="stable")]
        return rows[begins], edge[again], rows[again]

    def rows_of(self, edge: int) -> np.ndarray:
        """Positions in `pairs` of the rows that state an edge."""
        first, edges, rows = self._edge_rows
        return np.append(first[edge], rows[slice(*np.searchsorted(edges, [edge, edge + 1]))])

    def row_names(self, rows: np.ndarray) -> list[int | str]:
        """What the source calls some rows (the `row` column of the pair table)."""
        if self.pairs is not None and "row" in self.pairs:
            rows = self.pairs["row"].to_numpy()[rows]
        return rows.tolist()

    def source_rows(self, edge: int) -> list[int | str]:
        """The rows of an edge as their source counts them."""
        return self.row_names(self.rows_of(edge))

    @cached_property
    def edge_clusters(self) -> tuple[np.ndarray, np.ndarray]:
        """The clusters of both ends of every edge."""
        return self.cluster_of[self.edge_a], self.cluster_of[self.edge_b]

    @cached_property
    def within(self) -> np.ndarray:
        """For every edge: is it a negative inside a cluster, the paper's frenemy?"""
        a, b = self.edge_clusters
        return (self.edge_sign < 0) & (a == b)

    @cached_property
    def both_ways(self) -> np.ndarray:
        """For every edge: do its rows state both labels, a direct contradiction?"""
        return (self.edge_n_positive > 0) & (self.edge_n_negative > 0)

    @cached_property
    def conflicting(self) -> np.ndarray:
        """For every edge: does its label contradict others, within a cluster or directly?"""
        return self.within | self.both_ways

    @cached_property
    def adjacency(self) -> csr_array:
        """Positive edges as a symmetric sparse matrix; its data are edge numbers + 1."""
        edges = np.flatnonzero(self.edge_sign > 0)
        return symmetric(self.n, self.edge_a[edges], self.edge_b[edges], edges + 1)

    # -- clusters ----------------------------------------------------------------------------------------

    @cached_property
    def cluster_members(self) -> tuple[np.ndarray, np.ndarray]:
        """``(starts, nodes)``: cluster c holds ``nodes[starts[c]:starts[c + 1]]``, in order of appearance."""
        return group(self.cluster_of, len(self.cluster_sizes))

    @cached_property
    def place_in_cluster(self) -> np.ndarray:
        """Where each node stands among the members of its cluster."""
        starts, nodes = self.cluster_members
        places = np.empty(self.n, dtype=np.int64)
        places[nodes] = np.arange(self.n)
        return places - starts[self.cluster_of]

    def members(self, cluster: int) -> np.ndarray:
        """The nodes of a cluster, in order of first appearance."""
        if not 0 <= cluster < len(self.cluster_sizes):
            raise PairsError(f"cluster {cluster} is not one of 0 .. {len(self.cluster_sizes) - 1}")
        starts, nodes = self.cluster_members
        return nodes[starts[cluster] : starts[cluster + 1]]

    def _link_keys(self) -> np.ndarray:
        """For every negative between clusters, the two clusters as one number."""
        across = (self.edge_sign < 0) & ~self.within
        return pair_keys(*(cluster[across] for cluster in self.edge_clusters), len(self.cluster_sizes))

    @cached_property
    def links(self) -> Links:
        """Which clusters a stated negative joins: the graph of clusters."""
        keys, count = np.unique(self._link_keys(), return_counts=True)
        k = max(len(self.cluster_sizes), 1)
        return Links(keys // k, keys % k, count)

    @cached_property
    def edge_link(self) -> np.ndarray:
        """For every edge its link, or -1."""
        link = np.full(len(self.edge_a), -1, dtype=np.int64)
        link[(self.edge_sign < 0) & ~self.within] = np.unique(self._link_keys(), return_inverse=True)[1]
        return link


def _clusters(edges: Edges, n: int, roots: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Connected components of the positive edges: label of each node, sizes; by size, then first node."""
    positive = edges.sign > 0
    if roots is None:
        label = connected(n, edges.a[positive], edges.b[positive])
    else:  # the first node of each node's component is known
        label = (np.cumsum(roots == np.arange(n), dtype=np.int32) - 1)[roots]
    sizes = np.bincount(label)
    # Components are numbered by their first node, so a stable sort by size keeps that order among equals.
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(sizes), dtype=np.int32)
    rank[order] = np.arange(len(sizes), dtype=np.int32)
    return rank[label], sizes[order]
