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

#: A chart with more lines than this cannot be read; the house colours first, then others of Okabe and Ito (2008).
_LINES = [("-", "o"), ("--", "s"), ("-.", "^"), (":", "D"), ((0, (6, 2, 1, 2)), "v"), ((0, (1, 1)), "P")]
_LINES += [((0, (5, 1, 1, 1, 1, 1)), "X")]
_COLORS = [POSITIVE, NEGATIVE, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]

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
    models = _models(probability)
    figure, (axes, below) = _figure(5.6, 5.6, (3, 1))
    axes.plot([0, 1], [0, 1], color=QUIET, lw=1, zorder=1)
    place = {"xy": (0.93, 0.93), "xytext": (-8, 8), "textcoords": "offset points"}
    axes.annotate("as it should be", **place, ha="right", size=8.5, color=QUIET)
    for at, (name, values) in enumerate(models.items()):
        table = calibration(label, values, bins)
        look = _look(at)
        error = scores(label, values)["calibration error"]
        # Steps from edge to edge, so the last bin is given twice.
        edges, n = np.append(table["low"], 1), np.append(table["n"], table["n"].iloc[-1])
        below.step(edges, n, where="post", color=look["color"], ls=look["ls"])
        table = table[table["n"] > 0]
        low, high = wilson(table["observed"] * table["n"], table["n"])
        detail = _named(name, f"calibration error {error:.3f}")
        axes.plot(table["predicted"], table["observed"], **look, ms=5, label=detail)
        axes.vlines(table["predicted"], low, high, color=look["color"], lw=1)
    axes.set(xlim=(0, 1), ylim=(0, 1.02), ylabel=f"share of {one} in the bin")
    below.set(xlim=(0, 1), ylim=(0, None), xlabel=f"P({one}), predicted", ylabel=of)
    below.yaxis.set_major_formatter("{x:,.0f}")
    _finish(axes, f"Calibration on {len(np.asarray(label)):,} {of}")
    return figure


def draw_precision_recall(label: ArrayLike, probability: Probabilities) -> Figure:
    """Draw precision over recall.

    The average precision in the legend is the area under the steps. Pairs in random order have the precision of
    the grey line.

    Parameters
    ----------
    label : array of 0 and 1, at least one of them 1
    probability : array, or {model name: array}

    Examples
    --------
    >>> figure = draw_precision_recall([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    """
    models = _models(probability)
    figure, (axes,) = _figure(5.6, 4.2)
    for at, (name, values) in enumerate(models.items()):
        truth, _ = checked(label, values)
        if not truth.any():
            raise PairsError("no pair has the label 1, so there is no recall to draw")
        curve = precision_recall(label, values)
        look = _look(at) | {"marker": ""}
        detail = _named(name, f"average precision {scores(label, values)['average precision']:.3f}")
        recall, precision = [0, *curve["recall"]], [curve["precision"].iloc[0], *curve["precision"]]
        axes.step(recall, precision, where="pre", **look, lw=1.6, label=detail)
    axes.axhline(truth.mean(), color=QUIET, lw=1, label=f"random order {truth.mean():.3f}")
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="recall: share of the paraphrases found")
    axes.set_ylabel("precision: share of paraphrases\namong the pairs found")
    _finish(axes, f"{truth.sum():,} paraphrases among {len(truth):,} pairs")
    return figure


