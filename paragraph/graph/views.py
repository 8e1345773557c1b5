"""Views of a graph: some edges as a table, the pairs of a sentence, a graph of networkx."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa

if TYPE_CHECKING:
    import networkx as nx

from .arrays import Array

__all__ = ["codes", "edge_table", "neighbours", "to_networkx"]


def edge_table(graph, edges: Array) -> pd.DataFrame:
    """Some edges as a table: `a`, `b`, `sign`, `n_positive`, `n_negative`, `rows`."""
    table = pd.DataFrame(
        {"a": graph.edge_a[edges], "b": graph.edge_b[edges], "sign": graph.edge_sign[edges]}
    )
    table["n_positive"] = graph.edge_n_positive[edges]
    table["n_negative"] = graph.edge_n_negative[edges]
    table["rows"] = [graph.source_rows(edge) for edge in edges]
    return table


def neighbours(graph, sentence: str) -> pd.DataFrame:
    """The stated pairs of a sentence: `text`, `label`, `n_positive`, `n_negative`, `cluster`, `rows`."""
    node = graph.node(sentence)
    is_end = (graph.edge_a == node) | (graph.edge_b == node)
    edges = np.flatnonzero(is_end)
    others = graph.ends(edges).sum(axis=0) - node
    table = graph.edge_table(edges)
    table["text"] = pd.Series(graph.texts(others), dtype="str")
    table["label"] = (table["sign"] > 0).astype(np.int8)
    table["cluster"] = graph.cluster_of[others]
    return table[["text", "label", "n_positive", "n_negative", "cluster", "rows"]]


def to_networkx(graph, cluster: int | None = None, nodes: Iterable[int] | None = None) -> nx.Graph:
    """A networkx graph of everything, of one cluster, or of the given nodes.

    Nodes carry `text` and `cluster`; edges `sign`, `n_positive`, `n_negative` and `rows`.
    """
    import networkx as nx

    if cluster is not None:
        nodes = graph.members(cluster)
    if nodes is None:
        nodes = range(graph.n)
    nodes = np.array(list(nodes), dtype=np.int64)
    table = pd.DataFrame({"text": graph.texts(nodes), "cluster": graph.cluster_of[nodes]}, nodes)
    found = nx.Graph()
    found.add_nodes_from(table.to_dict("index").items())
    edges = graph.edge_table(graph.edges_among(nodes))
    for edge in edges.to_dict("records"):
        found.add_edge(edge.pop("a"), edge.pop("b"), **edge)
    return found


def codes(graph, rows: Array | slice = slice(None)) -> pd.DataFrame:
    """Some rows as a pair table with the numbers of sentences in place of their texts."""
    sign = graph.row_sign[rows]
    texts = pd.StringDtype("pyarrow", np.nan)
    columns = {}
    for name, ends in (("text_a", graph.row_a), ("text_b", graph.row_b)):
        numbers = pa.array(ends[rows]).cast(pa.large_string())
        columns[name] = pd.arrays.ArrowStringArray(numbers, dtype=texts)
    columns["label"] = pd.arrays.IntegerArray((sign > 0).astype(np.int8), sign == 0)
    table = pd.DataFrame(columns, copy=False)
    table.attrs["bipartite"] = graph.bipartite
    return table
