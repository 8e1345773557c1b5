"""Levels and slopes: of files in general, of one file after answers, and of a judge in a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..graph.arrays import Array
from ..learn.logistic import SUREST, sigmoid
from .shipped import LABELS_PER_WEIGHT, NATURAL, rarer

__all__ = ["Normal", "Prior", "drawn", "learnt", "posterior", "probability", "scale_of", "scaled"]

#: Written by ``python -m benchmarks.yields``.
SHIPPED = Path(__file__).with_name("prior.json")
#: The slope of a reason that no judged file has tested: answers teach it.
UNKNOWN = (0.0, 1.0)
#: The variance of a level or slope that answers shall not move.
FIXED = 1e-8
#: The share of each Newton step that is taken, so that steps do not overshoot; and the most steps.
DAMPED = 0.7
STEPS = 200


class Normal(NamedTuple):
    """Levels and slopes, normally distributed: of files in general, or of one file after answers."""

    mean: Array  #: (d,)
    covariance: Array  #: (d, d)


def posterior(before: Normal, x: Array, found: Array, offset: Array | float = 0.0) -> Normal:
    """Update levels and slopes by the results (1 or 0) for labels with columns x.

    The value is the normal distribution nearest to the exact one (variational, with MacKay's approximation): each
    result counts against the mean probability of its label. Laplace's approximation, about the most probable values,
    leaves the level too high where few labels are wrong.
    """
    precision = np.linalg.inv(before.covariance)
    after = before
    for _ in range(STEPS):
        shrink = _shrinkage(after, x)
        z = x @ after.mean + offset
        p = sigmoid(shrink * z)
        weight = shrink * p * (1 - p)
        curvature = precision + (x.T * weight) @ x
        covariance = np.linalg.inv(curvature)
        gradient = x.T @ (found - p)
        gradient -= precision @ (after.mean - before.mean)
        step = (covariance @ gradient).clip(-1, 1)
        after = Normal(after.mean + DAMPED * step, covariance)
        if np.abs(step).max() < 1e-9:
            break
    return after


def probability(coefficients: Normal, x: Array, offset: Array | float = 0.0) -> Array:
    """The mean probability that labels with columns x are wrong, over possible levels and slopes."""
    z = x @ coefficients.mean + offset
    return sigmoid(_shrinkage(coefficients, x) * z)


def _shrinkage(coefficients: Normal, x: Array) -> Array:
    """The factor from the log-odds of labels at the mean to the log-odds of their mean probability."""
    variance = np.einsum("ij,ij->i", x @ coefficients.covariance, x)
    return 1 / np.sqrt(1 + np.pi / 8 * variance)  # MacKay 1992


class Prior(dict[str, Sequence[tuple[float, float]]]):
    """The level and the slope of each reason: mean and spread between files, for positives and for negatives.

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
        """The prior for files read by "words" or by a "judge", or for inferred negatives: "follows"."""
        priors = json.loads(SHIPPED.read_bytes())
        return cls(priors[name])

    def normal(self, more: int = 0) -> Normal:
        """Levels and slopes in one row: of each sign, then of `more` reasons, which hold for both signs."""
        by_reason = np.array([*self.values()])  # (reasons, signs, 2)
        by_sign = by_reason.transpose(1, 0, 2).reshape(-1, 2)
        new = np.tile(UNKNOWN, (more, 1))
        mean, spread = np.concatenate([by_sign, new]).T
        return Normal(mean, np.diag(np.square(spread)))

    def columns(self, evidence: pd.DataFrame, more: Sequence[str] = ()) -> Array:
        """The columns for `normal`, 0 where a reason is silent or a label has the other sign: (n, d)."""
        evidence = evidence.assign(level=1.0)
        evidence = evidence.fillna(0)
        values = evidence[[*self]].to_numpy(float)
        positive = evidence[["label"]].to_numpy() > 0
        of_positives = np.where(positive, values, 0)
        of_negatives = np.where(positive, 0, values)
        return np.column_stack([of_positives, of_negatives, evidence[[*more]]])


# -- the scale of a judge ------------------------------------------------------------------------------------

#: The log-odds of a conflict's negative being wrong, less those of its sentences meaning the same: log P(stated 0 |
#: the same) − log P(stated 0 | different). This value assumes that flips and cuts are equally frequent, as among the
#: 88 conflicts of Chen, Ji and Evans (2020).
DELTA = -NATURAL
#: The number of labels of each sign, drawn at random, that show the scale of a judge.
SCALED = 200


def _with_variances(level: float, *variances: float) -> Normal:
    """A level and the slope 1, by themselves, each with its variance."""
    return Normal(np.array([level, 1.0]), np.diag(variances))


#: Level and slope of a judge before anything is known, by the pairs that teach them. Labels: in a new file, a
#: judge may have any scale. Conflicts: only the level, δ, is learnt; it differs between files by 2, like other
#: levels (`benchmarks.yields`). Unstated pairs: P(same) counts as much as four answers. Stated negatives: they
#: show how often inferred ones are wrong.
BEFORE = {
    "labels": _with_variances(0.0, 100.0, 100.0),
    "conflicts": _with_variances(DELTA, 4.0, FIXED),
    "unstated": _with_variances(0.0, 0.25, 0.25),
    "negatives": Prior.shipped("follows").normal(),
}


def learnt(by: str, same: Array, found: Array) -> Normal:
    """Learn how far a judge is trusted: the level and the slope of its log-odds.

    Parameters
    ----------
    by : {"labels", "conflicts", "unstated", "negatives"}
        The pairs that teach it.
    same : float array
        The judge's log-odds that the sentences of these pairs mean the same.
    found : array of 0 and 1
        The meaning of each pair, by its label or by a person's answer.

    Examples
    --------
    >>> delta = learnt("conflicts", np.zeros(40), np.repeat([0, 1], [30, 10]))
    >>> delta.mean.round(1).tolist()
    [-1.1, 1.0]
    """
    return posterior(BEFORE[by], with_level(same), np.asarray(found, dtype=float))


def with_level(same: Array) -> Array:
    """The columns of a level and of a judge: (n, 2)."""
    return np.column_stack([np.ones(len(same)), same])


def scale_of(same: Array, positive: Array) -> tuple[float, float]:
    """The level and slope that calibrate a judge's log-odds to labels of a file, as many of each sign (`drawn`).

    The same judgement may be .05 on one kind of text and .9 on another, but most stated labels are right. A judge
    that cannot tell their signs apart gets the slope 0. With fewer than `LABELS_PER_WEIGHT` labels of a sign, the
    scale stays as it is.
    """
    if rarer(positive) < LABELS_PER_WEIGHT:
        return 0.0, 1.0
    level, slope = learnt("labels", same, positive).mean.tolist()
    if slope > 0 and np.ptp(same) > 0:
        return level, slope
    return 0.0, 0.0


def scaled(scale: tuple[float, float], same: Array) -> Array:
    """A judge's log-odds on the scale of a file, none surer than `SUREST`."""
    level, slope = scale
    return (level + slope * same).clip(-SUREST, SUREST)


def drawn(positive: Array, count: int = SCALED) -> Array:
    """Draw equally many labels of each sign, sorted; none if a sign has fewer than `LABELS_PER_WEIGHT`."""
    available = rarer(positive)
    if available < LABELS_PER_WEIGHT:
        return np.empty(0, dtype=np.int64)
    rng = np.random.default_rng(0)
    edges = []
    for flags in (positive, ~positive):
        shuffled = rng.permutation(np.flatnonzero(flags))
        edges.append(shuffled[: min(count, available)])
    return np.sort(np.concatenate(edges))
