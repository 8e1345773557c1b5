"""The figures of a file of pairs in words: sections of facts, each with the target of a click."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import cycle, islice
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ...doubts.audit import audited
from ...doubts.suspects import ADVICE
from ...files.shown import counting
from ...graph import ParaphraseGraph
from ...graph.closure import infer
from ...graph.clusters import central_sentences
from ...graph.identity import nodes_of
from ...graph.leakage import leakage
from ..base.records import Plain

__all__ = ["Fact", "Section", "sections_of", "worth_opening"]

WORTH = 10  # clusters worth opening
SIZES = [(2, 2), (3, 3), (4, 5), (6, 10), (11, 20), (21, 50), (51, None)]
QUIET = ("rows skipped", "rows without a label")  # said only where there are some
LISTED = 200  # sentences or pairs that a click lists
MEASURE = "In turn: the clusters with most conflicts, and with most inferred pairs (of four sentences or more)."


class Fact(NamedTuple):
    """A figure, its meaning, and the target of a click: a query of the list, a cluster, sentences, or nothing."""

    value: str
    text: str
    opens: Plain | None = None  #: {"query": {…}}, {"cluster": 3}, {"texts": […]}, or what `_listing` returns
    share: float | None = None  #: length of the bar behind it, of 1


class Section(NamedTuple):
    """Facts under a title."""

    title: str
    facts: list[Fact]
    note: str = ""
    unit: str = ""  #: of the figures, above them
    about: str = ""  #: above what the figures count


def sections_of(graph: ParaphraseGraph, audit: Any) -> list[Section]:
    """Return the sections of `overview` that have facts."""
    sections = [
        *_turned(graph),
        *_annotators(graph),
        _numbers(graph),
        _sizes(graph),
        _conflicts(graph),
        *_leaks(graph),
    ]
    if not graph.bipartite or audit is not None:
        sections.append(_wrong(graph, audit))
    facts = [
        Fact(f"{one.size:,}", f"{one.why}: “{one.sentence}”", {"cluster": one.cluster})
        for one in worth_opening(graph).itertuples()
    ]
    measure = "The clusters with most conflicts." if graph.bipartite else MEASURE
    about = "why; the most central sentence"
    sections.append(Section(f"{len(facts)} clusters worth opening", facts, measure, "sentences", about))
    return [section for section in sections if section.facts]


def worth_opening(graph: ParaphraseGraph, count: int = WORTH) -> pd.DataFrame:
    """Return the clusters to read first, and why: `cluster`, `size`, `why`, `sentence` (its most central).

    Clusters come in turn from two orders, each cluster once: most conflicts; most inferred positives, among clusters
    of four or more sentences.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> worth_opening(graph, count=3)[["cluster", "why"]].values.tolist()
    [[0, '5 conflicts'], [1, '83 pairs inferred from 19 stated'], [2, '3 conflicts']]
    """
    numbers = graph.clusters(min_size=1)
    if (numbers["size"] > 1).any():  # single sentences are worth opening where there is nothing else
        numbers = numbers[numbers["size"] > 1]

    def first(column: str, why: Callable[[Any], str]) -> list[tuple[int, str]]:
        ranked = numbers[numbers[column] > 0].nlargest(count, column)
        return [(one.cluster, why(one)) for one in ranked.itertuples()]

    orders = [first("conflicts", lambda one: counting(one.conflicts, "conflict"))]
    if not graph.bipartite:
        numbers["thin"] = numbers["inferred_positive"].where(numbers["size"] > 3, 0)
        orders.append(first("thin", lambda one: f"{one.thin:,} pairs inferred from {one.stated_positive:,} stated"))
    chosen: dict[int, str] = {}
    for order in islice(cycle(orders), len(orders) * count):
        if len(chosen) < count:
            chosen.update([one for one in order if one[0] not in chosen][:1])
    table = numbers.set_index("cluster", drop=False).loc[list(chosen), ["cluster", "size"]]
    central = [central_sentences(graph, 1, cluster)[0] for cluster in chosen]
    return table.assign(why=list(chosen.values()), sentence=graph.texts(central)).reset_index(drop=True)


def _fact(count: int, text: str, opens: Plain | None = None, share: float | None = None) -> Fact:
    """Return a fact whose figure is a number; if that is 0, there is nothing to open."""
    return Fact(f"{count:,}", text, opens if count else None, share)


def _listing(title: str, some: Iterable[Iterable[int]], total: int) -> Plain:
    """Return a click that lists the first of some sentences, or pairs of them."""
    some = [[int(node) for node in nodes] for nodes in islice(some, LISTED)]
    return {"title": title, "list": some, "total": int(total)}


def _pairs(graph: ParaphraseGraph, edges: np.ndarray, text: str) -> Fact:
    """Return how many pairs are stated, and list them at a click."""
    edges = np.flatnonzero(edges)
    return _fact(len(edges), text, _listing(text, graph.ends(edges[:LISTED]).T, len(edges)))


def _turned(graph: ParaphraseGraph) -> list[Section]:
    """Ask first if the labels are turned round, where they look it."""
    question = graph.report.get("turned")
    return [Section("A question first", [Fact("?", question)])] if question else []


def _annotators(graph: ParaphraseGraph) -> list[Section]:
    """Count the pairs on which annotators differ, where rows name several."""
    if graph.annotators is None:
        return []
    differ = graph.annotators_differ
    tied = differ & (graph.edge_n_positive == graph.edge_n_negative)
    facts = [
        _pairs(graph, differ, "pairs on which your annotators differ"),
        _pairs(graph, tied, "of these without a majority: to be decided"),
    ]
    return [Section("Annotators", facts, unit="pairs")]


def _numbers(graph: ParaphraseGraph) -> Section:
    no, yes = graph.own_words or ("negative", "positive")
    counts = graph.summary()
    facts = [
        _fact(graph.n_rows, "rows kept"),
        _fact(counts.get("rows skipped", 0), "rows skipped"),
        _fact(np.count_nonzero(~graph.row_labelled), "rows without a label"),
        _fact(graph.n, "sentences", _listing("sentences", ([i] for i in range(graph.n)), graph.n)),
        _pairs(graph, graph.edge_sign > 0, f"pairs stated {yes}"),
        _pairs(graph, graph.edge_sign < 0, f"pairs stated {no}"),
        _fact(np.count_nonzero(graph.cluster_sizes > 1), "clusters", _query(size=(2, None))),
        _fact(np.count_nonzero(graph.cluster_sizes == 1), "single sentences", _query(size=(1, 1))),
    ]
    if not graph.bipartite:
        follow = infer(graph)
        drawn = follow.sample(2 * LISTED)
        for label, (count, word) in zip((1, 0), zip(follow.counts().values(), (yes, no), strict=True), strict=True):
            own = drawn[drawn["label"] == label]
            ends = graph.pair_nodes(own).T
            text = f"inferred {word} pairs, in no row"
            facts.append(_fact(count, text, _listing(text, ends, count)))
    return Section("The data", [fact for fact in facts if fact.value != "0" or fact.text not in QUIET], unit="number")


def _sizes(graph: ParaphraseGraph) -> Section:
    """Count clusters by size; the bar is their share of the sentences."""
    facts = []
    for least, most in SIZES:
        sizes = graph.cluster_sizes
        sizes = sizes[(sizes >= least) & (sizes <= (most or sizes.max(initial=0)))]
        name = f"{least} or more" if most is None else str(least) if least == most else f"{least}–{most}"
        if len(sizes):
            facts.append(
                _fact(len(sizes), f"of {name} sentences", _query(size=(least, most)), float(sizes.sum() / graph.n))
            )
    return Section("Clusters by size", facts, unit="clusters", about="bar: share of all sentences")


def _conflicts(graph: ParaphraseGraph) -> Section:
    home, _ = graph.edge_clusters
    no, yes = graph.own_words or ("negative", "positive")
    inside = (graph.negatives_inside, f"stated {no}, but inside a cluster")
    direct = (graph.labelled_twice, f"stated both {yes} and {no}")
    facts = []
    for edges, text in [direct] if graph.bipartite else [inside, direct]:
        places = len(np.unique(home[edges]))
        where = f", in {counting(places, 'cluster')}" if places else ""
        facts.append(_pairs(graph, edges, text + where))
    twice = np.count_nonzero(graph.labelled_twice & graph.negatives_inside)
    if twice and not graph.bipartite:
        facts[1] = facts[1]._replace(text=f"{facts[1].text}; {twice:,} counted above, too")
    alone = graph.self_negatives
    if len(alone):
        text = "sentences stated to differ from themselves"
        facts.append(_fact(len(alone), text, _listing(text, ([node] for node in alone), len(alone))))
    return Section("Conflicts", facts, unit="pairs")


def _leaks(graph: ParaphraseGraph) -> list[Section]:
    """Count the overlap of the training pairs with each other split."""
    if graph.bipartite or graph.pairs is None or "split" not in graph.pairs:
        return []
    parts = dict(iter(graph.pairs.groupby("split", observed=True)))
    train = parts.pop("train", None)
    if train is None:
        return []
    result = []
    for name, other in parts.items():
        report = leakage(train, other, identity=graph.identity)
        nodes = nodes_of(graph, report.sentences["text"].tolist())
        shared = _listing("shared sentences", ([node] for node in nodes), len(nodes))
        homes = np.unique(graph.cluster_of[nodes]).tolist()
        shown = [shared, {"query": {"bounds": {}, "only": homes}}]
        facts = [  # the first two rows count sentences and clusters
            _fact(
                row.count,
                row.what if pd.isna(row.of) else f"{row.what}, of {row.of:,}",
                shown[key] if key < 2 else None,
            )
            for key, row in enumerate(report.table().itertuples())
            if row.count
        ]
        result.append(
            Section(
                f"Leakage: train and {name}",
                facts or [Fact("0", "shared: train contains nothing of it")],
                "",
                "number",
            )
        )
    return result


def _wrong(graph: ParaphraseGraph, audit: Any) -> Section:
    """Return the share of wrong labels of each kind from an audit, or advice."""
    if audit is None:
        fact = Fact("0", "labels of this file were judged")
        return Section("How many labels may be wrong?", [fact], ADVICE, "number")
    report = audited(graph, audit)
    facts = []
    for row in report[report["judged"] > 0].itertuples():
        wrong = "conflicts: the negative is wrong" if row.kind == "conflict" else f"{row.kind} labels are wrong"
        text = f"of the {wrong} ({_percent(row.low)} to {_percent(row.high)}): "
        text += f"{row.wrong:,} of {row.judged:,} judged"
        opens = _pairs(graph, graph.negatives_inside, "the conflicts").opens if row.kind == "conflict" else None
        facts.append(Fact(_percent(row.share), text, opens))
    return Section("Wrong labels, by an audit", facts, report.attrs["note"], "share", "95 % interval; number judged")


def _percent(share: float) -> str:
    return f"{100 * share:.{1 if 0 < share < 0.0995 else 0}f} %"


def _query(**bounds: tuple[int | None, int | None]) -> Plain:
    return {"query": {"bounds": bounds}}
