"""Exercises on real sentences: from the reader's own pairs, else from the corpus that ships."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations, islice
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from ...graph import ParaphraseGraph
from ...pairs import read_pairs
from ...pairs.demo import DEMO, DEMO_KEY
from ..frustration_index import frustration
from ..triangles import Triad, triads
from .answers import Edge, Wrong, named
from .changes import judge_flips, optimal_flips
from .exercise import Draft
from .sketch import edge, listed

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["corpus", "third_side", "trust_the_negative", "which_to_doubt"]

SENTENCES, LABELS = 10, 17  # of a cluster, at most: to be read, and all sets of a few labels tried
ENOUGH = 1000  # triads of a kind to draw from
NOT_YOURS = " (From the shipped corpus: your pairs hold nothing of the kind.)"


@lru_cache(maxsize=1)
def corpus() -> ParaphraseGraph:
    """The graph of the shipped corpus."""
    return ParaphraseGraph.from_pairs(read_pairs(DEMO))


def _from(source: ParaphraseGraph | None, find: Callable[..., list], *what: Any) -> tuple[ParaphraseGraph, list, str]:
    """What is found in the reader's pairs; where there is nothing, in the shipped corpus, and a word on that."""
    if source is not None and (found := find(source, *what)):
        return source, found, ""
    note = "" if source is None else NOT_YOURS
    return corpus(), find(corpus(), *what), note


# -- triads ----------------------------------------------------------------------------------------------


