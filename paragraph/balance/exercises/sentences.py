"""Exercises on real sentences, from the reader's own pairs, else from the corpus that ships."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations, islice
from random import Random
from typing import Any

import networkx as nx
import numpy as np

from ...graph import ParaphraseGraph
from ...pairs import read_pairs
from ...pairs.datasets import DEMO, DEMO_KEY
from ..triangles import Triad, triads
from .answers import Wrong
from .ask import Asked, Grade
from .changes import flips
from .sketch import Edge, around, edge, joined, listed, marked, named, without

__all__ = ["third_side", "trust_the_negative", "which_to_doubt"]

SENTENCES, LABELS = 10, 17  # of a cluster, at most: to be read, and all sets of a few labels tried
ENOUGH = 1000  # triads of a kind to draw from
NOT_YOURS = " (From the shipped corpus: your pairs contain nothing of the kind.)"


@lru_cache(maxsize=1)
def _corpus() -> ParaphraseGraph:
    return ParaphraseGraph.from_pairs(read_pairs(DEMO))


def _from(source: ParaphraseGraph | None, find: Callable[..., list], *what: Any) -> tuple[ParaphraseGraph, list, str]:
    """Search the reader's pairs, then the shipped corpus: return where something was found, that, and a note."""
    if source is not None and (found := find(source, *what)):
        return source, found, ""
    note = "" if source is None else NOT_YOURS
    return _corpus(), find(_corpus(), *what), note


# -- triads ------------------------------------------------------------------------------------------------


def third_side(rng: Random, source: ParaphraseGraph | None) -> Asked:
    """Say which label the third pair of three sentences may have, under weak balance."""
    shown = rng.choice(["++", "+-", "--"])
    source, found, note = _from(source, _triads_but_one, shown)
    triad, hidden = rng.choice(found)
    graph = source.to_networkx(nodes=triad.nodes)
    a, b = triad.nodes[hidden], triad.nodes[(hidden + 1) % 3]
    stated = graph.edges[a, b]["sign"]
    graph.remove_edge(a, b)
    right = {"++": "+", "+-": "−", "--": "either"}[shown]
    hints = (
        "Weak balance forbids a cycle with a single negative edge.",
        "Friends of friends are friends. What of the enemies of enemies?",
        f"Look at {named(graph, triad.nodes[hidden - 1])}: how many of its labels here are negative?",
    )

    def judge(answer: str) -> Grade:
        if answer == right:
            label = "same" if stated > 0 else "different"
            return Grade(True, f"Right. The data say: {label}.", marked(joined(graph, a, b, stated), [(a, b)]))
        if right == "either":
            raise Wrong("That is possible. Is it the only possibility?")
        unbalanced = joined(graph, a, b, -1 if right == "+" else 1)
        fault = "makes a cycle with a single negative edge: friends of friends who are not friends"
        start = "One of the two" if answer == "either" else "That"
        raise Wrong(f"{start} {fault}.", around(unbalanced, unbalanced))

    question = (
        f"Three sentences, and two of their labels (+: the same, −: different). If weak balance holds, which sign "
        f"may the third pair have? It is {edge(graph, a, b)}.{note}"
    )
    return Asked(graph, question, hints, judge, lambda: [right])


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
    """Name the labels, as few as can be, that would settle the conflict in a cluster."""
    source, found, note = _from(source, _conflicting)
    graph = source.to_networkx(cluster=rng.choice(found))
    question = (
        f"Real sentences whose labels contradict each other: those joined by positive edges all mean the same, yet "
        f"some are labelled as different. Which labels do you doubt? Name as few as settle it, so that the cluster "
        f"is weakly balanced once they are turned.{note}"
    )
    hints = (
        "Each negative edge is contradicted by a path of positive edges between its ends. Read along it.",
        "Look for a label that lies on all these cycles: one negative, or one positive that joins two groups.",
    )
    asked = flips(graph, "weak", question, hints, "One answer turns a label of {}.")

    def judge(edges: list[Edge]) -> Grade:
        grade = asked.judge(edges)
        return grade._replace(message=grade.message + _reading(graph, edges))

    return asked._replace(judge=judge)


