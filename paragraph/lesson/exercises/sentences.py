"""Exercises on real sentences, from the reader's own pairs, or else from the corpus that ships."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations, islice
from random import Random

import networkx as nx
import numpy as np
import pandas as pd

from ...balance.frustration_index import frustration
from ...balance.triangles import Triad, triads
from ...graph import ParaphraseGraph
from ...pairs import read_pairs
from ...pairs.datasets import DEMO, DEMO_KEY
from .ask import Asked, Edge, Grade, Sketch, unbalanced
from .changes import ask_changes

__all__ = ["third_side", "trust_the_negative", "which_to_doubt"]

SENTENCES, LABELS = 10, 17  # of a cluster, at most: to be read, and all sets of a few labels tried
ENOUGH = 1000  # triads of a kind to draw from
NOT_YOURS = " (From the shipped corpus: your pairs contain nothing of the kind.)"


@lru_cache(maxsize=1)
def _corpus() -> ParaphraseGraph:
    return ParaphraseGraph.from_pairs(read_pairs(DEMO))


def _from(source: ParaphraseGraph | None, find: Callable[..., list], *what: str) -> tuple[ParaphraseGraph, list, str]:
    """Search the reader's pairs, then the shipped corpus; return the graph of the first find, the find, a note."""
    if source is not None and (found := find(source, *what)):
        return source, found, ""
    return _corpus(), find(_corpus(), *what), "" if source is None else NOT_YOURS


def third_side(rng: Random, source: ParaphraseGraph | None) -> Asked:
    """Say which label the third pair of three sentences may have, under weak balance."""
    shown = rng.choice(["++", "+-", "--"])
    source, found, note = _from(source, _triads_but_one, shown)
    triad, hidden = rng.choice(found)
    a, b, c = (triad.nodes[(hidden + i) % 3] for i in range(3))
    whole = Sketch(source.to_networkx(nodes=triad.nodes))
    graph = whole.without([(a, b)])
    right = {"++": "+", "+-": "−", "--": "either"}[shown]
    text = f"""Three sentences; two of their three pairs have a label (+: the same, −: different). The third pair
        has none: {graph.edge(a, b)}. Which sign keeps the triad weakly balanced? Choose “either” if both do.{note}
        - Weak balance forbids a cycle with a single negative edge.
        - Friends of friends are friends. What of the enemies of enemies?
        - Look at {graph.named(c)}: how many of its labels here are negative?"""

    def reply(answer: str) -> Grade:
        if answer == right:
            (mark,) = whole.marked([(a, b)])
            return Grade(True, f"Right. The data say: {'same' if mark[2] > 0 else 'different'}.", (mark,))
        if right == "either":
            return Grade(False, "That is possible. Is it the only possibility?")
        fault = "One sign makes friends of friends who are not friends"
        return unbalanced(graph.with_edge(a, b, -1 if right == "+" else 1), "weak", fault)

    return Asked(graph, text, lambda: [right], reply=reply)


@lru_cache(maxsize=8)
def _triads_but_one(source: ParaphraseGraph, shown: str) -> list[tuple[Triad, int]]:
    """Return weakly balanced triads, each with a side that leaves two given signs when it is hidden."""
    return [
        (triad, hidden)
        for kind in ("+++", "+--", "---")
        for triad in islice(triads(source, kind), ENOUGH)
        for hidden in range(3)
        if triad.signs[hidden - 2 :].count(-1) + triad.signs[:hidden].count(-1) == shown.count("-")
    ]


# -- clusters that contradict themselves -------------------------------------------------------------------


def which_to_doubt(rng: Random, source: ParaphraseGraph | None) -> Asked:
    """Name the fewest labels that would settle the conflict in a cluster."""
    graph, note = _conflict(rng, source)
    best = frustration(graph, "weak")
    text = f"""Real sentences whose labels contradict each other: those joined by positive edges all mean the same,
        yet some are labelled as different. Which labels do you doubt? Name as few as settle it, so that the cluster
        is weakly balanced once they are turned.{note}
        - Each negative edge is contradicted by a path of positive edges between its ends. Read along it.
        - Look for a label that lies on all these cycles: one negative, or one positive that joins two groups.
        - One answer turns a label of {graph.named(best.edges[0][0])}."""
    return _with_reading(ask_changes(graph, best, text))


def trust_the_negative(rng: Random, source: ParaphraseGraph | None) -> Asked:
    """Name the fewest positives that are wrong if one negative label of a cluster is right."""
    graph, note = _conflict(rng, source)
    trusted = rng.choice(graph.of_sign(-1))
    graph.remove_edges_from([pair for pair in graph.of_sign(-1) if pair != trusted])
    friends = graph.without([trusted])
    best = nx.edge_connectivity(friends, *trusted)

    def solutions() -> Iterator[list[Edge]]:
        tried = map(list, combinations(friends.edges, best))
        return (edges for edges in tried if not nx.has_path(friends.without(edges), *trusted))

    text = f"""Trust one negative label: {graph.edge(*trusted)} are different. Then some of the positive labels must
        be wrong, because they join the two. Which, if as few as can be?{note}
        - Every path of positive edges from one to the other must lose an edge.
        - Read along a path: where does the meaning change?
        - One answer holds a label of {graph.named(next(solutions())[0][0])}."""

    return _with_reading(Asked(graph, text, solutions, {"judge": "cut", "trusted": [trusted], "most": best}))


def _conflict(rng: Random, source: ParaphraseGraph | None) -> tuple[Sketch, str]:
    source, found, note = _from(source, _conflicting)
    return Sketch(source.to_networkx(cluster=rng.choice(found))), note


@lru_cache(maxsize=4)
def _conflicting(source: ParaphraseGraph) -> list[int]:
    """Return the small clusters with a negative inside (an unbalanced cycle); triads if there are no others."""
    home, size = source.cluster_of[source.edge_a], source.cluster_sizes
    inside = home == source.cluster_of[source.edge_b]
    labels = np.bincount(home[inside], minlength=len(size))
    negatives = np.bincount(home[inside & (source.edge_sign < 0)], minlength=len(size))
    small = (negatives > 0) & (size <= SENTENCES) & (labels <= LABELS)
    return np.flatnonzero(small & (size > 3) if (small & (size > 3)).any() else small).tolist()


@lru_cache(maxsize=1)
def _key() -> dict[frozenset[str], int]:
    """Return the sign of each stated label of the shipped corpus that is wrong, by its pair of sentences."""
    rows = pd.read_csv(DEMO_KEY, sep="\t", dtype="str", keep_default_na=False)
    wrong = rows[rows["stated"] != rows["true"]]
    pairs = map(frozenset, zip(wrong["question1"], wrong["question2"], strict=True))
    return dict(zip(pairs, np.where(wrong["stated"] == "1", 1, -1).tolist(), strict=True))


def _with_reading(asked: Asked) -> Asked:
    """Add to a right answer the labels that a reader finds wrong, which are known only for the shipped corpus."""
    graph = asked.graph
    text = graph.nodes(data="text")
    wrong = [(a, b) for a, b, sign in graph.edges(data="sign") if _key().get(frozenset((text[a], text[b]))) == sign]
    if not wrong:
        return asked
    more = f", and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    named = ", ".join(graph.edge(*pair) for pair in wrong[:3])
    reading = (
        f"By the sentences: other labels are wrong, {named}{more}. Signs alone cannot tell.",
        "By the sentences: these are the labels that are wrong.",
    )

    return asked._replace(rule={**asked.rule, "wrong": wrong, "reading": reading})
