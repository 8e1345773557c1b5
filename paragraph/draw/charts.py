"""Charts of finished tables and counts: sizes of clusters, distances, shares of wrong labels, rare positives."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from .canvas import new_figure, plain
from .style import INK, NEGATIVE, POSITIVE, QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph
    from ..graph.closure import Closure

__all__ = ["draw_cluster_sizes", "draw_distances", "draw_rare", "draw_shares"]

TITLE = {"loc": "left", "weight": "bold", "size": 11, "color": INK}
#: Colour and mark by the label that a kind of pairs has; filled where a row states it.
LOOKS = {
    "positive": (POSITIVE, "o", True),
    "negative": (NEGATIVE, "s", True),
    "conflict": (NEGATIVE, "D", True),
    "unstated": (POSITIVE, "o", False),
}
ROW = 0.27  # inches


#: More pairs than this are too small to be seen as dots: a dot then stands for several.
DOTS = 40_000


def draw_cluster_sizes(graph: ParaphraseGraph, ax: Axes | None = None) -> Figure:
    """Draw the number of clusters of each size, both axes logarithmic: the long tail.

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
    """Draw the number of labels inferred at each distance, positives and negatives side by side.

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


def _axes(ax: Axes | None) -> Axes:
    if ax is None:
        figure = new_figure(7, 3.8)
        figure.set_layout_engine("constrained")
        ax = figure.add_subplot()
    return plain(ax)


def _plain_ticks(axis, most: int) -> None:
    """1, 2, 5, 10, 20, 50, … in full, as far as the data go."""
    ticks = [digit * 10**power for power in range(12) for digit in (1, 2, 5)]
    ticks = ticks[: bisect_left(ticks, most) + 1]
    if len(ticks) > 10:
        ticks = [tick for tick in ticks if str(tick)[0] == "1"]
    axis.set_ticks(ticks, [f"{tick:,}" for tick in ticks])
    axis.set_ticks([], minor=True)


def draw_shares(table: pd.DataFrame, names: dict[str, str] | None = None) -> Figure:
    """The share of wrong labels by kind of pairs and size of cluster, a row each: a mark and its 95 % interval.

    At the right stands how many of the judged pairs were wrong. Strata of which nothing was judged are left out.

    Parameters
    ----------
    table : DataFrame
        `kind`, `size`, `judged`, `wrong`, `share`, `low`, `high`, as in `measure.audit.Audit.strata`; rows of a kind
        follow each other.
    names : dict, optional
        What to call each kind.

    Examples
    --------
    >>> row = {"kind": "positive", "size": "≥ 10", "judged": 9, "wrong": 4, "share": 0.44, "low": 0.2, "high": 0.7}
    >>> figure = draw_shares(pd.DataFrame([row]))
    """
    table = table[table["judged"] > 0].reset_index(drop=True)
    number, names = (table["kind"] != table["kind"].shift()).cumsum(), names or {}
    table["y"] = table.index + 1.6 * number  # room for a heading above each kind
    last = float(table["y"].max()) if len(table) else 1.0
    figure = new_figure(7, 0.9 + ROW * (last + 1))
    axes = figure.add_subplot()
    for kind, rows in table.groupby("kind", sort=False):
        color, mark, filled = LOOKS.get(kind, (INK, "o", True))
        axes.hlines(rows["y"], rows["low"], rows["high"], color=color, lw=2, alpha=0.75)
        face = color if filled else "white"
        axes.plot(rows["share"], rows["y"], mark, ms=7, mfc=face, mec=color, mew=1.6, clip_on=False, zorder=3)
        axes.text(0, rows["y"].min() - 0.95, names.get(kind, kind), color=INK, size=9.5, weight="bold", va="center")
        for row in rows.itertuples():
            told = f"{row.wrong:,} of {row.judged:,}"
            axes.annotate(told, (1, row.y), (8, 0), textcoords="offset points", va="center", size=8.5, color=QUIET)
    axes.set(xlim=(0, 1), ylim=(last + 0.7, 0.2), xlabel="wrong labels", ylabel="sentences in the cluster")
    axes.set_yticks(table["y"], table["size"])
    axes.xaxis.set_major_formatter(lambda x, _: f"{100 * x:.0f} %")
    axes.tick_params(axis="y", length=0, pad=9)
    plain(axes, grid="x").spines["left"].set_visible(False)
    figure.tight_layout()
    return figure


def draw_rare(curves: Mapping[str, tuple[pd.DataFrame, float]], pairs: int, positives: int) -> Figure:
    """Precision over recall of one or two selections of pairs; and how many pairs hold one positive.

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
    figure = new_figure(9.6, 4.6)
    figure.set_layout_engine("constrained")
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
    each = -(-one // DOTS)  # pairs a dot
    side = int(np.ceil(np.sqrt(one / each)))
    dots = np.arange(min(side * side, -(-one // each)))
    y, x = np.divmod(dots, side)
    mark = {"ls": "", "marker": "s", "mec": "none"}
    picture.plot(x, y, ms=max(0.6, 160 / side), color=QUIET, alpha=0.45, **mark)
    found = int(0.6 * len(dots))
    picture.plot(x[found], y[found], ms=max(3, 160 / side), color=POSITIVE, **mark)
    if side > 8:
        picture.plot(x[found], y[found], ls="", marker="o", ms=max(14, 360 / side), mfc="none", mec=POSITIVE, mew=1.6)
    picture.set(xlim=(-1, side), ylim=(side, -1), aspect="equal")
    picture.axis("off")
    stands = f"; a dot is {each:,} pairs" if each > 1 else ""
    picture.set_title(f"1 of {one:,} pairs is positive{stands}", size=10, color=QUIET, loc="left")
    axes.set_title(f"{positives:,} positives among {pairs:,} pairs", size=10, color=QUIET, loc="left")
    return figure
