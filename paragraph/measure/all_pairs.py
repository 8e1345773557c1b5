"""What a score is worth on *all* pairs of some sentences, of which nearly all are negative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..graph.identity import row_name
from ..pairs import PairsError
from ..pairs.columns import canonical
from .counting import count_all, unit
from .ranking import Steps, interval, steps
from .worlds import World

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["AllPairs", "all_pairs"]


@dataclass(frozen=True)
class AllPairs:
    """A score on all pairs of a world, as `all_pairs` finds it.

    Attributes
    ----------
    world : World
    method : str
        How it was found: "exact", or "estimate".
    steps : Steps
        Positives and pairs by score.
    rank, score, positive, weight : arrays
        Pairs, one entry each: all positives, near negatives, and random ones with the weight of those they stand for.
    near : bool array
        Whether a pair is one of the near ones; of an exact score these are the highest.
    """

    world: World
    method: str
    steps: Steps
    rank: np.ndarray
    score: np.ndarray
    positive: np.ndarray
    weight: np.ndarray
    near: np.ndarray
    seed: int

    @cached_property
    def _average_precision(self) -> tuple[float, float, float]:
        return self.steps.average_precision()

    @property
    def ap(self) -> float:
        """The average precision, ties merged."""
        return self._average_precision[0]

    @property
    def ap_min(self) -> float:
        """Its least value, however ties are broken."""
        return self._average_precision[1]

    @property
    def ap_max(self) -> float:
        """Its greatest."""
        return self._average_precision[2]

    @cached_property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the average precision; see `ranking.interval`."""
        ends = (self.world.unit[nodes] for nodes in self.world.ends(self.rank))
        return interval(self.score, self.positive, self.weight, tuple(ends), seed=self.seed)

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.interval[0]

    @property
    def high(self) -> float:
        """Its upper end."""
        return self.interval[1]

    @cached_property
    def curve(self) -> pd.DataFrame:
        """`threshold`, `recall` and `precision` at every score that a positive has, the highest first."""
        has = self.steps.hits > 0
        columns = {"threshold": self.steps.score, "recall": self.steps.recall, "precision": self.steps.precision}
        return pd.DataFrame({name: values[has] for name, values in columns.items()})

    @property
    def _fifth(self) -> pd.Series:
        found = np.cumsum(self.steps.hits[self.steps.hits > 0])
        return self.curve.iloc[int(np.argmax(5 * found >= found[-1]))]

    @property
    def p_r20(self) -> float:
        """The precision at the first threshold with a recall of 20 % or more."""
        return float(self._fifth["precision"])

    @property
    def threshold(self) -> float:
        """That threshold."""
        return float(self._fifth["threshold"])

    def summary(self) -> dict[str, Any]:
        """The figures: counts, method, average precision with bracket and interval, precision at 20 % recall."""
        return {
            "sentences": self.world.n,
            "pairs": self.world.size,
            "positives": len(self.world.positives),
            "method": self.method,
            "AP": self.ap,
            "AP_min": self.ap_min,
            "AP_max": self.ap_max,
            "AP_low": self.low,
            "AP_high": self.high,
            "P_R20": self.p_r20,
            "threshold": self.threshold,
        }

    def __repr__(self) -> str:
        one = round(self.world.size / len(self.world.positives))
        return (
            f"<AllPairs: AP {self.ap:.1%} ({self.low:.1%} to {self.high:.1%}) on {self.world.size:,} pairs, "
            f"1 in {one:,} positive; {self.method}>"
        )


def all_pairs(
    graph: ParaphraseGraph,
    *,
    vectors: np.ndarray | Callable[[list[str]], np.ndarray] | None = None,
    scores: pd.DataFrame | None = None,
    others: Sequence[str] = (),
    seed: int = 0,
) -> AllPairs:
    """How well a score finds the positives among all pairs of the sentences of a graph.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    """
    world = World(graph, others)
    if not len(world.positives):
        raise PairsError("no pair of these sentences is positive, so there is nothing to find")
    if (vectors is None) == (scores is None):
        raise PairsError("give vectors or scores, one of the two")
    if vectors is not None:
        vectors = unit(vectors(world.texts()) if callable(vectors) else vectors, world.n)
        found = count_all(world, vectors, seed)
        near = np.arange(len(found.rank)) < found.highest
        positive = np.isin(found.rank, world.positives)
        rest = world.size - found.highest
        weight = np.where(near, 1, rest / max(1, len(near) - found.highest))
        return AllPairs(world, "exact", found.steps, found.rank, found.score, positive, weight, near, seed)
    score = _read(world, scores)
    rank = np.arange(world.size)
    positive = np.zeros(world.size, dtype=bool)
    positive[world.positives] = True
    every = np.ones(world.size)
    return AllPairs(world, "exact", steps(score, positive), rank, score, positive, every, every > 0, seed)


def _read(world: World, table: pd.DataFrame) -> np.ndarray:
    """The score of every pair, from a table that has each once."""
    table = canonical(table, "a table of scores")
    if missing := {"text_a", "text_b", "score"} - {*table}:
        raise PairsError(f"a table of scores needs the columns text_a, text_b, score; missing: {sorted(missing)}")
    texts = [str(text) for name in ("text_a", "text_b") for text in table[name]]
    a, b = world.nodes(texts).reshape(2, len(table))
    value = pd.to_numeric(table["score"], errors="coerce").to_numpy(float, na_value=np.nan)
    rank = np.where((a < 0) | (b < 0), -1, world.ranks(a, b))
    count = np.bincount(rank[rank >= 0], minlength=world.size)
    again = np.zeros(len(table), dtype=bool)
    again[rank >= 0] = pd.Series(rank[rank >= 0]).duplicated()
    for odd, why in (
        (a < 0, lambda at: f"{table['text_a'].iloc[at]!r} is not in the data"),
        (b < 0, lambda at: f"{table['text_b'].iloc[at]!r} is not in the data"),
        (rank < 0, lambda at: "the two sentences are no pair: they are one, or on one side"),
        (again, lambda at: "this pair was there before; each unordered pair has one score"),
        (np.isnan(value), lambda at: f"score {table['score'].iloc[at]!r} is not a number"),
    ):
        if odd.any():
            at = int(np.argmax(odd))
            raise PairsError(f"{row_name(table, at)}: {why(at)}")
    if not count.all():
        ends = world.ends(np.array([int(np.argmin(count))]))
        one, other = (world.texts(nodes)[0] for nodes in ends)
        gone = int(np.sum(count == 0))
        raise PairsError(f"{gone:,} of {world.size:,} pairs have no score, as {one!r} with {other!r}")
    found = np.empty(world.size)
    found[rank] = value
    return found
