"""Labels that a graph states or implies: for two sentences with a proof, for many pairs without."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ..files.shown import counting, shown
from .arrays import Array
from .core import ParaphraseGraph, checked_graph
from .distance import carrying, check_rule, distance
from .paths import path_lengths, shortest_path

__all__ = ["Explanation", "Step", "explain", "known_labels"]


@dataclass(frozen=True)
class Step:
    """One stated pair of a proof."""

    text_a: str
    text_b: str
    sign: int  #: +1 or -1, its stated label
    rows: list[int | str]  #: where its source states it
    nodes: tuple[int, int] = (-1, -1)  #: the two sentences in the graph


@dataclass(frozen=True, repr=False)
class Explanation:
    """The relation of two sentences, and the rows from which it follows; displayed as text.

    `verdict`: *same* (one sentence), *stated*, *inferred*, *conflict* (stated negative, joined by a positive path) or
    *unknown* (nothing follows). `label`: 1, 0 or None. `stated`: the pair's own edge, if there is one. `steps`: the
    proof, from `text_a` to `text_b`. `rounds`, `hops`: distance of an inferred label.
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

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain values, for JSON."""
        return asdict(self)

    def __repr__(self) -> str:
        steps = self.steps
        if self.verdict == "conflict":
            steps = [self.stated, *steps]
        lines = [
            f"{shown(self.text_a)}\n{shown(self.text_b)}\n\n{self.verdict}: {shown(self.reason)}"
        ]
        for step in steps:
            noun = "row" if len(step.rows) == 1 else "rows"
            source = f"{noun} {', '.join(map(str, step.rows))}"
            mark = "+" if step.sign > 0 else "−"
            lines.append(f"  {mark} {shown(step.text_a)}\n    {shown(step.text_b)}   ({source})")
        return "\n".join(lines)


def explain(
    graph: ParaphraseGraph, text_a: str | int, text_b: str | int, negatives: str = "all"
) -> Explanation:
    """Explain why the graph counts two sentences (or nodes) as paraphrases, as not, or as neither.

    A positive's proof is a shortest path of stated positives; a negative's is path + stated negative + path,
    the shortest such. Source: Chen, Ji and Evans (2020), section 3.

    Raises
    ------
    PairsError
        A sentence that is not in the graph (the error names the nearest ones), a number that is not a node.

    Examples
    --------
    >>> import pandas as pd
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "c", "x"], "label": [1, 1, 0],
    ...                       "row": [2, 3, 4]})
    >>> print(explain(ParaphraseGraph.from_pairs(pairs), "a", "x"))
    a
    x
    <BLANKLINE>
    inferred: not a paraphrase, at distance 2 (2 hops): a path of 3 pairs, one of them negative
      + a
        b   (row 2)
      + b
        c   (row 3)
      − c
        x   (row 4)
    """
    check_rule(negatives)
    checked_graph(graph, "explain")
    a = graph.node(text_a)
    b = graph.node(text_b)
    explanation = partial(Explanation, graph.text(a), graph.text(b))
    if a == b:
        return explanation("same", 1, "the two are one sentence")

    if graph.edge_between(a, b) >= 0:
        return _explain_stated(graph, a, b, explanation)
    if graph.bipartite:
        reason = (
            "no row pairs the two, and nothing follows where the two sides are different things"
        )
        return explanation("unknown", None, reason)
    together = bool(graph.cluster_of[a] == graph.cluster_of[b])
    steps = _path_steps(graph, a, b) if together else _negative_proof(graph, a, b)
    if not steps:
        return explanation(
            "unknown", None, "no stated pair joins their clusters, so nothing follows"
        )
    sizes = graph.cluster_sizes[graph.cluster_of[[a, b]]]
    if not together and not carrying(*sizes, negatives):
        reason = (
            "a stated negative joins their clusters, but one is a single sentence (rule 'clusters')"
        )
        return explanation("unknown", None, reason)
    sign = 1
    used = len(steps)
    proof = f"a path of {len(steps)} pairs"
    if not together:
        sign = -1
        used -= 1
        proof += ", one of them negative"
    rounds = int(distance(used, sign, "rounds"))
    hops = int(distance(used, sign, "hops"))
    reason = f"{graph.words[together]}, at distance {rounds} ({counting(hops, 'hop')}): {proof}"
    return explanation("inferred", int(together), reason, steps=steps, rounds=rounds, hops=hops)


def _explain_stated(
    graph: ParaphraseGraph, a: int, b: int, explanation: Callable[..., Explanation]
) -> Explanation:
    """Explain a pair that rows state."""
    edge = graph.edge_between(a, b)
    stated = _step(graph, a, b)
    statement = graph.words[stated.sign > 0]
    if graph.labelled_twice[edge]:
        statement += f" ({_describe_votes(graph, edge)})"
    if not graph.negatives_inside[edge]:
        label = int(stated.sign > 0)
        return explanation("stated", label, statement, stated=stated, steps=[stated])
    path = _path_steps(graph, a, b)
    reason = f"stated {statement}, yet a path of {len(path)} pairs joins the two"
    return explanation("conflict", 0, reason, stated=stated, steps=path)


def _describe_votes(graph: ParaphraseGraph, edge: int) -> str:
    """Say how many rows, or which annotators, give an edge each label; and which label counts."""
    yes = int(graph.edge_n_positive[edge])
    no = int(graph.edge_n_negative[edge])
    if not graph.annotators_differ[edge]:
        return f"stated both ways: {yes} for, {no} against; majority, the later row on a tie"
    if yes == no:
        return f"{graph.votes(edge)}; a tie, to be decided; until then the later row counts"
    return f"{graph.votes(edge)}; the majority counts"


def _negative_proof(graph: ParaphraseGraph, a: int, b: int) -> list[Step]:
    """The shortest proof of a negative: path, negative between the clusters, path; or nothing."""
    link = int(graph.link_index.places(*graph.cluster_of[[a, b]]))
    if link < 0:
        return []
    begins, x, y = graph.link_negatives
    if graph.cluster_of[a] > graph.cluster_of[b]:  # x lies in the cluster with the lower id
        x, y = y, x
    x = x[begins[link] : begins[link + 1]]
    y = y[begins[link] : begins[link + 1]]
    _, from_a = path_lengths(graph, np.array([a]))
    _, from_b = path_lengths(graph, np.array([b]))
    place = graph.place_in_cluster
    length = from_a[place[x]] + from_b[place[y]]
    best = np.argmin(length)
    i = int(x[best])
    j = int(y[best])
    before = _path_steps(graph, a, i)
    after = _path_steps(graph, j, b)
    return [*before, _step(graph, i, j), *after]


def _path_steps(graph: ParaphraseGraph, a: int, b: int) -> list[Step]:
    path = shortest_path(graph, a, b)
    return [_step(graph, i, j) for i, j in pairwise(path)]


def _step(graph: ParaphraseGraph, i: int, j: int) -> Step:
    edge = graph.edge_between(i, j)
    sign = int(graph.edge_sign[edge])
    rows = graph.source_rows(edge)
    return Step(graph.text(i), graph.text(j), sign, rows, (i, j))


def known_labels(
    graph: ParaphraseGraph, a: Array, b: Array, negatives: str = "all"
) -> tuple[Array, Array]:
    """Return the graph's labels of pairs of nodes (1, 0, or -1 if nothing follows), and whether they are stated.

    Inferred labels are those of `infer` without a limit. A stated label takes precedence.

    Examples
    --------
    >>> import pandas as pd
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c", "x"], "text_b": ["b", "c", "x", "y"], "label": [1, 1, 0, 0]})
    >>> graph = ParaphraseGraph.from_pairs(pairs)  # a b c are one cluster, x and y stand alone
    >>> label, stated = known_labels(graph, np.array([0, 0, 0, 0]), np.array([1, 2, 3, 4]))
    >>> label.tolist(), stated.tolist()
    ([1, 1, 0, -1], [True, False, False, False])
    """
    edge = graph.edge_index.places(a, b)
    label = np.full(len(edge), -1, dtype=np.int8)
    stated = edge >= 0
    if not graph.bipartite:
        home = graph.cluster_of[a]
        away = graph.cluster_of[b]
        carries = carrying(graph.cluster_sizes[home], graph.cluster_sizes[away], negatives)
        linked = graph.link_index.places(home, away) >= 0
        label[carries & linked] = 0
        label[home == away] = 1
    label[stated] = graph.edge_sign[edge[stated]] > 0
    return label, stated
