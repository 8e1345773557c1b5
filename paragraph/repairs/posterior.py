"""How probable each label is, given all the others: the posterior over weakly balanced labellings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..balance.blocks import blocks
from ..graph import ParaphraseGraph
from ..graph.arrays import group
from ..measure.weights import sigmoid
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
        (of those that were compared: from above by contraction). Both are missing until the block is summed.
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
        return sigmoid(self.log_odds)

    @property
    def p_wrong(self) -> np.ndarray:
        """The marginal probability that each stated label is wrong."""
        return sigmoid(-self.graph.edge_sign * self.log_odds)

    def sum_blocks(self, edges: np.ndarray, progress: bool = True) -> None:
        """Work out the blocks of some edges, in place, those that are worked out already left as they are."""
        from tqdm.auto import tqdm

        wanted = np.setdiff1d(
            self.block[np.asarray(edges, dtype=np.int64)], np.flatnonzero(self.blocks["log_sum"].notna())
        )
        wanted = wanted[wanted >= 0]
        if not len(wanted):
            return
        inside = np.flatnonzero(np.isin(self.block, wanted))
        starts, inside = group(np.searchsorted(wanted, self.block[inside]), len(wanted), inside)
        each = [_Block(self, int(i), part) for i, part in zip(wanted, np.split(inside, starts[1:-1]), strict=True)]
        of_size: dict[int, list[_Block]] = {}
        for block in sorted(each, key=lambda block: block.n):
            of_size.setdefault(block.n, []).append(block)
        found = np.full((2, len(self.blocks)), np.nan)
        bar = tqdm(total=len(inside), desc="posterior", unit=" labels", delay=2, leave=False, disable=not progress)

        def keep(block: _Block, log_odds: np.ndarray, best: np.ndarray, gap: np.ndarray, total: float) -> None:
            self.log_odds[block.edges], self.best[block.edges], self.gap[block.edges] = log_odds, best, gap
            found[:, block.number] = total, gap.min()
            bar.update(len(block.edges))

        for n, alike in of_size.items():
            if self.blocks.at[alike[0].number, "method"] == "contraction":
                for block in alike:
                    keep(block, *contracted(n, block.a, block.b, block.given, progress)[:4])
                continue
            size = max(1, BATCH // 3 ** (n - 1))
            for at in range(0, len(alike), size):
                some = alike[at : at + size]
                weights, near = np.zeros((len(some), n, n)), np.zeros((len(some), n, n), dtype=bool)
                for k, block in enumerate(some):
                    weights[k, block.a, block.b] = weights[k, block.b, block.a] = block.given
                    near[k, block.a, block.b] = near[k, block.b, block.a] = True
                sums = connected_partitions(weights, near)
                for k, block in enumerate(some):
                    a, b = block.a, block.b
                    best = np.where(sums.parts[k, a] == sums.parts[k, b], 1, -1)
                    gap = np.abs(sums.best_joined[k, a, b] - sums.best_apart[k, a, b])
                    keep(block, sums.log_joined[k, a, b] - sums.log_apart[k, a, b], best, gap, sums.log_sum[k])
        bar.close()
        for name, values in zip(("log_sum", "margin"), found[:, wanted], strict=True):
            self.blocks.loc[wanted, name] = values


def label_log_odds(graph: ParaphraseGraph, error_rate: float | np.ndarray = ERROR_RATE) -> np.ndarray:
    """Log-odds that each edge is truly positive by its rows alone, each wrong independently at a rate.

    The rate is one for all, or one for each edge.

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
    graph: ParaphraseGraph,
    log_odds: np.ndarray | None = None,
    exact_nodes: int = EXACT_NODES,
    *,
    edges: np.ndarray | None = None,
    progress: bool = True,
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
    edges : integer array, optional
        Sum the blocks of these edges only; all other edges keep their own log-odds. Default: all.

    Raises
    ------
    PairsError
        Log-odds of another length, or not finite.

    Notes
    -----
    Blocks of up to `exact_nodes` nodes: exact, O(3ⁿ) (`partitions`). Larger ones: the most probable
    labelling by `balance.multicut` (proved best where its time suffices), then *contraction* around each edge that
    it leaves in doubt: nodes held together most firmly become one, until so few are left that the rest can be
    summed. That leaves labellings out; `contraction` says how much such a marginal errs.

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
    given = label_log_odds(graph) if log_odds is None else np.asarray(log_odds, dtype=float)
    if given.shape != graph.edge_a.shape:
        raise PairsError(f"log_odds has shape {given.shape}, but the graph has {len(graph.edge_a):,} stated pairs")
    if not np.isfinite(given).all():
        at = int(np.argmin(np.isfinite(given)))
        names = graph.texts([graph.edge_a[at], graph.edge_b[at]])
        raise PairsError(f"log_odds of {names[0]!r} – {names[1]!r} is {given[at]}; it must be finite")
    number = blocks(graph.n, graph.edge_a, graph.edge_b)
    best = np.where(given == 0, graph.edge_sign, np.sign(given)).astype(np.int8)
    table = _block_table(graph, number, exact_nodes)
    result = Posterior(graph, given, given.copy(), best, np.abs(given), number, table)
    result.sum_blocks(np.arange(len(given)) if edges is None else edges, progress)
    return result


class _Block:
    """The edges of one block, its ends numbered anew from 0, and its evidence."""

    def __init__(self, of: Posterior, number: int, edges: np.ndarray):
        self.number, self.edges, self.given = number, edges, of.given[edges]
        nodes, ends = np.unique([of.graph.edge_a[edges], of.graph.edge_b[edges]], return_inverse=True)
        self.a, self.b = ends.reshape(2, -1)
        self.n = len(nodes)


def _block_table(graph: ParaphraseGraph, number: np.ndarray, exact_nodes: int) -> pd.DataFrame:
    """The blocks, none of them summed yet."""
    inside = np.flatnonzero(number >= 0)
    block, count = number[inside], int(number.max(initial=-1)) + 1
    ends = np.unique(np.concatenate([block * graph.n + end[inside] for end in (graph.edge_a, graph.edge_b)]))
    nodes = np.bincount(ends // graph.n, minlength=count) if count else ends
    method = np.where(nodes <= exact_nodes, "exact", "contraction")
    return pd.DataFrame({
        "nodes": nodes,
        "edges": np.bincount(block, minlength=count),
        "negatives": np.bincount(block[graph.edge_sign[inside] < 0], minlength=count),
        "method": pd.array(method, dtype="str"),
        "log_sum": np.nan,
        "margin": np.nan,
    })  # fmt: skip
