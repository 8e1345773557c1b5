"""Small signed graphs, such as people and their quarrels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..balance import SignError, as_signed, balance, presets
from .figures import graph_on, new_figure
from .shared import CAMPS
from .style import line, oneline, shorten
from .view import Drawn, View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_signed", "draw_triads", "ring", "signed_view"]

WORDS = {1: "+ positive", -1: "− negative"}


def draw_signed(
    graph: Any, camps: Any = None, marked: Iterable[tuple[Hashable, Hashable]] = (), title: str = "",
    ax: Axes | None = None,
) -> Figure:  # fmt: skip
    """Draw a small signed graph: names in a ring, `+` as solid lines, `-` as dashed ones.

    Parameters
    ----------
    graph : signed networkx graph, ParaphraseGraph or SignedGraph
        The ring runs clockwise from the top, in the order of its nodes. Sentences are drawn as numbers.
    camps : dict, or a result of `balance` or `frustration`, optional
        The camp of each node. A camp takes its colour from the place of its first node in the graph, so pictures of
        graphs on the same nodes agree in places and colours. There are eight colours; then they repeat.
    marked : pairs of nodes
        Edges drawn on yellow.
    ax : matplotlib axes, optional
        Axes to draw on; without them a new figure is made.

    Raises
    ------
    SignError
        For a graph without signs, and for an edge that it does not have.

    Examples
    --------
    >>> square = presets.classic("two couples")
    >>> figure = draw_signed(square, camps=balance(square), marked=[("A", "B")], title="Two couples")
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['A', 'B', 'C', 'D']
    """
    signed = as_signed(graph)
    if camps is not None:
        camps = _numbered(signed.names, camps)
    if ax is None:
        side = 2.2 + signed.n / 5
        figure = new_figure(1.4 * side, side)
        ax = figure.add_axes((0, 0, 1, 0.92))
    ax.set_title(title, size=10, parse_math=False)
    view = signed_view(signed, title, ring(signed.n), camps, marked)
    graph_on(ax, view)
    return ax.figure


def _numbered(names: Sequence[Hashable], camps: Any) -> dict[Hashable, int]:
    """Number camps by the place of their first node; one after another if there are more nodes than colours."""
    camp_of = getattr(camps, "camp_of", None) or camps.get
    found = [camp_of(name) for name in names]
    numbers = [found.index(camp) for camp in found]
    if len(names) > len(CAMPS):
        _, places = np.unique(numbers, return_inverse=True)
        numbers = places.tolist()
    numbered = dict(zip(names, numbers, strict=True))
    for name, camp in zip(names, found, strict=True):
        if camp is None:
            del numbered[name]
    return numbered


def draw_triads() -> Figure:
    """Draw the four signed triads, and show whether each is balanced (Chen, Ji and Evans 2020, Figure 1)."""
    figure = new_figure(10, 3.2, layout="constrained")
    camps = {"+++": "one camp", "+--": "two camps", "---": "three camps", "++-": "no camps"}
    axes = figure.subplots(1, 4)
    for letter, ax, kind in zip("abcd", axes, camps, strict=True):
        what = camps[kind]
        triad = presets.triad(kind)
        title = f"({letter})  {kind}  {what}"
        for sense in ("strong", "weak"):
            verdict = "✗ not"
            if balance(triad, sense):
                verdict = "✓"
            title += f"\n{sense}: {verdict} balanced"
        odd = []
        if kind == "++-":
            edges = triad.edges(data="sign")
            odd = [(a, b) for a, b, sign in edges if sign < 0]
        draw_signed(triad, marked=odd, title=title, ax=ax)
    return figure


def ring(n: int) -> np.ndarray:
    """Return places in a ring, clockwise from the top, neighbours 1 apart.

    >>> ring(4).round(2).tolist()
    [[0.0, 0.71], [0.71, 0.0], [0.0, -0.71], [-0.71, -0.0]]
    """
    angle = 2 * np.pi * np.arange(n) / max(n, 1)
    places = np.column_stack([np.sin(angle), np.cos(angle)])
    apart = 2 * np.sin(np.pi / max(n, 2))
    return places / apart


def signed_view(
    graph: Any,
    title: str,
    positions: np.ndarray,
    camps: Mapping[Hashable, int] | None = None,
    marked: Iterable[tuple[Hashable, Hashable]] = (),
) -> View:
    """Return a signed graph as a picture shows it; `marked` edges, those of an unbalanced cycle, are on yellow."""
    signed = as_signed(graph)
    camps = camps or {}
    named = signed.sentence is None
    halo = {}
    for edge in marked:
        ends = frozenset(map(signed.index, edge))
        halo[ends] = edge
    edges = []
    columns = (signed.a, signed.b, signed.sign)
    for a, b, sign in np.column_stack(columns).tolist():
        kind = line(sign)
        if named:
            kind = kind._replace(name=WORDS[sign])
        ends = frozenset((a, b))
        if halo.pop(ends, None):
            name = kind.name.split(",")[0]
            kind = kind._replace(halo=True, name=f"{name}, of an unbalanced cycle")
        edges.append(Drawn(a, b, kind))
    for one, other in halo.values():
        raise SignError(f"{one!r} and {other!r} are not joined, so nothing can be marked")
    texts = list(map(signed.text, range(signed.n)))
    if named:
        texts = [shorten(oneline(text), 24) for text in texts]
    colours = tuple(camps.get(name, -1) for name in signed.names)
    return View(title, texts, edges, positions, named, colours)
