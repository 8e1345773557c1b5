"""The package's logistic regression: on standardized columns, kept as plain numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Logistic", "fit_logistic", "sigmoid"]

_WIDE = 100  # columns from which Newton's method, O(n d²) a step, takes longer than L-BFGS


class Logistic(NamedTuple):
    """P(1) = 1 / (1 + exp(−(bias + Σ weight · (x − mean) / scale)))."""

    mean: np.ndarray  #: (d,)
    scale: np.ndarray  #: (d,), 1 where a column does not vary
    weight: np.ndarray  #: (d,), per standard deviation of its column
    bias: float

    def probability(self, features: np.ndarray) -> np.ndarray:
        """P(1) for each row of an (n, d) array: float64, (n,)."""
        slope = self.weight / self.scale
        return sigmoid(np.asarray(features @ slope + (self.bias - self.mean @ slope), dtype=np.float64))


def fit_logistic(
    features: np.ndarray,
    label: np.ndarray,
    ridge: float = 1.0,
    times: np.ndarray | None = None,
    bias_ridge: float = 1e-9,
) -> Logistic:
    """Maximum likelihood with the penalty `ridge` / 2 · |weight|², on standardized columns.

    Parameters
    ----------
    features : array of float, (n, d)
        A missing value counts as the mean of its column.
    label : array of 0 and 1, (n,)
    ridge : float
        A column that separates the labels entirely keeps a finite weight.
    bias_ridge : float
        The same for the bias, which has hardly any by default. (Not from 100 columns on.)
    times : array of float, (n,), optional
        How often each row counts.

    Notes
    -----
    Newton's method. From 100 columns on, L-BFGS of scikit-learn: 100,000 rows of 769 float32 columns take 4 s, by
    Newton's method 42 s, with the same accuracy in the end.

    Examples
    --------
    >>> model = fit_logistic(np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1]))
    >>> model.probability(np.array([[1.5], [9.0]])).round(2).tolist()
    [0.5, 1.0]
    """
    mean, scale = (of(features, axis=0, dtype=np.float64) for of in (np.nanmean, np.nanstd))
    # A column that is constant but for rounding says nothing, and dividing by its noise would blow it up.
    scale[scale <= 1e-6 * np.maximum(1, np.abs(mean))] = 1
    x = features - mean.astype(features.dtype)
    x /= scale.astype(features.dtype)
    np.nan_to_num(x, copy=False)
    if x.shape[1] >= _WIDE:
        from sklearn.linear_model import LogisticRegression

        fitted = LogisticRegression(C=1 / ridge, max_iter=1000).fit(x, label, times)
        return Logistic(mean, scale, fitted.coef_[0].astype(np.float64), float(fitted.intercept_[0]))
    x = np.column_stack([x, np.ones(len(x))])
    times = np.ones(len(x)) if times is None else times
    penalty = np.diag(np.append(np.full(x.shape[1] - 1, ridge), bias_ridge))
    found = np.zeros(x.shape[1])
    for _ in range(100):
        p = sigmoid(x @ found)
        curvature = (x * (times * p * (1 - p))[:, None]).T @ x + penalty
        step = np.linalg.solve(curvature, x.T @ (times * (label - p)) - penalty @ found)
        found += step / max(1, np.abs(step).max() / 4)
        if np.abs(step).max() < 1e-8:
            break
    return Logistic(mean, scale, found[:-1], float(found[-1]))


def sigmoid(z: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(−z)), without overflow."""
    return 1 / (1 + np.exp(-np.clip(z, -700, 700)))
