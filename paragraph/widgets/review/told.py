"""Facts about a pair besides the records: the effect of each decision, the proposal, the other columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...decisions.queue import Queue
from ...doubts.own import in_english
from ...doubts.proposals import Proposals
from ...doubts.what_if import Changes
from ...draw.view import View, view_of
from ...graph import ParaphraseGraph
from ...learn.logistic import sigmoid
from ...words.difference import reasons
from ..base.records import Plain
from .questions import CONFLICT

__all__ = ["facts_of", "open_links", "proposal_of", "still_of", "what_if"]

NUMBERED = 9  # edges of a path that have a key of their own
REASONS = 5  # listed of each pair at most
JOINED = "still joined"
#: The meanings of proposals.
GLOSS = {name: hint for _, name, _, hint in CONFLICT.words["decide"]} | {
    "unsure": "Flip and cut are nearly as probable", "none": "No model read the sentences, and words do not tell",
}  # fmt: skip
SETTLED = 4  # conflicts named at most
STILL = 60  # sentences of a still picture


def what_if(queue: Queue, edge: int, path_edges: list[int]) -> list[list[str]]:
    """Tabulate the effect of each decision on a conflict: its name, clusters, inferred labels, settled conflicts."""
    cluster, now = queue.cluster[edge], queue.before(edge)
    before = queue.decided.outcome(cluster, now)
    options = {"as it is": now, "flip": Changes(now.flipped | {edge}, now.gone)}
    for number, one in enumerate(path_edges[:NUMBERED], 1):
        if one not in now.flipped:
            options[f"cut {number}"] = Changes(now.flipped, now.gone | {one})
    rows = []
    for name, changes in options.items():
        after = before if changes is now else queue.decided.outcome(cluster, changes)
        others = [
            one
            for one in after.apart - before.apart
            if one != edge and one in queue.number and not queue.is_direct(one)
        ]
        settles = sorted(queue.number[one] for one in others if queue.state(one) in ("open", "skip", "settled"))
        message = ", ".join(f"#{number}" for number in settles[:SETTLED]) or "–"
        if len(settles) > SETTLED:
            message += f" and {len(settles) - SETTLED} more"
        if name[:3] == "cut" and edge not in after.apart:
            message = JOINED
        is_before = name == "as it is"
        rows.append([name, *after.cells(None if is_before else before), "" if is_before else message])
    return rows


def proposal_of(proposals: Proposals, queue: Queue, edge: int) -> Plain:
    """The proposal for a conflict in words: the decision, its certainty, and the words behind it."""
    graph, (proposal, log_odds) = proposals.graph, proposals.of(edge)
    path, links = queue.decided.path_edges(queue.path(edge)), open_links(proposals, queue, edge)
    text, named = "If the negative is right, a positive on the path is wrong.", {"the pair": edge}
    if proposal != "none":
        p_flip = sigmoid(log_odds)
        text = f"The negative is wrong with probability {_percent(p_flip)}, "
        text += f"a positive on the path with {_percent(1 - p_flip)}."
    if links:
        weakest = next(iter(links))
        number = path.index(weakest) + 1
        text += f" Most probable there: line {number} ({_percent(links[weakest])})."
        named[f"line {number}"] = weakest
    decided = [str(number) for number, one in enumerate(path, 1) if one not in _open(proposals, queue, edge)]
    if decided:
        text += f" Decided already: line{'s' if len(decided) > 1 else ''} {', '.join(decided)}."
    found = [
        f"{name}: {reason}"
        for name, one in named.items()
        for reason in reasons(*graph.texts(graph.ends(one)), in_english(graph))[:REASONS]
    ]
    badge = "no proposal" if proposal == "none" else proposal
    return {"badge": badge, "gloss": GLOSS[proposal], "text": text, "reasons": found}


def open_links(proposals: Proposals, queue: Queue, edge: int) -> dict[int, float]:
    """The undecided links of the path, with the probability that each is wrong, the highest first."""
    open_ = _open(proposals, queue, edge)
    return {one: p for one, p in proposals.links(edge, proposals.of(edge)[1]).items() if one in open_}


def _open(proposals: Proposals, queue: Queue, edge: int) -> set[int]:
    path, flipped = queue.decided.path_edges(queue.path(edge)), queue.decided.of(queue.cluster[edge]).flipped
    return {one for one in path if one not in flipped and np.isnan(proposals.decisions[one])}


def facts_of(facts: Plain) -> Plain:
    """Describe the other columns of a row; for a row of `suspects`, the probability that its label is wrong, and why.

    >>> said = facts_of({"p_wrong": 0.943, "reason": "number differs: '3' / '5'; only one side: 'not'", "seen": 2})
    >>> said["text"], said["reasons"]
    ('The label is wrong with probability 94%.', ["number differs: '3' / '5'", "only one side: 'not'", 'seen: 2'])
    """
    p, rest, why = facts.get("p_wrong"), dict(facts), []
    said = {"badge": "table", "text": "What else the table says of it:"}
    if isinstance(p, float) and 0 <= p <= 1:
        del rest["p_wrong"]
        why = rest.pop("reason").split("; ") if isinstance(rest.get("reason"), str) else []
        said = {"badge": "suspect", "text": f"The label is wrong with probability {_percent(p)}."}
    return said | {"reasons": why + [f"{name}: {_in_words(value)}" for name, value in rest.items()]}


def _in_words(value: Any) -> str:
    """A value of a table in a few words."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_in_words(one)}" for key, one in value.items()) or "–"
    if isinstance(value, list | tuple | np.ndarray):
        return ", ".join(map(_in_words, value)) or "–"
    if pd.isna(value):
        return "–"
    return f"{value:.3g}" if isinstance(value, float | np.floating) else str(value)


def still_of(graph: ParaphraseGraph, nodes: list[int], title: str) -> View:
    """The sentences that a picture must show, and what is stated between them."""
    if not nodes:
        return View(title, [], [], np.empty((0, 2)))
    return view_of(graph, nodes=nodes[:STILL])._replace(title=title)


def _percent(p: float) -> str:
    return f"{p:.0%}" if 0.01 <= p <= 0.99 else "below 1 %" if p < 0.5 else "above 99 %"
