"""Charts of models: calibration, precision and recall, learning curves, errors by group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..draw.style import INK, NEGATIVE, POSITIVE, QUIET
from ..pairs import PairsError
from .scoring import calibration, checked, floats, precision_recall, scores, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_errors", "draw_learning_curve", "draw_precision_recall", "draw_reliability"]

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
#: Where groups of many values begin, and their names.
_BEGIN = [1, 2, 3, 5, 9, 17, 33, 65, 129]
_GROUPS = ["0", "1", "2", "3–4", "5–8", "9–16", "17–32", "33–64", "65–128", "≥ 129"]

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


def draw_precision_recall(label: ArrayLike, probability: Probabilities) -> Figure:
    """Draw precision over recall.

    The average precision in the legend is the area under the steps. Pairs in random order have the precision of
    the grey line.

    At least one `label` is 1; `probability` is an array, or {model name: array}.

    Examples
    --------
    >>> figure = draw_precision_recall([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    """
    (axes,) = _axes(5.6, 4.2)
    for look, (name, values) in _looks(probability):
        truth, _ = checked(label, values)
        if not truth.any():
            raise PairsError("no pair has the label 1, so there is no recall to draw")
        curve = precision_recall(label, values)
        detail = _named(name, f"average precision {scores(label, values)['average precision']:.3f}")
        recall, precision = [0, *curve["recall"]], [curve["precision"].iloc[0], *curve["precision"]]
        axes.step(recall, precision, where="pre", **look | {"marker": ""}, lw=1.6, label=detail)
    axes.axhline(truth.mean(), color=QUIET, lw=1, label=f"random order {truth.mean():.3f}")
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="recall: share of the paraphrases found")
    axes.set_ylabel("precision: share of paraphrases\namong the pairs found")
    return _finished(axes, f"{truth.sum():,} paraphrases among {len(truth):,} pairs")


def draw_learning_curve(table: pd.DataFrame, score: str = "accuracy") -> Figure:
    """Draw a score over the size of the training set: mean over seeds, and a band of one standard deviation.

    The table has a row a run: ``rows`` (training pairs), the score, and ``model`` where there are several. Runs of
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


def draw_errors(label: ArrayLike, probability: ArrayLike, by: ArrayLike, what: str, threshold: float = 0.5) -> Figure:
    """Draw the share of wrong predictions by something counted, for each label.

    Bars are 95 % intervals of Wilson (1927); under each place stands how many pairs it holds. More than eight
    different values are grouped: 1, 2, 3–4, 5–8, 9–16, … ≥ 129.

    Parameters
    ----------
    label : array of 0 and 1
    probability : array
    by : array of whole numbers from 0
        Of each pair. The size of the cluster of a row's first sentence is
        ``graph.cluster_sizes[graph.cluster_of[graph.row_a]]``; the distance of an inferred label is the column
        `distance` of ``infer(graph).to_frame()``, and 0 suits a stated one.
    what : str
        What `by` is, for the axis, such as "sentences in the cluster".

    Examples
    --------
    >>> figure = draw_errors([0, 1, 1, 1], [0.6, 0.4, 0.9, 0.9], [0, 1, 1, 2], "distance in rounds")
    """
    label, probability = checked(label, probability)
    values = np.asarray(by)
    if values.shape != label.shape or not np.issubdtype(values.dtype, np.integer) or values.min() < 0:
        raise PairsError(f"by must hold one whole number from 0 for each of {len(label):,} pairs")
    different, group = np.unique(values, return_inverse=True)
    names = [f"{value:,}" for value in different.tolist()]
    if len(names) > 8:
        different, group = np.unique(np.digitize(values, _BEGIN), return_inverse=True)
        names = [_GROUPS[at] for at in different]
    wrong = (probability >= threshold) != label
    (axes,) = _axes(6.4, 4)
    kinds = [(True, "paraphrases taken for others", -0.07), (False, "others taken for paraphrases", 0.07)]
    for look, (kind, name, aside) in zip(_LOOKS, kinds, strict=False):
        n = np.bincount(group[label == kind], minlength=len(names))
        place = np.flatnonzero(n)
        errors, n = np.bincount(group[(label == kind) & wrong], minlength=len(names))[place], n[place]
        axes.plot(place + aside, errors / n, **look, ms=6, label=name)
        axes.vlines(place + aside, *wilson(errors, n), color=look["color"], lw=1.2)
    counts = np.bincount(group, minlength=len(names))
    axes.set_xticks(range(len(names)), [f"{name}\n{n:,}" for name, n in zip(names, counts, strict=True)], size=8.5)
    axes.set(xlim=(-0.5, len(names) - 0.5), ylim=(0, None), xlabel=f"{what}; below: pairs", ylabel="share of errors")
    axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    return _finished(axes, f"{wrong.sum():,} errors in {len(label):,} pairs ({wrong.mean():.1%})")


# -- how they look -----------------------------------------------------------------------------------------


def _axes(width: float, height: float, heights: tuple[int, ...] = (1,)) -> list[Axes]:
    from ..draw.canvas import new_figure, plain

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
