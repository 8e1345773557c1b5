"""A chart of rare positives: precision over recall, and how many pairs hold one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ...draw.canvas import new_figure
from ...draw.style import NEGATIVE, POSITIVE, QUIET
from ..experiments.charts import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_rare"]

#: More pairs than this are too small to be seen as dots: a dot then stands for several.
DOTS = 40_000


def draw_rare(curves: Mapping[str, tuple[pd.DataFrame, float]], pairs: int, positives: int) -> Figure:
    """Draw precision over recall of one or two selections of pairs, and how many pairs hold one positive.

    Parameters
    ----------
    curves : {name: (table, average precision)}
        Tables with `recall` and `precision`, at falling thresholds.
    pairs, positives : int

    Examples
    --------
    >>> curve = pd.DataFrame({"recall": [0.5, 1], "precision": [1, 0.1]})
    >>> figure = draw_rare({"all pairs": (curve, 0.55)}, pairs=18_700, positives=1)
    """
    figure = new_figure(9.6, 4.6, layout="constrained")
    axes, picture = figure.subplots(1, 2, width_ratios=(1.15, 1))
    for color, dash, (name, (table, average)) in zip((POSITIVE, NEGATIVE), ("-", "--"), curves.items(), strict=False):
        recall, precision = [0, *table["recall"]], [table["precision"].iloc[0], *table["precision"]]
        label = f"{name}: average precision {100 * average:.1f} %"
        axes.step(recall, precision, where="pre", color=color, ls=dash, lw=1.8, label=label)
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="recall: share of the positives found")
    axes.set_ylabel("precision: share of positives\namong the pairs found")
    plain(axes)
    figure.legend(frameon=False, fontsize=9, handlelength=3.2, loc="outside lower left")
    one = round(pairs / positives)
    each = -(-one // DOTS)  # pairs per dot
    side = int(np.ceil(np.sqrt(one / each)))
    y, x = np.divmod(np.arange(min(side * side, -(-one // each))), side)
    found, mark = int(0.6 * len(x)), {"ls": "", "marker": "s", "mec": "none"}
    picture.plot(x, y, ms=max(0.6, 160 / side), color=QUIET, alpha=0.45, **mark)
    picture.plot(x[found], y[found], ms=max(3, 160 / side), color=POSITIVE, **mark)
    if side > 8:
        picture.plot(x[found], y[found], ls="", marker="o", ms=max(14, 360 / side), mfc="none", mec=POSITIVE, mew=1.6)
    picture.set(xlim=(-1, side), ylim=(side, -1), aspect="equal")
    picture.axis("off")
    stands = f"; a dot is {each:,} pairs" if each > 1 else ""
    for part, title in (
        (picture, f"1 of {one:,} pairs is positive{stands}"),
        (axes, f"{positives:,} positives among {pairs:,} pairs"),
    ):
        part.set_title(title, size=10, color=QUIET, loc="left")
    return figure
