"""Flip or cut: the easiest cut between the sentences of a conflict, and what its two sides say of the negative."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.arrays import group
from ..measure.weights import Weights

__all__ = ["COLUMNS", "flip_or_cut", "sides"]

#: What `sides` says of each conflict.
COLUMNS = {
    "negative": "evidence that the two sentences of the negative are a paraphrase, its label aside",
    "cut": "the same of the positives between the two sides, on average",
    "edges": "log of the number of those positives, less that of the negatives between the two sides",
    "inside": "the same of the positives within the sides, on average",
    "inside_least": "the same of the weakest positive within a side",
}
#: Capacities are whole numbers: so many to one unit of log-odds.
UNIT = 100
#: What a positive costs to cut, at least, however strongly the evidence speaks against it: of two cuts the smaller.
LEAST = 0.05
#: Log-odds that a label adds to the evidence when the cut is chosen: an error rate of 5 %.
LABEL = float(np.log(19))


def sides(graph: ParaphraseGraph, evidence: np.ndarray, edges: np.ndarray | None = None) -> pd.DataFrame:
    """For each conflict (negative inside a cluster) the easiest cut between its ends, and the columns of `COLUMNS`.

    The cut is a minimum cut of the cluster's positives, each at the cost of its log-odds by evidence and label (a
    softplus of them, which is never negative). Sums over all paths would count a mistake once for each path that
    repeats it: in real data wrong positives come together ("… in Italy / in Portugal / in Germany …"). So the columns
    are averages, put beside how certain the evidence is of the other positives *of the same cluster*: where
    sentences are alike but for one word, evidence is high for all of them, and only the contrast tells.

    Parameters
    ----------
    evidence : float array, one entry an edge
        Log-odds of a paraphrase by evidence other than labels (`evidence.evidence_log_odds`).
    edges : integer array, optional
        The conflicts, as edges of the graph. Default: all.

    Returns
    -------
    DataFrame
        One row a conflict: `edge`; the columns of `COLUMNS` (missing where nothing is left inside); `positives`,
        the edges of the cut.

    Notes
    -----
    A maximum flow for each conflict, O(V² E) at worst in the cluster; milliseconds for a hundred sentences.

    Examples
    --------
    >>> rows = [("a", "b", 1), ("b", "c", 1), ("c", "a", 1), ("c", "d", 1), ("a", "d", 0)]
    >>> graph = ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    >>> sides(graph, np.array([2.0, 2.0, 1.0, -1.0, -2.0])).drop(columns="inside").values.tolist()
    [[4, -2.0, -1.0, 0.0, 1.0, [3]]]
    """
    from scipy.sparse import csr_array, csr_matrix
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow

    conflicts = np.flatnonzero(graph.within)
    wanted = conflicts if edges is None else np.asarray(edges)
    home = graph.cluster_of[graph.edge_a]
    positive = np.flatnonzero(graph.edge_sign > 0)
    starts, members = group(home[positive], len(graph.cluster_sizes), positive)
    begins, others = group(home[conflicts], len(graph.cluster_sizes), conflicts)
    first, _ = graph.cluster_members
    rows = []
    for edge in wanted.tolist():
        cluster = home[edge]
        inner = members[starts[cluster] : starts[cluster + 1]]
        n = int(graph.cluster_sizes[cluster])
        a, b = (graph.places[ends[inner]] - first[cluster] for ends in (graph.edge_a, graph.edge_b))
        u, v = (int(graph.places[ends[edge]] - first[cluster]) for ends in (graph.edge_a, graph.edge_b))
        cost = np.maximum(np.logaddexp(0, np.clip(evidence[inner] + LABEL, -30, 30)), LEAST)
        whole = np.round(np.concatenate([cost, cost]) * UNIT).astype(np.int32)
        capacity = csr_matrix((whole, (np.concatenate([a, b]), np.concatenate([b, a]))), shape=(n, n))
        left = csr_array(capacity - maximum_flow(capacity, u, v).flow)
        left.data = np.maximum(left.data, 0)
        left.eliminate_zeros()
        side = np.zeros(n, dtype=bool)
        side[breadth_first_order(left, u, return_predecessors=False)] = True
        across = side[a] != side[b]
        against = others[begins[cluster] : begins[cluster + 1]]
        x, y = (side[graph.places[ends[against]] - first[cluster]] for ends in (graph.edge_a, graph.edge_b))
        rows.append(
            {
                "edge": edge,
                "negative": evidence[edge],
                "cut": evidence[inner[across]].mean(),
                "edges": np.log(np.count_nonzero(across) / np.count_nonzero(x != y)),
                "inside": evidence[inner[~across]].mean() if not across.all() else np.nan,
                "inside_least": evidence[inner[~across]].min() if not across.all() else np.nan,
                "positives": inner[across].tolist(),
            }
        )
    return pd.DataFrame(rows, columns=["edge", *COLUMNS, "positives"])


def flip_or_cut(
    graph: ParaphraseGraph,
    evidence: np.ndarray,
    weights: Weights | None = None,
    model: bool = False,
    edges: np.ndarray | None = None,
) -> pd.DataFrame:
    """`sides`, and `log_odds` (natural) that the negative's label is wrong (flip) rather than a positive's (cut).

    Parameters
    ----------
    weights : Weights, optional
        By default those shipped, fitted on conflicts planted in one half of a large corpus: positives on cycles
        turned negative, against one to eight wrong positives put between clusters that a negative keeps apart.
    model : bool
        Whether a model's opinion is part of the evidence; says which shipped weights to take.

    Notes
    -----
    Flip and cut are taken to be equally frequent beforehand, as they are among the 88 conflicts that Chen, Ji and
    Evans (2020) list.
    """
    found = sides(graph, evidence, edges)
    weights = weights or Weights.shipped("sides+model" if model else "sides")
    return found.assign(log_odds=weights.log_odds(found))
