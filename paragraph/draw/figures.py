"""Figures of signed graphs beside their sentences, and of a conflict: Figure 3 of Chen, Ji and Evans (2020)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from ..files import PairsError
from .style import CONFLICT, HALO, INK, PAPER, QUIET, Line, drawable, families, line, point_width, wrap
from .view import View, in_words, view_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph
    from ..graph.closure import Closure

__all__ = [
    "LEADING", "blank", "curve", "depth", "draw_cluster", "draw_conflict", "draw_view", "entries", "graph_on",
    "heading", "legend", "listing", "new_figure", "write",
]  # fmt: skip

SIZE = 9.5
LEADING = 13.5  # points from line to line


def new_figure(width: float, height: float, **options: Any) -> Figure:
    """Return a figure, sides in inches, closed at once: a notebook shows it only as the value of its cell."""
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(width, height), facecolor=PAPER, **options)
    plt.close(figure)
    return figure


def blank(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Return axes without a frame, placed in inches; their unit is the point, from the upper left corner down."""
    across, up = figure.get_size_inches()
    axes = figure.add_axes((left / across, bottom / up, width / across, height / up))
    axes.set(xlim=(0, width * 72), ylim=(height * 72, 0))
    axes.axis("off")
    return axes


def write(axes: Axes, x: float, y: float, text: str, **options) -> None:
    """Write a line of text that is never read as mathematics, in fonts that have its characters."""
    options = {"size": SIZE, "color": INK, "family": families(), "parse_math": False} | options
    axes.text(x, y, drawable(text), **options)


def heading(figure: Figure, left: float, top: float, text: str) -> None:
    """Write a title with its upper left corner at a place in inches."""
    across, _ = figure.get_size_inches()
    write(blank(figure, left, top - 0.4, across, 0.4), 0, 16, text, weight="bold", size=11)


def curve(axes: Axes, start, end, line: Line, bend: float = 0.0) -> None:
    """Draw an edge from point to point; `bend` as in `layout.bends`."""
    _curves(axes, [(start, end, bend)], line, 2)


def _curves(axes: Axes, drawn: Iterable[tuple[Any, Any, float]], line: Line, order: float, alpha: float = 1) -> None:
    """Draw edges of one kind, each from point to point with a bend, later ones on top."""
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    paths = []
    for start, end, bend in drawn:
        (x1, y1), (x2, y2) = start, end
        control = (x1 + x2) / 2 + bend * (y1 - y2), (y1 + y2) / 2 + bend * (x2 - x1)
        paths.append(Path([start, control, end], [Path.MOVETO, Path.CURVE3, Path.CURVE3]))
    looks = [(order, line.color, line.width, _dashes(line))]
    if line.halo:
        looks.insert(0, (order - 0.5, HALO, line.width + 6, "solid"))
    for zorder, color, width, dashes in looks:
        strokes = PathCollection(
            paths, edgecolors=color, linewidths=width, linestyles=[dashes], zorder=zorder, facecolors="none",
            alpha=alpha, capstyle="butt", clip_on=False,
        )  # fmt: skip
        axes.add_collection(strokes, autolim=False)


def _dashes(line: Line):
    # matplotlib counts dashes in line widths.
    return (0, tuple(d / line.width for d in line.dashes)) if line.dashes else "solid"


def graph_on(axes: Axes, view: View) -> None:
    """Draw the signed graph of a view, its sentences as numbers or its names."""
    low, high = view.extent
    margin = 0.35
    axes.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin))
    axes.set_aspect("equal")
    axes.axis("off")
    for color, corners in view.grounds:
        axes.fill(*view.positions[corners].T, color=color, linewidth=36, joinstyle="round", zorder=1, clip_on=False)
    faint = view.inferred_opacity
    for order, (kind, some) in enumerate(groupby(view.edges, key=lambda edge: edge.line)):
        drawn = [(*view.positions[[edge.a, edge.b]], edge.bend) for edge in some]
        _curves(axes, drawn, kind, 2 + order / 1e4, faint if kind.width < 1 else 1)
    long = view.named and max(map(len, view.texts), default=0) > 2
    if not long:
        axes.scatter(*view.positions.T, s=300, c=view.fills, edgecolors=INK, linewidths=1.1, zorder=4, clip_on=False)
    for text, fill, (x, y) in zip(view.inside, view.fills, view.positions, strict=True):
        box = {"boxstyle": "round", "facecolor": fill, "edgecolor": INK} if long else None
        write(axes, x, y, text, ha="center", va="center", size=9, zorder=5, bbox=box)


