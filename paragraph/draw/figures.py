"""Figures of signed graphs beside their sentences, and of a conflict: Figure 3 of Chen, Ji and Evans (2020)."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import check_type
from .style import CONFLICT, HALO, INK, PAPER, QUIET, Line, drawable, families, line, point_width, wrap
from .view import View, in_words, view_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph
    from ..graph.closure import Closure

__all__ = [
    "blank", "depth", "draw_cluster", "draw_conflict", "draw_view", "entries", "graph_on", "heading", "listing",
    "new_figure", "to_svg", "write",
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
    axes = figure.add_axes((left / across, bottom / up, width / across, height / up))
    axes.set(xlim=(0, width * 72), ylim=(height * 72 or 1, 0))
    axes.axis("off")
    return axes


def write(axes: Axes, x: float, y: float, text: str, **options) -> None:
    """Write a line of text that is never read as mathematics, in fonts that have its characters."""
    options = {"size": SIZE, "color": INK, "family": families(), "parse_math": False} | options
    axes.text(x, y, drawable(text), **options)


def heading(figure: Figure, text: str) -> None:
    """Write a title in the upper left corner."""
    _, up = figure.get_size_inches()
    write(blank(figure, MARGIN, up - 0.4, 1, 0.4), 0, 16, text, weight="bold", size=11)


def _look(kind: Line) -> dict[str, Any]:
    """Return the properties of a line as matplotlib calls them."""
    from matplotlib.patheffects import Normal, withStroke

    # matplotlib counts dashes in line widths.
    dashes = (0, tuple(d / kind.width for d in kind.dashes)) if kind.dashes else "solid"
    around = {"linewidth": kind.width + 6, "foreground": HALO, "dashes": {"dash_offset": 0, "dash_list": None}}
    effects = [withStroke(**around) if kind.halo else Normal()]
    return {"color": kind.color, "linewidth": kind.width, "linestyle": dashes, "path_effects": effects}


def _between(a: int, b: int, points: np.ndarray, clear: float) -> np.ndarray:
    """Return the line from point a to point b: straight, or a bow where another point would lie on it."""
    start = points[a]
    way = points[b] - points[a]
    side = np.array([-way[1], way[0]])
    length = max(way @ way, 1e-9)
    along = (points - start) @ way / length
    off = (points - start) @ side / np.sqrt(length)
    met = (along > 0.02) & (along < 0.98) & (abs(off) < clear)
    met[[a, b]] = False
    t = np.linspace(0, 1, 2 + 20 * met.any())[:, None]
    return start + t * way + 0.6 * t * (1 - t) * side


def graph_on(axes: Axes, view: View) -> None:
    """Draw the signed graph of a view, its sentences as numbers or its names."""
    from matplotlib.collections import LineCollection

    low, high = view.extent
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    axes.axis("off")
    for order, (kind, some) in enumerate(groupby(view.edges, key=lambda edge: edge.line)):
        ends = [_between(edge.a, edge.b, view.positions, 0.03 * (high - low).max()) for edge in some]
        faint = view.inferred_opacity if kind.width < 1 else 1
        axes.add_collection(LineCollection(ends, zorder=2 + order / 1e4, alpha=faint, **_look(kind)), autolim=False)
    for number, (text, fill, (x, y)) in enumerate(zip(view.inside, view.fills, view.positions, strict=True)):
        box = {"boxstyle": "circle" if len(text) < 3 else "round", "facecolor": fill, "edgecolor": INK}
        box["linewidth"] = 3 if number in view.chosen else 1
        write(axes, x, y, text, ha="center", va="center", size=9, zorder=5, bbox=box)


def _legend(axes: Axes, lines: list[Line]) -> None:
    """Name the kinds of line that occur, in two columns."""
    from matplotlib.lines import Line2D

    marks = [Line2D([], [], label=kind.name, **_look(kind)) for kind in lines]
    if marks:
        axes.legend(handles=marks, loc="upper left", ncols=2, frameon=False, handlelength=3.2, fontsize=9)


def entries(texts: list[str], width: float, beside: float = 26) -> list[list[str]]:
    """Wrap each sentence to `width` inches, minus the points that stand `beside` it, such as its number."""
    measure = point_width(SIZE)
    return [wrap(drawable(text), width * 72 - beside, measure) for text in texts]


def depth(sentences: list[list[str]]) -> float:
    """The height of a `listing` in points."""
    return sum(len(lines) + 0.35 for lines in sentences) * LEADING


def listing(axes: Axes, sentences: list[list[str]]) -> None:
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
    sentences = entries(shown.beside, WIDTH - GRAPH - 0.3)
    low, high = shown.extent
    tall = np.clip(GRAPH * (high - low)[1] / (high - low)[0], 1.6, GRAPH)
    key = 0.25 * ((len(shown.lines) + 1) // 2) + 0.15
    top = 0.5 if shown.title else MARGIN
    height = max(tall + key, depth(sentences) / 72) + top
    figure = new_figure(WIDTH, height)
    bottom = height - top - tall
    heading(figure, shown.title)
    graph_on(blank(figure, MARGIN, bottom, GRAPH, tall), shown)
    _legend(blank(figure, MARGIN, bottom - key, GRAPH, key), shown.lines)
    listing(blank(figure, GRAPH + 0.2, 0, WIDTH - GRAPH - 0.3, height - top), sentences)
    return figure


BOX = 6.2  # inches: the width of a sentence's box
GAP = 34.0  # points between two boxes


def draw_conflict(graph: ParaphraseGraph, conflict: pd.Series) -> Figure:
    """Draw a row of `conflicts(graph)`: the positive path downwards, the negative label at its side (Figure 3).

    For a pair stated both ways, draw the two sentences and both labels; for a sentence that a row pairs with itself
    and labels 0, draw it twice with its labels. Every label names its rows.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> graph = pg.ParaphraseGraph.from_pairs(pairs)
    >>> figure = draw_conflict(graph, pg.conflicts(graph).iloc[0])
    """
    from matplotlib.patches import FancyArrowPatch, Rectangle

    row = "pg.draw.draw_conflict(graph, pg.conflicts(graph).iloc[0])"
    check_type(conflict, pd.Series | Mapping, "draw_conflict", "a graph and a row of its conflicts", row)
    if "path" not in conflict:
        raise PairsError(f"draw_conflict takes a row of conflicts, with its path: {row}")
    path = list(conflict["path"])
    if not path:
        path = [conflict["text_a"], conflict["text_b"]]
    boxes = entries(path, BOX, 16)
    positive = line(1)
    negative = line(-1, conflict=True)
    heights = np.array([len(lines) * LEADING + 10 for lines in boxes])
    tops = np.cumsum([4.0, *(heights[:-1] + GAP)])
    tall = (heights.sum() + GAP * (len(boxes) - 1)) / 72
    figure = new_figure(WIDTH, tall + 1.2)
    no, yes = graph.words
    heading(figure, _conflict_title(conflict, no))
    axes = blank(figure, MARGIN, 0.6, WIDTH - 2 * MARGIN, tall + 0.1)
    for lines, top, height, text in zip(boxes, tops, heights, path, strict=True):
        fill = CONFLICT if text in (path[0], path[-1]) else PAPER
        axes.add_patch(Rectangle((0, top), BOX * 72, height, facecolor=fill, edgecolor=INK))
        for i, words in enumerate(lines):
            write(axes, 8, top + 14 + i * LEADING, words)
    down = BOX * 36
    side = BOX * 72
    for (one, other), end in zip(pairwise(path), tops[1:], strict=True):
        rows = _rows(graph, one, other, 1)
        if rows or conflict["kind"] != "self":
            axes.plot([down, down], [end - GAP, end], **_look(positive))
            write(axes, down + 10, end - GAP / 2 + 3, f"{yes}: {_named(rows)}", color=QUIET)
    first = tops[0] + heights[0] / 2
    last = tops[-1] + heights[-1] / 2
    bend = min(0.5, 110 / (last - first))
    arc = FancyArrowPatch(
        (side, first), (side, last), arrowstyle="-", shrinkA=0, shrinkB=0, connectionstyle=f"arc3,rad={-bend}",
        fill=False, **_look(negative),
    )  # fmt: skip
    axes.add_patch(arc)
    [words] = entries([f"{no}: {_named(_rows(graph, path[0], path[-1], -1))}"], 2.5, 0)
    x = side + bend * (last - first) / 2 + 14
    y = (first + last) / 2 - LEADING * (len(words) - 1) / 2
    for i, text in enumerate(words):
        write(axes, x, y + i * LEADING + 3, text)
    _legend(blank(figure, MARGIN, 0, WIDTH, 0.5), [positive, negative])
    return figure


def _conflict_title(conflict: pd.Series, no: str) -> str:
    """The title of a conflict's figure; `no` is the word for a negative label."""
    if conflict["kind"] == "self":
        return f"A sentence paired with itself, and labelled “{no}”"
    if conflict["kind"] == "direct":
        return "Direct contradiction: one pair stated both ways"
    steps = len(conflict["path"]) - 1
    return f"Conflict within cluster {int(conflict['cluster'])}: “{no}”, but a path of {steps} joins them"


def _rows(graph: ParaphraseGraph, one: str, other: str, sign: int) -> list[int | str]:
    """The rows that give a pair this sign, as its source counts them."""
    rows = graph.rows_between(graph.node(one), graph.node(other))
    return graph.row_names(rows[graph.row_sign[rows] == sign])


def _named(rows: list[int | str]) -> str:
    if not rows:
        raise PairsError("this row is not a conflict of this graph: one of its labels is not stated here")
    return in_words(rows, 6)
