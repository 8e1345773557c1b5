"""The structure of a paraphrase graph: numbered sentences, signed edges, clusters and links; no texts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..files import PairsError
from .arrays import Allocate, Array, PairIndex, group, in_memory, pair_keys
from .stated import clusters_of, stated_edges

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Links", "Structure"]


class Links(NamedTuple):
    """The pairs of different clusters that a stated negative joins, ``a < b``, sorted."""

    a: Array  #: cluster id
    b: Array  #: cluster id
    count: Array  #: stated negatives between the two


class Structure:
    """Signed edges between the numbers ``0..n-1``; attributes as in `ParaphraseGraph`."""

    def __init__(self, a: Array, b: Array, sign: Array, n: int, allocate: Allocate = in_memory):
        edges = stated_edges(a, b, sign, n, allocate)
        self.n = n
        self.n_rows = len(a)
        self.edge_a = edges.a
        self.edge_b = edges.b
        self.edge_sign = edges.sign
        self.edge_n_positive = edges.n_positive
        self.edge_n_negative = edges.n_negative
        self.row_edge = edges.of_row  # for every row the edge of its pair, or -1
        self.row_sign = sign
        self.row_labelled = sign != 0
        self.row_a = a  # for every row its two nodes
        self.row_b = b
        self.cluster_of, self.cluster_sizes = clusters_of(edges, n, allocate)
        for value in vars(self).values():
            if isinstance(value, Array):
                value.setflags(write=False)

    # -- edges -------------------------------------------------------------------------------------------

    @cached_property
    def edge_index(self) -> PairIndex:
        """Finds the edges of pairs of nodes."""
        return PairIndex.of(self.edge_a, self.edge_b, self.n)

    def edge_between(self, i: int, j: int) -> int:
        """The edge that joins two nodes, or -1."""
        return int(self.edge_index.places(i, j))

    def ends(self, edges: int | Array) -> Array:
        """The two nodes of an edge, or of several: shape (2,) or (2, edges)."""
        return np.stack([self.edge_a[edges], self.edge_b[edges]])

    def edges_among(self, nodes: Array) -> Array:
        """The edges between some nodes."""
        inside = np.zeros(self.n, dtype=bool)
        inside[nodes] = True
        return np.flatnonzero(inside[self.edge_a] & inside[self.edge_b])

    @cached_property
    def _edges_by_cluster(self) -> tuple[Array, Array]:
        home, away = self.edge_clusters
        across = np.flatnonzero(home != away)
        clusters = np.append(home, away[across])
        edges = np.append(np.arange(len(home)), across)
        return group(clusters, len(self.cluster_sizes), edges)

    def edges_at(self, clusters: Iterable[int]) -> Array:
        """The edges with an end in any of these clusters; no other edge is read."""
        starts, edges = self._edges_by_cluster
        parts = [edges[starts[c] : starts[c + 1]] for c in clusters]
        return np.unique(np.concatenate([edges[:0], *parts]))

    @cached_property
    def edge_clusters(self) -> Array:
        """The clusters of both ends of every edge: int32, (2, edges)."""
        return np.stack([self.cluster_of[self.edge_a], self.cluster_of[self.edge_b]])

    @cached_property
    def degree(self) -> Array:
        """The number of positive edges of each node."""
        return np.diff(self.neighbours_of[0])

    @cached_property
    def neighbours_of(self) -> tuple[Array, Array]:
        """``(starts, nodes)``: positive edges join node i to ``nodes[starts[i]:starts[i + 1]]``, which ascend."""
        a, b = self.ends(self.edge_sign > 0)
        node = np.concatenate([a, b])
        other = np.concatenate([b, a])
        _, order = group(other, self.n)
        return group(node[order], self.n, other[order])

    @cached_property
    def adjacency(self) -> csr_array:
        """Positive edges as a symmetric sparse matrix of ones."""
        from scipy.sparse import csr_array

        starts, nodes = self.neighbours_of
        ones = np.ones(len(nodes), dtype=np.int8)
        return csr_array((ones, nodes, starts), shape=(self.n, self.n))

    # -- clusters ----------------------------------------------------------------------------------------

    @cached_property
    def cluster_members(self) -> tuple[Array, Array]:
        """``(starts, nodes)``: cluster c holds ``nodes[starts[c]:starts[c + 1]]``, in order of appearance."""
        return group(self.cluster_of, len(self.cluster_sizes))

    @cached_property
    def place_in_cluster(self) -> Array:
        """The place of each node among the members of its cluster."""
        starts, nodes = self.cluster_members
        places = np.empty(self.n, dtype=np.int64)
        places[nodes] = np.arange(self.n)
        return places - starts[self.cluster_of]

    def members(self, cluster: int) -> Array:
        """The nodes of a cluster, in order of first appearance."""
        if not 0 <= cluster < len(self.cluster_sizes):
            raise PairsError(f"cluster {cluster} is not one of 0 .. {len(self.cluster_sizes) - 1}")
        starts, nodes = self.cluster_members
        return nodes[starts[cluster] : starts[cluster + 1]]

    @cached_property
    def stated_inside(self) -> Array:
        """The number of stated pairs inside each cluster: int32."""
        home, away = self.edge_clusters
        return np.bincount(home[home == away], minlength=len(self.cluster_sizes)).astype(np.int32)

    # -- links -------------------------------------------------------------------------------------------

    @cached_property
    def _negatives_across(self) -> tuple[Array, Array]:
        """The stated negatives between clusters, and the key of the link of each; sorted by key."""
        home, away = self.edge_clusters
        edges = np.flatnonzero((home != away) & (self.edge_sign < 0))
        keys = pair_keys(home[edges], away[edges], len(self.cluster_sizes))
        order = np.argsort(keys, kind="stable")
        return edges[order], keys[order]

    @cached_property
    def links(self) -> Links:
        """The pairs of clusters that a stated negative joins: the graph of clusters."""
        _, keys = self._negatives_across
        keys, count = np.unique(keys, return_counts=True)
        a, b = np.divmod(keys, max(len(self.cluster_sizes), 1))
        return Links(a.astype(np.int32), b.astype(np.int32), count.astype(np.int32))

    @cached_property
    def link_index(self) -> PairIndex:
        """Finds the links of pairs of clusters."""
        return PairIndex.of(self.links.a, self.links.b, len(self.cluster_sizes))

    @cached_property
    def cluster_degree(self) -> Array:
        """The number of clusters that a stated negative joins each cluster to."""
        ends = np.append(self.links.a, self.links.b)
        return np.bincount(ends, minlength=len(self.cluster_sizes))

    @cached_property
    def link_negatives(self) -> tuple[Array, Array, Array]:
        """The stated negatives by link: ``(begins, x, y)``.

        Those of link i join ``x[begins[i]:begins[i + 1]]`` to the same places of `y`: the first are
        nodes of its cluster `a`, the second of `b`.
        """
        edges, _ = self._negatives_across
        x, y = self.ends(edges)
        swap = self.cluster_of[x] > self.cluster_of[y]
        begins = np.append(0, np.cumsum(self.links.count))
        return begins, np.where(swap, y, x), np.where(swap, x, y)
