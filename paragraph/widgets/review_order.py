"""In which order to decide conflicts: where a decision is expected to put most labels right, or other orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..pairs import PairsError
from ..paths import disjoint_paths
from .review_effects import Decided

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["ORDERS", "ordered"]

ORDERS = ("effect", "margin", "size", "random")
ERROR_RATE = 0.05  # of a label, where nothing is known of it


def ordered(
    graph: ParaphraseGraph,
    edges: np.ndarray,
    order: str = "effect",
    seed: int = 0,
    p_flip: np.ndarray | None = None,
) -> list[int]:
    """Conflicts, as edges of the graph, in the order in which to decide them; equals as the data have them.

    Orders
    ------
    effect
        By the number of wrong labels, stated or inferred, that a right decision is expected to remove. A flip removes
        one, a cut all positives between the two sides, and none where another path still joins them.
    margin
        The surest proposals first: by how far `p_flip` is from one half.
    size
        Those of the largest clusters first.
    random
        Shuffled by `seed`.

    Parameters
    ----------
    p_flip : float array, optional
        Probability of each edge of the graph to be truly positive. Without it: every label errs alone, 5 times in
        100, so that with k paths of length l the odds of cut against flip are l^k · (.05 / .95)^(k − 1).
    """
    if order not in ORDERS:
        raise PairsError(f"order {order!r} is not one of {', '.join(ORDERS)}")
    edges = np.asarray(edges, dtype=np.int64)
    if order == "random":
        return np.random.default_rng(seed).permutation(edges).tolist()
    if order == "size":
        sizes = graph.cluster_sizes[graph.cluster_of[graph.edge_a[edges]]]
        return edges[np.argsort(-sizes, kind="stable")].tolist()
    if order == "margin":
        if p_flip is None:
            raise PairsError("the order by margin needs a proposal for each conflict")
        return edges[np.argsort(-np.abs(p_flip[edges] - 0.5), kind="stable")].tolist()
    return edges[np.argsort(-_effect(graph, edges, p_flip), kind="stable")].tolist()


def _effect(graph: ParaphraseGraph, edges: np.ndarray, p_flip: np.ndarray | None) -> np.ndarray:
    decided = Decided(graph)
    a, b = graph.edge_a[edges], graph.edge_b[edges]
    paths = disjoint_paths(graph, a, b)
    found = np.empty(len(edges))
    for i in np.argsort(graph.cluster_of[a], kind="stable").tolist():  # so that each cluster is looked at once
        path = decided.path(int(a[i]), int(b[i]))
        if p_flip is None:
            odds = (len(path) - 1.0) ** paths[i] * (ERROR_RATE / (1 - ERROR_RATE)) ** (paths[i] - 1)
            flip = 1 / (1 + odds)
        else:
            flip = p_flip[edges[i]]
        found[i] = flip
        if paths[i] == 1:
            cluster = int(graph.cluster_of[a[i]])
            found[i] += (1 - flip) * np.mean([decided.removed(cluster, edge) for edge in decided.path_edges(path)])
    return found
