"""Facts about a pair besides the records: the proposal, the other columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...decisions.conflict_queue import ConflictQueue
from ...doubts.proposals import Proposals
from ...doubts.shipped import in_english
from ...draw.view import View, view_of
from ...files import PairsError
from ...files.spelling import option
from ...graph import ParaphraseGraph
from ...learn.logistic import sigmoid
from ...pairs.beside import columns_beside
from ...words.phrases import reasons
from ..base.records import Plain
from .questions import CONFLICT

__all__ = ["Rows", "facts_of", "open_links", "proposal_of", "still_of"]

REASONS = 5  # listed of each pair at most
#: The meanings of proposals.
GLOSS = {name: hint for _, name, _, hint in CONFLICT.words["decide"]} | {
    "unsure": "Flip and cut are nearly as probable", "none": "No model read the sentences, and words do not tell",
}  # fmt: skip
STILL = 60  # sentences of a still picture


class Rows:
    """The rows of a graph, with the columns of their file that the user wants to see beside them."""

    def __init__(self, graph: ParaphraseGraph, names: Sequence[str] = ()):
        self._graph = graph
        self._columns: dict[str, list[str]] = {}
        if not names:
            return
        if graph.pairs is None:
            raise PairsError(f"{option('show')}: the rows were not kept; leave out the engine")
        table = columns_beside(graph.pairs, names)
        self._columns = {name: table[name].tolist() for name in table}

    def beside(self, row: int) -> list[list[str]]:
        """The names and the values of the columns beside a row, without empty ones."""
        return [[name, values[row]] for name, values in self._columns.items() if values[row]]

    def alone(self, node: int) -> list[list[Any]]:
        """The rows that pair a sentence with itself, which are no labels of the graph: name, label, columns."""
        graph = self._graph
        if graph.pairs is None:
            return []
        rows = graph.rows_between(node, node)
        names = graph.row_names(rows)
        found = []
        for name, row in zip(names, rows.tolist(), strict=True):
            found.append([name, int(graph.row_sign[row] > 0), self.beside(row)])
        return found


def proposal_of(proposals: Proposals, queue: ConflictQueue, edge: int) -> Plain:
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
    found = [
        f"{name}: {reason}"
        for name, one in named.items()
        for reason in reasons(*graph.texts(graph.ends(one)), in_english(graph))[:REASONS]
    ]
    badge = "no proposal" if proposal == "none" else proposal
    return {"badge": badge, "gloss": GLOSS[proposal], "text": text, "reasons": found}


def open_links(proposals: Proposals, queue: ConflictQueue, edge: int) -> dict[int, float]:
    """The undecided links of the path, with the probability that each is wrong, the highest first."""
    flipped = queue.decided.of(queue.cluster[edge]).flipped
    links = proposals.links(edge, proposals.of(edge)[1])
    path = queue.decided.path_edges(queue.path(edge))
    return {one: p for one, p in links.items() if one in {*path} - flipped and np.isnan(proposals.decisions[one])}


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
    if value is None or value is pd.NA or value != value:
        return "–"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def still_of(graph: ParaphraseGraph, nodes: list[int], title: str) -> View:
    """The sentences that a picture must show, and what is stated between them."""
    if not nodes:
        return View(title, [], [], np.empty((0, 2)))
    return view_of(graph, nodes=nodes[:STILL])._replace(title=title)


def _percent(p: float) -> str:
    return f"{p:.0%}" if 0.01 <= p <= 0.99 else "below 1 %" if p < 0.5 else "above 99 %"