def legend(axes: Axes, lines: list[Line], ncols: int = 2) -> None:
    """Name the kinds of line that occur."""
    from matplotlib.legend_handler import HandlerTuple
    from matplotlib.lines import Line2D

    marks = []
    for kind in lines:
        halo = Line2D([], [], color=HALO, linewidth=kind.width + 6)
        mark = Line2D([], [], color=kind.color, linewidth=kind.width, linestyle=_dashes(kind))
        marks.append((halo, mark) if kind.halo else (mark,))
    if marks:
        axes.legend(
            marks, [kind.name for kind in lines], handler_map={tuple: HandlerTuple(ndivide=1)}, loc="upper left",
            bbox_to_anchor=(0, 1), ncols=ncols, borderaxespad=0.2, frameon=False, handlelength=3.2, fontsize=9,
            labelcolor=INK,
        )  # fmt: skip


def entries(texts: list[str], width: float, beside: float = 26) -> list[list[str]]:
    """Wrap each sentence to `width` inches, minus the points that stand `beside` it, such as its number."""
    measure = point_width(SIZE)
    return [wrap(drawable(text), width * 72 - beside, measure) for text in texts]


def depth(sentences: list[list[str]]) -> float:
    """The height of a `listing` in points."""
    return sum(len(lines) + 0.35 for lines in sentences) * LEADING


def listing(axes: Axes, sentences: list[list[str]], first: int = 1) -> None:
    """Write numbered sentences, beginning with the number `first`."""
    y = SIZE
    for number, lines in enumerate(sentences, first):
        write(axes, 16, y, str(number), ha="right", color=QUIET)
        for text in lines:
            write(axes, 24, y, text)
            y += LEADING
        y += LEADING * 0.35


WIDTH, GRAPH, MARGIN = 10.0, 5.6, 0.1  # inches: the figure, the graph in it, around it
BESIDE = 7.0  # inches: a longer list of sentences goes below the graph


def draw_cluster(
    graph: ParaphraseGraph,
    cluster: int | Iterable[int] | None = None,
    nodes: Iterable[int] | None = None,
    closure: Closure | None = None,
) -> Figure:
    """Draw a cluster, several, or the given nodes: the graph, and beside it the numbered sentences.

    Parameters as in `view.view_of`.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["Hi!", "Hello!"], "text_b": ["Hello!", "Hey!"], "label": [1, 1]})
    >>> figure = draw_cluster(pg.ParaphraseGraph.from_pairs(pairs), cluster=0)
    """
    return draw_view(view_of(graph, cluster, nodes, closure))


def draw_view(shown: View) -> Figure:
    """Draw a view: the graph with its legend, and the numbered sentences beside or below it."""
    sentences = entries(shown.beside, WIDTH - GRAPH - 0.3)
    if depth(sentences) > BESIDE * 72:
        return _above_sentences(shown)
    tall, below = _tall(shown, GRAPH, 5.2), _key(shown.lines)
    height = max(tall + below, depth(sentences) / 72) + 0.5
    figure, bottom = new_figure(WIDTH, height), height - 0.5 - tall
    heading(figure, MARGIN, height, shown.title)
    graph_on(blank(figure, MARGIN, bottom, GRAPH, tall), shown)
    legend(blank(figure, MARGIN, bottom - below, GRAPH, below), shown.lines)
    listing(blank(figure, GRAPH + 0.2, 0, WIDTH - GRAPH - 0.3, height - 0.5), sentences)
    return figure


def _above_sentences(shown: View) -> Figure:
    """Draw a view above its sentences, which stand in two columns."""
    width, column = WIDTH - 2 * MARGIN, WIDTH / 2 - 2 * MARGIN
    sentences = entries(shown.texts, column)
    half = next(i for i in range(len(sentences) + 1) if depth(sentences[:i]) >= depth(sentences) / 2)
    room = max(depth(sentences[:half]), depth(sentences[half:])) / 72
    tall, key = _tall(shown, width, 6.5), _key(shown.lines)
    height = 0.4 + tall + key + room
    figure = new_figure(WIDTH, height)
    heading(figure, MARGIN, height, shown.title)
    graph_on(blank(figure, MARGIN, key + room, width, tall), shown)
    legend(blank(figure, MARGIN, room, WIDTH, key), shown.lines)
    listing(blank(figure, MARGIN, 0, column, room), sentences[:half])
    listing(blank(figure, WIDTH / 2 + MARGIN, 0, column, room), sentences[half:], half + 1)
    return figure


