"""Small signed graphs, such as people and their quarrels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..balance import SignError, as_signed, balance, presets
from .figures import graph_on, new_figure
from .shared import CAMPS
from .style import Line, line, oneline, shorten
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
        found = list(map(camps.camp_of if hasattr(camps, "camp_of") else camps.get, signed.names))
        firsts = list(map(found.index, found))
        numbers = firsts if signed.n <= len(CAMPS) else np.unique(firsts, return_inverse=True)[1].tolist()
        camps = {name: i for name, i, camp in zip(signed.names, numbers, found, strict=True) if camp is not None}
    if ax is None:
        side = 2.2 + signed.n / 5
        ax = new_figure(1.4 * side, side).add_axes((0, 0, 1, 0.92))
    ax.set_title(title, size=10, parse_math=False)
    graph_on(ax, signed_view(signed, title, ring(signed.n), camps, marked))
    return ax.figure


def draw_triads() -> Figure:
    """Draw the four signed triads, and show whether each is balanced (Chen, Ji and Evans 2020, Figure 1)."""
    figure = new_figure(10, 3.2, layout="constrained")
    camps = {"+++": "one camp", "+--": "two camps", "---": "three camps", "++-": "no camps"}
    for letter, ax, (kind, what) in zip("abcd", figure.subplots(1, 4), camps.items(), strict=True):
        triad = presets.triad(kind)
        odd = [(a, b) for a, b, sign in triad.edges(data="sign") if sign < 0 and kind == "++-"]
        verdicts = [f"{one}: {'✓' if balance(triad, one) else '✗ not'} balanced" for one in ("strong", "weak")]
        draw_signed(triad, marked=odd, title="\n".join([f"({letter})  {kind}  {what}", *verdicts]), ax=ax)
    return figure


def ring(n: int) -> np.ndarray:
    """Return places in a ring, clockwise from the top, neighbours 1 apart.

    >>> ring(4).round(2).tolist()
    [[0.0, 0.71], [0.71, 0.0], [0.0, -0.71], [-0.71, -0.0]]
    """
    angle = 2 * np.pi * np.arange(n) / max(n, 1)
    return np.column_stack([np.sin(angle), np.cos(angle)]) / (2 * np.sin(np.pi / max(n, 2)))


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
    halo = {frozenset(map(signed.index, edge)): edge for edge in marked}
    ends = list(zip(signed.a.tolist(), signed.b.tolist(), signed.sign.tolist(), strict=True))
    named = signed.sentence is None
    if lost := halo.keys() - {frozenset(edge[:2]) for edge in ends}:
        raise SignError("{!r} and {!r} are not joined, so nothing can be marked".format(*halo[lost.pop()]))
    edges = [Drawn(a, b, _line(sign, named, frozenset((a, b)) in halo), WORDS[sign]) for a, b, sign in ends]
    texts = [shorten(oneline(str(name)), 24) if named else signed.text(i) for i, name in enumerate(signed.names)]
    colours = tuple(camps.get(name, -1) for name in signed.names)
    return View(title, texts, edges, positions, named, colours)


def _line(sign: int, named: bool, marked: bool) -> Line:
    kind = line(sign)
    kind = kind._replace(name=WORDS[sign]) if named else kind
    return kind._replace(halo=True, name=f"{kind.name.split(',')[0]}, of an unbalanced cycle") if marked else kind
