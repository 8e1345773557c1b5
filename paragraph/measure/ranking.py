"""Average precision of weighted pairs in order of their score, ties merged, with a bootstrap interval."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Steps", "interval", "steps"]

#: So many of the highest negatives count one by one, and so many random ones stand for the others.
HIGHEST, RANDOM = 2**18, 2**17


class Steps(NamedTuple):
    """How many positives and how many pairs have each score, the highest first."""

    score: np.ndarray
    hits: np.ndarray
    pairs: np.ndarray  #: by weight, so not always whole numbers

    def average_precision(self) -> tuple[float, float, float]:
        """The area under precision over recall, and between what least and most it lies, however ties are resolved.

        Pairs of one score are found together (Mussmann, Jia and Liang 2020, equation 6). Least, its negatives come
        first, then its positives one by one; most, its positives come first, together.

        Examples
        --------
        >>> tied = Steps(np.array([0.9, 0.5]), np.array([1, 2]), np.array([2, 4]))
        >>> [round(value, 4) for value in tied.average_precision()]
        [0.5, 0.4667, 0.8333]
        """
        found, pairs = np.cumsum(self.hits), np.cumsum(self.pairs)
        nth = np.arange(1, found[-1] + 1)
        least = nth / (np.repeat(pairs, self.hits) - np.repeat(found, self.hits) + nth)
        most = self.hits * found / np.maximum(pairs - self.pairs + self.hits, 1)
        return tuple(float(value.sum() / found[-1]) for value in (self.hits * found / pairs, least, most))


def steps(score: np.ndarray, positive: np.ndarray, weight: np.ndarray | None = None) -> Steps:
    """Pairs in order of their score, those of one score merged."""
    order = np.argsort(-score)
    falling = score[order]
    begin = np.flatnonzero(np.append(True, falling[1:] != falling[:-1])[: len(falling)])
    weight = np.ones(len(score)) if weight is None else weight
    hits = np.add.reduceat(positive[order].astype(np.int64), begin)
    return Steps(falling[begin], hits, np.add.reduceat(weight[order], begin))


def interval(
    score: np.ndarray, positive: np.ndarray, weight: np.ndarray, ends: tuple[np.ndarray, np.ndarray], seed: int = 0,
    draws: int = 200,
) -> tuple[float, float]:  # fmt: skip
    """The 95 % interval of the average precision: what other sentences of the same kind would have given.

    Every unit of sentences (`ends`: those of each pair) gets a Poisson weight of mean 1. A pair counts as often as
    its two units together, the product, and one inside a unit as often as that, so that each counts once on average
    (the pigeonhole bootstrap: Owen 2007). Percentiles of the draws. It is about the sentences, and does not tell how
    the random pairs of an estimate fell.

    Examples
    --------
    >>> score, positive = np.array([0.9, 0.8, 0.7, 0.6]), np.array([True, False, True, False])
    >>> interval(score, positive, np.ones(4), (np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0])))
    (0.6727272727272727, 1.0)
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
    return tuple(np.percentile(values, [2.5, 97.5]).tolist()) if values else (np.nan, np.nan)
