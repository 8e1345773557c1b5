"""Calibration of probabilities, intervals of shares, agreement beyond chance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..files import PairsError
from ..files.errors import whole

__all__ = ["Z", "calibration", "checked", "clopper_pearson", "cohen_kappa", "floats", "ratio", "wilson"]

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
    label, probability = checked(label, probability)
    whole("bins", bins)
    edges = np.linspace(0, 1, bins + 1)
    of = np.minimum(np.searchsorted(edges, probability, side="right") - 1, bins - 1)
    n = np.bincount(of, minlength=bins)
    means = [ratio(np.bincount(of, weights=x, minlength=bins), n) for x in (probability, label)]
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


def cohen_kappa(counts: np.ndarray) -> float | np.ndarray:
    """Return Cohen's κ of two raters, their agreement beyond chance: (p₀ − pₑ) / (1 − pₑ).

    Parameters
    ----------
    counts : array, shape (…, k, k)
        Items that the first rater put in category i and the second in j; several tables at once.

    Returns
    -------
    1 if they always agree, 0 if they agree as often as by chance; NaN if both put everything in one category.

    References
    ----------
    J. Cohen (1960), A coefficient of agreement for nominal scales. Educational and Psychological
    Measurement 20, 37–46.

    Examples
    --------
    >>> round(float(cohen_kappa([[20, 5], [10, 15]])), 3)
    0.4
    """
    counts = np.asarray(counts, dtype=float)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = counts / counts.sum(axis=(-2, -1), keepdims=True)
        observed = np.trace(share, axis1=-2, axis2=-1)
        expected = (share.sum(axis=-1) * share.sum(axis=-2)).sum(axis=-1)
        return np.where(expected < 1, (observed - expected) / (1 - expected), np.nan)[()]


def checked(label: ArrayLike, probability: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return labels as bool and probabilities as float64; `PairsError` names the first that is neither."""
    label = floats(label, "label", is_flag, "0 or 1; leave out the pairs without a label")
    probability = floats(probability, "probability", lambda p: (p >= 0) & (p <= 1), "between 0 and 1")
    if len(label) != len(probability):
        raise PairsError(f"{len(label):,} labels for {len(probability):,} probabilities")
    if not len(label):
        raise PairsError("there are no pairs to score")
    return label == 1, probability


def floats(
    values: ArrayLike, name: str, fits: Callable[[np.ndarray], np.ndarray] | None = None, wanted: str = ""
) -> np.ndarray:
    """Return values as float64, missing ones as NaN; `PairsError` if one is not a number, or does not fit."""
    try:
        # Through a Series: only it turns missing labels (<NA>) into NaN.
        found = pd.Series(values).to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise PairsError(f"a {name} is not a number: {error}") from None
    if fits and (odd := np.flatnonzero(~fits(found))).size:
        raise PairsError(f"entry {odd[0]}: {name} {found[odd[0]]:g} is not {wanted} ({len(odd):,} such entries)")
    return found


def is_flag(values: np.ndarray) -> np.ndarray:
    """Flag the values that are 0 or 1."""
    return (values == 0) | (values == 1)


def ratio(part, whole):
    """Divide part by whole; NaN where the whole is 0."""
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole)
    found = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return found if found.ndim else float(found)