def third_side(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Two labels among three sentences are shown: which may the third be, under weak balance?"""
    shown = rng.choice(["++", "+-", "--"])
    source, found, note = _from(source, _triads_but_one, shown)
    triad, hidden = rng.choice(found)
    graph = source.to_networkx(nodes=triad.nodes)
    a, b = triad.nodes[hidden], triad.nodes[(hidden + 1) % 3]
    stated = graph.edges[a, b]["sign"]
    graph.remove_edge(a, b)
    third = next(node for node in graph if node not in (a, b))
    right = {"++": "+", "+-": "−", "--": "either"}[shown]
    hints = (
        "Weak balance forbids a cycle with a single negative edge.",
        "Friends of friends are friends. What of the enemies of enemies?",
        f"Look at {named(graph, third)}: how many of its labels here are negative?",
    )

    def judge(answer: str) -> str:
        if answer == right:
            return f"Right. The data say: {'same' if stated > 0 else 'different'}."
        if right == "either":
            raise Wrong("That may be. Must it?")
        raise Wrong("That lets in a cycle with a single negative edge: friends of friends who are no friends.")

    question = (
        "Three sentences, and two of their labels (+: the same, −: different). If weak balance holds, which sign may "
        f"the third pair have? It is {edge(graph, a, b)}.{note}"
    )
    return Draft(question, graph, judge, lambda: iter([right]), hints, ("+", "−", "either"))


@lru_cache(maxsize=8)
def _triads_but_one(source: ParaphraseGraph, shown: str) -> list[tuple[Triad, int]]:
    """Weakly balanced triads, each with a side that leaves two given signs when it is hidden."""
    return [
        (triad, hidden)
        for kind in ("+++", "+--", "---")
        for triad in islice(triads(source, kind), ENOUGH)
        for hidden in range(3)
        if triad.signs[hidden - 2 :].count(-1) + triad.signs[:hidden].count(-1) == shown.count("-")
    ]


# -- clusters that contradict themselves -----------------------------------------------------------------


def which_to_doubt(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Which labels, as few as can be, would settle the conflict in a cluster?"""
    source, found, note = _from(source, _torn)
    graph = source.to_networkx(cluster=rng.choice(found))
    best = frustration(graph, "weak")
    fits = judge_flips(graph, "weak", best.value)
    hints = (
        "Each negative edge is contradicted by a way of positive edges between its ends. Read along it.",
        "Look for a label that lies on all these cycles: one negative, or one positive that joins two groups.",
        f"One answer turns a label of {named(graph, best.edges[0][0])}.",
    )

    def judge(edges: list[Edge]) -> str:
        return fits(edges) + _reading(graph, edges)

    question = (
        "Real sentences whose labels contradict each other: those joined by positive edges all mean the same, yet "
        "some are labelled as different. Which labels do you doubt? Name as few as settle it, so that the cluster is "
        f"weakly balanced once they are turned.{note}"
    )
    return Draft(question, graph, judge, lambda: iter(optimal_flips(graph, "weak", best.value)), hints)


def trust_the_negative(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """If one negative label of a cluster is right, which positives, as few as can be, are wrong?"""
    import networkx as nx

    source, found, note = _from(source, _torn)
    graph = source.to_networkx(cluster=rng.choice(found))
    negatives = [(x, y) for x, y, sign in graph.edges(data="sign") if sign < 0]
    a, b = rng.choice(negatives)
    graph.remove_edges_from(pair for pair in negatives if pair != (a, b))
    friends = graph.copy()
    friends.remove_edge(a, b)
    best = nx.edge_connectivity(friends, a, b)

    def without(edges: Any) -> nx.Graph:
        left = friends.copy()
        left.remove_edges_from(edges)
        return left

    def judge(edges: list[Edge]) -> str:
        if any({x, y} == {a, b} for x, y in edges):
            raise Wrong("The negative label is to be trusted: name positive ones.")
        left = without(edges)
        if nx.has_path(left, a, b):
            way = " – ".join(named(graph, node) for node in nx.shortest_path(left, a, b))
            raise Wrong(f"A way of positives is left that contradicts the negative: {way}.")
        if len(edges) > best:
            raise Wrong("That would settle it, but fewer labels need to be wrong.")
        return "Right: without these no way contradicts the negative, and no fewer would do." + _reading(graph, edges)

    def answers() -> Iterator[list[Edge]]:
        tried = combinations(friends.edges, best)
        return (list(edges) for edges in tried if not nx.has_path(without(edges), a, b))

    x, _ = next(answers())[0]
    hints = (
        "Every way of positive edges from the one to the other must lose an edge.",
        "Read along a way: where does the meaning change?",
        f"One answer holds a label of {named(graph, x)}.",
    )
    question = (
        f"Trust one negative label: {edge(graph, a, b)} are different. Then some of the positive labels must be "
        f"wrong, for they join the two. Which, if as few as can be?{note}"
    )
    return Draft(question, graph, judge, answers, hints)


@lru_cache(maxsize=4)
def _torn(source: ParaphraseGraph) -> list[int]:
    """The small clusters with a negative inside, that is with a guilty cycle; triads only where there is no other."""
    home = source.cluster_of[source.edge_a]
    inside = home == source.cluster_of[source.edge_b]
    labels = np.bincount(home[inside], minlength=len(source.cluster_sizes))
    torn = np.zeros(len(labels), dtype=bool)
    torn[home[inside & (source.edge_sign < 0)]] = True
    size = source.cluster_sizes
    small = torn & (size <= SENTENCES) & (labels <= LABELS)
    return np.flatnonzero(small & (size > 3) if (small & (size > 3)).any() else small).tolist()


@lru_cache(maxsize=1)
def _key() -> dict[frozenset[str], int]:
    """Of each pair of the shipped corpus whose stated label is wrong, that label's sign."""
    with open(DEMO_KEY, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    wrong = [row for row in rows if row["stated"] != row["true"]]
    return {frozenset((row["question1"], row["question2"])): 1 if row["stated"] == "1" else -1 for row in wrong}


def _reading(graph: nx.Graph, edges: list[Edge]) -> str:
    """What reading suggests, where it is known: in the shipped corpus."""
    text = graph.nodes(data="text")
    wrong = [(a, b) for a, b, sign in graph.edges(data="sign") if _key().get(frozenset((text[a], text[b]))) == sign]
    if not wrong:
        return ""
    if {frozenset(pair) for pair in wrong} == {frozenset(pair) for pair in edges}:
        return " Reading agrees: these are the labels that are wrong."
    more = f", and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return f" Reading suggests otherwise: wrongly labelled are {listed(graph, wrong[:3])}{more}."