def draw_learning_curve(table: pd.DataFrame, score: str = "accuracy") -> Figure:
    """Draw a score over the size of the training set: mean over seeds, and a band of one standard deviation.

    Parameters
    ----------
    table : DataFrame
        A row a run: ``rows`` (training pairs), the score, and ``model`` where there are several. Runs of the same
        size and model differ by their seed.

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
    figure, (axes,) = _figure(6.4, 4)
    groups = table.groupby("model", sort=False) if "model" in table else [("", table)]
    for at, (name, runs) in enumerate(groups):
        look = _look(at)
        found = runs.groupby("rows")[score].agg(["mean", "std", "size"])
        fewest, most = found["size"].min(), found["size"].max()
        times = f"{fewest if fewest == most else f'{fewest}–{most}'} runs a size"
        axes.plot(found.index, found["mean"], **look, ms=5, label=_named(name, times))
        spread = found["std"].fillna(0)
        axes.fill_between(
            found.index, found["mean"] - spread, found["mean"] + spread, color=look["color"], alpha=0.15, lw=0
        )
    sizes = np.unique(table["rows"])
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.set_xticks([], minor=True)
    axes.set(xlabel="training pairs (log scale)", ylabel=score)
    _finish(axes, f"{score} by training size; the band is ± 1 standard deviation")
    return figure


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
    group, names = _grouped(values)
    wrong = (probability >= threshold) != label
    figure, (axes,) = _figure(6.4, 4)
    kinds = [(True, "paraphrases taken for others", POSITIVE, "-", "o", -0.07)]
    kinds += [(False, "others taken for paraphrases", NEGATIVE, "--", "s", 0.07)]
    for kind, name, color, dash, marker, aside in kinds:
        n = np.bincount(group[label == kind], minlength=len(names))
        errors = np.bincount(group[(label == kind) & wrong], minlength=len(names))
        place = np.flatnonzero(n)
        low, high = wilson(errors[place], n[place])
        share = errors[place] / n[place]
        axes.plot(place + aside, share, color=color, ls=dash, marker=marker, ms=6, label=name)
        axes.vlines(place + aside, low, high, color=color, lw=1.2)
    counts = np.bincount(group, minlength=len(names))
    axes.set_xticks(range(len(names)), [f"{name}\n{n:,}" for name, n in zip(names, counts, strict=True)], size=8.5)
    axes.set(xlim=(-0.5, len(names) - 0.5), ylim=(0, None), xlabel=f"{what}; below: pairs", ylabel="share of errors")
    axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    _finish(axes, f"{wrong.sum():,} errors in {len(label):,} pairs ({wrong.mean():.1%})")
    return figure


# -- how they look -----------------------------------------------------------------------------------------


def _figure(width: float, height: float, heights: tuple[int, ...] = (1,)) -> tuple[Figure, list[Axes]]:
    from ..draw.canvas import new_figure, plain

    figure = new_figure(width, height)
    figure.set_layout_engine("constrained")
    axes = figure.subplots(len(heights), squeeze=False, sharex=len(heights) > 1, height_ratios=heights)[:, 0]
    for each in axes:
        plain(each)
    return figure, list(axes)


def _finish(axes: Axes, title: str) -> None:
    """Write the title, and the legend below everything, where no line can run through it."""
    axes.set_title(title, loc="left", weight="bold", size=11, color=INK, parse_math=False)
    legend = axes.figure.legend(frameon=False, fontsize=9, handlelength=3.2, loc="outside lower left")
    for text in legend.get_texts():
        text.set_parse_math(False)


def _look(at: int) -> dict[str, Any]:
    if at >= len(_COLORS):
        raise PairsError(f"more than {len(_COLORS)} models in one chart cannot be distinguished; draw fewer")
    return {"color": _COLORS[at], **dict(zip(("ls", "marker"), _LINES[at], strict=True))}


def _named(name: str, detail: str) -> str:
    return f"{name}: {detail}" if name else detail


def _models(probability: Probabilities) -> dict[str, ArrayLike]:
    models = dict(probability) if isinstance(probability, Mapping) else {"": probability}
    if not models:
        raise PairsError("there is no model to draw")
    return models


def _grouped(values: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Return the place of each value on the axis, and the names of the places."""
    different, group = np.unique(values, return_inverse=True)
    if len(different) <= 8:
        return group, [f"{value:,}" for value in different.tolist()]
    power = np.ceil(np.log2(np.maximum(values, 0.5))).astype(int)  # -1 for 0; 0, 1, 2, 2, 3, 3, 3, 3, … for 1, 2, …
    power = np.minimum(power, 8)  # more places than this have no room for their names
    powers, group = np.unique(power, return_inverse=True)
    names = []
    for p in powers.tolist():
        first, last = (0, 0) if p < 0 else (2 ** (p - 1) + 1 if p else 1, 2**p)
        names.append(f"≥ {first}" if p == 8 else f"{last}" if first >= last else f"{first}–{last}")
    return group, names
