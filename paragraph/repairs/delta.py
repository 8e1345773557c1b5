"""δ: what the label 0 says of a pair inside a cluster, learned from conflicts that people judged."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..measure.weights import sigmoid
from .sameness import SHARE

__all__ = ["DELTA", "PRIOR_CONFLICTS", "Delta", "delta_in_words", "learn_delta", "prior_shift"]

#: What the label 0 says of a pair inside a cluster: log P(stated 0 | the same) − log P(stated 0 | different). This
#: value takes flips and cuts to be equally frequent, as they are among the 88 conflicts of Chen, Ji and Evans (2020).
DELTA = float(-np.log(SHARE / (1 - SHARE)))
#: Judged conflicts that `DELTA` is worth.
PRIOR_CONFLICTS = 10
#: Beyond this δ says that all conflicts are alike.
_MOST = 15.0


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
    [-0.65, -1.97, 0.66, 0]
    >>> delta = learn_delta(np.zeros(40), np.array([0] * 30 + [1] * 10))
    >>> [round(x, 2) for x in delta]
    [-0.99, -1.65, -0.41, 40]
    """
    z = np.append(log_odds, -DELTA)
    times = np.append(np.ones(len(same)), PRIOR_CONFLICTS)
    y = np.append(same, 0.5)
    value = DELTA
    for _ in range(100):  # Newton's method; what is maximised is concave
        p = sigmoid(z + value)
        precision = float(times @ (p * (1 - p)))
        step = float(times @ (y - p)) / precision
        value += float(np.clip(step, -1, 1))
        if abs(step) < 1e-9:
            break
    grid = value + np.linspace(-12, 12, 481) / np.sqrt(precision)
    x = z[:, None] + grid
    posterior = times @ (y[:, None] * x - np.logaddexp(0, x))  # log P(y) = y x − log(1 + exp(x))
    weight = np.exp(posterior - posterior.max())
    below = (np.cumsum(weight) - weight / 2) / weight.sum()
    low, high = np.interp([0.025, 0.975], below, grid).tolist()
    return Delta(value, low, high, len(same))


def prior_shift(log_odds: np.ndarray, share: float = SHARE) -> float:
    """δ from conflicts that nobody judged, by expectation–maximisation: a check, for it trusts p_same entirely.

    The share of conflicts that mean the same is taken to be the mean of their probabilities, which are shifted to
    that share, until nothing changes (Saerens, Latinne and Decaestecker 2002, Neural Computation 14, section 2.2).
    NaN where there is no conflict; beyond ±15 δ is cut off, as the most likely share may be 0 or 1.

    Parameters
    ----------
    log_odds : float array
        Logit of `p_same`.
    share : float
        The share for which `p_same` is calibrated.

    Examples
    --------
    >>> round(prior_shift(np.array([-2.0, -1.0, 0.0, 1.0, 2.5])), 2)
    -1.82
    """
    if not len(log_odds):
        return float("nan")
    start = np.log(share) - np.log1p(-share)
    delta, last = 0.0, np.inf
    for _ in range(10_000):
        if abs(delta - last) < 1e-9 or abs(delta) > _MOST:
            break
        mean, last = sigmoid(log_odds + delta).mean(), delta
        delta = float(np.log(mean) - np.log1p(-mean) - start)
    return float(np.clip(delta, -_MOST, _MOST))


def delta_in_words(found: dict[str, Any]) -> str:
    """What `repair` says of δ in its `attrs`, as a line.

    Examples
    --------
    >>> told = {"value": -0.65, "low": -1.97, "high": 0.66, "judged": 0, "em": None, "turn_below": 2, "turn_above": 1}
    >>> delta_in_words(told)
    'δ −0.65 (95 %: −1.97 to 0.66; 0 conflicts judged); at δ − 1 turn 2 proposals, at δ + 1 turn 1'
    """
    judged, em = found["judged"], found["em"]
    how = f"{judged:,} conflict{'s' * (judged != 1)} judged"
    how = "given" if found["low"] is None else f"95 %: {found['low']:.2f} to {found['high']:.2f}; {how}"
    alike = "all flips" if em == _MOST else "all cuts" if em == -_MOST else ""
    check = "" if em is None else f"; by expectation–maximisation {alike or f'{em:.2f}'}"
    turns = f"at δ − 1 turn {found['turn_below']:,} proposals, at δ + 1 turn {found['turn_above']:,}"
    return f"δ {found['value']:.2f} ({how}{check}); {turns}".replace(" -", " −").replace("(-", "(−")
