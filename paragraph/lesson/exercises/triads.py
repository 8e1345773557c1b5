"""Exercises on triads, on the product of signs and on triad dynamics: questions, and a reply to each answer.

An exercise draws its graph with a random generator. Exercises on sentences also take the reader's own graph.
"""

from __future__ import annotations

from itertools import combinations
from random import Random

import networkx as nx

from ...balance.triangles import KINDS, census, triads
from .ask import LETTERS, Asked, Edge, Grade, Sketch, ask_choice, sketch, steps, symbol

__all__ = [
    "count_triads",
    "in_a_crowd",
    "in_words",
    "name_the_triad",
    "next_to_turn",
    "once_around",
]

PEOPLE = (
    "Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana",
    "Ivo", "Jill", "Kofi", "Lena", "Max", "Nora", "Omar",
)  # fmt: skip
#: What a sign is called in a story.
WAYS = {
    "positive":
        ("{} and {} are friends.", "{} likes {}.", "{} and {} get on well.", "{} would trust {} with anything."),
    "negative":
        ("{} and {} are at odds.", "{} cannot stand {}.", "{} and {} avoid each other.", "{} quarrels with {}."),
}  # fmt: skip
MEANING = {"+++": "balanced", "++-": "unbalanced in both senses", "+--": "balanced",
           "---": "unbalanced for two camps, balanced for three"}  # fmt: skip
FIRST_POSITIVE = "(Positive signs are written first.)"


def name_the_triad(rng: Random) -> Asked:
    """Name the type of a triad that stands alone."""
    kind = rng.choice(KINDS)
    graph = _triad(rng, rng.sample(PEOPLE, 3), kind)
    given = rng.choice(list(graph.edges))
    text = f"""Which type is this triad? {FIRST_POSITIVE}
        - Count its negative edges.
        - There are as many types as there can be negatives: from none to all.
        - The edge {graph.edge(*given)} is {graph.word(*given)}; look at the other two."""
    return _ask_type(graph, list(graph), kind, text)


def in_words(rng: Random) -> Asked:
    """Name the type of a triad among five people who are described; no edge is shown."""
    five = rng.sample(PEOPLE, 5)
    kind = rng.choice(KINDS)
    graph = _triad(rng, five[:3], kind)
    others = [pair for pair in combinations(five, 2) if not graph.has_edge(*pair)]
    for pair in rng.sample(others, 3):
        graph.add_edge(*pair, sign=rng.choice([1, -1]))
    story = []
    for pair in rng.sample(sorted(graph.edges), len(graph.edges)):
        way = rng.choice(WAYS[graph.word(*pair)])
        story.append(way.format(*rng.sample(pair, 2)))
    three = sorted(five[:3])
    given = rng.choice(list(combinations(three, 2)))
    text = f"""{" ".join(story)} Which type is the triad of {_listed(three)}?
        - Draw it: a node for each person, an edge with a sign for each sentence.
        - Only three of the sentences are about two of these three people.
        - {" and ".join(given)} are joined by a {graph.word(*given)} edge; find the other two."""
    asked = _ask_type(graph, five[:3], kind, text, told=True)
    return asked._replace(graph=nx.create_empty_copy(graph))


def in_a_crowd(rng: Random) -> Asked:
    """Name the type of one triad of a larger graph."""
    kind = rng.choice(KINDS)
    graph = sketch(rng, 7, 13, 3, wrong=3, fits=lambda drawn: census(drawn)[kind] > 0)
    triad = rng.choice(list(triads(graph, kind)))
    three = sorted(triad.nodes)
    given = rng.choice(list(combinations(three, 2)))
    text = f"""Which type is the triad of {_listed(three)}? {FIRST_POSITIVE}
        - Cover everything else with your hand.
        - Three edges count: those between {_listed(three)}.
        - The edge {graph.edge(*given)} is {graph.word(*given)}; look at the other two."""
    return _ask_type(graph, three, kind, text)


def _triad(rng: Random, nodes: list[str], kind: str) -> Sketch:
    graph = Sketch(nx.complete_graph(sorted(nodes)))
    for edge, sign in zip(graph.edges, rng.sample(kind, 3), strict=True):
        graph.edges[edge]["sign"] = int(f"{sign}1")
    return graph


