"""Result tables as pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..draw.canvas import new_figure, plain
from ..draw.style import INK, NEGATIVE, POSITIVE, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_scores"]


def draw_scores(table: pd.DataFrame, metric: str, titles: Mapping[str, str], row: str = "train_set") -> Figure:
    """A panel for each test set: a line for each training set, its mean over seeds with a 95 % interval.

    Small points below it are single seeds. The interval is Student's, of the mean; one seed has
    none. Panels share their scale, in points of 100. The first training set is the one to compare with: its mean is
    the upright line.
    """
    from scipy import stats

    names, panels = (list(dict.fromkeys(table[column])) for column in (row, "test_set"))
    figure = new_figure(max(5.0, 1.6 + 1.7 * len(panels)), 1.3 + 0.34 * len(names))
    figure.set_layout_engine("constrained")
    axes = figure.subplots(1, len(panels), sharex=True, sharey=True, squeeze=False)[0]
    for ax, panel in zip(axes, panels, strict=True):
        here = table[table["test_set"] == panel]
        for place, name in enumerate(names):
            values = 100 * here.loc[here[row] == name, metric].to_numpy()
            mean, color = values.mean(), QUIET if place == 0 else POSITIVE
            ax.plot(values, np.full(len(values), place + 0.24), ".", color=color, alpha=0.6, markersize=4)
            if len(values) > 1:
                wide = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
                ax.plot([mean - wide, mean + wide], [place, place], color=color, linewidth=2)
            ax.plot(mean, place, "o", color=color, markersize=6)
            if place == 0:
                ax.axvline(mean, color=NEGATIVE, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
        ax.set_title(titles.get(panel, panel), fontsize=9, color=INK)
        plain(ax, grid="x").spines["left"].set_visible(False)
        ax.tick_params(labelsize=9, left=False)
        ax.locator_params(axis="x", nbins=3)
    axes[0].set_yticks(range(len(names)), [titles.get(name, name) for name in names])
    axes[0].invert_yaxis()
    figure.supxlabel(f"{metric} × 100, mean over seeds and its 95 % interval", fontsize=9, color=INK)
    return figure
