"""Figures of signed graphs beside their sentences, and two of the paper: Chen, Ji and Evans (2020), 2 and 3."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..graph.search import nodes_of
from ..pairs import PairsError
from .canvas import LEADING, blank, curve, depth, entries, graph_on, heading, legend, listing, new_figure, write
from .style import CONFLICT, INK, PAPER, POSITIVE, QUIET, Line, line
from .view import View, in_words, nearest, view_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph
    from ..graph.closure import Closure

__all__ = ["draw_change", "draw_cluster", "draw_conflict", "draw_inference", "draw_view"]

WIDTH, GRAPH, MARGIN = 10.0, 5.6, 0.1  # inches: the figure, the graph in it, around it
BESIDE = 7.0  # inches: a longer list of sentences goes below the graph

GONE = Line("no label any more", QUIET, 1.0, (1, 3))
FLIPPED = Line("a paraphrase now", POSITIVE, 4.5)


# -- clusters ----------------------------------------------------------------------------------------------


def draw_cluster(
    graph: ParaphraseGraph,
    cluster: int | Iterable[int] | None = None,
    nodes: Iterable[int] | None = None,
    closure: Closure | None = None,
    limit: int = 40,
    seed: int = 0,
    ax: Axes | None = None,
) -> Figure:
    """Draw a cluster, several, or the given nodes: the graph, and beside it the numbered sentences.

    Parameters as in `view.view_of`. With `ax` the graph alone is drawn, on these axes.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["Hi!", "Hello!"], "text_b": ["Hello!", "Hey!"], "label": [1, 1]})
    >>> figure = draw_cluster(pg.ParaphraseGraph.from_pairs(pairs), cluster=0)
    """
    shown = view_of(graph, cluster, nodes, closure, limit, seed)
    if ax is None:
        return draw_view(shown)
    graph_on(ax, shown)
    legend(ax, shown.lines)
    ax.set_title(shown.title, loc="left", parse_math=False)
    return ax.figure


def draw_view(shown: View) -> Figure:
    """Draw what a view shows: the graph with its legend, and the numbered sentences beside or below it."""
    sentences = entries(shown.beside, WIDTH - GRAPH - 0.3)
    if depth(sentences) > BESIDE * 72:
        return _above_sentences(shown.title, {"": shown}, 6.5)
    tall, below = _tall(shown, GRAPH, 5.2), _key(shown.lines)
    height = max(tall + below, depth(sentences) / 72) + 0.5
    figure, bottom = new_figure(WIDTH, height), height - 0.5 - tall
    heading(figure, MARGIN, height, shown.title)
    graph_on(blank(figure, MARGIN, bottom, GRAPH, tall), shown)
    legend(blank(figure, MARGIN, bottom - below, GRAPH, below), shown.lines)
    listing(blank(figure, GRAPH + 0.2, 0, WIDTH - GRAPH - 0.3, height - 0.5), sentences)
    return figure


def _above_sentences(title: str, views: dict[str, View], most: float) -> Figure:
    """Draw views of the same sentences side by side under their names, the sentences in two columns below."""
    width, column = WIDTH / len(views) - 2 * MARGIN, WIDTH / 2 - 2 * MARGIN
    sentences = entries(next(iter(views.values())).texts, column)
    half = next(i for i in range(len(sentences) + 1) if depth(sentences[:i]) >= depth(sentences) / 2)
    room = max(depth(sentences[:half]), depth(sentences[half:])) / 72
    lines = list(dict.fromkeys(line for view in views.values() for line in view.lines))
    tall, key = max(_tall(view, width, most) for view in views.values()), _key(lines)
    height = 0.4 + 0.4 * (len(views) > 1) + tall + key + room
    figure = new_figure(WIDTH, height)
    heading(figure, MARGIN, height, title)
    for number, (name, view) in enumerate(views.items()):
        left = MARGIN + number * WIDTH / len(views)
        heading(figure, left, height - 0.4, name)
        graph_on(blank(figure, left, key + room, width, tall), view)
    legend(blank(figure, MARGIN, room, WIDTH, key), lines)
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


def draw_change(before: ParaphraseGraph, after: ParaphraseGraph, edges: np.ndarray, limit: int = 40) -> Figure:
    """Draw the cluster in which most of some labels changed, before and after, and below it the numbered sentences.

    The sentences stand alike in both pictures. Clusters to which changed labels lead belong to it.

    Parameters
    ----------
    edges : int array
        The labels that changed, as edges of `before`; one or more.
    limit : int
        Most sentences drawn: those of changed labels first, then those nearest to the best connected one.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> graphs = [pg.ParaphraseGraph.from_pairs(rows) for rows in (pairs, pairs.iloc[:2])]
    >>> figure = draw_change(*graphs, edges=np.array([2]))
    """
    nodes, here = _where(before, np.asarray(edges), limit)
    old = view_of(before, nodes=nodes, limit=len(nodes))
    cluster = int(before.cluster_of[before.edge_a[here[0]]])
    among = f"{len(here)} of {len(edges):,} changed labels" if len(here) < len(edges) else f"{len(here)} changed"
    part = f", {len(nodes)} of its sentences" if len(nodes) == limit else ""
    return _above_sentences(f"Cluster {cluster}: {among}{part}", {"before": old, "after": _after(old, after)}, 4.5)


def _where(graph: ParaphraseGraph, edges: np.ndarray, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the sentences to draw, and the changed labels among them."""
    ends = graph.ends(edges)
    home = graph.cluster_of[ends]
    cluster = np.argmax(np.bincount(np.concatenate([home[0], home[1][home[0] != home[1]]])))
    here = (home == cluster).any(axis=0)
    nodes = np.concatenate([graph.members(c) for c in np.unique(home[:, here]).tolist()])
    if len(nodes) > limit:
        first = np.unique(ends[:, here])[:limit]
        others = np.setdiff1d(nearest(graph, graph.members(int(cluster)), limit), first)
        nodes = np.concatenate([first, others[: limit - len(first)]])
    drawn = edges[here & np.isin(ends, nodes).all(axis=0)]
    return nodes, drawn if len(drawn) else edges[here]