def _ask_type(graph: Sketch, three: list[str], kind: str, text: str, told: bool = False) -> Asked:
    """Ask for the type of a triad. If its edges are only described, wrong answers mark none and give nothing away."""

    def reply(answer: str) -> Grade:
        if answer == kind:
            return Grade(True, f"Right: {answer}, {MEANING[answer]}.", graph.around(three))
        than = "fewer"
        if answer.count("-") > kind.count("-"):
            than = "more"
        reason = f"{answer} has {than} negative signs than this triad has negative edges."
        if told:
            return Grade(False, reason)
        return Grade(False, reason, graph.around(three))

    return Asked(graph, text, lambda: [kind], reply=reply)


def _listed(three: list[str]) -> str:
    return "{}, {} and {}".format(*three)


def once_around(rng: Random) -> Asked:
    """Multiply the signs of a cycle."""
    n = rng.randint(4, 7)
    nodes = sorted(rng.sample(LETTERS, n))
    graph = Sketch(nx.cycle_graph(nodes)).random_signs(rng)
    edges = steps(nodes)
    negative = [edge for edge in edges if graph.word(*edge) == "negative"]
    product = symbol((-1) ** len(negative))
    before = [edge for edge in negative if edge in edges[:-2]]
    so_far = "positive"
    if len(before) % 2:
        so_far = "negative"
    text = f"""Multiply the signs around this cycle: what is the product?
        - Two negatives make a positive.
        - So only this matters: is the number of negative edges odd or even?
        - From {nodes[0]} by {nodes[1]} to {nodes[-2]} the product is {so_far}; the last two edges are left to you."""
    otherwise = "No: pair up the negative edges, and see whether one is left over."
    return ask_choice(
        graph, text, product, f"Right: {graph.along(nodes)}.", otherwise, graph.marked(negative)
    )


def count_triads(rng: Random) -> Asked:
    """Count the triads of one type."""
    graph = sketch(rng, 6, 11, 3, wrong=2, fits=lambda drawn: census(drawn).sum() >= 4)
    everywhere = list(triads(graph))
    counts = census(graph)
    kind = rng.choice([kind for kind in KINDS if counts[kind]])
    wanted = [triad.nodes for triad in everywhere if triad.kind == kind]
    others = [triad.nodes for triad in everywhere if triad.kind != kind]
    busy = max(graph, key=nx.triangles(graph).get)
    text = f"""How many triads of the type {kind} are there in this graph?
        - List all triads first, whatever their signs: nodes that are all joined to each other.
        - Go node by node. {busy} lies in many triads.
        - An example of this type is {", ".join(wanted[0])}."""

    def reply(answer: int) -> Grade:
        if answer == len(wanted):
            return Grade(True, f"Right: {'; '.join(map(', '.join, wanted))}.")
        if answer < len(wanted):
            # more likely than the first to be one that was not counted
            one = wanted[max(answer, 0)]
            message = f"There are more than that: {', '.join(one)} is one of them."
            return Grade(False, message, graph.around(one))
        message = "There are fewer: has each of yours three edges, and the signs asked for? None counted twice?"
        one = wanted[0]
        of = "this"
        if others:
            one = others[0]
            of = "another"
        message += f" For example, {', '.join(one)} is of {of} type."
        return Grade(False, message, graph.around(one))

    return Asked(graph, text, lambda: [len(wanted)], reply=reply)


def next_to_turn(rng: Random) -> Asked:
    """Name the edges of a complete graph that may turn next in constrained triad dynamics."""
    n = rng.choice([4, 5])
    m = n * (n - 1) // 2

    def fits(drawn: Sketch) -> bool:
        return 0 < len(_may_turn(drawn)) < m

    graph = sketch(rng, n, m, (1, 3), (0, 2), fits)
    right = _may_turn(graph)
    text = f"""Constrained triad dynamics: a step turns one edge of an unbalanced triad (one with an odd number of
        negative edges), so that the number of unbalanced triads falls or stays the same. Which edges may be the next
        to turn? Name them all.
        - The unbalanced triads are those with an odd number of negative edges. List them.
        - When an edge turns, all its triads change sides: the unbalanced become balanced, the balanced unbalanced.
        - One of the edges that may turn is {graph.edge(*right[0])}."""

    return Asked(graph, text, lambda: [right], {"judge": "turns next"})


def _may_turn(graph: Sketch) -> list[Edge]:
    """Return the edges that are in at least as many unbalanced triads as in balanced ones, and in some."""
    counts = census(graph, by="edge")
    unbalanced = counts["++-"] + counts["---"]
    fine = counts["+++"] + counts["+--"]
    chosen = counts[(unbalanced > 0) & (unbalanced >= fine)]
    return list(zip(chosen["a"], chosen["b"], strict=True))
