"""Exercises on paper: a sheet for each student, and the key to them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from os import PathLike
from pathlib import Path

import networkx as nx

from ..draw.page import to_svg
from ..draw.signed import ring, signed_view
from ..files.errors import taken
from ..files.outputs import written
from .exercises import EXERCISES, SHEETS, Exercise, Sheet
from .exercises.ask import steps, symbol

__all__ = ["write_sheets"]

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
    with written(path) as part:
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
