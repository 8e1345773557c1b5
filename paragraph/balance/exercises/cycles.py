"""Exercises on guilty cycles."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from ..cycles import shortest_guilty_cycle
from ..verdict import balance
from .answers import Wrong, named, steps
from .exercise import Draft
from .sketch import along, edge, signed, skeleton, until
from .verdicts import SENSES

if TYPE_CHECKING:
    import networkx as nx

    from ...graph import ParaphraseGraph

__all__ = ["GUILTY", "guilty_strong", "guilty_weak", "shortest_cycle"]

GUILTY = {"strong": "an odd number of negative edges", "weak": "exactly one negative edge"}


def _guilty(kind: str, rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Which cycle is guilty?"""
    graph = until(
        lambda: signed(rng, skeleton(rng, 6, 8), 3, wrong=rng.randint(0, 1)),
        lambda made: not balance(made, kind) and sum(_is_guilty(made, nodes, kind) for nodes in _cycles(made)) <= 5,
    )
    cycle = shortest_guilty_cycle(graph, kind)
    a, b = steps(cycle)[-1]
    hints = (
        f"A guilty cycle has {GUILTY[kind]}.",
        "Deal out camps until an edge disagrees; that edge and the ways to its ends hold one.",
        f"One runs through the edge {edge(graph, a, b)}.",
    )
    question = f"This graph is not {SENSES[kind]}. Find a guilty cycle: one with {GUILTY[kind]}."
    return Draft(question, graph, _judge_cycle(graph, kind), lambda: _guilty_ones(graph, kind), hints)


guilty_strong = partial(_guilty, "strong")
guilty_weak = partial(_guilty, "weak")


def shortest_cycle(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Which guilty cycle is a shortest one?"""
    kind = rng.choice(["strong", "weak"])

    def fits(made: nx.Graph) -> bool:
        lengths = [len(nodes) for nodes in _cycles(made) if _is_guilty(made, nodes, kind)]
        return len(set(lengths)) > 1 and min(lengths) >= wanted

    wanted = rng.choice([3, 4])
    graph = until(lambda: signed(rng, skeleton(rng, 7, 10), 3, wrong=1), fits)
    cycle = shortest_guilty_cycle(graph, kind)
    hints = (
        f"A guilty cycle has {GUILTY[kind]}. Find one, then look for short cuts.",
        "Try the triads first; then the cycles of four.",
        f"{named(graph, cycle[0])} and {named(graph, cycle[1])} lie on one.",
    )
    question = (
        f"This graph is not {SENSES[kind]}. Find a shortest guilty cycle: {GUILTY[kind]}, and as few edges as can be."
    )
    judge = _judge_cycle(graph, kind, len(cycle))
    return Draft(
        question, graph, judge, lambda: (c for c in _guilty_ones(graph, kind) if len(c) == len(cycle)), hints
    )


def _cycles(graph: nx.Graph) -> list[list[Hashable]]:
    """All cycles, the shortest first; each begins with its least node. (The order of networkx varies.)"""
    import networkx as nx

    found = []
    for nodes in nx.simple_cycles(graph):
        at = nodes.index(min(nodes))
        nodes = nodes[at:] + nodes[:at]
        found.append(min(nodes, nodes[:1] + nodes[:0:-1]))
    return sorted(found, key=lambda nodes: (len(nodes), nodes))


def _is_guilty(graph: nx.Graph, cycle: list[Hashable], kind: str) -> bool:
    negatives = sum(graph.edges[step]["sign"] < 0 for step in steps(cycle))
    return negatives == 1 if kind == "weak" else negatives % 2 == 1


def _guilty_ones(graph: nx.Graph, kind: str) -> Iterator[list[Hashable]]:
    return (cycle for cycle in _cycles(graph) if _is_guilty(graph, cycle, kind))


def _judge_cycle(graph: nx.Graph, kind: str, best: int | None = None) -> Callable[[list[Hashable]], str]:
    def judge(cycle: list[Hashable]) -> str:
        negatives = sum(graph.edges[step]["sign"] < 0 for step in steps(cycle))
        if not _is_guilty(graph, cycle, kind):
            count = f"{negatives or 'no'} negative edge{'s' * (negatives != 1)}"
            raise Wrong(f"{along(graph, cycle)} has {count}; a guilty one has {GUILTY[kind]}.")
        if best is not None and len(cycle) > best:
            raise Wrong(f"{along(graph, cycle)} is guilty, but a shorter cycle is guilty as well.")
        return f"Right: {along(graph, cycle)}."

    return judge
