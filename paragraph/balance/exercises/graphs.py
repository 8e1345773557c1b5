"""Exercises in which a graph is drawn for an answer: what is asked, and what is said to each answer."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import networkx as nx

from ..frustration_index import frustration
from ..triangles import KINDS, census, triads
from ..verdict import balance
from .answers import Wrong
from .ask import SENSES, Asked, Grade, check_balance
from .changes import frustrated, optimal_flips
from .sketch import along, around, edge, random_signs, skeleton, sketch, turned, until, without, word

__all__ = ["as_far_as_asked", "delete_instead", "no_unbalanced_triad", "signs_for_a_census", "weakly_only"]


def delete_instead(rng: Random) -> Asked:
    """Take away the fewest edges for balance."""
    kind = rng.choice(["strong", "weak"])
    graph = frustrated(rng, kind, 6, 10, 2)
    best = frustration(graph, kind)
    hints = (
        "Every unbalanced cycle must lose an edge.",
        "As many edges must go as would have to turn.",
        f"Take {edge(graph, *best.edges[0])} away, and see what is left to do.",
    )

    def judge(drawn: nx.Graph) -> Grade:
        for a, b, sign in drawn.edges(data="sign"):
            if graph.get_edge_data(a, b) != {"sign": sign}:
                change = "has turned" if graph.has_edge(a, b) else "is new"
                raise Wrong(f"{edge(graph, a, b)} {change}: edges may only be taken away.", [(a, b, sign)])
        check_balance(drawn, kind, "One cycle is still unbalanced")
        if len(graph.edges) - len(drawn.edges) > best.value:
            raise Wrong("What is left is balanced, but fewer edges needed to go.")
        right = "Right: what is left is balanced, and as few edges as can be are gone. Turning them would do as well."
        return Grade(True, right)

    question = f"Take away as few edges as can be, so that this graph becomes {SENSES[kind]}. Which graph is left?"
    return Asked(
        graph,
        question,
        hints,
        judge,
        lambda: (without(graph, edges) for edges in optimal_flips(graph, kind, best.value)),
    )


# -- graphs to draw from nodes alone -----------------------------------------------------------------------


def weakly_only(rng: Random) -> Asked:
    """Draw a graph that is weakly, but not strongly balanced."""
    n = rng.choice([5, 6])
    m = rng.randint(n + 1, n + 3)
    example = sketch(rng, n, m, (3, 4), fits=lambda drawn: balance(drawn, "weak") and not balance(drawn, "strong"))
    friends = _positives(example)
    hints = (
        "Begin with the smallest: which triad is balanced for many camps, but not for two?",
        "Add nodes so that no cycle has a single negative edge.",
        "Divide the nodes into three camps or more. Join them by negative edges; inside a camp edges are positive.",
    )

    def judge(drawn: nx.Graph) -> Grade:
        _check_size(drawn, m)
        if _positives(drawn) != friends:
            edges = f"{friends} positive edge{'s are' if friends != 1 else ' is'}"
            raise Wrong(f"{edges} asked for, this has {_positives(drawn)}.")
        strong = balance(drawn, "strong")
        if strong:
            raise Wrong("It is strongly balanced: two camps are enough.")
        weak = check_balance(drawn, "weak", "It is not weakly balanced either")
        return Grade(True, f"Right: {weak}, but {along(drawn, strong.cycle)}.", around(drawn, strong.cycle))

    question = (
        f"Draw a graph on these nodes that is weakly, but not strongly balanced. It is connected and has {m} edges, "
        f"{friends} of them positive."
    )
    return Asked(without(example, example.edges), question, hints, judge, lambda: [example.copy()])


def no_unbalanced_triad(rng: Random) -> Asked:
    """Draw a graph that is not balanced, though no triad shows it."""
    kind, n = rng.choice(["strong", "weak"]), rng.choice([6, 7])
    m = rng.randint(n + 1, n + 2)
    bad = ["++-", "---"] if kind == "strong" else ["++-"]

    def fits(drawn: nx.Graph) -> bool:
        return not balance(drawn, kind) and census(drawn).sum() > 0 and not census(drawn)[bad].any()

    example = sketch(rng, n, m, (1, 3), wrong=1, fits=fits)
    hints = (
        "Some cycle must be unbalanced, and it must not be a triad.",
        "Draw an unbalanced cycle of four, without its diagonals.",
        "Then add the other nodes, so that a balanced triad appears, and the cycle still has no short cut.",
    )

    def judge(drawn: nx.Graph) -> Grade:
        _check_size(drawn, m)
        if not census(drawn).sum():
            raise Wrong("It has no triad; at least one is asked for.")
        for triad in (triad for one in bad for triad in triads(drawn, one)):
            nodes = list(triad.nodes)
            raise Wrong(f"One triad is unbalanced already: {along(drawn, nodes)}.", around(drawn, nodes))
        found = balance(drawn, kind)
        if found:
            raise Wrong(f"It is {found}: no cycle is unbalanced.")
        return Grade(True, f"Right: {along(drawn, found.cycle)}.", around(drawn, found.cycle))

    question = (
        f"Draw a graph on these nodes that is not {SENSES[kind]}, although none of its triads shows it: a connected "
        f"graph of {m} edges, with at least one triad, but none that is unbalanced."
    )
    return Asked(without(example, example.edges), question, hints, judge, lambda: [example.copy()])


def _positives(graph: nx.Graph) -> int:
    return sum(sign > 0 for *_, sign in graph.edges(data="sign"))


def _check_size(drawn: nx.Graph, m: int) -> None:
    if len(drawn.edges) != m:
        raise Wrong(f"{m} edges are asked for, this has {len(drawn.edges)}.")
    if not nx.is_connected(drawn):
        raise Wrong("It is not connected: some node cannot be reached from another.")


# -- signs to choose ---------------------------------------------------------------------------------------


def signs_for_a_census(rng: Random) -> Asked:
    """Choose signs so that there are so many triads of each type."""
    example = until(
        lambda: random_signs(rng, skeleton(rng, 5, (8, 10))),
        lambda drawn: census(drawn).astype(bool).sum() > 1,
    )
    counts = census(example)
    asked = ", ".join(f"{counts[kind]} × {kind}" for kind in KINDS)
    hints = (
        "Every triad counts, and most edges lie in several.",
        "Each triad of a type has as many negatives as its name. Which edge lies in one triad, which in three?",
    )

    def judge(drawn: nx.Graph) -> Grade:
        found = census(drawn)
        for kind in KINDS:
            if found[kind] != counts[kind]:
                one = next((triad.nodes for triad in triads(drawn, kind)), ())
                raise Wrong(f"Type {kind}: {counts[kind]} asked for, this has {found[kind]}.", around(drawn, one))
        return Grade(True, "Right: every type as often as asked.")

    question = f"Give the edges of this graph signs, so that its triads are: {asked}."
    return _ask_signs(rng, example, question, hints, judge)


def as_far_as_asked(rng: Random) -> Asked:
    """Choose signs so that so many edges must turn for two camps."""
    wanted = rng.choice([2, 3])
    example = until(
        lambda: random_signs(rng, skeleton(rng, 6, (10, 12))),
        lambda drawn: frustration(drawn).value == wanted,
    )
    hints = (
        "Unbalanced cycles without an edge in common need a change each.",
        "A triad with all edges negative is unbalanced for two camps.",
    )

    def judge(drawn: nx.Graph) -> Grade:
        found = frustration(drawn)
        if found.value > wanted:
            raise Wrong(f"This is too far from two camps: turning {wanted} edges does not balance it.")
        if found.value < wanted:
            raise Wrong(f"This is too near to two camps: fewer than {wanted} edges need to turn.")
        return Grade(True, f"Right: {found}.")

    question = (
        f"Give the edges of this graph signs, so that {wanted} edges must turn for two camps, and no fewer suffice."
    )
    return _ask_signs(rng, example, question, hints, judge)


def _ask_signs(
    rng: Random, example: nx.Graph, question: str, hints: tuple[str, ...], judge: Callable[[nx.Graph], Grade]
) -> Asked:
    """Show a graph with every sign +; the last hint gives one of the signs of an example away."""
    graph = turned(example, [(a, b) for a, b, sign in example.edges(data="sign") if sign < 0])
    given = rng.choice(list(example.edges))

    def judge_edges(drawn: nx.Graph) -> Grade:
        for these, others, fault in ((graph, drawn, "missing"), (drawn, graph, "new")):
            for a, b in these.edges:
                if not others.has_edge(a, b):
                    fault = f"{edge(graph, a, b)} is {fault}: the edges stay, you choose only their signs."
                    raise Wrong(fault, [(a, b, these.edges[a, b]["sign"])])
        return judge(drawn)

    hints = *hints, f"It can be done with {edge(example, *given)} {word(example, given)}."
    return Asked(graph, question, hints, judge_edges, lambda: [example.copy()])
