"""Answers of a log, joined with a fresh copy of the data; and for a person to read, what that did."""

from __future__ import annotations

import base64
import io
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.arrays import connected
from ..graph.proof import write_conflicts
from ..graph.search import nodes_of
from ..pairs import outputs, write_pairs
from ..pairs.corrected import beside_corrected, is_table_name, write_corrected
from ..pairs.showing import show
from ..repairs.change import relabelled
from .answers import SAME, Answer, DecisionError, in_order, last_words, name_of, notes, pair_of, standing
from .log import DecisionLog, records_of
from .several import disputes, set_aside, waits

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["APPLIED", "Replayed", "replay"]

LISTED = 20  # answers in the table of a notebook
#: What an answer can do to the rows of its pair.
APPLIED = ("becomes 1", "becomes 0", "dropped", "stays")
_COLUMNS = ("outcome", "text_a", "text_b", "same", "label", "rows", "reviewers", "why", "notes", "times", "ids")


@dataclass(frozen=True, repr=False)
class Replayed:
    """A pair table with the answers of a log applied.

    Printed it counts what became of the answers, and says how the data changed; a notebook shows a picture of the
    cluster that changed most, before and after, and the first answers.
    """

    #: The corrected rows, in their order; the new column `decided` holds the id of the answer that changed or
    #: confirmed a row's label, and is empty elsewhere.
    pairs: pd.DataFrame
    #: One row a pair and outcome: `text_a`, `text_b`, `same` (what was answered), the stated `label` of the data, the
    #: numbers of its `rows`, `reviewers`, `why`, `notes`, and by reviewer `times` and `ids`. The `outcome` is
    #: "becomes 1", "becomes 0", "dropped" or "stays"; "stale": the label is another than the one seen;
    #: "not in these data"; "no row": judged though no row states it, as in an audit; "disputed"; "settled": a third
    #: person's answer has taken its place; "look again"; "later"; or "in conflict": still so afterwards.
    decisions: pd.DataFrame
    #: When two spellings are one sentence.
    identity: str
    #: The graph of the given data, in which the pairs were found.
    before: ParaphraseGraph
    #: The graph of the corrected pairs.
    graph: ParaphraseGraph

    def __repr__(self) -> str:
        rows = [f"{a:<18}{b:>7,}{c:>9,}" for a, b, c in self._counts.itertuples(index=False)]
        rows = [f"{'pairs':>25}{'answers':>9}", *rows] if rows else ["no answers"]
        return "\n".join([*rows, ", ".join(f"{name}: {old} → {new}" for name, old, new in self._figures)])

    def _repr_html_(self) -> str:
        table, figure, picture = self.decisions, self.figure(), "<p>No label changed.</p>"
        if figure is not None:
            written = io.BytesIO()
            figure.savefig(written, format="png", dpi=110)
            source = base64.b64encode(written.getvalue()).decode("ascii")
            title = "The cluster in which most labels changed, before and after"
            picture = f'<img alt="{title}" style="max-width: 100%" src="data:image/png;base64,{source}">'
        tables = [self._counts, pd.DataFrame(self._figures, columns=["in the data", "before", "after"])]
        parts = [*(show(part, len(part)).to_html() for part in tables), picture]
        if len(table):
            shown = table.assign(reviewers=table["reviewers"].map(", ".join)).drop(columns=["times", "ids"])
            parts.append(show(shown, LISTED).to_html())
        if len(table) > LISTED:
            parts.append(f"<p>{LISTED} of {len(table):,} answered pairs; all are in <code>.decisions</code>.</p>")
        return "".join(parts)

    def outcome(self, *names: str) -> pd.DataFrame:
        """Return the rows of `decisions` with these outcomes."""
        return self.decisions[self.decisions["outcome"].isin(names)].reset_index(drop=True)

    @property
    def _counts(self) -> pd.DataFrame:
        """The number of pairs and of answers of each `outcome`."""
        table = self.decisions.assign(answers=self.decisions["reviewers"].str.len(), pairs=1)
        return table.groupby("outcome", sort=False)[["pairs", "answers"]].sum().reset_index()

    @property
    def _figures(self) -> list[tuple[str, str, str]]:
        """Figures of the data: their name, as they were, as they are."""
        found = [["rows", "labelled pairs", "clusters of two or more", "conflicts"]]
        for graph in (self.before, self.graph):
            conflicts = len(graph.denied) + int(graph.conflicting[_plain(graph)].sum())
            counts = (len(graph.pairs), len(graph.edge_a), int((graph.cluster_sizes > 1).sum()), conflicts)
            found.append([f"{count:,}" for count in counts])
        return list(zip(*found, strict=True))

    def figure(self) -> Figure | None:
        """The cluster in which most labels changed, before and after; None where none changed."""
        from ..draw.figures import draw_change

        return draw_change(self.before, self.graph, self.changed) if len(self.changed) else None

    @cached_property
    def changed(self) -> np.ndarray:
        """The pairs whose rows changed or were dropped, as edges of `before`."""
        table = self.outcome(*APPLIED[:3])
        a, b = (nodes_of(self.before, table[name].tolist()) for name in ("text_a", "text_b"))
        edges = self.before.edge_index.places(a, b) if len(table) else np.empty(0, np.int64)
        return np.sort(edges[edges >= 0])

    @cached_property
    def kept(self) -> np.ndarray:
        """A mask of the edges of `graph` whose label somebody has found right (see `variants.write_datasets`)."""
        applied = {ids[0] for ids in self.outcome(*APPLIED)["ids"]}
        rows = self.pairs["decided"].isin(applied).to_numpy() & (self.graph.row_edge >= 0)
        return np.isin(np.arange(len(self.graph.edge_a)), self.graph.row_edge[rows])

    def write(self, path: str | PathLike, spreadsheet_safe: bool = False) -> None:
        """Write the corrected pairs: a folder of tables, or with a suffix the file that was read, corrected.

        In a folder are `pairs` as corrected.tsv and decisions.tsv; with `spreadsheet_safe` no spreadsheet runs a text
        as a formula (see `LabelWriter`). A name like ``clean.csv`` is for the user's own file, in which no other line
        changes (`write_corrected`); beside it ``clean.left_out.csv`` has the rows that were dropped, and
        ``clean.decisions.tsv`` is `decisions`.
        """
        path = Path(path)
        told = self.decisions.assign(label=self.decisions["label"].astype("str").fillna(""))
        if is_table_name(path):
            if spreadsheet_safe:
                raise DecisionError(f"{path.name} keeps the cells of its source; spreadsheet_safe is for a folder")
            effects = {row: one.outcome for one in self.outcome(*APPLIED).itertuples() for row in one.rows}
            with outputs.all_or_none(path.parent, path) as stage:
                write_corrected(self.before.pairs, effects, stage / path.name)
                write_conflicts(told, stage / beside_corrected(path, "decisions.tsv").name)
                outputs.write_record(stage / path.name, {})
            return
        with outputs.all_or_none(path) as stage:
            write_pairs(self.pairs, stage / "corrected.tsv", spreadsheet_safe)
            write_conflicts(told, stage / "decisions.tsv", spreadsheet_safe)
            outputs.write_described({}, stage / "report.json")


