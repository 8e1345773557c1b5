"""Bootstraps of pairs: pairs that share sentences depend on each other, so whole groups of sentences are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ...graph import ParaphraseGraph
from ...graph.arrays import connected, pair_keys
from ...graph.identity import identify

__all__ = ["Units", "bootstrap", "interval", "middle", "ratios", "row_keys", "units_of"]

#: This many of the highest negatives count one by one.
HIGHEST = 2**18
#: This many random ones stand for the others.
RANDOM = 2**17


@dataclass(frozen=True)
class Units:
    """Groups of sentences that are drawn as a whole: components of a graph, or its clusters."""

    kind: str  #: "components" or "clusters"
    count: int
    graph: ParaphraseGraph
    of_node: np.ndarray

    def mark(self, tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
        """Add two columns `unit_a`, `unit_b` to tables whose sentences are all in the graph."""
        # The graph's own rows come first, so that sentences get the numbers they have there.
        found, bounds = _identify(self.graph.pairs, *tables.values())
        _, *sides_a = np.split(self.of_node[found.a], bounds)
        _, *sides_b = np.split(self.of_node[found.b], bounds)
        marked = {}
        for name, a, b in zip(tables, sides_a, sides_b, strict=True):
            marked[name] = tables[name].assign(unit_a=a, unit_b=b)
        return marked


def units_of(graph: ParaphraseGraph) -> Units:
    """Group sentences by component over all rows; by cluster where one component holds more than half of the rows.

    Such a component would make every draw nearly all or nearly nothing.
    """
    component = connected(graph.n, graph.row_a, graph.row_b)
    rows = np.bincount(component[graph.row_a])
    if rows.max(initial=0) <= len(graph.row_a) / 2:
        count = int(component.max(initial=-1)) + 1
        return Units("components", count, graph, component)
    return Units("clusters", len(graph.cluster_sizes), graph, graph.cluster_of)


def bootstrap(table: pd.DataFrame, count: int, seed: int) -> pd.DataFrame:
    """Repeat rows as often as their unit was drawn, when as many of `count` units are drawn as there are.

    A row between two units (clusters) occurs as often as both together, the product of the two: the pigeonhole
    bootstrap (Owen 2007), under which each row occurs once on average, and which is rather too wide than too
    narrow. Tables marked with the same units get the same draw, so that training sets differ by their rows and
    labels, and not by luck.

    Examples
    --------
    >>> table = pd.DataFrame({"text_a": [*"abc"], "text_b": [*"bcd"], "unit_a": [0, 0, 0], "unit_b": [0, 0, 1]})
    >>> [bootstrap(table, 2, seed)["text_a"].tolist() for seed in (2, 3, 4)]
    [['a', 'b', 'c'], [], ['a', 'a', 'b', 'b']]
    """
    rng = np.random.default_rng(seed)
    even = np.full(count, 1 / count)
    times = rng.multinomial(count, even)
    a = table["unit_a"].to_numpy()
    b = table["unit_b"].to_numpy()
    both = np.where(a == b, 1, times[b])
    often = times[a] * both
    rows = np.repeat(np.arange(len(table)), often)
    return table.iloc[rows]


def row_keys(*tables: pd.DataFrame) -> list[np.ndarray]:
    """Number the unordered pair of every row: the same number in all the tables."""
    found, bounds = _identify(*tables)
    keys = pair_keys(found.a, found.b, len(found.texts))
    return np.split(keys, bounds)


def _identify(*tables: pd.DataFrame):
    """Return the sentences of some tables together, and where each but the first begins."""
    texts = [table[["text_a", "text_b"]] for table in tables]
    found = identify(pd.concat(texts, ignore_index=True))
    ends = np.cumsum([len(table) for table in tables])
    return found, ends[:-1]


def ratios(
    part: np.ndarray, whole: np.ndarray, many: np.ndarray, draws: int, seed: int
) -> np.ndarray:
    """Draw as many groups as there are, with replacement, and return Σ part / Σ whole of each draw.

    There are `many` groups of each `part` and `whole`, arrays with one entry per kind of group.
    """
    count = many.sum()
    rng = np.random.default_rng(seed)
    often = rng.multinomial(count, many / count, size=draws)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (often @ part) / (often @ whole)


def middle(drawn: np.ndarray) -> tuple[float, float]:
    """Return the bounds of the middle 95 % of the finite values of some draws; NaN where none is."""
    drawn = np.asarray(drawn, dtype=float)
    drawn = drawn[np.isfinite(drawn)]
    if not len(drawn):
        return np.nan, np.nan
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def interval(
    score: np.ndarray, positive: np.ndarray, weight: np.ndarray, ends: tuple[np.ndarray, np.ndarray], seed: int = 0,
    draws: int = 200,
) -> tuple[float, float]:  # fmt: skip
    """Return the 95 % interval of the average precision, over other sentences of the same kind.

    Every unit of sentences (`ends`: the units of each pair) gets a Poisson weight of mean 1. A pair counts as often
    as its two units together, the product, and a pair inside a unit as often as the unit, so that each counts once on
    average (the pigeonhole bootstrap: Owen 2007). The interval is about the sentences, not about which random pairs
    an estimate drew.

    Examples
    --------
    >>> score, positive = np.array([0.9, 0.8, 0.7, 0.6]), np.array([True, False, True, False])
    >>> low, high = interval(score, positive, np.ones(4), (np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0])))
    >>> round(low, 3), high
    (0.673, 1.0)
    """
    rng = np.random.default_rng(seed)
    kept = np.argsort(-score)
    low = kept[~positive[kept]][HIGHEST:]
    if len(low) > RANDOM:
        of_sample = np.random.default_rng([seed, 1])
        sampled = of_sample.choice(low, RANDOM, replace=False)
        stay = np.ones(len(score), dtype=bool)
        stay[low] = False
        stay[sampled] = True
        weight = weight.copy()
        weight[low] *= len(low) / RANDOM
        kept = kept[stay[kept]]
    units = int(np.max(ends)) + 1
    a, b = (end[kept] for end in ends)
    b = np.where(a == b, units, b)  # a unit of weight 1
    hits = np.flatnonzero(positive[kept])
    # Where the pairs of each positive's score end.
    score = score[kept]
    above = np.searchsorted(score[::-1], score[hits])
    last = len(kept) - 1 - above
    found = np.searchsorted(hits, last, side="right") - 1
    weight = weight[kept]
    values = []
    for _ in range(draws):
        times = np.append(rng.poisson(1, units), 1.0)
        often = weight * times[a] * times[b]
        of_hits = often[hits]
        if of_hits.any():
            right = np.cumsum(of_hits)[found]
            every = np.cumsum(often)[last]
            precision = right / np.maximum(every, 1e-9)
            values.append(of_hits @ precision / of_hits.sum())
    return middle(values)
