"""The table of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from .bridges import fragile
from .distance import carrying, check_rule, in_parts, path_lengths

if TYPE_CHECKING:
    from .core import GraphArrays

__all__ = ["cluster_table"]


def cluster_table(
    graph: GraphArrays,
    min_size: int = 2,
    negatives: str = "all",
    diameter: bool = False,
    bridges: bool = False,
    max_size: int = 2_000,
) -> pd.DataFrame:
    """One row a cluster of at least `min_size` sentences, largest first.

    Columns
    -------
    cluster, size
        Id and number of sentences.
    stated_positive, stated_negative
        Stated pairs inside, and stated negatives that leave it.
    inferred_positive, inferred_negative
        Labels that follow (all distances; negatives by the named rule, to every other cluster).
    conflicts
        Stated negatives inside.
    density
        Share of its pairs that are stated positive; 1 for a clique.
    neighbours
        Other clusters it is held apart from by a stated negative.
    diameter, bridges
        On request: longest shortest path in positive edges; positive edges whose loss would split the
        cluster. Missing for clusters above `max_size`, where they would take O(size²) and long.
    example
        Its first sentence.

    Examples
    --------
    >>> from paragraph import DEMO, ParaphraseGraph, read_pairs
    >>> table = ParaphraseGraph.from_pairs(read_pairs(DEMO)).clusters(diameter=True)
    >>> bool((table["diameter"] < table["size"]).all())
    True
    """
    check_rule(graph, negatives)
    k = len(graph.cluster_sizes)
    size = graph.cluster_sizes
    keep = slice(0, int(np.count_nonzero(size >= min_size)))  # ids go by size
    home, _ = graph.edge_clusters
    positive = np.bincount(home[graph.edge_sign > 0], minlength=k)
    conflicts = np.bincount(home[graph.within], minlength=k)
    links = graph.links
    leaving = np.bincount(links.a, links.count, k) + np.bincount(links.b, links.count, k)
    sizes = size[links.a], size[links.b]
    carried = np.where(carrying(*sizes, negatives), sizes[0] * sizes[1] - links.count, 0).astype(np.float64)
    inferred = np.bincount(links.a, carried, k) + np.bincount(links.b, carried, k)
    pairs_inside = size * (size - 1) // 2
    table = pd.DataFrame(
        {
            "cluster": np.arange(k)[keep],
            "size": size[keep],
            "stated_positive": positive[keep],
            "stated_negative": leaving[keep].astype(np.int64),
            "inferred_positive": (pairs_inside - positive - conflicts)[keep],
            "inferred_negative": inferred[keep].astype(np.int64),
            "conflicts": conflicts[keep],
            "density": (positive / np.maximum(pairs_inside, 1))[keep],
            "neighbours": (np.bincount(links.a, minlength=k) + np.bincount(links.b, minlength=k))[keep],
        }
    )
    if diameter:
        table["diameter"] = _diameters(graph, len(table), max_size)
    if bridges:
        table["bridges"] = _bridges(graph, len(table), max_size)
    starts, nodes = graph.cluster_members
    table["example"] = pd.Series(graph.texts(nodes[starts[:-1][keep]]), dtype="str")
    return table


def _diameters(graph: GraphArrays, k: int, max_size: int) -> pd.Series:
    starts, nodes = graph.cluster_members
    result = np.full(k, -1, dtype=np.int64)
    small = int(np.count_nonzero(graph.cluster_sizes[:k] > max_size))  # ids go by size
    nodes = nodes[starts[small] : starts[k]]
    for part in in_parts(graph.cluster_sizes[graph.cluster_of[nodes]]):
        begins, lengths = path_lengths(graph, nodes[part])
        np.maximum.at(result, graph.cluster_of[nodes[part]], np.maximum.reduceat(lengths, begins[:-1]))
    return pd.Series(result, dtype="Int64").mask(result < 0)


def _bridges(graph: GraphArrays, k: int, max_size: int) -> pd.Series:
    from tqdm.auto import tqdm

    sizes = graph.cluster_sizes[:k]
    result = np.full(k, -1, dtype=np.int64)
    result[sizes <= 2] = sizes[sizes <= 2] - 1  # one sentence: none; two: the edge between them
    for cluster in tqdm(np.flatnonzero((sizes > 2) & (sizes <= max_size)), "bridges", delay=2, leave=False):
        result[cluster] = len(fragile(graph, cluster).edges)
    return pd.Series(result, dtype="Int64").mask(result < 0)
