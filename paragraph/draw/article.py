"""The figures of the paper, made from one's own data: Chen, Ji and Evans (2020), Figures 1 to 3."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..pairs import PairsError
from .canvas import LEADING, blank, curve, depth, entries, graph_on, heading, legend, listing, new_figure, write
from .style import CONFLICT, INK, PAPER, QUIET, line
from .text import drawable, point_width, wrap
from .view import view_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph
    from ..graph.closure import Closure

__all__ = ["draw_conflict", "draw_inference", "draw_triads"]

# Signs of AB, AC, BC; strongly balanced (Harary 1953), weakly balanced (Davis 1967).
TRIADS = [
    ("+ + +", (1, 1, 1), True, True, "one camp"),
    ("+ − −", (1, -1, -1), True, True, "two camps"),
    ("− − −", (-1, -1, -1), False, True, "three camps"),
    ("+ + −", (1, 1, -1), False, False, "a frenemy"),
]


def draw_triads() -> Figure:
    """The four signed triads and whether each is balanced, strongly and weakly (the paper's Figure 1)."""
    figure = new_figure(10, 3.5)
    heading(figure, 0.1, 3.5, "The four signed triads")
    corners = np.array([[0.5, 1.0], [0.0, 0.13], [1.0, 0.13]])
    for number, (name, signs, strong, weak, camps) in enumerate(TRIADS):
        axes = blank(figure, 0.35 + 2.4 * number, 1.25, 2.1, 1.8)
        axes.set(xlim=(-0.25, 1.25), ylim=(0, 1.12))
        axes.set_aspect("equal")
        for (a, b), sign in zip([(0, 1), (0, 2), (1, 2)], signs, strict=True):
            kind = line(sign, conflict=not weak and sign < 0)
            curve(axes, corners[a], corners[b], kind)
        axes.scatter(*corners.T, s=330, c=PAPER, edgecolors=INK, linewidths=1.1, zorder=4, clip_on=False)
        for letter, (x, y) in zip("ABC", corners, strict=True):
            axes.text(x, y, letter, ha="center", va="center", size=9.5, color=INK, zorder=5)
        under = blank(figure, 0.35 + 2.4 * number, 0.35, 2.1, 0.9)
        middle = 2.1 * 36
        write(under, middle, 14, f"({'abcd'[number]})  {name}   {camps}", ha="center", weight="bold")
        for y, kind, holds in [(32, "strong", strong), (47, "weak", weak)]:
            verdict = "✓ balanced" if holds else "✗ not balanced"
            write(under, middle, y, f"{kind}: {verdict}", ha="center", color=INK if holds else "#A33F00")
    key = blank(figure, 0.1, 0, 10, 0.35)
    legend(key, [line(1), line(-1), line(-1, conflict=True)], bbox_to_anchor=(0, 1), ncols=3)
    return figure


def draw_inference(
    graph: ParaphraseGraph,
    clusters: Iterable[int] | None = None,
    closure: Closure | None = None,
    limit: int = 24,
    seed: int = 0,
) -> Figure:
    """Pairs given, the graph they make, and the labels that follow (the paper's Figure 2).

    Parameters
    ----------
    clusters : list of int
        Which to draw. Left out: two small clusters that a stated negative joins.
    closure : Closure
        Which labels follow; by default all of `infer(graph)`.
    """
    from ..graph.closure import infer

    ids = _example(graph) if clusters is None else list(clusters)
    shown = view_of(graph, ids, closure=closure or infer(graph), limit=limit, seed=seed)
    given = [edge for edge in shown.edges if edge.line in STATED]
    sentences = entries(shown.texts, 3.5)
    deep = depth(sentences)
    rows = (len(given) + 2) // 3
    height = max((deep + 30 + rows * LEADING * 1.3) / 72 + 0.75, 3.6)
    below = 0.3 * ((len(shown.lines) + 1) // 2)
    figure = new_figure(11, height)
    heads = [
        (0.1, f"{len(given)} pairs given"),
        (3.9, "The signed graph they make"),
        (7.5, f"With the {len(shown.edges) - len(given)} labels that follow"),
    ]
    for left, head in heads:
        heading(figure, left, height, head)
    text = blank(figure, 0.1, 0, 3.6, height - 0.5)
    listing(text, sentences)
    _pairs(text, given, deep + 10)
    for left, edges in [(3.9, given), (7.5, shown.edges)]:
        graph_on(blank(figure, left, below + 0.1, 3.3, height - 0.6 - below), shown, edges)
    legend(blank(figure, 3.9, 0, 7, below), shown.lines, bbox_to_anchor=(0, 1))
    return figure


STATED = {line(sign, conflict=conflict) for sign in (1, -1) for conflict in (False, True)}


def _pairs(axes, given: list, y: float) -> None:
    """The stated pairs by the numbers of their sentences, three to a line."""
    for i, edge in enumerate(given):
        x, at = 16 + 88 * (i % 3), y + LEADING * 1.3 * (i // 3 + 0.5)
        write(axes, x, at + 3, str(edge.a + 1), ha="right", weight="bold")
        curve(axes, (x + 5, at), (x + 45, at), edge.line)
        write(axes, x + 50, at + 3, str(edge.b + 1), weight="bold")


def _example(graph: ParaphraseGraph) -> list[int]:
    """Two clusters that a stated negative joins: the smaller as large as can be, nine sentences at most."""
    links, sizes = graph.links, graph.cluster_sizes
    if not len(links.a):
        return [0]
    clean = np.ones(len(sizes), dtype=bool)
    clean[graph.cluster_of[graph.edge_a[graph.within]]] = False
    smaller, total = np.minimum(sizes[links.a], sizes[links.b]), sizes[links.a] + sizes[links.b]
    fine = clean[links.a] & clean[links.b] & (total <= 9)
    best = int(np.argmax(np.where(fine, smaller * 10 + total, -total)))
    return [int(links.a[best]), int(links.b[best])]


def draw_conflict(graph: ParaphraseGraph, conflict: pd.Series) -> Figure:
    """One row of `conflicts(graph)`: the positive path downwards, the negative label at its side (Figure 3).

    For a pair stated both ways, the two sentences and both labels. Every label names its rows.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> graph = pg.ParaphraseGraph.from_pairs(pairs)
    >>> figure = draw_conflict(graph, pg.conflicts(graph).iloc[0])
    """
    path = list(conflict["path"]) or [conflict["text_a"], conflict["text_b"]]
    nodes = [graph.node(text) for text in path]
    boxes = [wrap(drawable(text), BOX * 72 - 16, point_width(9.5)) for text in path]
    heights = [len(lines) * LEADING + 10 for lines in boxes]
    gap = 34.0
    tall = (sum(heights) + gap * (len(boxes) - 1)) / 72
    figure = new_figure(10, tall + 1.2)
    cluster, length = int(conflict["cluster"]), len(path) - 1
    title = {
        "within": f"Conflict within cluster {cluster}: “not a paraphrase”, but a path of {length} joins them",
        "direct": "Direct contradiction: one pair stated both ways",
    }[conflict["kind"]]
    heading(figure, 0.1, tall + 1.2, title)
    axes = blank(figure, 0.1, 0.6, 9.8, tall + 0.1)
    tops = np.cumsum([0.0, *(h + gap for h in heights[:-1])]) + 4
    for number, (lines, top, height) in enumerate(zip(boxes, tops, heights, strict=True)):
        _box(axes, top, height, number in (0, len(boxes) - 1))
        for i, text in enumerate(lines):
            write(axes, 8, top + 14 + i * LEADING, text)
    used = _labels(axes, graph, conflict, nodes, tops, heights)
    legend(blank(figure, 0.1, 0, 9.8, 0.5), used, bbox_to_anchor=(0, 1), ncols=3)
    return figure


BOX = 6.2  # inches: the width of a sentence's box


def _box(axes, top: float, height: float, conflict: bool) -> None:
    from matplotlib.patches import FancyBboxPatch

    box = FancyBboxPatch(
        (0, top), BOX * 72, height, boxstyle="round,pad=0,rounding_size=5", linewidth=1,
        edgecolor=INK, facecolor=CONFLICT if conflict else PAPER, zorder=3, clip_on=False,
    )  # fmt: skip
    axes.add_patch(box)


def _labels(axes, graph, conflict, nodes: list[int], tops, heights) -> list:
    """The lines between the boxes, each with its rows; returns the kinds used."""
    down, side = BOX * 36, BOX * 72
    positive = line(1)
    for i in range(len(nodes) - 1):
        start, end = tops[i] + heights[i], tops[i + 1]
        curve(axes, (down, start), (down, end), positive)
        edge = graph.edge_between(nodes[i], nodes[i + 1])
        rows = _rows(graph, edge, +1)
        write(axes, down + 10, (start + end) / 2 + 3, f"a paraphrase: {rows}", color=QUIET)
    # Boxes have y downwards: the arc bulges to the right when it is drawn from the top to the bottom.
    first, last = tops[0] + heights[0] / 2, tops[-1] + heights[-1] / 2
    negative = line(-1, conflict=True)
    span = last - first
    bend = -min(0.5, 110 / span)
    curve(axes, (side, first), (side, last), negative, bend)
    edge = graph.edge_between(nodes[0], nodes[-1])
    rows = _rows(graph, edge, -1)
    words = wrap(f"not a paraphrase: {rows}", 180, point_width(9.5))
    x = side - bend * span / 2 + 14
    y = (first + last) / 2 - LEADING * (len(words) - 1) / 2
    for i, text in enumerate(words):
        write(axes, x, y + i * LEADING + 3, text)
    return [positive, negative]


def _rows(graph: ParaphraseGraph, edge: int, sign: int) -> str:
    """The rows that give an edge this sign, as its source counts them."""
    if edge < 0:
        raise PairsError("this row is no conflict of this graph: a label of it is not stated here")
    rows = graph.rows_of(edge)
    rows = graph.row_names(rows[graph.row_sign[rows] == sign])
    if not rows:
        raise PairsError("this row is no conflict of this graph: a label of it is not stated here")
    return f"row{'s' * (len(rows) > 1)} {', '.join(map(str, rows[:6]))}{', …' * (len(rows) > 6)}"
