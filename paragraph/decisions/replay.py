"""Answers of a log, applied to a fresh copy of the data; and a report of the effects for people."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..doubts.what_if import relabelled
from ..files.errors import check_type
from ..files.names import is_table_name, sibling
from ..files.outputs import REPORT, atomic_write, record_of, write_record
from ..files.tables import write_table
from ..graph import ParaphraseGraph
from ..graph.arrays import connected
from ..graph.export import as_written
from ..pairs import write_pairs
from ..pairs.back import write_back
from .answers import Answers, Dispute, Pair, Row
from .log import Log, records_of
from .places import ends_of
from .record import NUMBERS, SAME, DecisionError, pair_of

__all__ = ["APPLIED", "Replayed", "cut_choice", "in_quotes", "replay"]

#: The possible effects of an answer on the rows of its pair.
APPLIED = ("becomes 1", "becomes 0", "dropped", "stays")
#: All outcomes, in words; {0} and {1} are the words of the file for these labels.
EXPLAINED = {
    "becomes 1": "the two mean the same: the label is {1} now",
    "becomes 0": "the two differ: the label is {0} now",
    "dropped": "left out: rows of a wrong {1}, or about which nobody can say",
    "stays": "the label was right",
    "disputed": "people differ about the pair or its conflict: nothing changes until a third person settles it",
    "overruled": "a third person's answer has taken its place",
    "stale": "the label is not the one that was seen: nothing changes",
    "not in these data": "no row states the pair",
    "later": "left for later",
    "in conflict": "looked at, but another path or row contradicts them still",
}
#: The columns of the table of decisions.
_TYPES = {
    "outcome": "str", "text_a": "str", "text_b": "str", "same": "str", "label": "Int8", "rows": object,
    "reviewers": object, "why": "str", "notes": "str", "times": object, "ids": object,
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Replayed:
    """A pair table with the answers of a log applied.

    Printed, it counts the outcomes of the answers, and says how the data changed.
    """

    #: The corrected rows, in their order; the new column `decided` holds the id of the answer that changed or
    #: confirmed a row's label, and is empty elsewhere.
    pairs: pd.DataFrame
    #: One row per pair and outcome: `text_a`, `text_b`, `same` (the answer), the stated `label` of the data, the
    #: numbers of its `rows`, `reviewers`, `why`, `notes`, and by reviewer `times` and `ids`. `EXPLAINED` says what
    #: each `outcome` is.
    decisions: pd.DataFrame
    #: The graph of the given data, in which the pairs were found.
    before: ParaphraseGraph
    #: The graph of the corrected pairs.
    graph: ParaphraseGraph
    #: By place in the given pairs: the effect on each row of an answered pair, one of `APPLIED`.
    effects: dict[int, str]
    #: The disagreements that stop answers.
    disputes: list[Dispute]

    def __repr__(self) -> str:
        count = self.decisions["ids"].map(len)
        answers = count.groupby(self.decisions["outcome"]).sum()
        lines = [f"{'pairs':>25}{'answers':>9}"] if answers.any() else ["no answers"]
        for outcome, count in self.counts.items():
            text = EXPLAINED[outcome].format(*in_quotes(self.before))
            if outcome == "disputed":
                text += f" (to talk about: {len(self.disputes):,})"
            if outcome == "in conflict":
                lines.append(f"conflicts left: {count:,}; {text}")
            else:
                pairs = f"{count:,}" if count else "–"
                lines.append(f"{outcome:<18}{pairs:>7}{answers[outcome]:>9,}  {text}")
        new = _figures(self.graph)
        changes = []
        for name, old in _figures(self.before).items():
            if old:
                changes.append(f"{name}: {old:,} → {new[name]:,}")
        lines.append(", ".join(changes))
        return "\n".join(lines)

    @property
    def counts(self) -> dict[str, int]:
        """The number of pairs by outcome: each answered pair once, by the first of its outcomes in `EXPLAINED`.

        Besides, as "in conflict", the number of conflicts that are left of those that were looked at.
        """
        table = self.decisions
        outcome = table["outcome"]
        pairs = map(pair_of, table["text_a"], table["text_b"])
        again = pd.Series(pairs, dtype=object).duplicated()
        counted = ~again | (outcome == "in conflict")
        return counted.groupby(outcome, sort=False).sum().to_dict()

    def outcome(self, *names: str) -> pd.DataFrame:
        """Return the rows of `decisions` with these outcomes."""
        chosen = self.decisions["outcome"].isin(names)
        return self.decisions[chosen].reset_index(drop=True)

    @cached_property
    def kept(self) -> np.ndarray:
        """A mask of the edges of `graph` whose label somebody has found right (see `variants.write_datasets`)."""
        applied = {ids[0] for ids in self.outcome(*APPLIED)["ids"]}
        edges = self.graph.row_edge[self.pairs["decided"].isin(applied)]
        kept = np.zeros(len(self.graph.edge_a), dtype=bool)
        kept[edges[edges >= 0]] = True
        return kept

    def write(self, path: str | PathLike, spreadsheet_safe: bool = False) -> int:
        """Write the corrected pairs: a folder of tables or, with a suffix, a corrected copy of the file.

        Returns the number of rows that were left out.

        A folder gets `pairs` as corrected.tsv, and decisions.tsv; with `spreadsheet_safe`, no spreadsheet runs a text
        as a formula (see `LabelWriter`). A name like ``clean.csv`` is for the user's own file, in which no other line
        changes (`write_back`); beside it, ``clean.left_out.csv`` has the rows that were dropped, and
        ``clean.decisions.tsv`` is `decisions`.
        """
        path = Path(path)
        table = as_written(self.decisions, self.before)
        if is_table_name(path):
            if spreadsheet_safe:
                raise DecisionError(
                    f"{path.name} keeps the cells of its source; spreadsheet_safe is for a folder"
                )
            with atomic_write(path, inputs=self.before.inputs) as part:
                left_out = write_back(self.before.pairs, self.effects, part)
                write_table(table, sibling(part, "decisions", ".tsv"))
                write_record({}, record_of(part))
            return left_out
        with atomic_write(path, folder=True, inputs=self.before.inputs) as stage:
            write_pairs(self.pairs, stage / "corrected.tsv", spreadsheet_safe)
            write_table(table, stage / "decisions.tsv", spreadsheet_safe)
            write_record({}, stage / REPORT)
        return len(self.before.pairs) - len(self.pairs)


def _figures(graph: ParaphraseGraph) -> dict[str, int]:
    """The counts that a replay may change."""
    figures = {"rows kept": len(graph.pairs), "labelled pairs": len(graph.edge_a)}
    figures["clusters"] = np.count_nonzero(graph.cluster_sizes > 1)
    figures["conflicts"] = np.count_nonzero(graph.conflicting)
    figures["sentences stated to differ from themselves"] = len(graph.self_negatives)
    return figures


def replay(
    log: Log | list,
    data: pd.DataFrame | ParaphraseGraph,
    *,
    cut: str = "drop",
) -> Replayed:
    """Apply the answers of a log to data, and return the result; the given data are not changed.

    Pairs are found by the texts of their sentences. If the two mean the same, all rows of the pair become 1. If they
    do not, its rows that do not say 0 are dropped. If nobody can say, all are dropped. Rows that already agree stay,
    and no rule will flip them.

    Parameters
    ----------
    log : DecisionLog, path of a log or of its export, or list of these or of records
        With several reviewers, an answer applies unless another differs on the pair, or on any pair of a conflict
        that it is about (`Answers.disputes`). An answer that settles such a dispute (`ConflictReview(settle=…)`)
        takes the place of those that it overrules. ``log.records("Ada")`` are those of one person.
    data : pair table or graph
        A graph defines when two spellings are one sentence. Even if ids do, pairs are found by their texts.
    cut : {"drop", "negative"}
        Whether the rows of a wrong positive are dropped or become 0: always the latter in a file whose labels stay
        (of several people, scores), as its column `decided` says it.

    Raises
    ------
    DecisionError
        The log cannot be read.

    Notes
    -----
    Each pair stands for itself: an answer that does not apply does not affect others, and `decisions` lists the
    conflicts in view that are left. So if a third person settles a dispute, other people's answers about other pairs
    of the cluster stand.

    Examples
    --------
    >>> import tempfile
    >>> from paragraph import DecisionLog
    >>> log = DecisionLog(f"{tempfile.mkdtemp()}/decisions.db", reviewer="Ada")
    >>> _ = log.add("a", "c", 0, stated=0), log.add("c", "b", 0, stated=1, about=[("a", "c")], note="two towns")
    >>> _ = log.add("x", "y", 1, stated=0)
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> found = replay(log, pairs)
    >>> found
                        pairs  answers
    dropped                 1        1  left out: rows of a wrong 1, or about which nobody can say
    stays                   1        1  the label was right
    not in these data       1        1  no row states the pair
    rows kept: 3 → 2, labelled pairs: 3 → 2, clusters: 1 → 1, conflicts: 1 → 0
    >>> found.pairs[["text_a", "text_b", "label"]].values.tolist()
    [['a', 'b', 1], ['a', 'c', 0]]
    >>> found.decisions[["outcome", "text_a", "text_b", "rows", "notes"]].values.tolist()[0]
    ['dropped', 'b', 'c', [1], 'Ada: two towns']
    """
    check_type(
        data,
        pd.DataFrame | ParaphraseGraph,
        "replay",
        "a log, then a table or a graph",
        "replay(log, pairs)",
    )
    graph = data if isinstance(data, ParaphraseGraph) else ParaphraseGraph.from_pairs(data)
    identity = graph.identity
    if identity == "id":
        graph = ParaphraseGraph.from_pairs(graph.pairs)
    if cut == "drop" and graph.report.get("keeps"):
        cut = "negative"
    answers = Answers(records_of(log), graph)
    rows = _outcomes(answers)
    applied = [row for row in rows if row["outcome"] == "applied"]
    wishes = [row["wish"] for row in applied]
    ids = [row["ids"][0] for row in applied]
    pairs, effect, by_pair = relabelled(graph, _nodes(applied), wishes, ids, cut)
    for row, (outcome, numbers) in zip(applied, by_pair, strict=True):
        row["outcome"] = outcome
        row["rows"] = numbers
    after = ParaphraseGraph.from_pairs(pairs, identity)
    order = list(EXPLAINED)
    rows.sort(key=lambda row: row["times"][0])
    rows.sort(key=lambda row: order.index(row["outcome"]))
    rows += _left(answers, after, rows)
    decisions = pd.DataFrame(rows, columns=list(_TYPES)).astype(_TYPES)
    places = np.flatnonzero(effect != "")
    effects = {place: effect[place] for place in places.tolist()}
    return Replayed(pairs, decisions, graph, after, effects, answers.disputes)


def _nodes(rows: list[dict[str, Any]]) -> np.ndarray:
    """The nodes of the pairs of some rows: shape (2, rows)."""
    nodes = [ends_of(row["pair"]) for row in rows]
    nodes = np.array(nodes, dtype=np.int64)
    return nodes.reshape(-1, 2).T


def _outcomes(answers: Answers) -> list[dict[str, Any]]:
    """One row for all who give the same answer about a pair, with the columns of the table.

    Besides, the nodes of the `pair`, and as `wish` the label, or None. Answers that change or confirm rows have the
    outcome "applied".
    """
    disputed = {}
    for dispute in answers.disputes:
        disputed |= dict.fromkeys(dispute.conflicts, dispute.why)
    groups = defaultdict(list)
    for row in answers.rows:
        third = answers.overruled.get(row.record.id, "")
        groups[row.pair, row.same, third].append(row)
    outcomes = []
    for (pair, same, third), rows in groups.items():
        outcome, why = _outcome(answers, rows, third, disputed)
        first = rows[0]
        texts = (first.record.text_a, first.record.text_b)
        if first.edge >= 0:
            texts = answers.graph.texts(answers.graph.ends(first.edge))
        notes = {}  # each once
        for row in rows:
            note = answers.notes.get((row.reviewer, pair))
            if note:
                notes[f"{row.reviewer}: {note}"] = None
        merged = {
            "pair": pair,
            "wish": NUMBERS.get(same),
            "outcome": outcome,
            "why": why,
            "rows": [],
        }
        merged["text_a"], merged["text_b"] = texts
        merged["same"] = SAME[same]
        merged["label"] = first.label
        merged["reviewers"] = [row.reviewer for row in rows]
        merged["notes"] = " | ".join(notes)
        merged["times"] = [row.record.time for row in rows]
        merged["ids"] = [row.record.id for row in rows]
        outcomes.append(merged)
    return outcomes


def _outcome(
    answers: Answers, rows: list[Row], third: str, disputed: dict[Pair, str]
) -> tuple[str, str]:
    """The outcome of answers about one pair that say the same, which a third person may overrule; and why."""
    first = rows[0]
    if first.same == "later":
        return "later", "not decided yet"
    if third:
        return "overruled", f"by {third}"
    if first.label is None:
        texts = [first.record.text_a, first.record.text_b]
        missing = [repr(text) for text in texts if pair_of(text, text) & first.pair]
        why = ", ".join(missing) or "no row states it"
        return "not in these data", why
    conflicts = {first.pair}.union(*map(answers.conflicts, rows))
    blocked = [disputed[conflict] for conflict in conflicts if conflict in disputed]
    if blocked:
        return "disputed", disputed.get(first.pair, min(blocked))
    if not all(row.fits for row in rows):
        return "stale", f"the label is {first.label}, but it was another one then"
    return "applied", ""


def _left(
    answers: Answers, after: ParaphraseGraph, rows: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The reviewed conflicts that are left, except those that are listed as disputed or whose lines are all right."""
    right = [row for row in rows if row["outcome"] in APPLIED and row["wish"] == 1]
    part = connected(answers.graph.n, *_nodes(right))
    disputed = {row["pair"] for row in rows if row["outcome"] == "disputed"}
    reviewers = defaultdict(dict)  # of each conflict
    for row in answers.live:
        for conflict in answers.conflicts(row):
            reviewers[conflict][row.reviewer] = None
    edges = np.flatnonzero(after.conflicting)
    texts = after.pair_texts(*after.ends(edges))
    texts = texts.to_numpy().tolist()
    pairs = answers.pairs(texts)
    left = []
    for edge, pair, (text_a, text_b) in zip(edges.tolist(), pairs, texts, strict=True):
        a, b = ends_of(pair)
        if pair in disputed or pair not in reviewers or part[a] == part[b]:
            continue
        row = {"outcome": "in conflict", "same": "", "notes": "", "times": [], "ids": []}
        row["text_a"] = text_a
        row["text_b"] = text_b
        row["label"] = int(after.edge_sign[edge] > 0)
        row["rows"] = after.source_rows(edge)
        row["reviewers"] = list(reviewers[pair])
        row["why"] = "a positive path still joins the two"
        if after.labelled_twice[edge]:
            row["why"] = "its rows state both labels"
        left.append(row)
    return left


def in_quotes(graph: ParaphraseGraph) -> tuple[str, str]:
    """The labels 0 and 1 as the file of a graph has them, words in quotes."""
    return tuple(f'"{word}"' for word in graph.own_words) or ("0", "1")


def cut_choice(graph: ParaphraseGraph) -> str:
    """Say what an application does with the rows of a wrong positive, and the other choice."""
    zero, one = in_quotes(graph)
    return f"Rows of a wrong {one} are left out; with --cut negative they are turned to {zero}."
