"""A log of decisions, replayed on a fresh copy of the data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.conflicts import write_conflicts
from ..graph.search import nodes_of
from ..pairs import outputs, write_pairs
from ..pairs.write import write_table
from ..repairs.apply import effects_of, relabelled
from .log import DecisionLog, records_of
from .records import Decision, DecisionError, in_order, made_for, of_unstated, pair_of, standing
from .summary import as_html, as_text, each
from .verdicts import says

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Replayed", "replay"]

_CHANGES = (
    "text_a", "text_b", "decision", "edge1", "edge2", "label", "effect", "rows", "reviewers", "times", "ids", "why",
)  # fmt: skip
_NOT_APPLIED = ("text_a", "text_b", "decision", "edge1", "edge2", "reviewers", "times", "ids", "why")
_UNSTATED = ("text_a", "text_b", "same", "reviewers", "times", "ids")
#: Begins the reason why a decision changes nothing: the data have what it asks for.
SO_ALREADY = "so already"
#: What the columns are called in the file of changes.
_WRITTEN = {"text_a": "question1", "text_b": "question2", "edge1": "text_a", "edge2": "text_b"}


@dataclass(frozen=True, repr=False)
class Replayed:
    """A pair table with the decisions of a log applied.

    Printed it says what was applied, dropped and refused, and how the data changed; a notebook shows a picture of the
    cluster that changed most, before and after, and the first decisions.
    """

    #: The corrected rows, in their order; the new column `decided` holds the id of the decision that changed or
    #: kept a row's label, and is empty elsewhere.
    pairs: pd.DataFrame
    #: One row a decision that applied: the pair it was made on (`text_a`, `text_b`); the pair whose rows it changed
    #: (`edge1`, `edge2`), its `label` before, the `effect` ("becomes 1", "becomes 0", "dropped", "stays") and the
    #: numbers of the `rows`; who decided, when, and why.
    changes: pd.DataFrame
    #: One row a decision that did not apply, and `why`.
    not_applied: pd.DataFrame
    #: One row a pair that was judged though no row states it, as in an audit: `text_a`, `text_b`, `same` (1, 0, or
    #: missing where nobody can say), who, when. Nothing in the data changes by it.
    unstated: pd.DataFrame
    #: When two spellings are one sentence.
    identity: str
    #: The graph of the given data, in which the decisions were found.
    before: ParaphraseGraph
    #: The pairs whose rows changed or were dropped, as edges of `before`.
    changed: np.ndarray

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)

    @cached_property
    def decisions(self) -> pd.DataFrame:
        """Every decision and what became of it, in one table: see `summary.each`."""
        return each(self)

    def figure(self) -> Figure | None:
        """The cluster in which most labels changed, before and after; None where none changed."""
        from ..draw.figures import draw_change

        return draw_change(self.before, self.graph, self.changed) if len(self.changed) else None

    @cached_property
    def graph(self) -> ParaphraseGraph:
        """The graph of the corrected pairs."""
        return ParaphraseGraph.from_pairs(self.pairs, self.identity)

    @cached_property
    def kept(self) -> np.ndarray:
        """For every edge of `graph`: was it decided to keep its label? (See `variants.write_datasets`.)"""
        stays = self.changes.loc[self.changes["effect"] == "stays", "ids"]
        rows = self.pairs["decided"].isin([ids[0] for ids in stays]).to_numpy()
        kept = np.zeros(len(self.graph.edge_a), dtype=bool)
        edges = self.graph.row_edge[rows]
        kept[edges[edges >= 0]] = True
        return kept

    def write(self, folder: Path, spreadsheet_safe: bool = False) -> None:
        """Write `pairs` as corrected.tsv, `changes`, `not_applied` and `unstated` as files of these names.

        With `spreadsheet_safe` no spreadsheet runs a text as a formula (see `LabelWriter`).
        """
        with outputs.together(folder) as stage:
            write_pairs(self.pairs, stage / "corrected.tsv", spreadsheet_safe)
            write_table(self.changes.rename(columns=_WRITTEN), stage / "changes.tsv", spreadsheet_safe)
            write_conflicts(self.not_applied, stage / "not_applied.tsv", spreadsheet_safe)
            same = self.unstated["same"].astype("str").fillna("")
            write_conflicts(self.unstated.assign(same=same), stage / "unstated.tsv", spreadsheet_safe)


class _Verdict(NamedTuple):
    """A decision on which all agree who decided the pair, or one that does not apply."""

    records: list[Decision]
    target: int = -1  #: the edge whose rows it changes; −1: none, or a judgement of a pair that nobody states
    why: str = ""  #: why it does not apply

    @property
    def row(self) -> dict[str, Any]:
        """What both tables say of it."""
        first = self.records[0]
        lists = {
            f"{name}s": [getattr(record, name) for record in self.records] for name in ("reviewer", "time", "id")
        }
        return {
            "text_a": first.question1, "text_b": first.question2, "decision": first.decision,
            "edge1": first.edge1, "edge2": first.edge2, **lists, "why": self.why,
        }  # fmt: skip


def replay(
    log: DecisionLog | str | PathLike | list[Decision],
    data: pd.DataFrame | ParaphraseGraph,
    *,
    reviewer: str | None = None,
    cut: str = "drop",
    identity: str | None = None,
) -> Replayed:
    """The data with the decisions of a log applied; the given data are not changed.

    Pairs are found by the texts of their sentences. *flip*: all rows of the pair become 1. *cut*: all rows of
    the positive pair it names are dropped. *keep*: the rows stay, and no rule will flip them. *ambiguous*: the
    pair's rows are dropped. *skip*: nothing.

    Parameters
    ----------
    log : DecisionLog, path of a log or of its export, or list of records
    data : pair table or graph
    reviewer : str, optional
        Whose decisions. Of several reviewers, those decisions apply on which all agree who decided the pair
        (*skip* aside), and the others are listed.
    cut : {"drop", "negative"}
        Whether the rows of a cut pair are dropped, or become 0.
    identity : {"text", "normal", "id"}, optional
        When two spellings are one sentence. Default: the graph's own, or "text". With "id", too, decisions
        are found by text.

    Raises
    ------
    DecisionError
        The log cannot be read, or holds nothing of `reviewer`.

    Notes
    -----
    A decision does not apply, and `not_applied` says so, where the data no longer hold a sentence or state
    the pair, where the label is another than it was when decided, where it is so already, or where two
    decisions want different things of one pair. A decision on a conflict of which several positives are cut applies
    as a whole or not at all.

    Examples
    --------
    >>> import tempfile
    >>> log = DecisionLog(f"{tempfile.mkdtemp()}/decisions.db", reviewer="Ada")
    >>> _ = log.add("a", "c", "cut", label=0, edge=("c", "b"))
    >>> _ = log.add("x", "y", "flip", label=0)
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> found = replay(log, pairs)
    >>> found
              pairs  decisions
    dropped       1          1  cut
    refused       1          1  not in these data
    rows: 3 → 2, labelled pairs: 3 → 2, clusters of two or more: 1 → 1, conflicts inside clusters: 1 → 0
    >>> found.pairs[["text_a", "text_b", "label"]].values.tolist()
    [['a', 'b', 1], ['a', 'c', 0]]
    >>> found.changes[["decision", "edge1", "edge2", "label", "effect"]]
      decision edge1 edge2  label   effect
    0      cut     b     c      1  dropped
    >>> found.not_applied["why"].tolist()
    ["not in these data: 'x', 'y'"]
    """
    if isinstance(log, pd.DataFrame | ParaphraseGraph):
        raise DecisionError("the log comes first, then the data: replay(log, pairs)")
    if not isinstance(data, pd.DataFrame | ParaphraseGraph):
        raise DecisionError(f"data {data!r} is no pair table and no graph: replay(log, read_pairs(file))")
    effects, records = effects_of(cut), records_of(log)
    if reviewer is not None:
        known = sorted({record.reviewer for record in records})
        if reviewer not in known:
            raise DecisionError(f"the log holds nothing of {reviewer!r}; its reviewers: {', '.join(known) or 'none'}")
        records = [record for record in records if record.reviewer == reviewer]
    graph, identity = _graph(data, identity)
    verdicts = _settled(_verdicts(graph, standing(records)))
    applied = {v.target: v for v in sorted(verdicts, key=lambda v: v.target) if not v.why and v.target >= 0}
    effect_on = {edge: effects[verdict.records[0].decision] for edge, verdict in applied.items()}
    pairs, rows = relabelled(graph, effect_on, {edge: verdict.records[0].id for edge, verdict in applied.items()})
    changes = []
    for edge, effect in effect_on.items():
        a, b = graph.texts([graph.edge_a[edge], graph.edge_b[edge]])
        label, records = int(graph.edge_sign[edge] > 0), applied[edge].records
        why = "; ".join(dict.fromkeys(text for record in records for text in (record.reason, record.note) if text))
        own = {"edge1": a, "edge2": b, "label": label, "effect": effect, "rows": rows[edge], "why": why}
        changes.append(applied[edge].row | own)
    refused = [verdict.row for verdict in verdicts if verdict.why]
    bare = ((v, v.records[0]) for v in verdicts if v.target < 0 and not v.why)
    judged = [v.row | {"same": says(first).get(first.pair)} for v, first in bare]
    tables = (_table(*each) for each in ((changes, _CHANGES), (refused, _NOT_APPLIED), (judged, _UNSTATED)))
    changed = np.array([edge for edge, effect in effect_on.items() if effect != "stays"], dtype=np.int64)
    return Replayed(pairs, *tables, identity, graph, changed)


def _graph(data: pd.DataFrame | ParaphraseGraph, identity: str | None) -> tuple[ParaphraseGraph, str]:
    """The graph on which decisions are found, and the identity of the result."""
    if isinstance(data, ParaphraseGraph):
        if data.pairs is None or (identity in (None, data.identity) and data.identity != "id"):
            return data, data.identity
        data, identity = data.pairs, identity or data.identity
    identity = identity or "text"
    return ParaphraseGraph.from_pairs(data, "text" if identity == "id" else identity), identity


class _Places:
    """Where the pairs that decisions name are in a graph."""

    def __init__(self, graph: ParaphraseGraph, records: Iterable[Decision]):
        self.graph = graph
        texts = sorted({t for r in records for t in (r.question1, r.question2, r.edge1, r.edge2) if t})
        self._node = dict(zip(texts, nodes_of(graph, texts).tolist(), strict=True))

    def pair(self, a: str, b: str) -> frozenset:
        """The same for the same two sentences: their nodes, or texts where the data lack one."""
        nodes = frozenset((self._node[a], self._node[b]))
        return nodes if -1 not in nodes else pair_of(a, b)

    def edge(self, a: str, b: str) -> tuple[int, str]:
        """The edge between two sentences; or -1, and why there is none."""
        missing = [text for text in (a, b) if self._node[text] < 0]
        if missing:
            return -1, f"not in these data: {', '.join(map(repr, missing))}"
        i, j = self._node[a], self._node[b]
        if i == j:
            return -1, f"one sentence in these data: {a!r}, {b!r}"
        edge = self.graph.edge_between(i, j)
        return edge, "" if edge >= 0 else f"not stated in these data: {a!r}, {b!r}"


def _verdicts(graph: ParaphraseGraph, records: list[Decision]) -> list[_Verdict]:
    """What the reviewers decided of each pair, and why it does not apply, if so; by time."""
    places = _Places(graph, records)
    last = {(record.reviewer, places.pair(record.question1, record.question2)): record for record in records}
    of_pair = defaultdict(list)
    found = []
    for (_, pair), record in last.items():
        if record.decision == "skip":
            found.append(_Verdict([record], why="skipped: not decided yet"))
        else:
            of_pair[pair].append(record)
    for together in map(in_order, of_pair.values()):
        if all(map(of_unstated, together)):  # on whichever label: it was no row's
            wishes = {says(r).get(r.pair) for r in together}
        else:
            wishes = {(r.decision, places.pair(r.edge1, r.edge2) if r.edge1 else None) for r in together}
        if len(wishes) > 1:
            words = ", ".join(f"{r.reviewer}: {r.decision}" for r in together)
            found += [_Verdict([record], why=f"reviewers disagree ({words})") for record in together]
        else:
            found.append(_Verdict(together, *_target(graph, places, together)))
    return sorted(found, key=lambda verdict: (verdict.records[0].time, verdict.records[0].id))


def _target(graph: ParaphraseGraph, places: _Places, records: list[Decision]) -> tuple[int, str]:
    """The edge whose rows a decision changes, and why it does not apply, if so."""
    first = records[0]
    edge, why = places.edge(first.question1, first.question2)
    if why:
        pair = places.pair(first.question1, first.question2)
        known = len(pair) == 2 and pair != first.pair  # as nodes, not as texts
        return edge, "" if known and all(map(of_unstated, records)) else why
    label = int(graph.edge_sign[edge] > 0)
    if first.decision == "flip" and label:
        return edge, f"{SO_ALREADY}: the label is 1"
    if any(record.label not in (None, label) for record in records):
        return edge, f"the label is {label}, and was {1 - label} when this was decided"
    if first.decision != "cut":
        return edge, ""
    edge, why = places.edge(first.edge1, first.edge2)
    if not why and graph.edge_sign[edge] < 0:
        why = f"{SO_ALREADY}: the label of {first.edge1!r}, {first.edge2!r} is 0"
    return edge, why


def _settled(verdicts: list[_Verdict]) -> list[_Verdict]:
    """The verdicts, those with a reason `why` they do not apply that contradict others or are a part of a refusal."""
    verdicts = _as_wholes(_without_contradictions(_as_wholes(verdicts)))
    first: dict[int, _Verdict] = {}
    found = []
    for verdict in verdicts:
        if not verdict.why and verdict.target >= 0 and first.setdefault(verdict.target, verdict) is not verdict:
            before = first[verdict.target].records[0]
            verdict = verdict._replace(why=f"{SO_ALREADY}: cut by decision {before.id}")
        found.append(verdict)
    return found


def _without_contradictions(verdicts: list[_Verdict]) -> list[_Verdict]:
    """None of the verdicts applies that want different things of one edge."""
    of_edge = defaultdict(list)
    for verdict in verdicts:
        if not verdict.why and verdict.target >= 0:
            of_edge[verdict.target].append(verdict)
    found = []
    for verdict in verdicts:
        together = [] if verdict.why else of_edge.get(verdict.target, [])
        if len({one.records[0].decision for one in together}) > 1:
            others = (one.records[0] for one in together if one is not verdict)
            verdict = verdict._replace(
                why=f"contradicts {', '.join(f'{other.decision} {other.id}' for other in others)}"
            )
        found.append(verdict)
    return found


def _as_wholes(verdicts: list[_Verdict]) -> list[_Verdict]:
    """Where a part of a decision on a conflict is refused, so are its other parts: its cuts go together."""
    verdicts = list(verdicts)
    parts = defaultdict(list)  # for each reviewer and conflict the places of the verdicts
    for i, verdict in enumerate(verdicts):
        if verdict.records[0].decision != "skip":
            for record in verdict.records:
                parts[record.reviewer, made_for(record) or record.pair].append(i)
    changed = True
    while changed:  # a verdict of two reviewers is a part of two decisions
        changed = False
        for (_, conflict), places in parts.items():
            refused = [i for i in places if verdicts[i].why and not verdicts[i].why.startswith(SO_ALREADY)]
            open_ = [i for i in places if not verdicts[i].why]
            if refused and open_:
                on, because = " – ".join(map(repr, sorted(conflict))), verdicts[refused[0]].why
                why = f"part of a refused decision: that on {on} ({because})"
                for i in open_:
                    verdicts[i] = verdicts[i]._replace(why=why)
                changed = True
    return verdicts


def _table(rows: list[dict[str, Any]], columns: tuple[str, ...]) -> pd.DataFrame:
    lists = ("rows", "reviewers", "times", "ids")
    numbers = {"label": "int64", "same": "Int8"}
    types = {name: numbers.get(name, "str") for name in columns if name not in lists}
    return pd.DataFrame(rows, columns=list(columns)).astype(types)
