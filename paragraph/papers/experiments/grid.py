"""A model for each training set and seed, asked once about every test pair; differences between training sets."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from ...files import PairsError
from ..models import make_model
from .resampling import Units, bootstrap
from .runs import run_cells, run_record, table_hash
from .scoring import scores
from .sets import HeldOut, labelled
from .significance import over_pairs, over_seeds

__all__ = [
    "METRICS",
    "Grid",
    "Model",
    "Seeds",
    "between",
    "check_run",
    "run_grid",
    "score_table",
    "settings",
    "the_seeds",
]

#: A model by name (`papers.make_model`), or a function from a seed to a model; and how many seeds, or which.
Model = str | Callable[[int], Any]
Seeds = int | Sequence[int]

#: P(paraphrase) of what a training set's models were asked: one row a seed.
Grid = dict[str, np.ndarray]

#: Scores of a result table, named as by `scores`.
METRICS = ("accuracy", "F1", "weighted F1", "recall", "precision", "average precision")
#: Settings of a model that its predictions do not depend on.
_BESIDE = {"cache", "device", "progress", "seed"}


def check_run(model: Model, seeds: Seeds) -> dict[str, Any]:
    """Return the model and the seeds of a run as its record has them, before sets are made that take time."""
    return {"model": settings(model), "seeds": the_seeds(seeds)}


def run_grid(
    experiment: str,
    data: Mapping[str, pd.DataFrame | None],
    model: Model,
    seeds: Seeds,
    options: dict[str, Any],
    trainings: Mapping[str, pd.DataFrame],
    *,
    units: Units,
    tests: HeldOut,
    results: str | PathLike | None = None,
    progress: bool = True,
) -> tuple[Grid, pd.DataFrame, dict[str, Any]]:
    """Fit a model on each training set with each seed: probabilities, scores, and the record of the run.

    All sets are trained with the first seed, then all with the second.

    Parameters
    ----------
    experiment : str
        Its name in the record.
    data : mapping of pair tables
        The tables that were given, by name, for the record. The labelled rows of ``"dev"`` go to the model's
        `fit`.
    model : str or callable
        A model by name, or a function from a seed to a model. For a deterministic model the seed draws a
        bootstrap of the training set's `units` (`resampling.bootstrap`).
    seeds : int or sequence of int
        How many, or which.
    options : dict
        All else that the run depends on, as JSON.
    trainings : mapping of pair tables
        The training sets by name.
    results : path, optional
        Finished cells are kept beside it (`run_cells`).
    """
    options = check_run(model, seeds) | options
    data = {name: table for name, table in data.items() if table is not None}
    hashes = {name: table_hash(table) for name, table in data.items()}
    plan = {"experiment": experiment, "data": hashes, **options}
    dev = None
    if "dev" in data:
        dev = labelled(data["dev"])

    def compute(cell: str) -> dict[str, np.ndarray]:
        name, seed = cell.rsplit(" ", 1)
        began = time.perf_counter()
        fresh = make_model(model, int(seed))
        rows = trainings[name]
        if fresh.deterministic:
            rows = bootstrap(rows, units.count, int(seed))
        try:
            rows = rows[["text_a", "text_b", "label"]]
            fresh.fit(rows, dev)
            probability = fresh.predict_proba(tests.asked)
        except PairsError as error:
            raise PairsError(f"trained on {name!r}, seed {seed}: {error}") from error
        seconds = np.array(time.perf_counter() - began)
        return {"probability": probability, "seconds": seconds}

    seeds = options["seeds"]
    cells = [f"{name} {seed}" for seed, name in product(seeds, trainings)]
    done = run_cells(cells, compute, plan, results, progress=progress)
    grid = {}
    for name in trainings:
        probabilities = [done[f"{name} {seed}"]["probability"] for seed in seeds]
        grid[name] = np.array(probabilities)
    times = [float(arrays["seconds"]) for arrays in done.values()]
    record = run_record(experiment, data, options, sum(times))
    name = options["model"]["name"]
    table = score_table(grid, seeds, tests, model=name)
    return grid, table, record | {"units": units.kind}


def the_seeds(seeds: Seeds) -> list[int]:
    """Return seeds 0, 1, … where a number is given, else those given; at least one, none twice."""
    each = range(seeds) if isinstance(seeds, int) else seeds
    found = [int(seed) for seed in each]
    repeated = len(set(found)) < len(found)
    if not found or repeated or min(found) < 0:
        raise PairsError(
            f"seeds {seeds!r} is neither a number from 1 nor a list of different seeds from 0"
        )
    return found


def settings(model: Model) -> dict[str, Any]:
    """Return what a run depends on in its model: the name, and every plain setting it was made with."""
    fresh = make_model(model, 0)
    found = {"name": fresh.name, "trained_on": fresh.trained_on}
    found["deterministic"] = fresh.deterministic
    for name, value in sorted(vars(fresh).items()):
        if name.startswith("_") or name in _BESIDE:
            continue
        if isinstance(value, PathLike):
            found[name] = str(value)
        elif isinstance(value, str | int | float | tuple | list | None):
            found[name] = value
    return found


# -- scores and their differences --------------------------------------------------------------------------


def score_table(grid: Grid, seeds: list[int], tests: HeldOut, **columns: str) -> pd.DataFrame:
    """Return a row per training set, test set and seed: their names, the scores, `n`, and `columns`."""
    rows = []
    for train_set, probabilities in grid.items():
        for test_set, label in tests.labels.items():
            for seed, probability in zip(seeds, probabilities, strict=True):
                found = scores(label, probability[tests.places[test_set]])
                found = found[list(METRICS)].astype(float)
                row = {"train_set": train_set, "test_set": test_set, "seed": seed}
                row |= found.to_dict()
                row["n"] = len(label)
                rows.append(row | columns)
    return pd.DataFrame(rows)


def between(
    grid: Grid,
    table: pd.DataFrame,
    tests: HeldOut,
    pairs: Sequence[tuple[str, str]],
    metrics: Sequence[str] = ("accuracy", "F1"),
) -> pd.DataFrame:
    """Compare training sets on every test set: the gain of `train_set` over `against`, of each pair.

    Two kinds of chance, each with its own columns. *Seeds*: would another round of training say the same? The
    `difference` of the mean scores over seeds, and what `over_seeds` says of it. *Pairs*: would other test pairs say
    the same? For accuracy: what `over_pairs` says.

    `significant_over` names the kinds of chance over which a difference in accuracy is significant: *seeds*
    (p < .05), *pairs* (the bootstrap interval leaves out 0), *both* or *neither*. No p-value is corrected for the
    number of comparisons.
    """
    rows = []
    of = dict(iter(table.groupby(["train_set", "test_set"])))
    for test_set, label in tests.labels.items():
        places = tests.places[test_set]
        for against, train_set in pairs:
            for metric in metrics:
                left = of[against, test_set][metric].to_numpy()
                right = of[train_set, test_set][metric].to_numpy()
                row = {"test_set": test_set, "train_set": train_set}
                row |= {"against": against, "metric": metric}
                row["difference"] = right.mean() - left.mean()
                row |= over_seeds(left, right)
                if metric == "accuracy":
                    before = grid[against][:, places]
                    after = grid[train_set][:, places]
                    row |= over_pairs(label, before, after, tests.group[places])
                    row["significant_over"] = _significant_over(row)
                rows.append(row)
    return pd.DataFrame(rows)


def _significant_over(row: Mapping[str, Any]) -> str:
    over_these = row["p"] < 0.05
    if row["pairs low"] > 0 or row["pairs high"] < 0:
        return "both" if over_these else "pairs"
    return "seeds" if over_these else "neither"
