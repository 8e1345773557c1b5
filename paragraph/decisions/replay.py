"""Answers of a log, applied to a fresh copy of the data; and a report of the effects for people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..doubts.change import relabelled
from ..files.errors import taken
from ..files.names import beside, is_table_name
from ..files.outputs import REPORT, record_of, write_record, written
from ..files.tables import write_table
from ..graph import ParaphraseGraph
from ..graph.arrays import connected
from ..graph.identity import nodes_of
from ..graph.paths import shortest_paths
from ..graph.proof import as_written
from ..pairs import write_pairs
from ..pairs.back import write_back
from .answers import disputes, set_aside
from .log import DecisionLog, records_of
from .record import NUMBERS, SAME, Answer, DecisionError, last_answers, notes, pair_of, standing

__all__ = ["APPLIED", "Replayed", "replay"]

#: The possible effects of an answer on the rows of its pair.
APPLIED = ("becomes 1", "becomes 0", "dropped", "stays")
#: All outcomes, in words.
EXPLAINED = {
    "becomes 1": "the two mean the same: each row of the pair says so now",
    "becomes 0": "the two differ: each row of the pair says so now",
    "dropped": "rows of a wrong positive, or about which nobody can say, are left out",
    "stays": "the label was right",
    "disputed": "people differ about the pair or its conflict: nothing changes until a third person settles it",
    "settled": "a third person's answer has replaced it",
    "stale": "the label is not the one that was seen: nothing changes",
    "not in these data": "no row states the pair",
    "later": "left for later",
    "in conflict": "looked at, but another path or row contradicts it still",
}
_COLUMNS = ("outcome", "text_a", "text_b", "same", "label", "rows", "reviewers", "why", "notes", "times", "ids")


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

    def __repr__(self) -> str:
        table = self.decisions.assign(answers=self.decisions["reviewers"].str.len(), pairs=1)
        counts = table.groupby("outcome", sort=False)[["pairs", "answers"]].sum()
        rows = [f"{a:<18}{b:>7,}{c:>9,}  {EXPLAINED[a]}" for a, b, c in counts.itertuples()]
        rows = [f"{'pairs':>25}{'answers':>9}", *rows] if rows else ["no answers"]
        new = _figures(self.graph)
        changes = [f"{name}: {old:,} → {new[name]:,}" for name, old in _figures(self.before).items() if old]
        return "\n".join([*rows, ", ".join(changes)])

    def outcome(self, *names: str) -> pd.DataFrame:
        """Return the rows of `decisions` with these outcomes."""
        return self.decisions[self.decisions["outcome"].isin(names)].reset_index(drop=True)

    @cached_property
    def kept(self) -> np.ndarray:
        """A mask of the edges of `graph` whose label somebody has found right (see `variants.write_datasets`)."""
        applied = {ids[0] for ids in self.outcome(*APPLIED)["ids"]}
        rows = self.pairs["decided"].isin(applied).to_numpy() & (self.graph.row_edge >= 0)
        return np.isin(np.arange(len(self.graph.edge_a)), self.graph.row_edge[rows])

    def write(self, path: str | PathLike, spreadsheet_safe: bool = False) -> int:
        """Write the corrected pairs: a folder of tables or, with a suffix, a corrected copy of the file.

        Returns the number of rows that were left out.

        A folder gets `pairs` as corrected.tsv, and decisions.tsv; with `spreadsheet_safe`, no spreadsheet runs a text
        as a formula (see `LabelWriter`). A name like ``clean.csv`` is for the user's own file, in which no other line
        changes (`write_back`); beside it, ``clean.left_out.csv`` has the rows that were dropped, and
        ``clean.decisions.tsv`` is `decisions`.
        """
        path = Path(path)
        told = as_written(self.decisions, self.before)
        if is_table_name(path):
            if spreadsheet_safe:
                raise DecisionError(f"{path.name} keeps the cells of its source; spreadsheet_safe is for a folder")
            rows = self.before.pairs.get("row", pd.RangeIndex(len(self.before.pairs)))
            outcomes = {row: one.outcome for one in self.outcome(*APPLIED).itertuples() for row in one.rows}
            effects = {place: outcomes[row] for place, row in enumerate(rows) if row in outcomes}
            with written(path, inputs=self.before.inputs) as part:
                left_out = write_back(self.before.pairs, effects, part)
                write_table(told, beside(part, "decisions", ".tsv"))
                write_record({}, record_of(part))
            return left_out
        with written(path, folder=True, inputs=self.before.inputs) as stage:
            write_pairs(self.pairs, stage / "corrected.tsv", spreadsheet_safe)
            write_table(told, stage / "decisions.tsv", spreadsheet_safe)
            write_record({}, stage / REPORT)
        return len(self.before.pairs) - len(self.pairs)


def _figures(graph: ParaphraseGraph) -> dict[str, int]:
    """The counts that a replay may change."""
    return {
        "rows": len(graph.pairs), "labelled pairs": len(graph.edge_a),
        "clusters": np.count_nonzero(graph.cluster_sizes > 1), "conflicts": np.count_nonzero(graph.conflicting),
        "sentences stated to differ from themselves": len(graph.self_negatives),
    }  # fmt: skip


def replay(
    log: DecisionLog | str | PathLike | list,
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
        that it is about (`answers.disputes`). An answer that settles such a dispute (`ConflictReview(settle=…)`)
        replaces those that it settles. ``log.records("Ada")`` are those of one person.
    data : pair table or graph
        A graph defines when two spellings are one sentence. Even if ids do, pairs are found by their texts.
    cut : {"drop", "negative"}
        Whether the rows of a wrong positive are dropped or become 0.

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
    >>> log = DecisionLog(f"{tempfile.mkdtemp()}/decisions.db", reviewer="Ada")
    >>> _ = log.add("a", "c", 0, stated=0), log.add("c", "b", 0, stated=1, about=[("a", "c")], note="two towns")
    >>> _ = log.add("x", "y", 1, stated=0)
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> found = replay(log, pairs)
    >>> found
                        pairs  answers
    dropped                 1        1  rows of a wrong positive, or about which nobody can say, are left out
    stays                   1        1  the label was right
    not in these data       1        1  no row states the pair
    rows: 3 → 2, labelled pairs: 3 → 2, clusters: 1 → 1, conflicts: 1 → 0
    >>> found.pairs[["text_a", "text_b", "label"]].values.tolist()
    [['a', 'b', 1], ['a', 'c', 0]]
    >>> found.decisions[["outcome", "text_a", "text_b", "rows", "notes"]].values.tolist()[0]
    ['dropped', 'b', 'c', [1], 'Ada: two towns']
    """
    taken(data, pd.DataFrame | ParaphraseGraph, "replay", "a log, then a table or a graph", "replay(log, pairs)")
    graph = data if isinstance(data, ParaphraseGraph) else ParaphraseGraph.from_pairs(data)
    identity = graph.identity
    if identity == "id":
        graph = ParaphraseGraph.from_pairs(graph.pairs)
    said, lookers = _joined(graph, records_of(log))
    applied = [row for row in said if row["outcome"] == "applied"]
    pairs, effects = relabelled(
        graph, _ends(applied), [row["wish"] for row in applied], cut, [row["ids"][0] for row in applied]
    )
    for row, (effect, rows) in zip(applied, effects, strict=True):
        row |= {"outcome": effect, "rows": rows}
    after = ParaphraseGraph.from_pairs(pairs, identity)
    order = [*EXPLAINED]
    said.sort(key=lambda row: (order.index(row["outcome"]), row["times"][0]))
    said += _left(graph, after, said, lookers)
    types = dict.fromkeys(_COLUMNS, "str") | {"label": "Int8"}
    types |= dict.fromkeys(("rows", "reviewers", "times", "ids"), object)
    return Replayed(pairs, pd.DataFrame(said, columns=list(_COLUMNS)).astype(types), graph, after)


