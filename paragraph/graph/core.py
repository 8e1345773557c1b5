"""The paraphrase graph: sentences, signed edges between them, and the clusters the positive edges make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from ..pairs import PairsError
from ..pairs.columns import canonical
from ..pairs.generated import generated as made_of_others
from ..pairs.generated import shuffle_edges
from .arrays import PairIndex, connected, group, pair_keys, symmetric
from .clusters import cluster_table
from .edges import Edges, stated_edges
from .identity import identify, signs
from .search import lookup, node_of, search

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
        identity: str = "text",
        roots: np.ndarray | None = None,
    ):
        edges = stated_edges(a, b, sign, n)
        self.n, self.pairs, self.merged, self.identity = n, pairs, merged, identity
        self.report: dict[str, Any] = {} if pairs is None else pairs.attrs.get("report") or {}  #: of `pairs.read`
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

    @classmethod
    def from_pairs(cls, pairs: pd.DataFrame, identity: str = "text", generated: bool = False) -> ParaphraseGraph:
        """The graph of a pair table (columns `text_a`, `text_b`, `label`; see `read_pairs`).

        `identity` says when two spellings are one sentence (`identity.identify`): "text", "normal" or "id". Rows
        that were generated (those with a `from_row`) are no evidence, and left out; with ``generated=True`` they
        count, and so does the paraphrase that each sentence made is of its original.
        Raises `PairsError` where columns are missing or a label is not 0, 1 or missing.
        """
        if {"question1", "question2"} <= {*pairs}:  # the spelling of files
            pairs = canonical(pairs, "a pair table")
        missing = [name for name in ("text_a", "text_b", "label") if name not in pairs]
        if missing:
            raise PairsError(f"a pair table needs the columns text_a, text_b, label; missing: {missing}")
        made = made_of_others(pairs)
        if made.any():
            pairs = pd.concat([pairs, shuffle_edges(pairs)]) if generated else pairs[~made]
        sign = signs(pairs)
        a, b, texts, merged = identify(pairs, identity)
        return cls(a, b, sign, len(texts), texts, pairs, merged, identity)

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
        """The names of rows in their source (the `row` column of the pair table)."""
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

    def _link_keys(self) -> np.ndarray:
        """For every negative between clusters, the two clusters as one number."""
        across = (self.edge_sign < 0) & ~self.within
        return pair_keys(*(cluster[across] for cluster in self.edge_clusters), len(self.cluster_sizes))

    @cached_property
    def links(self) -> Links:
        """The pairs of clusters that a stated negative joins: the graph of clusters."""
        keys, count = np.unique(self._link_keys(), return_counts=True)
        k = max(len(self.cluster_sizes), 1)
        return Links(keys // k, keys % k, count)

    @cached_property
    def edge_link(self) -> np.ndarray:
        """For every edge its link, or -1."""
        link = np.full(len(self.edge_a), -1, dtype=np.int64)
        link[(self.edge_sign < 0) & ~self.within] = np.unique(self._link_keys(), return_inverse=True)[1]
        return link

    # -- questions ----------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        positive = int(np.count_nonzero(self.edge_sign > 0))
        clusters = int(np.count_nonzero(self.cluster_sizes > 1))
        return (
            f"<ParaphraseGraph: {self.n:,} sentences, {positive:,} positive and "
            f"{len(self.edge_sign) - positive:,} negative pairs, "
            f"{clusters:,} cluster{'s' * (clusters != 1)} of two or more>"
        )

    def __len__(self) -> int:
        """The number of sentences."""
        return self.n

    def __contains__(self, sentence: str) -> bool:
        """True if a sentence is in the data, in any spelling that counts as one of theirs (see `node`)."""
        return isinstance(sentence, str) and lookup(self, sentence) >= 0

    node = node_of
    search = search
    clusters = cluster_table

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

    def neighbours(self, sentence: str) -> pd.DataFrame:
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
                "rows": [self.source_rows(edge) for edge in edges],
            }
        )

    def summary(self) -> pd.Series:
        """The graph in counts.

        Rows as read, what became of them, and what they make: sentences, stated pairs, clusters, conflicts.
        """
        positive = int(np.count_nonzero(self.edge_sign > 0))
        within = int(np.count_nonzero(self.within))
        direct = int(np.count_nonzero(self.both_ways))
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
