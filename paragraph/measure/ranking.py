"""Average precision of weighted pairs in order of their score, ties merged, with a bootstrap interval."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Steps", "interval", "steps"]

#: The interval is computed from the highest negatives, and from random ones of the others.
HIGHEST, RANDOM = 2**18, 2**17


class Steps(NamedTuple):
    """How many pairs, and how many positives among them, have each score, the highest first.

    Mussmann, Jia and Liang (2020), equation 6: what has one score is found together.
    """

    score: np.ndarray
    hits: np.ndarray  #: positives of exactly this score
    pairs: np.ndarray  #: all pairs of this score; by weight, so not always a whole number

    @property
    def recall(self) -> np.ndarray:
        """Share of the positives found at this score or above."""
        return np.cumsum(self.hits) / self.hits.sum()

    @property
    def precision(self) -> np.ndarray:
        """Share of positives among what is found there."""
        return np.cumsum(self.hits) / np.cumsum(self.pairs)

    def average_precision(self) -> tuple[float, float, float]:
        """The area under the steps, and between what least and most it must lie, however ties are resolved.

        Least, the negatives of a score come first, then its positives one by one; most, its positives come first,
        together.

        Examples
        --------
        >>> tied = Steps(np.array([0.9, 0.5]), np.array([1, 2]), np.array([2, 4]))
        >>> [round(value, 4) for value in tied.average_precision()]
        [0.5, 0.4667, 0.8333]
        """
        found, pairs = np.cumsum(self.hits), np.cumsum(self.pairs)
        nth = np.arange(1, found[-1] + 1)
        behind = np.repeat(found, self.hits) - nth
        least = nth / (np.repeat(pairs, self.hits) - behind)
        most = self.hits * found / np.maximum(pairs - self.pairs + self.hits, 1)
        ap = self.hits * self.precision
        return tuple(float(values.sum() / found[-1]) for values in (ap, least, most))


def steps(score: np.ndarray, positive: np.ndarray, weight: np.ndarray | None = None) -> Steps:
    """Pairs in order of their score, those of one score merged.

    Examples
    --------
    >>> steps(np.array([0.1, 0.9, 0.1]), np.array([True, False, False])).precision.round(3).tolist()
    [0.0, 0.333]
    """
    order = np.argsort(-score)
    falling = score[order]
    begin = np.flatnonzero(np.append(True, falling[1:] != falling[:-1])[: len(falling)])
    weight = np.ones(len(score)) if weight is None else weight
    hits = np.add.reduceat(positive[order].astype(np.int64), begin)
    return Steps(falling[begin], hits, np.add.reduceat(weight[order], begin))


def interval(
    score: np.ndarray,
    positive: np.ndarray,
    weight: np.ndarray,
    ends: tuple[np.ndarray, np.ndarray],
    draws: int = 200,
    seed: int = 0,
) -> tuple[float, float]:
    """The 95 % interval of the average precision: what other sentences of the same kind would have given.

    Every component of sentences gets a Poisson weight of mean 1, and a pair counts as often as both its components
    together, the product; one inside a component as often as that, so that each pair counts once on average (the
    pigeonhole bootstrap: Owen 2007; Poisson weights: Chamandy and others 2012). Percentiles of the draws.

    Parameters
    ----------
    ends : two integer arrays
        The component of either sentence of each pair.

    Notes
    -----
    The 2¹⁸ highest negatives count one by one, and 2¹⁷ random ones of the others stand for all of those. The interval
    is about the sentences: it does not tell how random pairs of an estimate fell.

    Examples
    --------
    >>> score, positive = np.array([0.9, 0.8, 0.7, 0.6]), np.array([True, False, True, False])
    >>> interval(score, positive, np.ones(4), (np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0])))
    (0.6727272727272727, 1.0)
    """
    rng = np.random.default_rng(seed)
    kept = np.argsort(-score)
    low = kept[~positive[kept]][HIGHEST:]
    if len(low) > RANDOM:
        drawn = rng.choice(len(low), RANDOM, replace=False)
        weight, stay = weight.copy(), positive.copy()
        weight[low] *= len(low) / RANDOM
        stay[low] = False
        stay[kept[~positive[kept]][:HIGHEST]] = stay[low[drawn]] = True
        kept = kept[stay[kept]]
    score, positive, weight = score[kept], positive[kept], weight[kept]
    units = int(max(end.max() for end in ends)) + 1
    a, b = (end[kept] for end in ends)
    b = np.where(a == b, units, b)  # a unit of weight 1
    hits = np.flatnonzero(positive)
    # Where the pairs of each positive's score end.
    last = len(score) - 1 - np.searchsorted(score[::-1], score[hits])
    found = np.searchsorted(hits, last, side="right") - 1
    values = []
    for _ in range(draws):
        times = np.append(rng.poisson(1, units), 1.0)
        often = weight * times[a] * times[b]
        of_hits = often[hits]
        if of_hits.any():
            pairs = np.cumsum(often)[last]
            precision = np.divide(np.cumsum(of_hits)[found], pairs, out=np.zeros(len(hits)), where=pairs > 0)
            values.append(of_hits @ precision / of_hits.sum())
    return tuple(np.percentile(values, [2.5, 97.5]).tolist()) if values else (np.nan, np.nan)