def replay(
    log: DecisionLog | str | PathLike | list,
    data: pd.DataFrame | ParaphraseGraph,
    *,
    reviewer: str | None = None,
    cut: str = "drop",
    identity: str | None = None,
) -> Replayed:
    """The data with the answers of a log applied; the given data are not changed.

    Pairs are found by the texts of their sentences. Where the two mean the same, all rows of the pair become 1. Where
    they do not, its rows that do not say 0 are dropped. Where nobody can say, all are. Rows that say so already
    stay, and no rule will flip them.

    Parameters
    ----------
    log : DecisionLog, path of a log or of its export, or list of these or of records
    data : pair table or graph
    reviewer : str, optional
        Whose answers. Of several reviewers, an answer applies unless another differs on the pair, or on any pair of a
        conflict that it was given about (`several.disputes`). An answer that settles such a dispute
        (`ConflictReview(settle=…)`) takes the place of those that it settles.
    cut : {"drop", "negative"}
        Whether the rows of a positive that is wrong are dropped, or become 0.
    identity : {"text", "normal", "id"}, optional
        When two spellings are one sentence. Default: the graph's own, or "text". With "id", too, pairs are found by
        text.

    Raises
    ------
    DecisionError
        The log cannot be read, or holds nothing of `reviewer`.

    Notes
    -----
    Each pair stands for itself: an answer that does not apply takes no other with it, and `decisions` lists which
    conflicts that were looked at are left. Where a third person settles a dispute, some answers in the same cluster
    wait for people to look again (`several.waits`).

    Examples
    --------
    >>> import tempfile
    >>> log = DecisionLog(f"{tempfile.mkdtemp()}/decisions.db", reviewer="Ada")
    >>> _ = log.add("a", "c", 0, stated=0), log.add("c", "b", 0, stated=1, about=[("a", "c")], note="two towns")
    >>> _ = log.add("x", "y", 1, stated=0)
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> found = replay(log, pairs)
    >>> found
                        pairs  answers
    dropped                 1        1
    stays                   1        1
    not in these data       1        1
    rows: 3 → 2, labelled pairs: 3 → 2, clusters of two or more: 1 → 1, conflicts: 1 → 0
    >>> found.pairs[["text_a", "text_b", "label"]].values.tolist()
    [['a', 'b', 1], ['a', 'c', 0]]
    >>> found.decisions[["outcome", "text_a", "text_b", "rows", "notes"]].values.tolist()[0]
    ['dropped', 'b', 'c', [1], 'Ada: two towns']
    """
    if isinstance(log, pd.DataFrame | ParaphraseGraph):
        raise DecisionError("the log comes first, then the data: replay(log, pairs)")
    if not isinstance(data, pd.DataFrame | ParaphraseGraph):
        raise DecisionError(f"data {data!r} is no pair table and no graph: replay(log, read_pairs(file))")
    records = records_of(log)
    if reviewer is not None:
        known = sorted({record.reviewer for record in records})
        if name_of(reviewer) not in known:
            raise DecisionError(f"the log holds nothing of {reviewer!r}; its reviewers: {', '.join(known) or 'none'}")
        records = [record for record in records if record.reviewer == name_of(reviewer)]
    is_graph = isinstance(data, ParaphraseGraph)
    identity = identity or (data.identity if is_graph else "text")
    graph, found_by = data, "text" if identity == "id" else identity
    if not is_graph or (data.pairs is not None and data.identity != found_by):
        graph = ParaphraseGraph.from_pairs(data.pairs if is_graph else data, found_by)
    said = _joined(graph, standing(records))
    applied = [one for one in said if one.outcome == "applied"]
    ends = np.array([one.ends for one in applied], dtype=np.int64).reshape(-1, 2).T
    same = [{"1": 1, "0": 0}.get(one.answers[0].same) for one in applied]
    pairs, effects = relabelled(graph, ends, same, cut, [one.answers[0].id for one in applied])
    for one, (effect, rows) in zip(applied, effects, strict=True):
        one.outcome, one.rows = effect, rows
    after, noted = ParaphraseGraph.from_pairs(pairs, identity), notes(records)
    said.sort(key=lambda one: (_ORDER.index(one.outcome), one.answers[0].time))
    rows = [one.row(graph, noted) for one in said] + [*_left(graph, after, said)]
    types = dict.fromkeys(_COLUMNS, "str") | {"label": "Int8"}
    types |= dict.fromkeys(("rows", "reviewers", "times", "ids"), object)
    return Replayed(pairs, pd.DataFrame(rows, columns=list(_COLUMNS)).astype(types), identity, graph, after)


