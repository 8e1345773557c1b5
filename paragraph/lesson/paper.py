"""Exercises on paper: a sheet for each student, and the key to them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from os import PathLike
from pathlib import Path

import networkx as nx

from ..draw.figures import graph_on, new_figure, to_svg
from ..draw.signed import ring, signed_view
from ..files.errors import check_type
from ..files.outputs import atomic_write
from .exercises import SHEETS, Exercise, Sheet
from .exercises.written import written_answer

__all__ = ["write_sheets"]

#: Exercises that fill a lesson: two pages for each student.
CHOSEN = (1, 5, 9, 12, 14, 17)
WIDE = (
    7.16  # inches of a picture: the width of the text on the page, so that letters keep their size
)
HIGH = 1.95
NAME = "Name: ________________________"
ANSWER = "<p>Answer: ________________________________________</p>"
LINES = "<p>A solid line is +, a dashed one −.</p>"
STYLE = """
@page { size: A4; margin: 14mm }
body { font: 11pt/1.35 system-ui, sans-serif; max-width: 182mm; margin: auto }
section { break-after: page } article { break-inside: avoid; border-top: 1px solid #ccc; padding: .3em 0 .8em }
h1 { font-size: 1.3em; margin: 0 0 .3em } h2 { font-size: 1em; margin: .2em 0 } p { margin: .2em 0 }
svg { width: 100%; height: auto } ol { margin: 0 0 .2em; columns: 2 }
td { padding: 0 1.2em .2em 0; vertical-align: top }
"""


def write_sheets(
    sheets: Iterable[Sheet] | None, path: str | PathLike, chosen: Iterable[int] = CHOSEN
) -> Path:
    """Write a page to print: a sheet of exercises for each student, and at the end, on pages of its own, the key.

    If several answers are right, the key shows one.

    Parameters
    ----------
    sheets : list of Sheet, or None
        Each begins on a new page. None: the eight sheets from which a student's name selects one.
    path : path
        An HTML file; it opens from disk, without a network.
    chosen : list of int, optional
        The exercises on the page. Default: six that fill a lesson, on two pages for each student.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> ada = Sheet(student="Ada")
    >>> text = write_sheets([ada], folder / "sheet.html", chosen=[1, 5, 17]).read_text(encoding="utf-8")
    >>> text.count("<article>"), text.count("<h1>Key: sheet")  # three exercises, and the key
    (4, 1)
    """
    if sheets is None:
        sheets = map(Sheet, range(SHEETS))
    sheets = [
        check_type(
            one, Sheet, "write_sheets", "sheets", "write_sheets([Sheet(student=name)], path)"
        )
        for one in sheets
    ]
    numbers = list(chosen)
    drawn = [(sheet, [sheet.exercise(number) for number in numbers]) for sheet in sheets]
    body = "".join(
        f"<section>{_head(sheet)}{LINES}{''.join(map(_article, some))}</section>"
        for sheet, some in drawn
    )
    body += f"<section>{''.join(_key(sheet, some) for sheet, some in drawn)}</section>"
    page = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Exercises in balance</title><style>{STYLE}</style></head>
<body>{body}</body></html>
"""
    with atomic_write(path) as part:
        part.write_text(page, encoding="utf-8")
    return Path(path)


def _head(sheet: Sheet, what: str = "Sheet") -> str:
    return f"<h1>{what} {sheet.seed} · {escape(sheet.student) or NAME}</h1>"


def _key(sheet: Sheet, exercises: list[Exercise]) -> str:
    rows = (
        f"<tr><td>{one.number}. {one.title}</td><td>{escape(_answer(one))}</td></tr>"
        for one in exercises
    )
    return f"<article>{_head(sheet, 'Key: sheet')}<table>{''.join(rows)}</table></article>"


def _article(one: Exercise) -> str:
    text = f"<h2>{one.number}. {one.title}</h2><p>{escape(one.question)}</p>"
    if one.choices:
        text += f"<p>{escape(' / '.join(one.choices))}</p>"
    return f"<article>{text}{_picture(one)}{_sentences(one)}{ANSWER}</article>"


def _picture(one: Exercise) -> str:
    """Return the graph of an exercise in the size of its print, as SVG."""
    figure = new_figure(WIDE, HIGH)
    view = signed_view(one.graph, "", ring(len(one.graph)) * (2.6, 1))
    graph_on(figure.add_axes((0, 0, 1, 1)), view)
    return to_svg(figure)


def _sentences(one: Exercise) -> str:
    texts = [text for _, text in one.graph.nodes(data="text") if text is not None]
    rows = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return rows and f"<ol>{rows}</ol>"


def _answer(one: Exercise) -> str:
    """Return a right answer as written on paper; of a graph, its changes."""
    solution = next(one.solutions())
    if isinstance(solution, nx.Graph):
        same = [
            edge
            for edge in solution.edges
            if one.graph.get_edge_data(*edge) == solution.edges[edge]
        ]
        solution = nx.Graph(solution)
        solution.remove_edges_from(same)
    return written_answer(one, solution)
