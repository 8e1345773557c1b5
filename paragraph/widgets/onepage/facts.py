"""The figures of a file of pairs in words: sections of facts, each with the target of a click."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...draw.shared import LISTED
from ...files.shown import counting
from ...graph import ParaphraseGraph
from ...graph.closure import infer
from ..base.records import Plain

__all__ = ["Fact", "Section", "sections_of"]

WORTH = 10  # clusters worth opening
SIZES = {"2": (2, 2), "3": (3, 3), "4–5": (4, 5), "6–10": (6, 10), "11–20": (11, 20), "21–50": (21, 50),
         "51 or more": (51, None)}  # fmt: skip
AUDIT = (
    "Read twenty to a hundred, drawn at random (paragraph review --audit 40, pg.audit): pg.error_rates then says how "
    "many of each kind are wrong, with an interval."
)


class Fact(NamedTuple):
    """A figure, its meaning, and the target of a click: a query of the list, a cluster, sentences, or nothing."""

    value: str
    text: str
    #: {"query": {…}, "cluster": 3}, {"cluster": 3}, or {"title": …, "list": [[…], …], "total": …}
    opens: Plain | None = None
    share: float | None = None  #: length of the bar behind it, of 1


class Section(NamedTuple):
    """Facts under a title."""

    title: str
    facts: list[Fact]
    note: str = ""
    unit: str = ""  #: of the figures, above them
    about: str = ""  #: above what the figures count


def sections_of(graph: ParaphraseGraph) -> list[Section]:
    """Return the sections of `overview` that have facts."""
    sections = [
        _turned(graph),
        _annotators(graph),
        _numbers(graph),
        _sizes(graph),
        _conflicts(graph),
    ]
    if not graph.bipartite:
        unknown = Fact("?", "unknown until some are judged")
        sections.append(Section("How many labels may be wrong?", [unknown], AUDIT))
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
    facts.append(_clusters(graph, "clusters", 2))
    facts.append(_clusters(graph, "single sentences", 1, 1))
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
        sizes = graph.cluster_sizes[_of_size(graph, least, most)]
        if len(sizes):
            fact = _clusters(graph, f"of {name} sentences", least, most)
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


def _worth(graph: ParaphraseGraph) -> Section:
    """List the clusters to read first: those with most conflicts, then with most inferred pairs."""
    table = graph.clusters(min_size=1)
    table = table[(table["conflicts"] > 0) | (table["inferred_positive"] > 0)]
    facts = []
    for one in table.nlargest(WORTH, ["conflicts", "inferred_positive"]).itertuples():
        why = []
        if one.conflicts:
            why.append(counting(one.conflicts, "conflict"))
        if one.inferred_positive:
            stated = f"{one.stated_positive:,} stated"
            why.append(f"{one.inferred_positive:,} pairs inferred from {stated}")
        text = f"{', '.join(why)}: “{one.example}”"
        facts.append(Fact(f"{one.size:,}", text, {"cluster": one.cluster}))
    title = f"{len(facts)} clusters worth opening"
    note = "Those with most conflicts, then those with most inferred pairs."
    return Section(title, facts, note, "sentences", "why; the most central sentence")


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


def _of_size(graph: ParaphraseGraph, least: int, most: int | None) -> np.ndarray:
    """The clusters of some sizes."""
    sizes = graph.cluster_sizes
    most = most or graph.n
    return np.flatnonzero((sizes >= least) & (sizes <= most))


def _clusters(graph: ParaphraseGraph, text: str, least: int, most: int | None = None) -> Fact:
    """Return the number of clusters of some sizes; a click lists them, and opens the first."""
    ids = _of_size(graph, least, most)
    query = {"bounds": {"size": (least, most)}}
    return _figure(len(ids), text, {"query": query, "cluster": int(ids.min(initial=graph.n))})
