"""The sections of the one page: figures in words, each with a target in the Explorer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from ...graph.closure import infer
from ...measure.audit import NAMES, audited
from ...measure.leakage import leakage
from ..atlas.dots import dots

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph

__all__ = ["WORTH", "Fact", "Section", "sections", "worth_opening"]

WORTH = 10  # clusters worth opening
SIZES = [(2, 2), (3, 3), (4, 5), (6, 10), (11, 20), (21, 50), (51, None)]
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


def sections(
    graph: ParaphraseGraph, test: pd.DataFrame | None = None, audit: Any = None, suspects: pd.DataFrame | None = None
) -> list[Section]:
    """The sections of the page, those left out that the data say nothing of."""
    found = [_numbers(graph), _sizes(graph), _conflicts(graph), *_leaks(graph, test)]
    if audit is not None:
        found.append(_wrong(graph, audit))
    facts = [
        Fact(f"{one.size:,}", f"{one.why}: “{one.sentence}”", {"cluster": one.cluster})
        for one in worth_opening(graph, suspects).itertuples()
    ]
    found.append(Section(f"{len(facts)} clusters worth opening", facts, MEASURE))
    return [section for section in found if section.facts]


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
    left = [(iter(np.argsort(-values, kind="stable").tolist()), values, say) for values, say in orders]
    while left and len(chosen) < count:
        ranked, values, say = left.pop(0)
        best = next((i for i in ranked if i not in chosen), None)
        if best is not None and values[best] > 0:
            chosen[best] = say(best)
            left.append((ranked, values, say))
    return table.iloc[list(chosen)][["cluster", "size", "sentence"]].assign(why=list(chosen.values()))


def _numbers(graph: ParaphraseGraph) -> Section:
    positive = int(np.count_nonzero(graph.edge_sign > 0))
    several = int(np.count_nonzero(graph.cluster_sizes > 1))
    facts = [
        Fact(f"{graph.n_rows:,}", f"row{'s' * (graph.n_rows != 1)}"),
        Fact(f"{graph.n:,}", f"sentence{'s' * (graph.n != 1)}", _query(size=(1, None))),
        Fact(f"{positive:,}", "pairs stated positive", _query(size=(2, None))),
        Fact(f"{len(graph.edge_sign) - positive:,}", "pairs stated negative", _query(negatives=(1, None))),
        Fact(f"{several:,}", "clusters of two or more", _query(size=(2, None))),
    ]
    if not graph.bipartite:
        where = {"positive": _query(size=(3, None), density=(None, 0.999)), "negative": _query(negatives=(1, None))}
        for sign, count in infer(graph).counts().items():
            facts.append(
                Fact(f"{count:,}", f"{sign} pairs follow that no row states", where[sign] if count else None)
            )
    return Section("The data", facts)


def _sizes(graph: ParaphraseGraph) -> Section:
    """Clusters by size; the bar is their share of the sentences."""
    facts = []
    for least, most in [(1, 1), *SIZES]:
        sizes = graph.cluster_sizes
        sizes = sizes[(sizes >= least) & (sizes <= (most or sizes.max(initial=0)))]
        if len(sizes):
            name = f"{least} or more" if most is None else str(least) if least == most else f"{least}–{most}"
            text = f"of {name} sentence{'s' * (most != 1)}"
            facts.append(Fact(f"{len(sizes):,}", text, _query(size=(least, most)), float(sizes.sum() / graph.n)))
    return Section("Clusters by size", facts, "The bars are shares of the sentences.")


def _conflicts(graph: ParaphraseGraph) -> Section:
    home, _ = graph.edge_clusters
    facts = []
    for kind, edges, text in (
        ("within", graph.within, "negatives inside a cluster"),
        ("direct", graph.both_ways & ~graph.within, "pairs stated both ways besides"),
    ):
        count, places = int(np.count_nonzero(edges)), len(np.unique(home[edges]))
        text += f", in {_count(places, 'cluster')}" if count else ""
        facts.append(Fact(f"{count:,}", text, {"query": CONFLICTS | {"kind": kind}} if count else None))
    return Section("Conflicts", facts)


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
        shared = report.sentences["text"].head(6).tolist()
        facts = []
        for key, row in enumerate(report.table().itertuples()):
            if row.count:
                opens = {"texts": shared} if key < 2 else None  # sentences and clusters, the first two rows
                of = "" if pd.isna(row.of) else f", of {row.of:,}"
                facts.append(Fact(f"{row.count:,}", f"{row.what}{of}", opens))
        result.append(Section(f"Leakage: train and {name}", facts or [Fact("0", "nothing of it occurs in train")]))
    return result


def _wrong(graph: ParaphraseGraph, audit: Any) -> Section:
    """Give the share of wrong labels of each kind."""
    report = audited(graph, audit)
    facts = []
    for row in report.table[report.table["judged"] > 0].itertuples():
        text = f"of {NAMES.get(row.kind, row.kind)} are wrong ({_percent(row.low)} to {_percent(row.high)}): "
        text += f"{row.wrong:,} of {row.judged:,} judged"
        facts.append(Fact(_percent(row.share), text, {"query": CONFLICTS} if row.kind == "conflict" else None))
    return Section("Wrong labels, by an audit", facts, report.note)


def _percent(share: float) -> str:
    return f"{100 * share:.{1 if 0 < share < 0.0995 else 0}f} %"


def _query(**bounds: tuple[int | None, int | None]) -> dict[str, Any]:
    return {"query": {"bounds": bounds}}


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * int(number != 1)}"
