"""Exercises on verdicts: strong or weak balance, camps, and a sign that is missing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from ..signed import as_signed
from ..verdict import balance
from .answers import Wrong
from .exercise import Draft
from .sketch import along, edge, signed, skeleton, until

if TYPE_CHECKING:
    import networkx as nx

    from ...graph import ParaphraseGraph

__all__ = ["SENSES", "any_camps", "how_many_camps", "missing_sign", "strong_verdict", "three_verdicts", "two_camps",
           "weak_verdict"]  # fmt: skip

SENSES = {
    "strong": "strongly balanced (two camps at most)",
    "weak": "weakly balanced (any number of camps)",
}
RULE = "positive edges inside camps, negative edges between them"


def _verdict(kind: str, rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Is a small graph balanced, in one of the senses?"""
    wanted = rng.random() < 0.5
    n, m = rng.choice([(3, 3), (4, 5), (4, 6), (5, 6), (5, 7)])
    graph = until(
        lambda: signed(rng, skeleton(rng, n, m), rng.randint(1, 3), wrong=rng.randint(0, 1)),
        lambda made: balance(made, kind).balanced == wanted,
    )
    found = balance(graph, kind)
    right = "balanced" if found else "not balanced"
    start = next(iter(graph))
    hints = {
        "strong": (
            "Look for a cycle with an odd number of negative edges.",
            f"Or deal out camps: {start} in one; a friend goes to the same, an enemy to the other.",
            "When all nodes are dealt out, see whether some edge disagrees.",
        ),
        "weak": (
            "Look for a cycle with a single negative edge.",
            "Or deal out camps: friends share one, and so do friends of friends.",
            "When all nodes are dealt out, see whether a negative edge lies inside a camp.",
        ),
    }[kind]

    def judge(answer: str) -> str:
        reason = f"Everybody fits: {RULE}." if found else f"One cycle is guilty: {along(graph, found.cycle)}."
        if answer != right:
            raise Wrong(f"No. {reason}")
        return f"Right. {reason}"

    return Draft(f"Is this graph {SENSES[kind]}?", graph, judge, lambda: iter([right]), hints,
                 ("balanced", "not balanced"))  # fmt: skip


strong_verdict = partial(_verdict, "strong")
weak_verdict = partial(_verdict, "weak")

VERDICTS = ("strongly balanced", "only weakly balanced", "not balanced")


