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

SENTENCES = 10  # of a cluster, at most: they are to be read
LABELS = 17  # of a cluster, at most: all sets of a few are tried
ENOUGH = 1000  # triads of a kind to draw from
NOT_YOURS = " (From the shipped corpus: your pairs contain nothing of the kind.)"


@lru_cache(maxsize=1)
def _corpus() -> ParaphraseGraph:
    return ParaphraseGraph.from_pairs(read_pairs(DEMO))


def _from(
    source: ParaphraseGraph | None, find: Callable[..., list], *what: str
) -> tuple[ParaphraseGraph, list, str]:
    """Search the reader's pairs, then the shipped corpus; return the graph of the first find, the find, a note."""
    note = ""
    if source is not None:
        found = find(source, *what)
        if found:
            return source, found, ""
        note = NOT_YOURS
    return _corpus(), find(_corpus(), *what), note


def third_side(rng: Random, source: ParaphraseGraph | None) -> Asked:
    """Say which label the third pair of three sentences may have, under weak balance."""
    shown = rng.choice(["++", "+-", "--"])
    source, found, note = _from(source, _triads_but_one, shown)
    triad, hidden = rng.choice(found)
    a, b, c = triad.nodes[hidden:] + triad.nodes[:hidden]
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
            meaning = {"positive": "same", "negative": "different"}[whole.word(a, b)]
            return Grade(True, f"Right. The data say: {meaning}.", whole.marked([(a, b)]))
        if right == "either":
            return Grade(False, "That is possible. Is it the only possibility?")
        fault = "One sign makes friends of friends who are not friends"
        wrong = {"+": -1, "−": 1}[right]
        return unbalanced(graph.with_edge(a, b, wrong), "weak", fault)

    return Asked(graph, text, lambda: [right], reply=reply)


@lru_cache(maxsize=8)
def _triads_but_one(source: ParaphraseGraph, shown: str) -> list[tuple[Triad, int]]:
    """Return weakly balanced triads, each with a side that leaves two given signs when it is hidden."""
    rows = []
    for kind in ("+++", "+--", "---"):
        for triad in islice(triads(source, kind), ENOUGH):
            for hidden in range(3):
                signs = triad.signs[hidden + 1 :] + triad.signs[:hidden]
                if signs.count(-1) == shown.count("-"):
                    rows.append((triad, hidden))
    return rows


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
    others = [pair for pair in graph.of_sign(-1) if pair != trusted]
    graph.remove_edges_from(others)
    friends = graph.without([trusted])
    best = nx.edge_connectivity(friends, *trusted)

    def solutions() -> Iterator[list[Edge]]:
        for edges in combinations(friends.edges, best):
            if not nx.has_path(friends.without(edges), *trusted):
                yield list(edges)

    first = next(solutions())
    text = f"""Trust one negative label: {graph.edge(*trusted)} are different. Then some of the positive labels must
        be wrong, because they join the two. Which, if as few as can be?{note}
        - Every path of positive edges from one to the other must lose an edge.
        - Read along a path: where does the meaning change?
        - One answer holds a label of {graph.named(first[0][0])}."""
    rule = {"judge": "cut", "trusted": [trusted], "most": best}
    return _with_reading(Asked(graph, text, solutions, rule))


def _conflict(rng: Random, source: ParaphraseGraph | None) -> tuple[Sketch, str]:
    source, clusters, note = _from(source, _conflicting)
    return Sketch(source.to_networkx(cluster=rng.choice(clusters))), note


@lru_cache(maxsize=4)
def _conflicting(source: ParaphraseGraph) -> list[int]:
    """Return the small clusters with a negative inside (an unbalanced cycle); triads if there are no others."""
    home = source.cluster_of[source.edge_a]
    size = source.cluster_sizes
    inside = home == source.cluster_of[source.edge_b]
    labels = np.bincount(home[inside], minlength=len(size))
    negatives = np.bincount(home[inside & (source.edge_sign < 0)], minlength=len(size))
    small = (negatives > 0) & (size <= SENTENCES) & (labels <= LABELS)
    larger = small & (size > 3)
    if larger.any():
        small = larger
    return np.flatnonzero(small).tolist()


@lru_cache(maxsize=1)
def _key() -> dict[frozenset[str], int]:
    """Return the sign of each stated label of the shipped corpus that is wrong, by its pair of sentences."""
    rows = pd.read_csv(DEMO_KEY, sep="\t", dtype="str", keep_default_na=False)
    wrong = rows[rows["stated"] != rows["true"]]
    pairs = map(frozenset, zip(wrong["question1"], wrong["question2"], strict=True))
    signs = np.where(wrong["stated"] == "1", 1, -1)
    return dict(zip(pairs, signs.tolist(), strict=True))


def _with_reading(asked: Asked) -> Asked:
    """Add to a right answer the labels that a reader finds wrong, which are known only for the shipped corpus."""
    graph = asked.graph
    text = graph.nodes(data="text")
    wrong = []
    for a, b, sign in graph.edges(data="sign"):
        if _key().get(frozenset((text[a], text[b]))) == sign:
            wrong.append((a, b))
    if not wrong:
        return asked
    named = ", ".join(graph.edge(*pair) for pair in wrong[:3])
    if len(wrong) > 3:
        named += f", and {len(wrong) - 3} more"
    otherwise = f"By the sentences: other labels are wrong, {named}. Signs alone cannot tell."
    reading = (otherwise, "By the sentences: these are the labels that are wrong.")
    return asked._replace(rule={**asked.rule, "wrong": wrong, "reading": reading})
