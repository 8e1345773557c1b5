"""Differences of two models: over seeds, over test pairs, and the smallest that could have been found."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ...files import PairsError
from ...files.errors import check_int
from .resampling import middle, ratios

__all__ = [
    "detectable_accuracy_difference",
    "mcnemar_p",
    "mcnemar_power",
    "over_pairs",
    "over_seeds",
    "t_power",
]

ALPHA = 0.05  # two-sided level of the tests
POWER = 0.8  # probability that a test finds the difference
DRAWS = 2_000  # of the bootstrap over pairs


def over_seeds(left: np.ndarray, right: np.ndarray) -> dict[str, float]:
    """Compare the scores of as many seeds each, `right` less `left`, by Student's unpaired t-test.

    Their variances are taken as equal, as in Jurišić et al. (2023), section 5. Scores of different seeds on one test
    set share that set: is training steadily better? Not: would other test pairs say the same?

    Returns
    -------
    dict
        The 95 % interval of the difference, `low` and `high`; `t`, `p`; and `detectable`, the smallest difference of
        the true means that the test would have found with power .8 at this spread. All missing with one seed, and
        where no seed differs from another.

    Examples
    --------
    >>> found = over_seeds(np.array([1.0, 2, 3, 4]), np.array([3.0, 4, 5, 6]))
    >>> {name: round(float(value), 3) for name, value in found.items()}
    {'low': -0.234, 'high': 4.234, 't': 2.191, 'p': 0.071, 'detectable': 3.074}
    """
    from scipy import optimize, stats

    n = len(left)
    both = np.array([left, right])
    constant = (np.ptp(both, axis=1) == 0).all()
    if n < 2 or constant or not np.isfinite(both).all():
        return dict.fromkeys(("low", "high", "t", "p", "detectable"), np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # one set that does not vary, which is fine
        test = stats.ttest_ind(right, left)
    low, high = test.confidence_interval(0.95)
    variance = both.var(axis=1, ddof=1).mean()
    least = optimize.brentq(lambda d: t_power(d, n) - POWER, 0, 1000)
    found = {"low": low, "high": high}
    found |= {"t": test.statistic, "p": test.pvalue}
    found["detectable"] = np.sqrt(variance) * least
    return found


def t_power(d: float, n: int) -> float:
    """Return the probability that a t-test of n scores each finds means that are d standard deviations apart.

    From the noncentral t distribution (Cohen 1988, chapter 2).

    >>> round(t_power(1.0, 17), 2)
    0.81
    """
    from scipy import stats

    df = 2 * n - 2
    far = d * np.sqrt(n / 2)
    edge = stats.t.isf(ALPHA / 2, df)
    upper = stats.nct.sf(edge, df, far)
    found = upper + stats.nct.cdf(-edge, df, far)
    # Far out, where the power is 1, scipy's tail comes out as NaN.
    if not np.isfinite(found):
        return 1.0
    return float(found)


def over_pairs(
    label: np.ndarray, left: np.ndarray, right: np.ndarray, groups: np.ndarray
) -> dict[str, float]:
    """Compare the accuracy of two models over test pairs, `right` less `left`.

    Parameters
    ----------
    label : array of 0 and 1, (n,)
    left, right : arrays of P(1), (seeds, n)
    groups : array, (n,)
        Pairs of one group depend on each other (their component, say).

    Returns
    -------
    dict
        `pairs low`, `pairs high`: the 95 % interval of the difference, a bootstrap that draws whole groups with all
        seeds of their pairs (Efron and Tibshirani 1993, chapter 13; at least some twenty groups should hold an error
        for it to mean much). Of the seeds' mean probabilities: `only train_set right` and `only against right`, how
        often only the right model or only the left one is right; `McNemar p` (`mcnemar_p`), which takes pairs as
        independent; and `pairs detectable` (`detectable_accuracy_difference`) where models disagree this often.

    Examples
    --------
    >>> label, left, right = np.ones(100), np.repeat([[1, 0]], 50, axis=1), np.repeat([[1, 0]], [60, 40], axis=1)
    >>> found = over_pairs(label, left, right, groups=np.arange(100) // 5)
    >>> found["pairs low"] > 0, found["only train_set right"], round(found["McNemar p"], 4)
    (False, 10, 0.001)
    """
    n = len(label)
    before = ((left >= 0.5) == label).sum(axis=0)
    after = ((right >= 0.5) == label).sum(axis=0)
    # Groups alike in (gain, pairs) are interchangeable: draw how many of each kind, not which.
    codes, _ = pd.factorize(groups)
    gains = np.bincount(codes, weights=after - before)
    pairs = np.bincount(codes) * len(left)
    of_groups = np.column_stack([gains, pairs])
    kinds, many = np.unique(of_groups, axis=0, return_counts=True)
    gain, size = kinds.T
    drawn = ratios(gain, size, many, DRAWS, 0)
    low, high = middle(drawn)
    first = (left.mean(axis=0) >= 0.5) == label
    second = (right.mean(axis=0) >= 0.5) == label
    lost = int((first & ~second).sum())
    won = int((second & ~first).sum())
    discordance = (won + lost) / n
    found = {"pairs low": low, "pairs high": high}
    found |= {"only train_set right": won, "only against right": lost}
    found["McNemar p"] = float(mcnemar_p(won, lost))
    found["pairs detectable"] = detectable_accuracy_difference(n, discordance)
    return found


def mcnemar_p(only_first: ArrayLike, only_second: ArrayLike) -> np.ndarray:
    """Return the two-sided mid-p value of McNemar's test (1947) that two predictions err equally often, elementwise.

    From the counts of the pairs where only one of the two is right: binomial, with the outcome seen counted half
    (recommended by Fagerland, Lydersen and Laake 2013).

    >>> mcnemar_p([5, 6, 7], [0, 0, 1]).round(4).tolist()
    [0.0313, 0.0156, 0.0391]
    """
    from scipy import stats

    b = np.asarray(only_first)
    c = np.asarray(only_second)
    few = np.minimum(b, c)
    n = b + c
    at_most = stats.binom.cdf(few, n, 0.5)
    return 2 * at_most - stats.binom.pmf(few, n, 0.5)


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

    check_int("n", n)
    if not 0 <= discordance <= 1:
        raise PairsError(f"discordance {discordance} is not between 0 and 1")
    power = mcnemar_power(n, discordance)
    if discordance == 0 or power(discordance) < POWER:
        return np.nan
    least = optimize.brentq(lambda gain: power(gain) - POWER, 0, discordance, xtol=1e-9)
    return float(least)


def mcnemar_power(n: int, discordance: float) -> Callable[[float], float]:
    """Return a function from a difference in accuracy to the probability that McNemar's test on `n` pairs finds it.

    The sum runs over the number m of discordant pairs, binomial (n, discordance), and over how many of them the
    better model wins, binomial (m, (1 + difference / discordance) / 2). Counts that together have a probability
    below 1e-9 are left out.

    >>> round(mcnemar_power(100, 0.2)(0.1), 2)
    0.62
    """
    from scipy import stats

    bounds = stats.binom.ppf([5e-10, 1 - 5e-10], n, discordance)
    least, most = bounds.astype(int)
    m = np.arange(least, most + 1)
    # The largest significant count of the rarer kind, -1 where none is: p rises up to m / 2, so bisection.
    critical = np.full(len(m), -1)
    high = m // 2
    while (critical < high).any():
        tried = (critical + high + 1) // 2
        significant = mcnemar_p(tried, m - tried) <= ALPHA
        critical = np.where(significant, tried, critical)
        high = np.where(significant, high, tried - 1)
    probability = stats.binom.pmf(m, n, discordance)

    def power(difference: float) -> float:
        wins = min(1.0, (1 + difference / discordance) / 2)
        # Significant: at most `critical` wins, or at most `critical` losses.
        won = stats.binom.cdf(critical, m, wins)
        lost = stats.binom.cdf(critical, m, 1 - wins)
        return float(probability @ (won + lost))

    return power
