"""A cluster as a still picture: its signed graph, and beside it the sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .canvas import blank, entries, graph_on, legend, listing, new_figure, write
from .view import view

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph
    from ..inference import Closure

__all__ = ["draw_cluster"]

WIDTH, GRAPH = 10.0, 5.6  # inches: the figure, the graph in it


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
    >>> figure.savefig("cluster.png")  # doctest: +SKIP
    """
    shown = view(graph, cluster, nodes, closure, limit, seed)
    if ax is not None:
        graph_on(ax, shown)
        legend(ax, shown.lines)
        ax.set_title(shown.title, loc="left", parse_math=False)
        return ax.figure
    sentences = entries(shown.texts, WIDTH - GRAPH - 0.3)
    depth = listing(blank(new_figure(1, 1), 0, 0, 1, 1), sentences)
    below = 0.25 * ((len(shown.lines) + 1) // 2) + 0.15
    low, high = shown.extent
    wide, tall = high - low + 0.7
    # As tall as the graph needs at full width, within reason, or the list.
    graph_height = min(max(GRAPH * tall / wide, 1.6), 5.2)
    height = max(graph_height + below, depth / 72) + 0.5
    figure = new_figure(WIDTH, height)
    write(blank(figure, 0.1, height - 0.4, WIDTH, 0.4), 0, 16, shown.title, weight="bold", size=11)
    axes = blank(figure, 0.1, height - 0.5 - graph_height, GRAPH, graph_height)
    graph_on(axes, shown)
    axes.set_anchor("N")
    key = blank(figure, 0.1, height - 0.5 - graph_height - below, GRAPH, below)
    legend(key, shown.lines, bbox_to_anchor=(0, 1))
    listing(blank(figure, GRAPH + 0.2, 0, WIDTH - GRAPH - 0.3, height - 0.5), sentences)
    return figure