_ORDER = [*APPLIED, "no row", "disputed", "look again", "settled", "stale", "not in these data", "later"]


@dataclass
class _Joined:
    """The answers to one pair that have one outcome, and the pair in the data."""

    answers: list[Answer]
    outcome: str
    why: str = ""
    ends: tuple[int, int] = (-1, -1)
    label: int | None = None
    rows: list[int] | tuple = ()

    def row(self, graph: ParaphraseGraph, noted: dict[tuple[str, frozenset[str]], str]) -> dict[str, Any]:
        """The columns of the table."""
        first = self.answers[0]
        texts = (first.text_a, first.text_b)
        if self.outcome in APPLIED and self.ends[0] != self.ends[1]:
            texts = graph.texts(graph.ends(graph.edge_between(*self.ends)))
        told = {one.reviewer: noted.get((one.reviewer, one.pair)) for one in self.answers}
        row = {"outcome": self.outcome, "text_a": texts[0], "text_b": texts[1], "same": SAME[first.same]}
        row |= {"label": self.label, "rows": [*self.rows], "why": self.why}
        row["notes"] = " | ".join(f"{name}: {note}" for name, note in told.items() if note)
        return row | {f"{name}s": [getattr(one, name) for one in self.answers] for name in ("reviewer", "time", "id")}


