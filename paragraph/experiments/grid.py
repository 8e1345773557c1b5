"""One model for each training set and seed, asked once about every test pair."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from ..learn.naming import make_model
from ..measure.resampling import bootstrap
from ..pairs import PairsError
from .runs import run_cells, table_hash

__all__ = ["Grid", "about", "data_plan", "run_grid", "settings", "the_seeds"]

#: P(paraphrase) of what a training set's models were asked: one row a seed.
Grid = dict[str, np.ndarray]

#: Settings of a model that its predictions do not depend on.
_BESIDE = {"cache", "checkpoint", "checkpoint_seconds", "device", "progress", "seed"}


def run_grid(
    trainings: Mapping[str, pd.DataFrame],
    asked: Mapping[str, pd.DataFrame],
    model: str | Callable[[int], Any],
    seeds: Sequence[int],
    *,
    units: int,
    dev: pd.DataFrame | None = None,
    plan: dict[str, Any],
    path: str | PathLike | None = None,
    progress: bool = True,
) -> tuple[Grid, list[int], float]:
    """Fit a model on each training set with each seed and ask it: probabilities, seeds finished, seconds.

    A seed is the model's own; where the model is deterministic it draws a bootstrap of the training set's `units`
    instead (`resampling.bootstrap`). Seeds run slower than sets, so that an interrupted run has whole rounds.
    """

    def compute(cell: str) -> dict[str, np.ndarray]:
        name, seed = cell.rsplit(" ", 1)
        began = time.perf_counter()
        fresh = make_model(model, int(seed))
        rows = trainings[name]
        if fresh.deterministic:
            rows = bootstrap(rows, units, int(seed))
        try:
            fresh.fit(rows[["text_a", "text_b", "label"]], dev)
            probability = fresh.predict_proba(asked[name])
        except PairsError as error:
            raise PairsError(f"trained on {name!r}, seed {seed}: {error}") from error
        return {"probability": probability, "seconds": np.array(time.perf_counter() - began)}

    cells = [f"{name} {seed}" for seed in seeds for name in trainings]
    done = run_cells(cells, compute, plan, path, progress)
    whole = [seed for seed in seeds if all(f"{name} {seed}" in done for name in trainings)]
    if not whole:
        raise PairsError("interrupted before one seed was through all training sets: nothing can be compared")
    grid = {name: np.array([done[f"{name} {seed}"]["probability"] for seed in whole]) for name in trainings}
    return grid, whole, sum(float(arrays["seconds"]) for arrays in done.values())


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


def about(record: dict[str, Any]) -> list[str]:
    """What a record says of the model, in sentences: its seeds, and what its weights have seen."""
    model, many = record["options"]["model"], len(record["options"]["seeds"])
    seeds = f"{many} seed{'s' * (many != 1)}"
    if model["deterministic"]:
        seeds += f", each a bootstrap of the training set by {record['units']}"
    notes = [f"Model: {model['name']}; {seeds}."]
    if model["trained_on"]:
        notes.append(f"What its weights have seen: {model['trained_on']}")
    return notes


def data_plan(data: Mapping[str, pd.DataFrame | None]) -> dict[str, str]:
    """The data of a run, by hash."""
    return {name: table_hash(table) for name, table in data.items() if table is not None}
