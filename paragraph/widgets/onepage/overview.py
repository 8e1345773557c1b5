"""A file of pairs on one page: figures in words, each with a target in the Explorer; live and still."""

from __future__ import annotations

from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

import ipywidgets
import traitlets

from ...draw.page import source
from ...draw.shared import VARIABLES_CSS
from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.core import checked_graph
from ..base.live import LIVE_CSS, Live, Stack, save_as, script
from ..base.records import Plain
from ..explorer.widget import Explorer
from .facts import Section, sections_of

__all__ = ["Overview", "overview"]

HERE = Path(__file__).parent
CSS = source(HERE / "style.css")


def overview(graph: ParaphraseGraph, explorer: Explorer | None = None) -> Overview:
    """Show a file of pairs on one page: its figures, sizes of clusters, conflicts, ten clusters worth opening.

    A click on an underlined line opens the counted items in the Explorer below.

    Parameters
    ----------
    graph : ParaphraseGraph
    explorer : Explorer, optional
        The Explorer below, in which a click opens items; give one that has a log to decide there.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> page = pg.overview(graph)  # shows itself at the end of a cell
    >>> [section.title for section in page.sections][-2:]
    ['How many labels may be wrong?', '10 clusters worth opening']
    """
    return Overview(checked_graph(graph, "overview"), explorer)


class Page(Live):
    """Sections as JavaScript draws them; `opens` is called with the target of a clicked figure."""

    _esm = script(HERE / "page.js")
    _css = LIVE_CSS + CSS
    title = traitlets.Unicode()
    sections = traitlets.List(traitlets.Dict())

    def __init__(self, title: str, shown: list[Section], opens: Any):
        facts = [
            section._asdict() | {"facts": [fact._asdict() for fact in section.facts]}
            for section in shown
        ]
        super().__init__(title=title, sections=facts)
        self._opens = opens

    def on_open(self, section: int, fact: int) -> None:
        """Open the items that a figure counts."""
        if not all(type(one) is int and one >= 0 for one in (section, fact)):
            raise PairsError("no such figure")
        self._opens(self.sections[section]["facts"][fact]["opens"])


class Overview(Stack, ipywidgets.VBox):
    """The page of `overview`, above its Explorer.

    Attributes
    ----------
    sections : list of Section
        The content of the page, as plain values.
    explorer : Explorer
        The Explorer in which figures open.
    """

    name = "Overview"

    def __init__(self, graph: ParaphraseGraph, explorer: Explorer | None = None):
        self.graph = graph
        self.sections = sections_of(graph)
        self.title = repr(graph).strip("<>").removeprefix("ParaphraseGraph: ")
        self.explorer = explorer or Explorer(graph)
        self._page = Page(self.title, self.sections, self.visit)
        super().__init__([self._page, self.explorer])
        self.add_class("pg-overview")

    def visit(self, target: Plain) -> None:
        """Show the target of a fact (`Fact.opens`) in the Explorer."""
        if "list" in target:
            self.explorer.show_list(target["title"], target["list"], target["total"])
        if "query" in target:
            self.explorer.query = target["query"]
        if "cluster" in target:
            self.explorer.cluster = target["cluster"]

    def to_html(self) -> str:
        """Return the page as HTML without scripts, for saving, and for notebooks in which no script runs."""
        parts = [f"<h2>{escape(self.title)}</h2>"]
        for section in self.sections:
            parts.append(f"<section><h3>{escape(section.title)}</h3>")
            parts.append(
                f'<div class="pg-fact pg-unit"><b>{section.unit}</b><span>{section.about}</span></div>'
            )
            for fact in section.facts:
                bar = "" if fact.share is None else f' style="--share: {100 * fact.share:.2f}%"'
                value = escape(fact.value)
                text = escape(fact.text)
                parts.append(
                    f'<div class="pg-fact"{bar}><b>{value}</b><span dir="auto">{text}</span></div>'
                )
            parts.append(
                f"<p>{escape(section.note)}</p></section>" if section.note else "</section>"
            )
        return f'<div class="pg-onepage tex2jax_ignore mathjax_ignore">{"".join(parts)}</div>'

    def save(self, path: str | PathLike) -> Path:
        """Write the page to an ``.html`` file that needs no network and no script."""
        head = f'<meta charset="utf-8"><title>{escape(self.title)}</title><style>{VARIABLES_CSS}{CSS}</style>'
        page = f"<!doctype html><html><head>{head}</head><body>{self.to_html()}</body></html>"
        return save_as(path, self.graph.inputs, html=lambda part: part.write_text(page, "utf-8"))

    def _twin_parts(self) -> tuple[str, str]:
        return self.title, f"<style>{VARIABLES_CSS}{CSS}</style>{self.to_html()}"
