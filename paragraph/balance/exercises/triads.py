"""Exercises on triads and on the product of signs: what is asked, and what is said to each answer.

An exercise draws its graph with a random generator. Exercises on sentences also take the reader's own graph.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random

import networkx as nx

from ..triangles import KINDS, census, triads
from .answers import Wrong
from .ask import Asked, Grade, right_choice
from .sketch import Mark, along, around, edge, marked, random_signs, ring, sketch, steps, symbol, without, word

__all__ = ["count_triads", "in_a_crowd", "in_words", "name_the_triad", "once_around"]

PEOPLE = (
    "Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana",
    "Ivo", "Jill", "Kofi", "Lena", "Max", "Nora", "Omar",
)  # fmt: skip
FRIENDLY = ("{} and {} are friends.", "{} likes {}.", "{} and {} get on well.", "{} would trust {} with anything.")
HOSTILE = ("{} and {} are at odds.", "{} cannot stand {}.", "{} and {} avoid each other.", "{} quarrels with {}.")
MEANING = {
    "+++": "balanced", "++-": "unbalanced in both senses",
    "+--": "balanced", "---": "unbalanced for two camps, balanced for three",
}  # fmt: skip
FIRST_POSITIVE = "(Positive signs are written first.)"


def name_the_triad(rng: Random) -> Asked:
    """Name the type of a triad that stands alone."""
    kind = rng.choice(KINDS)
    graph = _triad(rng, rng.sample(PEOPLE, 3), kind)
    given = rng.choice(list(graph.edges))
    hints = (
        "Count its negative edges.",
        "There are as many types as there can be negatives: from none to all.",
        f"The edge {edge(graph, *given)} is {word(graph, given)}; look at the other two.",
    )
    question = f"Which type is this triad? {FIRST_POSITIVE}"
    return Asked(graph, question, hints, _type_judge(kind, around(graph, graph)), lambda: [kind])


def in_words(rng: Random) -> Asked:
    """Name the type of a triad among five people who are described; no edge is shown."""
    five, kind = rng.sample(PEOPLE, 5), rng.choice(KINDS)
    graph = _triad(rng, five[:3], kind)
    others = [pair for pair in combinations(five, 2) if not graph.has_edge(*pair)]
    graph.add_edges_from((*pair, {"sign": rng.choice([1, -1])}) for pair in rng.sample(others, 3))
    story = []
    for pair in rng.sample(sorted(graph.edges), len(graph.edges)):
        ways = FRIENDLY if word(graph, pair) == "positive" else HOSTILE
        story.append(rng.choice(ways).format(*rng.sample(pair, 2)))
    three = sorted(five[:3])
    given = rng.choice(list(combinations(three, 2)))
    hints = (
        "Draw it: a node for each person, an edge with a sign for each sentence.",
        "Only three of the sentences speak of two of these three.",
        f"{' and '.join(given)} are joined by a {word(graph, given)} edge; find the other two.",
    )
    question = f"{' '.join(story)} Which type is the triad of {_listed(three)}?"
    # A wrong answer marks nothing: the edges are only told, and marks would give them away.
    judge = _type_judge(kind, around(graph, five[:3]), marks_if_wrong=False)
    return Asked(without(graph, graph.edges), question, hints, judge, lambda: [kind])


def in_a_crowd(rng: Random) -> Asked:
    """Name the type of one triad of a larger graph."""
    kind = rng.choice(KINDS)
    graph = sketch(rng, 7, 13, 3, wrong=3, fits=lambda drawn: census(drawn)[kind] > 0)
    three = sorted(rng.choice([triad.nodes for triad in triads(graph, kind)]))
    given = rng.choice(list(combinations(three, 2)))
    hints = (
        "Cover everything else with your hand.",
        f"Three edges count: those between {_listed(three)}.",
        f"The edge {edge(graph, *given)} is {word(graph, given)}; look at the other two.",
    )
    question = f"Which type is the triad of {_listed(three)}? {FIRST_POSITIVE}"
    return Asked(graph, question, hints, _type_judge(kind, around(graph, three)), lambda: [kind])


def _triad(rng: Random, nodes: list[str], kind: str) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(sorted(nodes))
    signs = rng.sample([1 if sign == "+" else -1 for sign in kind], 3)
    graph.add_edges_from((*pair, {"sign": sign}) for pair, sign in zip(combinations(graph, 2), signs, strict=True))
    return graph


def _type_judge(kind: str, triad: tuple[Mark, ...], marks_if_wrong: bool = True) -> Callable[[str], Grade]:
    def judge(answer: str) -> Grade:
        if answer != kind:
            than = "more" if answer.count("-") > kind.count("-") else "fewer"
            marks = triad if marks_if_wrong else ()
            raise Wrong(f"{answer} has {than} negative signs than this triad has negative edges.", marks)
        return Grade(True, f"Right: {answer}, {MEANING[answer]}.", triad)

    return judge


def _listed(three: list[str]) -> str:
    return "{}, {} and {}".format(*three)


def once_around(rng: Random) -> Asked:
    """Multiply the signs of a cycle."""
    graph = random_signs(rng, ring(rng, rng.randint(4, 7)))
    nodes = list(graph)
    negative = [step for step in steps(nodes) if graph.edges[step]["sign"] < 0]
    product = symbol((-1) ** len(negative))
    last_two = steps(nodes)[-2:]
    so_far = "negative" if sum(step not in last_two for step in negative) % 2 else "positive"
    hints = (
        "Two negatives make a positive.",
        "So only this matters: is the number of negative edges odd or even?",
        f"From {nodes[0]} by {nodes[1]} to {nodes[-2]} the product is {so_far}; the last two edges are left to you.",
    )
    judge = right_choice(
        product,
        f"Right: {along(graph, nodes)}.",
        "No: pair up the negative edges, and see whether one is left over.",
        marked(graph, negative),
    )
    return Asked(graph, "Multiply the signs around this cycle: what is the product?", hints, judge, lambda: [product])


def count_triads(rng: Random) -> Asked:
    """Count the triads of one type."""
    graph = sketch(rng, 6, 11, 3, wrong=2, fits=lambda drawn: census(drawn).sum() >= 4)
    counts = census(graph)
    kind = rng.choice([kind for kind in KINDS if counts[kind]])
    everywhere = [triad.nodes for triad in triads(graph)]
    wanted = [triad.nodes for triad in triads(graph, kind)]
    others = [nodes for nodes in everywhere if nodes not in wanted]
    busy = max(graph, key=lambda node: sum(node in three for three in everywhere))
    hints = (
        "List all triads first, whatever their signs: nodes that are all joined to each other.",
        f"Go node by node. {busy} lies in many triads.",
        f"An example of this type is {', '.join(wanted[0])}.",
    )

    def judge(answer: int) -> Grade:
        if answer < len(wanted):
            one = wanted[max(answer, 0)]  # more likely than the first to be one that was not counted
            raise Wrong(f"There are more than that: {', '.join(one)} is one of them.", around(graph, one))
        if answer > len(wanted):
            advice = "There are fewer: has each of yours three edges, and the signs asked for? None counted twice?"
            one, of = (others[0], "another") if others else (wanted[0], "this")
            raise Wrong(f"{advice} For example, {', '.join(one)} is of {of} type.", around(graph, one))
        return Grade(True, f"Right: {'; '.join(map(', '.join, wanted))}.")

    question = f"How many triads of the type {kind} are there in this graph?"
    return Asked(graph, question, hints, judge, lambda: [len(wanted)])
