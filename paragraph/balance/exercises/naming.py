"""Exercises on single triads, and on the product of signs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

from ..triangles import KINDS, census, triads
from .answers import Wrong, steps
from .exercise import Draft
from .sketch import along, edge, ring, signed, skeleton, turned, until

if TYPE_CHECKING:
    import networkx as nx

    from ...graph import ParaphraseGraph

__all__ = ["count_triads", "in_a_crowd", "in_words", "name_the_triad", "once_around"]

PEOPLE = (
    "Ada",
    "Ben",
    "Cleo",
    "Dan",
    "Eve",
    "Finn",
    "Gus",
    "Hana",
    "Ivo",
    "Jill",
    "Kofi",
    "Lena",
    "Max",
    "Nora",
    "Omar",
)
FRIENDLY = ("{} and {} are friends.", "{} likes {}.", "{} and {} get on well.", "{} would trust {} with anything.")
HOSTILE = ("{} and {} are at odds.", "{} cannot stand {}.", "{} and {} avoid each other.", "{} quarrels with {}.")


def name_the_triad(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """One triad is shown: which of the four is it?"""
    kind = rng.choice(KINDS)
    graph = _triad(rng, rng.sample(PEOPLE, 3), kind)
    known = rng.choice(list(graph.edges))
    hints = (
        "Count its negative edges.",
        "There are as many types as there can be negatives: from none to all.",
        f"The edge {edge(graph, *known)} is {_sign(graph, known)}; look at the other two.",
    )
    question = "Which type is this triad? (Positive signs are written first.)"
    return Draft(question, graph, _is_kind(kind), lambda: iter([kind]), hints, KINDS)


def in_words(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Five people are told of, no edge is shown: which triad do three of them make?"""
    five, kind = rng.sample(PEOPLE, 5), rng.choice(KINDS)
    graph = _triad(rng, five[:3], kind)
    others = [pair for pair in combinations(five, 2) if not graph.has_edge(*pair)]
    graph.add_edges_from((*pair, {"sign": rng.choice([1, -1])}) for pair in rng.sample(others, 3))
    told = []
    for pair in rng.sample(sorted(graph.edges), len(graph.edges)):
        ways = FRIENDLY if graph.edges[pair]["sign"] > 0 else HOSTILE
        told.append(rng.choice(ways).format(*rng.sample(pair, 2)))
    first, second, third = sorted(five[:3])
    known = rng.choice(list(combinations(sorted(five[:3]), 2)))
    hints = (
        "Draw it: a node for each person, an edge with a sign for each sentence.",
        "Only three of the sentences speak of two of these three.",
        f"{known[0]} and {known[1]} are joined by a {_sign(graph, known)} edge; find the other two.",
    )
    shown = graph.copy()
    shown.remove_edges_from(graph.edges)
    question = f"{' '.join(told)} Which type is the triad of {first}, {second} and {third}?"
    return Draft(question, shown, _is_kind(kind), lambda: iter([kind]), hints, KINDS)


def in_a_crowd(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Three nodes of a larger graph: which triad do they make?"""
    kind = rng.choice(KINDS)
    graph = until(lambda: signed(rng, skeleton(rng, 7, 13), 3, wrong=3), lambda made: census(made)[kind] > 0)
    three = sorted(rng.choice([triad.nodes for triad in triads(graph, kind)]))
    known = rng.choice(list(combinations(three, 2)))
    hints = (
        "Cover everything else with your hand.",
        f"Three edges count: those between {three[0]}, {three[1]} and {three[2]}.",
        f"The edge {edge(graph, *known)} is {_sign(graph, known)}; look at the other two.",
    )
    question = (
        f"Which type is the triad of {three[0]}, {three[1]} and {three[2]}? (Positive signs are written first.)"
    )
    return Draft(question, graph, _is_kind(kind), lambda: iter([kind]), hints, KINDS)


def once_around(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """A cycle is shown: what is the product of its signs?"""
    graph = ring(rng, rng.randint(4, 7))
    graph = turned(graph, [pair for pair in list(graph.edges) if rng.random() < 0.5])
    nodes = list(graph)
    before = [graph.edges[step]["sign"] for step in steps(nodes)[:-2]]
    product = _word(-1 if before.count(-1) % 2 else 1)
    right = "−" if along(graph, nodes).endswith("−)") else "+"
    hints = (
        "Two negatives make a positive.",
        "So only this matters: is the number of negative edges odd or even?",
        f"From {nodes[0]} by {nodes[1]} to {nodes[-2]} the product is {product}; the last two edges are left to you.",
    )

    def judge(answer: str) -> str:
        if answer != right:
            raise Wrong("Not so: pair up the negative edges, and see whether one is left over.")
        return f"Right: {along(graph, nodes)}."

    question = "Multiply the signs around this cycle: what is the product?"
    return Draft(question, graph, judge, lambda: iter([right]), hints, ("+", "−"))


def count_triads(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """How many triads of one type are there in a graph?"""
    graph = until(lambda: signed(rng, skeleton(rng, 6, 11), 3, wrong=2), lambda made: census(made).sum() >= 4)
    counts = census(graph)
    kind = rng.choice([kind for kind in KINDS if counts[kind]])
    number = int(counts[kind])
    found = [triad.nodes for triad in triads(graph)]
    example = next(triads(graph, kind)).nodes
    hints = (
        "List all triads first, whatever their signs: nodes that are all joined to each other.",
        f"Go node by node. {max(graph, key=lambda node: sum(node in three for three in found))} lies in many triads.",
        f"An example of this type is {', '.join(example)}.",
    )

    def judge(answer: int) -> str:
        if answer > number:
            raise Wrong(
                "There are fewer: has each of yours three edges, and the signs asked for? None counted twice?"
            )
        if answer < number:
            raise Wrong("There are more than that.")
        return f"Right: {'; '.join(', '.join(triad.nodes) for triad in triads(graph, kind))}."

    question = f"How many triads of the type {kind} are there in this graph?"
    return Draft(question, graph, judge, lambda: iter([number]), hints)


def _triad(rng: Random, nodes: list[str], kind: str) -> nx.Graph:
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(sorted(nodes))
    signs = rng.sample([1 if sign == "+" else -1 for sign in kind], 3)
    graph.add_edges_from((*pair, {"sign": sign}) for pair, sign in zip(combinations(graph, 2), signs, strict=True))
    return graph


def _is_kind(kind: str) -> Callable[[str], str]:
    def judge(answer: str) -> str:
        if answer != kind:
            more = answer.count("-") > kind.count("-")
            raise Wrong(
                f"{answer} has {'more' if more else 'fewer'} negative signs than this triad has negative edges."
            )
        verdicts = ("balanced", "guilty in both senses", "balanced", "guilty for two camps, fine for three")
        return f"Right: {kind}, {verdicts[KINDS.index(kind)]}."

    return judge


def _word(sign: int) -> str:
    return "positive" if sign > 0 else "negative"


def _sign(graph: nx.Graph, pair: tuple[str, str]) -> str:
    return _word(graph.edges[pair]["sign"])
