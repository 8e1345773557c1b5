"""Proofs that two sentences count as the same, as different, or as neither; and labels that contradict each other."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..files.shown import counting, shown
from .core import ParaphraseGraph, checked_graph
from .distance import carrying, check_rule, distance
from .paths import disjoint_paths, path_lengths, shortest_path, shortest_paths

__all__ = ["Explanation", "Step", "as_written", "conflicts", "contradictions", "explain"]


@dataclass(frozen=True)
class Step:
    """One stated pair of a proof."""

    text_a: str
    text_b: str
    sign: int  #: +1 or -1, its stated label
    rows: list[int | str]  #: where its source states it
    nodes: tuple[int, int] = (-1, -1)  #: the two sentences in the graph
    p_right: float | None = None  #: how probably its label is right, where somebody was asked (`doubts.trust`)


@dataclass(frozen=True, repr=False)
class Explanation:
    """The relation of two sentences, and the rows it follows from; shown, it is a text.

    `verdict`: *same* (one sentence), *stated*, *inferred*, *conflict* (stated negative, joined by a positive path) or
    *unknown* (nothing follows). `label`: 1, 0 or None. `stated`: the pair's own edge, if there is one. `steps`: the
    proof, from `text_a` to `text_b`. `rounds`, `hops`: distance of an inferred label. `p_right`: the probability that
    this label is right, if a judge was asked (`doubts.trust`).
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
    p_right: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain values, for JSON."""
        return asdict(self)

    @property
    def weakest(self) -> Step | None:
        """The step of an inferred label that is least probably right, if a judge was asked."""
        return None if self.p_right is None else min(self.steps, key=lambda step: step.p_right)

    def _said(self, step: Step) -> str:
        """The rows of a step, and the probability that it is right."""
        if step.p_right is None:
            return _rows(step)
        weakest = ", the weakest" if step is self.weakest else ""
        return f"{_rows(step)}; right with {step.p_right:.2f}{weakest}"

    def __repr__(self) -> str:
        lines = [f"{shown(self.text_a)}\n{shown(self.text_b)}\n\n{self.verdict}: {shown(self.reason)}"]
        for step in [self.stated, *self.steps] if self.verdict == "conflict" else self.steps:
            mark = "+" if step.sign > 0 else "−"
            lines.append(f"  {mark} {shown(step.text_a)}\n    {shown(step.text_b)}   ({self._said(step)})")
        return "\n".join(lines)


def explain(graph: ParaphraseGraph, text_a: str | int, text_b: str | int, negatives: str = "all") -> Explanation:
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

    edge = graph.edge_between(a, b)
    together = bool(graph.cluster_of[a] == graph.cluster_of[b])
    if edge >= 0:
        stated = _step(graph, a, b)
        statement = graph.words[stated.sign > 0]
        if graph.labelled_twice[edge]:
            statement += f" ({_both_ways(graph, edge)})"
        if graph.negatives_inside[edge]:
            path = _path_steps(graph, a, b)
            reason = f"stated {statement}, yet a path of {len(path)} pairs joins the two"
            return verdict("conflict", 0, reason, stated=stated, steps=path)
        return verdict("stated", int(stated.sign > 0), statement, stated=stated, steps=[stated])

    if graph.bipartite:
        reason = "no row pairs the two, and nothing follows where the two sides are different things"
        return verdict("unknown", None, reason)
    steps = _path_steps(graph, a, b) if together else _negative_proof(graph, a, b)
    if not steps:
        return verdict("unknown", None, "no stated pair joins their clusters, so nothing follows")
    if not together and not carrying(*graph.cluster_sizes[graph.cluster_of[[a, b]]], negatives):
        reason = "a stated negative joins their clusters, but one is a single sentence (rule 'clusters')"
        return verdict("unknown", None, reason)
    used = len(steps) - (not together)
    sign = 1 if together else -1
    rounds, hops = (int(distance(np.array([used]), sign, name)[0]) for name in ("rounds", "hops"))
    reason = f"{graph.words[together]}, at distance {rounds} ({counting(hops, 'hop')}): a path of {len(steps)} pairs"
    if not together:
        reason += ", one of them negative"
    return verdict("inferred", int(together), reason, steps=steps, rounds=rounds, hops=hops)


def _both_ways(graph: ParaphraseGraph, edge: int) -> str:
    """Say how often an edge is stated with each label, or who states which; and which label counts."""
    yes = int(graph.edge_n_positive[edge])
    no = int(graph.edge_n_negative[edge])
    if not graph.annotators_differ[edge]:
        return f"stated both ways: {yes} for, {no} against; majority, the later row on a tie"
    tie = "a tie, to be decided; until then the later row counts"
    return f"{graph.votes(edge)}; {tie if yes == no else 'the majority counts'}"


def _negative_proof(graph: ParaphraseGraph, a: int, b: int) -> list[Step]:
    """Path from a, a stated negative between the two clusters, path to b; the fewest edges in all; or nothing."""
    home, away = graph.cluster_of[[a, b]]
    link = graph.links_between(home, away)
    if link < 0:
        return []
    begins, *ends = graph.link_negatives  # the first end lies in the cluster with the lower id
    x, y = (end[begins[link] : begins[link + 1]] for end in (ends if home < away else ends[::-1]))
    (_, from_a), (_, from_b) = (path_lengths(graph, np.array([node])) for node in (a, b))
    best = np.argmin(from_a[graph.place_in_cluster[x]] + from_b[graph.place_in_cluster[y]])
    x = int(x[best])
    y = int(y[best])
    return [*_path_steps(graph, a, x), _step(graph, x, y), *_path_steps(graph, y, b)]


def _path_steps(graph: ParaphraseGraph, a: int, b: int) -> list[Step]:
    return [_step(graph, i, j) for i, j in pairwise(shortest_path(graph, a, b))]


def _step(graph: ParaphraseGraph, i: int, j: int) -> Step:
    edge = graph.edge_between(i, j)
    return Step(graph.text(i), graph.text(j), int(graph.edge_sign[edge]), graph.source_rows(edge), (i, j))


def _rows(step: Step) -> str:
    noun = "row" if len(step.rows) == 1 else "rows"
    return f"{noun} {', '.join(map(str, step.rows))}"


# -- contradictions: frenemies (Chen, Ji and Evans 2020, section 3.2) --------------------------------------------


def conflicts(graph: ParaphraseGraph) -> pd.DataFrame:
    """List the conflicts of a graph, each with its evidence.

    Kinds
    -----
    within
        A stated negative inside a cluster: a positive path contradicts it. (None in bipartite data.)
    direct
        A pair that rows label both 1 and 0. It may also be *within*, and then has two entries.
    self
        A sentence that a row pairs with itself and labels 0.

    Columns
    -------
    kind, text_a, text_b, cluster
        The pair as first stated; `cluster` is the first sentence's.
    path
        For *within*: the sentences of a shortest positive path from `text_a` to `text_b`; else empty.
    length, disjoint_paths
        Positive edges on a shortest path; positive paths that share no edge, which is the least number of positives
        to cut (0 if no path joins the two).
    n_positive, n_negative, rows, path_rows
        Rows of each label; their numbers in the source; the rows behind each edge of `path`.
    votes
        Where rows name several annotators: who says what, such as ``Ada: yes, Bo: no``.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0],
    ...                       "row": [2, 3, 4]})
    >>> found = conflicts(ParaphraseGraph.from_pairs(pairs))
    >>> found[["kind", "text_a", "text_b", "path", "disjoint_paths"]]
         kind text_a text_b       path  disjoint_paths
    0  within      a      c  [a, b, c]               1
    """
    found = contradictions(checked_graph(graph, "conflicts"))
    stated, (a, b) = graph.edge_table(found.edges[found.edges >= 0]), found.ends
    disjoint = np.zeros(len(a), dtype=np.int64)
    joined = np.flatnonzero(found.length)
    disjoint[joined] = disjoint_paths(graph, a[joined], b[joined])
    alone = [graph.rows_between(node, node) for node in graph.self_negatives.tolist()]
    counts = np.array([[(graph.row_sign[rows] == sign).sum() for rows in alone] for sign in (1, -1)], dtype=np.int64)
    behind = {edge: graph.source_rows(edge) for edge in {edge for steps in found.steps for edge in steps}}
    table = pd.DataFrame(
        {
            "kind": pd.Series(found.kinds, dtype="str"),
            **graph.pair_texts(a, b),
            "cluster": graph.cluster_of[a].astype(np.int64),
            "path": list(map(graph.texts, found.paths)),
            "length": found.length,
            "disjoint_paths": disjoint,
            "n_positive": np.append(stated["n_positive"], counts[0]).astype(np.int64),
            "n_negative": np.append(stated["n_negative"], counts[1]).astype(np.int64),
            "rows": [*stated["rows"], *map(graph.row_names, alone)],
            "path_rows": [[*map(behind.get, steps)] for steps in found.steps],
        }
    )
    if graph.annotators is not None:
        table["votes"] = [graph.votes(edge) for edge in found.edges.tolist()]
    return table


class Contradictions(NamedTuple):
    """The conflicts of a graph, in the order of `conflicts`, by nodes and edges."""

    kinds: list[str]
    edges: np.ndarray  #: -1 for a sentence that is stated to differ from itself
    ends: np.ndarray  #: two nodes each: shape (2, conflicts)
    length: np.ndarray  #: of a shortest positive path, 0 without one
    paths: list[list[int]]  #: its nodes, for those within a cluster
    steps: list[list[int]]  #: and its edges


def contradictions(graph: ParaphraseGraph) -> Contradictions:
    """Find the conflicts of a graph; each step of their paths is looked up once."""
    within = np.flatnonzero(graph.negatives_inside)
    direct = np.flatnonzero(graph.labelled_twice)
    edges = np.append(within, direct)
    alone = graph.self_negatives
    a, b = ends = graph.ends(edges)
    edges = np.append(edges, np.full(len(alone), -1))
    ends = np.append(ends, [alone, alone], axis=1)
    joined = np.flatnonzero((graph.cluster_of[a] == graph.cluster_of[b]) & (not graph.bipartite))
    length = np.zeros(len(edges), dtype=np.int64)
    paths = [[]] * len(edges)
    for i, path in zip(joined.tolist(), shortest_paths(graph, a[joined], b[joined]), strict=True):
        length[i] = len(path) - 1
        if i < len(within):
            paths[i] = path
    nodes = np.fromiter(chain.from_iterable(paths), np.int64)
    between = graph.edge_index.places(nodes[:-1], nodes[1:]).tolist()
    starts = np.cumsum([0, *map(len, paths)]).tolist()
    steps = [between[start : max(start, stop - 1)] for start, stop in pairwise(starts)]
    kinds = ["within"] * len(within) + ["direct"] * len(direct) + ["self"] * len(alone)
    return Contradictions(kinds, edges, ends, length, paths, steps)


def as_written(table: pd.DataFrame, graph: ParaphraseGraph | None = None) -> pd.DataFrame:
    """A table of pairs as files have it: labels in the words of the graph's own data, if their labels are words.

    Files call the two sentences `question1` and `question2`, as Quora's release does.
    """
    table = table.rename(columns={"text_a": "question1", "text_b": "question2"})
    words = dict(enumerate(graph.own_words)) if graph is not None else {}
    return table.assign(label=table["label"].map(words)) if words and "label" in table else table