def trust_the_negative(rng: Random, source: ParaphraseGraph | None) -> Asked:
    """Name the positives, as few as can be, that are wrong if one negative label of a cluster is right."""
    source, found, note = _from(source, _conflicting)
    graph = source.to_networkx(cluster=rng.choice(found))
    negatives = [(x, y) for x, y, sign in graph.edges(data="sign") if sign < 0]
    trusted = rng.choice(negatives)
    graph.remove_edges_from(pair for pair in negatives if pair != trusted)
    friends = without(graph, [trusted])
    best = nx.edge_connectivity(friends, *trusted)

    def solutions() -> Iterator[list[Edge]]:
        tried = combinations(friends.edges, best)
        return (list(edges) for edges in tried if not nx.has_path(without(friends, edges), *trusted))

    hints = (
        "Every path of positive edges from one to the other must lose an edge.",
        "Read along a path: where does the meaning change?",
        f"One answer holds a label of {named(graph, next(solutions())[0][0])}.",
    )

    def judge(edges: list[Edge]) -> Grade:
        if any(set(pair) == set(trusted) for pair in edges):
            raise Wrong("The negative label is to be trusted: name positive ones.", marked(graph, [trusted]))
        left = without(friends, edges)
        if nx.has_path(left, *trusted):
            path = nx.shortest_path(left, *trusted)
            way = " – ".join(named(graph, node) for node in path)
            raise Wrong(f"A path of positives is left that contradicts the negative: {way}.", around(graph, path))
        if len(edges) > best:
            raise Wrong("That would resolve it, but fewer labels need to be wrong.")
        right = "Right: without these no path contradicts the negative, and no fewer would do."
        return Grade(True, right + _reading(graph, edges))

    question = (
        f"Trust one negative label: {edge(graph, *trusted)} are different. Then some of the positive labels must be "
        f"wrong, because they join the two. Which, if as few as can be?{note}"
    )
    return Asked(graph, question, hints, judge, solutions)


@lru_cache(maxsize=4)
def _conflicting(source: ParaphraseGraph) -> list[int]:
    """Return the small clusters with a negative inside, so with an unbalanced cycle; triads if there is no other."""
    home, size = source.cluster_of[source.edge_a], source.cluster_sizes
    inside = home == source.cluster_of[source.edge_b]
    labels, negatives = (
        np.bincount(home[kept], minlength=len(size)) for kept in (inside, inside & (source.edge_sign < 0))
    )
    small = (negatives > 0) & (size <= SENTENCES) & (labels <= LABELS)
    return np.flatnonzero(small & (size > 3) if (small & (size > 3)).any() else small).tolist()


@lru_cache(maxsize=1)
def _key() -> dict[frozenset[str], int]:
    """Return the sign of each stated label of the shipped corpus that is wrong, by its pair of sentences."""
    with open(DEMO_KEY, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    wrong = [row for row in rows if row["stated"] != row["true"]]
    return {frozenset((row["question1"], row["question2"])): 1 if row["stated"] == "1" else -1 for row in wrong}


def _reading(graph: nx.Graph, edges: list[Edge]) -> str:
    """Return a word on which labels a reader finds wrong, known for the shipped corpus alone."""
    text = graph.nodes(data="text")
    wrong = [(a, b) for a, b, sign in graph.edges(data="sign") if _key().get(frozenset((text[a], text[b]))) == sign]
    if not wrong:
        return ""
    if {frozenset(pair) for pair in wrong} == {frozenset(pair) for pair in edges}:
        return " Reading agrees: these are the labels that are wrong."
    more = f", and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return f" Reading suggests otherwise: wrongly labelled are {listed(graph, wrong[:3])}{more}."