def _joined(graph: ParaphraseGraph, records: list[Answer]) -> tuple[list[dict[str, Any]], dict[frozenset, list[str]]]:
    """Join the answers about pairs with a graph; and list the reviewers of each conflict.

    One row for all who give the same answer about a pair, with the columns of the table, the nodes of the `pair`, and
    as `wish` the label, or None. Answers that change or confirm rows have the outcome "applied".
    """
    noted, answers = notes(records), standing(records)
    texts = sorted({text for one in answers for pair in (one.pair, *one.conflicts()) for text in pair})
    found = zip(texts, nodes_of(graph, texts).tolist(), strict=True)
    names = {text: text if node < 0 else node for text, node in found}  # a text that the data lack is its own name

    def key(a: str, b: str) -> frozenset:
        return frozenset(names[text] for text in pair_of(a, b))

    words = last_answers(answers, key)
    live = [one for one in words if one.same != "later"]
    # Whoever answers about a line looked at all conflicts on whose path it lies, in whatever file the answer came.
    lines = _lines(graph, {node for one in live for node in key(one.text_a, one.text_b) if isinstance(node, int)})
    aside = set_aside(live, key, lines)
    stand = disputes((one for one in live if one.id not in aside), key, lines)
    disputed = {conflict: dispute.why for dispute in stand for conflict in dispute.conflicts}
    lookers: dict[frozenset, list[str]] = defaultdict(list)
    for one in live:
        for conflict in one.conflicts(key, lines):
            lookers[conflict].append(one.reviewer)
    groups: dict[tuple, list[Answer]] = defaultdict(list)
    for one in words:
        groups[key(one.text_a, one.text_b), one.same, aside.get(one.id)].append(one)
    rows = []
    for (pair, same, by), each in groups.items():
        a, b = told = (each[0].text_a, each[0].text_b)
        missing = [text for text in told if pair_of(text, text) & pair]
        edge, label = (-1, None) if missing else _stated(graph, pair)
        if edge >= 0:
            a, b = graph.texts(graph.ends(edge))
        blocked = [disputed[c] for one in each for c in (pair, *one.conflicts(key, lines)) if c in disputed]
        other = {one.stated for one in each} - {"", str(label)}
        outcome, why = next(rule for holds, *rule in (
            (same == "later", "later", "not decided yet"),
            (by, "settled", f"by {by}"),
            (label is None, "not in these data", ", ".join(map(repr, missing)) or "no row states it"),
            (blocked, "disputed", disputed.get(pair, min(blocked, default=""))),
            (other and same != str(label), "stale", f"the label is {label}, but it was another one then"),
            (True, "applied", ""),
        ) if holds)  # fmt: skip
        said = {f"{one.reviewer}: {noted[who]}": None for one in each if (who := (one.reviewer, one.pair)) in noted}
        rows.append({
            "pair": pair, "wish": NUMBERS.get(same), "outcome": outcome, "text_a": a, "text_b": b, "same": SAME[same],
            "label": label, "rows": [], "reviewers": [one.reviewer for one in each], "why": why,
            "notes": " | ".join(said), "times": [one.time for one in each], "ids": [one.id for one in each],
        })  # fmt: skip
    return rows, lookers


