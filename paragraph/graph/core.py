"""The paraphrase graph: sentences, signed edges between them, and the clusters the positive edges make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..pairs import PairsError
from ..pairs.errors import taken
from ..pairs.generated import generated as made_of_others
from ..pairs.generated import shuffle_edges
from ..pairs.tables import canonical
from .clusters import cluster_table
from .held import Held
from .identity import identify, signs
from .search import lookup, node_of, search

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["ParaphraseGraph", "checked_graph"]


class ParaphraseGraph(Held):
    """Labelled sentence pairs as a signed graph: an immutable value.

    Sentences are the integers ``0..n-1`` in order of first appearance; each distinct unordered pair with a
    label is one edge, signed by its stated label (`arrays.stated_edges`). Clusters are the connected
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

    node = node_of
    search = search
    clusters = cluster_table

    @classmethod
    def from_pairs(cls, pairs: pd.DataFrame, identity: str = "text", generated: bool = False) -> ParaphraseGraph:
        """The graph of a pair table (columns `text_a`, `text_b`, `label`; see `read_pairs`).

        `identity` says when two spellings are one sentence (`identity.identify`): "text", "normal" or "id". Rows
        that were generated (those with a `from_row`) are no evidence, and left out; with ``generated=True`` they
        count, and so does the paraphrase that each sentence made is of its original.
        Raises `PairsError` where columns are missing or a label is not 0, 1 or missing.
        """
        taken(pairs, pd.DataFrame, "from_pairs", "a table", "ParaphraseGraph.from_pairs(pg.read_pairs(file))")
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

    def __repr__(self) -> str:
        counts = self.summary()
        clusters = int(counts["clusters of two or more"])
        return (
            f"<ParaphraseGraph: {self.n:,} sentences, {counts['positive']:,} positive and "
            f"{counts['negative']:,} negative pairs, {clusters:,} cluster{'s' * (clusters != 1)} of two or more>"
        )

    def __len__(self) -> int:
        """The number of sentences."""
        return self.n

    def __contains__(self, sentence: str) -> bool:
        """True if a sentence is in the data, in any spelling that counts as one of theirs (see `node`)."""
        return isinstance(sentence, str) and lookup(self, sentence) >= 0

    def neighbours(self, sentence: str) -> pd.DataFrame:
        """The stated pairs of a sentence: `text`, `label`, `n_positive`, `n_negative`, `cluster`, `rows`."""
        node = self.node(sentence)
        table = self.edge_table(np.flatnonzero((self.edge_a == node) | (self.edge_b == node)))
        others = table["a"].where(table["a"] != node, table["b"])
        table = table.assign(
            text=pd.Series(self.texts(others), dtype="str"),
            label=(table["sign"] > 0).astype(np.int8),
            cluster=self.cluster_of[others],
        )
        return table[["text", "label", "n_positive", "n_negative", "cluster", "rows"]]

    def summary(self) -> pd.Series:
        """The graph in counts.

        Rows as read, what became of them, and what they make: sentences, stated pairs, clusters, conflicts.
        """

        def count(flags: np.ndarray) -> int:
            return int(np.count_nonzero(flags))

        edges, positive, within = len(self.edge_sign), count(self.edge_sign > 0), count(self.within)
        return pd.Series(
            {
                "rows": self.n_rows,
                "rows that pair a sentence with itself": self.n_self_pairs,
                "of these labelled 0": count((self.row_a == self.row_b) & (self.row_sign < 0)),
                "rows without a label": self.n_unlabelled,
                "rows that repeat a pair": count((self.row_edge >= 0) & self.row_labelled) - edges,
                "spellings merged into a sentence seen before": self.merged,
                "sentences": self.n,
                "stated pairs": edges,
                "positive": positive,
                "negative": edges - positive,
                "clusters of two or more": count(self.cluster_sizes > 1),
                "sentences in no such cluster": count(self.cluster_sizes == 1),
                "largest cluster": int(self.cluster_sizes.max(initial=0)),
                "negatives inside a cluster (within-conflicts)": within,
                "pairs stated both ways (direct contradictions)": count(self.both_ways),
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
        graph = nx.Graph()
        for node, text, home in zip(nodes.tolist(), self.texts(nodes), self.cluster_of[nodes].tolist(), strict=True):
            graph.add_node(node, text=text, cluster=home)
        for edge in self.edge_table(self.edges_among(nodes)).to_dict("records"):
            graph.add_edge(edge.pop("a"), edge.pop("b"), **edge)
        return graph


def checked_graph(graph: Any, name: str) -> ParaphraseGraph:
    """Return the graph that the function `name` was given, or say that it takes one, and no table of pairs."""
    return taken(graph, Held, name, "a graph", f"{name}(pg.ParaphraseGraph.from_pairs(pairs))")
