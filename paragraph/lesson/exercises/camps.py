"""Exercises on verdicts, on camps and on unbalanced cycles: questions, and the rules that judge answers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import combinations
from random import Random

import networkx as nx
import numpy as np

from ...balance.cycles import shortest_unbalanced_cycle
from ...balance.verdict import balance
from .ask import PATTERNS, RULE, SENSES, Asked, Grade, Sketch, ask_choice, sketch, unbalanced

__all__ = ["VERDICTS", "an_unbalanced_cycle", "any_camps", "how_many_camps", "is_balanced", "missing_sign",
           "shortest_cycle", "three_verdicts", "two_camps", "verdict_number"]  # fmt: skip

VERDICTS = ("strongly balanced", "only weakly balanced", "not balanced")


def is_balanced(rng: Random, kind: str) -> Asked:
    """Say if a small graph is balanced, in one of the senses."""
    wanted = rng.random() < 0.5
    n, m = rng.choice([(3, 3), (4, 5), (4, 6), (5, 6), (5, 7)])

    def fits(drawn: Sketch) -> bool:
        return balance(drawn, kind).balanced == wanted

    graph = sketch(rng, n, m, (1, 3), (0, 1), fits)
    cycle = balance(graph, kind).cycle
    if cycle:
        right = "not balanced"
        reason = f"This cycle is unbalanced: {graph.along(cycle, kind)}."
        marks = graph.around(cycle)
    else:
        right = "balanced"
        camps = " | ".join(map(" ".join, _camps(graph, kind)))
        reason = f"These camps fit every edge: {camps} ({RULE})."
        marks = ()
    first = next(iter(graph))
    hints = {
        "strong": f"""
        - Look for a cycle with an odd number of negative edges.
        - Or assign camps: put {first} in one; its friends go to the same camp, its enemies to the other.
        - When every node has a camp, check whether some edge disagrees.""",
        "weak": """
        - Look for a cycle with a single negative edge.
        - Or assign camps: friends share a camp, and so do friends of friends.
        - When every node has a camp, check whether a negative edge lies inside one.""",
    }
    text = f"Is this graph {SENSES[kind]}?{hints[kind]}"
    return ask_choice(graph, text, right, f"Right. {reason}", f"No. {reason}", marks)


def _camps(graph: Sketch, kind: str) -> list[list[Hashable]]:
    """Return the nodes of each camp of a balanced graph."""
    camps = balance(graph, kind).camps
    nodes = np.array(list(graph))
    return [nodes[camps == number].tolist() for number in np.unique(camps)]


def verdict_number(graph: nx.Graph) -> int:
    """Return 0 for a strongly balanced graph, 1 for one that is only weakly balanced, else 2."""
    if balance(graph, "strong"):
        return 0
    if balance(graph, "weak"):
        return 1
    return 2


def three_verdicts(rng: Random) -> Asked:
    """Say which of the three verdicts holds for a graph."""
    right = rng.choice(VERDICTS)

    def fits(drawn: Sketch) -> bool:
        return VERDICTS[verdict_number(drawn)] == right

    graph = sketch(rng, 6, 9, (2, 4), (0, 1), fits)
    text = """Which holds of this graph?
        - Assign camps: friends share one, and so do friends of friends.
        - Is there a negative edge inside a camp? If not, would two camps do?
        - Two camps are not enough where a cycle has an odd number of negative edges, however many they are."""

    def reply(answer: str) -> Grade:
        if answer == right:
            return _confirm(graph)
        if answer == VERDICTS[0]:
            return unbalanced(graph, "strong", "Two camps are not enough. Multiply the signs")
        wrong = unbalanced(graph, "weak", "This cycle has a single negative edge")
        if wrong:
            return wrong
        message = "No cycle has a single negative edge: some camps agree with every edge."
        if answer == VERDICTS[1]:
            message = (
                "Can you name a cycle with an odd number of negative edges? "
                "Only such a cycle rules out two camps."
            )
        return Grade(False, message)

    return Asked(graph, text, lambda: [right], reply=reply)


def _confirm(graph: Sketch) -> Grade:
    """Return the grade of a right verdict, with the reason."""
    strong = balance(graph, "strong")
    if strong:
        return Grade(True, f"Right: {strong}.")
    weak = balance(graph, "weak")
    if not weak:
        return Grade(True, f"Right: {weak}.", graph.around(weak.cycle))
    why = f"for two camps this cycle is unbalanced: {graph.along(strong.cycle)}"
    return Grade(True, f"Right: {weak}; {why}.", graph.around(strong.cycle))


def missing_sign(rng: Random) -> Asked:
    """Say which sign one more edge may have, if the graph is to stay balanced."""
    kind = rng.choice(["strong", "weak"])
    camps = {"strong": 2, "weak": 4}
    answers = {"strong": ["+", "−"], "weak": ["+", "−", "either"]}
    right = rng.choice(answers[kind])
    fits = None
    while fits != right:
        graph = sketch(rng, 7, 9, camps[kind])
        free = [pair for pair in combinations(graph, 2) if not graph.has_edge(*pair)]
        a, b = rng.choice(free)
        tried = {"+": graph.with_edge(a, b, 1), "−": graph.with_edge(a, b, -1)}
        balanced = [sign for sign, one in tried.items() if balance(one, kind)]
        fits = balanced[0]
        if len(balanced) == 2:
            fits = "either"
    last_hint = {
        "strong": f"""Put {a} in a camp and follow {"–".join(nx.shortest_path(graph, a, b))}: what do these edges tell
            of {b}'s camp?""",
        "weak": f"""Leave the negative edges out. Is there a path from {a} to {b}? And between the friends of {a} and
            those of {b}, is there a negative edge?""",
    }
    text = f"""This graph is {SENSES[kind]}. Join {a} and {b}: which sign keeps it so?
        - Which cycles would {a}–{b} close?
        - Is there a path from one to the other whose signs say which camps they are in?
        - {last_hint[kind]}"""
    fault = {
        "+": "With a positive edge this cycle is unbalanced",
        "−": "With a negative edge this cycle is unbalanced",
    }

    def reply(answer: str) -> Grade:
        signs = [answer]
        if answer == "either":
            signs = list(tried)
        for sign in signs:
            wrong = unbalanced(tried[sign], kind, fault[sign])
            if wrong:
                return wrong
        if answer != right:
            return Grade(False, "That sign keeps it balanced, but does no other?")
        if answer == "either":
            return Grade(True, "Right: neither sign makes a cycle unbalanced.")
        (other,) = tried.keys() - {answer}
        wrong = unbalanced(tried[other], kind, fault[other])
        return Grade(True, f"Right. {wrong.message}", wrong.marks)

    return Asked(graph, text, lambda: [right], reply=reply)


