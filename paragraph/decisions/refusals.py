"""The decisions that reviewers agree on, and why others do not apply to the data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..graph import ParaphraseGraph
from ..graph.search import nodes_of
from .records import Decision, in_order, of_unstated, pair_of, part_of, says, set_aside, settles

__all__ = ["ALREADY_SO", "Verdict", "agreed"]

#: Begins the reason why a decision changes nothing: the data have what it asks for.
ALREADY_SO = "already so"
NOT_STATED = "not stated in these data"
#: Begins the reason why a decision waits for people to look at it again.
LOOK_AGAIN = "look again"


@dataclass
class Verdict:
    """One decision of all who decided a pair, or a decision that does not apply."""

    records: list[Decision]
    target: int = -1  #: the edge whose rows it changes; −1: none, or a judgement of a pair that nobody states
    why: str = ""  #: the reason that it does not apply

    @property
    def first(self) -> Decision:
        return self.records[0]

    @property
    def row(self) -> dict[str, Any]:
        """The columns that all tables have."""
        first, names = self.first, ("decision", "edge1", "edge2")
        row = {"text_a": first.question1, "text_b": first.question2, "why": self.why}
        row |= {name: getattr(first, name) for name in names}
        return row | {f"{name}s": [getattr(one, name) for one in self.records] for name in ("reviewer", "time", "id")}


def agreed(graph: ParaphraseGraph, records: list[Decision]) -> list[Verdict]:
    """List the decisions on each pair by time, each with the reason if it does not apply."""
    texts = sorted({t for r in records for t in (r.question1, r.question2, r.edge1, r.edge2) if t})
    node = dict(zip(texts, nodes_of(graph, texts).tolist(), strict=True))

    def pair(a: str, b: str) -> frozenset:
        """Return a key of a pair, in either order: its nodes, or its texts where the data lack one."""
        return frozenset((node[a], node[b])) if min(node[a], node[b]) >= 0 else pair_of(a, b)

    last = {(record.reviewer, pair(record.question1, record.question2)): record for record in records}
    aside = set_aside(last.values())
    of_pair, verdicts = defaultdict(list), []
    for (_, key), record in last.items():
        if record.id in aside:
            verdicts.append(Verdict([record], why=aside[record.id]))
        else:
            of_pair[key].append(record)
    for same_pair in map(in_order, of_pair.values()):
        if all(map(of_unstated, same_pair)):  # on whichever label: it was no row's
            wishes = {says(r).get(r.pair) for r in same_pair}
        else:
            wishes = {(r.decision, pair(r.edge1, r.edge2) if r.edge1 else None) for r in same_pair}
        if len(wishes) > 1:
            words = ", ".join(f"{r.reviewer}: {r.decision}" for r in same_pair)
            verdicts += [Verdict([record], why=f"reviewers disagree ({words})") for record in same_pair]
        else:
            verdicts.append(Verdict(same_pair, *_target(graph, node, same_pair)))
    verdicts.sort(key=lambda verdict: (verdict.first.time, verdict.first.id))
    _refuse_parts(verdicts)  # what is refused already contradicts nothing
    _refuse_contradictions(verdicts)
    _refuse_parts(verdicts)
    _look_again(graph, verdicts)
    _refuse_repeats(verdicts)
    return verdicts


def _edge(graph: ParaphraseGraph, node: dict[str, int], a: str, b: str) -> tuple[int, str]:
    """Return the edge between two sentences; or -1, and why there is none."""
    if missing := [text for text in (a, b) if node[text] < 0]:
        return -1, f"not in these data: {', '.join(map(repr, missing))}"
    if node[a] == node[b]:
        return -1, f"one sentence in these data: {a!r}, {b!r}"
    edge = graph.edge_between(node[a], node[b])
    return edge, "" if edge >= 0 else f"{NOT_STATED}: {a!r}, {b!r}"


def _target(graph: ParaphraseGraph, node: dict[str, int], records: list[Decision]) -> tuple[int, str]:
    """The edge whose rows a decision changes, and why it does not apply, if so."""
    first = records[0]
    edge, why = _edge(graph, node, first.question1, first.question2)
    if why:
        judged = why.startswith(NOT_STATED) and all(map(of_unstated, records))
        return edge, "" if judged else why
    label = int(graph.edge_sign[edge] > 0)
    if first.decision == "flip" and label:
        return edge, f"{ALREADY_SO}: the label is 1"
    if any(record.label not in (None, label) for record in records):
        return edge, f"the label is {label}, and was {1 - label} when this was decided"
    if first.decision != "cut":
        return edge, ""
    edge, why = _edge(graph, node, first.edge1, first.edge2)
    if not why and graph.edge_sign[edge] < 0:
        why = f"{ALREADY_SO}: the label of {first.edge1!r}, {first.edge2!r} is 0"
    return edge, why


def _sharing(verdicts: list[Verdict], key: Callable[[int], int]) -> Iterable[list[Verdict]]:
    """The verdicts that change rows, those together whose edges have the same key."""
    groups = defaultdict(list)
    for verdict in verdicts:
        if not verdict.why and verdict.target >= 0:
            groups[key(verdict.target)].append(verdict)
    return groups.values()


def _refuse_contradictions(verdicts: list[Verdict]) -> None:
    """Refuse all decisions that want different things of one edge."""
    for same_edge in _sharing(verdicts, int):
        if len({verdict.first.decision for verdict in same_edge}) > 1:
            for verdict in same_edge:
                others = (other.first for other in same_edge if other is not verdict)
                verdict.why = "contradicts " + ", ".join(f"{other.decision} {other.id}" for other in others)


def _refuse_parts(verdicts: list[Verdict]) -> None:
    """Refuse all cuts of a decision of which one is refused. A cut of two reviewers is a part of both decisions."""
    parts = defaultdict(list)
    for verdict in verdicts:
        for record in verdict.records:
            parts[part_of(record)].append(verdict)
    refused = [v for v in verdicts if v.why and v.first.decision != "skip" and not v.why.startswith(ALREADY_SO)]
    for one in refused:  # which grows
        for whole in map(part_of, one.records):
            named = " – ".join(map(repr, sorted(whole[1])))
            for part in parts[whole]:
                if not part.why:
                    part.why = f"part of a refused decision: that on {named} ({one.why})"
                    refused.append(part)


def _look_again(graph: ParaphraseGraph, verdicts: list[Verdict]) -> None:
    """Refuse flips and cuts, for people to look at again, where a third person has settled a disagreement.

    Those in the same cluster that only some of the people say who disagreed: the others may never have seen the
    conflict, and the disagreement may have been the reason. A flip that settles sets no sentences apart.
    """
    for same_cluster in _sharing(verdicts, lambda edge: graph.cluster_of[graph.edge_a[edge]]):
        settled = [settles(r) for one in same_cluster if one.first.decision != "flip" for r in one.records]
        for one in same_cluster:
            said_by = {record.reviewer for record in one.records}
            if one.first.decision in ("flip", "cut") and any(said_by < names for names in settled):
                one.why = f"{LOOK_AGAIN}: a disagreement in its cluster is settled"


def _refuse_repeats(verdicts: list[Verdict]) -> None:
    """Refuse decisions that do what an earlier one has done."""
    for first, *others in _sharing(verdicts, int):
        for verdict in others:
            verdict.why = f"{ALREADY_SO}: cut by decision {first.first.id}"
