"""The package's logistic regression: on standardized columns, kept as plain numbers that can be shown and shipped."""

from __future__ import annotations

import json
import threading
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..pairs import PairsError

__all__ = ["Logistic", "Weights", "fit", "fit_logistic", "log_odds", "newton", "one_blas_thread", "sigmoid"]

#: Figures fitted on a large public corpus (`fitted_on` in the file), for data too small to fit their own.
SHIPPED = Path(__file__).with_name("weights.json")
_WIDE = 100  # columns from which Newton's method, O(n d²) a step, takes longer than L-BFGS


def sigmoid(z: np.ndarray) -> np.ndarray:
    """Return 1 / (1 + exp(−z)), without overflow."""
    return 1 / (1 + np.exp(-np.clip(z, -700, 700)))


def log_odds(p: np.ndarray) -> np.ndarray:
    """Return log(p / (1 − p)), the inverse of `sigmoid`; infinite for 0 and 1."""
    with np.errstate(divide="ignore"):
        return np.log(p) - np.log1p(-p)


def one_blas_thread() -> AbstractContextManager:
    """Hold BLAS to one thread; in a thread in the background, which must leave the whole process alone, do nothing.

    Its threads mostly wait for each other, for minutes beside another job, and another number of them gives another
    last digit.
    """
    import scipy.linalg  # noqa: F401 (it brings a BLAS of its own, which must be loaded to be held)
    from threadpoolctl import threadpool_limits

    in_front = threading.current_thread() is threading.main_thread()
    return threadpool_limits(1, "blas") if in_front else nullcontext()


class Logistic(NamedTuple):
    """P(1) = 1 / (1 + exp(−(bias + Σ weight · (x − mean) / scale)))."""

    mean: np.ndarray  #: (d,)
    scale: np.ndarray  #: (d,), 1 where a column does not vary
    weight: np.ndarray  #: (d,), per standard deviation of its column
    bias: float

    def probability(self, features: np.ndarray) -> np.ndarray:
        """Return P(1) for each row of an (n, d) array: float64, (n,)."""
        slope = self.weight / self.scale
        return sigmoid(np.asarray(features @ slope + (self.bias - self.mean @ slope), dtype=np.float64))


def fit_logistic(
    features: np.ndarray,
    label: np.ndarray,
    ridge: float = 1.0,
    times: np.ndarray | None = None,
    bias_ridge: float = 1e-9,
) -> Logistic:
    """Maximize the likelihood minus `ridge` / 2 · |weight|², on standardized columns.

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

        with one_blas_thread():
            fitted = LogisticRegression(C=1 / ridge, max_iter=1000).fit(x, label, times)
        return Logistic(mean, scale, fitted.coef_[0].astype(np.float64), float(fitted.intercept_[0]))
    times = np.ones(len(x)) if times is None else times
    penalty = np.append(np.full(x.shape[1], ridge), bias_ridge)
    found, _ = newton(np.column_stack([x, np.ones(len(x))]), label, times, np.zeros(len(penalty)), penalty)
    return Logistic(mean, scale, found[:-1], float(found[-1]))


def newton(
    x: np.ndarray, y: np.ndarray, times: np.ndarray, start: np.ndarray, ridge: Any = 0.0, offset: Any = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Fit the weights of a logistic regression of y (0 to 1) on x, by Newton's method; and the curvature there.

    Each row counts so many `times`; the likelihood is concave, and `ridge` / 2 · |weights − start|² is taken off it,
    with one ridge for all weights, one for each, or a matrix: the precision of a normal prior about `start`.
    """
    found, ridge = start, ridge if np.ndim(ridge) == 2 else ridge * np.eye(len(start))
    for _ in range(1000):
        p = sigmoid(x @ found + offset)
        curvature = (x * (times * p * (1 - p))[:, None]).T @ x + ridge
        step = np.linalg.solve(curvature, x.T @ (times * (y - p)) - ridge @ (found - start))
        found = found + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return found, curvature