def _after(old: View, graph: ParaphraseGraph) -> View:
    """Return a view of the same sentences with the labels that they have in another graph."""
    nodes = nodes_of(graph, old.texts)
    place = np.flatnonzero(nodes >= 0)
    found = view_of(graph, nodes=nodes[place], limit=len(place)).edges if len(place) else []
    now = {frozenset(place[[edge.a, edge.b]].tolist()): edge.line for edge in found}
    drawn = []
    for edge in old.edges:
        line = now.get(frozenset((edge.a, edge.b)), GONE)
        line = FLIPPED if line.color == POSITIVE != edge.line.color else line
        drawn.append((edge.a, edge.b, line, line.name))
    return View.of(old.title, nodes, old.texts, drawn, old.positions)


# -- figures of the paper ----------------------------------------------------------------------------------


def draw_inference(
    graph: ParaphraseGraph,
    clusters: Iterable[int] | None = None,
    closure: Closure | None = None,
) -> Figure:
    """Draw pairs given, the graph they make, and the inferred labels (the paper's Figure 2).

    Parameters
    ----------
    clusters : list of int
        Which to draw. Left out: two small clusters that a stated negative joins.
    closure : Closure
        The inferred labels; by default all of `infer(graph)`.
    """
    from ..graph.closure import infer

    ids = _example(graph) if clusters is None else list(clusters)
    shown = view_of(graph, ids, closure=closure or infer(graph), limit=24)
    given = [edge for edge in shown.edges if edge.line.width > 1]
    sentences = entries(shown.texts, 3.5)
    deep = depth(sentences) + 10
    height = max((deep + 20 + (len(given) + 2) // 3 * LEADING * 1.3) / 72 + 0.75, 3.6)
    below = 0.3 * ((len(shown.lines) + 1) // 2)
    figure = new_figure(11, height)
    heading(figure, 0.1, height, f"{len(given)} pairs given")
    text = blank(figure, 0.1, 0, 3.6, height - 0.5)
    listing(text, sentences)
    for i, edge in enumerate(given):  # by the numbers of their sentences, three to a line
        x, y = 16 + 88 * (i % 3), deep + LEADING * 1.3 * (i // 3 + 0.5)
        write(text, x, y + 3, str(edge.a + 1), ha="right", weight="bold")
        curve(text, (x + 5, y), (x + 45, y), edge.line)
        write(text, x + 50, y + 3, str(edge.b + 1), weight="bold")
    follow = f"With the {len(shown.edges) - len(given)} inferred labels"
    for left, head, edges in [(3.9, "The signed graph they make", given), (7.5, follow, shown.edges)]:
        heading(figure, left, height, head)
        graph_on(blank(figure, left, below + 0.1, 3.3, height - 0.6 - below), shown, edges)
    legend(blank(figure, 3.9, 0, 7, below), shown.lines)
    return figure


def _example(graph: ParaphraseGraph) -> list[int]:
    """Find two clusters that a stated negative joins: the smaller as large as can be, nine sentences at most."""
    links, sizes = graph.links, graph.cluster_sizes
    if not len(links.a):
        return [0]
    clean = np.ones(len(sizes), dtype=bool)
    clean[graph.cluster_of[graph.edge_a[graph.within]]] = False
    smaller, total = np.minimum(sizes[links.a], sizes[links.b]), sizes[links.a] + sizes[links.b]
    fine = clean[links.a] & clean[links.b] & (total <= 9)
    best = int(np.argmax(np.where(fine, smaller * 10 + total, -total)))
    return [int(links.a[best]), int(links.b[best])]


BOX = 6.2  # inches: the width of a sentence's box


def draw_conflict(graph: ParaphraseGraph, conflict: pd.Series) -> Figure:
    """Draw a row of `conflicts(graph)`: the positive path downwards, the negative label at its side (Figure 3).

    For a pair stated both ways, the two sentences and both labels. Every label names its rows.

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
        raise PairsError("this row is no conflict of this graph: a label of it is not stated here")
    return in_words(rows, 6)
