"""Results of an experiment: tables without sentences, the record of how they were made, and their picture."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import pandas as pd

from ...files import PairsError
from ...files.errors import as_pairs_error
from ...files.outputs import write_json

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Results", "read_results"]


@dataclass(frozen=True)
class Results:
    """The tables and the record of an experiment; a subclass has its `layout` and `notes`."""

    tables: dict[str, pd.DataFrame]
    record: dict[str, Any]

    experiment: ClassVar[str]  #: its name in records
    metrics: ClassVar[tuple[str, ...]]  #: those shown in a notebook
    titles: ClassVar[Mapping[str, str]]  #: of the training and test sets
    #: a score is multiplied by the first, and has this many decimal places
    scale: ClassVar[tuple[int, int]]

    def write(self, path: str | PathLike | None) -> Self:
        """Write the tables and the record as ``<path>.json``; without a path nothing is written.

        No table holds sentences: results are small, and travel.
        """
        if path is None:
            return self
        tables = {}
        for name, table in self.tables.items():
            text = table.to_json(orient="split", index=False, double_precision=15)
            tables[name] = json.loads(text)
        path = Path(f"{path}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(self.record | {"tables": tables}, path)
        return self

    @property
    def table(self) -> pd.DataFrame:
        """One row per training set, test set and seed: the scores, named as by `scores`, and `n`, `model`."""
        return self.tables["scores"]

    def layout(self, metric: str = "accuracy") -> pd.DataFrame:
        """Lay out a metric as the paper does, mean ± standard deviation over seeds."""
        raise NotImplementedError

    def cells(self, metric: str, by: str | list[str]) -> pd.Series:
        """Return mean ± standard deviation of a metric, in words, for each group of rows."""
        if metric not in self.table:
            raise PairsError(
                f"metric {metric!r} is not a column of the table: {', '.join(self.table)}"
            )
        scores = self.table.groupby(by, sort=False)[metric]
        found = scores.agg(["mean", "std"])
        return found.apply(lambda row: self.in_words(*row), axis=1)

    def score_differences(
        self, metric: str = "accuracy", test_set: str | None = None
    ) -> pd.DataFrame:
        """Return the gain of each training set over those it is compared with; columns as in `grid.between`."""
        table = self.tables["differences"]
        table = table[table["metric"] == metric]
        if test_set is not None:
            table = table[table["test_set"] == test_set]
        return table.drop(columns="metric").reset_index(drop=True)

    def in_words(self, mean: float, deviation: float) -> str:
        """Write a mean and its standard deviation over seeds, which a single seed has not."""
        factor, places = self.scale
        text = f"{factor * mean:.{places}f}"
        if np.isnan(deviation):
            return text
        return f"{text} ± {factor * deviation:.{places}f}"

    def figure(self, metric: str = "accuracy") -> Figure:
        """Draw a panel for each test set: a line per training set, its mean over seeds and a 95 % interval.

        Small points below it are single seeds. The interval is Student's, of the mean; one seed has none. Panels
        share their scale, in points of 100. The first training set is the one to compare with: its mean is the
        upright line.
        """
        from ...draw.figures import new_figure
        from ...draw.style import INK
        from .charts import plain

        table = self.table.rename(columns={"dataset": "train_set"})
        if "test_set" not in table:
            table["test_set"] = "test set"
        names = list(table["train_set"].unique())
        panels = list(table["test_set"].unique())
        width = max(5.0, 1.6 + 1.7 * len(panels))
        height = 1.3 + 0.34 * len(names)
        figure = new_figure(width, height)
        figure.set_layout_engine("constrained")
        shape = (1, len(panels))
        [axes] = figure.subplots(*shape, sharex=True, sharey=True, squeeze=False)
        for ax, panel in zip(axes, panels, strict=True):
            here = table[table["test_set"] == panel]
            for place, name in enumerate(names):
                values = here.loc[here["train_set"] == name, metric]
                _draw_mean(ax, place, 100 * values.to_numpy())
            title = self.titles.get(panel, panel)
            ax.set_title(title, fontsize=9, color=INK)
            plain(ax, grid="x")
            ax.spines["left"].set_visible(False)
            ax.tick_params(labelsize=9, left=False)
            ax.locator_params(axis="x", nbins=3)
        titles = [self.titles.get(name, name) for name in names]
        axes[0].set_yticks(range(len(names)), titles)
        axes[0].invert_yaxis()
        label = f"{metric} × 100, mean over seeds and its 95 % interval"
        figure.supxlabel(label, fontsize=9, color=INK)
        return figure

    def notes(self) -> list[str]:
        """Return what a reader of the table must know, in sentences: the model, its seeds, what its weights saw."""
        model = self.record["options"]["model"]
        many = len(self.record["options"]["seeds"])
        seeds = "1 seed" if many == 1 else f"{many} seeds"
        if model["deterministic"]:
            seeds += f", each a bootstrap of the training set by {self.record['units']}"
        notes = [f"Model: {model['name']}; {seeds}."]
        if model["trained_on"]:
            notes.append(f"What its weights have seen: {model['trained_on']}")
        return notes

    def _heading(self, metric: str) -> str:
        """Return what stands beside a metric above its layout."""
        return " × 100"

    def _repr_html_(self) -> str:
        parts = []
        for metric in self.metrics:
            heading = f"<p><b>{escape(metric)}</b>{self._heading(metric)}</p>"
            parts.append(heading + self.layout(metric).to_html(border=0))
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.notes())
        body = f"{''.join(parts)}<ul>{notes}</ul>"
        return f'<div class="tex2jax_ignore mathjax_ignore">{body}</div>'


def _draw_mean(ax: Axes, place: int, values: np.ndarray) -> None:
    """Draw the values of one line of a figure, their mean and its 95 % interval by t."""
    from scipy import stats

    from ...draw.style import NEGATIVE, POSITIVE, QUIET

    mean = values.mean()
    color = POSITIVE if place else QUIET
    heights = np.full(len(values), place + 0.24)
    ax.plot(values, heights, ".", color=color, alpha=0.6, markersize=4)
    if len(values) > 1:
        error = values.std(ddof=1) / np.sqrt(len(values))
        factor = stats.t.ppf(0.975, len(values) - 1)
        wide = factor * error
        ends = [mean - wide, mean + wide]
        ax.plot(ends, [place, place], color=color, linewidth=2)
    ax.plot(mean, place, "o", color=color, markersize=6)
    if place == 0:
        dashes = (0, (4, 3))
        ax.axvline(mean, color=NEGATIVE, linewidth=0.8, linestyle=dashes, zorder=0)


def read_results(path: str | PathLike) -> Results:
    """Read the results that a finished experiment wrote at `path` (with or without ``.json``).

    Raises `PairsError` where there is nothing, or the record is of no experiment of this package.
    """
    from .. import experiments

    path = Path(path)
    if path.suffix != ".json":
        path = path.with_name(f"{path.name}.json")
    if not path.exists():
        raise PairsError(f"{path} does not exist: these are no finished results of an experiment")
    results = (experiments.DistanceGrid, experiments.FourByFour)
    kinds = {kind.experiment: kind for kind in results}
    with as_pairs_error(path, "run the experiment again"):
        record = json.loads(path.read_bytes())
        if record["experiment"] not in kinds:
            raise PairsError(f"{path}: {record['experiment']!r} is not one of {', '.join(kinds)}")
        tables = {}
        for name, table in record.pop("tables").items():
            tables[name] = pd.DataFrame(table["data"], columns=table["columns"])
    return kinds[record["experiment"]](tables, record)