def _joined(graph: ParaphraseGraph, records: list[Answer]) -> list[_Joined]:
    """Join answers with the rows of a graph; those that change or confirm rows have the outcome "applied"."""
    texts = sorted({text for one in records for pair in (one.pair, *one.conflicts()) for text in pair})
    node = dict(zip(texts, nodes_of(graph, texts).tolist(), strict=True))

    def ends(a: str, b: str) -> list[int]:
        return [node[text] for text in sorted(pair_of(a, b)) * (3 - len(pair_of(a, b)))][:2]

    def key(a: str, b: str) -> frozenset:
        """A pair, in either order: its nodes, or its texts where the data lack one."""
        found = frozenset(ends(a, b))
        return pair_of(a, b) if -1 in found else found

    def label(one: Answer) -> int | None:
        """The stated label of a pair; of a sentence with itself 0 where a row says so."""
        a, b = ends(one.text_a, one.text_b)
        if a == b:
            rows = graph.row_sign[graph.rows_between(a, b)] if a >= 0 else []
            return int(min(rows) > 0) if len(rows) else None
        edge = graph.edge_between(a, b) if min(a, b) >= 0 else -1
        return int(graph.edge_sign[edge] > 0) if edge >= 0 else None

    def home(one: Answer) -> int | None:
        a, _ = ends(one.text_a, one.text_b)
        return int(graph.cluster_of[a]) if a >= 0 else None

    words = last_words(records, key)
    live = [one for one in words if one.same != "later"]
    aside = set_aside(live, key)
    found = [_Joined([one], "later", "not decided yet") for one in words if one.same == "later"]
    found += [_Joined([one], "settled", f"by {aside[one.id]}") for one in live if one.id in aside]
    stand = [one for one in live if one.id not in aside]
    disputed: dict[frozenset, str] = {}
    for dispute in disputes(stand, key):
        disputed |= dict.fromkeys(dispute.conflicts, dispute.why)
    wait = waits(live, aside, home, lambda one: str(label(one)))
    groups: dict[tuple, list[Answer]] = defaultdict(list)
    for one in stand:
        groups[key(one.text_a, one.text_b), one.same, one.id in wait].append(one)
    for (pair, same, waiting), each in groups.items():
        each, stated = in_order(each), label(each[0])
        outcome, why = "applied", ""
        blocked = next((disputed[c] for one in each for c in (pair, *one.conflicts(key)) if c in disputed), None)
        if missing := [text for text in (each[0].text_a, each[0].text_b) if node[_normal(text)] < 0]:
            outcome, why = "not in these data", ", ".join(map(repr, missing))
        elif blocked:
            outcome, why = "disputed", blocked
        elif waiting:
            outcome, why = "look again", "a disagreement in its cluster is settled"
        elif stated is None:
            seen = any(one.stated for one in each)
            outcome, why = ("not in these data", "no row states it") if seen else ("no row", "judged")
        elif str(stated) != same and any(one.stated not in ("", str(stated)) for one in each):
            outcome, why = "stale", f"the label is {stated}, and was {1 - stated} when this was said"
        nodes = (*pair, *pair)[:2] if outcome == "applied" else (-1, -1)
        found.append(_Joined(each, outcome, why, nodes, stated))
    return found


def _normal(text: str) -> str:
    (normal,) = pair_of(text, text)
    return normal


def _plain(graph: ParaphraseGraph) -> np.ndarray:
    """The edges that can be in conflict: where the two sides are different things, only those stated both ways."""
    return np.flatnonzero(graph.both_ways if graph.bipartite else graph.conflicting)


def _left(before: ParaphraseGraph, after: ParaphraseGraph, said: list[_Joined]) -> Iterable[dict[str, Any]]:
    """List the conflicts that somebody looked at and that are left, but for those of which all lines are right."""
    whose: dict[frozenset, dict[str, None]] = defaultdict(dict)
    for one in (answer for each in said for answer in each.answers if answer.same != "later"):
        for conflict in one.conflicts():
            whose[conflict][one.reviewer] = None
    right = np.array([one.ends for one in said if one.outcome in APPLIED and one.answers[0].same == "1"], dtype=int)
    part = connected(before.n, *right.reshape(-1, 2).T)
    edges = _plain(after)
    for edge, a, b in zip(edges.tolist(), *map(after.texts, after.ends(edges)), strict=True):
        x, y = nodes_of(before, [a, b]).tolist()
        if (names := whose.get(pair_of(a, b))) and part[x] != part[y]:
            why = "its rows state both labels" if after.both_ways[edge] else "a positive path still joins the two"
            row = {"outcome": "in conflict", "text_a": a, "text_b": b, "same": "", "why": why, "notes": ""}
            yield row | {"label": int(after.edge_sign[edge] > 0), "rows": after.source_rows(edge),
                         "reviewers": [*names], "times": [], "ids": []}  # fmt: skip
