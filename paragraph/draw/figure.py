"""A cluster as a still picture: its signed graph, and beside it the sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .canvas import blank, depth, entries, graph_on, heading, legend, listing, new_figure
from .view import View, view_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph
    from ..graph.inference import Closure

__all__ = ["draw_cluster", "draw_view"]

WIDTH, GRAPH = 10.0, 5.6  # inches: the figure, the graph in it
BESIDE = 7.0  # inches: a longer list of sentences goes below the graph


def draw_cluster(
    graph: ParaphraseGraph,
    cluster: int | Iterable[int] | None = None,
    nodes: Iterable[int] | None = None,
    closure: Closure | None = None,
    ax: Axes | None = None,
    limit: int = 40,
    seed: int = 0,
) -> Figure:
    """Draw a cluster, several, or the given nodes: the graph, and beside it the numbered sentences.

    Parameters as in `view.view_of`. With `ax` only the graph is drawn, on these axes.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["Hi!", "Hello!"], "text_b": ["Hello!", "Hey!"], "label": [1, 1]})
    >>> figure = draw_cluster(pg.ParaphraseGraph.from_pairs(pairs), cluster=0)
    """
    shown = view_of(graph, cluster, nodes, closure, limit, seed)
    if ax is not None:
        graph_on(ax, shown)
        legend(ax, shown.lines)
        ax.set_title(shown.title, loc="left", parse_math=False)
        return ax.figure
    return draw_view(shown)


def draw_view(shown: View) -> Figure:
    """Draw what a view shows: the graph with its legend, and the numbered sentences beside or below it."""
    sentences = entries(shown.texts, WIDTH - GRAPH - 0.3)
    beside = depth(sentences) <= BESIDE * 72
    width, most = (GRAPH, 5.2) if beside else (WIDTH - 0.2, 6.5)
    below = 0.25 * ((len(shown.lines) + 1) // 2) + 0.15  # the legend
    low, high = shown.extent
    across, up = high - low + 0.7
    tall = float(min(max(width * up / across, 1.6), most))  # as the graph needs at that width, within reason
    if beside:
        height = max(tall + below, depth(sentences) / 72) + 0.5
        room, columns = height - 0.5, [(GRAPH + 0.2, WIDTH - GRAPH - 0.3, 1, sentences)]
    else:  # two columns below the graph
        half_width = WIDTH / 2 - 0.2
        sentences = entries(shown.texts, half_width)
        half = next(i for i in range(len(sentences) + 1) if depth(sentences[:i]) >= depth(sentences) / 2)
        room = max(depth(sentences[:half]), depth(sentences[half:])) / 72
        height = tall + below + room + 0.6
        columns = [(0.1, half_width, 1, sentences[:half]), (WIDTH / 2 + 0.1, half_width, half + 1, sentences[half:])]

    figure, bottom = new_figure(WIDTH, height), height - 0.5 - tall
    heading(figure, 0.1, height, shown.title)
    axes = blank(figure, 0.1, bottom, width, tall)
    graph_on(axes, shown)
    axes.set_anchor("N")
    legend(blank(figure, 0.1, bottom - below, width, below), shown.lines, bbox_to_anchor=(0, 1))
    for left, wide, first, column in columns:
        listing(blank(figure, left, 0, wide, room), column, first)
    return figure
