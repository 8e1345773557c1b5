"""The scale of a judge in a file: the level and the slope of its log-odds, by labels and by people's answers."""

from __future__ import annotations

import numpy as np

from ..learn.logistic import SUREST
from .prior import HELD, Normal, posterior
from .shipped import LABELS_PER_WEIGHT, NATURAL

__all__ = ["DELTA", "SCALED", "drawn", "learnt", "scale_of", "scaled"]

#: The log-odds of a conflict's negative being wrong, less those of its sentences meaning the same: log P(stated 0 |
#: the same) − log P(stated 0 | different). This value assumes that flips and cuts are equally frequent, as among the
#: 88 conflicts of Chen, Ji and Evans (2020).
DELTA = -NATURAL
#: Labels of each sign, drawn at random, that show the scale of a judge.
SCALED = 200
#: Level and slope before anything is known, by what teaches them: next to nothing of a judge in a new file; conflicts
#: teach the level alone, δ, and files differ in it by 2, as in other levels (`benchmarks.yields`); of pairs without a
#: label, P(same) counts as much as four answers.
BEFORE = {
    "labels": Normal(np.array([0.0, 1.0]), np.diag([100.0, 100.0])),
    "conflicts": Normal(np.array([DELTA, 1.0]), np.diag([4.0, HELD])),
    "unstated": Normal(np.array([0.0, 1.0]), np.diag([0.25, 0.25])),
}


def learnt(by: str, same: np.ndarray, found: np.ndarray) -> Normal:
    """Learn how far a judge is trusted: the level and the slope of its log-odds.

    Parameters
    ----------
    by : {"labels", "conflicts", "unstated"}
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
    return posterior(BEFORE[by], np.column_stack([np.ones(len(same)), same]), found)


def scale_of(same: np.ndarray, positive: np.ndarray) -> tuple[float, float]:
    """The level and slope that calibrate a judge's log-odds to a file's own labels, as many of each sign (`drawn`).

    A judge's .05 on one kind of text is .9 on another. Most stated labels are right; a judge that cannot tell their
    signs apart gets the slope 0. With fewer than `LABELS_PER_WEIGHT` of a sign the scale stays as it is.
    """
    if min(np.count_nonzero(positive), np.count_nonzero(~positive)) < LABELS_PER_WEIGHT:
        return 0.0, 1.0
    if np.ptp(same) == 0:
        return 0.0, 0.0
    level, slope = learnt("labels", same, positive).mean.tolist()
    return (level, slope) if slope > 0 else (0.0, 0.0)


def scaled(scale: tuple[float, float], same: np.ndarray) -> np.ndarray:
    """A judge's log-odds on the scale of a file, none surer than `SUREST`."""
    level, slope = scale
    return (level + slope * same).clip(-SUREST, SUREST)


def drawn(positive: np.ndarray, many: int = SCALED) -> np.ndarray:
    """Draw as many labels of each sign, in their order; none if a sign has fewer than `LABELS_PER_WEIGHT`."""
    rng = np.random.default_rng(0)
    signs = [np.flatnonzero(positive), np.flatnonzero(~positive)]
    least = min(map(len, signs))
    if least < LABELS_PER_WEIGHT:
        return signs[0][:0]
    return np.sort(np.concatenate([rng.permutation(edges)[: min(many, least)] for edges in signs]))
