"""The most central sentence of each cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .distance import in_parts, path_lengths

if TYPE_CHECKING:
    from .core import GraphArrays

__all__ = ["MOST", "central_sentences"]

MOST = 1_000  # sentences: a larger cluster is named after its best connected one, for paths take O(size²)


def central_sentences(graph: GraphArrays, count: int | None = None, first: int = 0) -> np.ndarray:
    """The sentence of each cluster with the shortest positive paths to all others: closeness centrality.

    Among equals, the one with most positive pairs, then the first. In a cluster of more than `MOST` sentences
    pairs alone decide.

    Parameters
    ----------
    graph : ParaphraseGraph
    count : int, optional
        Of how many clusters; default all.
    first : int
        From which cluster on.

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
    sizes = graph.cluster_sizes[first:] if count is None else graph.cluster_sizes[first : first + count]
    starts = starts[first : first + len(sizes) + 1]
    members = nodes[starts[0] : starts[-1]]
    far = -np.diff(graph.adjacency.indptr)[members].astype(np.int64)
    large = int(np.count_nonzero(sizes > MOST))  # they come first: ids go by size
    begin = int(starts[large] - starts[0])
    for part in in_parts(np.repeat(sizes[large:], sizes[large:])):
        sources = members[begin:][part]
        begins, lengths = path_lengths(graph, sources)
        total = np.add.reduceat(lengths, begins[:-1], dtype=np.int64)
        far[begin:][part] += total * graph.cluster_sizes[graph.cluster_of[sources]]
    order = np.lexsort((far, graph.cluster_of[members]))
    return members[order[starts[:-1] - starts[0]]]
