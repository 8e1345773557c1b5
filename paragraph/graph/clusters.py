"""Tables of a graph: its counts and its clusters; and the pairs of clusters that a negative joins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from ..files.errors import check_int
from .arrays import PairIndex, pair_keys
from .bridges import blocks
from .distance import carrying, check_rule
from .paths import in_parts, path_lengths

__all__ = [
    "WALKED", "Links", "central_sentences", "cluster_degree", "cluster_table", "link_negatives",
    "links_between", "links_of", "summary",
]  # fmt: skip

LARGE = 2_000  # sentences: no diameter and no bridges are looked for in a larger cluster
WALKED = 1_000  # sentences: of a larger cluster the best connected one is central, for paths take O(size²)


def cluster_table(
    graph,
    min_size: int = 2,
    negatives: str = "all",
    diameter: bool = False,
    bridges: bool = False,
) -> pd.DataFrame:
    """One row per cluster of at least `min_size` sentences, largest first.

    Columns
    -------
    cluster, size
        Id and number of sentences.
    stated_positive, stated_negative
        Stated pairs inside, and stated negatives that leave it.
    inferred_positive, inferred_negative
        Inferred labels (all distances; negatives by the named rule, to every other cluster); 0 in bipartite data.
    conflicts
        Stated negatives inside, and further pairs stated both ways (at the cluster of the first sentence).
    density
        Share of its pairs that are stated positive; 1 for a clique.
    neighbours
        Other clusters from which a stated negative separates it.
    diameter, bridges
        On request: longest shortest path in positive edges; positive edges whose loss would split the
        cluster. Missing for clusters above 2,000 sentences, where they would take O(size²).
    example
        Its most central sentence (`central_sentences`), which names it everywhere.

    Examples
    --------
    >>> from paragraph import DEMO, ParaphraseGraph, read_pairs
    >>> table = ParaphraseGraph.from_pairs(read_pairs(DEMO)).clusters(diameter=True)
    >>> bool((table["diameter"] < table["size"]).all())
    True
    """
    check_rule(negatives)
    check_int("min_size", min_size, 0)
    size = graph.cluster_sizes
    home = graph.edge_clusters[0]
    k = len(size)
    positive = np.bincount(home[graph.edge_sign > 0], minlength=k)
    (a, b, count), pairs_inside = graph.links, size * (size - 1) // 2
    follow = pairs_inside - graph.stated_inside
    carried = np.where(carrying(size[a], size[b], negatives), size[a] * size[b] - count, 0)
    if graph.bipartite:
        follow = np.zeros_like(follow)
        carried = np.zeros_like(carried)
    ends = np.append(a, b)
    table = pd.DataFrame(
        {
            "cluster": np.arange(k),
            "size": size,
            "stated_positive": positive,
            "stated_negative": np.bincount(ends, np.append(count, count), k).astype(np.int64),
            "inferred_positive": follow,
            "inferred_negative": np.bincount(ends, np.append(carried, carried), k).astype(np.int64),
            "conflicts": np.bincount(home[graph.conflicting], minlength=k),
            "density": positive / np.maximum(pairs_inside, 1),
            "neighbours": graph.cluster_degree,
        }
    ).head(np.count_nonzero(size >= min_size))  # ids go by size
    if diameter:
        table["diameter"] = _diameters(graph, len(table))
    if bridges:
        table["bridges"] = _bridges(graph, len(table))
    names = graph.texts(central_sentences(graph, len(table)))
    return table.assign(example=pd.Series(names, dtype="str"))


def _diameters(graph, k: int) -> pd.Series:
    starts, nodes = graph.cluster_members
    result = np.full(k, -1, dtype=np.int64)
    small = int(np.count_nonzero(graph.cluster_sizes[:k] > LARGE))  # ids go by size
    nodes = nodes[starts[small] : starts[k]]
    for part in in_parts(graph.cluster_sizes[graph.cluster_of[nodes]]):
        begins, lengths = path_lengths(graph, nodes[part])
        np.maximum.at(result, graph.cluster_of[nodes[part]], np.maximum.reduceat(lengths, begins[:-1]))
    return pd.Series(result, dtype="Int64").mask(result < 0)


def _bridges(graph, k: int) -> pd.Series:
    home = graph.edge_clusters[0]
    sizes = graph.cluster_sizes
    edges = np.flatnonzero((graph.edge_sign > 0) & (sizes[home] <= LARGE))
    bridges = edges[blocks(graph.n, *graph.ends(edges)) < 0]
    return pd.Series(np.bincount(home[bridges], minlength=k)[:k], dtype="Int64").mask(sizes[:k] > LARGE)


def central_sentences(graph, n: int | None = None, first: int = 0) -> np.ndarray:
    """The sentence of each cluster with the shortest positive paths to all others: closeness centrality.

    Among equals, the one with the most positive pairs, then the first. In a cluster of more than `WALKED` sentences,
    only the number of pairs decides.

    Parameters
    ----------
    graph : ParaphraseGraph
    n : int, optional
        The number of clusters; default all.
    first : int
        The first cluster.

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
    sizes = graph.cluster_sizes[first:] if n is None else graph.cluster_sizes[first : first + n]
    starts = starts[first : first + len(sizes) + 1]
    members = nodes[starts[0] : starts[-1]]
    far = -graph.degree[members]
    large = int(np.count_nonzero(sizes > WALKED))  # they come first: ids go by size
    begin = int(starts[large] - starts[0])
    for part in in_parts(np.repeat(sizes[large:], sizes[large:])):
        sources = members[begin:][part]
        begins, lengths = path_lengths(graph, sources)
        total = np.add.reduceat(lengths, begins[:-1], dtype=np.int64)
        far[begin:][part] += total * graph.cluster_sizes[graph.cluster_of[sources]]
    order = np.lexsort((far, graph.cluster_of[members]))
    return members[order[starts[:-1] - starts[0]]]


