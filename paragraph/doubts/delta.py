"""δ: how much a label 0 on a pair inside a cluster says, as judged conflicts of a file tell."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .judges import NATURAL
from .prior import Normal, posterior

__all__ = ["DELTA", "SPREAD", "Delta", "learn_delta"]

#: Evidence of a label 0 on a pair inside a cluster: log P(stated 0 | the same) − log P(stated 0 | different). This
#: value assumes that flips and cuts are equally frequent, as among the 88 conflicts of Chen, Ji and Evans (2020).
DELTA = -NATURAL
#: Standard deviations between files, as of other levels and slopes (`benchmarks.yields`): of δ, and of the slope on
#: the logarithm of the number of paths.
SPREAD = np.array([2.0, 0.4])


class Delta(NamedTuple):
    """δ with its 95 % interval, the number of judged conflicts behind it, and the slope on log paths."""

    value: float
    low: float
    high: float
    judged: int
    slope: float = 0.0


def learn_delta(log_odds: np.ndarray, same: np.ndarray, log_paths: np.ndarray) -> Delta:
    """δ from judged conflicts: the intercept of a logistic regression with logit p_same as offset.

    P(same | a conflict) = sigmoid(logit p_same + δ + slope · log paths). Both belong to this file, like the levels
    and slopes of other labels (`prior.posterior`); before anything is judged, they are `DELTA` and 0. Wrong positives
    in families support each other, so many paths are no evidence until this file has shown that they are.

    Parameters
    ----------
    log_odds : float array
        Logit of `p_same` of each judged conflict.
    same : array of 0 and 1
    log_paths : float array
        Logarithm of the number of paths of positives that share no step and join its two sentences.

    Returns
    -------
    Delta
        The most probable values a posteriori (MAP); the middle 95 % of δ by Laplace's approximation.

    Examples
    --------
    >>> delta = learn_delta(np.zeros(0), np.zeros(0), np.zeros(0))
    >>> [round(x, 2) for x in delta]
    [-1.09, -5.01, 2.83, 0, 0.0]
    >>> delta = learn_delta(np.zeros(40), np.array([0] * 30 + [1] * 10), np.log(np.repeat([1, 4], [30, 10])))
    >>> [round(x, 2) for x in delta]
    [-1.57, -2.37, -0.77, 40, 1.12]
    """
    x = np.column_stack([np.ones(len(same)), log_paths])
    of = posterior(Normal(np.array([DELTA, 0.0]), np.diag(SPREAD**2)), x, same, log_odds)
    (value, slope), error = of.mean.tolist(), of.covariance[0, 0].item() ** 0.5
    return Delta(value, value - 1.96 * error, value + 1.96 * error, len(same), slope)
