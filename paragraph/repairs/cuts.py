"""Which positives stand between the two sentences of a conflict, and which of them to cut."""

from __future__ import annotations

import numpy as np

from ..balance.blocks import blocks
from ..balance.frustration_index import multicut
from ..graph import ParaphraseGraph
from ..graph.arrays import connected
from .posterior import Posterior

__all__ = ["best_cut", "on_paths"]

#: Seconds for the proof that a cut is the best.
PATIENCE = 5.0


def on_paths(found: Posterior, edge: int, edges: np.ndarray) -> np.ndarray:
    """The positives on any simple path between the ends of a conflict, the most probably wrong first.

    `edges` are those of its block that lie in its cluster.
    """
    edges = np.append(edges[found.graph.edge_sign[edges] > 0], edge)
    block = blocks(*_renumbered(found.graph, edges))
    paths = edges[:-1][block[:-1] == block[-1]]
    return paths[np.argsort(found.log_odds[paths], kind="stable")]


def best_cut(found: Posterior, edge: int, edges: np.ndarray) -> np.ndarray:
    """The positives to change if the negative of a conflict is right, the most probably wrong first.

    In the most probable labelling of the cluster that keeps the two sentences apart, these stand between the
    camp of one of them and all that would still be joined to the other. `edges` as in `on_paths`.

    Examples
    --------
    >>> import pandas as pd
    >>> from .posterior import posterior
    >>> rows = [("a", "b", 1), ("b", "c", 1), ("c", "d", 1), ("d", "b", 1), ("a", "c", 0)]
    >>> graph = ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    >>> best_cut(posterior(graph), 4, np.arange(5))
    array([0])
    """
    n, a, b = _renumbered(found.graph, edges)
    given, stated = found.given[edges], found.graph.edge_sign[edges]
    sign, weight = np.where(given == 0, stated, np.sign(given)).astype(np.int8), np.abs(given)
    at = int(np.flatnonzero(edges == edge)[0])
    sign[at], weight[at] = -1, weight.sum() + 1
    camps = multicut(n, a, b, sign, weight, PATIENCE).camps
    borders = [_border(n, a, b, stated > 0, camps == camps[u], v) for u, v in ((a[at], b[at]), (b[at], a[at]))]
    cut = edges[min(borders, key=lambda border: (given[border].sum(), len(border)))]
    return cut[np.argsort(found.log_odds[cut], kind="stable")]


def _renumbered(graph: ParaphraseGraph, edges: np.ndarray) -> tuple[int, np.ndarray, np.ndarray]:
    nodes, ends = np.unique([graph.edge_a[edges], graph.edge_b[edges]], return_inverse=True)
    return len(nodes), *ends.reshape(2, -1)


def _border(n: int, a: np.ndarray, b: np.ndarray, positive: np.ndarray, camp: np.ndarray, other: int) -> np.ndarray:
    """The positives between a camp and what the others join to a node outside it."""
    outside = positive & ~camp[a] & ~camp[b]
    part = connected(n, a[outside], b[outside])
    reached = part == part[other]
    return np.flatnonzero(positive & ((camp[a] & reached[b]) | (camp[b] & reached[a])))