# -- camps -------------------------------------------------------------------------------------------------


def two_camps(rng: Random) -> Asked:
    """Put the nodes of a strongly balanced graph in two camps."""
    graph = sketch(rng, 7, 10, 2)
    camps = list(map(set, _camps(graph, "strong")))
    text = f"""This graph is strongly balanced. Put every node in one of two camps: {RULE}.
        - A positive edge joins friends in one camp, a negative edge joins enemies in two.
        - Start with {next(iter(graph))}, and follow the edges: each tells where the next node belongs.
        - {_two_of_a_camp(rng, camps)} share a camp."""
    return Asked(graph, text, lambda: [camps], {"judge": "camps", "most": 2})


def any_camps(rng: Random) -> Asked:
    """Put the nodes of a weakly balanced graph in camps."""

    def fits(drawn: Sketch) -> bool:
        return not balance(drawn) and _sizable(drawn)

    graph = sketch(rng, 8, 12, (3, 4), fits=fits)
    camps = graph.clusters()
    text = f"""This graph is weakly balanced. Put every node in a camp, as many camps as you need: {RULE}.
        - Friends share a camp, and so do friends of friends. Nothing follows from enemies of enemies.
        - Leave the negative edges out: which nodes are still connected?
        - {_two_of_a_camp(rng, camps)} share a camp."""

    def solutions() -> Iterator[list[set[Hashable]]]:
        """Yield the finest camps, then those in which two are merged, if no edge forbids it."""
        yield camps
        for camp, other in combinations(camps, 2):
            if not any(nx.edge_boundary(graph, camp, other)):
                rest = [one for one in camps if one not in (camp, other)]
                yield [camp | other, *rest]

    return Asked(graph, text, solutions, {"judge": "camps", "most": len(graph)})


