"""How far transitivity carries: training on labels inferred at growing distance (Jurišić et al. 2023, Table 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..pairs import PairsError
from .between import between
from .distance_sets import BASELINE, DATASETS, HARDEST, ROUNDS, TIMES, make_grid_sets
from .grid import run_grid, settings, the_seeds
from .results import Results
from .runs import write_tables
from .sets import held_out

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["DistanceGrid", "distance_grid"]


def distance_grid(
    train: pd.DataFrame,
    dev: pd.DataFrame,
    test: pd.DataFrame,
    head: str | Callable[[int], Any] = "dense",
    seeds: int | Sequence[int] = 5,
    *,
    negatives: str = "all",
    max_train: int | None = None,
    results: str | PathLike | None = None,
    progress: bool = True,
) -> DistanceGrid:
    """Train on the baseline and on each of the nine augmented datasets, test on one test set as given.

    Table 2 of Jurišić, Miličević and Srzić (2023) on any data; the sets are those of `make_grid_sets`.

    Parameters
    ----------
    train, dev, test : DataFrame
        Pair tables. `dev` goes to the model's `fit`.
    head : str or callable
        A model by name (`learn.make_model`; "dense" is the paper's), or a function from a seed to a model.
    seeds, results, progress
        As in `four_by_four`.
    negatives : {"all", "clusters"}
        Which stated negatives carry over (`infer`); the default is the paper's.
    max_train : int, optional
        The rows of `train` are first cut down to a uniform sample of so many (seed 0).

    Raises
    ------
    PairsError
        Nothing can be inferred, or what the model or a run raises.
    """
    options = {"model": settings(head), "seeds": the_seeds(seeds), "negatives": negatives, "max_train": max_train}
    rows = train if max_train is None or len(train) <= max_train else train.sample(max_train, random_state=0)
    sets = make_grid_sets(rows.sort_index(), [dev, test], negatives=negatives)
    if not len(sets.inferred):
        raise PairsError("nothing can be inferred from the training rows that dev and test do not hold: no clusters?")
    tests = held_out(ParaphraseGraph.from_pairs(test), {"test": test})
    beyond = pd.concat([tests.asked, sets.negatives[["text_a", "text_b"]]], ignore_index=True)
    grid, scores, record = run_grid(
        DistanceGrid.experiment,
        {"train": train, "dev": dev, "test": test},
        options,
        head,
        sets.train,
        dict.fromkeys(sets.train, tests.asked) | dict.fromkeys((BASELINE, HARDEST), beyond),
        units=sets.units,
        tests=tests,
        results=results,
        progress=progress,
    )
    against_baseline = [(BASELINE, name) for name in DATASETS]
    tables = {
        "scores": scores.rename(columns={"train_set": "dataset"}).drop(columns="test_set"),
        "differences": between(grid, scores, tests, against_baseline, ("accuracy", "weighted F1")),
        "rounds": sets.rounds,
        "datasets": sets.datasets,
    }
    write_tables(results, tables, record)
    mean = {name: grid[name][:, len(tests.asked) :].mean(axis=0) for name in (BASELINE, HARDEST)}
    hard = sets.negatives.assign(probability=mean[HARDEST], baseline=mean[BASELINE]).drop(columns="label")
    hard = hard.sort_values("probability", ascending=False, kind="stable", ignore_index=True)
    return DistanceGrid(tables, record, hard)


@dataclass(frozen=True)
class DistanceGrid(Results):
    """The result of `distance_grid`. The table has a row a `dataset` and `seed`."""

    #: Inferred negatives by P(paraphrase), highest first (the paper's Table 3): `text_a`, `text_b`, `distance`,
    #: `probability` by the models trained on them as negatives ("all x2"), `baseline` by those that never saw them,
    #: both means over seeds. None where results were read from disk, which hold no sentences.
    hard_negatives: pd.DataFrame | None = None

    experiment, metrics = "distance grid", ("accuracy", "weighted F1")

    @property
    def rounds(self) -> pd.DataFrame:
        """Labels inferred in each round, and how many of them are stated in dev or test and were left out."""
        return self.tables["rounds"]

    @property
    def datasets(self) -> pd.DataFrame:
        """What each dataset holds; `negatives wanted` exceed `negatives` where fewer could be inferred."""
        return self.tables["datasets"]

    def layout(self, metric: str = "accuracy") -> pd.DataFrame:
        """The paper's layout: rows by distance, columns by inferred negatives, mean ± standard deviation."""
        found = self.table.groupby("dataset", sort=False)[metric].agg(["mean", "std"])
        cells = [_mean_and_deviation(*row) for row in found.loc[list(DATASETS)].itertuples(index=False)]
        table = pd.DataFrame(np.reshape(cells, (len(ROUNDS), len(TIMES))), columns=[f"×{times}" for times in TIMES])
        table.index = pd.Index(map(_row, ROUNDS), name="inferred")
        return table

    def baseline(self, metric: str = "accuracy") -> tuple[float, float]:
        """Mean and standard deviation of the dataset as given."""
        values = self.table.loc[self.table["dataset"] == BASELINE, metric]
        return float(values.mean()), float(values.std())

    def differences(self, metric: str = "accuracy") -> pd.DataFrame:
        """The gain of each dataset over the baseline, with tests and power; columns as in `between.between`."""
        table = self.tables["differences"]
        columns = ["test_set", "against", "metric"]
        return table[table["metric"] == metric].drop(columns=columns).reset_index(drop=True)

    def figure(self, metric: str = "accuracy") -> Figure:
        """A line a dataset: mean over seeds and its 95 % interval."""
        from .figures import draw_scores

        titles = {name: f"{_row(rounds)}, negatives ×{times}" for name, (rounds, times) in DATASETS.items()}
        return draw_scores(self.table.assign(test_set="test set"), metric, titles, row="dataset")

    def notes(self) -> list[str]:
        """What a reader of the table must know, in sentences."""
        short = self.datasets[self.datasets["negatives"] < self.datasets["negatives wanted"]]
        found = self.differences()
        sure = int((found["significant_over"] == "both").sum())
        notes = super().notes()
        notes += [
            f"{row['dataset']}: {row['negatives wanted']:,} inferred negatives wanted, {row['negatives']:,} exist."
            for row in short.to_dict("records")
        ]
        if np.isfinite(found["detectable"]).all():
            notes.append(
                f"A difference in accuracy of {found['detectable'].max():.4f} would have shown over seeds "
                f"(power .8); {sure} of {len(found)} datasets differ significantly over seeds and over pairs."
            )
        return notes

    def _heading(self, metric: str) -> str:
        return f", baseline {_mean_and_deviation(*self.baseline(metric))}"


def _mean_and_deviation(mean: float, deviation: float) -> str:
    return f"{mean:.4f}" + ("" if np.isnan(deviation) else f" ± {deviation:.4f}")


def _row(rounds: str) -> str:
    """What the paper calls a row of its table."""
    return "all" if ROUNDS[rounds] is None else f"distance {rounds.replace('-', ', ')}"
