"""Does it help to leave out labels that are probably wrong: those that follow, those that are stated?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from ...graph import ParaphraseGraph
from ...graph.arrays import connected
from ...graph.closure import infer
from ...graph.variants import four_datasets
from ...pairs import PairsError
from ...repairs.suspects import suspects
from ...repairs.trust import trust
from .grid import Model, Seeds, between, check_run, run_grid
from .resampling import row_keys, units_of
from .results import Results
from .sets import held_out, labelled

__all__ = ["TrustedLabels", "trusted"]

JUDGED = "judged"


def trusted(
    train: pd.DataFrame,
    judged: pd.DataFrame,
    model: Model = "tfidf",
    seeds: Seeds = 10,
    *,
    reader: Any = "minilm",
    sure: Sequence[float] = (0.8, 0.9),
    doubt: float = 0.9,
    max_train: int | None = None,
    results: str | PathLike | None = None,
    progress: bool = True,
) -> TrustedLabels:
    """Train on original, augmented and trusted labels; test on pairs that somebody judged.

    Training sets: the rows as given (*original*), with all that follows (*augmented*), with what follows and is at
    least so probably right (`sure`), and the rows as given without those of pairs whose p_wrong is `doubt` or more.
    A component of the training graph that holds a judged sentence is left out.

    Parameters
    ----------
    train : DataFrame
        A pair table.
    judged : DataFrame
        Pairs with their true label: `text_a`, `text_b`, `label`; not those of the file, which are in doubt.
    model, seeds, max_train, results
        As in `four_by_four`.
    reader : {"minilm"}, Judge, function, folder or hub id
        Who reads the sentences, for `trust` and `suspects`.

    Raises
    ------
    PairsError
        No training row of one label is left; what the model or the reader raises; results of another run.
    """
    options = {"reader": str(reader), "sure": list(sure), "doubt": doubt, "max_train": max_train}
    check_run(model, seeds)
    rest = apart(train, judged)
    graph = ParaphraseGraph.from_pairs(rest)
    trainings, kept = _trainings(graph, reader, sure, doubt, progress)
    units = units_of(graph)
    trainings = {name: _some(table, name, max_train) for name, table in units.mark(trainings).items()}
    tests = held_out(ParaphraseGraph.from_pairs(judged), {JUDGED: judged})
    grid, scores, record = run_grid(
        TrustedLabels.experiment, {"train": rest, "judged": judged}, model, seeds, options, trainings,
        units=units, tests=tests, results=results, progress=progress,
    )  # fmt: skip
    first, *others = trainings
    counts = [
        {"set": name, "rows": len(table), "positive": int((table["label"] == 1).sum()), **kept.get(name, {})}
        for name, table in trainings.items()
    ]
    metrics = ("accuracy", "F1", "average precision")
    differences = between(grid, scores, tests, [(first, name) for name in others], metrics)
    return TrustedLabels({"scores": scores, "differences": differences, "sets": pd.DataFrame(counts)}, record).write(
        results
    )


def apart(train: pd.DataFrame, judged: pd.DataFrame) -> pd.DataFrame:
    """The training rows with a label whose component holds no judged sentence."""
    train = train[train["label"].notna()].reset_index(drop=True)
    graph = ParaphraseGraph.from_pairs(pd.concat([train, labelled(judged)], ignore_index=True))
    component = connected(graph.n, graph.row_a, graph.row_b)[graph.row_a]
    return train[~np.isin(component[: len(train)], component[len(train) :])].reset_index(drop=True)


def _trainings(
    graph: ParaphraseGraph, reader: Any, sure: Sequence[float], doubt: float, progress: bool
) -> tuple[dict[str, pd.DataFrame], dict[str, dict[str, float]]]:
    """The training sets by name; and of the labels that follow, how many stay and are expected to be right."""
    closure, kept = infer(graph), {}
    both = four_datasets(closure)
    trainings = {"original": labelled(both["original"]), "augmented": both["augmented"]}
    for level in sure:
        friends = trust(closure, reader, sure=level, progress=progress)
        name = f"sure {level:g}"
        trainings[name], told = four_datasets(friends)["augmented"], friends.expected()
        kept[name] = {
            f"{sign} {figure}": told[sign][figure] for sign in told for figure in ("follow", "stay", "right")
        }
    listed = suspects(graph, model=reader, progress=progress)
    keys, doubted = row_keys(trainings["original"], listed[listed["p_wrong"] >= doubt])
    trainings[f"doubt {doubt:g}"] = trainings["original"][~np.isin(keys, doubted)].reset_index(drop=True)
    return trainings, kept


def _some(table: pd.DataFrame, name: str, most: int | None) -> pd.DataFrame:
    """A uniform sample of this many rows; `PairsError` where both labels are not there."""
    if table["label"].nunique() < 2:
        raise PairsError(f"the training set {name!r} has no rows of one label; give it more rows")
    table = table.astype({"label": np.int8}).reset_index(drop=True)
    return table if most is None or len(table) <= most else table.sample(most, random_state=0).sort_index()


@dataclass(frozen=True)
class TrustedLabels(Results):
    """The result of `trusted`. The table has a row per `train_set` and `seed`."""

    experiment, metrics, scale = "trusted labels", ("accuracy", "average precision"), (100, 2)
    titles = {"original": "Original", "augmented": "Augmented", JUDGED: "Judged pairs"}  # noqa: RUF012

    def layout(self, metric: str = "accuracy") -> pd.DataFrame:
        """Lay out a metric: a row per training set, mean ± standard deviation over seeds, times 100."""
        cells = self.cells(metric, "train_set").rename(self.titles)
        return cells.to_frame(self.titles[JUDGED]).rename_axis("trained on")

    def notes(self) -> list[str]:
        """Return what a reader of the table must know, in sentences."""
        notes, found = super().notes(), self.score_differences()
        for row in found.to_dict("records"):
            gain, low, high, seeds, pairs = (
                f"{100 * row[name]:.2f}"
                for name in ("difference", "pairs low", "pairs high", "detectable", "pairs detectable")
            )
            text = f"{row['train_set']}: {gain} points of accuracy over the original ({low} to {high} over pairs)"
            notes.append(f"{text}; {seeds} would have shown over seeds, {pairs} over pairs (power .8).")
        return notes
