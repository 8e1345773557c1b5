"""Do two models differ? Tests, intervals and effect sizes, each a small table that names its method."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..pairs import PairsError
from ..pairs.errors import whole
from .scoring import Z, floats

__all__ = ["accuracy_difference", "effect_size", "mann_whitney", "mcnemar", "mcnemar_p", "unpaired_t"]


def mcnemar(label: ArrayLike, first: ArrayLike, second: ArrayLike) -> pd.Series:
    """Test whether two predictions on the same pairs err equally often (McNemar 1947).

    Only the pairs count where exactly one of the two is right. Pairs are taken as independent, which pairs
    that share sentences are not: see `accuracy_difference` with groups.

    Parameters
    ----------
    label, first, second : arrays of 0 and 1, (n,)
        The labels, and what the two models predict.

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
    only_first = int(np.sum((first == label) & (second != label)))
    only_second = int(np.sum((first != label) & (second == label)))
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
        Pairs of one group depend on each other (`splits.components`). With them the interval is a bootstrap
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
    n, count = len(label), None
    if groups is None:
        low, high = _tango(int(np.sum(gain > 0)), int(np.sum(gain < 0)), n)
        method = "score interval of Tango, pairs independent"
    else:
        codes, names = pd.factorize(np.asarray(groups))
        if len(codes) != n or (codes < 0).any():
            raise PairsError(f"groups must name the group of each of {n:,} pairs")
        count = len(names)
        low, high = _bootstrap(gain, codes, count, draws, seed)
        method = f"bootstrap over {count:,} groups"
    accuracies = {"first": (first == label).mean(), "second": (second == label).mean()}
    found = {"n": n, "groups": count, **accuracies, "difference": gain.mean(), "low": low, "high": high}
    return pd.Series({**found, "method": method}, name="accuracy", dtype=object)


def unpaired_t(first: ArrayLike, second: ArrayLike) -> pd.Series:
    """Run Student's unpaired t-test on two sets of scores, such as those of several seeds: second minus first.

    Parameters
    ----------
    first, second : arrays of float
        At least two scores each. Their variances are taken as equal, as in Jurišić et al. (2023), section 5.

    Returns
    -------
    Series
        first, second (means), difference with its 95 % interval low, high; t, df, p, method. Where neither set
        varies, t, p and the interval are missing.

    Notes
    -----
    Scores of different seeds on one test set share that set: the test is about the seeds (is training
    steadily better?), not about other test pairs.

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
    unbiased = np.exp(special.gammaln(df / 2) - special.gammaln((df - 1) / 2)) / np.sqrt(df / 2) if df > 1 else np.nan
    size = np.sqrt(m * n / (m + n))  # t = d · size

    def noncentrality(share: float) -> float:
        """Return the noncentrality under which a t this small or smaller has that probability."""
        t = d * size
        width = 10 + 2 * abs(t)

        def surplus(x: float) -> float:
            below = stats.nct.cdf(t, df, x)
            return (below if np.isfinite(below) else float(x < t)) - share  # scipy's tail far out comes out as NaN

        return optimize.brentq(surplus, t - width, t + width)

    ends = [noncentrality(share) / size * unbiased for share in (0.975, 0.025)]
    return pd.Series({"d": d, "g": d * unbiased, "low": ends[0], "high": ends[1]}, name="effect size")


def mann_whitney(first: ArrayLike, second: ArrayLike) -> float:
    """Return the two-sided p-value that two sets of judgements differ (Mann and Whitney 1947, with ties).

    Examples
    --------
    >>> print(f"{mann_whitney([1] * 36 + [0] * 14, [1] * 16 + [0] * 34):.0e}")  # Mussmann et al., section 5.5
    7e-05
    """
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(*_samples(first, second, least=1)).pvalue)


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


def _bootstrap(gain: np.ndarray, group: np.ndarray, count: int, draws: int, seed: int) -> tuple[float, float]:
    """Percentiles of Σ gain / Σ pairs over groups drawn with replacement."""
    # Groups alike in (gain, pairs) are interchangeable: draw how many of each kind, not which.
    total = np.column_stack([np.bincount(group, weights=gain, minlength=count), np.bincount(group, minlength=count)])
    kinds, many = np.unique(total, axis=0, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(count, many / count, size=draws)
    low, high = np.quantile(drawn @ kinds[:, 0] / (drawn @ kinds[:, 1]), [0.025, 0.975])
    return float(low), float(high)


def _same_pairs(*arrays: ArrayLike) -> list[np.ndarray]:
    found = [floats(array, name) for name, array in zip(("label", "first", "second"), arrays, strict=True)]
    if len({len(array) for array in found}) > 1:
        raise PairsError(f"label, first and second have {', '.join(f'{len(a):,}' for a in found)} entries")
    if not len(found[0]):
        raise PairsError("there are no pairs to compare on")
    for name, array in zip(("label", "first", "second"), found, strict=True):
        odd = ~((array == 0) | (array == 1))
        if odd.any():
            at = int(np.argmax(odd))
            raise PairsError(f"{name}, entry {at}: {array[at]:g} is not 0 or 1; predictions, not probabilities")
    return [array == 1 for array in found]


def _samples(first: ArrayLike, second: ArrayLike, least: int = 2) -> list[np.ndarray]:
    """Two sets of scores as float64, checked."""
    try:
        found = [np.asarray(scores, dtype=np.float64).ravel() for scores in (first, second)]
    except (TypeError, ValueError) as error:
        raise PairsError(f"a score is not a number: {error}") from None
    for name, scores in zip(("first", "second"), found, strict=True):
        if len(scores) < least:
            raise PairsError(
                f"{name} has {len(scores)} scores: {least} or more are needed, such as those of two seeds"
            )
        if not np.isfinite(scores).all():
            raise PairsError(f"{name}, entry {int(np.argmin(np.isfinite(scores)))}: not a finite number")
    return found
