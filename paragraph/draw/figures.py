"""Figures of signed graphs beside their sentences, and of a conflict: Figure 3 of Chen, Ji and Evans (2020)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..pairs import PairsError
from .canvas import LEADING, blank, curve, depth, entries, graph_on, heading, legend, listing, new_figure, write
from .style import CONFLICT, INK, PAPER, QUIET, Line, line
from .view import View, in_words, view_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph
    from ..graph.closure import Closure

__all__ = ["draw_cluster", "draw_conflict", "draw_view"]

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