class Weights(NamedTuple):
    """log-odds = bias + Σ weight · (x − mean) / scale; a missing value counts as the mean of its column.

    Attributes
    ----------
    table : DataFrame
        One row a column: `column`, `mean`, `scale`, `weight` (log-odds per standard deviation), `low` and `high`
        (its 95 % interval).
    bias : float
    fitted_on : str
    """

    table: pd.DataFrame
    bias: float
    fitted_on: str

    def log_odds(self, columns: pd.DataFrame) -> np.ndarray:
        """Return the log-odds (natural) of each row of a table."""
        mean, scale, weight = (self.table[name].to_numpy(float) for name in ("mean", "scale", "weight"))
        x = (columns[self.table["column"].tolist()].to_numpy(float) - mean) / scale
        return self.bias + np.nan_to_num(x) @ weight

    def figures(self) -> dict:
        """Return the weights as plain figures, for a JSON file."""
        columns = {name: [v if isinstance(v, str) else round(v, 4) for v in self.table[name]] for name in self.table}
        return {"bias": round(self.bias, 4), "fitted_on": self.fitted_on, "table": columns}

    @classmethod
    def shipped(cls, name: str) -> Weights:
        """Read the weights of that name that ship with the package."""
        return cls.of(json.loads(SHIPPED.read_text(encoding="utf-8"))[name])

    @classmethod
    def of(cls, figures: dict) -> Weights:
        """Read weights from their plain `figures`."""
        return cls(pd.DataFrame(figures["table"]), figures["bias"], figures["fitted_on"])


def fit(
    columns: pd.DataFrame, label: np.ndarray, group: np.ndarray, fitted_on: str, weight: np.ndarray | None = None
) -> Weights:
    """Fit weights of columns to a label (0 or 1): `fit_logistic` with a ridge of 1.

    Parameters
    ----------
    group : integer array
        Rows of one group are not independent, and the intervals allow for that: a sandwich estimate over groups
        (Liang and Zeger 1986, Biometrika 73, with independence as working correlation).
    weight : float array, optional
        How often each row counts.

    Raises
    ------
    PairsError
        All labels alike.

    Examples
    --------
    >>> x, label = pd.DataFrame({"x": [0, 1, 2, 3] * 25}), np.array([0, 0, 1, 1] * 25)
    >>> fitted = fit(x, label, np.arange(100), "toy data")
    >>> (fitted.log_odds(pd.DataFrame({"x": [1.5, 3, np.nan]})) + 1e-9).round(1).tolist()
    [0.0, 5.1, 0.0]
    """
    y = np.asarray(label, dtype=float)
    if not 0 < y.sum() < len(y):
        raise PairsError("labels of both kinds are needed to fit weights")
    x = np.array(columns, dtype=float)
    times = np.ones(len(y)) if weight is None else weight
    fitted = fit_logistic(x, y, times=times)
    x = np.column_stack([np.nan_to_num((x - fitted.mean) / fitted.scale), np.ones(len(x))])
    p = sigmoid(x @ [*fitted.weight, fitted.bias])
    curvature = (x * (times * p * (1 - p))[:, None]).T @ x + np.diag([*np.ones(len(fitted.weight)), 1e-9])
    _, group = np.unique(group, return_inverse=True)
    scores = np.zeros((group.max() + 1, x.shape[1]))
    np.add.at(scores, group, x * (times * (y - p))[:, None])
    bread = np.linalg.inv(curvature)
    error = 1.96 * np.sqrt(np.diag(bread @ (scores.T @ scores) @ bread))[:-1]
    figures = {"column": list(columns), "mean": fitted.mean, "scale": fitted.scale, "weight": fitted.weight}
    bounds = {"low": fitted.weight - error, "high": fitted.weight + error}
    return Weights(pd.DataFrame(figures | bounds), fitted.bias, fitted_on)
