"""Figures of signed graphs beside their sentences."""

from __future__ import annotations

import io
from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from .style import HALO, INK, PAPER, QUIET, Line, drawable, families, point_width, wrap
from .view import View, view_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph
    from ..graph.closure import Closure

__all__ = [
    "LEADING", "MARGIN", "WIDTH", "blank", "draw_cluster", "draw_view", "entries", "graph_on", "heading", "legend",
    "look", "new_figure", "to_svg", "write",
]  # fmt: skip

SIZE = 9.5
LEADING = 13.5  # points from line to line


def new_figure(width: float, height: float, **options: Any) -> Figure:
    """Return a figure, sides in inches, closed at once: a notebook shows it only as the value of its cell."""
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(width, height), facecolor=PAPER, **options)
    plt.close(figure)
    return figure


def to_svg(figure: Figure, title: str = "") -> str:
    """Return a figure as SVG, the same each time; its text is escaped, and stays text."""
    import matplotlib as mpl

    picture = io.StringIO()
    about = {"Title": drawable(title), "Date": None, "Creator": None}
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "paragraph"}):
        figure.savefig(picture, format="svg", metadata=about)
    text = picture.getvalue()
    return text[text.index("<svg") :]


def blank(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Return axes without a frame, placed in inches; their unit is the point, from the upper left corner down."""
    across, up = figure.get_size_inches()
    box = (left / across, bottom / up, width / across, height / up)
    axes = figure.add_axes(box)
    axes.set_xlim(0, width * 72)
    axes.set_ylim(height * 72 or 1, 0)
    axes.axis("off")
    return axes


def write(axes: Axes, x: float, y: float, text: str, **options) -> None:
    """Write a line of text that is never read as mathematics, in fonts that have its characters."""
    usual = {"size": SIZE, "color": INK, "family": families(), "parse_math": False}
    axes.text(x, y, drawable(text), **usual | options)


def heading(figure: Figure, text: str) -> None:
    """Write a title in the upper left corner."""
    _, up = figure.get_size_inches()
    axes = blank(figure, MARGIN, up - 0.4, 1, 0.4)
    write(axes, 0, 16, text, weight="bold", size=11)


def look(kind: Line) -> dict[str, Any]:
    """Return the properties of a line as matplotlib calls them."""
    from matplotlib.patheffects import Normal, withStroke

    style: dict[str, Any] = {"color": kind.color, "linewidth": kind.width}
    style["linestyle"] = "solid"
    if kind.dashes:
        dashes = [part / kind.width for part in kind.dashes]  # counted in line widths
        style["linestyle"] = (0, tuple(dashes))
    effect = Normal()
    if kind.halo:
        solid = {"dash_offset": 0, "dash_list": None}
        effect = withStroke(linewidth=kind.width + 6, foreground=HALO, dashes=solid)
    style["path_effects"] = [effect]
    return style


def _between(a: int, b: int, points: np.ndarray, clear: float) -> np.ndarray:
    """Return the line from point a to point b: straight, or a bow where another point would lie on it."""
    start = points[a]
    way = points[b] - points[a]
    side = np.array([-way[1], way[0]])
    length = max(way @ way, 1e-9)
    others = points - start
    along = others @ way / length
    off = others @ side / np.sqrt(length)
    inside = (along > 0.02) & (along < 0.98)
    met = inside & (abs(off) < clear)
    met[[a, b]] = False
    if not met.any():
        return points[[a, b]]
    t = np.linspace(0, 1, 22)[:, None]
    bow = 0.6 * t * (1 - t)
    return start + t * way + bow * side


def graph_on(axes: Axes, view: View) -> None:
    """Draw the signed graph of a view, its sentences as numbers or its names."""
    from matplotlib.collections import LineCollection

    low, high = view.extent
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_aspect("equal")
    axes.axis("off")
    clear = 0.03 * (high - low).max()
    runs = groupby(view.edges, key=lambda edge: edge.line)
    for order, (kind, some) in enumerate(runs):
        ends = [_between(edge.a, edge.b, view.positions, clear) for edge in some]
        style = look(kind)
        if kind.width < 1:
            style["alpha"] = view.inferred_opacity
        lines = LineCollection(ends, zorder=2 + order / 1e4, **style)
        axes.add_collection(lines, autolim=False)
    fills = view.fills
    for number, text in enumerate(view.inside):
        x, y = view.positions[number]
        box = {"boxstyle": "round", "facecolor": fills[number], "edgecolor": INK, "linewidth": 1}
        if len(text) < 3:
            box["boxstyle"] = "circle"
        if number in view.chosen:
            box["linewidth"] = 3
        write(axes, x, y, text, ha="center", va="center", size=9, zorder=5, bbox=box)


def legend(axes: Axes, lines: list[Line]) -> None:
    """Name the kinds of line that occur, in two columns."""
    from matplotlib.lines import Line2D

    marks = [Line2D([], [], label=kind.name, **look(kind)) for kind in lines]
    if marks:
        axes.legend(
            handles=marks, loc="upper left", ncols=2, frameon=False, handlelength=3.2, fontsize=9
        )


def entries(texts: list[str], width: float, beside: float = 26) -> list[list[str]]:
    """Wrap each sentence to `width` inches, minus the points that stand `beside` it, such as its number."""
    measure = point_width(SIZE)
    points = width * 72 - beside
    return [wrap(drawable(text), points, measure) for text in texts]


def _depth(sentences: list[list[str]]) -> float:
    """The height of a listing in points."""
    return sum(len(lines) + 0.35 for lines in sentences) * LEADING


def _list(axes: Axes, sentences: list[list[str]]) -> None:
    """Write numbered sentences."""
    y = SIZE
    for number, lines in enumerate(sentences, 1):
        write(axes, 16, y, str(number), ha="right", color=QUIET)
        for text in lines:
            write(axes, 24, y, text)
            y += LEADING
        y += LEADING * 0.35


# inches: the figure, the graph in it, around it
WIDTH = 10.0
GRAPH = 5.6
MARGIN = 0.1


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
    """Draw a view: the graph with its legend, and the numbered sentences beside it."""
    wide = WIDTH - GRAPH - 0.3
    sentences = entries(shown.beside, wide)
    low, high = shown.extent
    across, up = high - low
    tall = np.clip(GRAPH * up / across, 1.6, GRAPH)
    lines = shown.lines
    rows = (len(lines) + 1) // 2
    key = 0.25 * rows + 0.15
    top = MARGIN
    if shown.title:
        top = 0.5
    deep = max(tall + key, _depth(sentences) / 72)
    height = deep + top
    figure = new_figure(WIDTH, height)
    bottom = height - top - tall
    heading(figure, shown.title)
    picture = blank(figure, MARGIN, bottom, GRAPH, tall)
    graph_on(picture, shown)
    below = blank(figure, MARGIN, bottom - key, GRAPH, key)
    legend(below, lines)
    beside = blank(figure, GRAPH + 0.2, 0, wide, height - top)
    _list(beside, sentences)
    return figure
