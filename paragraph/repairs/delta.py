"""The evidence δ of a label 0 that two sentences of a cluster do not mean the same."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..learn.logistic import newton
from ..learn.same import NATURAL

__all__ = ["DELTA", "PRIOR_CONFLICTS", "Delta", "delta_in_words", "learn_delta"]

#: Evidence of a label 0 on a pair inside a cluster: log P(stated 0 | the same) − log P(stated 0 | different). This
#: value takes flips and cuts to be equally frequent, as they are among the 88 conflicts of Chen, Ji and Evans (2020).
DELTA = -NATURAL
#: Judged conflicts that `DELTA` is worth.
PRIOR_CONFLICTS = 10


class Delta(NamedTuple):
    """δ with its 95 % interval, and the number of judged conflicts behind it."""

    value: float
    low: float
    high: float
    judged: int


def learn_delta(log_odds: np.ndarray, same: np.ndarray) -> Delta:
    """δ from judged conflicts: the intercept of a logistic regression with logit p_same as offset.

    P(same | a conflict) = sigmoid(logit p_same + δ). The prior stands for ten conflicts of average p_same (`SHARE`)
    more, half of them the same, so that δ is `DELTA` where nothing is judged.

    Parameters
    ----------
    log_odds : float array
        Logit of `p_same` of each judged conflict.
    same : array of 0 and 1

    Returns
    -------
    Delta
        The most probable value a posteriori (MAP); the middle 95 % of the posterior.

    Examples
    --------
    >>> delta = learn_delta(np.zeros(0), np.zeros(0))
    >>> [round(x, 2) for x in delta]
    [-1.09, -2.41, 0.22, 0]
    >>> delta = learn_delta(np.zeros(40), np.array([0] * 30 + [1] * 10))
    >>> [round(x, 2) for x in delta]
    [-1.1, -1.76, -0.51, 40]
    """
    z = np.append(log_odds, -DELTA)
    times = np.append(np.ones(len(same)), PRIOR_CONFLICTS)
    y = np.append(same, 0.5)
    [value], [[precision]] = newton(np.ones((len(z), 1)), y, times, np.array([DELTA]), offset=z)
    grid = value + np.linspace(-12, 12, 481) / np.sqrt(precision)
    x = z[:, None] + grid
    posterior = times @ (y[:, None] * x - np.logaddexp(0, x))  # log P(y) = y x − log(1 + exp(x))
    weight = np.exp(posterior - posterior.max())
    below = (np.cumsum(weight) - weight / 2) / weight.sum()
    low, high = np.interp([0.025, 0.975], below, grid).tolist()
    return Delta(float(value), low, high, len(same))


def delta_in_words(found: dict[str, Any]) -> str:
    """Return the account of δ in the `attrs` of `repair` as a line.

    Examples
    --------
    >>> told = {"value": -0.65, "low": -1.97, "high": 0.66, "judged": 0, "turn_below": 2, "turn_above": 1}
    >>> delta_in_words(told)
    'δ −0.65 (95 %: −1.97 to 0.66; 0 conflicts judged); at δ − 1 turn 2 proposals, at δ + 1 turn 1'
    """
    judged = found["judged"]
    how = f"{judged:,} conflict{'s' * (judged != 1)} judged"
    how = "given" if found["low"] is None else f"95 %: {found['low']:.2f} to {found['high']:.2f}; {how}"
    turns = f"at δ − 1 turn {found['turn_below']:,} proposals, at δ + 1 turn {found['turn_above']:,}"
    return f"δ {found['value']:.2f} ({how}); {turns}".replace(" -", " −").replace("(-", "(−")