def three_verdicts(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Is a graph balanced strongly, weakly only, or not at all?"""
    right = rng.choice(VERDICTS)
    graph = until(
        lambda: signed(rng, skeleton(rng, 6, 9), rng.randint(2, 4), wrong=rng.randint(0, 1)),
        lambda made: _of_three(made) == right,
    )
    strong, weak = balance(graph, "strong"), balance(graph, "weak")
    hints = (
        "Deal out camps: friends share one, and so do friends of friends.",
        "Is there a negative edge inside a camp? If not, would two camps do?",
        "Two camps will not do where a cycle has an odd number of negative edges, however many they are.",
    )

    def judge(answer: str) -> str:
        if answer == right:
            return f"Right: {strong if strong else weak!s}."
        if answer == "strongly balanced":
            raise Wrong(f"Two camps will not do. Multiply the signs: {along(graph, strong.cycle)}.")
        if not weak:
            raise Wrong(f"One cycle has a single negative edge: {along(graph, weak.cycle)}.")
        if answer == "not balanced":
            raise Wrong("No cycle has a single negative edge: some camps agree with every edge.")
        raise Wrong("Can you name a cycle with an odd number of negative edges? Only such a one rules two camps out.")

    return Draft("Which holds of this graph?", graph, judge, lambda: iter([right]), hints, VERDICTS)


def _of_three(graph: nx.Graph) -> str:
    return VERDICTS[0 if balance(graph, "strong") else 1 if balance(graph, "weak") else 2]


def two_camps(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Which are the two camps of a strongly balanced graph?"""
    graph = signed(rng, skeleton(rng, 7, 10), 2)
    camps = _together(graph, balance(graph, "strong").camps.tolist())
    first = next(iter(graph))
    hints = (
        "A positive edge joins friends in one camp, a negative edge joins enemies in two.",
        f"Start with {first}, and follow the edges: each tells where the next node belongs.",
        f"{_two_of_a_camp(rng, camps)} share a camp.",
    )
    question = f"This graph is strongly balanced. Put every node in one of two camps: {RULE}."
    return Draft(question, graph, _camps_fit(graph, most=2), lambda: iter([camps]), hints)


def any_camps(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Which are the camps of a graph that is only weakly balanced?"""
    graph = until(
        lambda: signed(rng, skeleton(rng, 8, 12), rng.randint(3, 4)),
        lambda made: not balance(made) and _sizable(made),
    )
    camps = _weak_camps(graph)
    hints = (
        "Friends share a camp, and so do friends of friends. Nothing follows from enemies of enemies.",
        "Leave the negative edges out: which nodes hang together?",
        f"{_two_of_a_camp(rng, camps)} share a camp.",
    )
    question = f"This graph is weakly balanced. Put every node in a camp, as many camps as you need: {RULE}."
    return Draft(question, graph, _camps_fit(graph), lambda: _all_camps(graph, camps), hints)


def _together(graph: nx.Graph, camps: list[int]) -> list[set[Hashable]]:
    found = defaultdict(set)
    for node, camp in zip(graph, camps, strict=True):
        found[camp].add(node)
    return list(found.values())


def _weak_camps(graph: nx.Graph) -> list[set[Hashable]]:
    return _together(graph, as_signed(graph).positive_parts.tolist())


def _sizable(graph: nx.Graph) -> bool:
    return max(map(len, _weak_camps(graph))) > 2


def _all_camps(graph: nx.Graph, least: list[set[Hashable]]) -> Iterator[list[set[Hashable]]]:
    """The finest camps, then those with two of them in one, where no edge forbids it."""
    yield least
    for i, camp in enumerate(least):
        for j, other in enumerate(least[:i]):
            if not any(graph.has_edge(a, b) for a in camp for b in other):
                yield [camp | other, *(rest for k, rest in enumerate(least) if k not in (i, j))]


def _two_of_a_camp(rng: Random, camps: list[set[Hashable]]) -> str:
    return " and ".join(rng.sample(sorted(max(camps, key=len)), 2))


def _camps_fit(graph: nx.Graph, most: int | None = None) -> Callable[[dict[Hashable, int]], str]:
    def judge(camp: dict[Hashable, int]) -> str:
        for a, b, sign in graph.edges(data="sign"):
            if sign > 0 and camp[a] != camp[b]:
                raise Wrong(f"{edge(graph, a, b)} is positive, but you put the two in different camps.")
            if sign < 0 and camp[a] == camp[b]:
                raise Wrong(f"{edge(graph, a, b)} is negative, but you put the two in the same camp.")
        if most is not None and len(set(camp.values())) > most:
            raise Wrong("Every edge agrees, but these are more than two camps: strong balance has two at most.")
        return "Right: every edge agrees."

    return judge


def how_many_camps(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """How many positive parts are there?"""
    graph = until(lambda: signed(rng, skeleton(rng, 9, rng.randint(10, 13)), rng.randint(2, 4)), _sizable)
    camps = _weak_camps(graph)
    hints = (
        "Leave the negative edges out: what hangs together is a camp.",
        "Somebody without friends is a camp as well.",
        f"The largest camp is {', '.join(sorted(max(camps, key=len)))}.",
    )

    def judge(answer: int) -> str:
        if answer > len(camps):
            raise Wrong(
                "There are fewer: friends of friends share a camp, even where they are not joined themselves."
            )
        if answer < len(camps):
            raise Wrong("There are more: what is joined by negative edges alone is not one camp.")
        return f"Right: {'; '.join(', '.join(sorted(camp)) for camp in camps)}."

    question = (
        "This graph is weakly balanced. How many camps are there, where two nodes share one only if a way of "
        "positive edges joins them?"
    )
    return Draft(question, graph, judge, lambda: iter([len(camps)]), hints)


def missing_sign(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Which sign may an edge have that is still to come, if the graph is to stay balanced?"""
    import networkx as nx

    kind = rng.choice(["strong", "weak"])
    right = rng.choice(["+", "−"] if kind == "strong" else ["+", "−", "either"])
    camps = 2 if kind == "strong" else 4

    def make() -> tuple[nx.Graph, str, str]:
        graph = signed(rng, skeleton(rng, 7, 9), camps)
        return graph, *rng.choice([(a, b) for a in graph for b in graph if a < b and not graph.has_edge(a, b)])

    graph, a, b = until(make, lambda made: _allowed(kind, *made) == right)
    way = nx.shortest_path(graph, a, b)
    hints = (
        f"Which cycles would {a}–{b} close?",
        "Is there a way from one to the other whose signs say which camps they are in?",
        f"Put {a} in a camp and follow {'–'.join(way)}: what do these edges tell of {b}'s camp?"
        if kind == "strong"
        else f"Leave the negative edges out. Is there a way from {a} to {b}? And between the friends of {a} and "
        f"those of {b}, is there a negative edge?",
    )

    def judge(answer: str) -> str:
        if answer == right:
            return "Right."
        for sign, name in ((1, "positive"), (-1, "negative")):
            said = answer == "either" or answer == ("+" if sign > 0 else "−")
            found = balance(_with(graph, a, b, sign), kind)
            if said and not found:
                raise Wrong(
                    f"With a {name} edge one cycle is guilty: {along(_with(graph, a, b, sign), found.cycle)}."
                )
        raise Wrong("That sign would do, but is it the only one that does?")

    question = f"This graph is {SENSES[kind]}. Join {a} and {b}: which sign keeps it so?"
    return Draft(question, graph, judge, lambda: iter([right]), hints, ("+", "−", "either"))


def _with(graph: nx.Graph, a: str, b: str, sign: int) -> nx.Graph:
    graph = graph.copy()
    graph.add_edge(a, b, sign=sign)
    return graph


def _allowed(kind: str, graph: nx.Graph, a: str, b: str) -> str:
    fits = [bool(balance(_with(graph, a, b, sign), kind)) for sign in (1, -1)]
    return "either" if all(fits) else "+" if fits[0] else "−"
