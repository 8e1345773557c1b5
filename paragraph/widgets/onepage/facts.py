"""The figures of a file of pairs in words: sections of facts, each with the target of a click."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ...doubts.audit import NAMES, audited
from ...doubts.suspects import ADVICE
from ...doubts.trust import Trusted
from ...graph import ParaphraseGraph
from ...graph.closure import SIGNS, infer
from ...graph.clusters import odd_sentences
from ...graph.splits import leakage
from ..atlas.map import dots
from ..base.records import Plain

__all__ = ["Fact", "Section", "sections_of", "worth_opening"]

WORTH = 10  # clusters worth opening
SIZES = [(1, 1), (2, 2), (3, 3), (4, 5), (6, 10), (11, 20), (21, 50), (51, None)]
CONFLICTS = {"kind": "within", "bounds": {}, "sort": "conflicts", "descending": True}
MEASURE = (
    "In turn: the clusters with most conflicts, with most inferred pairs (of four sentences or more), and, where "
    "suspects are given, with the label most probably wrong."
)


class Fact(NamedTuple):
    """A figure, its meaning, and the target of a click: a query of the list, a cluster, sentences, or nothing."""

    value: str
    text: str
    opens: Plain | None = None  #: {"query": {…}}, {"cluster": 3} or {"texts": […]}
    share: float | None = None  #: length of the bar behind it, of 1


class Section(NamedTuple):
    """Facts under a title."""

    title: str
    facts: list[Fact]
    note: str = ""
    unit: str = ""  #: of the figures, above them
    about: str = ""  #: above what the figures count


def sections_of(
    graph: ParaphraseGraph,
    test: pd.DataFrame | None,
    audit: Any,
    suspects: pd.DataFrame | None,
    friends: Trusted | None,
) -> list[Section]:
    """Return the sections of `overview` that have facts."""
    sections = [_numbers(graph), _sizes(graph), _conflicts(graph), _odd(graph), *_leaks(graph, test)]
    if friends is not None:
        sections.append(_trusted(friends))
    if not graph.bipartite or audit is not None:
        sections.append(_wrong(graph, audit))
    facts = [
        Fact(f"{one.size:,}", f"{one.why}: “{one.sentence}”", {"cluster": one.cluster})
        for one in worth_opening(graph, suspects).itertuples()
    ]
    said = "why; the most central sentence"
    sections.append(Section(f"{len(facts)} clusters worth opening", facts, MEASURE, "sentences", said))
    return [section for section in sections if section.facts]


def worth_opening(graph: ParaphraseGraph, suspects: pd.DataFrame | None = None, count: int = WORTH) -> pd.DataFrame:
    """Return the clusters to read first, and why: `cluster`, `size`, `why`, `sentence` (its most central).

    Clusters come in turn from three orders, each cluster once: most conflicts; most inferred positives, among
    clusters of four or more sentences; and, if suspects are given, the largest `p_wrong` of a stated pair.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> worth_opening(graph, count=3)[["cluster", "why"]].values.tolist()
    [[0, '5 conflicts'], [1, '83 pairs inferred from 19 stated'], [2, '3 conflicts']]
    """
    table = dots(graph, suspects)
    orders = [(table["conflicts"].to_numpy(), lambda i: _count(table["conflicts"].iloc[i], "conflict"))]
    if not graph.bipartite:
        numbers = graph.clusters(min_size=1)
        follow, stated = numbers["inferred_positive"].to_numpy(), numbers["stated_positive"].to_numpy()
        thin = np.where(table["size"] > 3, follow[: len(table)], 0)
        orders.append((thin, lambda i: f"{follow[i]:,} pairs inferred from {stated[i]:,} stated"))
    if suspects is not None:
        orders.append(
            (table["doubt"].to_numpy(), lambda i: f"a label is wrong with probability {table['doubt'].iloc[i]:.2f}")
        )
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


def _fact(count: int, text: str, opens: Plain | None = None, share: float | None = None) -> Fact:
    """Return a fact whose figure is a number; if that is 0, there is nothing to open."""
    return Fact(f"{count:,}", text, opens if count else None, share)


def _numbers(graph: ParaphraseGraph) -> Section:
    positive = int(np.count_nonzero(graph.edge_sign > 0))
    facts = [
        _fact(graph.n_rows, f"row{'s' * (graph.n_rows != 1)}"),
        _fact(graph.n, f"sentence{'s' * (graph.n != 1)}", _query(size=(1, None))),
        _fact(positive, "pairs stated positive", _query(size=(2, None))),
        _fact(len(graph.edge_sign) - positive, "pairs stated negative", _query(negatives=(1, None))),
        _fact(np.count_nonzero(graph.cluster_sizes > 1), "clusters", _query(size=(2, None))),
    ]
    if not graph.bipartite:
        where = {"positive": _query(size=(3, None), density=(None, 0.999)), "negative": _query(negatives=(1, None))}
        counts = infer(graph).counts().items()
        facts += [_fact(count, f"inferred {sign} pairs, in no row", where[sign]) for sign, count in counts]
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
        ("direct", graph.both_ways & ~graph.within, "pairs labelled both 1 and 0"),
    ):
        places = len(np.unique(home[edges]))
        text += f", in {_count(places, 'cluster')}" if places else ""
        facts.append(_fact(np.count_nonzero(edges), text, {"query": CONFLICTS | {"kind": kind}}))
    return Section("Conflicts", facts, unit="pairs")


def _odd(graph: ParaphraseGraph) -> Section:
    """List sentences that may be placeholders, those with the most paraphrases first."""
    odd = odd_sentences(graph)
    few = odd.head(WORTH).itertuples()
    facts = [Fact(f"{one.paraphrases:,}", f"{one.why}: “{one.text}”", {"texts": [one.text]}) for one in few]
    title = f"{_count(len(odd), 'sentence')} to look at"
    note = "leave_out= of read_pairs leaves out what stands for nothing."
    return Section(title, facts, note, "paraphrases", "why; the sentence")


def _leaks(graph: ParaphraseGraph, test: pd.DataFrame | None) -> list[Section]:
    """Count the overlap of the training pairs with a test table, or with each other split."""
    if graph.bipartite or graph.pairs is None:
        return []
    parts = {"the test table": (graph.pairs, test)} if test is not None else {}
    if "split" in graph.pairs:
        sides = dict(iter(graph.pairs.groupby("split", observed=True)))
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
    for row in report.table[report.table["judged"] > 0].itertuples():
        text = f"{_wrongly(row.kind, NAMES.get(row.kind, row.kind))} ({_percent(row.low)} to {_percent(row.high)}): "
        text += f"{row.wrong:,} of {row.judged:,} judged"
        facts.append(Fact(_percent(row.share), text, {"query": CONFLICTS} if row.kind == "conflict" else None))
    return Section("Wrong labels, by an audit", facts, report.note, "share", "95 % interval; number judged")


def _wrongly(kind: str, labels: str) -> str:
    """Say which labels a share of wrong ones refers to; in conflicts, the negative."""
    return f"of the {labels}: the negative is the wrong label" if kind == "conflict" else f"of {labels} are wrong"


def _trusted(friends: Trusted) -> Section:
    """Return the share of inferred labels expected to be right, by sign; a click opens the least certain."""
    every, facts = replace(friends, keep=None), []
    numbers = friends.levels([0])
    asked = numbers.attrs.get("asked")
    drawn = (every._frame([batch], False) for batch in every.batches()) if asked is None else [every.to_frame(False)]
    least = pd.concat([_least_sure(every._frame([], False)), *map(_least_sure, drawn)])
    for row in _least_sure(least).itertuples():
        sign = SIGNS[1 - row.label]
        [number], [right] = numbers[sign], numbers[f"{sign}_right"]
        text = f"of {number:,.0f} inferred {sign}s are expected to be right"
        facts.append(Fact(_percent(right / number), text, {"texts": [row.text_a, row.text_b]}, right / number))
    note = f"Estimated from {asked:,} labels drawn at random." if asked else ""
    return Section("Inferred labels", facts, note, "share", "a click opens the least sure of them")


def _least_sure(table: pd.DataFrame) -> pd.DataFrame:
    """Return the row of each label with the lowest `p_right`, positives first."""
    return table.sort_values(["label", "p_right"], ascending=[False, True]).drop_duplicates("label")


def _percent(share: float) -> str:
    return f"{100 * share:.{1 if 0 < share < 0.0995 else 0}f} %"


def _query(**bounds: tuple[int | None, int | None]) -> Plain:
    return {"query": {"bounds": bounds}}


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * int(number != 1)}"