# -- the graph of clusters -----------------------------------------------------------------------------------


class Links(NamedTuple):
    """The pairs of different clusters that a stated negative joins, ``a < b``, sorted."""

    a: np.ndarray  #: cluster id
    b: np.ndarray  #: cluster id
    count: np.ndarray  #: stated negatives between the two


def links_of(graph) -> Links:
    """The pairs of clusters that a stated negative joins: the graph of clusters."""
    k, (_, keys) = max(len(graph.cluster_sizes), 1), _negatives_across(graph)
    keys, count = np.unique(keys, return_counts=True)
    return Links(*(part.astype(np.int32) for part in (keys // k, keys % k, count)))


def _negatives_across(graph) -> tuple[np.ndarray, np.ndarray]:
    """The stated negatives between clusters, and a number for each pair of clusters, ascending as their links do."""
    home, away = graph.edge_clusters
    edges = np.flatnonzero((graph.edge_sign < 0) & (home != away))
    return edges, pair_keys(*graph.edge_clusters[:, edges], max(len(graph.cluster_sizes), 1))


def cluster_degree(graph) -> np.ndarray:
    """The number of clusters that a stated negative joins each cluster to."""
    return np.bincount(np.append(*graph.links[:2]), minlength=len(graph.cluster_sizes))


def links_between(graph, home: np.ndarray, away: np.ndarray) -> np.ndarray:
    """The link of each pair of clusters, or -1."""
    return PairIndex.of(*graph.links[:2], len(graph.cluster_sizes)).places(home, away)


def link_negatives(graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The stated negatives by link: where each link's begin; their ends in cluster `a`, and in `b`."""
    edges, keys = _negatives_across(graph)
    x, y = graph.ends(edges[np.argsort(keys, kind="stable")])
    swap = graph.cluster_of[x] > graph.cluster_of[y]
    return np.append(0, np.cumsum(graph.links.count)), np.where(swap, y, x), np.where(swap, x, y)


def summary(graph) -> pd.Series:
    """The graph in counts.

    Rows in the file, skipped and kept (without those generated from others), and what they make: sentences, stated
    pairs, clusters, conflicts.
    """

    def count(flags: np.ndarray) -> int:
        return int(np.count_nonzero(flags))

    edges = len(graph.edge_sign)
    positive = count(graph.edge_sign > 0)
    read = {}
    if "rows" in graph.report:
        read["rows in the file"] = graph.report["rows"]
        read["rows skipped"] = graph.report["rows"] - graph.report["kept"]
    return pd.Series(
        read
        | {
            "rows kept": graph.n_rows,
            "rows that pair a sentence with itself": count(itself := graph.row_a == graph.row_b),
            "of these labelled 0": count(itself & (graph.row_sign < 0)),
            "rows without a label": count(~graph.row_labelled),
            "rows that repeat a pair": count((graph.row_edge >= 0) & graph.row_labelled) - edges,
            "spellings merged into a sentence seen before": graph.merged,
            "sentences": graph.n,
            "stated pairs": edges,
            "positive": positive,
            "negative": edges - positive,
            "clusters": count(graph.cluster_sizes > 1),
            "single sentences": count(graph.cluster_sizes == 1),
            "largest cluster": int(graph.cluster_sizes.max(initial=0)),
            "conflicts": count(graph.conflicting),
            "negatives inside a cluster (within-conflicts)": count(graph.negatives_inside),
            "pairs stated both ways (direct contradictions)": count(graph.labelled_twice),
            **_differences(graph),
            "negatives between clusters": int(graph.links.count.sum()),
        },
        name="count",
    )


def _differences(graph) -> dict[str, int]:
    """The pairs on which annotators differ, and the ties among them, where rows name several annotators."""
    if graph.annotators is None:
        return {}
    differ = graph.annotators_differ
    tied = differ & (graph.edge_n_positive == graph.edge_n_negative)
    return {"pairs on which annotators differ": int(differ.sum()), "of these ties": int(tied.sum())}
