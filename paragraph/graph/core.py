"""The paraphrase graph: sentences, signed edges between them, and the clusters that the positive edges make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ..files import PairsError
from ..files.errors import check_type
from ..files.shown import counting
from ..pairs.tables import canonical, column, inputs_of
from .arrays import Allocate, Array, group, in_memory
from .clusters import central_sentences, cluster_table, summary
from .export import to_networkx
from .identity import identify, signs
from .search import lookup, node_of, nodes_of, search
from .stated import annotators_of, differing, votes
from .structure import Structure

__all__ = ["ParaphraseGraph", "checked_graph"]


class ParaphraseGraph(Structure):
    """Labelled sentence pairs as a signed graph: an immutable value.

    Sentences are the integers ``0..n-1`` in order of first appearance; each distinct unordered pair with a
    label is one edge, signed by its stated label (`stated.stated_edges`). Clusters are the connected
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
        The rule by which two spellings are one sentence.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["Hi!", "Hello!", "Bye!"], "text_b": ["Hello!", "Hey!", "Hi!"],
    ...                       "label": [1, 1, 0]})
    >>> graph = ParaphraseGraph.from_pairs(pairs)
    >>> graph
    <ParaphraseGraph: 4 sentences, 2 positive and 1 negative pairs, 1 cluster>
    >>> graph.texts(graph.members(0))
    ['Hi!', 'Hello!', 'Hey!']
    """

    node = node_of
    search = search
    clusters = cluster_table
    summary = summary
    central_sentences = cached_property(central_sentences)
    annotators = cached_property(annotators_of)
    annotators_differ = cached_property(differing)
    votes = votes
    to_networkx = to_networkx

    def __init__(
        self,
        a: Array,
        b: Array,
        sign: Array,
        n: int,
        texts: pa.LargeStringArray | None = None,
        pairs: pd.DataFrame | None = None,
        merged: int = 0,
        identity: str = "text",
        allocate: Allocate = in_memory,
    ):
        self.pairs = pairs
        self.merged = merged
        self.identity = identity
        self.report: dict[str, Any] = {}  #: the report of `pairs.read`
        if pairs is not None:
            self.report = pairs.attrs.get("report") or {}
        self._texts = texts
        super().__init__(a, b, sign, n, allocate)

    @classmethod
    def from_pairs(cls, pairs: pd.DataFrame, identity: str = "text") -> ParaphraseGraph:
        """Make the graph of a pair table (columns `text_a`, `text_b`, `label`; see `read_pairs`).

        `identity` says when two spellings are one sentence (`identity.identify`): "text", "normal" or "id".
        Raises `PairsError` if columns are missing or a label is not 0, 1 or missing.
        """
        call = "ParaphraseGraph.from_pairs(pg.read_pairs(file))"
        check_type(pairs, pd.DataFrame, "from_pairs", "a table", call)
        pairs = canonical(pairs, "a pair table")
        if "label" not in pairs:
            raise PairsError("a pair table needs the columns text_a, text_b, label; missing: label")
        sign = signs(pairs)
        a, b, texts, merged = identify(pairs, identity)
        return cls(a, b, sign, len(texts), texts, pairs, merged, identity)

    @property
    def bipartite(self) -> bool:
        """True if the two sides are different things (question, answer), so closure makes no sense."""
        return self.pairs is not None and bool(self.pairs.attrs.get("bipartite"))

    @property
    def inputs(self) -> list[str]:
        """The files that the pairs come from: none, where they were made in Python."""
        return inputs_of(self.report)

    @property
    def own_words(self) -> tuple[str, ...]:
        """The words of the file for labels 0 and 1; empty if its labels are no words."""
        return tuple(self.report.get("words", ()))

    @property
    def words(self) -> tuple[str, ...]:
        """The words for labels 0 and 1: those of the file, if its labels are words."""
        if self.own_words:
            return self.own_words
        if self.bipartite:
            return ("label 0", "label 1")
        return ("not a paraphrase", "a paraphrase")

    # -- sentences ---------------------------------------------------------------------------------------

    @property
    def sentences(self) -> pa.LargeStringArray:
        """All sentences by code, in the spelling first seen."""
        if self._texts is None:  # a graph made from codes alone
            names = [f"sentence {i}" for i in range(self.n)]
            self._texts = pa.array(names, pa.large_string())
        return self._texts

    def text(self, node: int) -> str:
        """The sentence of a node."""
        return self.sentences[self.node(node)].as_py()

    def texts(self, nodes: Iterable[int]) -> list[str]:
        """The sentences of several nodes."""
        codes = np.asarray(nodes, dtype=np.int64)
        return self.sentences.take(pa.array(codes)).to_pylist()

    def pair_texts(self, a: Iterable[int], b: Iterable[int]) -> pd.DataFrame:
        """The sentences of pairs of nodes: `text_a`, `text_b`."""
        texts = {"text_a": self.texts(a), "text_b": self.texts(b)}
        return pd.DataFrame(texts, dtype="str")

    def pair_nodes(self, pairs: pd.DataFrame) -> Array:
        """The nodes of `text_a` and `text_b` of each row, -1 where the graph lacks a sentence: (2, rows), int64.

        `PairsError` names a row whose value is not text.
        """
        texts = column(pairs, "text_a").to_pylist() + column(pairs, "text_b").to_pylist()
        return nodes_of(self, texts).reshape(2, len(pairs))

    # -- rows --------------------------------------------------------------------------------------------

    @cached_property
    def _rows_by_edge(self) -> tuple[Array, Array]:
        rows = np.flatnonzero((self.row_edge >= 0) & self.row_labelled)
        return group(self.row_edge[rows], len(self.edge_a), rows)

    def rows_of(self, edge: int) -> Array:
        """Positions in `pairs` of the rows that state an edge."""
        starts, rows = self._rows_by_edge
        return rows[starts[edge] : starts[edge + 1]]

    def row_names(self, rows: Array) -> list[int | str]:
        """The names of rows in their source (the `row` column of the pair table)."""
        if self.pairs is not None and "row" in self.pairs:
            rows = self.pairs["row"].to_numpy()[rows]
        return rows.tolist()

    @cached_property
    def self_rows(self) -> Array:
        """The labelled rows that pair a sentence with itself: positions in `pairs`."""
        return np.flatnonzero((self.row_a == self.row_b) & self.row_labelled)

    def rows_between(self, a: int, b: int) -> Array:
        """Positions in `pairs` of the rows that label two nodes, or a node paired with itself."""
        if a != b:
            return self.rows_of(self.edge_between(a, b))
        return self.self_rows[self.row_a[self.self_rows] == a]

    def source_rows(self, edge: int) -> list[int | str]:
        """The row numbers of an edge in their source."""
        return self.row_names(self.rows_of(edge))

    def row_parts(self) -> Iterator[tuple[pd.DataFrame, Array, Array]]:
        """The rows in order, part by part: a pair table and the nodes of its two sides."""
        if self.pairs is None:
            raise PairsError("this graph was made from codes; it has no rows to write")
        yield self.pairs, self.row_a, self.row_b

    # -- edges -------------------------------------------------------------------------------------------

    @cached_property
    def negatives_inside(self) -> Array:
        """Flags of the negatives inside a cluster, which a positive path contradicts: the paper's frenemies.

        Bipartite data have none: between questions and answers no path contradicts a label.
        """
        if self.bipartite:
            return np.zeros(len(self.edge_sign), dtype=bool)
        a, b = self.edge_clusters
        return (self.edge_sign < 0) & (a == b)

    @cached_property
    def labelled_twice(self) -> Array:
        """Flags of the edges whose rows state both labels: direct contradictions."""
        return (self.edge_n_positive > 0) & (self.edge_n_negative > 0)

    @cached_property
    def conflicting(self) -> Array:
        """Flags of the edges whose label contradicts others, within a cluster or directly: one conflict each."""
        return self.negatives_inside | self.labelled_twice

    @cached_property
    def self_negatives(self) -> Array:
        """The sentences that a row pairs with themselves and labels 0, ascending: that label is wrong."""
        negative = (self.row_a == self.row_b) & (self.row_sign < 0)
        return np.unique(self.row_a[negative])

    # -- tables and counts ------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        counts = self.summary()
        clusters = int(counts["clusters"])
        return (
            f"<ParaphraseGraph: {self.n:,} sentences, {counts['positive']:,} positive and "
            f"{counts['negative']:,} negative pairs, {counting(clusters, 'cluster')}>"
        )

    def __len__(self) -> int:
        """The number of sentences."""
        return self.n

    def __contains__(self, sentence: str) -> bool:
        """True if a sentence is in the data, in any spelling that counts as the same sentence (see `node`)."""
        return isinstance(sentence, str) and lookup(self, sentence) >= 0


def checked_graph(graph: Any, name: str) -> ParaphraseGraph:
    """Return the argument of the function `name` if it is a graph; else say how to make one."""
    call = f"{name}(pg.ParaphraseGraph.from_pairs(pairs))"
    return check_type(graph, ParaphraseGraph, name, "a graph", call)
