"""The evidence about a conflict: the pair, the path against it, the effect of each decision; and the proposal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...decisions.queue import Queue
from ...doubts.own import in_english
from ...doubts.proposals import Proposals
from ...doubts.what_if import Changes
from ...learn.logistic import sigmoid
from ...words.difference import reasons
from ..base.records import Plain
from .questions import CONFLICT

__all__ = ["case_of", "evidence_of", "facts_of", "open_links", "proposal_of"]

NUMBERED = 9  # edges of a path that have a key of their own
REASONS = 5  # listed of each pair at most
JOINED = "still joined"
#: The meanings of proposals.
GLOSS = {name: hint for _, name, _, hint in CONFLICT.words["decide"]} | {
    "unsure": "Flip and cut are nearly as probable", "none": "No model read the sentences, and words do not tell",
}  # fmt: skip
#: The note on pairs whose own rows contradict each other.
BOTH = "Its rows state both labels. Flip: 1 is right. Cut: 0 is right."
ITSELF = "A row says that a sentence differs from itself. Flip: 1 is right."
SETTLED = 4  # conflicts named at most


def case_of(queue: Queue, item: int) -> Plain:
    """The pair above the picture, and the edges of the path that can be cut."""
    graph, edges = queue.graph, queue.decided.path_edges(queue.path(item))
    a, b = queue.ends[item]
    description, cuts = queue.description(item, long=True), queue.cuts(item)
    if queue.state(item) == "cut" and cuts:
        texts = ("” / “".join(graph.texts(graph.ends(one))) for one in cuts)
        named = (
            f" {edges.index(one) + 1}" if one in edges else f" “{text}”"
            for one, text in zip(cuts, texts, strict=True)
        )
        description += ",".join(named)
    flipped = queue.decided.of(queue.cluster[item]).flipped
    by_label: dict[int, list[str]] = {}
    rows = graph.rows_between(a, b)
    scores = [""] * len(rows)
    if graph.pairs is not None and "score" in graph.pairs:
        scores = [f" (scored {score:.3g})" for score in graph.pairs["score"].to_numpy(float)[rows]]
    for row, sign, score in zip(graph.row_names(rows), graph.row_sign[rows].tolist(), scores, strict=True):
        by_label.setdefault(int(sign > 0), []).append(f"{row}{score}")
    stated = [
        f"stated {label} in row{'s' * (len(named) > 1)} {', '.join(named[:8])}" + ", …" * (len(named) > 8)
        for label, named in sorted(by_label.items())
    ]
    return {
        "keys": [f"n{node}" for node in (a, b)],
        "sign": -1 if a == b else int(graph.edge_sign[item]),
        "stated": "; ".join(stated),
        "description": description,
        "direct": queue.is_direct(item) and a != b,
        "path": [{"edge": f"e{one}", "flipped": one in flipped} for one in edges[:NUMBERED]],
    }


def evidence_of(queue: Queue, item: int) -> Plain:
    """Describe the right-hand side of a conflict: the path against it, and the effect of each decision."""
    graph, cluster, path = queue.graph, queue.cluster[item], queue.path(item)
    a, b = queue.ends[item]
    edges = queue.decided.path_edges(path)
    found = {
        "title": f"Conflict #{queue.number[item]}",
        "facts": [["cluster", f"{cluster}, of {int(graph.cluster_sizes[cluster]):,} sentences"]],
        "ends": [a, b],
        "path": path,
    }
    if a == b and graph.pairs is not None:  # a row of its own, and no label of the graph
        rows, text = graph.rows_between(a, a), graph.text(a)
        signs = zip(graph.row_names(rows), graph.row_sign[rows].tolist(), strict=True)
        found["rows"] = [{"row": row, "label": int(sign > 0), "texts": [text, text]} for row, sign in signs]
    if queue.is_direct(item):
        found["text"] = ITSELF if a == b else BOTH
        return found
    paths = queue.decided.disjoint(a, b, queue.before(item)) if path else 0
    found["table"] = table = what_if(queue, item, edges)
    enough = [f"line {name[4:]}" for name, *_, told in table["rows"] if name[:3] == "cut" and told != JOINED]
    more = " or …" * (len(enough) > SETTLED or len(edges) > NUMBERED)
    one = f"1: cutting {' or '.join(enough[:SETTLED]) or 'one line'}{more} separates the pair"
    found["facts"].append(["paths", f"{paths} that share no label" if paths != 1 else one])
    return found


def what_if(queue: Queue, edge: int, path_edges: list[int]) -> Plain:
    """Tabulate the effect of each decision on a conflict on its cluster."""
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
    return {
        "title": "What if: clusters, inferred labels",
        "head": ["", "clusters", "+", "−", "also settles"],
        "rows": rows,
    }


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


def _percent(p: float) -> str:
    return f"{p:.0%}" if 0.01 <= p <= 0.99 else "below 1 %" if p < 0.5 else "above 99 %"
