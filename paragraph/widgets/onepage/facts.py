"""The figures of a file of pairs in words: sections of facts, each with the target of a click."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ...doubts.audit import audited
from ...doubts.suspects import ADVICE
from ...draw.shared import LISTED
from ...files.shown import counting
from ...graph import ParaphraseGraph
from ...graph.closure import infer
from ...graph.leakage import leakage
from ...graph.search import nodes_of
from ..base.records import Plain

__all__ = ["Fact", "Section", "sections_of", "worth_opening"]

WORTH = 10  # clusters worth opening
SIZES = {"2": (2, 2), "3": (3, 3), "4–5": (4, 5), "6–10": (6, 10), "11–20": (11, 20), "21–50": (21, 50),
         "51 or more": (51, None)}  # fmt: skip
MEASURE = "In turn: the clusters with most conflicts, and with most inferred pairs (of four sentences or more)."


class Fact(NamedTuple):
    """A figure, its meaning, and the target of a click: a query of the list, a cluster, sentences, or nothing."""

    value: str
    text: str
    opens: Plain | None = (
        None  #: {"query": {…}}, {"cluster": 3}, or {"title": …, "list": [[…], …], "total": …}
    )
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
        _turned(graph),
        _annotators(graph),
        _numbers(graph),
        _sizes(graph),
        _conflicts(graph),
    ]
    sections += _leaks(graph)
    if audit is not None:
        sections.append(_judged(graph, audit))
    elif not graph.bipartite:
        fact = Fact("0", "answers about labels of this file")
        sections.append(Section("How many labels may be wrong?", [fact], ADVICE, "number"))
    sections.append(_worth(graph))
    return [section for section in sections if section.facts]


def _turned(graph: ParaphraseGraph) -> Section:
    """Ask first if the labels are turned round, where they look it."""
    question = graph.report.get("turned")
    return Section("A question first", [Fact("?", question)] if question else [])


def _annotators(graph: ParaphraseGraph) -> Section:
    """Count the pairs on which annotators differ, where rows name several."""
    facts = []
    if graph.annotators is not None:
        differ = graph.annotators_differ
        tied = differ & (graph.edge_n_positive == graph.edge_n_negative)
        facts.append(_pairs(graph, differ, "pairs on which your annotators differ"))
        facts.append(_pairs(graph, tied, "of these without a majority: to be decided"))
    return Section("Annotators", facts, unit="pairs")


def _numbers(graph: ParaphraseGraph) -> Section:
    no, yes = graph.own_words or ("negative", "positive")
    counts = graph.summary()
    facts = [Fact(f"{graph.n_rows:,}", "rows kept")]
    for name in ("rows skipped", "rows without a label"):
        if counts.get(name):
            facts.append(Fact(f"{counts[name]:,}", name))
    facts.append(_listed("sentences", np.arange(graph.n)[:, None], graph.n))
    facts.append(_pairs(graph, graph.edge_sign > 0, f"pairs stated {yes}"))
    facts.append(_pairs(graph, graph.edge_sign < 0, f"pairs stated {no}"))
    facts.append(_clusters(counts["clusters"], "clusters", (2, None)))
    facts.append(_clusters(counts["single sentences"], "single sentences", (1, 1)))
    if not graph.bipartite:
        follow = infer(graph)
        drawn = follow.sample(2 * LISTED)
        for label, word, count in zip((1, 0), (yes, no), follow.counts().values(), strict=True):
            ends = graph.pair_nodes(drawn[drawn["label"] == label]).T
            facts.append(_listed(f"inferred {word} pairs, in no row", ends, count))
    return Section("The data", facts, unit="number")


def _sizes(graph: ParaphraseGraph) -> Section:
    """Count clusters by size; the bar is their share of the sentences."""
    facts = []
    for name, (least, most) in SIZES.items():
        sizes = graph.cluster_sizes[graph.cluster_sizes >= least]
        if most:
            sizes = sizes[sizes <= most]
        if len(sizes):
            fact = _clusters(len(sizes), f"of {name} sentences", (least, most))
            facts.append(fact._replace(share=float(sizes.sum() / graph.n)))
    return Section("Clusters by size", facts, unit="clusters", about="bar: share of all sentences")


def _conflicts(graph: ParaphraseGraph) -> Section:
    no, yes = graph.own_words or ("negative", "positive")
    kinds = {f"stated both {yes} and {no}": graph.labelled_twice}
    if not graph.bipartite:
        kinds = {f"stated {no}, but inside a cluster": graph.negatives_inside} | kinds
    facts = []
    for text, edges in kinds.items():
        places = len(np.unique(graph.edge_clusters[0, edges]))
        if places:
            text += f", in {counting(places, 'cluster')}"
        twice = np.count_nonzero(edges & graph.negatives_inside)
        if facts and twice:
            text += f"; {twice:,} counted above, too"
        facts.append(_pairs(graph, edges, text))
    alone = graph.self_negatives
    if len(alone):
        facts.append(
            _listed("sentences stated to differ from themselves", alone[:, None], len(alone))
        )
    return Section("Conflicts", facts, unit="pairs")


def _leaks(graph: ParaphraseGraph) -> list[Section]:
    """Count the overlap of the training pairs with each other split."""
    if graph.bipartite or graph.pairs is None or "split" not in graph.pairs:
        return []
    parts = dict(iter(graph.pairs.groupby("split", observed=True)))
    train = parts.pop("train", None)
    if train is None:
        return []
    sections = []
    for name, other in parts.items():
        report = leakage(train, other, identity=graph.identity)
        nodes = nodes_of(graph, report.sentences["text"].tolist())
        homes = np.unique(graph.cluster_of[nodes]).tolist()
        shared = _listed("shared sentences", nodes[:, None], len(nodes))
        #: The first two counts are those of sentences and of clusters.
        opens = {0: shared.opens, 1: {"query": {"bounds": {}, "only": homes}}}
        facts = []
        for place, row in enumerate(report.table().itertuples()):
            text = row.what if pd.isna(row.of) else f"{row.what}, of {row.of:,}"
            if row.count:
                facts.append(Fact(f"{row.count:,}", text, opens.get(place)))
        if not facts:
            facts = [Fact("0", "shared: train contains nothing of it")]
        sections.append(Section(f"Leakage: train and {name}", facts, unit="number"))
    return sections


def _judged(graph: ParaphraseGraph, audit: Any) -> Section:
    """Return the share of wrong labels of each kind from an audit."""
    report = audited(graph, audit)
    facts = []
    for row in report[report["answered"] > 0].itertuples():
        wrong = f"{row.kind} labels are wrong"
        opens = None
        if row.kind == "conflict":
            wrong = "conflicts: the negative is wrong"
            opens = _pairs(graph, graph.negatives_inside, "the conflicts").opens
        text = f"of the {wrong} ({_percent(row.low)} to {_percent(row.high)}): "
        facts.append(
            Fact(_percent(row.share), f"{text}{row.wrong:,} of {row.answered:,} answered", opens)
        )
    return Section(
        "Wrong labels, by an audit",
        facts,
        report.attrs["note"],
        "share",
        "95 % interval; number answered",
    )


def _worth(graph: ParaphraseGraph) -> Section:
    facts = []
    for one in worth_opening(graph).itertuples():
        facts.append(
            Fact(f"{one.size:,}", f"{one.why}: “{one.sentence}”", {"cluster": one.cluster})
        )
    measure = "The clusters with most conflicts." if graph.bipartite else MEASURE
    title = f"{len(facts)} clusters worth opening"
    return Section(title, facts, measure, "sentences", "why; the most central sentence")


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
    table = graph.clusters(min_size=1).rename(columns={"example": "sentence"})
    torn = table[table["conflicts"] > 0].nlargest(count, "conflicts")
    thin = table[(table["inferred_positive"] > 0) & (table["size"] > 3)].nlargest(
        count, "inferred_positive"
    )
    orders: list[dict[int, str]] = [{}, {}]
    for one in torn.itertuples():
        orders[0][one.cluster] = counting(one.conflicts, "conflict")
    for one in thin.itertuples():
        orders[1][one.cluster] = (
            f"{one.inferred_positive:,} pairs inferred from {one.stated_positive:,} stated"
        )
    chosen: dict[int, str] = {}
    for turn in range(2 * count):
        order = orders[turn % 2]
        left = [cluster for cluster in order if cluster not in chosen]
        if left and len(chosen) < count:
            chosen[left[0]] = order[left[0]]
    table = table.loc[list(chosen), ["cluster", "size", "sentence"]]  # ids number the rows
    return table.assign(why=list(chosen.values()))


def _figure(count: int, text: str, opens: Plain) -> Fact:
    """Return a number; if that is 0, there is nothing to open."""
    return Fact(f"{count:,}", text, opens if count else None)


def _listed(text: str, nodes: np.ndarray, total: int) -> Fact:
    """Return the number of some sentences, or pairs of them, one row each; a click lists the first."""
    return _figure(
        total, text, {"title": text, "list": nodes[:LISTED].tolist(), "total": int(total)}
    )


def _pairs(graph: ParaphraseGraph, edges: np.ndarray, text: str) -> Fact:
    ends = graph.ends(edges).T
    return _listed(text, ends, len(ends))


def _clusters(count: int, text: str, sizes: tuple[int, int | None]) -> Fact:
    return _figure(count, text, {"query": {"bounds": {"size": sizes}}})


def _percent(share: float) -> str:
    return f"{100 * share:.{1 if 0 < share < 0.0995 else 0}f} %"
