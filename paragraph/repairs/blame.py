"""Which positives to blame for a conflict: those of the cuts that would keep its two sentences apart."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..balance.blocks import blocks
from ..graph import ParaphraseGraph
from ..graph.arrays import group
from ..graph.paths import shortest_paths

__all__ = ["Cuts"]

#: Capacities are whole numbers: so many to one unit of log-odds.
UNIT = 100
#: What a positive costs to cut, at least and at most: of two cuts the smaller; sums of whole numbers stay small.
LEAST, MOST = 0.05, 20.0


class Cuts:
    """For each conflict (negative inside a cluster) some cuts between its two sentences.

    If the negative is right, each path between them holds a wrong positive. A shortest path has few positives, and
    one of them is wrong: for each there is the cheapest cut of the cluster that goes through it and through no other
    of that path. A cut costs the log-odds that its positives are right (a softplus of them, never negative).

    Parameters
    ----------
    graph : ParaphraseGraph
    wrong : float array, one entry an edge
        Log-odds that each label is wrong, by itself.

    Notes
    -----
    A maximum flow for each positive of each path that is no bridge, within its block: O(V² E) at worst, a
    millisecond in a block of a hundred sentences.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("a", "b", 1), ("b", "c", 1), ("c", "a", 1), ("c", "d", 1), ("a", "d", 0)]
    >>> graph = ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    >>> cuts = Cuts(graph, np.full(5, -3.0))
    >>> [[cut.tolist() for cut in of] for of in cuts.of]
    [[[0, 2], [3]]]
    """

    def __init__(self, graph: ParaphraseGraph, wrong: np.ndarray):
        self.graph, self.wrong = graph, wrong
        self.conflicts = np.flatnonzero(graph.within & (not graph.bipartite))

    @cached_property
    def of(self) -> list[list[np.ndarray]]:
        """For each conflict its cuts, each the positives that it holds: edges of the graph, ascending."""
        graph, conflicts = self.graph, self.conflicts
        if not len(conflicts):
            return []
        positive = np.flatnonzero(graph.edge_sign > 0)
        number = np.full(len(graph.edge_a), -1)
        number[positive] = blocks(graph.n, graph.edge_a[positive], graph.edge_b[positive])
        inside = np.flatnonzero(number >= 0)
        starts, members = group(number[inside], int(number.max(initial=-1)) + 1, inside)
        cost = np.clip(np.logaddexp(0, -self.wrong), LEAST, MOST)
        found = []
        for path in shortest_paths(graph, graph.edge_a[conflicts], graph.edge_b[conflicts]):
            nodes = np.array(path)
            steps = graph.edge_index.places(nodes[:-1], nodes[1:])
            cuts = []
            for i, step in enumerate(steps.tolist()):
                if number[step] < 0:
                    cuts.append(np.array([step]))
                    continue
                alike = np.flatnonzero(number[steps] == number[step])  # a path is in a block once, without a break
                ends = nodes[alike[0]], nodes[alike[-1] + 1]
                edges = members[starts[number[step]] : starts[number[step] + 1]]
                cuts.append(_cheapest(graph, edges, cost[edges], *ends, np.delete(steps[alike], i - alike[0])))
            found.append(cuts)
        return found

    @cached_property
    def crossed(self) -> np.ndarray:
        """Whether an edge is part of any of the cuts (bool)."""
        found = np.zeros(len(self.graph.edge_a), dtype=bool)
        for cuts in self.of:
            found[np.concatenate(cuts)] = True
        return found

    def blame(self, p_cut: np.ndarray) -> np.ndarray:
        """The probability that each positive is wrong by what its conflicts say; 0 for other edges.

        Of the probability that a conflict is to be cut, each of its cuts has a share, in proportion to the odds that
        its positives are wrong; a cut takes all its positives or none. These odds are a mean, not a product:
        positives side by side on one cut are one witness, for in nature they are wrong together ("… in Italy", "…
        in Portugal"). And of several conflicts the one counts that says most: two negatives across one cut are
        not independent either.

        Parameters
        ----------
        p_cut : float array, one entry a conflict
        """
        found = np.zeros(len(self.graph.edge_a))
        for cuts, p in zip(self.of, p_cut.tolist(), strict=True):
            odds = np.array([self.wrong[cut].mean() for cut in cuts])
            share = np.exp(odds - odds.max())
            here: dict[int, float] = {}
            for cut, part in zip(cuts, (p * share / share.sum()).tolist(), strict=True):
                for edge in cut.tolist():
                    here[edge] = here.get(edge, 0.0) + part
            edges = np.array(list(here))
            found[edges] = np.maximum(found[edges], list(here.values()))
        return found


def _cheapest(
    graph: ParaphraseGraph, edges: np.ndarray, cost: np.ndarray, source: int, sink: int, spared: np.ndarray
) -> np.ndarray:
    """The cheapest of some edges that part two nodes, without those that are spared."""
    from scipy.sparse import csr_array, csr_matrix
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow

    nodes, ends = np.unique([graph.edge_a[edges], graph.edge_b[edges]], return_inverse=True)
    a, b = ends.reshape(2, -1)
    source, sink = np.searchsorted(nodes, [source, sink]).tolist()
    whole = np.round(cost * UNIT).astype(np.int64)
    whole[np.isin(edges, spared)] = whole.sum() + 1
    whole = np.minimum(whole, np.iinfo(np.int32).max // 2).astype(np.int32)
    both = np.append(a, b), np.append(b, a)
    capacity = csr_matrix((np.append(whole, whole), both), shape=(len(nodes), len(nodes)))
    left = csr_array(capacity - maximum_flow(capacity, source, sink).flow)
    left.data = np.maximum(left.data, 0)
    left.eliminate_zeros()
    side = np.zeros(len(nodes), dtype=bool)
    side[breadth_first_order(left, source, return_predecessors=False)] = True
    return edges[side[a] != side[b]]
