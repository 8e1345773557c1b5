"""Cuts of a conflict: the positives that are wrong if its negative is right."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..graph import ParaphraseGraph
from ..graph.arrays import Array
from ..graph.bridges import blocks
from ..graph.paths import shortest_paths

__all__ = ["CERTAIN", "DECIDED", "Cuts"]

#: The log-odds of a label that a person found right: a cut contains it only if every cut contains such a label.
CERTAIN = -np.inf
#: The log-odds of a pair that a person has decided: stronger than any label, yet not beyond all doubt.
DECIDED = 12.0
#: Capacities are whole numbers: so many for a cost of 1.
UNIT = 100
#: The least and the greatest cost of a positive: of two equal cuts, the smaller one is chosen, and sums stay small.
CHEAPEST = 0.05
DEAREST = 20.0
#: The greatest capacity: the sum of two must fit into 32 bits.
LARGEST = 2**30 - 1
#: The cost of a positive that is certain.
FORBIDDEN = 1000.0


class Cuts:
    """Minimum cuts between the two sentences of each conflict (a negative inside a cluster).

    If the negative is right, each path of positives between its sentences holds a wrong one. A shortest path has few
    positives. For each of them there is one cut: the cheapest that removes this positive and no other of the path.

    Parameters
    ----------
    graph : ParaphraseGraph
    wrong : float array, one entry per edge
        Log-odds that each label is wrong, by itself; `CERTAIN` for a label that a person found right.

    Notes
    -----
    A positive costs softplus(−wrong), a cut the sum over its positives, and P(cut) ∝ exp(−cost). One maximum flow for
    each positive of a path that is not a bridge, within its block: O(V² E) at worst, a millisecond in a block of a
    hundred sentences.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("a", "b", 1), ("b", "c", 1), ("c", "a", 1), ("c", "d", 1), ("a", "d", 0)]
    >>> graph = ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    >>> cuts = Cuts(graph, np.full(5, -3.0))
    >>> cuts.of(4), cuts.probabilities(4).round(2)
    ([array([0, 2]), array([3])], array([0.05, 0.95]))
    """

    def __init__(self, graph: ParaphraseGraph, wrong: Array):
        self.graph = graph
        self.wrong = wrong
        self.conflicts = np.flatnonzero(graph.negatives_inside)
        self._cuts: dict[int, list[Array]] = {}

    def walk(self, conflicts: Array) -> None:
        """Find the cuts of many conflicts, whose shortest paths take less time at once than one by one."""
        new = [conflict for conflict in conflicts.tolist() if conflict not in self._cuts]
        paths = shortest_paths(self.graph, *self.graph.ends(new))
        for conflict, path in zip(new, paths, strict=True):
            self._cuts[conflict] = self._along(np.array(path))

    def of(self, conflict: int) -> list[Array]:
        """The cuts of a conflict, one for each step of a shortest path: the positives that each removes."""
        self.walk(np.array([conflict]))
        return self._cuts[conflict]

    def _along(self, path: Array) -> list[Array]:
        """The cuts for the steps of a path, given by its nodes."""
        steps = self.graph.edge_index.places(path[:-1], path[1:])
        blocks = self._block[steps]
        cuts = []
        for step, block in zip(steps, blocks, strict=True):
            if block < 0:  # a bridge alone is a cut
                cuts.append(np.array([step]))
                continue
            # A path enters and leaves a block once, so its steps there follow each other.
            places = np.flatnonzero(blocks == block)
            ends = path[[places[0], places[-1] + 1]]
            inside = steps[places]
            others = inside[inside != step]
            edges = np.flatnonzero(self._block == block)
            cuts.append(self._cheapest(edges, ends, others))
        return cuts

    def probabilities(self, conflict: int, apart: bool = True) -> Array:
        """The probability of each cut of a conflict, if its negative is right: they sum to 1.

        Positives on one cut err `apart`, or else all together: then their mean log-odds count, not the sum of their
        costs.
        """
        cuts = self.of(conflict)
        if apart:
            log_odds = [-self._costs[cut].sum() for cut in cuts]
        else:
            log_odds = [self.wrong[cut].clip(-FORBIDDEN).mean() for cut in cuts]
        # only differences count, and the greatest must not overflow
        below_best = np.array(log_odds) - max(log_odds)
        odds = np.exp(below_best)
        return odds / odds.sum()

    def shares(self, conflict: int, apart: bool = True) -> tuple[Array, Array]:
        """The positives on cuts of a conflict, and the probability that each is wrong, if the negative is right."""
        cuts = self.of(conflict)
        edges, place = np.unique(np.concatenate(cuts), return_inverse=True)
        p = np.repeat(self.probabilities(conflict, apart), [*map(len, cuts)])
        return edges, np.bincount(place, p)

    def best(self, conflict: int) -> Array:
        """The most probable cut of a conflict, its most probably wrong positive first."""
        best = self.probabilities(conflict).argmax()
        cut = np.sort(self.of(conflict)[best])
        edges, shares = self.shares(conflict)
        share = shares[np.searchsorted(edges, cut)]
        order = np.lexsort((-self.wrong[cut], -share))
        return cut[order]

    def blame(self, p_cut: Array) -> Array:
        """The probability that each positive is wrong according to its conflicts; 0 for other edges.

        This is its share of the probability that a conflict needs a cut. Natural errors are neighbouring positives
        that are wrong together ("… in Italy", "… in Portugal"), so a cut counts as one witness. (With `apart`,
        families of planted errors are found later: average precision .62 in place of .68, on MRPC.) Of several
        conflicts, only the strongest counts, because two negatives across one cut are not independent.

        Parameters
        ----------
        p_cut : float array, one entry per conflict
            The probability that its negative is right.
        """
        blamed = np.zeros(len(self.graph.edge_a))
        self.walk(self.conflicts)
        for conflict, p in zip(self.conflicts.tolist(), p_cut.tolist(), strict=True):
            edges, shares = self.shares(conflict, apart=False)
            blamed[edges] = np.maximum(blamed[edges], p * shares)
        return blamed

    @cached_property
    def _costs(self) -> Array:
        """The cost of each positive."""
        cost = np.logaddexp(0, -self.wrong).clip(CHEAPEST, DEAREST)
        return np.where(self.wrong == CERTAIN, FORBIDDEN, cost)

    def _cheapest(self, edges: Array, terminals: Array, spared: Array) -> Array:
        """The cheapest set of edges that separates two nodes (terminals) and contains no spared edge."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import breadth_first_order, maximum_flow

        nodes, ends = np.unique(self.graph.ends(edges), return_inverse=True)
        a, b = ends.reshape(2, -1)
        source, sink = np.searchsorted(nodes, terminals).tolist()
        units = np.round(self._costs[edges] * UNIT)
        # more than all others together
        units[np.isin(edges, spared)] = units.sum() + 1
        units = units.clip(max=LARGEST).astype(np.int32)
        one_way = csr_array((units, (a, b)), shape=(len(nodes), len(nodes)))
        capacity = one_way + one_way.T
        flow = maximum_flow(capacity, source, sink).flow
        residual = capacity - flow
        reached = breadth_first_order(residual, source, return_predecessors=False)
        side = np.zeros(len(nodes), dtype=bool)
        side[reached] = True
        return edges[side[a] != side[b]]

    @cached_property
    def _block(self) -> Array:
        """The block of each positive; -1 for a bridge, and for a negative."""
        positive = np.flatnonzero(self.graph.edge_sign > 0)
        block = np.full(len(self.graph.edge_a), -1)
        block[positive] = blocks(self.graph.n, *self.graph.ends(positive))
        return block
