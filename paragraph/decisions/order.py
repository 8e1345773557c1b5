"""The order in which to decide conflicts."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..graph.bridges import bridges
from ..graph.distance import shortest_paths

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["effects", "in_order"]


def in_order(graph: ParaphraseGraph, edges: np.ndarray, within: np.ndarray) -> list[int]:
    """Contradictions, as edges of the graph, those first that remove most; ties in the order of the data.

    `within` flags the negatives inside a cluster. Where the rows of a pair contradict each other, one label is wrong.
    """
    most = np.ones(len(edges))
    most[within[edges]] = effects(graph, edges[within[edges]])
    return edges[np.argsort(-most, kind="stable")].tolist()


def effects(graph: ParaphraseGraph, edges: np.ndarray) -> np.ndarray:
    """The number of wrong labels, stated or inferred, that a right decision on each conflict is expected to remove.

    One label of its cycle is wrong: the negative, or a positive of a shortest path, each as likely as the others. A
    flip removes one wrong label. A cut removes all positives between the two sides, and none where another path still
    joins them.
    """
    homes = np.unique(graph.edge_clusters[0][edges])
    part, _ = graph.of_clusters(homes)
    conflicts, positive = np.flatnonzero(part.within), np.flatnonzero(part.edge_sign > 0)
    paths = list(shortest_paths(part, *part.ends(conflicts)))
    length = np.array([len(path) - 1 for path in paths], dtype=np.int64)
    steps = np.array([step for path in paths for step in pairwise(path)], dtype=np.int64).reshape(-1, 2)
    steps = part.edge_index.places(*steps.T)
    # A cut of a bridge parts all pairs across it, of which conflicts are no positives; one of another parts none.
    bridge, below = bridges(part.n, *part.ends(positive))
    bridge, removed = positive[bridge], np.zeros(len(part.edge_a))
    size = part.cluster_sizes[part.cluster_of[part.edge_a[bridge]]]
    removed[bridge] = below * (size - below) - np.bincount(steps, minlength=len(removed))[bridge]
    by_cuts = np.bincount(np.repeat(np.arange(len(paths)), length), removed[steps], len(paths))
    in_order = np.isin(graph.edge_clusters[0], homes) & graph.within  # the part keeps it
    return ((1 + by_cuts) / (1 + length))[np.cumsum(in_order)[edges] - 1]
