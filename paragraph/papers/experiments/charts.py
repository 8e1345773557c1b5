"""Charts of models: calibration and learning curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ...draw.figures import new_figure
from ...draw.style import INK, NEGATIVE, POSITIVE, QUIET
from ...measure.scoring import calibration, floats, wilson
from ...pairs import PairsError
from .scoring import scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_learning_curve", "draw_reliability", "plain"]

#: The house colours first, then others of Okabe and Ito (2008); a chart with more lines cannot be read.
_LOOKS = [
    {"color": POSITIVE, "ls": "-", "marker": "o"},
    {"color": NEGATIVE, "ls": "--", "marker": "s"},
    {"color": "#009E73", "ls": "-.", "marker": "^"},
    {"color": "#CC79A7", "ls": ":", "marker": "D"},
    {"color": "#E69F00", "ls": (0, (6, 2, 1, 2)), "marker": "v"},
    {"color": "#56B4E9", "ls": (0, (1, 1)), "marker": "P"},
    {"color": "#000000", "ls": (0, (5, 1, 1, 1, 1, 1)), "marker": "X"},
]
Probabilities = ArrayLike | Mapping[str, ArrayLike]


def draw_reliability(
    label: ArrayLike, probability: Probabilities, bins: int = 10, *, one: str = "paraphrase", of: str = "pairs"
) -> Figure:
    """Draw how often a pair with P(paraphrase) = .8 is a paraphrase (DeGroot and Fienberg 1983).

    Above: the share of paraphrases against the mean probability in each bin (`scores.calibration`), with the 95 %
    interval of Wilson (1927); on the diagonal, probabilities mean what they say. Below: how many pairs each bin
    holds.

    Parameters
    ----------
    label : array of 0 and 1
    probability : array, or {model name: array}
    one, of : str
        What a 1 says, and of what, for the axes.

    Examples
    --------
    >>> figure = draw_reliability([0, 0, 1, 1], {"some": [0.1, 0.6, 0.4, 0.9], "none": [0.5] * 4})
    """
    axes, below = _axes(5.6, 5.6, (3, 1))
    axes.plot([0, 1], [0, 1], color=QUIET, lw=1, zorder=1)
    place = {"xy": (0.93, 0.93), "xytext": (-8, 8), "textcoords": "offset points"}
    axes.annotate("as it should be", **place, ha="right", size=8.5, color=QUIET)
    for look, (name, values) in _looks(probability):
        table = calibration(label, values, bins)
        error = scores(label, values)["calibration error"]
        # Steps from edge to edge, so the last bin is given twice.
        edges, n = np.append(table["low"], 1), np.append(table["n"], table["n"].iloc[-1])
        below.step(edges, n, where="post", color=look["color"], ls=look["ls"])
        table = table[table["n"] > 0]
        detail = _named(name, f"calibration error {error:.3f}")
        axes.plot(table["predicted"], table["observed"], **look, ms=5, label=detail)
        bounds = wilson(table["observed"] * table["n"], table["n"])
        axes.vlines(table["predicted"], *bounds, color=look["color"], lw=1)
    axes.set(xlim=(0, 1), ylim=(0, 1.02), ylabel=f"share of {one} in the bin")
    below.set(xlim=(0, 1), ylim=(0, None), xlabel=f"P({one}), predicted", ylabel=of)
    below.yaxis.set_major_formatter("{x:,.0f}")
    return _finished(axes, f"Calibration on {len(np.asarray(label)):,} {of}")


def draw_learning_curve(table: pd.DataFrame, score: str = "accuracy") -> Figure:
    """Draw a score over the size of the training set: mean over seeds, and a band of one standard deviation.

    The table has a row per run: ``rows`` (training pairs), the score, and ``model`` where there are several. Runs of
    the same size and model differ by their seed.

    Examples
    --------
    >>> runs = pd.DataFrame({"rows": [100, 100, 1000, 1000], "accuracy": [0.60, 0.64, 0.70, 0.71]})
    >>> figure = draw_learning_curve(runs)
    """
    missing = [name for name in ("rows", score) if name not in getattr(table, "columns", ())]
    if missing:
        raise PairsError(f"a table of runs needs the columns rows and {score}; missing: {missing}")
    if not len(table):
        raise PairsError("the table of runs is empty")
    table = table.assign(rows=floats(table["rows"], "number of rows"), **{score: floats(table[score], score)})
    if not (table["rows"] > 0).all():
        raise PairsError(f"rows {table['rows'].min():g} is not above 0, and the scale is logarithmic")
    (axes,) = _axes(6.4, 4)
    models = dict(iter(table.groupby("model", sort=False))) if "model" in table else table
    for look, (name, runs) in _looks(models):
        found = runs.groupby("rows")[score].agg(["mean", "std", "size"])
        fewest, most = found["size"].min(), found["size"].max()
        times = f"{fewest if fewest == most else f'{fewest}–{most}'} runs a size"
        mean, spread = found["mean"], found["std"].fillna(0)
        axes.plot(found.index, mean, **look, ms=5, label=_named(name, times))
        axes.fill_between(found.index, mean - spread, mean + spread, color=look["color"], alpha=0.15, lw=0)
    sizes = np.unique(table["rows"])
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.set_xticks([], minor=True)
    axes.set(xlabel="training pairs (log scale)", ylabel=score)
    return _finished(axes, f"{score} by training size; the band is ± 1 standard deviation")


# -- how they look -----------------------------------------------------------------------------------------


def _axes(width: float, height: float, heights: tuple[int, ...] = (1,)) -> list[Axes]:
    figure = new_figure(width, height)
    figure.set_layout_engine("constrained")
    axes = figure.subplots(len(heights), squeeze=False, sharex=len(heights) > 1, height_ratios=heights)[:, 0]
    return [plain(each) for each in axes]


def _finished(axes: Axes, title: str) -> Figure:
    """Write the title, and the legend below everything, where no line can run through it."""
    axes.set_title(title, loc="left", weight="bold", size=11, color=INK, parse_math=False)
    legend = axes.figure.legend(frameon=False, fontsize=9, handlelength=3.2, loc="outside lower left")
    for text in legend.get_texts():
        text.set_parse_math(False)
    return axes.figure


def _looks(models: Any) -> list[tuple[dict[str, Any], tuple[str, Any]]]:
    """Pair each model with the look of its line; what is no dictionary is one model without a name."""
    models = models if isinstance(models, Mapping) else {"": models}
    if not models:
        raise PairsError("there is no model to draw")
    if len(models) > len(_LOOKS):
        raise PairsError(f"more than {len(_LOOKS)} models in one chart cannot be distinguished; draw fewer")
    return list(zip(_LOOKS, models.items(), strict=False))


def _named(name: str, detail: str) -> str:
    return f"{name}: {detail}" if name else detail


def plain(axes: Axes, grid: str = "y") -> Axes:
    """Give axes the style of every chart: no frame above and at the right, one faint grid behind the data."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    axes.set_axisbelow(True)
    axes.grid(axis=grid, color="#E4E8EC")
    return axes
