"""The order in which to decide conflicts: by the labels that a decision is expected to correct, or another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..graph.paths import disjoint_paths, shortest_paths
from ..measure.logistic import sigmoid
from ..pairs import PairsError
from ..repairs.what_if import Decided

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
    """Conflicts, as edges of the graph, in the order in which to decide them; ties in the order of the data.

    Orders
    ------
    effect
        By the number of wrong labels, stated or inferred, that a right decision is expected to remove. A flip removes
        one, a cut all positives between the two sides, and none where another path still joins them; each positive of
        a shortest path is taken to be as likely wrong as the others.
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
    paths = list(shortest_paths(graph, a, b))
    count, length = disjoint_paths(graph, a, b), np.array([len(path) - 1.0 for path in paths])
    if p_flip is None:
        log_odds = count * np.log(length) + (count - 1) * np.log(ERROR_RATE / (1 - ERROR_RATE))
        found = sigmoid(-log_odds)
    else:
        found = p_flip[edges].astype(float)
    # Only where a single path joins the two does a single cut part them.
    single = np.flatnonzero(count == 1)
    for i in single[np.argsort(graph.cluster_of[a[single]], kind="stable")].tolist():  # a cluster is looked at once
        cluster, path = int(graph.cluster_of[a[i]]), decided.path_edges(paths[i])
        found[i] += (1 - found[i]) * np.mean([decided.removed(cluster, edge) for edge in path])
    return found
