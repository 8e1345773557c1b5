"""Charts of models: their learning curves, and the style of all charts of experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ...draw.figures import new_figure
from ...draw.shared import CAMPS
from ...draw.style import INK, NEGATIVE, POSITIVE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_learning_curve", "plain"]

_COLORS = [POSITIVE, NEGATIVE, *CAMPS[:4]]
_DASHES = ["-", "--", "-.", ":", (0, (6, 2, 1, 2)), (0, (1, 1))]


def draw_learning_curve(table: pd.DataFrame, score: str = "accuracy") -> Figure:
    """Draw a score over the size of the training set: mean over seeds, and a band of one standard deviation.

    The table has a row per run: ``model``, ``rows`` (training pairs), and the score. Runs of the same size and model
    differ by their seed.

    Examples
    --------
    >>> runs = pd.DataFrame({"model": "tfidf", "rows": [100, 100, 1000, 1000], "accuracy": [0.60, 0.64, 0.70, 0.71]})
    >>> figure = draw_learning_curve(runs)
    """
    figure = new_figure(6.4, 4, layout="constrained")
    axes = plain(figure.subplots())
    axes.set_prop_cycle(color=_COLORS, linestyle=_DASHES)
    for name, runs in table.groupby("model", sort=False):
        scores = runs.groupby("rows")[score]
        found = scores.agg(["mean", "std"]).fillna(0)
        mean = found["mean"]
        spread = found["std"]
        (line,) = axes.plot(mean.index, mean, marker="o", ms=5, label=str(name))
        band = {"color": line.get_color(), "alpha": 0.15, "lw": 0}
        axes.fill_between(mean.index, mean - spread, mean + spread, **band)
    sizes = np.unique(table["rows"])
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.set_xticks([], minor=True)
    axes.set(xlabel="training pairs (log scale)", ylabel=score)
    title = f"{score} by training size; the band is ± 1 standard deviation"
    axes.set_title(title, loc="left", size=11, color=INK)
    figure.legend(frameon=False, fontsize=9, handlelength=3.2, loc="outside lower left")
    return figure


def plain(axes: Axes, grid: str = "y") -> Axes:
    """Give axes the style of every chart: no frame above and at the right, one faint grid behind the data."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    axes.set_axisbelow(True)
    axes.grid(axis=grid, color="#E4E8EC")
    return axes
