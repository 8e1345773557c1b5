"""One model for each training set and seed, asked once about every test pair."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from ..learn.pairs import make_model
from ..measure.resampling import Units, bootstrap
from ..pairs import PairsError
from .between import Grid, score_table
from .runs import run_cells, run_record, table_hash
from .sets import HeldOut, labelled

__all__ = ["run_grid", "settings", "the_seeds"]

#: Settings of a model that its predictions do not depend on.
_BESIDE = {"cache", "checkpoint", "checkpoint_seconds", "device", "progress", "seed"}


def run_grid(
    experiment: str,
    data: Mapping[str, pd.DataFrame | None],
    options: dict[str, Any],
    model: str | Callable[[int], Any],
    trainings: Mapping[str, pd.DataFrame],
    asked: Mapping[str, pd.DataFrame],
    *,
    units: Units,
    tests: HeldOut,
    results: str | PathLike | None = None,
    progress: bool = True,
) -> tuple[Grid, pd.DataFrame, dict[str, Any]]:
    """Fit a model on each training set with each seed and ask it: probabilities, scores, and the record of the run.

    A seed is the model's own; where the model is deterministic it draws a bootstrap of the training set's `units`
    instead (`resampling.bootstrap`). Seeds run slower than sets, so that an interrupted run has whole rounds.

    Parameters
    ----------
    experiment : str
        Its name, in the plan and the record.
    data : mapping
        The pair tables that were given; of ``"dev"``, rows with a label go to the model's `fit`.
    options : dict
        What the run depends on besides the data, as JSON: `model` (`settings`), `seeds` (`the_seeds`), others.
    trainings, asked : mappings
        By name: the rows to train on, and the pairs to ask about, of which those of `tests` come first.
    results : path, optional
        Finished cells are kept beside it (`run_cells`).
    """
    data = {name: table for name, table in data.items() if table is not None}
    plan = {"experiment": experiment, "data": {name: table_hash(table) for name, table in data.items()}, **options}
    dev = labelled(data["dev"]) if "dev" in data else None
    seeds = options["seeds"]

    def compute(cell: str) -> dict[str, np.ndarray]:
        name, seed = cell.rsplit(" ", 1)
        began = time.perf_counter()
        fresh = make_model(model, int(seed))
        rows = trainings[name]
        if fresh.deterministic:
            rows = bootstrap(rows, units.count, int(seed))
        try:
            fresh.fit(rows[["text_a", "text_b", "label"]], dev)
            probability = fresh.predict_proba(asked[name])
        except PairsError as error:
            raise PairsError(f"trained on {name!r}, seed {seed}: {error}") from error
        return {"probability": probability, "seconds": np.array(time.perf_counter() - began)}

    cells = [f"{name} {seed}" for seed in seeds for name in trainings]
    done = run_cells(cells, compute, plan, results, progress=progress)
    whole = [seed for seed in seeds if all(f"{name} {seed}" in done for name in trainings)]
    if not whole:
        raise PairsError("interrupted before one seed was through all training sets: nothing can be compared")
    grid = {name: np.array([done[f"{name} {seed}"]["probability"] for seed in whole]) for name in trainings}
    record = run_record(experiment, data, options, sum(float(arrays["seconds"]) for arrays in done.values()))
    record |= {"units": units.kind, "test units": tests.unit}
    return grid, score_table(grid, whole, tests, model=options["model"]["name"]), record


def the_seeds(seeds: int | Sequence[int]) -> list[int]:
    """Seeds 0, 1, … where a number is given, else those given; at least one, none twice."""
    found = list(range(seeds)) if isinstance(seeds, int) else [int(seed) for seed in seeds]
    if not found or len(set(found)) < len(found) or min(found) < 0:
        raise PairsError(f"seeds {seeds!r} is neither a number from 1 nor a list of different seeds from 0")
    return found


def settings(model: str | Callable[[int], Any]) -> dict[str, Any]:
    """What a run depends on in its model: the name, and every plain setting it was made with."""
    fresh = make_model(model, 0)
    plain = {
        name: str(value) if isinstance(value, PathLike) else value
        for name, value in sorted(vars(fresh).items())
        if isinstance(value, str | int | float | tuple | list | PathLike | None)
        and not (name.startswith("_") or name in _BESIDE)
    }
    return {"name": fresh.name, "trained_on": fresh.trained_on, "deterministic": fresh.deterministic} | plain
