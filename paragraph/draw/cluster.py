"""Figures of clusters: the signed graph beside its sentences, and before and after labels were changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..graph.search import nodes_of
from .canvas import blank, depth, entries, graph_on, heading, legend, listing, new_figure
from .layout import bends
from .style import POSITIVE, QUIET, Line
from .view import Drawn, View, nearest, view_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph
    from ..graph.closure import Closure

__all__ = ["draw_change", "draw_cluster", "draw_view"]

WIDTH, GRAPH, MARGIN = 10.0, 5.6, 0.1  # inches: the figure, the graph in it, around it
BESIDE = 7.0  # inches: a longer list of sentences goes below the graph

GONE = Line("no label any more", QUIET, 1.0, (1, 3))
FLIPPED = Line("a paraphrase now", POSITIVE, 4.5)


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


def draw_change(before: ParaphraseGraph, after: ParaphraseGraph, edges: np.ndarray, limit: int = 40) -> Figure:
    """The cluster in which most of some labels changed, before and after, and below it the numbered sentences.

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
    new = _after(old, after)
    cluster = int(before.cluster_of[before.edge_a[here[0]]])
    among = f"{len(here)} of {len(edges):,} changed labels" if len(here) < len(edges) else f"{len(here)} changed"
    part = f", {len(nodes)} of its sentences" if len(nodes) == limit else ""

    sentences = entries(old.texts, WIDTH / 2 - 3 * MARGIN)
    half = (len(sentences) + 1) // 2
    lists = max(depth(sentences[:half]), depth(sentences[half:])) / 72
    wide = WIDTH / 2 - 2 * MARGIN
    low, high = old.extent
    tall = float(np.clip(wide * (high - low + 0.7)[1] / (high - low + 0.7)[0], 1.6, 4.5))
    lines = list(dict.fromkeys([*old.lines, *new.lines]))
    key = 0.25 * ((len(lines) + 1) // 2) + 0.15
    height = 0.8 + tall + key + lists
    figure = new_figure(WIDTH, height)
    heading(figure, MARGIN, height, f"Cluster {cluster}: {among}{part}")
    for left, name, view, first, column in (
        (MARGIN, "before", old, 1, sentences[:half]),
        (WIDTH / 2 + MARGIN, "after", new, half + 1, sentences[half:]),
    ):
        heading(figure, left, height - 0.4, name)
        graph_on(blank(figure, left, key + lists, wide, tall), view)
        listing(blank(figure, left, 0, wide, lists), column, first)
    legend(blank(figure, MARGIN, lists, WIDTH, key), lines, bbox_to_anchor=(0, 1))
    return figure


def _where(graph: ParaphraseGraph, edges: np.ndarray, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """The sentences to draw, and the changed labels among them."""
    ends = np.stack([graph.edge_a[edges], graph.edge_b[edges]])
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
    """The same sentences with the labels that they have in another graph."""
    nodes = nodes_of(graph, old.texts)
    place = np.flatnonzero(nodes >= 0)
    found = view_of(graph, nodes=nodes[place], limit=len(place)).edges if len(place) else []
    now = {frozenset(place[[edge.a, edge.b]].tolist()): edge for edge in found}
    drawn = []
    for edge in old.edges:
        label = now.get(frozenset((edge.a, edge.b)))
        line = label.line if label else GONE
        drawn.append((edge.a, edge.b, FLIPPED if line.color == POSITIVE != edge.line.color else line))
    curves = bends(old.positions, [(a, b) for a, b, _ in drawn])
    edges = [Drawn(a, b, line, bend, line.name) for (a, b, line), bend in zip(drawn, curves, strict=True)]
    return old._replace(nodes=nodes, edges=edges)
