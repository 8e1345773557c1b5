"""Counts as pictures: how large clusters are, how far inferred labels lie."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np

from .canvas import new_figure
from .style import INK, NEGATIVE, POSITIVE, QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph
    from ..graph.inference import Closure

__all__ = ["draw_cluster_sizes", "draw_distances"]


def draw_cluster_sizes(graph: ParaphraseGraph, ax: Axes | None = None) -> Figure:
    """How many clusters there are of each size, both axes logarithmic: the long tail.

    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["Hi!", "Why?"], "text_b": ["Hello!", "How?"], "label": [1, 0]})
    >>> figure = draw_cluster_sizes(pg.ParaphraseGraph.from_pairs(pairs))
    """
    sizes, counts = np.unique(graph.cluster_sizes, return_counts=True)
    axes = _axes(ax)
    axes.plot(sizes, counts, "o", markersize=7, color=POSITIVE, markeredgecolor="white", label="clusters")
    axes.set(xscale="log", yscale="log", xlabel="sentences in the cluster", ylabel="clusters of that size")
    for axis, most in ((axes.xaxis, sizes.max(initial=1)), (axes.yaxis, counts.max(initial=1))):
        _plain_ticks(axis, int(most))
    several = int(np.count_nonzero(graph.cluster_sizes > 1))
    largest = int(sizes.max(initial=0))
    axes.set_title(f"{several:,} clusters of two or more sentences; the largest has {largest:,}", **TITLE)
    single = int(np.count_nonzero(graph.cluster_sizes == 1))
    if single:
        axes.annotate(
            f"{single:,} sentences by themselves", (1, single), (10, 0), textcoords="offset points",
            color=QUIET, va="center", size=9,
        )  # fmt: skip
    return axes.figure


def draw_distances(closure: Closure, ax: Axes | None = None) -> Figure:
    """How many labels are inferred at each distance, positives and negatives side by side.

    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "c", "x"], "label": [1, 1, 0]})
    >>> figure = draw_distances(pg.infer(pg.ParaphraseGraph.from_pairs(pairs)))
    """
    table = closure.by_distance()
    axes = _axes(ax)
    values = table[["positive", "negative"]].to_numpy()
    highest = int(values.max(initial=0))
    shown = values[values > 0]
    # One scale has to serve both signs, and there are often a hundred times as many negatives.
    if len(shown) and highest > 50 * shown.min():
        axes.set_yscale("log", nonpositive="clip")
        axes.set_ylim(bottom=0.5, top=highest * 3)
    else:
        axes.set_ylim(0, max(highest * 1.15, 1))
    kinds = [("positive", POSITIVE, None, "a paraphrase"), ("negative", NEGATIVE, "///", "not a paraphrase")]
    place = np.arange(len(table))
    for side, (name, color, hatch, label) in zip((-0.2, 0.2), kinds, strict=True):
        bars = axes.bar(place + side, table[name], 0.38, color=color, hatch=hatch, edgecolor="white", label=label)
        axes.bar_label(bars, [f"{n:,}" for n in table[name]], padding=2, size=8.5, color=INK)
    axes.set_xticks(place, table["distance"])
    axes.set(xlabel=f"distance in {closure.distance}", ylabel="inferred labels")
    counts = table[["positive", "negative"]].sum()
    axes.set_title(f"{counts['positive']:,} paraphrases and {counts['negative']:,} others inferred", **TITLE)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    return axes.figure


TITLE = {"loc": "left", "weight": "bold", "size": 11, "color": INK}


def _axes(ax: Axes | None) -> Axes:
    if ax is None:
        figure = new_figure(7, 3.8)
        figure.set_layout_engine("constrained")
        ax = figure.add_subplot()
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(colors=INK)
    ax.set_axisbelow(True)
    ax.grid(axis="y", color="#E4E8EC")
    return ax


def _plain_ticks(axis, most: int) -> None:
    """1, 2, 5, 10, 20, 50, … in full, as far as the data go."""
    ticks = [digit * 10**power for power in range(12) for digit in (1, 2, 5)]
    ticks = ticks[: bisect_left(ticks, most) + 1]
    if len(ticks) > 10:
        ticks = [tick for tick in ticks if str(tick)[0] == "1"]
    axis.set_ticks(ticks, [f"{tick:,}" for tick in ticks])
    axis.set_ticks([], minor=True)
