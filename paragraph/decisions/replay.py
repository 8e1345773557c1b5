"""The answers of a log, applied to a fresh copy of the data; and a report of their effects."""

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
from ..files.names import sibling
from ..files.outputs import atomic_write
from ..files.records import record_of, write_record
from ..files.tables import write_table
from ..graph import ParaphraseGraph
from ..graph.export import as_written
from ..pairs.back import write_back
from .answers import Answers, Dispute, Pair, Row
from .log import Log, records_of
from .places import ends_of
from .record import NUMBERS, SAME, pair_of

__all__ = ["APPLIED", "Replayed", "cut_choice", "in_quotes", "replay"]

#: The possible effects of an answer on the rows of its pair.
APPLIED = ("becomes 1", "becomes 0", "dropped", "stays")
#: All outcomes, in words; {0} and {1} stand for the words of the file for the labels 0 and 1.
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
        counts = self.decisions["ids"].map(len)
        answers = counts.groupby(self.decisions["outcome"]).sum()
        lines = ["no answers"]
        if len(answers):
            lines = [f"{'pairs':>25}{'answers':>9}"]
        for outcome, pairs in self.counts.items():
            text = EXPLAINED[outcome].format(*in_quotes(self.before))
            if outcome == "disputed":
                text += f" (to talk about: {len(self.disputes):,})"
            lines.append(f"{outcome:<18}{pairs or '–':>7}{answers[outcome]:>9,}  {text}")
        new = _figures(self.graph)
        changes = []
        for name, old in _figures(self.before).items():
            if old:
                changes.append(f"{name}: {old:,} → {new[name]:,}")
        lines.append(", ".join(changes))
        return "\n".join(lines)

    @property
    def counts(self) -> dict[str, int]:
        """By outcome, the number of pairs; a pair counts once, for its first in `EXPLAINED`."""
        table = self.decisions
        pairs = map(pair_of, table["text_a"], table["text_b"])
        is_repeat = pd.Series(pairs, dtype=object).duplicated()
        by_outcome = (~is_repeat).groupby(table["outcome"], sort=False)
        return by_outcome.sum().to_dict()

    def outcome(self, *names: str) -> pd.DataFrame:
        """Return the rows of `decisions` with these outcomes."""
        is_chosen = self.decisions["outcome"].isin(names)
        return self.decisions[is_chosen].reset_index(drop=True)

    @cached_property
    def kept(self) -> np.ndarray:
        """A mask of the edges of `graph` whose label somebody has found right (see `variants.write_datasets`)."""
        applied = {ids[0] for ids in self.outcome(*APPLIED)["ids"]}
        is_decided = self.pairs["decided"].isin(applied)
        edges = self.graph.row_edge[is_decided]
        kept = np.zeros(len(self.graph.edge_a), dtype=bool)
        kept[edges[edges >= 0]] = True
        return kept

    def write(self, path: str | PathLike) -> int:
        """Write a corrected copy of the user's own file, in which no other line changes: see `write_back`.

        Beside ``clean.csv``, ``clean.left_out.csv`` gets the rows that were dropped, and
        ``clean.decisions.tsv`` the table `decisions`. Returns the number of dropped rows. (For a
        table that comes from no file, write `pairs` with `write_pairs`.)
        """
        path = Path(path)
        with atomic_write(path, inputs=self.before.inputs) as part:
            left_out = write_back(self.before.pairs, self.effects, part)
            table = as_written(self.decisions, self.before)
            write_table(table, sibling(part, "decisions", ".tsv"))
            write_record({}, record_of(part))
        return left_out


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
    log : DecisionLog, path of a log, a sheet or a saved page's file, or list of these or of records
        With several reviewers, an answer applies unless another differs on the pair, or on any pair of a conflict
        that it is about (`Answers.disputes`). An answer that settles such a dispute (`ConflictReview(settle=…)`)
        takes the place of those that it overrules. ``log.records("Ada")`` are those of one person.
    data : pair table or graph
        A graph decides which spellings are one sentence. Even if it goes by ids, pairs are found by
        their texts.
    cut : {"drop", "negative"}
        Drop the rows of a wrong positive, or make them 0. In a file whose labels stay as they are
        (those of several people, scores), they always become 0, in its column `decided`.

    Raises
    ------
    DecisionError
        The log cannot be read.

    Notes
    -----
    Each pair stands for itself: an answer that does not apply does not affect others. So if a third person settles a
    dispute, other people's answers about other pairs of the cluster stand. ``pg.conflicts(replayed.graph)`` lists
    what still contradicts.

    Examples
    --------
    >>> import tempfile
    >>> from paragraph import DecisionLog
    >>> log = DecisionLog(f"{tempfile.mkdtemp()}/decisions.db", reviewer="Ada")
    >>> _ = log.add("a", "c", 0, stated=0), log.add("c", "b", 0, stated=1, about=[("a", "c")], note="two towns")
    >>> _ = log.add("x", "y", 1, stated=0)
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> replayed = replay(log, pairs)
    >>> replayed
                        pairs  answers
    dropped                 1        1  left out: rows of a wrong 1, or about which nobody can say
    stays                   1        1  the label was right
    not in these data       1        1  no row states the pair
    rows kept: 3 → 2, labelled pairs: 3 → 2, clusters: 1 → 1, conflicts: 1 → 0
    >>> replayed.pairs[["text_a", "text_b", "label"]].values.tolist()
    [['a', 'b', 1], ['a', 'c', 0]]
    >>> replayed.decisions[["outcome", "text_a", "text_b", "rows", "notes"]].values.tolist()[0]
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
    nodes = np.array([row["ends"] for row in applied], dtype=np.int64).reshape(-1, 2)
    wishes = [row["wish"] for row in applied]
    ids = [row["ids"][0] for row in applied]
    pairs, effect, by_pair = relabelled(graph, nodes.T, wishes, ids, cut)
    for row, (outcome, numbers) in zip(applied, by_pair, strict=True):
        row["outcome"] = outcome
        row["rows"] = numbers
    rank = {outcome: i for i, outcome in enumerate(EXPLAINED)}
    rows.sort(key=lambda row: (rank[row["outcome"]], row["times"][0]))
    places = np.flatnonzero(effect != "")
    return Replayed(
        pairs=pairs,
        decisions=pd.DataFrame(rows, columns=list(_TYPES)).astype(_TYPES),
        before=graph,
        graph=ParaphraseGraph.from_pairs(pairs, identity),
        effects={place: effect[place] for place in places.tolist()},
        disputes=answers.disputes,
    )


