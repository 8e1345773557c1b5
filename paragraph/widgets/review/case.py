"""What a review shows of one conflict: the pair, the path against it, what each decision would do, the rows.

And what is revealed: a proposal, or what else a table says of a pair.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ...measure.logistic import sigmoid
from ...repairs.what_if import Changes, Outcome
from ...words.reasons import reasons
from ...words.shared import word_diff
from ..base.why import SHARED, rows_behind

if TYPE_CHECKING:
    from ...decisions.queue import Queue
    from ...repairs.propose import Proposals

__all__ = ["NUMBERED", "case_of", "evidence_of", "open_links", "proposal_of", "said_of"]

NUMBERED = 9  # edges of a path that have a key of their own
ROWS = 40  # rows listed at most
REASONS = 5  # listed of each pair at most


def case_of(queue: Queue, edge: int, path: list[int]) -> dict[str, Any]:
    """The pair side by side, its differing words marked, and the edges of the path that can be cut."""
    graph = queue.graph
    a, b = int(graph.edge_a[edge]), int(graph.edge_b[edge])
    edges, description = queue.decided.path_edges(path), queue.description(edge, long=True)
    if queue.state(edge) == "cut":
        cut, record = queue.cut_by(edge), queue.standing(edge)
        description += f" {edges.index(cut) + 1}" if cut in edges else f" “{record.edge1}” / “{record.edge2}”"
    choices = [
        {"edge": f"e{one}", "flipped": one in queue.decided.of(queue.cluster[edge]).flipped}
        for one in edges[:NUMBERED]
    ]
    return {
        "item": queue.number[edge],
        "pair": list(word_diff(graph.text(a), graph.text(b), SHARED)),
        "keys": [f"n{a}", f"n{b}"],
        "sign": -1,
        "stated": f"stated 0 in {_rows(graph.source_rows(edge))}" + _also(int(graph.edge_n_positive[edge])),
        "state": queue.state(edge),
        "description": description,
        "path": choices,
    }


def evidence_of(queue: Queue, edge: int, path: list[int]) -> dict[str, Any]:
    """The right-hand side: the path step by step, what each decision would do, and the rows."""
    graph, cluster = queue.graph, queue.cluster[edge]
    a, b = int(graph.edge_a[edge]), int(graph.edge_b[edge])
    edges = queue.decided.path_edges(path)
    steps = []
    for number, (one, (i, j)) in enumerate(zip(edges, pairwise(path), strict=True), 1):
        steps.append(
            {
                "number": number if number <= NUMBERED else None, "edge": f"e{one}", "sign": 1,
                "texts": list(word_diff(graph.text(i), graph.text(j), SHARED)), "keys": [f"n{i}", f"n{j}"],
                "rows": graph.source_rows(one),
            }
        )  # fmt: skip
    paths = queue.decided.disjoint(a, b, queue.before(edge)) if path else 0
    rows = [row for one in (edge, *edges) for row in rows_behind(graph, one)]
    return {
        "title": f"Conflict #{queue.number[edge]}",
        "facts": [
            ["cluster", f"{cluster}, of {int(graph.cluster_sizes[cluster]):,} sentences"],
            ["paths", f"{paths} that share no label" if paths != 1 else "1, so one cut separates the two"],
        ],
        "steps_title": "These labels say that it is one" if path else "",
        "steps": steps,
        "table": what_if(queue, edge, edges),
        "rows": rows[:ROWS],
        "note": f"The first {ROWS} of {len(rows):,} rows are listed." if len(rows) > ROWS else "",
        "highlight": {
            "nodes": [f"n{node}" for node in dict.fromkeys([a, b, *path])],
            "edges": [[f"n{a}", f"n{b}"], *([f"n{i}", f"n{j}"] for i, j in pairwise(path))],
        },
    }


def what_if(queue: Queue, edge: int, path_edges: list[int]) -> dict[str, Any]:
    """What each decision on a conflict would do to its cluster, as a small table."""
    cluster = queue.cluster[edge]
    now = queue.before(edge)
    before = queue.decided.outcome(cluster, now)
    options = [("flip", Changes(now.flipped | {edge}, now.gone))]
    options += [
        (f"cut {number}", Changes(now.flipped, now.gone | {one}))
        for number, one in enumerate(path_edges[:NUMBERED], 1)
        if one not in now.flipped
    ]
    rows = [["as it is", _parts(before), f"{before.positive:,}", f"{before.negative:,}", ""]]
    for name, changes in options:
        after = queue.decided.outcome(cluster, changes)
        settles = sorted(queue.number[one] for one in after.apart - before.apart if _settles(queue, one, edge))
        message = ", ".join(f"#{number}" for number in settles[:4]) + f" and {len(settles) - 4} more" * (
            len(settles) > 4
        )
        if name != "flip" and edge not in after.apart:
            message = "still joined"
        rows.append(
            [name, _parts(after), _change(before.positive, after.positive),
             _change(before.negative, after.negative), message or "–"]
        )  # fmt: skip
    return {
        "title": "What if: clusters, inferred labels",
        "head": ["", "clusters", "+", "−", "also settles"],
        "rows": rows,
    }


def proposal_of(proposals: Proposals, edge: int, path_edges: list[int], flipped: frozenset[int]) -> dict[str, Any]:
    """The proposal for a conflict in words: what is proposed, how sure, and because of which words."""
    graph, (proposal, log_odds) = proposals.graph, proposals.of(edge)
    p_flip = sigmoid(log_odds)
    text = f"The negative is wrong with probability {_percent(p_flip)}, "
    text += f"a positive on the way with {_percent(1 - p_flip)}."
    named, links = {"the pair": edge}, open_links(proposals, edge, path_edges, flipped)
    if links:
        weakest = next(iter(links))
        number = path_edges.index(weakest) + 1
        text += f" If so, it is most probably link {number} ({_percent(links[weakest])} of all)."
        named[f"link {number}"] = weakest
    decided = [number for number, one in enumerate(path_edges, 1) if one in flipped or proposals.is_decided(one)]
    if decided:
        text += f" Decided already: link{'s' * (len(decided) > 1)} {', '.join(map(str, decided))}."
    found = [
        f"{name}: {reason}"
        for name, one in named.items()
        for reason in reasons(*graph.texts([graph.edge_a[one], graph.edge_b[one]]))[:REASONS]
    ]
    return {"badge": proposal, "text": text, "reasons": found}


def open_links(proposals: Proposals, edge: int, path_edges: list[int], flipped: frozenset[int]) -> dict[int, float]:
    """The links of a path that nobody decided, with the probability that each is wrong, the highest first."""
    open_ = [one for one in path_edges if one not in flipped and not proposals.is_decided(one)]
    return {one: p for one, p in proposals.links(edge).items() if one in open_}


def said_of(facts: dict[str, Any]) -> dict[str, Any]:
    """What else a row of a table says; of a row of `suspects`, how probably its label is wrong, and why.

    >>> said = said_of({"p_wrong": 0.943, "reason": "number differs: '3' / '5'; only one side: 'not'", "seen": 2})
    >>> said["text"], said["reasons"]
    ('The label is wrong with probability 94%.', ["number differs: '3' / '5'", "only one side: 'not'", 'seen: 2'])
    """
    p, rest = facts.get("p_wrong"), dict(facts)
    if not (isinstance(p, float) and 0 <= p <= 1):
        return {"badge": "table", "text": "What else the table says of it:", "reasons": _named(rest)}
    del rest["p_wrong"]
    why = rest.pop("reason").split("; ") if isinstance(rest.get("reason"), str) else []
    text = f"The label is wrong with probability {_percent(p)}."
    return {"badge": "suspect", "text": text, "reasons": why + _named(rest)}


def _named(facts: dict[str, Any]) -> list[str]:
    return [f"{name}: {_in_words(value)}" for name, value in facts.items()]


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


def _settles(queue: Queue, one: int, edge: int) -> bool:
    """Whether it is news that the ends of a conflict are apart: not of this one, nor where it is decided itself."""
    return one != edge and one in queue.number and queue.state(one) in ("open", "skip", "settled")


def _parts(outcome: Outcome) -> str:
    parts = outcome.parts
    return " + ".join(f"{size:,}" for size in parts[:4]) + " + …" * (len(parts) > 4)


def _change(before: int, after: int) -> str:
    return "±0" if before == after else f"{after - before:+,}".replace("-", "−")


def _rows(rows: list[int]) -> str:
    return f"row{'s' * (len(rows) > 1)} {', '.join(map(str, rows[:8]))}" + ", …" * (len(rows) > 8)


def _also(positive: int) -> str:
    return f", {positive} of them 1" if positive else ""
