"""The paraphrase graph: sentences, signed edges between them, and the clusters the positive edges make."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from ..pairs import PairsError
from .edges import stated_edges
from .identity import identify, row_name

if TYPE_CHECKING:
    import networkx as nx
    from scipy.sparse import csr_array

__all__ = ["Links", "ParaphraseGraph"]


class Links(NamedTuple):
    """The pairs of different clusters that a stated negative joins, ``a < b``, sorted."""

    a: np.ndarray  #: cluster id
    b: np.ndarray  #: cluster id
    count: np.ndarray  #: stated negatives between the two


class ParaphraseGraph:
    """Labelled sentence pairs as a signed graph: an immutable value.

    Sentences are the integers ``0..n-1`` in order of first appearance; each distinct unordered pair with a
    label is one edge, signed by its stated label (`edges.stated_edges`). Clusters are the connected
    components of the positive edges, by size descending, then by first sentence. Arrays are read-only.
    Source: Chen, Ji and Evans (2020), section 2.

    Attributes
    ----------
    n : int
        Number of sentences.
    edge_a, edge_b : integer arrays
        Ends of each edge, in order of first appearance, oriented as first stated.
    edge_sign : int8 array
        +1 paraphrase, -1 not.
    edge_n_positive, edge_n_negative : int32 arrays
        Rows of each label behind the edge.
    cluster_of, cluster_sizes : integer arrays
        Cluster of each sentence; sentences in each cluster (single sentences are clusters of one).
    pairs : DataFrame or None
        The pair table the graph was made from.
    identity : str
        When two spellings are one sentence of it.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["Hi!", "Hello!", "Bye!"], "text_b": ["Hello!", "Hey!", "Hi!"],
    ...                       "label": [1, 1, 0]})
    >>> graph = ParaphraseGraph.from_pairs(pairs)
    >>> graph
    <ParaphraseGraph: 4 sentences, 2 positive and 1 negative pairs, 1 cluster of two or more>
    >>> graph.texts(graph.members(0))
    ['Hi!', 'Hello!', 'Hey!']
    """

    def __init__(
        self,
        a: np.ndarray,
        b: np.ndarray,
        sign: np.ndarray,
        n: int,
        texts: pa.LargeStringArray | None = None,
        pairs: pd.DataFrame | None = None,
        merged: int = 0,
    ):
        edges = stated_edges(a, b, sign, n)
        self.n, self.pairs, self.merged, self.identity = n, pairs, merged, "text"
        self.n_rows, self.n_self_pairs = len(a), int(np.count_nonzero(a == b))
        self.n_unlabelled = int(np.count_nonzero(sign == 0))
        self.edge_a, self.edge_b, self.edge_sign = edges.a, edges.b, edges.sign
        self.edge_n_positive, self.edge_n_negative = edges.n_positive, edges.n_negative
        self.row_edge = edges.of_row  # for every row the edge of its pair, or -1
        self.row_labelled = sign != 0
        self.row_a, self.row_b = a, b  # for every row its two nodes
        self.cluster_of, self.cluster_sizes = _clusters(edges, n)
        self._texts = texts
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    @classmethod
    def from_pairs(cls, pairs: pd.DataFrame, identity: str = "text") -> ParaphraseGraph:
        """The graph of a pair table (columns `text_a`, `text_b`, `label`; see `read_pairs`).

        `identity` says when two spellings are one sentence (`identity.identify`): "text", "normal" or "id".
        Raises `PairsError` where columns are missing or a label is not 0, 1 or missing.
        """
        missing = [name for name in ("text_a", "text_b", "label") if name not in pairs]
        if missing:
            raise PairsError(f"a pair table needs the columns text_a, text_b, label; missing: {missing}")
        label = pairs["label"].to_numpy(dtype=np.float64, na_value=np.nan)
        odd = ~(np.isnan(label) | (label == 0) | (label == 1))
        if odd.any():
            at = int(np.argmax(odd))
            raise PairsError(f"{row_name(pairs, at)}: label '{pairs['label'].iloc[at]}' is not one of 0, 1")
        sign = np.select([label == 1, label == 0], [1, -1], 0).astype(np.int8)
        sentences = identify(pairs, identity)
        graph = cls(sentences.a, sentences.b, sign, len(sentences.texts), sentences.texts, pairs, sentences.merged)
        graph.identity = identity
        return graph

    def __repr__(self) -> str:
        positive = int(np.count_nonzero(self.edge_sign > 0))
        clusters = int(np.count_nonzero(self.cluster_sizes > 1))
        return (
            f"<ParaphraseGraph: {self.n:,} sentences, {positive:,} positive and "
            f"{len(self.edge_sign) - positive:,} negative pairs, "
            f"{clusters:,} cluster{'s' * (clusters != 1)} of two or more>"
        )

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
        return self.sentences[int(node)].as_py()

    def texts(self, nodes: Iterable[int]) -> list[str]:
        """The sentences of several nodes."""
        return self.sentences.take(pa.array(np.asarray(nodes, dtype=np.int64))).to_pylist()

    def node(self, sentence: str) -> int:
        """The node of a sentence; `PairsError` with the nearest sentences where it is not in the data."""
        from .search import node_of

        return node_of(self, sentence)

    def search(self, words: str, limit: int = 20) -> pd.DataFrame:
        """Sentences that hold all the words, case aside: `node`, `text`, `cluster`, `size`."""
        from .search import search

        return search(self, words, limit)

    # -- edges -------------------------------------------------------------------------------------------

    @cached_property
    def _edge_keys(self) -> tuple[np.ndarray, np.ndarray]:
        low, high = np.minimum(self.edge_a, self.edge_b), np.maximum(self.edge_a, self.edge_b)
        keys = low.astype(np.int64) * self.n + high
        order = np.argsort(keys)
        return keys[order], order

    def edge_between(self, i: int, j: int) -> int:
        """The edge that joins two nodes, or -1."""
        keys, order = self._edge_keys
        key = int(min(i, j)) * self.n + int(max(i, j))
        at = int(np.searchsorted(keys, key))
        return int(order[at]) if at < len(keys) and keys[at] == key else -1

    @cached_property
    def _edge_rows(self) -> tuple[np.ndarray, np.ndarray]:
        rows = np.flatnonzero((self.row_edge >= 0) & self.row_labelled)
        return group(self.row_edge[rows], len(self.edge_a), rows)

    def rows_of(self, edge: int) -> np.ndarray:
        """Positions in `pairs` of the rows that state an edge."""
        starts, rows = self._edge_rows
        return rows[starts[edge] : starts[edge + 1]]

    def source_rows(self, edge: int) -> list[int]:
        """The rows of an edge as their source counts them (the `row` column of the pair table)."""
        rows = self.rows_of(edge)
        if self.pairs is not None and "row" in self.pairs:
            rows = self.pairs["row"].to_numpy()[rows]
        return [int(row) for row in rows]

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
    def adjacency(self) -> csr_array:
        """Positive edges as a symmetric sparse matrix; its data are edge numbers + 1."""
        from scipy.sparse import csr_array

        edges = np.flatnonzero(self.edge_sign > 0)
        a, b = self.edge_a[edges], self.edge_b[edges]
        ends = (np.concatenate([a, b]), np.concatenate([b, a]))
        return csr_array((np.concatenate([edges + 1, edges + 1]), ends), shape=(self.n, self.n))

    def neighbors(self, sentence: str) -> pd.DataFrame:
        """The stated pairs of a sentence: `text`, `label`, `n_positive`, `n_negative`, `cluster`, `rows`."""
        node = self.node(sentence)
        edges = np.flatnonzero((self.edge_a == node) | (self.edge_b == node))
        others = np.where(self.edge_a[edges] == node, self.edge_b[edges], self.edge_a[edges])
        return pd.DataFrame(
            {
                "text": pd.Series(self.texts(others), dtype="str"),
                "label": (self.edge_sign[edges] > 0).astype(np.int8),
                "n_positive": self.edge_n_positive[edges],
                "n_negative": self.edge_n_negative[edges],
                "cluster": self.cluster_of[others],
                "rows": [self.source_rows(e) for e in edges],
            }
        )

    # -- clusters ----------------------------------------------------------------------------------------

    @cached_property
    def cluster_members(self) -> tuple[np.ndarray, np.ndarray]:
        """``(starts, nodes)``: cluster c holds ``nodes[starts[c]:starts[c + 1]]``, in order of appearance."""
        return group(self.cluster_of, len(self.cluster_sizes))

    @cached_property
    def places(self) -> np.ndarray:
        """Where each node stands in the nodes of `cluster_members`."""
        _, nodes = self.cluster_members
        places = np.empty(self.n, dtype=np.int64)
        places[nodes] = np.arange(self.n)
        return places

    def members(self, cluster: int) -> np.ndarray:
        """The nodes of a cluster, in order of first appearance."""
        if not 0 <= cluster < len(self.cluster_sizes):
            raise PairsError(f"cluster {cluster} is not one of 0 .. {len(self.cluster_sizes) - 1}")
        starts, nodes = self.cluster_members
        return nodes[starts[cluster] : starts[cluster + 1]]

    def _link_keys(self) -> np.ndarray:
        """For every negative between clusters, the two clusters as one number."""
        across = (self.edge_sign < 0) & ~self.within
        a, b = (cluster[across] for cluster in self.edge_clusters)
        return np.minimum(a, b).astype(np.int64) * len(self.cluster_sizes) + np.maximum(a, b)

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

    def clusters(self, **options: Any) -> pd.DataFrame:
        """One row a cluster: see `clusters.cluster_table`."""
        from .clusters import cluster_table

        return cluster_table(self, **options)

    def summary(self) -> pd.Series:
        """The graph in counts.

        Rows as read, what became of them, and what they make: sentences, stated pairs, clusters, conflicts.
        """
        positive = int(np.count_nonzero(self.edge_sign > 0))
        within = int(np.count_nonzero(self.within))
        direct = int(np.count_nonzero((self.edge_n_positive > 0) & (self.edge_n_negative > 0)))
        edges = len(self.edge_sign)
        in_edges = int(np.count_nonzero((self.row_edge >= 0) & self.row_labelled))
        return pd.Series(
            {
                "rows": self.n_rows,
                "rows that pair a sentence with itself": self.n_self_pairs,
                "rows without a label": self.n_unlabelled,
                "rows that repeat a pair": in_edges - edges,
                "spellings merged into a sentence seen before": self.merged,
                "sentences": self.n,
                "stated pairs": edges,
                "positive": positive,
                "negative": edges - positive,
                "clusters of two or more": int(np.count_nonzero(self.cluster_sizes > 1)),
                "sentences in no such cluster": int(np.count_nonzero(self.cluster_sizes == 1)),
                "largest cluster": int(self.cluster_sizes.max(initial=0)),
                "negatives inside a cluster (within-conflicts)": within,
                "pairs stated both ways (direct contradictions)": direct,
                "negatives between clusters": edges - positive - within,
            },
            name="count",
        )

    def to_networkx(self, cluster: int | None = None, nodes: Iterable[int] | None = None) -> nx.Graph:
        """A networkx graph of everything, of one cluster, or of the given nodes.

        Nodes carry `text` and `cluster`; edges `sign`, `n_positive`, `n_negative` and `rows`.
        """
        import networkx as nx

        if cluster is not None:
            nodes = self.members(cluster)
        nodes = np.arange(self.n) if nodes is None else np.asarray(list(nodes), dtype=np.int64)
        inside = np.zeros(self.n, dtype=bool)
        inside[nodes] = True
        edges = np.flatnonzero(inside[self.edge_a] & inside[self.edge_b])
        graph = nx.Graph()
        for node, text in zip(nodes.tolist(), self.texts(nodes), strict=True):
            graph.add_node(node, text=text, cluster=int(self.cluster_of[node]))
        for edge in edges.tolist():
            graph.add_edge(
                int(self.edge_a[edge]),
                int(self.edge_b[edge]),
                sign=int(self.edge_sign[edge]),
                n_positive=int(self.edge_n_positive[edge]),
                n_negative=int(self.edge_n_negative[edge]),
                rows=self.source_rows(edge),
            )
        return graph


def _clusters(edges: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Connected components of the positive edges: label of each node, sizes; by size, then first node."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    positive = edges.sign > 0
    a, b = edges.a[positive], edges.b[positive]
    matrix = coo_array((np.ones(len(a), dtype=np.int8), (a, b)), shape=(n, n))
    k, label = connected_components(matrix, directed=False) if n else (0, np.empty(0, dtype=np.int32))
    sizes = np.bincount(label, minlength=k)
    # scipy numbers components by their first node, so a stable sort by size keeps that order among equals.
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty(k, dtype=np.int32)
    rank[order] = np.arange(k, dtype=np.int32)
    return rank[label], sizes[order]


def group(labels: np.ndarray, k: int, values: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Values by label, order kept: those of label i are ``values[starts[i]:starts[i + 1]]``; linear time."""
    from scipy.sparse import csr_array

    m = len(labels)
    if values is None:
        values = np.arange(m)
    # A counting sort: scipy's conversion to CSR places the entries of each row in the order given.
    matrix = csr_array((values, (labels, np.arange(m))), shape=(k, m))
    return matrix.indptr, matrix.data
