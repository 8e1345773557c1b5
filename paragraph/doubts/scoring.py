"""Calibration of probabilities, and intervals of shares."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

__all__ = ["Z", "calibration", "clopper_pearson", "wilson"]

Z = 1.959963984540054  # 95 % of normal values lie within this many standard deviations of their mean


def calibration(label: ArrayLike, probability: ArrayLike, bins: int = 10) -> pd.DataFrame:
    """Compare the predicted with the observed share of paraphrases, in bins of equal width over [0, 1].

    Returns
    -------
    DataFrame
        One row per bin: low, high (the last bin includes 1), n, predicted (mean probability), observed (share
        of the label 1), least and most (its 95 % interval by Clopper and Pearson); missing in an empty bin. The
        expected calibration error is the mean of ``|observed − predicted|`` weighted by n (Guo et al. 2017, eq. 3, of
        P(1) instead of the confidence).

    Examples
    --------
    >>> calibration([0, 1, 1], [0.1, 0.2, 0.9], bins=2).round(2)
       low  high  n  predicted  observed  least  most
    0  0.0   0.5  2       0.15       0.5   0.01  0.99
    1  0.5   1.0  1       0.90       1.0   0.02  1.00
    """
    edges = np.linspace(0, 1, bins + 1)
    of = np.minimum(np.searchsorted(edges, probability, side="right") - 1, bins - 1)
    n = np.bincount(of, minlength=bins)
    with np.errstate(invalid="ignore"):
        means = [np.bincount(of, weights=x, minlength=bins) / n for x in (probability, label)]
    table = pd.DataFrame({"low": edges[:-1], "high": edges[1:], "n": n, "predicted": means[0], "observed": means[1]})
    return table.assign(**dict(zip(("least", "most"), clopper_pearson(means[1] * n, n), strict=True)))


def clopper_pearson(k: ArrayLike, n: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the 95 % interval of the share k / n (Clopper and Pearson 1934), where neither need be whole."""
    from scipy.special import betaincinv

    k, rest = np.asarray(k, dtype=float), np.asarray(n - k, dtype=float)
    low = np.where(k > 1e-9, betaincinv(k, rest + 1, 0.025), k * 0)
    return low[()], np.where(rest > 1e-9, betaincinv(k + 1, rest, 0.975), k * 0 + 1)[()]


def wilson(k: ArrayLike, n: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the 95 % interval of the share k / n of things drawn at random (Wilson 1927); NaN where n is 0.

    Examples
    --------
    >>> [round(float(end), 3) for end in wilson(37, 40)]
    [0.801, 0.974]
    """
    # In closed form: scipy.stats would take a second to load, while a reviewer waits for the next pair.
    k, n = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
    n = np.where(n > 0, n, np.nan)
    middle, reach = k + Z**2 / 2, Z * np.sqrt(k * (n - k) / n + Z**2 / 4)
    # At 0 and 1, rounding would go beyond the share itself.
    low, high = ((middle + side * reach) / (n + Z**2) for side in (-1, 1))
    return np.clip(low, 0, k / n)[()], np.clip(high, k / n, 1)[()]
