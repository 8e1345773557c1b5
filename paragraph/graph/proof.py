"""Why two sentences count as the same, as different, or as neither: the proof behind every label."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np

from ..pairs.showing import printable
from .core import ParaphraseGraph
from .distance import carrying, check_rule, distance, path_lengths, shortest_path

__all__ = ["Explanation", "Step", "explain"]


@dataclass(frozen=True)
class Step:
    """One stated pair of a proof."""

    text_a: str
    text_b: str
    sign: int  #: +1 or -1, its stated label
    rows: list[int | str]  #: where its source states it
    nodes: tuple[int, int] = (-1, -1)  #: the two sentences in the graph


@dataclass(frozen=True)
class Explanation:
    """The relation of two sentences, and the rows it follows from.

    `verdict`: *same* (one sentence), *stated*, *inferred*, *conflict* (stated negative, joined by a positive
    path) or *unknown* (nothing follows). `label`: 1, 0 or None. `stated`: the pair's own edge where there
    is one. `steps`: the proof, from `text_a` to `text_b`. `rounds`, `hops`: distance of an inferred label.
    """

    text_a: str
    text_b: str
    verdict: str
    label: int | None
    reason: str
    stated: Step | None = None
    steps: list[Step] = field(default_factory=list)
    rounds: int | None = None
    hops: int | None = None
    source: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain values, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [f"{printable(self.text_a)}\n{printable(self.text_b)}\n\n{self.verdict}: {printable(self.reason)}"]
        steps = ([self.stated] if self.verdict == "conflict" else []) + self.steps
        for step in steps:
            mark = "+" if step.sign > 0 else "−"
            lines.append(f"  {mark} {printable(step.text_a)}\n    {printable(step.text_b)}   ({_rows(step)})")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        steps = ([self.stated] if self.verdict == "conflict" else []) + self.steps
        rows = "".join(
            f"<tr><td>{'+' if step.sign > 0 else '−'}</td><td style='text-align:left'>"
            f"{escape(step.text_a)}<br>{escape(step.text_b)}</td><td>{_rows(step)}</td></tr>"
            for step in steps
        )
        head = f"{escape(self.text_a)}<br>{escape(self.text_b)}<p><b>{self.verdict}</b>: {escape(self.reason)}</p>"
        table = f"<table><tbody>{rows}</tbody></table>" if rows else ""
        return f'<div class="tex2jax_ignore mathjax_ignore">{head}{table}</div>'  # “$5 or $6” is no formula


def explain(graph: ParaphraseGraph, text_a: str | int, text_b: str | int, negatives: str = "all") -> Explanation:
    """Explain why the graph counts two sentences (or nodes) as paraphrases, as not, or as neither.

    A positive's proof is a shortest path of stated positives; a negative's is path + stated negative + path,
    the shortest such. Source: Chen, Ji and Evans (2020), section 3.

    Raises
    ------
    PairsError
        A sentence that is not in the graph (the nearest ones are named), a number that is no node; bipartite pairs.

    Examples
    --------
    >>> import pandas as pd
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "c", "x"], "label": [1, 1, 0],
    ...                       "row": [2, 3, 4]})
    >>> print(explain(ParaphraseGraph.from_pairs(pairs), "a", "x"))
    a
    x
    <BLANKLINE>
    inferred: not a paraphrase, at distance 2 (2 hops): 2 positive pairs and 1 negative
      + a
        b   (row 2)
      + b
        c   (row 3)
      − c
        x   (row 4)
    """
    check_rule(graph, negatives)
    a, b = graph.node(text_a), graph.node(text_b)
    known = {"text_a": graph.text(a), "text_b": graph.text(b), "source": str(graph.report.get("source", ""))}
    if a == b:
        return Explanation(**known, verdict="same", label=1, reason="the two are one sentence")

    edge = graph.edge_between(a, b)
    together = graph.cluster_of[a] == graph.cluster_of[b]
    if edge >= 0:
        stated = _step(graph, a, b)
        statement = "a paraphrase" if stated.sign > 0 else "not a paraphrase"
        votes = (int(graph.edge_n_positive[edge]), int(graph.edge_n_negative[edge]))
        if min(votes):
            statement += f" (stated both ways: {votes[0]} for, {votes[1]} against; majority, the later row on a tie)"
        if stated.sign < 0 and together:
            path = _path_steps(graph, shortest_path(graph, a, b))
            reason = f"stated {statement}, yet {_count(len(path), 'positive pair')} join the two"
            return Explanation(**known, verdict="conflict", label=0, reason=reason, stated=stated, steps=path)
        return Explanation(
            **known, verdict="stated", label=int(stated.sign > 0), reason=statement, stated=stated, steps=[stated]
        )

    if together:
        steps = _path_steps(graph, shortest_path(graph, a, b))
        return _inferred(known, +1, len(steps), steps)
    proof = _negative_proof(graph, a, b)
    if proof is None:
        reason = "no stated pair joins their clusters, so nothing follows"
        return Explanation(**known, verdict="unknown", label=None, reason=reason)
    if not carrying(*graph.cluster_sizes[graph.cluster_of[[a, b]]], negatives):
        reason = "a stated negative joins their clusters, but one is a single sentence (rule 'clusters')"
        return Explanation(**known, verdict="unknown", label=None, reason=reason)
    return _inferred(known, -1, len(proof) - 1, proof)


def _inferred(known: dict[str, str], sign: int, used: int, steps: list[Step]) -> Explanation:
    rounds, hops = (int(distance(np.array([used]), sign, name)[0]) for name in ("rounds", "hops"))
    reason = (
        f"{'a paraphrase' if sign > 0 else 'not a paraphrase'}, at distance {rounds} "
        f"({_count(hops, 'hop')}): {_count(used, 'positive pair')}" + (" and 1 negative" if sign < 0 else "")
    )
    return Explanation(
        **known, verdict="inferred", label=int(sign > 0), reason=reason, steps=steps, rounds=rounds, hops=hops
    )


def _negative_proof(graph: ParaphraseGraph, a: int, b: int) -> list[Step] | None:
    """Path from a, a stated negative between the two clusters, path to b; the fewest edges in all."""
    home, away = graph.cluster_of[a], graph.cluster_of[b]
    ends_a, ends_b = graph.edge_clusters
    forward, backward = (ends_a == home) & (ends_b == away), (ends_a == away) & (ends_b == home)
    edges = np.flatnonzero(forward | backward)
    if not len(edges):
        return None
    x = np.where(forward[edges], graph.edge_a[edges], graph.edge_b[edges])
    y = np.where(forward[edges], graph.edge_b[edges], graph.edge_a[edges])
    _, from_a = path_lengths(graph, np.array([a]))
    _, from_b = path_lengths(graph, np.array([b]))
    total = from_a[graph.place_in_cluster[x]] + from_b[graph.place_in_cluster[y]]
    best = int(np.argmin(total))
    x, y = int(x[best]), int(y[best])
    return [
        *_path_steps(graph, shortest_path(graph, a, x)),
        _step(graph, x, y),
        *_path_steps(graph, shortest_path(graph, y, b)),
    ]


def _path_steps(graph: ParaphraseGraph, path: list[int]) -> list[Step]:
    return [_step(graph, i, j) for i, j in pairwise(path)]


def _step(graph: ParaphraseGraph, i: int, j: int) -> Step:
    edge = graph.edge_between(i, j)
    return Step(graph.text(i), graph.text(j), int(graph.edge_sign[edge]), graph.source_rows(edge), (i, j))


def _rows(step: Step) -> str:
    return f"row{'s' * (len(step.rows) != 1)} {', '.join(map(str, step.rows))}"


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"
