"""Levels and slopes: of files that nobody has judged, of one file after answers, and of a judge in a file."""

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
#: The variance of a level or slope that is held.
HELD = 1e-8
#: A posterior is found in steps of this share of Newton's, at most so many.
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
    of = before
    for _ in range(STEPS):
        flat = _flattened(of, x)
        p = sigmoid(flat * (x @ of.mean + offset))
        weight = flat * p * (1 - p)
        covariance = np.linalg.inv(precision + (x.T * weight) @ x)
        slope = x.T @ (found - p) - precision @ (of.mean - before.mean)
        step = (covariance @ slope).clip(-1, 1)
        of = Normal(of.mean + DAMPED * step, covariance)
        if np.abs(step).max() < 1e-9:
            break
    return of


def probability(of: Normal, x: Array, offset: Array | float = 0.0) -> Array:
    """The mean probability that labels with columns x are wrong, over possible levels and slopes."""
    return sigmoid(_flattened(of, x) * (x @ of.mean + offset))


def _flattened(of: Normal, x: Array) -> Array:
    """The factor that takes the log-odds of labels at the mean to the log-odds of their mean probability."""
    variance = np.einsum("ij,ij->i", x @ of.covariance, x)
    return 1 / np.sqrt(1 + np.pi / 8 * variance)  # MacKay 1992


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
        known = np.array([*self.values()])  # (reasons, signs, 2)
        by_sign = known.transpose(1, 0, 2).reshape(-1, 2)
        new = np.tile(UNKNOWN, (more, 1))
        mean, spread = np.concatenate([by_sign, new]).T
        return Normal(mean, np.diag(np.square(spread)))

    def columns(self, evidence: pd.DataFrame, more: Sequence[str] = ()) -> Array:
        """The columns that `normal` goes with, 0 where a reason is silent or a label has the other sign: (n, d)."""
        evidence = evidence.assign(level=1.0).fillna(0)
        known = evidence[[*self]].to_numpy(float)
        positive = evidence["label"].to_numpy()[:, None] > 0
        signs = [np.where(positive, known, 0), np.where(positive, 0, known)]
        return np.column_stack([*signs, evidence[[*more]]])


# -- the scale of a judge ------------------------------------------------------------------------------------

#: The log-odds of a conflict's negative being wrong, less those of its sentences meaning the same: log P(stated 0 |
#: the same) − log P(stated 0 | different). This value assumes that flips and cuts are equally frequent, as among the
#: 88 conflicts of Chen, Ji and Evans (2020).
DELTA = -NATURAL
#: Labels of each sign, drawn at random, that show the scale of a judge.
SCALED = 200
#: Level and slope before anything is known, by what teaches them: next to nothing of a judge in a new file; conflicts
#: teach the level alone, δ, and files differ in it by 2, as in other levels (`benchmarks.yields`); of pairs without a
#: label, P(same) counts as much as four answers; stated negatives teach how often those that follow are wrong.
BEFORE = {
    "labels": Normal(np.array([0.0, 1.0]), np.diag([100.0, 100.0])),
    "conflicts": Normal(np.array([DELTA, 1.0]), np.diag([4.0, HELD])),
    "unstated": Normal(np.array([0.0, 1.0]), np.diag([0.25, 0.25])),
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
        What the label says of them, or a person.

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
    """The level and slope that calibrate a judge's log-odds to a file's own labels, as many of each sign (`drawn`).

    A judge's .05 on one kind of text is .9 on another. Most stated labels are right; a judge that cannot tell their
    signs apart gets the slope 0. With fewer than `LABELS_PER_WEIGHT` of a sign the scale stays as it is.
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


def drawn(positive: Array, many: int = SCALED) -> Array:
    """Draw as many labels of each sign, in their order; none if a sign has fewer than `LABELS_PER_WEIGHT`."""
    most = rarer(positive)
    if most < LABELS_PER_WEIGHT:
        return np.empty(0, dtype=np.int64)
    rng = np.random.default_rng(0)
    edges = []
    for flags in (positive, ~positive):
        shuffled = rng.permutation(np.flatnonzero(flags))
        edges.append(shuffled[: min(many, most)])
    return np.sort(np.concatenate(edges))
