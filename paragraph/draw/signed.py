"""Small signed graphs, such as people and their quarrels: pictures of them, and sheets of exercises on paper."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from ..balance import SignError, as_signed, balance, presets
from ..balance.exercises import EXERCISES, SHEETS, Exercise, Sheet
from ..balance.exercises.ask import steps, symbol
from ..pairs.errors import taken
from ..pairs.outputs import beside
from .figures import graph_on, new_figure
from .page import to_svg
from .style import CAMPS, Line, line, oneline, shorten
from .view import Drawn, View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_signed", "draw_triads", "ring", "signed_view", "write_sheets"]

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
        graphs on the same nodes agree in places and colours. There are seven colours; then they repeat.
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
        told = [f"{one}: {'✓' if balance(triad, one) else '✗ not'} balanced" for one in ("strong", "weak")]
        draw_signed(triad, marked=odd, title="\n".join([f"({letter})  {kind}  {what}", *told]), ax=ax)
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
    signed, camps = as_signed(graph), camps or {}
    halo = {frozenset(map(signed.index, edge)): edge for edge in marked}
    ends = list(zip(signed.a.tolist(), signed.b.tolist(), signed.sign.tolist(), strict=True))
    named = signed.sentence is None
    if lost := halo.keys() - {frozenset(edge[:2]) for edge in ends}:
        raise SignError("{!r} and {!r} are not joined, so nothing can be marked".format(*halo[lost.pop()]))
    edges = [Drawn(a, b, _line(sign, named, frozenset((a, b)) in halo), 0.0, WORDS[sign]) for a, b, sign in ends]
    texts = [shorten(oneline(str(name)), 24) if named else signed.text(i) for i, name in enumerate(signed.names)]
    colours = tuple(camps.get(name, -1) for name in signed.names)
    return View(title, np.arange(signed.n), texts, edges, positions, named, colours)


def _line(sign: int, named: bool, marked: bool) -> Line:
    kind = line(sign)
    kind = kind._replace(name=WORDS[sign]) if named else kind
    return kind._replace(halo=True, name=f"{kind.name.split(',')[0]}, of an unbalanced cycle") if marked else kind


STYLE = """
body { font: 11pt/1.4 system-ui, sans-serif; max-width: 48em; margin: 2em auto; padding: 0 1em; color: #1d2329 }
section { break-after: page } article { break-inside: avoid; border-top: 1px solid #ccc; padding: .4em 0 1em }
h1 { font-size: 1.3em } h2 { font-size: 1em; margin: .3em 0 } p { margin: .3em 0 }
svg { max-width: 100%; height: auto } td { padding: 0 1.2em .2em 0; vertical-align: top }
"""


def write_sheets(
    sheets: Iterable[Sheet] | None, path: str | PathLike, numbers: Iterable[int] | None = None, key: bool = False
) -> Path:
    """Write a page to print: a sheet of exercises for each student, or the key to them.

    Parameters
    ----------
    sheets : list of Sheet, or None
        Each begins on a new page. None: the eight sheets from which a student's name selects one.
    path : path
        An HTML file; it opens from disk, without a network.
    numbers : list of int, optional
        The exercises on the page. Default: all.
    key : bool
        Write right answers instead, one table per student. If several are right, it shows one.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> ada = Sheet(student="Ada")
    >>> write_sheets([ada], folder / "sheet.html", numbers=[1, 5, 17]).name
    'sheet.html'
    >>> text = write_sheets(None, folder / "key.html", numbers=[1], key=True).read_text(encoding="utf-8")
    >>> text.count("<h1>Key: sheet"), f"Key: sheet {ada.seed} " in text
    (8, True)
    """
    sheets = map(Sheet, range(SHEETS)) if sheets is None else sheets
    sheets = [
        taken(one, Sheet, "write_sheets", "sheets", "write_sheets([Sheet(student=name)], path)") for one in sheets
    ]
    numbers = list(numbers or range(1, len(EXERCISES) + 1))
    title = "Exercises in balance" + ": key" * key
    body = "".join(_section(sheet, [sheet.exercise(number) for number in numbers], key) for sheet in sheets)
    page = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title><style>{STYLE}</style></head>
<body>{body}</body></html>
"""
    with beside(path) as part:
        part.write_text(page, encoding="utf-8")
    return Path(path)


def _section(sheet: Sheet, exercises: list[Exercise], key: bool) -> str:
    head = f"<h1>{'Key: s' if key else 'S'}heet {sheet.seed} · {escape(sheet.student) or 'Name: ' + '_' * 24}</h1>"
    if key:
        rows = (f"<tr><td>{one.number}. {one.title}</td><td>{escape(_answer(one))}</td></tr>" for one in exercises)
        return f"<section>{head}<table>{''.join(rows)}</table></section>"
    return f"<section>{head}{''.join(map(_article, exercises))}</section>"


def _article(one: Exercise) -> str:
    view = signed_view(one.graph, "", ring(len(one.graph)))
    choices = f"<p>{escape(' / '.join(one.choices))}</p>" if one.choices else ""
    text = f"<h2>{one.number}. {one.title}</h2><p>{escape(one.question)}</p>{choices}"
    return f"<article>{text}{to_svg(view, 760 if view.beside else 420, 260)}<p>Answer: {'_' * 40}</p></article>"


def _answer(one: Exercise) -> str:
    """Return a right answer as written on paper: sentences by their numbers, graphs by their changes."""
    solution, nodes = next(one.solutions()), enumerate(one.graph.nodes(data="text"), 1)
    name = {node: str(node if text is None else i) for i, (node, text) in nodes}
    if one.kind == "camps":
        return " | ".join(" ".join(name[node] for node in name if node in camp) for camp in solution)
    if one.kind == "graph":
        pairs = nx.compose(one.graph, solution).edges
        changed = [pair for pair in pairs if solution.get_edge_data(*pair) != one.graph.get_edge_data(*pair)]
        return ", ".join(
            f"{a}{symbol(solution[a][b]['sign'])}{b}" if b in solution[a] else f"{a}–{b} removed" for a, b in changed
        )
    if one.kind in ("edges", "cycle"):
        edges = steps(solution) if one.kind == "cycle" else solution
        return ", ".join(f"{name[a]}–{name[b]}" for a, b in edges)
    return str(solution)
