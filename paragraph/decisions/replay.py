"""Answers of a log, joined with a fresh copy of the data; and for a person to read, what that did."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..draw.page import png_image
from ..graph import ParaphraseGraph
from ..graph.arrays import connected
from ..graph.proof import write_conflicts
from ..graph.search import nodes_of
from ..pairs import outputs, write_pairs
from ..pairs.corrected import beside_corrected, is_table_name, write_corrected
from ..pairs.showing import show
from ..repairs.change import relabelled
from .answers import NUMBERS, SAME, Answer, DecisionError, last_words, name_of, notes, pair_of, standing
from .log import DecisionLog, records_of
from .several import disputes, set_aside, settles

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
            picture = png_image(figure, "The cluster in which most labels changed, before and after")
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
    wait for people to look again: what only some of those say who had disagreed.

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
    said, lookers = _joined(graph, records)
    applied = [row for row in said if row["outcome"] == "applied"]
    pairs, effects = relabelled(
        graph, _ends(applied), [row["wish"] for row in applied], cut, [row["ids"][0] for row in applied]
    )
    for row, (effect, rows) in zip(applied, effects, strict=True):
        row |= {"outcome": effect, "rows": rows}
    after = ParaphraseGraph.from_pairs(pairs, identity)
    said.sort(key=lambda row: (_ORDER.index(row["outcome"]), row["times"][0]))
    said += _left(graph, after, said, lookers)
    types = dict.fromkeys(_COLUMNS, "str") | {"label": "Int8"}
    types |= dict.fromkeys(("rows", "reviewers", "times", "ids"), object)
    return Replayed(pairs, pd.DataFrame(said, columns=list(_COLUMNS)).astype(types), identity, graph, after)


_ORDER = [*APPLIED, "no row", "disputed", "look again", "settled", "stale", "not in these data", "later"]


def _joined(
    graph: ParaphraseGraph, records: list[Answer]
) -> tuple[list[dict[str, Any]], dict[frozenset, dict[str, None]]]:
    """Join what was said of pairs with a graph; and who has looked at which conflict.

    One row what was said of a pair, with the columns of the table, the nodes of the `pair`, and the `wish`: the
    label, or None. What changes or confirms rows has the outcome "applied".
    """
    noted, answers = notes(records), standing(records)
    texts = sorted({text for one in answers for pair in (one.pair, *one.conflicts()) for text in pair})
    found = zip(texts, nodes_of(graph, texts).tolist(), strict=True)
    names = {text: text if node < 0 else node for text, node in found}  # a text that the data lack is its own name

    def key(a: str, b: str) -> frozenset:
        return frozenset(names[text] for text in pair_of(a, b))

    def home(one: Answer) -> int | None:
        node = names[min(one.pair)]
        return int(graph.cluster_of[node]) if isinstance(node, int) else None

    words = last_words(answers, key)
    live = [one for one in words if one.same != "later"]
    aside, whose = set_aside(live, key), {one.id: one.reviewer for one in live}
    stand = [one for one in live if one.id not in aside]
    disputed = {conflict: dispute.why for dispute in disputes(stand, key) for conflict in dispute.conflicts}
    # Where a third person settles a conflict otherwise than by "the same", the sentences fall apart, or a flip is
    # taken back: those who disagreed may never have seen the conflicts that this leaves, and their disagreement may
    # have been the reason of what they said there. So what only some of them say in its cluster waits.
    parted: dict[int | None, list[set[str]]] = defaultdict(list)
    lookers: dict[frozenset, dict[str, None]] = defaultdict(dict)
    groups: dict[tuple, list[Answer]] = defaultdict(list)
    for one in words:
        groups[key(one.text_a, one.text_b), one.same, aside.get(one.id)].append(one)
    for one in live:
        if one.same != "1" and (differed := {whose[id] for id in settles(one) if id in aside}):
            parted[home(one)].append(differed)
        for conflict in one.conflicts(key):
            lookers[conflict][one.reviewer] = None
    rows = []
    for (pair, same, by), each in groups.items():
        a, b = told = (each[0].text_a, each[0].text_b)
        missing = [text for text in told if pair_of(text, text) & pair]
        edge, label = (-1, None) if missing else _stated(graph, pair)
        if edge >= 0:
            a, b = graph.texts(graph.ends(edge))
        people = [one.reviewer for one in each]
        blocked = [disputed[c] for one in each for c in (pair, *one.conflicts(key)) if c in disputed]
        waits = same != str(label) and any({*people} < differed for differed in parted[home(each[0])])
        other = {one.stated for one in each} - {"", str(label)}
        outcome, why = next(rule for holds, *rule in (
            (same == "later", "later", "not decided yet"),
            (by, "settled", f"by {by}"),
            (missing, "not in these data", ", ".join(map(repr, missing))),
            (blocked, "disputed", "".join(blocked[:1])),
            (waits and same != "?", "look again", "a disagreement in its cluster is settled"),
            (label is None and other, "not in these data", "no row states it"),
            (label is None, "no row", "judged"),
            (other and same != str(label), "stale", f"the label is {label}, and was another when this was said"),
            (True, "applied", ""),
        ) if holds)  # fmt: skip
        said = dict.fromkeys(
            f"{one.reviewer}: {noted[who]}" for one in each if (who := (one.reviewer, one.pair)) in noted
        )
        row = {"pair": pair, "wish": NUMBERS.get(same), "outcome": outcome, "text_a": a, "text_b": b}
        row |= {"same": SAME[same], "label": label, "rows": [], "why": why, "notes": " | ".join(said)}
        rows.append(row | {"reviewers": people, "times": [one.time for one in each], "ids": [one.id for one in each]})
    return rows, lookers


def _ends(rows: Iterable[dict[str, Any]]) -> np.ndarray:
    """The nodes of pairs, shape (2, pairs); a sentence with itself is there twice."""
    return np.array([(*row["pair"], *row["pair"])[:2] for row in rows], dtype=np.int64).reshape(-1, 2).T


def _stated(graph: ParaphraseGraph, pair: frozenset[int]) -> tuple[int, int | None]:
    """The edge of a pair of nodes, or -1; and its label, of a sentence with itself 0 where a row says so."""
    edge = graph.edge_between(*pair) if len(pair) > 1 else -1
    signs = (
        graph.row_sign[graph.rows_between(*pair, *pair)] if len(pair) == 1 else graph.edge_sign[[edge] * (edge >= 0)]
    )
    return edge, int(min(signs) > 0) if len(signs) else None


def _plain(graph: ParaphraseGraph) -> np.ndarray:
    """The edges that can be in conflict: where the two sides are different things, only those stated both ways."""
    return np.flatnonzero(graph.both_ways if graph.bipartite else graph.conflicting)


def _left(
    before: ParaphraseGraph, after: ParaphraseGraph, said: list[dict], lookers: dict[frozenset, dict[str, None]]
) -> list[dict[str, Any]]:
    """The conflicts that somebody looked at and that are left, but for those of which all lines are right."""
    right = [row for row in said if row["outcome"] in APPLIED and row["wish"] == 1]
    part, edges = connected(before.n, *_ends(right)), _plain(after)
    texts = [after.texts(ends) for ends in after.ends(edges)]
    found = []
    for edge, a, b, *nodes in zip(
        edges.tolist(), *texts, *(nodes_of(before, each).tolist() for each in texts), strict=True
    ):
        if (names := lookers.get(frozenset(nodes))) and len({*part[nodes]}) > 1:
            why = "its rows state both labels" if after.both_ways[edge] else "a positive path still joins the two"
            row = {"outcome": "in conflict", "text_a": a, "text_b": b, "same": "", "why": why, "notes": ""}
            row |= {"label": int(after.edge_sign[edge] > 0), "rows": after.source_rows(edge)}
            found.append(row | {"reviewers": [*names], "times": [], "ids": []})
    return found