def _tall(view: View, width: float, most: float) -> float:
    """Height in inches that the graph needs at a width, within reason."""
    low, high = view.extent
    across, up = high - low + 0.7
    return float(np.clip(width * up / across, 1.6, most))


def _key(lines: list[Line]) -> float:
    """Height in inches of a legend in two columns."""
    return 0.25 * ((len(lines) + 1) // 2) + 0.15


BOX = 6.2  # inches: the width of a sentence's box


def draw_conflict(graph: ParaphraseGraph, conflict: pd.Series) -> Figure:
    """Draw a row of `conflicts(graph)`: the positive path downwards, the negative label at its side (Figure 3).

    For a pair stated both ways, draw the two sentences and both labels. Every label names its rows.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> graph = pg.ParaphraseGraph.from_pairs(pairs)
    >>> figure = draw_conflict(graph, pg.conflicts(graph).iloc[0])
    """
    from matplotlib.patches import FancyBboxPatch

    path = list(conflict["path"]) or [conflict["text_a"], conflict["text_b"]]
    boxes, positive, negative = entries(path, BOX, 16), line(1), line(-1, conflict=True)
    heights, gap = np.array([len(lines) * LEADING + 10 for lines in boxes]), 34.0
    tops = np.cumsum([4.0, *(heights[:-1] + gap)])
    tall = (heights.sum() + gap * (len(boxes) - 1)) / 72
    figure = new_figure(10, tall + 1.2)
    title = "Direct contradiction: one pair stated both ways"
    if conflict["kind"] == "within":
        title = f"Conflict within cluster {int(conflict['cluster'])}: “not a paraphrase”, but a path of "
        title += f"{len(path) - 1} joins them"
    heading(figure, 0.1, tall + 1.2, title)
    axes = blank(figure, 0.1, 0.6, 9.8, tall + 0.1)
    for number, (lines, top, height) in enumerate(zip(boxes, tops, heights, strict=True)):
        box = FancyBboxPatch(
            (0, top), BOX * 72, height, boxstyle="round,pad=0,rounding_size=5", linewidth=1, edgecolor=INK,
            facecolor=CONFLICT if number in (0, len(boxes) - 1) else PAPER, zorder=3, clip_on=False,
        )  # fmt: skip
        axes.add_patch(box)
        for i, text in enumerate(lines):
            write(axes, 8, top + 14 + i * LEADING, text)
    down, side = BOX * 36, BOX * 72
    for i in range(len(path) - 1):
        start, end = tops[i] + heights[i], tops[i + 1]
        curve(axes, (down, start), (down, end), positive)
        write(
            axes, down + 10, (start + end) / 2 + 3, f"a paraphrase: {_rows(graph, *path[i : i + 2], 1)}", color=QUIET
        )
    # Boxes have y downwards: the arc bulges to the right when it is drawn from the top to the bottom.
    first, last = tops[0] + heights[0] / 2, tops[-1] + heights[-1] / 2
    bend = -min(0.5, 110 / (last - first))
    curve(axes, (side, first), (side, last), negative, bend)
    [words] = entries([f"not a paraphrase: {_rows(graph, path[0], path[-1], -1)}"], 2.5, 0)
    x, y = side - bend * (last - first) / 2 + 14, (first + last) / 2 - LEADING * (len(words) - 1) / 2
    for i, text in enumerate(words):
        write(axes, x, y + i * LEADING + 3, text)
    legend(blank(figure, 0.1, 0, 9.8, 0.5), [positive, negative], ncols=3)
    return figure


def _rows(graph: ParaphraseGraph, one: str, other: str, sign: int) -> str:
    """Name the rows that give a pair this sign, as its source counts them."""
    edge = graph.edge_between(graph.node(one), graph.node(other))
    rows = graph.rows_of(edge) if edge >= 0 else np.empty(0, dtype=np.int64)
    rows = graph.row_names(rows[graph.row_sign[rows] == sign])
    if not rows:
        raise PairsError("this row is not a conflict of this graph: one of its labels is not stated here")
    return in_words(rows, 6)
