"""The map of all clusters on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .canvas import blank, depth, entries, heading, listing, new_figure, write
from .shades import RAMP, shades
from .style import INK, QUIET

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["draw_atlas"]

NAMES = 8  # clusters whose sentence is written beside the map


def draw_atlas(table: pd.DataFrame, color: str = "conflicts", title: str = "") -> Figure:
    """Each cluster as a dot: size by its sentences, colour by a column; the largest are numbered and named.

    Parameters
    ----------
    table : DataFrame
        As `Atlas.table` has it: x, y, size, sentence, and the column of the colour.
    color : str
    title : str

    Examples
    --------
    >>> import pandas as pd
    >>> columns = {"x": [0, 1], "y": [0, 1], "size": [2, 9], "conflicts": [0, 1], "sentence": ["Why?", "How?"]}
    >>> figure = draw_atlas(pd.DataFrame(columns))
    """
    from matplotlib.colors import LinearSegmentedColormap, to_rgba

    figure = new_figure(10, 6.4)
    heading(figure, 0.1, 6.4, title)
    axes = figure.add_axes((0.01, 0.02, 0.62, 0.9))
    axes.set_aspect("equal")
    axes.axis("off")
    shown = shades(table[color])
    order = shown.first
    dots = table.iloc[order]
    area = np.clip(2e4 / max(len(table), 1), 2, 40) * np.sqrt(dots["size"].to_numpy() / 2)
    options = {"s": area, "linewidths": 0, "rasterized": True}
    if shown.colors is None:
        ramp = LinearSegmentedColormap.from_list("ramp", RAMP)
        painted = axes.scatter(dots["x"], dots["y"], c=shown.values.iloc[order], cmap=ramp, **options)
        bar = figure.colorbar(painted, ax=axes, orientation="horizontal", shrink=0.4, pad=0.01, aspect=30)
        bar.set_label(color, color=INK, size=9, parse_math=False)
        bar.ax.tick_params(labelsize=8, colors=INK)
    else:
        paint = [to_rgba(shown.colors[name], 0.75) for name in shown.values.iloc[order]]
        axes.scatter(dots["x"], dots["y"], c=paint or None, **options)
        beside = blank(figure, 6.5, 0.1, 3.4, 0.3 + 0.2 * len(shown.colors))
        write(beside, 0, 10, f"{color} of a cluster", color=QUIET)
        for i, (name, value) in enumerate(shown.colors.items()):
            beside.scatter([6], [24 + 14.4 * i], s=30, color=value)
            write(beside, 16, 27.5 + 14.4 * i, name)
    largest = table.nlargest(NAMES, "size") if len(table) else table
    texts = entries(largest["sentence"].tolist(), 3.3)
    texts = [lines[:3] for lines in texts]
    write(blank(figure, 6.5, 5.6, 3.4, 0.3), 0, 10, "the largest, each by its most central sentence", color=QUIET)
    listing(blank(figure, 6.5, 5.5 - depth(texts) / 72, 3.4, depth(texts) / 72), texts)
    for number, (x, y) in enumerate(zip(largest["x"], largest["y"], strict=True), 1):
        axes.text(
            x, y, str(number), size=8, color=INK, ha="center", va="center", zorder=4,
            bbox={"boxstyle": "circle,pad=.15", "facecolor": "white", "edgecolor": INK, "linewidth": 0.7},
        )  # fmt: skip
    return figure