def _outcomes(answers: Answers) -> list[dict[str, Any]]:
    """The rows of the table of decisions: one for all people who give the same answer about a pair.

    Besides the columns of the table, a row has the nodes of the pair (`ends`), and the label 1 or 0
    that the answer asks for, or None (`wish`). Answers that change or confirm rows have the outcome
    "applied".
    """
    disputed = {}
    for dispute in answers.disputes:
        disputed |= dict.fromkeys(dispute.conflicts, dispute.why)
    groups = defaultdict(list)
    for row in answers.rows:
        overruler = answers.overruler.get(row.record.id, "")
        groups[row.pair, row.same, overruler].append(row)
    outcomes = []
    for (pair, same, overruler), rows in groups.items():
        first = rows[0]
        outcome, why = _outcome(rows, overruler, disputed)
        texts = (first.record.text_a, first.record.text_b)
        if first.edge >= 0:
            texts = answers.graph.texts(answers.graph.ends(first.edge))
        notes = {}  # each once
        for row in rows:
            note = answers.notes.get((row.reviewer, pair))
            if note:
                notes[f"{row.reviewer}: {note}"] = None
        outcomes.append(
            {
                "ends": ends_of(pair),
                "wish": NUMBERS.get(same),
                "outcome": outcome,
                "text_a": texts[0],
                "text_b": texts[1],
                "same": SAME[same],
                "label": first.label,
                "rows": [],
                "reviewers": [row.reviewer for row in rows],
                "why": why,
                "notes": " | ".join(notes),
                "times": [row.record.time for row in rows],
                "ids": [row.record.id for row in rows],
            }
        )
    return outcomes


def _outcome(rows: list[Row], overruler: str, disputed: dict[Pair, str]) -> tuple[str, str]:
    """The outcome of equal answers about one pair, and the reason; `overruler` may be empty."""
    first = rows[0]
    if first.same == "later":
        return "later", "not decided yet"
    if overruler:
        return "overruled", f"by {overruler}"
    if first.label is None:
        texts = [first.record.text_a, first.record.text_b]
        # the texts that the graph lacks: see `Pair`
        missing = [repr(text) for text in texts if pair_of(text, text) & first.pair]
        why = ", ".join(missing) or "no row states it"
        return "not in these data", why
    conflicts = {first.pair}.union(*(row.conflicts for row in rows))
    blocked = [disputed[conflict] for conflict in conflicts if conflict in disputed]
    if blocked:
        return "disputed", disputed.get(first.pair, min(blocked))
    if not all(row.fits for row in rows):
        return "stale", f"the label is {first.label}, but it was another one then"
    return "applied", ""


def in_quotes(graph: ParaphraseGraph) -> tuple[str, str]:
    """The labels 0 and 1 in the words of the file behind a graph, in quotes if they are words."""
    return tuple(f'"{word}"' for word in graph.own_words) or ("0", "1")


def cut_choice(graph: ParaphraseGraph) -> str:
    """Say what `paragraph apply` does with the rows of a wrong positive, and the other choice."""
    zero, one = in_quotes(graph)
    return f"Rows of a wrong {one} are left out; with --cut negative they are turned to {zero}."
