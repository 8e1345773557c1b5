"""The power of an experiment: the smallest differences that it could have detected."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..pairs import PairsError
from ..pairs.errors import whole
from .significance import mcnemar_p

__all__ = [
    "detectable_accuracy_difference",
    "detectable_mean_difference",
    "largest_possible_difference",
    "mcnemar_power",
    "t_power",
]

ALPHA = 0.05  # two-sided level of the tests
POWER = 0.8  # probability that a test finds the difference


def detectable_accuracy_difference(n: int, discordance: float) -> float:
    """Return the smallest difference in accuracy of two models that McNemar's test detects in four of five cases.

    Parameters
    ----------
    n : int
        Test pairs, taken as independent. Where they share sentences the true figure is larger.
    discordance : float
        Share of the pairs on which exactly one of the two models is right.

    Returns
    -------
    float
        A share (0.01 is one point), at most `discordance`; NaN where the test detects no difference.

    Examples
    --------
    Two models that disagree on one pair in twenty of 10,000:

    >>> round(detectable_accuracy_difference(10_000, 0.05), 4)
    0.0063

    Two models that differ in two pairs: the test calls five pairs significant, all one way, and no fewer.

    >>> detectable_accuracy_difference(40_430, 2 / 40_430)
    nan
    """
    from scipy import optimize

    whole("n", n)
    if not 0 <= discordance <= 1:
        raise PairsError(f"discordance {discordance} is not between 0 and 1")
    outcomes = _outcomes(n, discordance)

    def lack(difference: float) -> float:
        return _power(outcomes, discordance, difference) - POWER

    if discordance == 0 or lack(discordance) < 0:
        return np.nan
    return float(optimize.brentq(lack, 0, discordance, xtol=1e-9))


def mcnemar_power(n: int, discordance: float, difference: float) -> float:
    """Return the probability that McNemar's test on `n` pairs finds a difference in accuracy.

    The sum runs over the number m of discordant pairs, binomial (n, discordance), and over how many of them the
    better model wins, binomial (m, (1 + difference / discordance) / 2). Counts that together have a probability
    below 1e-9 are left out.

    >>> round(mcnemar_power(100, 0.2, 0.1), 2)
    0.62
    """
    return _power(_outcomes(n, discordance), discordance, difference)


class Outcomes(NamedTuple):
    """Numbers m of discordant pairs, their probabilities, and the largest significant count of the rarer kind."""

    m: np.ndarray
    probability: np.ndarray
    critical: np.ndarray  #: −1 where no count is significant


def _outcomes(n: int, discordance: float) -> Outcomes:
    from scipy import stats

    least, most = stats.binom.ppf([5e-10, 1 - 5e-10], n, discordance).astype(int)
    m = np.arange(least, most + 1)
    low, high = np.full(len(m), -1), m // 2  # p rises with the count up to m / 2: bisection
    while (low < high).any():
        middle = (low + high + 1) // 2
        significant = mcnemar_p(middle, m - middle) <= ALPHA
        low, high = np.where(significant, middle, low), np.where(significant, high, middle - 1)
    return Outcomes(m, stats.binom.pmf(m, n, discordance), low)


def _power(outcomes: Outcomes, discordance: float, difference: float) -> float:
    from scipy import stats

    m, probability, critical = outcomes
    wins = min(1.0, (1 + difference / discordance) / 2)
    # Significant: at most `critical` wins, or at most `critical` losses.
    return float(probability @ (stats.binom.cdf(critical, m, wins) + stats.binom.cdf(critical, m, 1 - wins)))


def detectable_mean_difference(sd: float, n: int) -> float:
    """Return the smallest difference of two mean scores that Student's t-test detects in four of five cases.

    Parameters
    ----------
    sd : float
        Standard deviation of the scores within each set, the same in both, such as that over seeds. The
        result has its unit.
    n : int
        Scores in each set.

    Examples
    --------
    Five seeds each: the true means have to be two standard deviations apart.

    >>> round(detectable_mean_difference(1.0, 5), 2)
    2.02
    """
    from scipy import optimize

    whole("n", n, 2)
    if not sd >= 0:
        raise PairsError(f"sd {sd} is below 0, or no number")
    return sd * float(optimize.brentq(lambda d: t_power(d, n) - POWER, 0, 1000))


def t_power(d: float, n: int) -> float:
    """Return the probability that a t-test of n scores each finds means that are d standard deviations apart.

    From the noncentral t distribution (Cohen 1988, chapter 2).

    >>> round(t_power(1.0, 17), 2)
    0.81
    """
    from scipy import stats

    df, far = 2 * n - 2, d * np.sqrt(n / 2)
    edge = stats.t.isf(ALPHA / 2, df)
    found = stats.nct.sf(edge, df, far) + stats.nct.cdf(-edge, df, far)
    # Far out, where the power is 1, scipy's tail comes out as NaN.
    return float(found) if np.isfinite(found) else 1.0


def largest_possible_difference(changed: int, n: int) -> float:
    """Return the largest difference in accuracy of the same predictions on two test sets of n.

    The two differ in `changed` labels.

    Chen, Ji and Evans (2020), Table 2, print 90.35 % and 90.09 % for test sets that differ in 2 of 40,430
    labels; the same predictions cannot differ by more than

    >>> f"{largest_possible_difference(2, 40_430):.3%}"
    '0.005%'
    """
    whole("n", n)
    if whole("changed", changed, 0) > n:
        raise PairsError(f"{changed} changed labels are more than all {n}")
    return changed / n
