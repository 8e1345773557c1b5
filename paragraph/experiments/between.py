"""Differences between training sets: their size, their significance, and the smallest detectable difference."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..measure.scoring import scores
from ..measure.significance import (
    accuracy_difference,
    detectable_accuracy_difference,
    detectable_mean_difference,
    effect_size,
    mcnemar,
    unpaired_t,
)
from .sets import HeldOut

__all__ = ["METRICS", "Grid", "between", "score_table"]

#: P(paraphrase) of what a training set's models were asked: one row a seed.
Grid = dict[str, np.ndarray]

#: Scores of a result table, named as by `measure.scores`.
METRICS = ("accuracy", "F1", "weighted F1", "recall", "precision", "average precision")


def score_table(grid: Grid, seeds: list[int], tests: HeldOut, **columns: str) -> pd.DataFrame:
    """One row a training set, test set and seed: `train_set`, `test_set`, `seed`, the scores, `n`, `columns`."""
    rows = []
    for train_set, probabilities in grid.items():
        for test_set, label in tests.labels.items():
            for seed, probability in zip(seeds, probabilities, strict=True):
                found = scores(label, probability[tests.places[test_set]])[list(METRICS)].astype(float)
                row = {"train_set": train_set, "test_set": test_set, "seed": seed}
                rows.append(row | found.to_dict() | {"n": len(label)} | columns)
    return pd.DataFrame(rows)


def between(
    grid: Grid,
    table: pd.DataFrame,
    tests: HeldOut,
    pairs: Sequence[tuple[str, str]],
    metrics: Sequence[str] = ("accuracy", "F1"),
    draws: int = 2_000,
) -> pd.DataFrame:
    """Every pair of training sets (`against`, `train_set`) on every test set: the gain of the second over the first.

    Two kinds of chance, each with its own columns.

    *Seeds*: would another round of training say the same? The mean score over seeds: `difference`, with the interval
    `low`, `high` and `t`, `p` of Student's unpaired t-test, and the effect size `g` (Hedges) with `g low`, `g high`.
    `detectable`: the smallest difference that the t-test would have found with power .8, at this spread. Missing
    with one seed, and where no seed differs from another.

    *Pairs*: would other test pairs say the same? For accuracy: `pairs low`, `pairs high`, a bootstrap of whole
    components (or clusters) of the test set, with all seeds of a pair; and McNemar's test (mid-p) of the seeds' mean
    probabilities: `only train_set right`, `only against right`, `McNemar p`. That test takes pairs as independent,
    which those of one component are not. `pairs detectable`: the smallest difference it would have found with power
    .8 among models that disagree this often; missing where none could.

    `significant_over` names the kinds of chance over which a difference in accuracy is significant: *seeds*
    (p < .05), *pairs* (the bootstrap interval leaves out 0), *both* or *neither*. No p-value is corrected for the
    number of comparisons.
    """
    rows = []
    of = dict(iter(table.groupby(["train_set", "test_set"])))
    for test_set, label in tests.labels.items():
        places, groups = tests.places[test_set], tests.group[tests.places[test_set]]
        for against, train_set in pairs:
            probabilities = [grid[name][:, places] for name in (against, train_set)]
            for metric in metrics:
                left, right = (of[name, test_set][metric].to_numpy() for name in (against, train_set))
                row = {"test_set": test_set, "train_set": train_set, "against": against, "metric": metric}
                row |= {"difference": right.mean() - left.mean(), **_over_seeds(left, right)}
                if metric == "accuracy":
                    row |= _over_pairs(label, *probabilities, groups, draws)
                    seeds, bounds = row["p"] < 0.05, row["pairs low"] > 0 or row["pairs high"] < 0
                    row["significant_over"] = ("neither", "seeds", "pairs", "both")[seeds + 2 * bounds]
                rows.append(row)
    return pd.DataFrame(rows)


def _over_seeds(left: np.ndarray, right: np.ndarray) -> dict[str, float]:
    names = ("low", "high", "t", "p", "g", "g low", "g high", "detectable")
    if len(left) < 2 or not np.isfinite([left, right]).all():
        return dict.fromkeys(names, np.nan)
    with warnings.catch_warnings():  # scipy's, where the seeds of one side all score the same; the test stands
        warnings.simplefilter("ignore", RuntimeWarning)
        test, effect = unpaired_t(left, right), effect_size(left, right)
    spread = float(np.sqrt((left.var(ddof=1) + right.var(ddof=1)) / 2))
    least = detectable_mean_difference(spread, len(left)) if spread else np.nan
    values = [test["low"], test["high"], test["t"], test["p"], effect["g"], effect["low"], effect["high"], least]
    return dict(zip(names, map(float, values), strict=True))


def _over_pairs(label: np.ndarray, left: np.ndarray, right: np.ndarray, groups: np.ndarray, draws: int) -> dict:
    # Seed by seed side by side: the mean over all is the mean over seeds, and a group holds all seeds of its pairs.
    many = len(left)
    predicted = [(side >= 0.5).astype(np.int8).ravel() for side in (left, right)]
    gain = accuracy_difference(np.tile(label, many), *predicted, groups=np.tile(groups, many), draws=draws)
    test = mcnemar(label, *((side.mean(axis=0) >= 0.5).astype(np.int8) for side in (left, right)))
    differ = test["only first right"] + test["only second right"]
    return {
        "pairs low": gain["low"],
        "pairs high": gain["high"],
        "only train_set right": test["only second right"],
        "only against right": test["only first right"],
        "McNemar p": test["p"],
        "pairs detectable": detectable_accuracy_difference(len(label), differ / len(label)),
    }
