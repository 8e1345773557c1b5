"""Calibration of probabilities, and intervals of shares."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

__all__ = ["calibration", "share_interval"]


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
    return table.assign(**dict(zip(("least", "most"), share_interval(means[1] * n, n), strict=True)))


def share_interval(k: ArrayLike, n: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the 95 % interval of the share k / n of things drawn at random (Clopper and Pearson 1934).

    Neither number need be whole; NaN where n is 0.

    Examples
    --------
    >>> [round(float(end), 3) for end in share_interval(37, 40)]
    [0.796, 0.984]
    """
    from scipy.special import betaincinv

    k = np.asarray(k, dtype=float)
    rest = np.where(np.asarray(n) > 0, n, np.nan) - k
    low = np.where(k > 1e-9, betaincinv(k, rest + 1, 0.025), rest * 0)
    return low[()], np.where(rest > 1e-9, betaincinv(k + 1, rest, 0.975), rest * 0 + 1)[()]
