"""Levels and slopes of files that nobody has judged: the mean of judged files, and the spread between files."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..learn.logistic import sigmoid

__all__ = ["HELD", "Normal", "Prior", "posterior", "probability"]

#: Written by ``python -m benchmarks.yields``.
SHIPPED = Path(__file__).with_name("prior.json")
#: The slope of a reason that no judged file has tested: answers teach it.
UNKNOWN = (0.0, 1.0)
#: The variance of a level or slope that is held.
HELD = 1e-8
#: In `Prior.fit`, the first prior counts as half a file in the mean, as two in the spread.
HALF, FILES = 0.5, 2.0
#: A posterior is found in steps of this share of Newton's, at most so many.
DAMPED, STEPS = 0.7, 200


class Normal(NamedTuple):
    """Levels and slopes, normally distributed: of files in general, or of one file after answers."""

    mean: np.ndarray  #: (d,)
    covariance: np.ndarray  #: (d, d)


def posterior(before: Normal, x: np.ndarray, found: np.ndarray, offset: np.ndarray | float = 0.0) -> Normal:
    """Update levels and slopes by the results (1 or 0) for labels with columns x.

    The value is the normal distribution nearest to the exact one (variational, with MacKay's approximation): each
    result counts against the mean probability of its label. Laplace's approximation, about the most probable values,
    leaves the level too high where few labels are wrong.
    """
    precision, of = np.linalg.inv(before.covariance), before
    for _ in range(STEPS):
        flat = _flattened(of, x)
        p = sigmoid(flat * (x @ of.mean + offset))
        covariance = np.linalg.inv(precision + (x.T * (flat * p * (1 - p))) @ x)
        step = (covariance @ (x.T @ (found - p) - precision @ (of.mean - before.mean))).clip(-1, 1)
        of = Normal(of.mean + DAMPED * step, covariance)
        if np.abs(step).max() < 1e-9:
            break
    return of


def probability(of: Normal, x: np.ndarray, offset: np.ndarray | float = 0.0) -> np.ndarray:
    """The mean probability that labels with columns x are wrong, over possible levels and slopes."""
    return sigmoid(_flattened(of, x) * (x @ of.mean + offset))


def _flattened(of: Normal, x: np.ndarray) -> np.ndarray:
    """The factor that takes the log-odds of labels at the mean to the log-odds of their mean probability."""
    return 1 / np.sqrt(1 + np.pi / 8 * np.einsum("ij,ij->i", x @ of.covariance, x))  # MacKay 1992


class Prior(dict[str, Sequence[tuple[float, float]]]):
    """The level and the slope of each reason: their means and spreads between files, for positives and negatives.

    Examples
    --------
    >>> prior = Prior.shipped("words")
    >>> list(prior), prior["own"]
    (['level', 'words', 'own', 'top'], [[0.397, 0.311], [0.302, 0.347]])
    >>> prior.normal(1).mean.tolist()  # level and slopes of positives, those of negatives, the slope of a new reason
    [-1.249, 0.345, 0.397, 0.0, -2.37, 0.258, 0.302, 0.0, 0.0]
    """

    @classmethod
    def shipped(cls, name: str) -> Prior:
        """The prior of files whose sentences are read by "words", or by a "judge"; or of negatives, "follows"."""
        return cls(json.loads(SHIPPED.read_bytes())[name])

    def normal(self, more: int = 0) -> Normal:
        """Levels and slopes in one row: of each sign, then those of `more` reasons, which hold for both signs."""
        by_sign = [pair for pairs in zip(*self.values(), strict=True) for pair in pairs]
        mean, spread = np.array(by_sign + more * [UNKNOWN]).T
        return Normal(mean, np.diag(np.square(spread)))

    def columns(self, evidence: pd.DataFrame, more: Sequence[str] = ()) -> np.ndarray:
        """The columns that `normal` goes with, 0 where a reason is silent or a label has the other sign: (n, d)."""
        known = np.column_stack([np.ones(len(evidence)), *(evidence[name].fillna(0) for name in [*self][1:])])
        sign = np.stack([evidence["label"] > 0, evidence["label"] <= 0], axis=1)
        by_sign = (sign[:, :, None] * known[:, None]).reshape(len(sign), 2 * known.shape[1])
        return np.column_stack([by_sign, evidence[[*more]].fillna(0)])

    @classmethod
    def fit(cls, files: Sequence[Callable[[Normal], Normal]], first: Prior) -> Prior:
        """Fit a prior to judged files, each a function from a prior to the posterior of the file.

        Expectation–maximization, with a normal approximation in each file. The mean of so few files is itself not
        known, which widens the spread.
        """
        start = first.normal()
        mean, variance = start.mean, np.diag(start.covariance)
        for _ in range(100):
            each = [file(Normal(mean, np.diag(variance))) for file in files]
            means = np.array([one.mean for one in each])
            mean = (means.sum(axis=0) + HALF * start.mean) / (len(files) + HALF)
            of_files = ((means - mean) ** 2 + [np.diag(one.covariance) for one in each]).sum(axis=0)
            variance = (of_files + FILES * np.diag(start.covariance)) / (len(files) + FILES)
        spread = np.sqrt(variance * (1 + 1 / len(files)))
        signs = np.stack([mean, spread], axis=1).round(3).reshape(-1, len(first), 2).transpose(1, 0, 2)
        return cls(zip(first, signs.tolist(), strict=True))
