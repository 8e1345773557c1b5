"""What exercises on triads, verdicts and camps are about: a graph drawn at random, the right answer, the facts.

A builder takes a random generator and the reader's own graph, which only exercises on sentences use.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import combinations
from random import Random
from types import SimpleNamespace
from typing import Any

import networkx as nx

from ..signed import as_signed
from ..triangles import KINDS, census, triads
from ..verdict import balance
from .answers import steps
from .sketch import (
    RULE,
    VERDICTS,
    along,
    around,
    joined,
    known,
    made,
    marked,
    random_signs,
    ring,
    sketch,
    until,
    without,
    word,
)

__all__ = ["any_camps", "count_triads", "how_many_camps", "in_a_crowd", "in_words", "missing_sign", "name_the_triad",
           "once_around", "three_verdicts", "two_camps", "verdict"]  # fmt: skip

PEOPLE = (
    "Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana",
    "Ivo", "Jill", "Kofi", "Lena", "Max", "Nora", "Omar",
)  # fmt: skip
FRIENDLY = ("{} and {} are friends.", "{} likes {}.", "{} and {} get on well.", "{} would trust {} with anything.")
HOSTILE = ("{} and {} are at odds.", "{} cannot stand {}.", "{} and {} avoid each other.", "{} quarrels with {}.")


# -- triads, and the product of signs --------------------------------------------------------------------


def name_the_triad(rng: Random, _: Any) -> SimpleNamespace:
    kind = rng.choice(KINDS)
    graph = _triad(rng, rng.sample(PEOPLE, 3), kind)
    return made(graph, kind, triad=around(graph, graph), **known(graph, rng.choice(list(graph.edges))))


def in_words(rng: Random, _: Any) -> SimpleNamespace:
    """Five people are described, no edge is shown: which triad do three of them make?"""
    five, kind = rng.sample(PEOPLE, 5), rng.choice(KINDS)
    graph = _triad(rng, five[:3], kind)
    others = [pair for pair in combinations(five, 2) if not graph.has_edge(*pair)]
    graph.add_edges_from((*pair, {"sign": rng.choice([1, -1])}) for pair in rng.sample(others, 3))
    sentences = []
    for pair in rng.sample(sorted(graph.edges), len(graph.edges)):
        ways = FRIENDLY if graph.edges[pair]["sign"] > 0 else HOSTILE
        sentences.append(rng.choice(ways).format(*rng.sample(pair, 2)))
    three = sorted(five[:3])
    given = rng.choice(list(combinations(three, 2)))
    return made(
        without(graph, graph.edges),
        right=kind,
        triad=around(graph, five[:3]),
        story=" ".join(sentences),
        three="{}, {} and {}".format(*three),
        **known(graph, given) | {"known": " and ".join(given)},
    )


def in_a_crowd(rng: Random, _: Any) -> SimpleNamespace:
    kind = rng.choice(KINDS)
    graph = sketch(rng, 7, 13, 3, wrong=3, fits=lambda drawn: census(drawn)[kind] > 0)
    three = sorted(rng.choice([triad.nodes for triad in triads(graph, kind)]))
    given = rng.choice(list(combinations(three, 2)))
    facts = known(graph, given)
    return made(graph, right=kind, triad=around(graph, three), three="{}, {} and {}".format(*three), **facts)


def _triad(rng: Random, nodes: list[str], kind: str) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(sorted(nodes))
    signs = rng.sample([1 if sign == "+" else -1 for sign in kind], 3)
    graph.add_edges_from((*pair, {"sign": sign}) for pair, sign in zip(combinations(graph, 2), signs, strict=True))
    return graph


def once_around(rng: Random, _: Any) -> SimpleNamespace:
    graph = random_signs(rng, ring(rng, rng.randint(4, 7)))
    nodes = list(graph)
    signs = [graph.edges[step]["sign"] for step in steps(nodes)]
    return made(
        graph,
        right="−" if signs.count(-1) % 2 else "+",
        way=f"{nodes[0]} by {nodes[1]} to {nodes[-2]}",
        product=word(-1 if signs[:-2].count(-1) % 2 else 1),
        reason=f"{along(graph, nodes)}.",
        marks=marked(graph, [step for step, sign in zip(steps(nodes), signs, strict=True) if sign < 0]),
    )


def count_triads(rng: Random, _: Any) -> SimpleNamespace:
    graph = sketch(rng, 6, 11, 3, wrong=2, fits=lambda drawn: census(drawn).sum() >= 4)
    counts = census(graph)
    kind = rng.choice([kind for kind in KINDS if counts[kind]])
    everywhere = [triad.nodes for triad in triads(graph)]
    wanted = [triad.nodes for triad in triads(graph, kind)]
    return made(
        graph,
        right=int(counts[kind]),
        type=kind,
        busy=max(graph, key=lambda node: sum(node in three for three in everywhere)),
        triads=wanted,
        others=[nodes for nodes in everywhere if nodes not in wanted],
        example=", ".join(wanted[0]),
        found="; ".join(map(", ".join, wanted)),
    )


# -- verdicts and camps ----------------------------------------------------------------------------------


def verdict(rng: Random, _: Any, kind: str) -> SimpleNamespace:
    """Is a small graph balanced, in one of the senses?"""
    wanted = rng.random() < 0.5
    n, m = rng.choice([(3, 3), (4, 5), (4, 6), (5, 6), (5, 7)])
    graph = sketch(rng, n, m, (1, 3), wrong=(0, 1), fits=lambda drawn: balance(drawn, kind).balanced == wanted)
    cycle = balance(graph, kind).cycle
    reason = f"One cycle is unbalanced: {along(graph, cycle)}." if cycle else f"Every edge agrees: {RULE}."
    marks = around(graph, cycle or ())
    right = "not balanced" if cycle else "balanced"
    return made(graph, right, kind=kind, start=next(iter(graph)), reason=reason, marks=marks)


def three_verdicts(rng: Random, _: Any) -> SimpleNamespace:
    right = rng.choice(VERDICTS)

    def fits(drawn: nx.Graph) -> bool:
        return VERDICTS[0 if balance(drawn, "strong") else 1 if balance(drawn, "weak") else 2] == right

    return made(sketch(rng, 6, 9, (2, 4), wrong=(0, 1), fits=fits), right)


def two_camps(rng: Random, _: Any) -> SimpleNamespace:
    graph = sketch(rng, 7, 10, 2)
    camps = _together(graph, balance(graph, "strong").camps.tolist())
    first, friends = next(iter(graph)), _two_of_a_camp(rng, camps)
    return made(graph, answers=lambda: [camps], most=2, first=first, friends=friends)


def any_camps(rng: Random, _: Any) -> SimpleNamespace:
    graph = sketch(rng, 8, 12, (3, 4), fits=lambda drawn: not balance(drawn) and _sizable(drawn))
    camps = _weak_camps(graph)
    friends = _two_of_a_camp(rng, camps)
    return made(graph, answers=lambda: _all_camps(graph, camps), most=len(graph), friends=friends)


def how_many_camps(rng: Random, _: Any) -> SimpleNamespace:
    graph = sketch(rng, 9, (10, 13), (2, 4), fits=_sizable)
    camps = [sorted(camp) for camp in _weak_camps(graph)]
    found, largest = "; ".join(map(", ".join, camps)), max(camps, key=len)
    together = graph.edge_subgraph([pair for pair in graph.edges if graph.edges[pair]["sign"] > 0])
    between = next(pair for pair in graph.edges if graph.edges[pair]["sign"] < 0)
    return made(
        graph,
        len(camps),
        largest=", ".join(largest),
        found=found,
        one_camp=marked(graph, together.subgraph(largest).edges),
        two_camps=marked(graph, [between]),
    )


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
    """The finest camps, then those with two of them in one, where no edge forbids it."""
    yield least
    for i, camp in enumerate(least):
        for j, other in enumerate(least[:i]):
            if not any(graph.has_edge(a, b) for a in camp for b in other):
                yield [camp | other, *(rest for k, rest in enumerate(least) if k not in (i, j))]


def _two_of_a_camp(rng: Random, camps: list[set[Hashable]]) -> str:
    return " and ".join(rng.sample(sorted(max(camps, key=len)), 2))


def missing_sign(rng: Random, _: Any) -> SimpleNamespace:
    """Which sign may an edge have that is still to come, if the graph is to stay balanced?"""
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
    }[kind]
    return made(graph, right, kind=kind, a=a, b=b, advice=advice)
