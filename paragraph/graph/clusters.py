"""Tables of a graph: its counts and its clusters."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..files.errors import check_int
from ..words.tokens import stems
from .arrays import Array
from .distance import carrying, check_rule

__all__ = ["central_sentences", "cluster_table", "placeholders", "summary"]

# A placeholder stands in at least so many pairs, and in at least this share of all pairs.
LEAST_PAIRS = 5
LEAST_SHARE = 0.02
# So many sentences are examined, those in the most pairs, and so many pairs of each.
MOST_SENTENCES = 20
MOST_PAIRS = 200


def cluster_table(
    graph,
    min_size: int = 2,
    negatives: str = "all",
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
    example
        Its best connected sentence (`central_sentences`), which names it everywhere.

    Examples
    --------
    >>> from paragraph import DEMO, ParaphraseGraph, read_pairs
    >>> table = ParaphraseGraph.from_pairs(read_pairs(DEMO)).clusters()
    >>> bool(table["density"].between(0, 1).all())
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
    inferred_positive = pairs_inside - graph.stated_inside
    larger = size[a]
    smaller = size[b]
    inferred_negative = larger * smaller - count
    carries = carrying(larger, smaller, negatives)
    inferred_negative[~carries] = 0
    if graph.bipartite:
        inferred_positive[:] = 0
        inferred_negative[:] = 0
    table = pd.DataFrame({"cluster": np.arange(k), "size": size})
    table["stated_positive"] = positive
    table["stated_negative"] = _sum_by_cluster(graph, count)
    table["inferred_positive"] = inferred_positive
    table["inferred_negative"] = _sum_by_cluster(graph, inferred_negative)
    table["conflicts"] = np.bincount(home[graph.conflicting], minlength=k)
    table["density"] = positive / np.maximum(pairs_inside, 1)
    table["neighbours"] = graph.cluster_degree
    table = table.head(np.count_nonzero(size >= min_size))  # ids go by size
    names = graph.texts(graph.central_sentences[: len(table)])
    return table.assign(example=pd.Series(names, dtype="str"))


def _sum_by_cluster(graph, amount: Array) -> Array:
    """Sum the amounts of all links of each cluster; a link counts at both of its clusters."""
    a, b, _ = graph.links
    k = len(graph.cluster_sizes)
    total = np.bincount(a, amount, k) + np.bincount(b, amount, k)
    return total.astype(np.int64)


def central_sentences(graph) -> Array:
    """The best connected sentence of each cluster: that with the most positive pairs, the first among equals."""
    starts, nodes = graph.cluster_members
    order = np.lexsort((-graph.degree[nodes], graph.cluster_of[nodes]))
    return nodes[order[starts[:-1]]]


def summary(graph) -> pd.Series:
    """The graph in counts: rows of the file, sentences, stated pairs, clusters, conflicts."""
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


def placeholders(graph) -> list[tuple[str, int]]:
    """Find sentences in many pairs that share no word with any partner sentence.

    A sentence is returned with the number of its pairs. Many are at least five, and at least 2 % of
    all pairs. Only the twenty sentences in the most pairs are examined, in at most 200 pairs each.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["NS"] * 5, "text_b": ["Hi!", "Why?", "How so?", "Go!", "No."], "label": 0})
    >>> placeholders(pg.ParaphraseGraph.from_pairs(pairs))
    [('NS', 5)]
    """
    ends = np.append(graph.edge_a, graph.edge_b)
    others = np.append(graph.edge_b, graph.edge_a)
    count = np.bincount(ends, minlength=graph.n)
    candidates = np.argsort(-count, kind="stable")[:MOST_SENTENCES]
    least = max(LEAST_PAIRS, LEAST_SHARE * len(graph.edge_sign))
    sentences = []
    for node in candidates[count[candidates] >= least].tolist():
        text = graph.text(node)
        words = stems(text)
        partners = graph.texts(others[ends == node][:MOST_PAIRS])
        if all(words.isdisjoint(stems(partner)) for partner in partners):
            sentences.append((text, int(count[node])))
    return sentences
