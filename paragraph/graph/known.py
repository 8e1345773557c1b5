"""Labels that a graph states or implies, counted and looked up without listing a closure."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .arrays import Array
from .closure import infer
from .core import ParaphraseGraph
from .distance import RULES, carrying

__all__ = ["known_labels", "summary_with_inferred"]


def summary_with_inferred(graph: ParaphraseGraph) -> pd.Series:
    """A graph in counts (`clusters.summary`), with the number of labels that follow by either rule for negatives."""
    counts = graph.summary()
    if graph.bipartite:
        return counts
    for rule in RULES:
        found = infer(graph, negatives=rule).counts()
        counts["inferred positive"] = found["positive"]  # by either rule
        counts[f"inferred negative (rule {rule!r})"] = found["negative"]
    return counts


def known_labels(
    graph: ParaphraseGraph, a: Array, b: Array, negatives: str = "all"
) -> tuple[Array, Array]:
    """Return the graph's labels of pairs of nodes (1, 0, or -1 if nothing follows), and whether they are stated.

    Inferred labels are those of `infer` without a limit. A stated label takes precedence.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c", "x"], "text_b": ["b", "c", "x", "y"], "label": [1, 1, 0, 0]})
    >>> graph = ParaphraseGraph.from_pairs(pairs)  # a b c are one cluster, x and y stand alone
    >>> known, stated = known_labels(graph, np.array([0, 0, 0, 0]), np.array([1, 2, 3, 4]))
    >>> known.tolist(), stated.tolist()
    ([1, 1, 0, -1], [True, False, False, False])
    """
    edge = graph.edge_index.places(a, b)
    known = np.full(len(edge), -1, dtype=np.int8)
    stated = edge >= 0
    if not graph.bipartite:
        home = graph.cluster_of[a]
        away = graph.cluster_of[b]
        carried = carrying(graph.cluster_sizes[home], graph.cluster_sizes[away], negatives)
        known[carried & (graph.links_between(home, away) >= 0)] = 0
        known[home == away] = 1
    known[stated] = graph.edge_sign[edge[stated]] > 0
    return known, stated
