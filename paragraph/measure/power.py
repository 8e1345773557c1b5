"""The power of an experiment: the smallest differences that it could have detected."""

from __future__ import annotations

import numpy as np

from ..pairs import PairsError
from ..pairs.errors import whole
from .compare import mcnemar_p

__all__ = [
    "detectable_accuracy_difference",
    "detectable_mean_difference",
    "largest_possible_difference",
    "mcnemar_power",
    "t_power",
]


def detectable_accuracy_difference(
    n: int, discordance: float, alpha: float = 0.05, power: float = 0.8, method: str = "mid-p"
) -> float:
    """The smallest difference in accuracy of two models that McNemar's test detects with that power.

    Parameters
    ----------
    n : int
        Test pairs, taken as independent. Where they share sentences the true figure is larger.
    discordance : float
        Share of the pairs on which exactly one of the two models is right.
    alpha, power : float
        Two-sided level of the test; probability that it finds the difference.
    method : str
        As in `compare.mcnemar`.

    Returns
    -------
    float
        As a share (0.01 is one point); NaN where no difference can be detected. It cannot exceed `discordance`.

    Examples
    --------
    Two models that disagree on one pair in twenty of 10,000:

    >>> round(detectable_accuracy_difference(10_000, 0.05), 4)
    0.0063

    Two that differ in two pairs: five, all one way, are the fewest that the test calls significant.

    >>> detectable_accuracy_difference(40_430, 2 / 40_430)
    nan
    """
    from scipy import optimize

    _check(alpha, power)
    whole("n", n)
    if not 0 <= discordance <= 1:
        raise PairsError(f"discordance {discordance} is not between 0 and 1")

    outcomes = _outcomes(n, discordance, alpha, method)

    def lack(difference: float) -> float:
        return _found(outcomes, discordance, difference) - power

    if discordance == 0 or lack(discordance) < 0:
        return np.nan
    return float(optimize.brentq(lack, 0, discordance, xtol=1e-9))


def mcnemar_power(n: int, discordance: float, difference: float, alpha: float = 0.05, method: str = "mid-p") -> float:
    """The probability that McNemar's test on `n` pairs finds a difference in accuracy that is there.

    Exact, by summing over the number m of discordant pairs, which is binomial (n, discordance), and over how
    many of them the better model wins, binomial (m, (1 + difference / discordance) / 2). Counts so rare that
    all of them together have a probability below 1e-9 are left out.

    >>> round(mcnemar_power(100, 0.2, 0.1), 2)
    0.62
    """
    return _found(_outcomes(n, discordance, alpha, method), discordance, difference)


def _outcomes(n: int, discordance: float, alpha: float, method: str) -> tuple[np.ndarray, ...]:
    """Each number m of discordant pairs, its probability, and the largest significant count among them."""
    from scipy import stats

    low, high = stats.binom.ppf([5e-10, 1 - 5e-10], n, discordance).astype(int)
    m = np.arange(low, high + 1)
    return m, stats.binom.pmf(m, n, discordance), _critical(m, alpha, method)


def _found(outcomes: tuple[np.ndarray, ...], discordance: float, difference: float) -> float:
    from scipy import stats

    m, weight, critical = outcomes
    wins = min(1.0, (1 + difference / discordance) / 2)
    # Significant: at most `critical` wins, or at most `critical` losses.
    return float(weight @ (stats.binom.cdf(critical, m, wins) + stats.binom.cdf(critical, m, 1 - wins)))


def _critical(m: np.ndarray, alpha: float, method: str) -> np.ndarray:
    """The largest count of the rarer kind among m that is significant, -1 where none is."""
    low, high = np.full(len(m), -1), m // 2  # p rises with the count up to m / 2: bisection
    while (low < high).any():
        middle = (low + high + 1) // 2
        significant = mcnemar_p(middle, m - middle, method) <= alpha
        low, high = np.where(significant, middle, low), np.where(significant, high, middle - 1)
    return low


def detectable_mean_difference(
    sd: float, n_first: int, n_second: int | None = None, alpha: float = 0.05, power: float = 0.8
) -> float:
    """The smallest difference of two mean scores that Student's unpaired t-test detects with that power.

    Parameters
    ----------
    sd : float
        Standard deviation of the scores within each set, the same in both, such as that over seeds. The
        result has its unit.
    n_first, n_second : int
        Scores in each set; the second as many as the first where left out.

    Examples
    --------
    Five seeds each: the true means have to be two standard deviations apart.

    >>> round(detectable_mean_difference(1.0, 5), 2)
    2.02
    """
    from scipy import optimize

    _check(alpha, power)
    n_second = n_first if n_second is None else n_second
    whole("n_first", n_first, 2)
    whole("n_second", n_second, 2)
    if not sd >= 0:
        raise PairsError(f"sd {sd} is below 0, or no number")
    return sd * float(optimize.brentq(lambda d: t_power(d, n_first, n_second, alpha) - power, 0, 1000))


def t_power(d: float, n_first: int, n_second: int, alpha: float = 0.05) -> float:
    """The probability that a two-sided unpaired t-test finds means that are d standard deviations apart.

    From the noncentral t distribution (Cohen 1988, chapter 2).

    >>> round(t_power(1.0, 17, 17), 2)
    0.81
    """
    from scipy import stats

    df = n_first + n_second - 2
    far = d * np.sqrt(n_first * n_second / (n_first + n_second))
    edge = stats.t.isf(alpha / 2, df)
    found = stats.nct.sf(edge, df, far) + stats.nct.cdf(-edge, df, far)
    # Far out, where the power is 1, scipy's tail comes out as NaN.
    return float(found) if np.isfinite(found) else 1.0


def largest_possible_difference(changed: int, n: int) -> float:
    """The largest difference in accuracy of the same predictions on two test sets of n that differ in some labels.

    Chen, Ji and Evans (2020), Table 2, print 90.35 % and 90.09 % for test sets that differ in 2 of 40,430
    labels; the same predictions cannot differ by more than

    >>> f"{largest_possible_difference(2, 40_430):.3%}"
    '0.005%'
    """
    whole("n", n)
    if whole("changed", changed, 0) > n:
        raise PairsError(f"{changed} changed labels are more than all {n}")
    return changed / n


def _check(alpha: float, power: float) -> None:
    if not 0 < alpha < power < 1:
        raise PairsError(f"alpha={alpha} and power={power} must be shares with 0 < alpha < power < 1")
