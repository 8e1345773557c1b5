"""Agreement of two raters beyond chance."""

import numpy as np

__all__ = ["cohen_kappa"]


def cohen_kappa(counts: np.ndarray) -> float | np.ndarray:
    """Cohen's κ of two raters from their confusion table: (p₀ − pₑ) / (1 − pₑ).

    Parameters
    ----------
    counts : array, shape (…, k, k)
        Items that the first rater put in category i and the second in j; several tables at once.

    Returns
    -------
    1 where they always agree, 0 where they agree as often as chance would have it; NaN where both put
    everything in one category.

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
