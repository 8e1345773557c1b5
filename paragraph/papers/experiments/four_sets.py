"""Four training sets by four test sets: does augmenting, does flipping make models better? (Chen et al. 2020)"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from os import PathLike

import numpy as np
import pandas as pd

from .grid import Model, Seeds, between, check_run, run_grid
from .results import Results
from .sets import HeldOut, make_sets

__all__ = ["TITLES", "FourByFour", "four_by_four"]

#: The sets as the paper calls them.
TITLES = {
    "original": "Original",
    "original_flipped": "Original-Flipped",
    "augmented": "Augmented",
    "augmented_flipped": "Augmented-Flipped",
}


def four_by_four(
    train: pd.DataFrame,
    test: pd.DataFrame,
    model: Model = "embedding",
    seeds: Seeds = 5,
    *,
    dev: pd.DataFrame | None = None,
    negatives: str = "all",
    remove_leaks: bool = True,
    planted: float = 0.0,
    results: str | PathLike | None = None,
    progress: bool = True,
) -> FourByFour:
    """Train on each of the four datasets, test on each: Tables 2 and 3 of Chen et al. (2020) on any data.

    Parameters
    ----------
    train, test : DataFrame
        Pair tables, each closed on its own. The rows need a label to be used.
    model : str or callable
        A name (`papers.make_model`), or a function from a seed to a model.
    seeds : int or sequence of int
        How many, or which. The seed is the model's; where the model is deterministic it draws a component-wise
        bootstrap of the training set instead, the same for the four sets (`resampling.bootstrap`).
    dev : DataFrame, optional
        Rows with a label go to the model's `fit` as they are, for early stopping.
    negatives : {"all", "clusters"}
        Which stated negatives carry over (`infer`). The paper's published code does ``"clusters"``.
    remove_leaks : bool
        Whether training pairs that are stated in, or inferable from, the test set are removed. They are counted in
        either case. (The paper did not remove them.)
    planted : float
        This share of the labels is flipped first, in training and test rows (`plant_errors`, seeds 0 and 1).
    results : path, optional
        Finished cells are kept beside it, so that the same call continues a run that was killed; the tables and the
        record are written as ``<results>.json`` (`read_results`).

    Raises
    ------
    PairsError
        Data that leave a set without one of the labels, what the model raises, and results of another run.

    Examples
    --------
    Rows split without regard to sentences leak:

    >>> import paragraph as pg
    >>> pairs = pg.read_pairs(pg.DEMO)
    >>> halves = pairs[:1500], pairs[1500:]
    >>> four = four_by_four(*halves, "tfidf", negatives="clusters", seeds=1, progress=False)
    >>> four.leaks[["set", "stated in test", "inferable in test", "removed"]]
                     set  stated in test  inferable in test  removed
    0           original               2                 81       83
    1   original_flipped               2                 81       83
    2          augmented             311                168      479
    3  augmented_flipped             311                168      479
    >>> four.layout("F1").shape
    (4, 4)
    """
    chosen = {"negatives": negatives, "remove_leaks": remove_leaks, "planted": planted}
    check_run(model, seeds)
    sets = make_sets(train, test, **chosen)
    data = {"train": train, "dev": dev, "test": test}
    grid, scores, record = run_grid(
        FourByFour.experiment, data, model, seeds, chosen, sets.train,
        units=sets.units, tests=sets.tests, results=results, progress=progress,
    )  # fmt: skip
    twos = list(combinations(sets.train, 2))
    differences = between(grid, scores, sets.tests, twos)
    tables = {"scores": scores, "differences": differences}
    tables |= {"sets": sets.counts, "leakage": sets.leakage.table()}
    tables |= {"flips": sets.flips, "errors": sets.errors}
    tables["bounds"] = _bounds(sets.tests)
    return FourByFour(tables, record).write(results)


def _bounds(tests: HeldOut) -> pd.DataFrame:
    """Say of test sets with the same rows how many labels differ, and so how far apart any model can score."""
    rows = []
    for left, right in combinations(tests.labels, 2):
        same_rows = np.array_equal(tests.places[left], tests.places[right])
        if not same_rows:
            continue
        other = tests.labels[left] != tests.labels[right]
        changed = int(other.sum())
        share = changed / len(other)
        rows.append((left, right, len(other), changed, share))
    columns = ["test_set", "against", "rows", "labels that differ", "largest difference"]
    return pd.DataFrame(rows, columns=columns)


@dataclass(frozen=True)
class FourByFour(Results):
    """The result of `four_by_four`. The table has a row per `train_set`, `test_set` and `seed`."""

    experiment = "four by four"
    metrics = ("accuracy", "F1")
    scale = (100, 2)
    titles = TITLES

    @property
    def leaks(self) -> pd.DataFrame:
        """Training rows that are stated in, or inferable from, the test set: a row per training set."""
        counts = self.tables["sets"]
        train = counts[counts["part"] == "train"]
        leaks = train.drop(columns=["part", "unlabelled"])
        return leaks.reset_index(drop=True)

    @property
    def flips(self) -> pd.DataFrame:
        """Conflicts that were flipped; with planted errors, how many flips undid one and how many made one."""
        return self.tables["flips"]

    def layout(self, metric: str = "accuracy") -> pd.DataFrame:
        """Lay out a metric as the paper does: a row per training set, a column per test set, times 100."""
        train = self.table["train_set"].unique()
        test = self.table["test_set"].unique()
        cells = self.cells(metric, ["train_set", "test_set"]).unstack()
        cells = cells.reindex(index=train, columns=test)
        cells = cells.rename(index=self.titles, columns=self.titles)
        return cells.rename_axis(index="trained on", columns="tested on")

    def notes(self) -> list[str]:
        """Return what a reader of the table must know, in sentences."""
        notes = super().notes()
        titles = self.titles
        leaks = self.leaks.set_index("set")
        leaking = leaks["stated in test"] + leaks["inferable in test"]
        verb = "removed" if self.record["options"]["remove_leaks"] else "left in"
        counts = [f"{titles[name]} {int(count):,}" for name, count in leaking.items()]
        notes.append(
            f"Training rows stated or inferable in the test set ({verb}): {', '.join(counts)}."
        )
        for row in self.flips.to_dict("records"):
            text = f"{int(row['flipped']):,} {row['part']} labels were flipped"
            if "planted" in row:
                text += f": {int(row['undid an error']):,} of {int(row['planted']):,} planted errors undone, "
                text += f"{int(row['made an error']):,} right labels made wrong"
            notes.append(text + ".")
        for row in self.tables["bounds"].to_dict("records"):
            pair = f"The test sets {titles[row['test_set']]} and {titles[row['against']]}"
            if row["labels that differ"]:
                notes.append(
                    f"{pair} differ in {row['labels that differ']:,} of {row['rows']:,} labels, so no model "
                    f"can score more than {100 * row['largest difference']:.3f} points apart on them."
                )
            else:
                notes.append(f"{pair} hold the same labels, and so the same scores.")
        differences = self.score_differences()
        for test_set, rows in differences.groupby("test_set", sort=False):
            seeds = rows["detectable"].max()
            pairs = rows["pairs detectable"].max()
            over_both = rows["significant_over"] == "both"
            sure = int(over_both.sum())
            if np.isfinite([seeds, pairs]).all():
                notes.append(
                    f"On {titles[test_set]} a difference of {100 * seeds:.2f} points would have shown over seeds, of "
                    f"{100 * pairs:.2f} over pairs (power .8); {sure} of {len(rows)} are significant over both."
                )
        return notes
