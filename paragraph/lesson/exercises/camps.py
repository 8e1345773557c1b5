"""Exercises on verdicts, on camps and on unbalanced cycles: questions, and the rules that judge answers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import combinations
from random import Random

import networkx as nx

from ...balance.cycles import shortest_unbalanced_cycle
from ...balance.verdict import balance
from .ask import PATTERNS, RULE, SENSES, Asked, Grade, Sketch, ask_choice, sketch, unbalanced

__all__ = ["VERDICTS", "an_unbalanced_cycle", "any_camps", "how_many_camps", "is_balanced", "missing_sign",
           "shortest_cycle", "three_verdicts", "two_camps"]  # fmt: skip

VERDICTS = ("strongly balanced", "only weakly balanced", "not balanced")


def is_balanced(rng: Random, kind: str) -> Asked:
    """Say if a small graph is balanced, in one of the senses."""
    wanted = rng.random() < 0.5
    n, m = rng.choice([(3, 3), (4, 5), (4, 6), (5, 6), (5, 7)])
    graph = sketch(rng, n, m, (1, 3), wrong=(0, 1), fits=lambda drawn: balance(drawn, kind).balanced == wanted)
    verdict = balance(graph, kind)
    cycle, camp = verdict.cycle, dict(zip(graph, verdict.camps.tolist(), strict=True))
    camps = (" ".join(node for node in graph if camp[node] == one) for one in sorted(set(camp.values())))
    fitting = f"These camps fit every edge: {' | '.join(camps)} ({RULE})."
    reason = f"This cycle is unbalanced: {graph.along(cycle, kind)}." if cycle else fitting
    right = "not balanced" if cycle else "balanced"
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
    return ask_choice(graph, text, right, f"Right. {reason}", f"No. {reason}", graph.around(cycle or ()))


def three_verdicts(rng: Random) -> Asked:
    """Say which of the three verdicts holds for a graph."""
    right = rng.choice(VERDICTS)

    def fits(drawn: Sketch) -> bool:
        return VERDICTS[0 if balance(drawn, "strong") else 1 if balance(drawn, "weak") else 2] == right

    graph = sketch(rng, 6, 9, (2, 4), wrong=(0, 1), fits=fits)
    text = """Which holds of this graph?
        - Assign camps: friends share one, and so do friends of friends.
        - Is there a negative edge inside a camp? If not, would two camps do?
        - Two camps are not enough where a cycle has an odd number of negative edges, however many they are."""

    def reply(answer: str) -> Grade:
        strong, weak = balance(graph, "strong"), balance(graph, "weak")
        if answer == right:
            fault = weak.cycle or strong.cycle or ()
            why = f"; for two camps this cycle is unbalanced: {graph.along(fault)}" if weak and fault else ""
            return Grade(True, f"Right: {strong if strong else weak!s}{why}.", graph.around(fault))
        if answer == VERDICTS[0]:
            return unbalanced(graph, "strong", "Two camps are not enough. Multiply the signs")
        asked = "Can you name a cycle with an odd number of negative edges? Only such a cycle rules out two camps."
        fitting = "No cycle has a single negative edge: some camps agree with every edge."
        plain = Grade(False, asked if answer == VERDICTS[1] else fitting)
        return unbalanced(graph, "weak", "This cycle has a single negative edge") or plain

    return Asked(graph, text, lambda: [right], reply=reply)


def missing_sign(rng: Random) -> Asked:
    """Say which sign one more edge may have, if the graph is to stay balanced."""
    kind, fits = rng.choice(["strong", "weak"]), None
    right = rng.choice(["+", "−"] if kind == "strong" else ["+", "−", "either"])
    while fits != right:
        graph = sketch(rng, 7, 9, 2 if kind == "strong" else 4)
        a, b = rng.choice([pair for pair in combinations(graph, 2) if not graph.has_edge(*pair)])
        tried = {"+": graph.with_edge(a, b, 1), "−": graph.with_edge(a, b, -1)}
        positive, negative = (balance(one, kind).balanced for one in tried.values())
        fits = "either" if positive and negative else "+" if positive else "−"
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
    words = {"+": "positive", "−": "negative"}
    fault = {sign: f"With a {word} edge this cycle is unbalanced" for sign, word in words.items()}

    def reply(answer: str) -> Grade:
        for sign in tried if answer == "either" else [answer]:
            if wrong := unbalanced(tried[sign], kind, fault[sign]):
                return wrong
        if answer != right:
            return Grade(False, "That sign keeps it balanced, but does no other?")
        if answer == "either":
            return Grade(True, "Right: neither sign makes a cycle unbalanced.")
        other = "−" if answer == "+" else "+"
        cycle = balance(tried[other], kind).cycle
        return Grade(True, f"Right. {fault[other]}: {tried[other].along(cycle, kind)}.", tried[other].around(cycle))

    return Asked(graph, text, lambda: [right], reply=reply)


# -- camps -------------------------------------------------------------------------------------------------


def two_camps(rng: Random) -> Asked:
    """Put the nodes of a strongly balanced graph in two camps."""
    graph = sketch(rng, 7, 10, 2)
    sides = balance(graph, "strong").camps.tolist()
    camps = [{node for node, one in zip(graph, sides, strict=True) if one == side} for side in (0, 1)]
    text = f"""This graph is strongly balanced. Put every node in one of two camps: {RULE}.
        - A positive edge joins friends in one camp, a negative edge joins enemies in two.
        - Start with {next(iter(graph))}, and follow the edges: each tells where the next node belongs.
        - {_two_of_a_camp(rng, camps)} share a camp."""
    return Asked(graph, text, lambda: [camps], {"judge": "camps", "most": 2})


def any_camps(rng: Random) -> Asked:
    """Put the nodes of a weakly balanced graph in camps."""
    graph = sketch(rng, 8, 12, (3, 4), fits=lambda drawn: not balance(drawn) and _sizable(drawn))
    camps = graph.clusters()
    text = f"""This graph is weakly balanced. Put every node in a camp, as many camps as you need: {RULE}.
        - Friends share a camp, and so do friends of friends. Nothing follows from enemies of enemies.
        - Leave the negative edges out: which nodes are still connected?
        - {_two_of_a_camp(rng, camps)} share a camp."""

    def solutions() -> Iterator[list[set[Hashable]]]:
        """Yield the finest camps, then those in which two are merged, if no edge forbids it."""
        yield camps
        for (i, camp), (j, other) in combinations(enumerate(camps), 2):
            if not any(graph.has_edge(a, b) for a in camp for b in other):
                yield [camp | other, *(rest for k, rest in enumerate(camps) if k not in (i, j))]

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
            more = "There are more: nodes joined by negative edges alone are not one camp."
            return Grade(False, more, graph.marked(graph.of_sign(-1)[:1]))
        if answer > len(camps):
            fewer = (
                "There are fewer: friends of friends share a camp, even where they are not joined themselves, such as"
            )
            return Grade(False, f"{fewer} {', '.join(largest)}.", graph.marked(graph.subgraph(largest).of_sign(1)))
        return Grade(True, f"Right: {'; '.join(map(', '.join, camps))}.")

    return Asked(graph, text, lambda: [len(camps)], reply=reply)


def _sizable(graph: Sketch) -> bool:
    return max(map(len, graph.clusters())) > 2


def _two_of_a_camp(rng: Random, camps: list[set[Hashable]]) -> str:
    return " and ".join(rng.sample(sorted(max(camps, key=len)), 2))


# -- unbalanced cycles -------------------------------------------------------------------------------------


def an_unbalanced_cycle(rng: Random, kind: str) -> Asked:
    """Find an unbalanced cycle."""
    graph = sketch(rng, 6, 8, 3, wrong=(0, 1), fits=lambda drawn: 1 <= len(_unbalanced_cycles(drawn, kind)) <= 5)
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
    unbalanced = _unbalanced_cycles(graph, kind)
    rule = {"judge": "cycle", "kind": kind, "most": longest}
    return Asked(graph, text, lambda: [cycle for cycle in unbalanced if len(cycle) <= longest], rule)


def _unbalanced_cycles(graph: Sketch, kind: str) -> list[list[Hashable]]:
    """Return all unbalanced cycles, the shortest first, each from its least node. (The order of networkx varies.)"""
    found = []
    for nodes in nx.simple_cycles(graph):
        negatives = sum(sign < 0 for *_, sign in graph.around(nodes))
        unbalanced = negatives == 1 if kind == "weak" else negatives % 2 == 1
        if unbalanced:
            at = nodes.index(min(nodes))
            nodes = nodes[at:] + nodes[:at]
            found.append(min(nodes, nodes[:1] + nodes[:0:-1]))
    return sorted(found, key=lambda nodes: (len(nodes), nodes))
