"""Do two models differ? Tests, intervals, effect sizes, and the smallest differences that a test could have found."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ...measure.scoring import Z, floats, is_flag
from ...pairs import PairsError
from ...pairs.errors import whole
from .resampling import middle, ratios

__all__ = [
    "accuracy_difference", "detectable_accuracy_difference", "detectable_mean_difference", "effect_size",
    "mcnemar", "mcnemar_p", "mcnemar_power", "t_power", "unpaired_t",
]  # fmt: skip

ALPHA = 0.05  # two-sided level of the tests
POWER = 0.8  # probability that a test finds the difference


def mcnemar(label: ArrayLike, first: ArrayLike, second: ArrayLike) -> pd.Series:
    """Test whether two predictions (0 or 1) on the same labelled pairs err equally often (McNemar 1947).

    Only the pairs count where exactly one of the two is right. Pairs are taken as independent, which pairs
    that share sentences are not: see `accuracy_difference` with groups.

    Returns
    -------
    Series
        n, only first right, only second right, p, method: *mid-p*, binomial with the outcome seen counted half
        (recommended by Fagerland, Lydersen and Laake 2013).

    Examples
    --------
    >>> found = mcnemar([1] * 8, [1] * 7 + [0], [0] * 7 + [1])
    >>> found["only first right"], found["only second right"], round(found["p"], 4), found["method"]
    (7, 1, 0.0391, 'mid-p')
    """
    label, first, second = _same_pairs(label, first, second)
    only_first, only_second = (int(np.sum((one == label) & (first != second))) for one in (first, second))
    found = {"n": len(label), "only first right": only_first, "only second right": only_second}
    found |= {"p": float(mcnemar_p(only_first, only_second)), "method": "mid-p"}
    return pd.Series(found, name="McNemar", dtype=object)


def mcnemar_p(only_first: ArrayLike, only_second: ArrayLike) -> np.ndarray:
    """Return the two-sided mid-p value of `mcnemar` from the two counts, elementwise.

    >>> mcnemar_p([5, 6], [0, 0]).round(4).tolist()
    [0.0313, 0.0156]
    """
    from scipy import stats

    b, c = np.asarray(only_first), np.asarray(only_second)
    few, m = np.minimum(b, c), b + c
    return 2 * stats.binom.cdf(few, m, 0.5) - stats.binom.pmf(few, m, 0.5)


def accuracy_difference(
    label: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    draws: int = 10_000,
    seed: int = 0,
) -> pd.Series:
    """Return the accuracy of the second prediction minus that of the first, with its 95 % interval.

    Parameters
    ----------
    label, first, second : arrays of 0 and 1, (n,)
        The labels, and what the two models predict.
    groups : array, (n,), optional
        Pairs of one group depend on each other (their component, say). With groups, the interval is a bootstrap
        that draws whole groups (percentiles of `draws` samples with `seed`; Efron and Tibshirani 1993,
        chapter 13; at least some twenty groups should hold an error for it to mean much). Without them,
        pairs are taken as independent, and it is the score interval of Tango (1998), good for few errors too.

    Returns
    -------
    Series
        n, groups, first, second (accuracies), difference, low, high, method.

    Examples
    --------
    >>> label, first, second = np.ones(100), np.repeat([1, 0], 50), np.repeat([1, 0], [60, 40])
    >>> accuracy_difference(label, first, second)[["difference", "low", "high"]].astype(float).round(3).to_dict()
    {'difference': 0.1, 'low': 0.055, 'high': 0.174}
    >>> accuracy_difference(label, first, second, groups=np.arange(100) // 5)["method"]
    'bootstrap over 20 groups'
    """
    label, first, second = _same_pairs(label, first, second)
    whole("draws", draws)
    gain = (second == label).astype(np.int64) - (first == label)
    n, count, method = len(label), None, "score interval of Tango, pairs independent"
    if groups is None:
        low, high = _tango(int(np.sum(gain > 0)), int(np.sum(gain < 0)), n)
    else:
        codes, names = pd.factorize(np.asarray(groups))
        if len(codes) != n or (codes < 0).any():
            raise PairsError(f"groups must name the group of each of {n:,} pairs")
        count, method = len(names), f"bootstrap over {len(names):,} groups"
        # Groups alike in (gain, pairs) are interchangeable: draw how many of each kind, not which.
        total = np.column_stack([np.bincount(codes, weights=gain), np.bincount(codes)])
        kinds, many = np.unique(total, axis=0, return_counts=True)
        low, high = middle(ratios(*kinds.T, many, draws, seed))
    accuracies = {"first": (first == label).mean(), "second": (second == label).mean()}
    found = {"n": n, "groups": count, **accuracies, "difference": gain.mean(), "low": low, "high": high}
    return pd.Series({**found, "method": method}, name="accuracy", dtype=object)


def unpaired_t(first: ArrayLike, second: ArrayLike) -> pd.Series:
    """Run Student's unpaired t-test on two sets of scores, such as those of several seeds: second minus first.

    Scores of different seeds on one test set share that set: the test is about the seeds (is training
    steadily better?), not about other test pairs.

    Parameters
    ----------
    first, second : arrays of float
        At least two scores each. Their variances are taken as equal, as in Jurišić et al. (2023), section 5.

    Returns
    -------
    Series
        first, second (means), difference with its 95 % interval low, high; t, df, p, method. Where neither set
        varies, t, p and the interval are missing.

    Examples
    --------
    >>> unpaired_t([1, 2, 3, 4], [3, 4, 5, 6])[["difference", "t", "df", "p"]].astype(float).round(3).to_dict()
    {'difference': 2.0, 't': 2.191, 'df': 6.0, 'p': 0.071}
    """
    from scipy import stats

    first, second = _samples(first, second)
    found = {"first": first.mean(), "second": second.mean(), "difference": second.mean() - first.mean()}
    if np.ptp(first) == 0 == np.ptp(second):
        found |= dict.fromkeys(("low", "high", "t", "df", "p"), np.nan)
        return pd.Series({**found, "method": "Student's t: neither set varies, nothing to test"}, dtype=object)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # one set that does not vary, which is fine
        result = stats.ttest_ind(second, first)
    low, high = result.confidence_interval(0.95)
    found |= {"low": low, "high": high, "t": result.statistic, "df": result.df, "p": result.pvalue}
    return pd.Series({**found, "method": "Student's t"}, dtype=object)


def effect_size(first: ArrayLike, second: ArrayLike) -> pd.Series:
    """Return the difference of two sets of scores in units of their spread: second minus first.

    Returns
    -------
    Series
        d (Cohen's, pooled standard deviation), g (Hedges', d without its bias in small samples), low and high of its
        95 % interval, which inverts the noncentral t distribution (Hedges and Olkin 1985;
        Cumming and Finch 2001): exact for normal scores of equal variance. All missing where neither set varies.

    Examples
    --------
    >>> effect_size([1, 2, 3, 4], [3, 4, 5, 6]).round(2).to_dict()
    {'d': 1.55, 'g': 1.35, 'low': -0.11, 'high': 2.72}
    """
    from scipy import optimize, special, stats

    first, second = _samples(first, second)
    m, n = len(first), len(second)
    df = m + n - 2
    spread = np.sqrt(((m - 1) * first.var(ddof=1) + (n - 1) * second.var(ddof=1)) / df)
    if spread == 0:
        return pd.Series(dict.fromkeys(("d", "g", "low", "high"), np.nan), name="effect size")
    d = (second.mean() - first.mean()) / spread
    unbiased = np.exp(special.gammaln(df / 2) - special.gammaln((df - 1) / 2)) / np.sqrt(df / 2)
    size = np.sqrt(m * n / (m + n))
    t, width = d * size, 10 + 2 * abs(d * size)

    def surplus(noncentral: float, share: float) -> float:
        below = stats.nct.cdf(t, df, noncentral)
        return (below if np.isfinite(below) else float(noncentral < t)) - share  # scipy's tail far out is NaN

    low, high = (optimize.brentq(surplus, t - width, t + width, share) / size * unbiased for share in (0.975, 0.025))
    return pd.Series({"d": d, "g": d * unbiased, "low": low, "high": high}, name="effect size")


# -- power -------------------------------------------------------------------------------------------------


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
    power = mcnemar_power(n, discordance)
    if discordance == 0 or power(discordance) < POWER:
        return np.nan
    return float(optimize.brentq(lambda difference: power(difference) - POWER, 0, discordance, xtol=1e-9))


def mcnemar_power(n: int, discordance: float) -> Callable[[float], float]:
    """Return a function from a difference in accuracy to the probability that McNemar's test on `n` pairs finds it.

    The sum runs over the number m of discordant pairs, binomial (n, discordance), and over how many of them the
    better model wins, binomial (m, (1 + difference / discordance) / 2). Counts that together have a probability
    below 1e-9 are left out.

    >>> round(mcnemar_power(100, 0.2)(0.1), 2)
    0.62
    """
    from scipy import stats

    least, most = stats.binom.ppf([5e-10, 1 - 5e-10], n, discordance).astype(int)
    m = np.arange(least, most + 1)
    # The largest significant count of the rarer kind, -1 where none is: p rises up to m / 2, so bisection.
    critical, high = np.full(len(m), -1), m // 2
    while (critical < high).any():
        tried = (critical + high + 1) // 2
        significant = mcnemar_p(tried, m - tried) <= ALPHA
        critical, high = np.where(significant, tried, critical), np.where(significant, high, tried - 1)
    probability = stats.binom.pmf(m, n, discordance)

    def power(difference: float) -> float:
        wins = min(1.0, (1 + difference / discordance) / 2)
        # Significant: at most `critical` wins, or at most `critical` losses.
        return float(probability @ (stats.binom.cdf(critical, m, wins) + stats.binom.cdf(critical, m, 1 - wins)))

    return power


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


# -- how it is done ----------------------------------------------------------------------------------------


def _tango(gained: int, lost: int, n: int) -> tuple[float, float]:
    """The differences at which the score statistic of (gained − lost) / n reaches ± 1.96: Tango (1998)."""
    from scipy import optimize

    def score(delta: float) -> float:
        # The likeliest share of `lost` pairs under this difference: root of a x² + b x + c.
        b = -gained - lost + (2 * n - gained + lost) * delta
        c = -lost * delta * (1 - delta)
        share = (np.sqrt(max(b * b - 8 * n * c, 0)) - b) / (4 * n)
        variance = n * (2 * share + delta * (1 - delta))
        return (gained - lost - n * delta) / np.sqrt(max(variance, 1e-300))

    seen, edge = (gained - lost) / n, 1 - 1e-9
    low = -1.0 if lost == n else optimize.brentq(lambda x: score(x) - Z, -edge, min(seen, edge))
    high = 1.0 if gained == n else optimize.brentq(lambda x: score(x) + Z, max(seen, -edge), edge)
    return float(low), float(high)


def _same_pairs(*arrays: ArrayLike) -> list[np.ndarray]:
    """Return label, first and second as bool, checked."""
    each = zip(arrays, ("label", "first", "second"), strict=True)
    found = [floats(array, name, is_flag, "0 or 1; predictions, not probabilities") == 1 for array, name in each]
    if len({len(array) for array in found}) > 1:
        raise PairsError(f"label, first and second have {', '.join(f'{len(a):,}' for a in found)} entries")
    if not len(found[0]):
        raise PairsError("there are no pairs to compare on")
    return found


def _samples(first: ArrayLike, second: ArrayLike, least: int = 2) -> list[np.ndarray]:
    """Return two sets of scores as float64, checked."""
    found = {
        name: floats(x, f"{name} score", np.isfinite, "finite") for name, x in (("first", first), ("second", second))
    }
    for name, scores in found.items():
        if len(scores) < least:
            raise PairsError(f"{name} has {len(scores)} scores: {least} or more are needed, of two seeds say")
    return list(found.values())
