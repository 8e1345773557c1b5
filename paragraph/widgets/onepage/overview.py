"""A file of pairs on one page: figures in words, each with a target in the Explorer; live beside it, and still."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import ipywidgets
import numpy as np
import pandas as pd
import traitlets

from ...graph import ParaphraseGraph
from ...graph.closure import SIGNS, infer
from ...measure.audit import NAMES, audited
from ...measure.leakage import leakage
from ...pairs import PairsError
from ...repairs.rates import error_rates
from ...repairs.trust import Trusted
from ..atlas.map import dots
from ..base.live import LIVE_CSS, Live, Twin, checked_friends, checked_graph, save_as, script
from ..explorer.browse import Query
from ..explorer.widget import Explorer

__all__ = ["Fact", "Overview", "Section", "overview", "worth_opening"]

HERE = Path(__file__).parent
CSS = (HERE / "style.css").read_text(encoding="utf-8")
WORTH = 10  # clusters worth opening
SIZES = [(1, 1), (2, 2), (3, 3), (4, 5), (6, 10), (11, 20), (21, 50), (51, None)]
CONFLICTS = {"kind": "within", "bounds": {}, "sort": "conflicts", "descending": True}
MEASURE = (
    "By turns: most conflicts; most pairs that follow and that nobody stated, of clusters of four or more; and, "
    "where suspects are given, the label most likely wrong."
)


class Fact(NamedTuple):
    """A figure, what it counts, and what a click opens: a query of the list, a cluster, sentences, or nothing."""

    value: str
    text: str
    opens: dict[str, Any] | None = None  #: {"query": {…}}, {"cluster": 3} or {"texts": […]}
    share: float | None = None  #: length of the bar behind it, of 1


class Section(NamedTuple):
    """Facts under a title."""

    title: str
    facts: list[Fact]
    note: str = ""
    unit: str = ""  #: of the figures, above them
    about: str = ""  #: above what the figures count


def overview(
    graph: ParaphraseGraph,
    test: pd.DataFrame | None = None,
    audit: Any = None,
    suspects: pd.DataFrame | None = None,
    explorer: Explorer | None = None,
    friends: Trusted | None = None,
) -> Overview:
    """A file of pairs on one page: sizes, conflicts, leakage, wrong labels, and ten clusters worth opening.

    A click on an underlined line opens what it counts in the Explorer below.

    Parameters
    ----------
    graph : ParaphraseGraph
        Where its pairs have a column `split` with a part *train*, leakage into each other part is counted.
    test : DataFrame, optional
        A test table: leakage of the graph's pairs into it.
    audit : DataFrame, optional
        Pairs drawn by `audit` and judged: what share of each kind of label is wrong (`audited`). Without it, what
        share is wrong in other files (`error_rates`).
    suspects : DataFrame, optional
        What `suspects` gives: clusters with doubtful labels are among those worth opening.
    explorer : Explorer, optional
        The one that a click opens; default one of the page's own.
    friends : Trusted, optional
        What `trust` gives: what share of the labels that follow is expected to be right, and which is the least sure.

    Raises
    ------
    PairsError
        A table that lacks a column or does not fit the graph.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> page = pg.overview(graph)  # shows itself at the end of a cell
    >>> [section.title for section in page.sections][-2:]
    ['Wrong labels, if this file is like others', '10 clusters worth opening']
    """
    checked_graph(graph, "overview")
    found = [_numbers(graph), _sizes(graph), _conflicts(graph), *_leaks(graph, test)]
    if checked_friends(friends, graph):
        found.append(_trusted(friends))
    if not graph.bipartite or audit is not None:
        found.append(_wrong(graph, audit))
    facts = [
        Fact(f"{one.size:,}", f"{one.why}: “{one.sentence}”", {"cluster": one.cluster})
        for one in worth_opening(graph, suspects).itertuples()
    ]
    said = "why; the most central sentence"
    found.append(Section(f"{len(facts)} clusters worth opening", facts, MEASURE, "sentences", said))
    return Overview(graph, [section for section in found if section.facts], explorer, friends)


def worth_opening(graph: ParaphraseGraph, suspects: pd.DataFrame | None = None, count: int = WORTH) -> pd.DataFrame:
    """Clusters to read first, and why: `cluster`, `size`, `why`, `sentence` (its most central).

    By turns from three orders, each cluster once: most conflicts; most inferred positives, of clusters of four
    sentences or more; the largest `p_wrong` of a stated pair, where suspects are given.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> worth_opening(graph, count=3)[["cluster", "why"]].values.tolist()
    [[0, '5 conflicts'], [1, '83 pairs follow from 19 stated'], [2, '3 conflicts']]
    """
    table = dots(graph, suspects)
    orders = [(table["conflicts"].to_numpy(), lambda i: _count(table["conflicts"].iloc[i], "conflict"))]
    if not graph.bipartite:
        numbers = graph.clusters(min_size=1)
        follow, stated = numbers["inferred_positive"].to_numpy(), numbers["stated_positive"].to_numpy()
        thin = np.where(table["size"] > 3, follow[: len(table)], 0)
        orders.append((thin, lambda i: f"{follow[i]:,} pairs follow from {stated[i]:,} stated"))
    if suspects is not None:
        orders.append((table["doubt"].to_numpy(), lambda i: f"a label is wrong with {table['doubt'].iloc[i]:.2f}"))
    chosen: dict[int, str] = {}
    ranked = [
        [i for i in np.argsort(-values, kind="stable")[:count].tolist() if values[i] > 0] for values, _ in orders
    ]
    for _ in range(count):
        for best, (_, say) in zip(ranked, orders, strict=True):
            left = [i for i in best if i not in chosen]
            if left and len(chosen) < count:
                chosen[left[0]] = say(left[0])
    return table.iloc[list(chosen)][["cluster", "size", "sentence"]].assign(why=list(chosen.values()))


def _fact(count: int, text: str, opens: dict[str, Any] | None = None, share: float | None = None) -> Fact:
    """Return a fact whose figure is a number; where that is 0, there is nothing to open."""
    return Fact(f"{count:,}", text, opens if count else None, share)


def _numbers(graph: ParaphraseGraph) -> Section:
    positive = int(np.count_nonzero(graph.edge_sign > 0))
    facts = [
        _fact(graph.n_rows, f"row{'s' * (graph.n_rows != 1)}"),
        _fact(graph.n, f"sentence{'s' * (graph.n != 1)}", _query(size=(1, None))),
        _fact(positive, "pairs stated positive", _query(size=(2, None))),
        _fact(len(graph.edge_sign) - positive, "pairs stated negative", _query(negatives=(1, None))),
        _fact(np.count_nonzero(graph.cluster_sizes > 1), "clusters of two or more", _query(size=(2, None))),
    ]
    if not graph.bipartite:
        where = {"positive": _query(size=(3, None), density=(None, 0.999)), "negative": _query(negatives=(1, None))}
        counts = infer(graph).counts().items()
        facts += [_fact(count, f"{sign} pairs follow that no row states", where[sign]) for sign, count in counts]
    return Section("The data", facts, unit="number")


def _sizes(graph: ParaphraseGraph) -> Section:
    """Count clusters by size; the bar is their share of the sentences."""
    facts = []
    for least, most in SIZES:
        sizes = graph.cluster_sizes
        sizes = sizes[(sizes >= least) & (sizes <= (most or sizes.max(initial=0)))]
        name = f"{least} or more" if most is None else str(least) if least == most else f"{least}–{most}"
        text = f"of {name} sentence{'s' * (most != 1)}"
        if len(sizes):
            facts.append(_fact(len(sizes), text, _query(size=(least, most)), float(sizes.sum() / graph.n)))
    return Section("Clusters by size", facts, unit="clusters", about="bar: share of all sentences")


def _conflicts(graph: ParaphraseGraph) -> Section:
    home, _ = graph.edge_clusters
    facts = []
    for kind, edges, text in (
        ("within", graph.within, "negatives inside a cluster"),
        ("direct", graph.both_ways & ~graph.within, "pairs stated both ways besides"),
    ):
        places = len(np.unique(home[edges]))
        text += f", in {_count(places, 'cluster')}" if places else ""
        facts.append(_fact(np.count_nonzero(edges), text, {"query": CONFLICTS | {"kind": kind}}))
    return Section("Conflicts", facts, unit="pairs")


def _leaks(graph: ParaphraseGraph, test: pd.DataFrame | None) -> list[Section]:
    """Count what the training pairs share with a test table, or with each other split."""
    if graph.bipartite or graph.pairs is None:
        return []
    parts = {"the test table": (graph.pairs, test)} if test is not None else {}
    if "split" in graph.pairs:
        sides = graph.pairs.groupby("split", sort=True, observed=True)
        sides = {name: rows for name, rows in sides if len(rows)}
        train = sides.pop("train", None)
        parts |= {str(name): (train, rows) for name, rows in sides.items() if train is not None}
    result = []
    for name, (train, other) in parts.items():
        report = leakage(train, other, identity=graph.identity)
        shared = {"texts": report.sentences["text"].head(6).tolist()}
        facts = [  # the first two rows count sentences and clusters
            _fact(
                row.count, row.what if pd.isna(row.of) else f"{row.what}, of {row.of:,}", shared if key < 2 else None
            )
            for key, row in enumerate(report.table().itertuples())
            if row.count
        ]
        result.append(
            Section(f"Leakage: train and {name}", facts or [Fact("0", "nothing of it occurs in train")], "", "number")
        )
    return result


def _wrong(graph: ParaphraseGraph, audit: Any) -> Section:
    """Give the share of wrong labels of each kind: by an audit, or else by what was found in other files."""
    if audit is None:
        return _elsewhere(graph)
    report = audited(graph, audit)
    facts = []
    for row in report.table[report.table["judged"] > 0].itertuples():
        text = f"of {NAMES.get(row.kind, row.kind)} are wrong ({_percent(row.low)} to {_percent(row.high)}): "
        text += f"{row.wrong:,} of {row.judged:,} judged"
        facts.append(Fact(_percent(row.share), text, {"query": CONFLICTS} if row.kind == "conflict" else None))
    return Section("Wrong labels, by an audit", facts, report.note, "share", "95 % interval; of how many")


def _elsewhere(graph: ParaphraseGraph) -> Section:
    """Give the share of wrong labels of each kind in other files, sizes weighted as in this one."""
    rates, facts = error_rates(graph), []
    for kind, sizes in rates.groupby("kind", sort=False):
        rate, low, high = np.average(sizes[["rate", "low", "high"]], axis=0, weights=sizes["stated"])
        text = f"of {sizes['stated'].sum():,} {NAMES[kind]} are wrong ({_percent(low)} to {_percent(high)})"
        facts.append(Fact(_percent(rate), text, {"query": CONFLICTS} if kind == "conflict" else None))
    note = rates.attrs.get("advice", "")
    return Section("Wrong labels, if this file is like others", facts, note, "share", "95 % interval between files")


def _trusted(friends: Trusted) -> Section:
    """Give the share of labels that follow which is expected to be right, by sign; a click opens the least sure."""
    every, facts = replace(friends, keep=None), []
    numbers = friends.levels([0])
    asked = numbers.attrs.get("asked")
    drawn = (every._frame([batch], False) for batch in every.batches()) if asked is None else [every.to_frame(False)]
    least = pd.concat([_least_sure(every._frame([], False)), *map(_least_sure, drawn)])
    for row in _least_sure(least).itertuples():
        sign = SIGNS[1 - row.label]
        [number], [right] = numbers[sign], numbers[f"{sign}_right"]
        text = f"of {number:,.0f} {sign}s that follow are expected to be right"
        facts.append(Fact(_percent(right / number), text, {"texts": [row.text_a, row.text_b]}, right / number))
    note = f"Estimated from {asked:,} labels drawn at random." if asked else ""
    return Section("Labels that follow", facts, note, "share", "a click opens the least sure of them")


def _least_sure(table: pd.DataFrame) -> pd.DataFrame:
    """Return the row of each label with the lowest `p_right`, positives first."""
    return table.sort_values(["label", "p_right"], ascending=[False, True]).drop_duplicates("label")


def _percent(share: float) -> str:
    return f"{100 * share:.{1 if 0 < share < 0.0995 else 0}f} %"


def _query(**bounds: tuple[int | None, int | None]) -> dict[str, Any]:
    return {"query": {"bounds": bounds}}


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * int(number != 1)}"


# -- the page ----------------------------------------------------------------------------------------------


class Page(Live):
    """Sections as JavaScript draws them; `opens` is called with the target of a clicked figure."""

    _esm, _css = script(HERE / "page.js"), LIVE_CSS + CSS
    title = traitlets.Unicode().tag(sync=True)
    sections = traitlets.List(traitlets.Dict()).tag(sync=True)

    def __init__(self, title: str, shown: list[Section], opens: Any):
        facts = [section._asdict() | {"facts": [fact._asdict() for fact in section.facts]} for section in shown]
        super().__init__(title=title, sections=facts)
        self._opens = opens

    def on_open(self, section: int, fact: int) -> None:
        """Open what a figure counts."""
        if not all(type(one) is int and one >= 0 for one in (section, fact)):
            raise PairsError("no such figure")
        self._opens(self.sections[section]["facts"][fact]["opens"])


class Overview(Twin, ipywidgets.VBox):
    """The page of `overview`, above an Explorer.

    Attributes
    ----------
    sections : list of Section
        What the page says, as plain values.
    explorer : Explorer
        Where figures open.
    """

    _name = "Overview"

    def __init__(
        self,
        graph: ParaphraseGraph,
        shown: list[Section],
        explorer: Explorer | None = None,
        friends: Trusted | None = None,
    ):
        self.graph, self.sections = graph, shown
        self.title = repr(graph).strip("<>").removeprefix("ParaphraseGraph: ")
        self.explorer = explorer or Explorer(graph, height=480, friends=friends)
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
        """Return the page as HTML without scripts, to be saved, and to be seen in a notebook where none runs."""
        parts = [f"<h2>{escape(self.title)}</h2>"]
        for section in self.sections:
            parts.append(f"<section><h3>{escape(section.title)}</h3>")
            parts.append(f'<div class="pg-fact pg-unit"><b>{section.unit}</b><span>{section.about}</span></div>')
            for fact in section.facts:
                bar = "" if fact.share is None else f' style="--share: {100 * fact.share:.2f}%"'
                value, text = escape(fact.value), escape(fact.text)
                parts.append(f'<div class="pg-fact"{bar}><b>{value}</b><span dir="auto">{text}</span></div>')
            parts.append(f"<p>{escape(section.note)}</p></section>" if section.note else "</section>")
        return f'<div class="pg-onepage tex2jax_ignore mathjax_ignore">{"".join(parts)}</div>'

    def save(self, path: str | PathLike) -> Path:
        """Write the page to an ``.html`` file that needs no network and no script."""
        head = f'<meta charset="utf-8"><title>{escape(self.title)}</title><style>{CSS}</style>'
        page = f"<!doctype html><html><head>{head}</head><body>{self.to_html()}</body></html>"
        return save_as(path, html=lambda part: part.write_text(page, "utf-8"))

    def _twin_parts(self) -> tuple[str, str]:
        return self.title, f"<style>{CSS}</style>{self.to_html()}"
