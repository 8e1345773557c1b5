"""The parts of matplotlib figures: a signed graph on axes, a numbered list, a legend."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from .style import HALO, INK, PAPER, QUIET, Line
from .text import drawable, families, point_width, wrap
from .view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "LEADING", "blank", "curve", "depth", "entries", "graph_on", "heading", "legend", "listing",
    "new_figure", "write",
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
    for order, (line, some) in enumerate(groupby(view.edges, key=lambda edge: edge.line)):
        drawn = [(*view.positions[[edge.a, edge.b]], edge.bend) for edge in some]
        _curves(axes, drawn, line, 2 + order / 1e4, faint if line.width < 1 else 1)
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
    for line in lines:
        halo = Line2D([], [], color=HALO, linewidth=line.width + 6)
        mark = Line2D([], [], color=line.color, linewidth=line.width, linestyle=_dashes(line))
        marks.append((halo, mark) if line.halo else (mark,))
    if marks:
        axes.legend(
            marks, [line.name for line in lines], handler_map={tuple: HandlerTuple(ndivide=1)}, loc="upper left",
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
