"""Facts about a pair besides the records: the proposal, the other columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...decisions.conflict_queue import ConflictQueue
from ...doubts.proposals import Proposals
from ...doubts.shipped import in_english
from ...learn.logistic import sigmoid
from ...words.phrases import reasons
from ..base.records import Plain
from .questions import CONFLICT

__all__ = ["facts_of", "open_links", "proposal_of"]

REASONS = 5  # listed of each pair at most
#: The meanings of proposals.
GLOSS = {name: hint for _, name, _, hint in CONFLICT.words["decide"]} | {
    "unsure": "Flip and cut are nearly as probable", "none": "No model read the sentences, and words do not tell",
}  # fmt: skip


def proposal_of(proposals: Proposals, queue: ConflictQueue, edge: int) -> Plain:
    """The proposal for a conflict in words: the decision, its certainty, and the words behind it."""
    graph = proposals.graph
    proposal, log_odds = proposals.of(edge)
    badge = proposal
    if proposal == "none":
        badge = "no proposal"
        text = "If the negative is right, a positive on the path is wrong."
    else:
        p_flip = sigmoid(log_odds)
        text = f"The negative is wrong with probability {_percent(p_flip)}, "
        text += f"a positive on the path with {_percent(1 - p_flip)}."
    named = {"the pair": edge}
    links = open_links(proposals, queue, edge)
    if links:
        weakest = next(iter(links))
        number = queue.decided.path_edges(queue.path(edge)).index(weakest) + 1
        text += f" Most probable there: line {number} ({_percent(links[weakest])})."
        named[f"line {number}"] = weakest
    because = []
    for name, one in named.items():
        listed = reasons(*graph.texts(graph.ends(one)), in_english(graph))[:REASONS]
        because += [f"{name}: {reason}" for reason in listed]
    return {"badge": badge, "gloss": GLOSS[proposal], "text": text, "reasons": because}


def open_links(proposals: Proposals, queue: ConflictQueue, edge: int) -> dict[int, float]:
    """The undecided links of the path, with the probability that each is wrong, the highest first."""
    path = {*queue.decided.path_edges(queue.path(edge))}
    undecided = path - queue.decided.of(queue.cluster[edge]).flipped
    links = proposals.links(edge, proposals.of(edge)[1])
    return {
        one: p
        for one, p in links.items()
        if one in undecided and np.isnan(proposals.decisions[one])
    }


def facts_of(facts: Plain) -> Plain:
    """Describe the other columns of a row; for a row of `suspects`, the probability that its label is wrong, and why.

    >>> found = facts_of({"p_wrong": 0.943, "reason": "number differs: '3' / '5'; only one side: 'not'", "seen": 2})
    >>> found["text"], found["reasons"]
    ('The label is wrong with probability 94%.', ["number differs: '3' / '5'", "only one side: 'not'", 'seen: 2'])
    """
    facts = dict(facts)
    found = {"badge": "table", "text": "What else the table says of it:", "reasons": []}
    p_wrong = facts.get("p_wrong")
    if isinstance(p_wrong, float) and 0 <= p_wrong <= 1:
        del facts["p_wrong"]
        found |= {
            "badge": "suspect",
            "text": f"The label is wrong with probability {_percent(p_wrong)}.",
        }
        if isinstance(facts.get("reason"), str):
            found["reasons"] = facts.pop("reason").split("; ")
    for name, value in facts.items():
        found["reasons"].append(f"{name}: {_in_words(value)}")
    return found


def _in_words(value: Any) -> str:
    """A value of a table in a few words."""
    if value is None or value is pd.NA or value != value:
        return "–"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _percent(p: float) -> str:
    if p < 0.01:
        return "below 1 %"
    return f"{p:.0%}" if p <= 0.99 else "above 99 %"
