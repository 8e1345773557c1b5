"""The share of wrong labels among many pairs, from some of them drawn stratum by stratum."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Share", "allocation", "share"]


class Share(NamedTuple):
    """A share with its 95 % interval; NaN where nothing was judged."""

    value: float
    low: float
    high: float


def allocation(counts: np.ndarray, n: int) -> np.ndarray:
    """How many pairs to draw of each stratum: integers, (kinds, sizes), `n` in all or all that there are.

    Kinds get equal numbers, for each is asked about by itself; what a kind is too small for goes to the others.
    Within a kind, numbers go by the square roots of the strata's counts (power allocation, Bankier 1988, The American
    Statistician 42), a compromise between the whole kind and each size. Each stratum gets one before any gets two.

    Parameters
    ----------
    counts : array of int, (kinds, sizes)
    n : int

    Examples
    --------
    >>> allocation(np.array([[900, 100], [0, 3]]), 20).tolist()
    [[13, 4], [0, 3]]
    """
    counts = np.asarray(counts)
    of_kind = _apportion(n, np.ones(len(counts)), counts.sum(axis=1))
    return np.array([_apportion(k, np.sqrt(row), row) for k, row in zip(of_kind, counts, strict=True)])


def _apportion(n: int, weight: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Seats by weight, one after the other (Huntington–Hill: each gets a first before any gets a second)."""
    seats = np.zeros(len(most), dtype=np.int64)
    for _ in range(min(n, int(most.sum()))):
        with np.errstate(divide="ignore", invalid="ignore"):
            claim = np.where(seats < most, weight / np.sqrt(seats * (seats + 1)), -1)
        first = claim == np.inf
        seats[np.argmax(np.where(first, weight, -1) if first.any() else claim)] += 1
    return seats


def share(pairs: np.ndarray, judged: np.ndarray, wrong: np.ndarray) -> Share:
    """The share of wrong labels among all pairs of some strata, from random ones of each that were judged.

    The value is unbiased: each stratum's own share, weighted by how many pairs it holds. The interval is that of
    Clopper and Pearson (1934) at the *effective* number of judged pairs (Korn and Graubard 1998, Survey Methodology
    24): as many as would tell as much if drawn from all pairs alike. That takes the less favourable of two variances,
    the one estimated and the one if all strata had the same share, so it holds where nothing wrong was found and
    where a large stratum has few judged pairs. A stratum that was judged entirely adds no doubt.

    Parameters
    ----------
    pairs, judged, wrong : arrays of int, one entry a stratum
        A stratum that holds pairs of which none was judged makes the value NaN.

    Examples
    --------
    >>> [round(x, 3) for x in share([9000, 1000], [20, 10], [1, 3])]
    [0.075, 0.008, 0.258]
    >>> [round(x, 3) for x in share([9000], [20], [0])]
    [0.0, 0.0, 0.168]
    >>> share([8], [8], [2])
    Share(value=0.25, low=0.25, high=0.25)
    """
    pairs, judged, wrong = (np.asarray(each, dtype=float) for each in (pairs, judged, wrong))
    there = pairs > 0
    pairs, judged, wrong = pairs[there], judged[there], wrong[there]
    if not len(pairs) or (judged == 0).any():
        return Share(np.nan, np.nan, np.nan)
    weight, own = pairs / pairs.sum(), wrong / judged
    value = float(weight @ own)
    # Variance of a mean of `judged` values drawn without repetition, in units of p (1 − p).
    spread = weight**2 * (pairs - judged) / np.maximum(pairs - 1, 1) / judged
    if not spread.any():
        return Share(value, value, value)
    alike = 1 / spread.sum()
    near = (wrong + value) / (judged + 1)  # one judged pair alone would have no variance at all
    variance = float(spread @ (near * (1 - near)))
    n = min(alike, value * (1 - value) / variance) if variance else alike
    low, high = _clopper_pearson(value * n, n)
    # What was seen is in the data.
    return Share(value, max(low, wrong.sum() / pairs.sum()), min(high, 1 - (judged - wrong).sum() / pairs.sum()))


def _clopper_pearson(k: float, n: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    low = float(betaincinv(k, n - k + 1, 0.025)) if k > 1e-9 else 0.0
    high = float(betaincinv(k + 1, n - k, 0.975)) if n - k > 1e-9 else 1.0
    return low, high
