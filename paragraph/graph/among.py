"""Labels that follow between some sentences of a graph: what a picture of them draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .distance import path_lengths

if TYPE_CHECKING:
    from .core import GraphArrays

__all__ = ["inferred_among"]

NONE = np.iinfo(np.int32).max  # in place of a path length: no label follows


def inferred_among(graph: GraphArrays, nodes: np.ndarray, sign: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The inferred labels of one sign between the given sentences: ``(i, j, used)``, arrays of equal length.

    `i` and `j` are places in `nodes`, ``i < j``, in this order; `used` is the number of positive edges that the
    shortest proof uses (`distance.distance` takes it). A positive joins two sentences of one cluster, a negative
    two of clusters that a stated negative joins (rule "all"). Paths may leave the given sentences. O(s²) memory for
    s sentences, and O(s²) time for each stated negative between their clusters.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "c", "x"], "label": [1, 1, 0]})
    >>> graph = pg.ParaphraseGraph.from_pairs(pairs)
    >>> [part.tolist() for part in inferred_among(graph, np.array([0, 2, 3]), +1)]  # a and c
    [[0], [1], [2]]
    >>> [part.tolist() for part in inferred_among(graph, np.array([0, 2, 3]), -1)]  # a and x
    [[0], [2], [2]]
    """
    home = graph.cluster_of[nodes]
    starts, lengths = path_lengths(graph, nodes)

    def path(some: np.ndarray, node: np.ndarray | int) -> np.ndarray:
        """Lengths from some of the sentences, by place, to nodes of their clusters."""
        return lengths[starts[some] + graph.place_in_cluster[node]]

    i, j = np.triu_indices(len(nodes), 1)
    if sign > 0:
        together = home[i] == home[j]
        i, j = i[together], j[together]
        used = path(i, nodes[j])
    else:
        ends = graph.edge_clusters
        across = (graph.edge_sign < 0) & ~graph.within & np.isin(ends[0], home) & np.isin(ends[1], home)
        table = np.full((len(nodes), len(nodes)), NONE, dtype=np.int32)
        for x, y in zip(graph.edge_a[across].tolist(), graph.edge_b[across].tolist(), strict=True):
            left, right = (np.flatnonzero(home == graph.cluster_of[end]) for end in (x, y))
            block = np.ix_(left, right)
            table[block] = np.minimum(table[block], path(left, x)[:, None] + path(right, y))
        used = np.minimum(table, table.T)[i, j]
        i, j, used = (part[used < NONE] for part in (i, j, used))
    unstated = graph.edge_index.places(nodes[i], nodes[j]) < 0
    return i[unstated], j[unstated], used[unstated]
