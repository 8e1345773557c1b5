"""A calibrated combination of columns: log-odds that are a weighted sum, with weights that can be shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..pairs import PairsError
from .logistic import fit_logistic, sigmoid

__all__ = ["Weights", "fit", "sigmoid"]

#: Figures fitted on a large public corpus (`fitted_on` in the file), for data too small to fit their own.
SHIPPED = Path(__file__).with_name("weights.json")
#: Columns of a table of weights.
FIGURES = ("column", "mean", "scale", "weight", "low", "high")


class Weights(NamedTuple):
    """log-odds = bias + Σ weight · (x − mean) / scale; a missing value counts as the mean, and so says nothing.

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
        """The log-odds (natural) of each row of a table."""
        mean, scale, weight = (self.table[name].to_numpy(float) for name in ("mean", "scale", "weight"))
        x = (columns[self.table["column"].tolist()].to_numpy(float) - mean) / scale
        return self.bias + np.nan_to_num(x) @ weight

    def figures(self) -> dict:
        """As plain figures, for a JSON file."""
        columns = {name: [v if isinstance(v, str) else round(v, 4) for v in self.table[name]] for name in self.table}
        return {"bias": round(self.bias, 4), "fitted_on": self.fitted_on, "table": columns}

    @classmethod
    def constant(cls, log_odds: float, fitted_on: str) -> Weights:
        """The same log-odds for every row."""
        return cls(pd.DataFrame({name: [] for name in FIGURES}), log_odds, fitted_on)

    @classmethod
    def shipped(cls, name: str) -> Weights:
        """The weights of that name that ship with the package."""
        kept = json.loads(SHIPPED.read_text(encoding="utf-8"))[name]
        return cls(pd.DataFrame(kept["table"]), kept["bias"], kept["fitted_on"])


def fit(
    columns: pd.DataFrame, label: np.ndarray, group: np.ndarray, fitted_on: str, weight: np.ndarray | None = None
) -> Weights:
    """Logistic regression of a label (0 or 1) on the columns of a table.

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

    Notes
    -----
    `fit_logistic` with a ridge of 1.

    Examples
    --------
    >>> found = fit(pd.DataFrame({"x": [0, 1, 2, 3] * 25}), np.array([0, 0, 1, 1] * 25), np.arange(100), "toy data")
    >>> (found.log_odds(pd.DataFrame({"x": [1.5, 3, np.nan]})) + 1e-9).round(1).tolist()
    [0.0, 5.1, 0.0]
    """
    y = np.asarray(label, dtype=float)
    if not 0 < y.sum() < len(y):
        raise PairsError("labels of both kinds are needed to fit weights")
    x = np.array(columns, dtype=float)
    times = np.ones(len(y)) if weight is None else weight
    found = fit_logistic(x, y, times=times)
    x = np.column_stack([np.nan_to_num((x - found.mean) / found.scale), np.ones(len(x))])
    p = sigmoid(x @ [*found.weight, found.bias])
    curvature = (x * (times * p * (1 - p))[:, None]).T @ x + np.diag([*np.ones(len(found.weight)), 1e-9])
    _, group = np.unique(group, return_inverse=True)
    scores = np.zeros((group.max() + 1, x.shape[1]))
    np.add.at(scores, group, x * (times * (y - p))[:, None])
    bread = np.linalg.inv(curvature)
    error = 1.96 * np.sqrt(np.diag(bread @ (scores.T @ scores) @ bread))[:-1]
    figures = {"column": list(columns), "mean": found.mean, "scale": found.scale, "weight": found.weight}
    bounds = {"low": found.weight - error, "high": found.weight + error}
    return Weights(pd.DataFrame(figures | bounds), found.bias, fitted_on)
