"""Labels that a graph states or implies: of two sentences with its proof, of many pairs without."""

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
    """The relation of two sentences, and the rows it follows from; shown, it is a text.

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
    verdict = partial(Explanation, graph.text(a), graph.text(b))
    if a == b:
        return verdict("same", 1, "the two are one sentence")

    if graph.edge_between(a, b) >= 0:
        return _explain_stated(graph, a, b, verdict)
    if graph.bipartite:
        reason = (
            "no row pairs the two, and nothing follows where the two sides are different things"
        )
        return verdict("unknown", None, reason)
    together = bool(graph.cluster_of[a] == graph.cluster_of[b])
    steps = _path_steps(graph, a, b) if together else _negative_proof(graph, a, b)
    if not steps:
        return verdict("unknown", None, "no stated pair joins their clusters, so nothing follows")
    if not together and not carrying(*graph.cluster_sizes[graph.cluster_of[[a, b]]], negatives):
        reason = (
            "a stated negative joins their clusters, but one is a single sentence (rule 'clusters')"
        )
        return verdict("unknown", None, reason)
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
    return verdict("inferred", int(together), reason, steps=steps, rounds=rounds, hops=hops)


def _explain_stated(
    graph: ParaphraseGraph, a: int, b: int, verdict: Callable[..., Explanation]
) -> Explanation:
    """Explain a pair that rows state."""
    edge = graph.edge_between(a, b)
    stated = _step(graph, a, b)
    statement = graph.words[stated.sign > 0]
    if graph.labelled_twice[edge]:
        statement += f" ({_stating(graph, edge)})"
    if not graph.negatives_inside[edge]:
        return verdict("stated", int(stated.sign > 0), statement, stated=stated, steps=[stated])
    path = _path_steps(graph, a, b)
    reason = f"stated {statement}, yet a path of {len(path)} pairs joins the two"
    return verdict("conflict", 0, reason, stated=stated, steps=path)


def _stating(graph: ParaphraseGraph, edge: int) -> str:
    """Say how often an edge is stated with each label, or who states which; and which label counts."""
    yes = int(graph.edge_n_positive[edge])
    no = int(graph.edge_n_negative[edge])
    if not graph.annotators_differ[edge]:
        return f"stated both ways: {yes} for, {no} against; majority, the later row on a tie"
    if yes == no:
        return f"{graph.votes(edge)}; a tie, to be decided; until then the later row counts"
    return f"{graph.votes(edge)}; the majority counts"


def _negative_proof(graph: ParaphraseGraph, a: int, b: int) -> list[Step]:
    """Path from a, a stated negative between the two clusters, path to b; the fewest edges in all; or nothing."""
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
    best = np.argmin(from_a[graph.place_in_cluster[x]] + from_b[graph.place_in_cluster[y]])
    nearest = (int(x[best]), int(y[best]))
    return [
        *_path_steps(graph, a, nearest[0]),
        _step(graph, *nearest),
        *_path_steps(graph, nearest[1], b),
    ]


def _path_steps(graph: ParaphraseGraph, a: int, b: int) -> list[Step]:
    return [_step(graph, i, j) for i, j in pairwise(shortest_path(graph, a, b))]


def _step(graph: ParaphraseGraph, i: int, j: int) -> Step:
    edge = graph.edge_between(i, j)
    return Step(
        graph.text(i), graph.text(j), int(graph.edge_sign[edge]), graph.source_rows(edge), (i, j)
    )


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
    >>> known, stated = known_labels(graph, np.array([0, 0, 0, 0]), np.array([1, 2, 3, 4]))
    >>> known.tolist(), stated.tolist()
    ([1, 1, 0, -1], [True, False, False, False])
    """
    edge = graph.edge_index.places(a, b)
    known = np.full(len(edge), -1, dtype=np.int8)
    stated = edge >= 0
    if not graph.bipartite:
        home = graph.cluster_of[a]
        away = graph.cluster_of[b]
        carried = carrying(graph.cluster_sizes[home], graph.cluster_sizes[away], negatives)
        known[carried & (graph.link_index.places(home, away) >= 0)] = 0
        known[home == away] = 1
    known[stated] = graph.edge_sign[edge[stated]] > 0
    return known, stated
