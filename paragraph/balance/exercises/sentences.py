"""Exercises on real sentences: from the reader's own pairs, else from the corpus that ships."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations, islice
from random import Random
from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np

from ...graph import ParaphraseGraph
from ...pairs import read_pairs
from ...pairs.demo import DEMO, DEMO_KEY
from ..triangles import Triad, triads
from . import judges
from .answers import Edge, Wrong, named
from .changes import flips
from .grading import Grade
from .sketch import around, edge, listed, made, marked, without

__all__ = ["corpus", "judge_cut", "judge_doubts", "third_side", "trust_the_negative", "which_to_doubt"]

SENTENCES, LABELS = 10, 17  # of a cluster, at most: to be read, and all sets of a few labels tried
ENOUGH = 1000  # triads of a kind to draw from
NOT_YOURS = " (From the shipped corpus: your pairs contain nothing of the kind.)"


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


def third_side(rng: Random, source: ParaphraseGraph | None) -> SimpleNamespace:
    """Two labels among three sentences are shown: which may the third be, under weak balance?"""
    shown = rng.choice(["++", "+-", "--"])
    source, found, note = _from(source, _triads_but_one, shown)
    triad, hidden = rng.choice(found)
    graph = source.to_networkx(nodes=triad.nodes)
    a, b = triad.nodes[hidden], triad.nodes[(hidden + 1) % 3]
    stated = "same" if graph.edges[a, b]["sign"] > 0 else "different"
    graph.remove_edge(a, b)
    third = named(graph, next(node for node in graph if node not in (a, b)))
    right = {"++": "+", "+-": "−", "--": "either"}[shown]
    return made(graph, right, a=a, b=b, pair=edge(graph, a, b), stated=stated, third=third, note=note)


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


def which_to_doubt(rng: Random, source: ParaphraseGraph | None) -> SimpleNamespace:
    """Which labels, as few as can be, would settle the conflict in a cluster?"""
    source, found, note = _from(source, _conflicting)
    return flips(source.to_networkx(cluster=rng.choice(found)), "weak", note=note)


def judge_doubts(made: SimpleNamespace, edges: list[Edge]) -> Grade:
    grade = judges.flips(made, edges)
    return grade._replace(message=grade.message + _reading(made.graph, edges))


def trust_the_negative(rng: Random, source: ParaphraseGraph | None) -> SimpleNamespace:
    """If one negative label of a cluster is right, which positives, as few as can be, are wrong?"""
    source, found, note = _from(source, _conflicting)
    graph = source.to_networkx(cluster=rng.choice(found))
    negatives = [(x, y) for x, y, sign in graph.edges(data="sign") if sign < 0]
    trusted = rng.choice(negatives)
    graph.remove_edges_from(pair for pair in negatives if pair != trusted)
    friends = without(graph, [trusted])
    best = nx.edge_connectivity(friends, *trusted)

    def answers() -> Iterator[list[Edge]]:
        tried = combinations(friends.edges, best)
        return (list(edges) for edges in tried if not nx.has_path(without(friends, edges), *trusted))

    name = named(graph, next(answers())[0][0])
    pair = edge(graph, *trusted)
    return made(graph, answers=answers, trusted=trusted, friends=friends, best=best, pair=pair, name=name, note=note)


def judge_cut(made: SimpleNamespace, edges: list[Edge]) -> Grade:
    if any(set(pair) == set(made.trusted) for pair in edges):
        raise Wrong("The negative label is to be trusted: name positive ones.", marked(made.graph, [made.trusted]))
    left = without(made.friends, edges)
    if nx.has_path(left, *made.trusted):
        path = nx.shortest_path(left, *made.trusted)
        way = " – ".join(named(made.graph, node) for node in path)
        raise Wrong(f"A path of positives is left that contradicts the negative: {way}.", around(made.graph, path))
    if len(edges) > made.best:
        raise Wrong("That would resolve it, but fewer labels need to be wrong.")
    reading = _reading(made.graph, edges)
    return Grade(True, "Right: without these no path contradicts the negative, and no fewer would do." + reading)


@lru_cache(maxsize=4)
def _conflicting(source: ParaphraseGraph) -> list[int]:
    """The small clusters with a negative inside, so with an unbalanced cycle; triads only where there is no other."""
    home, size = source.cluster_of[source.edge_a], source.cluster_sizes
    inside = home == source.cluster_of[source.edge_b]
    labels, negatives = (
        np.bincount(home[kept], minlength=len(size)) for kept in (inside, inside & (source.edge_sign < 0))
    )
    small = (negatives > 0) & (size <= SENTENCES) & (labels <= LABELS)
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
