"""Contents of a graph: sentences, rows, signed edges, and the clusters that positive edges make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from ..pairs import PairsError
from .arrays import (
    Edges,
    PairIndex,
    Room,
    blocks,
    first_nodes,
    group,
    marked,
    numbered,
    pair_keys,
    room,
    stated_edges,
)  # fmt: skip

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Held", "Links"]


class Links(NamedTuple):
    """The pairs of different clusters that a stated negative joins, ``a < b``, sorted."""

    a: np.ndarray  #: cluster id
    b: np.ndarray  #: cluster id
    count: np.ndarray  #: stated negatives between the two


class Held:
    """The contents of a `ParaphraseGraph`, which says what they are; arrays are read-only."""

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
        room: Room = room,
    ):
        edges = stated_edges(a, b, sign, n, room)
        self.n, self.pairs, self.merged, self.identity = n, pairs, merged, identity
        self.report: dict[str, Any] = {} if pairs is None else pairs.attrs.get("report") or {}  #: of `pairs.read`
        self.n_rows, self.n_self_pairs = len(a), int(np.count_nonzero(a == b))
        self.n_unlabelled = int(np.count_nonzero(sign == 0))
        self.edge_a, self.edge_b, self.edge_sign = edges.a, edges.b, edges.sign
        self.edge_n_positive, self.edge_n_negative = edges.n_positive, edges.n_negative
        self.row_edge = edges.of_row  # for every row the edge of its pair, or -1
        self.row_sign, self.row_labelled = sign, sign != 0
        self.row_a, self.row_b = a, b  # for every row its two nodes
        self.cluster_of, self.cluster_sizes = _clusters(edges, n, roots, room)
        self._texts = texts
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    @property
    def bipartite(self) -> bool:
        """True if the two sides are different things (question, answer), so that closure makes no sense."""
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

    def pair_texts(self, a: Iterable[int], b: Iterable[int]) -> pd.DataFrame:
        """The sentences of pairs of nodes: `text_a`, `text_b`."""
        return pd.DataFrame({"text_a": self.texts(a), "text_b": self.texts(b)}, dtype="str")

    # -- rows --------------------------------------------------------------------------------------------

    @cached_property
    def _rows_by_edge(self) -> tuple[np.ndarray, np.ndarray]:
        rows = np.flatnonzero((self.row_edge >= 0) & self.row_labelled)
        return group(self.row_edge[rows], len(self.edge_a), rows)

    def rows_of(self, edge: int) -> np.ndarray:
        """Positions in `pairs` of the rows that state an edge."""
        starts, rows = self._rows_by_edge
        return rows[starts[edge] : starts[edge + 1]]

    def row_names(self, rows: np.ndarray) -> list[int | str]:
        """The names of rows in their source (the `row` column of the pair table)."""
        if self.pairs is not None and "row" in self.pairs:
            rows = self.pairs["row"].to_numpy()[rows]
        return rows.tolist()

    @cached_property
    def _alone(self) -> np.ndarray:
        """The labelled rows that pair a sentence with itself."""
        return np.flatnonzero((self.row_a == self.row_b) & self.row_labelled)

    def rows_between(self, a: int, b: int) -> np.ndarray:
        """Positions in `pairs` of the rows that label two nodes, or a node paired with itself."""
        if a != b:
            return self.rows_of(self.edge_between(a, b))
        return self._alone[self.row_a[self._alone] == a]

    def source_rows(self, edge: int) -> list[int | str]:
        """The rows of an edge as their source counts them."""
        return self.row_names(self.rows_of(edge))

    def row_parts(self) -> Iterator[tuple[pd.DataFrame, np.ndarray, np.ndarray]]:
        """The rows in order, part by part: a pair table and the nodes of its two sides."""
        if self.pairs is None:
            raise PairsError("this graph was made from codes; it has no rows to write")
        yield self.pairs, self.row_a, self.row_b

    def codes(self, rows: np.ndarray | slice = slice(None)) -> pd.DataFrame:
        """Some rows as a pair table with the numbers of sentences for their texts."""
        sign, texts = self.row_sign[rows], pd.StringDtype("pyarrow", np.nan)
        ends = (pa.array(ends[rows]).cast(pa.large_string()) for ends in (self.row_a, self.row_b))
        text_a, text_b = (pd.arrays.ArrowStringArray(end, dtype=texts) for end in ends)
        label = pd.arrays.IntegerArray((sign > 0).astype(np.int8), sign == 0)
        table = pd.DataFrame({"text_a": text_a, "text_b": text_b, "label": label}, copy=False)
        table.attrs["bipartite"] = self.bipartite
        return table

    # -- edges -------------------------------------------------------------------------------------------

    @cached_property
    def edge_index(self) -> PairIndex:
        """Finds the edges of pairs of nodes."""
        return PairIndex.of(self.edge_a, self.edge_b, self.n)

    def edge_between(self, i: int, j: int) -> int:
        """The edge that joins two nodes, or -1."""
        return int(self.edge_index.places(i, j))

    def ends(self, edges: int | np.ndarray) -> np.ndarray:
        """The two nodes of an edge, or of several: shape (2,) or (2, edges)."""
        return np.stack([self.edge_a[edges], self.edge_b[edges]])

    def edges_among(self, nodes: np.ndarray) -> np.ndarray:
        """The edges between some nodes."""
        inside = np.zeros(self.n, dtype=bool)
        inside[nodes] = True
        return np.flatnonzero(inside[self.edge_a] & inside[self.edge_b])

    @cached_property
    def _edges_by_cluster(self) -> tuple[np.ndarray, np.ndarray]:
        home, away = self.edge_clusters
        across = np.flatnonzero(home != away)
        edges = np.append(np.arange(len(home)), across)
        return group(np.append(home, away[across]), len(self.cluster_sizes), edges)

    def edges_at(self, clusters: Iterable[int]) -> np.ndarray:
        """The edges with an end in some clusters; only they are looked at."""
        starts, edges = self._edges_by_cluster
        return np.unique(np.concatenate([edges[:0], *(edges[starts[c] : starts[c + 1]] for c in clusters)]))

    def edge_table(self, edges: np.ndarray) -> pd.DataFrame:
        """Some edges as a table: `a`, `b`, `sign`, `n_positive`, `n_negative`, `rows`."""
        names = ("a", "b", "sign", "n_positive", "n_negative")
        columns = {name: getattr(self, f"edge_{name}")[edges] for name in names}
        return pd.DataFrame(columns).assign(rows=[self.source_rows(edge) for edge in edges])

    @cached_property
    def edge_clusters(self) -> np.ndarray:
        """The clusters of both ends of every edge: int32, (2, edges)."""
        return np.stack([self.cluster_of[self.edge_a], self.cluster_of[self.edge_b]])

    @cached_property
    def within(self) -> np.ndarray:
        """Flags of the edges that are a negative inside a cluster, the paper's frenemies."""
        a, b = self.edge_clusters
        return (self.edge_sign < 0) & (a == b)

    @cached_property
    def both_ways(self) -> np.ndarray:
        """Flags of the edges whose rows state both labels: direct contradictions."""
        return (self.edge_n_positive > 0) & (self.edge_n_negative > 0)

    @cached_property
    def conflicting(self) -> np.ndarray:
        """Flags of the edges whose label contradicts others, within a cluster or directly."""
        return self.within | self.both_ways

    @cached_property
    def denied(self) -> np.ndarray:
        """The sentences that a row pairs with themselves and labels 0, ascending: that label is wrong."""
        return np.unique(self.row_a[(self.row_a == self.row_b) & (self.row_sign < 0)])

    @cached_property
    def degree(self) -> np.ndarray:
        """The number of positive edges of each node."""
        return np.diff(self.neighbours_of[0])

    @cached_property
    def neighbours_of(self) -> tuple[np.ndarray, np.ndarray]:
        """``(starts, nodes)``: positive edges join node i to ``nodes[starts[i]:starts[i + 1]]``, which ascend."""
        a, b = self.ends(self.edge_sign > 0)
        node, other = np.concatenate([a, b]), np.concatenate([b, a])
        _, order = group(other, self.n)
        return group(node[order], self.n, other[order])

    @cached_property
    def adjacency(self) -> csr_array:
        """Positive edges as a symmetric sparse matrix of ones."""
        from scipy.sparse import csr_array

        starts, nodes = self.neighbours_of
        return csr_array((np.ones(len(nodes), dtype=np.int8), nodes, starts), shape=(self.n, self.n))

    @cached_property
    def banded(self) -> tuple[np.ndarray, csr_array]:
        """The place of each node in an order that has neighbours close together, and `adjacency` in this order.

        A search through a long chain then finds in the processor's cache what it needs next.
        """
        from scipy.sparse.csgraph import reverse_cuthill_mckee

        order, place = reverse_cuthill_mckee(self.adjacency, symmetric_mode=True), np.empty(self.n, dtype=np.int32)
        place[order] = np.arange(self.n, dtype=np.int32)
        return place, self.adjacency[order][:, order]

    # -- clusters ----------------------------------------------------------------------------------------

    @cached_property
    def cluster_members(self) -> tuple[np.ndarray, np.ndarray]:
        """``(starts, nodes)``: cluster c holds ``nodes[starts[c]:starts[c + 1]]``, in order of appearance."""
        return group(self.cluster_of, len(self.cluster_sizes))

    @cached_property
    def place_in_cluster(self) -> np.ndarray:
        """The place of each node among the members of its cluster."""
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

    @cached_property
    def stated_inside(self) -> np.ndarray:
        """The number of stated pairs inside each cluster: int32."""
        home, away = self.edge_clusters
        return np.bincount(home[home == away], minlength=len(self.cluster_sizes)).astype(np.int32)

    def of_clusters(self, chosen: np.ndarray) -> tuple[Held, np.ndarray]:
        """Some clusters as a graph of their own, which keep their order, and the nodes of its nodes here.

        It costs one pass over all nodes and edges, and memory for the chosen ones alone.
        """
        inside = np.zeros(len(self.cluster_sizes), dtype=bool)
        inside[chosen] = True
        home, away = self.edge_clusters
        nodes, edges = marked(inside, self.cluster_of), marked(inside, home)
        edges = edges[inside[away[edges]]]
        a, b = (np.searchsorted(nodes, end) for end in self.ends(edges))
        return Held(a, b, self.edge_sign[edges], len(nodes)), nodes

    @cached_property
    def links(self) -> Links:
        """The pairs of clusters that a stated negative joins: the graph of clusters."""
        across, k = (self.edge_sign < 0) & ~self.within, max(len(self.cluster_sizes), 1)
        ends = (cluster[across] for cluster in self.edge_clusters)
        keys, count = np.unique(pair_keys(*ends, k), return_counts=True)
        return Links(*(part.astype(np.int32) for part in (keys // k, keys % k, count)))

    @cached_property
    def cluster_degree(self) -> np.ndarray:
        """The number of clusters that a stated negative joins each cluster to."""
        return np.bincount(np.append(*self.links[:2]), minlength=len(self.cluster_sizes))

    @cached_property
    def edge_link(self) -> np.ndarray:
        """The link of every edge, or -1."""
        return self.links_between(*self.edge_clusters)

    def links_between(self, home: np.ndarray, away: np.ndarray) -> np.ndarray:
        """The link of each pair of clusters, or -1."""
        return PairIndex.of(*self.links[:2], len(self.cluster_sizes)).places(home, away)

    @cached_property
    def link_negatives(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The stated negatives by link: where those of each begin; their ends in cluster `a`, and in `b`."""
        edges = np.flatnonzero(self.edge_link >= 0)
        begins, edges = group(self.edge_link[edges], len(self.links.a), edges)
        x, y = self.ends(edges)
        swap = self.cluster_of[x] > self.cluster_of[y]
        return begins, np.where(swap, y, x), np.where(swap, x, y)


def _clusters(edges: Edges, n: int, roots: np.ndarray | None, room: Room) -> tuple[np.ndarray, np.ndarray]:
    """Connected components of the positive edges: label of each node, sizes; by size, then first node."""
    if roots is None:  # the first node of each node's component
        positive = ((part, edges.sign[part] > 0) for part in blocks(len(edges.sign)))
        roots = first_nodes(n, ((edges.a[part][some], edges.b[part][some]) for part, some in positive), room)
    label = numbered(roots)
    sizes = np.bincount(label)
    # Components are numbered by their first node, so a stable sort by size keeps that order among equals.
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(sizes), dtype=np.int32)
    rank[order] = np.arange(len(sizes), dtype=np.int32)
    return rank[label], sizes[order]
