"""The best way to cut a conflict, and what cutting does to its cluster."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..balance.blocks import blocks
from ..balance.frustration_index import multicut
from ..graph import ParaphraseGraph
from ..graph.arrays import connected, group
from .posterior import Posterior

__all__ = ["Cuts", "Effect"]

#: Seconds for the proof that a cut is the best.
PATIENCE = 5.0


class Effect(NamedTuple):
    """What cutting some positives does to a cluster."""

    parts: list[int]  #: sentences of each cluster it falls into, largest first
    positive: int  #: change in the number of inferred positive labels
    negative: int  #: change in the number of inferred negative labels (rule "all")
    settles: int  #: negatives inside the cluster that end up between two


class Cuts:
    """Cuts of the conflicts of a graph; what they share is prepared once.

    Examples
    --------
    >>> import pandas as pd
    >>> from .posterior import posterior
    >>> rows = [("a", "b", 1), ("b", "c", 1), ("c", "d", 1), ("d", "b", 1), ("a", "c", 0)]
    >>> graph = ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    >>> cuts = Cuts(posterior(graph))
    >>> cuts.best(4), cuts.effect(0, cuts.best(4))
    (array([0]), Effect(parts=[3, 1], positive=-1, negative=2, settles=1))
    """

    def __init__(self, posterior: Posterior):
        self.posterior, self.graph = posterior, posterior.graph
        home_a, home_b = self.graph.edge_clusters
        within = np.flatnonzero(home_a == home_b)
        self._inside = group(home_a[within], len(self.graph.cluster_sizes), within)
        out = np.flatnonzero(home_a != home_b)  # only negatives lead out of a cluster
        ends = np.concatenate([home_a[out], home_b[out]])
        self._outside = group(ends, len(self.graph.cluster_sizes), np.concatenate([out, out]))

    def suspects(self, edge: int) -> np.ndarray:
        """The positives on any simple path between the ends of a conflict, the most probably wrong first."""
        inside = self._within_block(edge)
        edges = np.append(inside[self.graph.edge_sign[inside] > 0], edge)
        n, a, b = _renumbered(self.graph, edges)
        block = blocks(n, a, b)
        paths = edges[:-1][block[:-1] == block[-1]]
        return paths[np.argsort(self.posterior.log_odds[paths], kind="stable")]

    def best(self, edge: int) -> np.ndarray:
        """The positives to change if the negative of a conflict is right, the most probably wrong first.

        In the most probable labelling of the cluster that keeps the two sentences apart, these stand between the
        camp of one of them and all that would still be joined to the other.
        """
        edges = self._within_block(edge)
        n, a, b = _renumbered(self.graph, edges)
        given, stated = self.posterior.given[edges], self.graph.edge_sign[edges]
        sign, weight = np.where(given == 0, stated, np.sign(given)).astype(np.int8), np.abs(given)
        at = int(np.flatnonzero(edges == edge)[0])
        sign[at], weight[at] = -1, weight.sum() + 1
        camps = multicut(n, a, b, sign, weight, PATIENCE).camps
        borders = [_border(n, a, b, stated > 0, camps == camps[u], v) for u, v in ((a[at], b[at]), (b[at], a[at]))]
        cut = edges[min(borders, key=lambda border: (given[border].sum(), len(border)))]
        return cut[np.argsort(self.posterior.log_odds[cut], kind="stable")]

    def effect(self, cluster: int, cut: np.ndarray) -> Effect:
        """What is left of a cluster without some of its positives, by arithmetic on the parts."""
        graph = self.graph
        members = graph.members(cluster)
        inside, out = (
            table[starts[cluster] : starts[cluster + 1]] for starts, table in (self._inside, self._outside)
        )
        inside = inside[~np.isin(inside, cut)]
        a, b = (np.searchsorted(members, ends[inside]) for ends in (graph.edge_a, graph.edge_b))
        positive = graph.edge_sign[inside] > 0
        part = connected(len(members), a[positive], b[positive])
        size = np.bincount(part)
        together = part[a] == part[b]
        mine = graph.cluster_of[graph.edge_a[out]] == cluster
        here = part[np.searchsorted(members, np.where(mine, graph.edge_a[out], graph.edge_b[out]))]
        there = graph.cluster_of[np.where(mine, graph.edge_b[out], graph.edge_a[out])]

        def pairs(x: np.ndarray) -> int:
            return int((x * (x - 1) // 2).sum())

        before = pairs(np.array([len(members)])) - len(inside) - len(cut)
        after = pairs(size) - int(together.sum())
        ends = np.sort(np.stack([part[a], part[b]], axis=1)[~together], axis=1)
        between = np.unique(ends, axis=0)
        links = np.unique(np.stack([here, there], axis=1), axis=0)
        beyond = graph.cluster_sizes[links[:, 1]]
        gained = int((size[between[:, 0]] * size[between[:, 1]]).sum()) - len(ends)
        gained += int((size[links[:, 0]] * beyond).sum())
        gained -= len(members) * int(graph.cluster_sizes[np.unique(there)].sum())
        return Effect(sorted(size.tolist(), reverse=True), after - before, gained, int((~together).sum()))

    def _within_block(self, edge: int) -> np.ndarray:
        """The edges of a conflict's block that lie in its cluster."""
        starts, inside = self._inside
        cluster = self.graph.cluster_of[self.graph.edge_a[edge]]
        edges = inside[starts[cluster] : starts[cluster + 1]]
        return edges[self.posterior.block[edges] == self.posterior.block[edge]]


def _renumbered(graph: ParaphraseGraph, edges: np.ndarray) -> tuple[int, np.ndarray, np.ndarray]:
    nodes, ends = np.unique([graph.edge_a[edges], graph.edge_b[edges]], return_inverse=True)
    return len(nodes), *ends.reshape(2, -1)


def _border(n: int, a: np.ndarray, b: np.ndarray, positive: np.ndarray, camp: np.ndarray, other: int) -> np.ndarray:
    """The positives between a camp and what the others join to a node outside it."""
    outside = positive & ~camp[a] & ~camp[b]
    part = connected(n, a[outside], b[outside])
    reached = part == part[other]
    return np.flatnonzero(positive & ((camp[a] & reached[b]) | (camp[b] & reached[a])))
