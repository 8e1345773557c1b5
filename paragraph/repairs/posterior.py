"""How probable each label is, given all the others: the posterior over weakly balanced labellings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..balance.blocks import blocks
from ..graph import ParaphraseGraph
from ..graph.arrays import group
from ..pairs import PairsError
from .contraction import contracted
from .partitions import connected_partitions

__all__ = ["EXACT_NODES", "Posterior", "label_log_odds", "posterior"]

#: Blocks of no more nodes are summed exactly; one more node takes three times as long.
EXACT_NODES = 12
#: Each label is wrong so often, where nothing better is known.
ERROR_RATE = 0.05
#: Divisions of sets held at once, which bounds memory (8 bytes each, several arrays).
BATCH = 4_000_000


@dataclass(frozen=True, eq=False)
class Posterior:
    """What the labels of a graph say together; arrays have an entry for each edge of the graph.

    Attributes
    ----------
    graph : ParaphraseGraph
    given : float array
        Log-odds that each edge is truly positive by its own evidence, as they were put in.
    log_odds : float array
        Log-odds (natural) that it is truly positive, given all evidence of its block.
    best : int8 array
        The most probable labelling, +1 or -1; weakly balanced.
    gap : float array
        How much less probable (log) the best labelling is that gives this edge the other sign.
    block : integer array
        Which row of `blocks` the edge belongs to; -1 for a bridge, which lies on no cycle.
    blocks : DataFrame
        One row a block, ``nodes, edges, negatives, method, log_sum, margin``. `method` is ``"exact"`` or
        ``"contraction"``; `log_sum` is log Σ exp(Σ given over joined edges) over the multicuts of the block, from
        below by contraction; `margin` is the log of how many times the best labelling is as probable as the next
        (of those that were compared: from above by contraction).
    """

    graph: ParaphraseGraph
    given: np.ndarray
    log_odds: np.ndarray
    best: np.ndarray
    gap: np.ndarray
    block: np.ndarray
    blocks: pd.DataFrame

    @property
    def p_positive(self) -> np.ndarray:
        """The marginal probability that each edge is truly positive."""
        return 1 / (1 + np.exp(-np.clip(self.log_odds, -700, 700)))

    @property
    def p_wrong(self) -> np.ndarray:
        """The marginal probability that each stated label is wrong."""
        return 1 / (1 + np.exp(np.clip(self.graph.edge_sign * self.log_odds, -700, 700)))


def label_log_odds(graph: ParaphraseGraph, error_rate: float | np.ndarray = ERROR_RATE) -> np.ndarray:
    """Log-odds that each edge is truly positive by its rows alone, each wrong independently at a rate.

    The rate is one for all, or one for each edge (`error_rates.error_rates` estimates them).

    Every row adds ± log((1 − ε) / ε); a pair with as many rows of either label has log-odds 0.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "b"], "text_b": ["b", "a", "c"], "label": [1, 1, 0]})
    >>> label_log_odds(ParaphraseGraph.from_pairs(pairs)).round(2)
    array([ 5.89, -2.94])
    """
    rate = np.asarray(error_rate, dtype=float)
    if not ((rate > 0) & (rate < 0.5)).all():
        raise PairsError(f"error rate {rate[~((rate > 0) & (rate < 0.5))].flat[0]} is not between 0 and 0.5")
    rows = graph.edge_n_positive.astype(float) - graph.edge_n_negative
    return rows * np.log((1 - rate) / rate)


def posterior(
    graph: ParaphraseGraph, log_odds: np.ndarray | None = None, exact_nodes: int = EXACT_NODES, progress: bool = True
) -> Posterior:
    """Marginal and most probable labels, when the true ones are weakly balanced.

    The prior is uniform over the multicuts of each block (biconnected component) of the whole signed graph: the
    labellings in which no cycle has exactly one negative. With θ the log-odds of each edge by its own evidence,
    a multicut y has probability ∝ exp(Σ θ over the edges that y joins). Blocks are independent of each other, and
    a bridge keeps its own log-odds.

    Parameters
    ----------
    log_odds : float array, one entry an edge; default `label_log_odds`
    exact_nodes : int
        Larger blocks are approximated (see Notes).

    Raises
    ------
    PairsError
        Log-odds of another length, or not finite.

    Notes
    -----
    Blocks of up to `exact_nodes` nodes: exact, O(3ⁿ) (`balance.partitions`). Larger ones: the most probable
    labelling by `balance.multicut` (proved best where its time suffices), then *contraction* around each edge that
    it leaves in doubt: nodes held together most firmly become one, until so few are left that the rest can be
    summed. That leaves labellings out; `balance.contraction` says how much such a marginal errs.

    Examples
    --------
    Two positive labels and a negative one on a triangle: each positive has a rival for the blame.

    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> found = posterior(ParaphraseGraph.from_pairs(pairs))
    >>> found.p_positive.round(2)
    array([0.65, 0.65, 0.33])
    >>> found.blocks[["nodes", "edges", "negatives", "method"]].values.tolist()
    [[3, 3, 1, 'exact']]
    """
    from tqdm.auto import tqdm

    given = label_log_odds(graph) if log_odds is None else np.asarray(log_odds, dtype=float)
    if given.shape != graph.edge_a.shape:
        raise PairsError(f"log_odds has shape {given.shape}, but the graph has {len(graph.edge_a):,} stated pairs")
    if not np.isfinite(given).all():
        at = int(np.argmin(np.isfinite(given)))
        names = graph.texts([graph.edge_a[at], graph.edge_b[at]])
        raise PairsError(f"log_odds of {names[0]!r} – {names[1]!r} is {given[at]}; it must be finite")
    number = blocks(graph.n, graph.edge_a, graph.edge_b)
    each = [Block(graph, edges, given) for edges in _edges_by_block(number)]
    result = Posterior(
        graph,
        given,
        given.copy(),
        np.where(given == 0, graph.edge_sign, np.sign(given)).astype(np.int8),
        np.abs(given),
        number,
        pd.DataFrame({
            "nodes": [block.n for block in each],
            "edges": [len(block.edges) for block in each],
            "negatives": [int(np.count_nonzero(graph.edge_sign[block.edges] < 0)) for block in each],
            "method": ["exact" if block.n <= exact_nodes else "contraction" for block in each],
            "log_sum": np.nan,
            "margin": np.nan,
        }),
    )  # fmt: skip
    log_sum, margin = np.empty(len(each)), np.empty(len(each))

    def keep(i: int, log_odds: np.ndarray, best: np.ndarray, gap: np.ndarray, total: float) -> None:
        edges = each[i].edges
        result.log_odds[edges], result.best[edges], result.gap[edges] = log_odds, best, gap
        log_sum[i], margin[i] = total, gap.min()
        bar.update(len(edges))

    bar = tqdm(
        total=int((number >= 0).sum()), desc="posterior", unit=" labels", delay=2, leave=False, disable=not progress
    )
    for n in sorted({block.n for block in each}):
        alike = [i for i, block in enumerate(each) if block.n == n]
        if n > exact_nodes:
            for i in alike:
                keep(i, *contracted(n, each[i].a, each[i].b, each[i].given, progress)[:4])
            continue
        size = max(1, BATCH // 3 ** (n - 1))
        for at in range(0, len(alike), size):
            some = alike[at : at + size]
            weights, near = np.zeros((len(some), n, n)), np.zeros((len(some), n, n), dtype=bool)
            for k, i in enumerate(some):
                a, b = each[i].a, each[i].b
                weights[k, a, b] = weights[k, b, a] = each[i].given
                near[k, a, b] = near[k, b, a] = True
            found = connected_partitions(weights, near)
            for k, i in enumerate(some):
                a, b = each[i].a, each[i].b
                best = np.where(found.parts[k, a] == found.parts[k, b], 1, -1)
                gap = np.abs(found.best_joined[k, a, b] - found.best_apart[k, a, b])
                keep(i, found.log_joined[k, a, b] - found.log_apart[k, a, b], best, gap, found.log_sum[k])
    bar.close()
    result.blocks["log_sum"], result.blocks["margin"] = log_sum, margin
    return result


class Block:
    """The edges of one block, its ends numbered anew from 0, and its evidence."""

    def __init__(self, graph: ParaphraseGraph, edges: np.ndarray, given: np.ndarray):
        self.edges, self.given = edges, given[edges]
        self.nodes, ends = np.unique([graph.edge_a[edges], graph.edge_b[edges]], return_inverse=True)
        self.a, self.b = ends.reshape(2, -1)
        self.n = len(self.nodes)


def _edges_by_block(number: np.ndarray) -> list[np.ndarray]:
    inside = np.flatnonzero(number >= 0)
    if not len(inside):
        return []
    starts, edges = group(number[inside], int(number.max()) + 1, inside)
    return np.split(edges, starts[1:-1])
