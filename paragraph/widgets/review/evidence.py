"""Facts about a pair besides the records, in words: rows, the proposal, other columns, the running estimate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...decisions.conflict_queue import ConflictQueue
from ...decisions.pair_queue import PairQueue
from ...doubts.audit import share_interval
from ...doubts.proposals import Proposals
from ...doubts.shipped import in_english
from ...doubts.suspects import ENOUGH, may_stop, outlook, summary
from ...files import PairsError
from ...files.spelling import option
from ...graph import ParaphraseGraph
from ...learn.logistic import sigmoid
from ...pairs.beside import columns_beside
from ...words.phrases import reasons
from ..base.records import Plain
from .questions import CONFLICT

__all__ = ["Rows", "estimate_of", "facts_of", "open_links", "proposal_of", "share_right"]

REASONS = 5  # listed of each pair at most
#: The meanings of proposals.
GLOSS = {name: hint for _, name, _, hint in CONFLICT.words["decide"]} | {
    "unsure": "Flip and cut are nearly as probable", "none": "No model read the sentences, and words do not tell",
}  # fmt: skip
#: The message once reading on is hardly worth it.
STOP = "You may stop here: of the next {first:,}, probably at most {high:.0f} are wrong"
INTERVAL = "95 % interval, by the answers so far"
BEFORE_ANSWERS = "95 % interval, by what was wrong in other files"
#: What would make an interval narrower.
FEW = (
    "An audit, which asks about labels drawn at random, says more of those that you have not read."
)


class Rows:
    """The rows of a graph, with the columns of their file that the user wants to see beside them."""

    def __init__(self, graph: ParaphraseGraph, names: Sequence[str] = ()):
        self._graph = graph
        self._columns = {}
        if names:
            if graph.pairs is None:
                raise PairsError(f"{option('show')}: the rows were not kept; leave out the engine")
            self._columns = columns_beside(graph.pairs, names).to_dict("list")

    def beside(self, row: int) -> list[list[str]]:
        """The names and the values of the columns beside a row, without empty ones."""
        return [[name, values[row]] for name, values in self._columns.items() if values[row]]

    def alone(self, node: int) -> list[list[Any]]:
        """The rows that pair a sentence with itself, which are no labels of the graph: name, label, columns."""
        graph = self._graph
        if graph.pairs is None:
            return []
        rows = graph.rows_between(node, node)
        found = []
        for name, row in zip(graph.row_names(rows), rows.tolist(), strict=True):
            found.append([name, int(graph.row_sign[row] > 0), self.beside(row)])
        return found


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


def estimate_of(queue: PairQueue) -> list[str]:
    """The estimate of a list that learns: in words, its meaning, and a hint."""
    known = outlook(queue.belief, [100])
    expected = known["expected"]
    about = []
    if queue.rows and may_stop(known):
        about.append(STOP.format(**expected[0]))
    if expected:
        is_answered = any(count for count, _ in known["answered"].values())
        about.append(INTERVAL if is_answered else BEFORE_ANSWERS)
    lines = [summary(known).capitalize(), ". ".join(about)]
    if expected and known["random"] < ENOUGH:
        lines.append(FEW)
    return lines


def share_right(queue: PairQueue, name: str) -> list[str]:
    """The share of right labels among those judged, in words: `name` is what the button calls them."""
    states = Counter(map(queue.state, queue.rows))
    right = states["keep"]
    judged = right + states["flip"]
    if not judged:
        return []
    low, high = share_interval(right, judged)
    share = f"{100 * right / judged:.0f} % ({100 * low:.0f}–{100 * high:.0f} %)"
    about = "95 % interval"
    left = states.total() - judged
    if left:
        about += f"; {left:,} ambiguous or skipped left out"
    hint = "It holds for all pairs if those judged are a random part of them."
    return [f"{name}: {right:,} of {judged:,}, {share}", about, hint]
