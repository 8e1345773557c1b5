"""Exercises on verdicts and on camps: what is asked, and what is said to each answer."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from random import Random

import networkx as nx

from ..signed import as_signed
from ..verdict import balance
from .answers import Wrong
from .ask import RULE, SENSES, Asked, Grade, check_balance, right_choice
from .sketch import along, around, edge, joined, marked, sketch, symbol, until

__all__ = ["VERDICTS", "any_camps", "how_many_camps", "is_balanced", "missing_sign", "three_verdicts", "two_camps"]

VERDICTS = ("strongly balanced", "only weakly balanced", "not balanced")

# -- verdicts ----------------------------------------------------------------------------------------------


def is_balanced(rng: Random, kind: str) -> Asked:
    """Say if a small graph is balanced, in one of the senses."""
    wanted = rng.random() < 0.5
    n, m = rng.choice([(3, 3), (4, 5), (4, 6), (5, 6), (5, 7)])
    graph = sketch(rng, n, m, (1, 3), wrong=(0, 1), fits=lambda drawn: balance(drawn, kind).balanced == wanted)
    cycle = balance(graph, kind).cycle
    reason = f"One cycle is unbalanced: {along(graph, cycle)}." if cycle else f"Every edge agrees: {RULE}."
    right = "not balanced" if cycle else "balanced"
    first = next(iter(graph))
    hints = {
        "strong": (
            "Look for a cycle with an odd number of negative edges.",
            f"Or assign camps: put {first} in one; its friends go to the same camp, its enemies to the other.",
            "When every node has a camp, check whether some edge disagrees.",
        ),
        "weak": (
            "Look for a cycle with a single negative edge.",
            "Or assign camps: friends share a camp, and so do friends of friends.",
            "When every node has a camp, check whether a negative edge lies inside one.",
        ),
    }
    judge = right_choice(right, f"Right. {reason}", f"No. {reason}", around(graph, cycle or ()))
    return Asked(graph, f"Is this graph {SENSES[kind]}?", hints[kind], judge, lambda: [right])


def three_verdicts(rng: Random) -> Asked:
    """Say which of the three verdicts holds of a graph."""
    right = rng.choice(VERDICTS)

    def fits(drawn: nx.Graph) -> bool:
        return VERDICTS[0 if balance(drawn, "strong") else 1 if balance(drawn, "weak") else 2] == right

    graph = sketch(rng, 6, 9, (2, 4), wrong=(0, 1), fits=fits)
    hints = (
        "Assign camps: friends share one, and so do friends of friends.",
        "Is there a negative edge inside a camp? If not, would two camps do?",
        "Two camps are not enough where a cycle has an odd number of negative edges, however many they are.",
    )

    def judge(answer: str) -> Grade:
        strong, weak = balance(graph, "strong"), balance(graph, "weak")
        if answer == right:
            fault = weak.cycle or strong.cycle or ()
            why = f"; for two camps one cycle is unbalanced: {along(graph, fault)}" if weak and fault else ""
            return Grade(True, f"Right: {strong if strong else weak!s}{why}.", around(graph, fault))
        if answer == "strongly balanced":
            check_balance(graph, "strong", "Two camps are not enough. Multiply the signs")
        check_balance(graph, "weak", "One cycle has a single negative edge")
        if answer == "not balanced":
            raise Wrong("No cycle has a single negative edge: some camps agree with every edge.")
        raise Wrong(
            "Can you name a cycle with an odd number of negative edges? Only such a cycle rules out two camps."
        )

    return Asked(graph, "Which holds of this graph?", hints, judge, lambda: [right])


def missing_sign(rng: Random) -> Asked:
    """Say which sign one more edge may have, if the graph is to stay balanced."""
    kind = rng.choice(["strong", "weak"])
    right = rng.choice(["+", "−"] if kind == "strong" else ["+", "−", "either"])

    def make() -> tuple[nx.Graph, str, str]:
        graph = sketch(rng, 7, 9, 2 if kind == "strong" else 4)
        return graph, *rng.choice([(a, b) for a in graph for b in graph if a < b and not graph.has_edge(a, b)])

    def fits(drawn: tuple[nx.Graph, str, str]) -> bool:
        positive, negative = (bool(balance(joined(*drawn, sign), kind)) for sign in (1, -1))
        return right == ("either" if positive and negative else "+" if positive else "−")

    graph, a, b = until(make, fits)
    advice = {
        "strong": f"Put {a} in a camp and follow {'–'.join(nx.shortest_path(graph, a, b))}: what do these edges tell "
        f"of {b}'s camp?",
        "weak": f"Leave the negative edges out. Is there a path from {a} to {b}? And between the friends of {a} and "
        f"those of {b}, is there a negative edge?",
    }
    hints = (
        f"Which cycles would {a}–{b} close?",
        "Is there a path from one to the other whose signs say which camps they are in?",
        advice[kind],
    )

    def judge(answer: str) -> Grade:
        for sign, name in ((1, "positive"), (-1, "negative")):
            fault = f"With a {name} edge one cycle is unbalanced"
            tried = joined(graph, a, b, sign)
            if answer in (symbol(sign), "either"):
                check_balance(tried, kind, fault)
            elif answer == right:
                cycle = balance(tried, kind).cycle
                return Grade(True, f"Right. {fault}: {along(tried, cycle)}.", around(tried, cycle))
        if answer != right:
            raise Wrong("That sign keeps it balanced, but does no other?")
        return Grade(True, "Right: neither sign makes a cycle unbalanced.")

    question = f"This graph is {SENSES[kind]}. Join {a} and {b}: which sign keeps it so?"
    return Asked(graph, question, hints, judge, lambda: [right])


# -- camps -------------------------------------------------------------------------------------------------


def two_camps(rng: Random) -> Asked:
    """Put the nodes of a strongly balanced graph in two camps."""
    graph = sketch(rng, 7, 10, 2)
    camps = _together(graph, balance(graph, "strong").camps.tolist())
    hints = (
        "A positive edge joins friends in one camp, a negative edge joins enemies in two.",
        f"Start with {next(iter(graph))}, and follow the edges: each tells where the next node belongs.",
        f"{_two_of_a_camp(rng, camps)} share a camp.",
    )

    def judge(camp: dict[Hashable, int]) -> Grade:
        _check_camps(graph, camp)
        if len(set(camp.values())) > 2:
            raise Wrong("Every edge agrees, but these are more than two camps: strong balance has two at most.")
        return Grade(True, "Right: every edge agrees.")

    question = f"This graph is strongly balanced. Put every node in one of two camps: {RULE}."
    return Asked(graph, question, hints, judge, lambda: [camps])


def any_camps(rng: Random) -> Asked:
    """Put the nodes of a weakly balanced graph in camps."""
    graph = sketch(rng, 8, 12, (3, 4), fits=lambda drawn: not balance(drawn) and _sizable(drawn))
    camps = _weak_camps(graph)
    hints = (
        "Friends share a camp, and so do friends of friends. Nothing follows from enemies of enemies.",
        "Leave the negative edges out: which nodes are still connected?",
        f"{_two_of_a_camp(rng, camps)} share a camp.",
    )

    def judge(camp: dict[Hashable, int]) -> Grade:
        _check_camps(graph, camp)
        return Grade(True, "Right: every edge agrees.")

    question = f"This graph is weakly balanced. Put every node in a camp, as many camps as you need: {RULE}."
    return Asked(graph, question, hints, judge, lambda: _all_camps(graph, camps))


def _check_camps(graph: nx.Graph, camp: dict[Hashable, int]) -> None:
    for a, b, sign in graph.edges(data="sign"):
        if sign > 0 and camp[a] != camp[b]:
            fault = "is positive, but you put the two in different camps"
        elif sign < 0 and camp[a] == camp[b]:
            fault = "is negative, but you put the two in the same camp"
        else:
            continue
        raise Wrong(f"{edge(graph, a, b)} {fault}.", [(a, b, sign)])


def how_many_camps(rng: Random) -> Asked:
    """Count the camps of a weakly balanced graph."""
    graph = sketch(rng, 9, (10, 13), (2, 4), fits=_sizable)
    camps = [sorted(camp) for camp in _weak_camps(graph)]
    largest = max(camps, key=len)
    positive = [(a, b) for a, b, sign in graph.edges(data="sign") if sign > 0]
    negative = next((a, b) for a, b, sign in graph.edges(data="sign") if sign < 0)
    hints = (
        "Leave the negative edges out: each connected part is a camp.",
        "A node without friends is a camp of its own.",
        f"The largest camp is {', '.join(largest)}.",
    )

    def judge(answer: int) -> Grade:
        if answer > len(camps):
            fault = "There are fewer: friends of friends share a camp, even where they are not joined themselves"
            friends = graph.edge_subgraph(positive).subgraph(largest).edges
            raise Wrong(f"{fault}, such as {', '.join(largest)}.", marked(graph, friends))
        if answer < len(camps):
            fault = "There are more: nodes joined by negative edges alone are not one camp."
            raise Wrong(fault, marked(graph, [negative]))
        return Grade(True, f"Right: {'; '.join(map(', '.join, camps))}.")

    question = (
        "This graph is weakly balanced. How many camps are there, where two nodes share one only if a path of "
        "positive edges joins them?"
    )
    return Asked(graph, question, hints, judge, lambda: [len(camps)])


def _together(graph: nx.Graph, camps: list[int]) -> list[set[Hashable]]:
    found: dict[int, set[Hashable]] = {}
    for node, camp in zip(graph, camps, strict=True):
        found.setdefault(camp, set()).add(node)
    return list(found.values())


def _weak_camps(graph: nx.Graph) -> list[set[Hashable]]:
    return _together(graph, as_signed(graph).positive_parts.tolist())


def _sizable(graph: nx.Graph) -> bool:
    return max(map(len, _weak_camps(graph))) > 2


def _all_camps(graph: nx.Graph, least: list[set[Hashable]]) -> Iterator[list[set[Hashable]]]:
    """Yield the finest camps, then those with two of them in one, where no edge forbids it."""
    yield least
    for i, camp in enumerate(least):
        for j, other in enumerate(least[:i]):
            if not any(graph.has_edge(a, b) for a in camp for b in other):
                yield [camp | other, *(rest for k, rest in enumerate(least) if k not in (i, j))]


def _two_of_a_camp(rng: Random, camps: list[set[Hashable]]) -> str:
    return " and ".join(rng.sample(sorted(max(camps, key=len)), 2))
