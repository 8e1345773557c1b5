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

#: This many of the highest negatives count one by one, and this many random ones stand for the others.
HIGHEST, RANDOM = 2**18, 2**17


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
        found, bounds = _identified(self.graph.pairs, *tables.values())
        ends = (np.split(self.of_node[codes], bounds)[1:] for codes in (found.a, found.b))
        each = zip(tables.items(), *ends, strict=True)
        return {name: table.assign(unit_a=a, unit_b=b) for (name, table), a, b in each}


def units_of(graph: ParaphraseGraph) -> Units:
    """Group sentences by component over all rows; by cluster where one component holds more than half of the rows.

    Such a component would make every draw nearly all or nearly nothing.
    """
    component = connected(graph.n, graph.row_a, graph.row_b)
    rows = np.bincount(component[graph.row_a])
    if rows.max(initial=0) <= len(graph.row_a) / 2:
        return Units("components", int(component.max(initial=-1)) + 1, graph, component)
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
    times = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count))
    a, b = table["unit_a"].to_numpy(), table["unit_b"].to_numpy()
    often = times[a] * np.where(a == b, 1, times[b])
    return table.iloc[np.repeat(np.arange(len(table)), often)]


def row_keys(*tables: pd.DataFrame) -> list[np.ndarray]:
    """Number the unordered pair of every row: the same number in all the tables."""
    found, bounds = _identified(*tables)
    return np.split(pair_keys(found.a, found.b, len(found.texts)), bounds)


def _identified(*tables: pd.DataFrame):
    """Return the sentences of some tables together, and where each but the first begins."""
    found = identify(pd.concat([table[["text_a", "text_b"]] for table in tables], ignore_index=True))
    return found, np.cumsum([len(table) for table in tables])[:-1]


def ratios(part: np.ndarray, whole: np.ndarray, many: np.ndarray, draws: int, seed: int) -> np.ndarray:
    """Draw as many groups as there are, with replacement, and return Σ part / Σ whole of each draw.

    There are `many` groups of each `part` and `whole`, arrays with one entry per kind of group.
    """
    count = many.sum()
    often = np.random.default_rng(seed).multinomial(count, many / count, size=draws)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (often @ part) / (often @ whole)


def middle(drawn: np.ndarray) -> tuple[float, float]:
    """Return the bounds of the middle 95 % of the finite values of some draws; NaN where none is."""
    drawn = np.asarray(drawn, dtype=float)
    drawn = drawn[np.isfinite(drawn)]
    return tuple(np.quantile(drawn, [0.025, 0.975]).tolist()) if len(drawn) else (np.nan, np.nan)


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
    rng, kept = np.random.default_rng(seed), np.argsort(-score)
    low = kept[~positive[kept]][HIGHEST:]
    if len(low) > RANDOM:
        stay, weight = np.ones(len(score), dtype=bool), weight.copy()
        stay[low] = False
        stay[np.random.default_rng([seed, 1]).choice(low, RANDOM, replace=False)] = True
        weight[low] *= len(low) / RANDOM
        kept = kept[stay[kept]]
    units = int(max(end.max() for end in ends)) + 1
    a, b = (end[kept] for end in ends)
    b = np.where(a == b, units, b)  # a unit of weight 1
    hits = np.flatnonzero(positive[kept])
    # Where the pairs of each positive's score end.
    last = len(kept) - 1 - np.searchsorted(score[kept][::-1], score[kept][hits])
    found = np.searchsorted(hits, last, side="right") - 1
    weight, values = weight[kept], []
    for _ in range(draws):
        times = np.append(rng.poisson(1, units), 1.0)
        often = weight * times[a] * times[b]
        if (of_hits := often[hits]).any():
            precision = np.cumsum(of_hits)[found] / np.maximum(np.cumsum(often)[last], 1e-9)
            values.append(of_hits @ precision / of_hits.sum())
    return middle(values)
