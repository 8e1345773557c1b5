"""Training on labels inferred at growing distance: the reach of transitivity (Jurišić et al. 2023, Table 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from os import PathLike

import numpy as np
import pandas as pd

from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.closure import infer
from ..experiments.grid import Model, Seeds, between, check_run, run_grid
from ..experiments.resampling import Units, row_keys, units_of
from ..experiments.results import Results
from ..experiments.sets import held_out, labelled

__all__ = ["DistanceGrid", "distance_grid"]

#: Positives up to this round, by name of the row, and how the paper calls it.
ROUNDS = {"1": 1, "1-2": 2, "all": None}
_ROWS = {"1": "distance 1", "1-2": "distance 1, 2", "all": "all"}
#: Inferred negatives for each inferred positive.
TIMES = (0, 1, 2)
#: The nine augmented datasets by name: row and column of the paper's table.
DATASETS = {f"{rows} x{times}": (rows, times) for rows, times in product(ROUNDS, TIMES)}
TITLES = {name: f"{_ROWS[rows]}, negatives ×{times}" for name, (rows, times) in DATASETS.items()}
BASELINE = "baseline"


def distance_grid(
    train: pd.DataFrame,
    dev: pd.DataFrame,
    test: pd.DataFrame,
    model: Model = "embedding",
    seeds: Seeds = 5,
    *,
    negatives: str = "all",
    results: str | PathLike | None = None,
    progress: bool = True,
) -> DistanceGrid:
    """Train on the baseline and on each of the nine augmented datasets, test on one test set as given.

    Table 2 of Jurišić, Miličević and Srzić (2023) on any data; the sets are those of `make_grid_sets`.

    Parameters
    ----------
    train, dev, test : DataFrame
        Pair tables. `dev` goes to the model's `fit`.
    model : str or callable
        A model by name (`papers.make_model`), or a function from a seed to a model. (The
        paper's is a dense network on frozen embeddings of the pair.)
    seeds, results, progress
        As in `four_by_four`.
    negatives : {"all", "clusters"}
        Which stated negatives carry over (`infer`); the default is the paper's.

    Raises
    ------
    PairsError
        Nothing can be inferred, or what the model or a run raises.
    """
    check_run(model, seeds)
    sets = make_grid_sets(train, [dev, test], negatives=negatives)
    inferred = sets.rounds["inferred"]
    if (inferred == sets.rounds["in dev or test"]).all():
        raise PairsError(
            "nothing can be inferred from the training rows that dev and test do not hold: no clusters?"
        )
    graph = ParaphraseGraph.from_pairs(test)
    tests = held_out(graph, {"test": test})
    data = {"train": train, "dev": dev, "test": test}
    chosen = {"negatives": negatives}
    grid, scores, record = run_grid(
        DistanceGrid.experiment, data, model, seeds, chosen, sets.train,
        units=sets.units, tests=tests, results=results, progress=progress,
    )  # fmt: skip
    against_baseline = [(BASELINE, name) for name in DATASETS]
    differences = between(grid, scores, tests, against_baseline, DistanceGrid.metrics)
    by_dataset = scores.rename(columns={"train_set": "dataset"})
    by_dataset = by_dataset.drop(columns="test_set")
    tables = {"scores": by_dataset, "differences": differences}
    tables |= {"rounds": sets.rounds, "datasets": sets.datasets}
    return DistanceGrid(tables, record).write(results)


@dataclass(frozen=True)
class DistanceGrid(Results):
    """The result of `distance_grid`. The table has a row per `dataset` and `seed`."""

    experiment = "distance grid"
    metrics = ("accuracy", "weighted F1")
    scale = (1, 4)
    titles = TITLES

    @property
    def datasets(self) -> pd.DataFrame:
        """The rows of each dataset; `negatives wanted` exceed `negatives` where fewer could be inferred."""
        return self.tables["datasets"]

    def layout(self, metric: str = "accuracy") -> pd.DataFrame:
        """Lay out a metric as the paper does: rows by distance, columns by inferred negatives."""
        cells = self.cells(metric, "dataset")[list(DATASETS)]
        cells = cells.to_numpy().reshape(len(ROUNDS), len(TIMES))
        index = pd.Index(_ROWS.values(), name="inferred")
        columns = [f"×{times}" for times in TIMES]
        return pd.DataFrame(cells, index, columns)

    def baseline(self, metric: str = "accuracy") -> tuple[float, float]:
        """Return mean and standard deviation of the dataset as given."""
        here = self.table["dataset"] == BASELINE
        values = self.table.loc[here, metric]
        return float(values.mean()), float(values.std())

    def notes(self) -> list[str]:
        """Return what a reader of the table must know, in sentences."""
        notes = super().notes()
        differences = self.score_differences()
        for row in self.datasets.to_dict("records"):
            if row["negatives"] < row["negatives wanted"]:
                wanted = f"{row['negatives wanted']:,} inferred negatives wanted, {row['negatives']:,} exist."
                notes.append(f"{row['dataset']}: {wanted}")
        sure = int((differences["significant_over"] == "both").sum())
        detectable = differences["detectable"]
        if np.isfinite(detectable).all():
            notes.append(
                f"A difference in accuracy of {detectable.max():.4f} would have shown over seeds "
                f"(power .8); {sure} of {len(differences)} datasets differ significantly over seeds and over pairs."
            )
        return notes

    def _heading(self, metric: str) -> str:
        return f", baseline {self.in_words(*self.baseline(metric))}"


# -- the datasets ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GridSets:
    """The result of `make_grid_sets`."""

    train: dict[str, pd.DataFrame]  #: by name: `text_a`, `text_b`, `label`, `unit_a`, `unit_b`
    units: Units  #: what a bootstrap draws
    rounds: pd.DataFrame  #: labels inferred in each round, and how many of them are in dev or test
    datasets: pd.DataFrame  #: what was added to each dataset, and what was wanted


def make_grid_sets(
    train: pd.DataFrame, held_out: Sequence[pd.DataFrame], *, negatives: str = "all", seed: int = 0
) -> GridSets:
    """Make the baseline and the nine augmented datasets (Jurišić et al. 2023, section 4.1).

    To the rows as given come the positives inferred in round 1, in rounds 1 and 2, or in all; and for each of them
    no, one or two inferred negatives of the same rounds, as far as there are that many. The paper does not say how
    its negatives were chosen: here they are a uniform sample, and the sample for one is part of the sample for
    two. Inferred pairs that are stated in a held-out table, whatever the label, are left out first.
    """
    graph = ParaphraseGraph.from_pairs(train)
    found = infer(graph, negatives=negatives).to_frame()
    given = labelled(train)
    units = units_of(graph)
    of_found, *of_held_out = row_keys(found, *held_out)
    keys = np.concatenate([np.empty(0, np.int64), *of_held_out])
    seen = np.isin(of_found, keys)
    rounds = _counts_by_round(found, seen)
    inferred = found[~seen].reset_index(drop=True)
    rng = np.random.default_rng(seed)
    tables = {BASELINE: given}
    rows = [(BASELINE, "none", 0, len(given), 0, 0, 0, 0)]
    for name, limit in ROUNDS.items():
        near = inferred
        if limit is not None:
            near = inferred[inferred["distance"] <= limit]
        positive = near[near["label"] == 1]
        available = near[near["label"] == 0]
        order = rng.permutation(len(available))
        for times in TIMES:
            wanted = times * len(positive)
            dataset = f"{name} x{times}"
            drawn = np.sort(order[:wanted])
            used = available.iloc[drawn]
            columns = list(given)
            parts = [given, positive[columns], used[columns]]
            tables[dataset] = pd.concat(parts, ignore_index=True)
            counts = (len(given), len(positive), wanted)
            counts += (len(available), len(used))
            rows.append((dataset, name, times, *counts))
    columns = [
        "dataset",
        "rounds",
        "times",
        "stated",
        "positives",
        "negatives wanted",
        "available",
        "negatives",
    ]
    datasets = pd.DataFrame(rows, columns=columns)
    return GridSets(units.mark(tables), units, rounds, datasets)


def _counts_by_round(found: pd.DataFrame, seen: np.ndarray) -> pd.DataFrame:
    """Inferred labels by sign and distance, the positives first, and how many of them were seen."""
    order = ["sign", "distance"]
    rounds = found[["distance"]].assign(inferred=1)
    signs = {1: "positive", 0: "negative"}
    rounds["sign"] = found["label"].map(signs)
    rounds["in dev or test"] = seen.astype(int)
    rounds = rounds.groupby(order).sum().reset_index()
    return rounds.sort_values(order, ascending=[False, True], ignore_index=True)
