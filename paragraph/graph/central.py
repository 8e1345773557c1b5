"""The most central sentence of each cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .distance import path_lengths, source_blocks

if TYPE_CHECKING:
    from .core import GraphArrays

__all__ = ["MOST", "central_sentences"]

MOST = 300  # sentences: a larger cluster is named after its best connected one, for paths take O(size²)


def central_sentences(graph: GraphArrays, count: int | None = None) -> np.ndarray:
    """The sentence of each cluster with the shortest positive paths to all others: closeness centrality.

    Among equals, the one with most positive pairs, then the first. In a cluster of more than `MOST` sentences
    pairs alone decide.

    Parameters
    ----------
    graph : ParaphraseGraph
    count : int, optional
        Of how many clusters, from the largest; default all.

    References
    ----------
    Freeman (1979), Centrality in social networks: conceptual clarification.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "c", "d"], "label": [1, 1, 0]})
    >>> graph = pg.ParaphraseGraph.from_pairs(pairs)
    >>> graph.texts(central_sentences(graph))
    ['b', 'd']
    """
    starts, nodes = graph.cluster_members
    k = len(graph.cluster_sizes) if count is None else count
    large, stop = int(np.count_nonzero(graph.cluster_sizes[:k] > MOST)), int(starts[k])  # ids go by size
    members = nodes[:stop]
    far = -np.diff(graph.adjacency.indptr)[members].astype(np.int64)
    for begin, end in source_blocks(graph, int(starts[large]), stop):
        begins, lengths = path_lengths(graph, nodes[begin:end])
        size = graph.cluster_sizes[graph.cluster_of[nodes[begin:end]]]
        far[begin:end] += np.add.reduceat(lengths, begins[:-1], dtype=np.int64) * size
    order = np.lexsort((far, graph.cluster_of[members]))
    return members[order[starts[:k]]]
