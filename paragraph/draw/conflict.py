"""The figure of a conflict: Figure 3 of Chen, Ji and Evans (2020)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import check_type
from .figures import (
    LEADING,
    MARGIN,
    WIDTH,
    blank,
    entries,
    heading,
    legend,
    look,
    new_figure,
    write,
)
from .style import CONFLICT, INK, PAPER, QUIET, line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph

__all__ = ["draw_conflict"]

BOX = 6.2  # inches: the width of a sentence's box
SIDE = BOX * 72  # the same in points
GAP = 34.0  # points between two boxes
MOST = 6  # rows that are named


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
    check_type(
        conflict, pd.Series | Mapping, "draw_conflict", "a graph and a row of its conflicts", row
    )
    if "path" not in conflict:
        raise PairsError(f"draw_conflict takes a row of conflicts, with its path: {row}")
    path = list(conflict["path"])
    if not path:
        path = [conflict["text_a"], conflict["text_b"]]
    boxes = entries(path, BOX, 16)
    counts = np.array(list(map(len, boxes)))
    heights = counts * LEADING + 10
    tops = 4 + np.cumsum(heights + GAP) - heights - GAP
    gaps = GAP * (len(boxes) - 1)
    tall = (heights.sum() + gaps) / 72
    figure = new_figure(WIDTH, tall + 1.2)
    no, yes = graph.words
    heading(figure, _title(conflict, no))
    axes = blank(figure, MARGIN, 0.6, WIDTH - 2 * MARGIN, tall + 0.1)
    ends = (path[0], path[-1])
    for text, lines, top, height in zip(path, boxes, tops, heights, strict=True):
        fill = PAPER
        if text in ends:
            fill = CONFLICT
        box = Rectangle((0, top), SIDE, height, facecolor=fill, edgecolor=INK)
        axes.add_patch(box)
        for i, words in enumerate(lines):
            write(axes, 8, top + 14 + i * LEADING, words)
    positive = line(1)
    negative = line(-1, conflict=True)
    middle = SIDE / 2
    for (one, other), end in zip(pairwise(path), tops[1:], strict=True):
        rows = _rows(graph, one, other, 1)
        if rows or conflict["kind"] != "self":
            label = f"{yes}: {_named(rows)}"
            axes.plot([middle, middle], [end - GAP, end], **look(positive))
            write(axes, middle + 10, end - GAP / 2 + 3, label, color=QUIET)
    first = tops[0] + heights[0] / 2
    last = tops[-1] + heights[-1] / 2
    bend = min(0.5, 110 / (last - first))
    arc = FancyArrowPatch(
        (SIDE, first), (SIDE, last), arrowstyle="-", shrinkA=0, shrinkB=0, connectionstyle=f"arc3,rad={-bend}",
        fill=False, **look(negative),
    )  # fmt: skip
    axes.add_patch(arc)
    rows = _rows(graph, *ends, -1)
    [words] = entries([f"{no}: {_named(rows)}"], 2.5, 0)
    x = SIDE + bend * (last - first) / 2 + 14
    tall = LEADING * (len(words) - 1)
    y = (first + last - tall) / 2
    for i, text in enumerate(words):
        write(axes, x, y + i * LEADING + 3, text)
    below = blank(figure, MARGIN, 0, WIDTH, 0.5)
    legend(below, [positive, negative])
    return figure


def _title(conflict: pd.Series, no: str) -> str:
    """The title of a conflict's figure; `no` is the word for a negative label."""
    if conflict["kind"] == "self":
        return f"A sentence paired with itself, and labelled “{no}”"
    if conflict["kind"] == "direct":
        return "Direct contradiction: one pair stated both ways"
    steps = len(conflict["path"]) - 1
    return f"Conflict within cluster {int(conflict['cluster'])}: “{no}”, but a path of {steps} joins them"


def _rows(graph: ParaphraseGraph, one: str, other: str, sign: int) -> list[int | str]:
    """The rows that give a pair this sign, as its source counts them."""
    a = graph.node(one)
    b = graph.node(other)
    rows = graph.rows_between(a, b)
    stated = graph.row_sign[rows] == sign
    return graph.row_names(rows[stated])


def _named(rows: list[int | str]) -> str:
    """Name rows, at most six of them.

    >>> _named([3]), _named(list(range(2, 10)))
    ('row 3', 'rows 2, 3, 4, 5, 6, 7, …')
    """
    if not rows:
        raise PairsError(
            "this row is not a conflict of this graph: one of its labels is not stated here"
        )
    names = list(map(str, rows[:MOST]))
    if len(rows) > MOST:
        names.append("…")
    noun = "row" if len(rows) == 1 else "rows"
    return f"{noun} {', '.join(names)}"
