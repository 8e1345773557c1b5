"""The one page, live beside the Explorer, and still."""

from __future__ import annotations

from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import ipywidgets
import pandas as pd
import traitlets

from ...draw.page import shared_script
from ...pairs import PairsError
from ..explorer.browse import Query
from ..explorer.widget import Explorer
from .sections import Section, sections

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph

__all__ = ["Overview", "Page", "overview"]

HERE = Path(__file__).parent
CSS = (HERE / "style.css").read_text(encoding="utf-8")
#: Beside the live page stands its still twin; it is seen where no script runs, and on paper.
TWIN = """.jp-OutputArea:has(.pg-overview) .pg-overview-twin { display: none; }
@media print { .pg-overview { display: none; }
  .jp-OutputArea:has(.pg-overview) .pg-overview-twin { display: block; } }"""


def overview(
    graph: ParaphraseGraph,
    test: pd.DataFrame | None = None,
    audit: Any = None,
    suspects: pd.DataFrame | None = None,
    explorer: Explorer | None = None,
) -> Overview:
    """A file of pairs on one page: sizes, conflicts, leakage, wrong labels, and ten clusters worth opening.

    A click on an underlined figure opens what it counts in the Explorer below.

    Parameters
    ----------
    graph : ParaphraseGraph
        Where its pairs have a column `split` with a part *train*, leakage into each other part is counted.
    test : DataFrame, optional
        A test table: leakage of the graph's pairs into it.
    audit : DataFrame, optional
        Pairs drawn by `audit` and judged: what share of each kind of label is wrong (`audited`).
    suspects : DataFrame, optional
        What `suspects` gives: clusters with doubtful labels are among those worth opening.
    explorer : Explorer, optional
        The one that a click opens; default one of the page's own.

    Raises
    ------
    PairsError
        A table that lacks a column or does not fit the graph.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> page = pg.overview(graph)  # shows itself at the end of a cell
    >>> [section.title for section in page.sections]
    ['The data', 'Clusters by size', 'Conflicts', '10 clusters worth opening']
    """
    return Overview(graph, sections(graph, test, audit, suspects), explorer)


class Page(anywidget.AnyWidget):
    """Sections as JavaScript draws them; `opens` is called with the target of a clicked figure."""

    _esm = f"{shared_script()}\n{(HERE / 'page.js').read_text(encoding='utf-8')}"
    _css = CSS
    title = traitlets.Unicode().tag(sync=True)
    sections = traitlets.List(traitlets.Dict()).tag(sync=True)

    def __init__(self, title: str, shown: list[Section], opens: Any):
        facts = [section._asdict() | {"facts": [fact._asdict() for fact in section.facts]} for section in shown]
        super().__init__(title=title, sections=facts)
        self._opens = opens
        self.on_msg(self._answer)

    def _answer(self, _: Any, message: Any, __: Any) -> None:
        """Open what a figure counts; a message that makes no sense is logged and changes nothing."""
        try:
            at = message["section"], message["fact"]
            if message["intent"] != "open" or not all(type(one) is int and one >= 0 for one in at):
                raise PairsError("no such intent")
            self._opens(self.sections[at[0]]["facts"][at[1]]["opens"])
        except Exception:
            # A page may be older than what Python holds, or not ours: nothing it sends may stop the kernel.
            self.log.warning("not answered: %.500r", message, exc_info=True)


class Overview(ipywidgets.VBox):
    """The page of `overview`, above an Explorer.

    Attributes
    ----------
    sections : list of Section
        What the page says, as plain values.
    explorer : Explorer
        Where figures open.
    """

    def __init__(self, graph: ParaphraseGraph, shown: list[Section], explorer: Explorer | None = None):
        self.graph, self.sections = graph, shown
        self.title = repr(graph).strip("<>").removeprefix("ParaphraseGraph: ")
        self.explorer = explorer or Explorer(graph, height=480)
        self._page = Page(self.title, shown, self.visit)
        super().__init__([self._page, *([] if explorer else [self.explorer])])
        self.add_class("pg-overview")

    def visit(self, target: dict[str, Any]) -> None:
        """Show the target of a fact (`Fact.opens`) in the Explorer."""
        if "cluster" in target:
            self.explorer.cluster = int(target["cluster"])
        elif "texts" in target:
            self.explorer.selection = target["texts"]
        else:
            self.explorer.query = Query(**target["query"])
            if len(self.explorer.found):
                self.explorer.cluster = int(self.explorer.found[0])

    def to_html(self) -> str:
        """The page as HTML without scripts: what is saved, and what a notebook shows where none runs."""
        parts = [f"<h2>{escape(self.title)}</h2>"]
        for section in self.sections:
            parts.append(f"<section><h3>{escape(section.title)}</h3>")
            for fact in section.facts:
                bar = "" if fact.share is None else f' style="--share: {100 * fact.share:.2f}%"'
                value, text = escape(fact.value), escape(fact.text)
                parts.append(f'<div class="pg-fact"{bar}><b>{value}</b><span dir="auto">{text}</span></div>')
            parts.append(f"<p>{escape(section.note)}</p></section>" if section.note else "</section>")
        return f'<div class="pg-onepage tex2jax_ignore mathjax_ignore">{"".join(parts)}</div>'

    def save(self, path: str | PathLike) -> Path:
        """Write the page to an ``.html`` file that needs no network and no script."""
        path = Path(path)
        if path.suffix != ".html":
            raise PairsError(f"{path.name}: the ending is not .html")
        head = f'<meta charset="utf-8"><title>{escape(self.title)}</title><style>{CSS}</style>'
        path.write_text(f"<!doctype html><html><head>{head}</head><body>{self.to_html()}</body></html>", "utf-8")
        return path

    def _ipython_display_(self) -> None:
        """The live page and its still twin."""
        from IPython.display import display

        live = self._repr_mimebundle_()
        live.pop("text/plain", None)  # on paper there is the twin
        display(live, raw=True)
        twin = f'<style>{CSS}{TWIN}</style><div class="pg-overview-twin">{self.to_html()}</div>'
        display({"text/html": twin, "text/plain": f"<Overview: {self.title}>"}, raw=True)