def how_many_camps(rng: Random) -> Asked:
    """Count the camps of a weakly balanced graph."""
    graph = sketch(rng, 9, (10, 13), (2, 4), fits=_sizable)
    camps = [sorted(camp) for camp in graph.clusters()]
    largest = max(camps, key=len)
    text = f"""This graph is weakly balanced. How many camps are there, where two nodes share one only if a path of
        positive edges joins them?
        - Leave the negative edges out: each connected part is a camp.
        - A node without friends is a camp of its own.
        - The largest camp is {", ".join(largest)}."""

    def reply(answer: int) -> Grade:
        if answer < len(camps):
            message = "There are more: nodes joined by negative edges alone are not one camp."
            return Grade(False, message, graph.marked(graph.of_sign(-1)[:1]))
        if answer > len(camps):
            message = "There are fewer: friends of friends share a camp, even where they are not joined themselves, "
            message += f"such as {', '.join(largest)}."
            return Grade(False, message, graph.marked(graph.subgraph(largest).of_sign(1)))
        return Grade(True, f"Right: {'; '.join(map(', '.join, camps))}.")

    return Asked(graph, text, lambda: [len(camps)], reply=reply)


def _sizable(graph: Sketch) -> bool:
    return max(map(len, graph.clusters())) > 2


def _two_of_a_camp(rng: Random, camps: list[set[Hashable]]) -> str:
    largest = max(camps, key=len)
    return " and ".join(rng.sample(sorted(largest), 2))


# -- unbalanced cycles -------------------------------------------------------------------------------------


def an_unbalanced_cycle(rng: Random, kind: str) -> Asked:
    """Find an unbalanced cycle."""

    def fits(drawn: Sketch) -> bool:
        return 1 <= len(_unbalanced_cycles(drawn, kind)) <= 5

    graph = sketch(rng, 6, 8, 3, (0, 1), fits)
    cycle = shortest_unbalanced_cycle(graph, kind)
    text = f"""This graph is not {SENSES[kind]}. Find an unbalanced cycle: one with {PATTERNS[kind]}.
        - An unbalanced cycle has {PATTERNS[kind]}.
        - Assign camps until an edge disagrees; that edge and the paths to its ends contain one.
        - One runs through the edge {graph.edge(cycle[-1], cycle[0])}."""
    return _ask_cycle(graph, kind, text, longest=len(graph))


def shortest_cycle(rng: Random) -> Asked:
    """Find a shortest unbalanced cycle."""
    kind = rng.choice(["strong", "weak"])
    wanted = rng.choice([3, 4])

    def fits(drawn: Sketch) -> bool:
        lengths = [len(cycle) for cycle in _unbalanced_cycles(drawn, kind)]
        return len(set(lengths)) > 1 and min(lengths) >= wanted

    graph = sketch(rng, 7, 10, 3, wrong=1, fits=fits)
    cycle = shortest_unbalanced_cycle(graph, kind)
    text = f"""This graph is not {SENSES[kind]}. Find a shortest unbalanced cycle: {PATTERNS[kind]}, and as few edges
        as can be.
        - An unbalanced cycle has {PATTERNS[kind]}. Find one, then look for short cuts.
        - Try the triads first; then the cycles of four.
        - {cycle[0]} and {cycle[1]} lie on one."""
    return _ask_cycle(graph, kind, text, longest=len(cycle))


def _ask_cycle(graph: Sketch, kind: str, text: str, longest: int) -> Asked:
    right = [cycle for cycle in _unbalanced_cycles(graph, kind) if len(cycle) <= longest]
    rule = {"judge": "cycle", "kind": kind, "most": longest}
    return Asked(graph, text, lambda: right, rule)


def _unbalanced_cycles(graph: Sketch, kind: str) -> list[list[Hashable]]:
    """Return all unbalanced cycles, the shortest first, each from its least node. (The order of networkx varies.)"""
    found = []
    for nodes in nx.simple_cycles(graph):
        signs = [sign for *_, sign in graph.around(nodes)]
        negatives = signs.count(-1)
        if negatives == 1 or (kind == "strong" and negatives % 2):
            at = nodes.index(min(nodes))
            nodes = nodes[at:] + nodes[:at]
            found.append(min(nodes, nodes[:1] + nodes[:0:-1]))
    return sorted(found, key=lambda nodes: (len(nodes), nodes))
