"""Weighted pairs in order of their score, ties merged: precision, recall and average precision."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

__all__ = ["Steps", "steps"]


class Steps(NamedTuple):
    """Numbers of positives and of pairs with each score, the highest first."""

    score: np.ndarray
    hits: np.ndarray
    pairs: np.ndarray  #: by weight, so not always whole numbers

    def curve(self) -> pd.DataFrame:
        """Return `threshold`, `recall`, `precision` at every score; recall is NaN where there is no positive."""
        hits = np.cumsum(self.hits)
        recall = hits / hits[-1] if hits[-1] else np.full(len(hits), np.nan)
        return pd.DataFrame({"threshold": self.score, "recall": recall, "precision": hits / np.cumsum(self.pairs)})

    def at_fifth(self) -> tuple[float, float]:
        """Return precision and threshold at the first score whose recall is 20 % or more."""
        hits = np.cumsum(self.hits)
        at = int(np.argmax(5 * hits >= hits[-1]))
        return float(hits[at] / np.cumsum(self.pairs)[at]), float(self.score[at])

    def average_precision(self) -> tuple[float, float, float]:
        """Return the area under precision over recall, its least and its greatest value as ties are resolved.

        Pairs of one score are found together (Mussmann, Jia and Liang 2020, equation 6). Least: the negatives of a
        score come first, then its positives one by one. Greatest: its positives come first, together.

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
    """Merge the pairs of each score, and put them in falling order."""
    order = np.argsort(-score)
    falling = score[order]
    begin = np.flatnonzero(np.append(True, falling[1:] != falling[:-1])[: len(falling)])
    weight = np.ones(len(score)) if weight is None else weight
    hits = np.add.reduceat(positive[order].astype(np.int64), begin)
    return Steps(falling[begin], hits, np.add.reduceat(weight[order], begin))
