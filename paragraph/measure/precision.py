"""How many of the labels that were read are right, with an interval for those that were not."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pandas as pd

__all__ = ["precision"]


def precision(right: int, wrong: int, left_out: int = 0) -> pd.Series:
    """The share of right labels among those judged, with its 95 % interval.

    The interval holds for all labels from which those judged were drawn at random.

    Parameters
    ----------
    right, wrong : int
        Labels judged so.
    left_out : int
        Labels that were read and could not be judged; reported, and no part of the share.

    Returns
    -------
    Series
        `right`, `wrong`, `left out`, `precision`, `low`, `high`; the last three NaN where nothing was judged.

    References
    ----------
    E. B. Wilson (1927), Probable inference, the law of succession, and statistical inference. Journal of the American
    Statistical Association 22, 209–212.

    Examples
    --------
    >>> precision(37, 3, left_out=2).round(3).to_dict()
    {'right': 37.0, 'wrong': 3.0, 'left out': 2.0, 'precision': 0.925, 'low': 0.801, 'high': 0.974}
    """
    share, low, high = np.nan, np.nan, np.nan
    if right + wrong:
        # In closed form: scipy.stats would take a second to load, while a reviewer waits for the next pair.
        n, z = right + wrong, NormalDist().inv_cdf(0.975)
        share = right / n
        middle, spread = share + z**2 / (2 * n), z * np.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
        low, high = ((middle + side * spread) / (1 + z**2 / n) for side in (-1, 1))
        low, high = max(0.0, min(low, share)), min(1.0, max(high, share))  # at 0 and 1, rounding goes beyond
    values = {"right": right, "wrong": wrong, "left out": left_out, "precision": share, "low": low, "high": high}
    return pd.Series(values, dtype=float)