def _lines(graph: ParaphraseGraph, nodes: set[int]) -> dict[frozenset[int], set[frozenset[int]]]:
    """By pair, the conflicts of which it is a line, as a sheet lists them; in the clusters of some nodes."""
    clusters = np.unique(graph.cluster_of[[*nodes]]) if nodes and not graph.bipartite else []
    ends = graph.ends(np.flatnonzero(graph.negatives_inside & np.isin(graph.edge_clusters[0], clusters)))
    found: dict[frozenset[int], set[frozenset[int]]] = defaultdict(set)
    for conflict, path in zip(ends.T.tolist(), shortest_paths(graph, *ends), strict=True):
        for line in pairwise(path):
            found[frozenset(line)].add(frozenset(conflict))
    for pair in map(frozenset, graph.ends(np.flatnonzero(graph.labelled_twice)).T.tolist()):
        found[pair].add(pair)
    return found


def _ends(rows: Iterable[dict[str, Any]]) -> np.ndarray:
    """The nodes of pairs, shape (2, pairs); the same node twice for a sentence with itself."""
    return np.array([(*row["pair"], *row["pair"])[:2] for row in rows], dtype=np.int64).reshape(-1, 2).T


def _stated(graph: ParaphraseGraph, pair: frozenset[int]) -> tuple[int, int | None]:
    """The edge of a pair of nodes, or -1; and its label, 0 for a sentence with itself if a row says so."""
    a, b = (*pair, *pair)[:2]
    if a == b:
        return -1, min(((graph.row_sign[graph.rows_between(a, a)] > 0).astype(int)).tolist(), default=None)
    edge = graph.edge_between(a, b)
    return edge, int(graph.edge_sign[edge] > 0) if edge >= 0 else None


def _left(
    before: ParaphraseGraph, after: ParaphraseGraph, said: list[dict], lookers: dict[frozenset, list[str]]
) -> list[dict[str, Any]]:
    """The reviewed conflicts that are left, except those that are listed as disputed or whose lines are all right."""
    right = [row for row in said if row["outcome"] in APPLIED and row["wish"] == 1]
    disputed = {row["pair"] for row in said if row["outcome"] == "disputed"}
    part, edges = connected(before.n, *_ends(right)), np.flatnonzero(after.conflicting)
    table = after.pair_texts(*after.ends(edges))
    table = table.assign(label=after.edge_sign[edges] > 0, edge=edges, outcome="in conflict", same="", notes="")
    nodes = zip(*(nodes_of(before, table[name].tolist()).tolist() for name in ("text_a", "text_b")), strict=True)
    found = []
    for row, (a, b) in zip(table.to_dict("records"), nodes, strict=True):
        pair = frozenset((a, b))
        if pair not in disputed and (names := lookers.get(pair)) and part[a] != part[b]:
            both = after.labelled_twice[row["edge"]]
            why = "its rows state both labels" if both else "a positive path still joins the two"
            told = {"why": why, "rows": after.source_rows(row["edge"]), "reviewers": [*dict.fromkeys(names)]}
            found.append(row | told | {"times": [], "ids": []})
    return found
