"""A cluster as a still picture: its signed graph, and beside it the sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .canvas import blank, depth, entries, graph_on, legend, listing, new_figure, write
from .view import View, view

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

    Parameters as in `view.view`. With `ax` only the graph is drawn, on these axes.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["Hi!", "Hello!"], "text_b": ["Hello!", "Hey!"], "label": [1, 1]})
    >>> figure = draw_cluster(pg.ParaphraseGraph.from_pairs(pairs), cluster=0)
    """
    shown = view(graph, cluster, nodes, closure, limit, seed)
    if ax is not None:
        graph_on(ax, shown)
        legend(ax, shown.lines)
        ax.set_title(shown.title, loc="left", parse_math=False)
        return ax.figure
    return draw_view(shown)


def draw_view(shown: View) -> Figure:
    """Draw what a view shows: the graph with its legend, and the numbered sentences beside or below it."""
    beside = entries(shown.texts, WIDTH - GRAPH - 0.3)
    if depth(beside) > BESIDE * 72:
        return _list_below(shown)
    below = _legend_height(shown)
    graph_height = _graph_height(shown, GRAPH, 5.2)
    height = max(graph_height + below, depth(beside) / 72) + 0.5
    figure = _titled(shown, height)
    _graph(figure, shown, height - 0.5 - graph_height, GRAPH, graph_height)
    listing(blank(figure, GRAPH + 0.2, 0, WIDTH - GRAPH - 0.3, height - 0.5), beside)
    return figure


def _list_below(shown: View) -> Figure:
    """Many sentences: the graph as wide as the figure, the sentences below it in two columns."""
    columns = entries(shown.texts, WIDTH / 2 - 0.2)
    half = next(i for i in range(len(columns) + 1) if depth(columns[:i]) >= depth(columns) / 2)
    tall = max(depth(columns[:half]), depth(columns[half:])) / 72
    below, graph_height = _legend_height(shown), _graph_height(shown, WIDTH - 0.2, 6.5)
    height = graph_height + below + tall + 0.6
    figure = _titled(shown, height)
    _graph(figure, shown, height - 0.5 - graph_height, WIDTH - 0.2, graph_height)
    listing(blank(figure, 0.1, 0, WIDTH / 2 - 0.2, tall), columns[:half])
    listing(blank(figure, WIDTH / 2 + 0.1, 0, WIDTH / 2 - 0.2, tall), columns[half:], half + 1)
    return figure


def _titled(shown: View, height: float) -> Figure:
    figure = new_figure(WIDTH, height)
    write(blank(figure, 0.1, height - 0.4, WIDTH - 0.2, 0.4), 0, 16, shown.title, weight="bold", size=11)
    return figure


def _graph(figure: Figure, shown: View, bottom: float, width: float, height: float) -> None:
    axes = blank(figure, 0.1, bottom, width, height)
    graph_on(axes, shown)
    axes.set_anchor("N")
    below = _legend_height(shown)
    legend(blank(figure, 0.1, bottom - below, width, below), shown.lines, bbox_to_anchor=(0, 1))


def _graph_height(shown: View, width: float, most: float) -> float:
    """As tall as the graph needs at that width, within reason."""
    low, high = shown.extent
    across, up = high - low + 0.7
    return float(min(max(width * up / across, 1.6), most))


def _legend_height(shown: View) -> float:
    return 0.25 * ((len(shown.lines) + 1) // 2) + 0.15
