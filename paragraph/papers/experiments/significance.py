"""Differences of two models: over seeds, over test pairs, and the smallest that could have been found."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...files import PairsError
from ...files.errors import check_int
from .resampling import middle, ratios

__all__ = ["detectable_accuracy_difference", "over_pairs", "over_seeds"]

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
        The 95 % interval of the difference, `low` and `high`; `p`; and `detectable`, the smallest difference of the
        true means that the test would have found with power .8 at this spread: the standard error times the sum of
        two quantiles of Student's t (a hundredth less than by the noncentral t from three seeds on). All missing with
        one seed, and where no seed differs from another.

    Examples
    --------
    >>> found = over_seeds(np.array([1.0, 2, 3, 4]), np.array([3.0, 4, 5, 6]))
    >>> {name: round(float(value), 3) for name, value in found.items()}
    {'low': -0.234, 'high': 4.234, 'p': 0.071, 'detectable': 3.061}
    """
    from scipy.stats import t

    n = len(left)
    both = np.array([left, right])
    constant = (np.ptp(both, axis=1) == 0).all()
    if n < 2 or constant or not np.isfinite(both).all():
        return dict.fromkeys(("low", "high", "p", "detectable"), np.nan)
    freedom = 2 * n - 2
    error = np.sqrt(both.var(axis=1, ddof=1).sum() / n)
    difference = right.mean() - left.mean()
    half = t.isf(ALPHA / 2, freedom) * error
    found = {"low": difference - half, "high": difference + half}
    found["p"] = 2 * t.sf(abs(difference) / error, freedom)
    found["detectable"] = half + t.ppf(POWER, freedom) * error
    return found


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
        for it to mean much). `pairs detectable`: `detectable_accuracy_difference` where the models disagree as often
        as the seeds' mean probabilities do.

    Examples
    --------
    >>> label, left, right = np.ones(100), np.repeat([[1, 0]], 50, axis=1), np.repeat([[1, 0]], [60, 40], axis=1)
    >>> found = over_pairs(label, left, right, groups=np.arange(100) // 5)
    >>> found["pairs low"] > 0, round(found["pairs detectable"], 3)
    (False, 0.088)
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
    first = left.mean(axis=0) >= 0.5
    second = right.mean(axis=0) >= 0.5
    found = {"pairs low": low, "pairs high": high}
    found["pairs detectable"] = detectable_accuracy_difference(n, float((first != second).mean()))
    return found


def detectable_accuracy_difference(n: int, discordance: float) -> float:
    """Return the smallest difference in accuracy of two models that McNemar's test detects in four of five cases.

    By the normal approximation (Connor 1987, Biometrics 43): the least g with
    g √n = z₁ √discordance + z₂ √(discordance − g²).

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

    Two models that differ in two pairs, which the test cannot call significant:

    >>> detectable_accuracy_difference(40_430, 2 / 40_430)
    nan
    """
    from scipy.stats import norm

    check_int("n", n)
    if not 0 <= discordance <= 1:
        raise PairsError(f"discordance {discordance} is not between 0 and 1")
    chance = norm.isf(ALPHA / 2)
    power = norm.ppf(POWER)
    # The greater root of (n + z₂²) g² − 2 z₁ √(n discordance) g + (z₁² − z₂²) discordance = 0.
    square = n + power**2
    middle = chance * np.sqrt(n * discordance)
    rest = (chance**2 - power**2) * discordance
    least = (middle + np.sqrt(middle**2 - square * rest)) / square
    if not 0 < least <= discordance:
        return np.nan
    return float(least)
