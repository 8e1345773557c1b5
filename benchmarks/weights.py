"""Weights of columns with their intervals, as the files that ship hold them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from paragraph.files import PairsError
from paragraph.learn.logistic import fit_logistic, sigmoid

__all__ = ["Fitted", "fit"]


class Fitted(NamedTuple):
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
        mean, scale, weight = (
            self.table[name].to_numpy(float) for name in ("mean", "scale", "weight")
        )
        x = (columns[self.table["column"].tolist()].to_numpy(float) - mean) / scale
        return self.bias + np.nan_to_num(x) @ weight

    def figures(self) -> dict:
        """Return the weights as plain figures, for a JSON file."""
        columns = {
            name: [v if isinstance(v, str) else round(v, 4) for v in self.table[name]]
            for name in self.table
        }
        return {"bias": round(self.bias, 4), "fitted_on": self.fitted_on, "table": columns}


def fit(
    columns: pd.DataFrame,
    label: np.ndarray,
    group: np.ndarray,
    fitted_on: str,
    weight: np.ndarray | None = None,
) -> Fitted:
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
    curvature = (x * (times * p * (1 - p))[:, None]).T @ x + np.diag(
        [*np.ones(len(fitted.weight)), 1e-9]
    )
    _, group = np.unique(group, return_inverse=True)
    scores = np.zeros((group.max() + 1, x.shape[1]))
    np.add.at(scores, group, x * (times * (y - p))[:, None])
    bread = np.linalg.inv(curvature)
    error = 1.96 * np.sqrt(np.diag(bread @ (scores.T @ scores) @ bread))[:-1]
    figures = {
        "column": list(columns),
        "mean": fitted.mean,
        "scale": fitted.scale,
        "weight": fitted.weight,
    }
    bounds = {"low": fitted.weight - error, "high": fitted.weight + error}
    return Fitted(pd.DataFrame(figures | bounds), fitted.bias, fitted_on)
