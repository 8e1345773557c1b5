"""Tables of a graph: its counts and its clusters."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..files.errors import check_int
from .arrays import Array
from .bridges import blocks
from .distance import carrying, check_rule
from .paths import in_parts, path_lengths

__all__ = ["WALKED", "central_sentences", "cluster_table", "summary"]

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
    a, b, count = graph.links
    pairs_inside = size * (size - 1) // 2
    positive = np.bincount(home[graph.edge_sign > 0], minlength=k)
    follow = pairs_inside - graph.stated_inside
    larger = size[a]
    smaller = size[b]
    carried = larger * smaller - count
    carried[~carrying(larger, smaller, negatives)] = 0
    if graph.bipartite:
        follow[:] = 0
        carried[:] = 0
    table = pd.DataFrame({"cluster": np.arange(k), "size": size})
    table["stated_positive"] = positive
    table["stated_negative"] = _at_both_ends(graph, count)
    table["inferred_positive"] = follow
    table["inferred_negative"] = _at_both_ends(graph, carried)
    table["conflicts"] = np.bincount(home[graph.conflicting], minlength=k)
    table["density"] = positive / np.maximum(pairs_inside, 1)
    table["neighbours"] = graph.cluster_degree
    table = table.head(np.count_nonzero(size >= min_size))  # ids go by size
    if diameter:
        table["diameter"] = _diameters(graph, len(table))
    if bridges:
        table["bridges"] = _bridges(graph, len(table))
    names = graph.texts(central_sentences(graph, len(table)))
    return table.assign(example=pd.Series(names, dtype="str"))


def _at_both_ends(graph, amount: Array) -> Array:
    """Sum an amount of each link over the links of each cluster."""
    a, b, _ = graph.links
    k = len(graph.cluster_sizes)
    total = np.bincount(a, amount, k) + np.bincount(b, amount, k)
    return total.astype(np.int64)


def _diameters(graph, k: int) -> pd.Series:
    starts, nodes = graph.cluster_members
    result = np.full(k, -1, dtype=np.int64)
    small = int(np.count_nonzero(graph.cluster_sizes[:k] > LARGE))  # ids go by size
    nodes = nodes[starts[small] : starts[k]]
    home = graph.cluster_of[nodes]
    for part in in_parts(graph.cluster_sizes[home]):
        begins, lengths = path_lengths(graph, nodes[part])
        farthest = np.maximum.reduceat(lengths, begins[:-1])
        np.maximum.at(result, home[part], farthest)
    return pd.Series(result, dtype="Int64").mask(result < 0)


def _bridges(graph, k: int) -> pd.Series:
    home = graph.edge_clusters[0]
    sizes = graph.cluster_sizes
    small = sizes[home] <= LARGE
    edges = np.flatnonzero(small & (graph.edge_sign > 0))
    block = blocks(graph.n, *graph.ends(edges))
    count = np.bincount(home[edges[block < 0]], minlength=k)
    result = pd.Series(count[:k], dtype="Int64")
    return result.mask(sizes[:k] > LARGE)


def central_sentences(graph, n: int | None = None, first: int = 0) -> Array:
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
    stop = None if n is None else first + n
    sizes = graph.cluster_sizes[first:stop]
    begins = starts[first : first + len(sizes) + 1]
    members = nodes[begins[0] : begins[-1]]
    far = -graph.degree[members]
    large = int(np.count_nonzero(sizes > WALKED))  # they come first: ids go by size
    small = members[begins[large] - begins[0] :]
    size = graph.cluster_sizes[graph.cluster_of[small]]
    far_of_small = far[len(members) - len(small) :]
    for part in in_parts(size):
        rows, lengths = path_lengths(graph, small[part])
        total = np.add.reduceat(lengths, rows[:-1], dtype=np.int64)
        far_of_small[part] += total * size[part]
    order = np.lexsort((far, graph.cluster_of[members]))
    return members[order[begins[:-1] - begins[0]]]


def summary(graph) -> pd.Series:
    """The graph in counts.

    Rows in the file, skipped and kept, and what they make: sentences, stated
    pairs, clusters, conflicts.
    """

    counts = {}
    if "rows" in graph.report:
        counts["rows in the file"] = graph.report["rows"]
        counts["rows skipped"] = graph.report["rows"] - graph.report["kept"]
    edges = len(graph.edge_sign)
    itself = graph.row_a == graph.row_b
    counts["rows kept"] = graph.n_rows
    counts["rows that pair a sentence with itself"] = itself.sum()
    counts["of these labelled 0"] = (graph.row_sign[itself] < 0).sum()
    counts["rows without a label"] = (~graph.row_labelled).sum()
    behind_edges = graph.row_labelled & (graph.row_edge >= 0)
    counts["rows that repeat a pair"] = behind_edges.sum() - edges
    counts["spellings merged into a sentence seen before"] = graph.merged
    counts["sentences"] = graph.n
    counts["stated pairs"] = edges
    counts["positive"] = (graph.edge_sign > 0).sum()
    counts["negative"] = edges - counts["positive"]
    counts["clusters"] = (graph.cluster_sizes > 1).sum()
    counts["single sentences"] = (graph.cluster_sizes == 1).sum()
    counts["largest cluster"] = graph.cluster_sizes.max(initial=0)
    counts["conflicts"] = graph.conflicting.sum()
    counts["negatives inside a cluster (within-conflicts)"] = graph.negatives_inside.sum()
    counts["pairs stated both ways (direct contradictions)"] = graph.labelled_twice.sum()
    if graph.annotators is not None:
        differ = graph.annotators_differ
        ties = differ & (graph.edge_n_positive == graph.edge_n_negative)
        counts["pairs on which annotators differ"] = differ.sum()
        counts["of these ties"] = ties.sum()
    counts["negatives between clusters"] = graph.links.count.sum()
    return pd.Series(counts, dtype=np.int64, name="count")
