"""What exercises on unbalanced cycles, on changes, and on graphs to draw are about; see `verdicts`."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import combinations
from random import Random
from types import SimpleNamespace
from typing import Any

import networkx as nx

from ..cycles import shortest_unbalanced_cycle
from ..frustration_index import frustration
from ..triangles import KINDS, census
from ..verdict import balance
from .answers import Edge, named, steps
from .sketch import (
    along,
    around,
    edge,
    known,
    listed,
    made,
    marked,
    random_signs,
    skeleton,
    sketch,
    turned,
    until,
    without,
)

__all__ = ["as_far_as_asked", "delete_instead", "fewest", "flip_or_delete", "flips", "how_many_flips",
           "is_unbalanced", "next_to_turn", "no_unbalanced_triad", "shortest", "signs_for_a_census", "unbalanced",
           "weakly_only"]  # fmt: skip


# -- unbalanced cycles ---------------------------------------------------------------------------------------


def unbalanced(rng: Random, _: Any, kind: str) -> SimpleNamespace:
    """Which cycle is unbalanced?"""
    graph = sketch(rng, 6, 8, 3, wrong=(0, 1), fits=lambda drawn: 1 <= len(unbalanced_cycles(drawn, kind)) <= 5)
    through = edge(graph, *steps(shortest_unbalanced_cycle(graph, kind))[-1])
    return made(graph, answers=lambda: unbalanced_cycles(graph, kind), kind=kind, known=through, best=len(graph))


def shortest(rng: Random, _: Any) -> SimpleNamespace:
    """Which unbalanced cycle is a shortest one?"""
    kind = rng.choice(["strong", "weak"])
    wanted = rng.choice([3, 4])

    def fits(drawn: nx.Graph) -> bool:
        lengths = [len(cycle) for cycle in unbalanced_cycles(drawn, kind)]
        return len(set(lengths)) > 1 and min(lengths) >= wanted

    graph = sketch(rng, 7, 10, 3, wrong=1, fits=fits)
    cycle = shortest_unbalanced_cycle(graph, kind)

    def answers() -> Iterator[list[Hashable]]:
        return (found for found in unbalanced_cycles(graph, kind) if len(found) == len(cycle))

    a, b = (named(graph, node) for node in cycle[:2])
    return made(graph, answers=answers, kind=kind, a=a, b=b, best=len(cycle))


def unbalanced_cycles(graph: nx.Graph, kind: str) -> list[list[Hashable]]:
    """All unbalanced cycles, the shortest first; each begins with its least node. (The order of networkx varies.)"""
    found = []
    for nodes in nx.simple_cycles(graph):
        if is_unbalanced(graph, nodes, kind):
            at = nodes.index(min(nodes))
            nodes = nodes[at:] + nodes[:at]
            found.append(min(nodes, nodes[:1] + nodes[:0:-1]))
    return sorted(found, key=lambda nodes: (len(nodes), nodes))


def is_unbalanced(graph: nx.Graph, cycle: list[Hashable], kind: str) -> bool:
    negatives = sum(graph.edges[step]["sign"] < 0 for step in steps(cycle))
    return negatives == 1 if kind == "weak" else negatives % 2 == 1


# -- the fewest edges to change --------------------------------------------------------------------------


def fewest(rng: Random, _: Any, kind: str, n: int, m: int, values: tuple[int, ...]) -> SimpleNamespace:
    """Which edges must turn, as few as can be?"""
    return flips(_frustrated(rng, kind, n, m, rng.choice(values)), kind)


def flips(graph: nx.Graph, kind: str, **facts: Any) -> SimpleNamespace:
    """The fewest edges to turn; a hint names a node of one."""
    found = frustration(graph, kind)
    name, best = named(graph, found.edges[0][0]), found.value
    return made(graph, answers=lambda: optimal_flips(graph, kind, best), kind=kind, best=best, name=name, **facts)


def _frustrated(rng: Random, kind: str, n: int, m: int, wanted: int) -> nx.Graph:
    camps = 2 if kind == "strong" else (1, 3)
    return sketch(rng, n, m, camps, wrong=wanted, fits=lambda drawn: frustration(drawn, kind).value == wanted)


def optimal_flips(graph: nx.Graph, kind: str, best: int) -> Iterator[list[Edge]]:
    """All sets of so many edges that balance a graph by turning; it is small enough to try every set."""
    tried = map(list, combinations(graph.edges, best))
    return (edges for edges in tried if balance(turned(graph, edges), kind))


def how_many_flips(rng: Random, _: Any) -> SimpleNamespace:
    kind, right = rng.choice([("strong", 1), ("strong", 2), ("strong", 3), ("weak", 1), ("weak", 2)])
    graph = _frustrated(rng, kind, 6, 11, right)
    cycle = shortest_unbalanced_cycle(graph, kind)
    edges = frustration(graph, kind).edges
    return made(
        graph,
        right,
        kind=kind,
        cycle=along(graph, cycle),
        marks=around(graph, cycle),
        known=edge(graph, *edges[0]),
        found=listed(graph, edges),
    )


def delete_instead(rng: Random, _: Any) -> SimpleNamespace:
    kind = rng.choice(["strong", "weak"])
    graph = _frustrated(rng, kind, 6, 10, 2)
    best = frustration(graph, kind)

    def answers() -> Iterator[nx.Graph]:
        return (without(graph, edges) for edges in optimal_flips(graph, kind, best.value))

    return made(graph, answers=answers, kind=kind, best=best.value, known=edge(graph, *best.edges[0]))


def flip_or_delete(rng: Random, _: Any) -> SimpleNamespace:
    """Of edges whose deletion balances a graph, how many would have to turn to be put back?"""

    def make() -> tuple[nx.Graph, list[Edge]]:
        graph = sketch(rng, 7, 12, 2)
        return graph, rng.sample(sorted(graph.edges), rng.randint(3, 4))

    agreed, gone = until(make, lambda drawn: nx.is_connected(without(*drawn)))
    misfits = rng.sample(gone, rng.randint(1, len(gone)))
    graph = turned(agreed, misfits)
    return made(
        graph,
        len(misfits),
        gone=listed(graph, gone),
        marks=marked(graph, gone),
        most=len(gone),
        found=listed(graph, misfits),
        known=edge(graph, *gone[0]),
        fate="must turn" if gone[0] in misfits else "comes back as it was",
    )


def next_to_turn(rng: Random, _: Any) -> SimpleNamespace:
    """Which edges of a complete graph may turn next in constrained triad dynamics?"""
    n = rng.choice([4, 5])
    m = n * (n - 1) // 2
    graph = sketch(rng, n, m, (1, 3), wrong=(0, 2), fits=lambda drawn: 0 < len(_may_turn(drawn)) < m)
    edges = _may_turn(graph)
    return made(
        graph, answers=lambda: [edges], edges={frozenset(pair) for pair in edges}, known=edge(graph, *edges[0])
    )


def _may_turn(graph: nx.Graph) -> list[Edge]:
    """The edges that are in at least as many unbalanced triads as in balanced ones, and in some."""
    counts = census(graph, by="edge")
    unbalanced, fine = counts["++-"] + counts["---"], counts["+++"] + counts["+--"]
    chosen = counts[(unbalanced > 0) & (unbalanced >= fine)]
    return list(zip(chosen["a"], chosen["b"], strict=True))


# -- graphs to draw --------------------------------------------------------------------------------------


def weakly_only(rng: Random, _: Any) -> SimpleNamespace:
    n = rng.choice([5, 6])
    m = rng.randint(n + 1, n + 3)
    drawn = sketch(rng, n, m, (3, 4), fits=lambda drawn: balance(drawn, "weak") and not balance(drawn, "strong"))
    friends = sum(sign > 0 for *_, sign in drawn.edges(data="sign"))
    return made(without(drawn, drawn.edges), answers=lambda: [drawn.copy()], m=m, friends=friends)


def no_unbalanced_triad(rng: Random, _: Any) -> SimpleNamespace:
    kind, n = rng.choice(["strong", "weak"]), rng.choice([6, 7])
    m = rng.randint(n + 1, n + 2)
    bad = ["++-", "---"] if kind == "strong" else ["++-"]

    def fits(drawn: nx.Graph) -> bool:
        return not balance(drawn, kind) and census(drawn).sum() > 0 and not census(drawn)[bad].any()

    drawn = sketch(rng, n, m, (1, 3), wrong=1, fits=fits)
    return made(without(drawn, drawn.edges), answers=lambda: [drawn.copy()], kind=kind, m=m, bad=bad)


def signs_for_a_census(rng: Random, _: Any) -> SimpleNamespace:
    drawn = until(
        lambda: random_signs(rng, skeleton(rng, 5, (8, 10))),
        lambda drawn: census(drawn).astype(bool).sum() > 1,
    )
    counts = census(drawn)
    asked = ", ".join(f"{counts[kind]} × {kind}" for kind in KINDS)
    return _signs_wanted(rng, drawn, counts=counts, asked=asked)


def as_far_as_asked(rng: Random, _: Any) -> SimpleNamespace:
    wanted = rng.choice([2, 3])
    drawn = until(
        lambda: random_signs(rng, skeleton(rng, 6, (10, 12))),
        lambda drawn: frustration(drawn).value == wanted,
    )
    return _signs_wanted(rng, drawn, wanted=wanted)


def _signs_wanted(rng: Random, drawn: nx.Graph, **facts: Any) -> SimpleNamespace:
    """The same graph with every sign +; a hint gives one of the signs away."""
    shown = turned(drawn, [(a, b) for a, b, sign in drawn.edges(data="sign") if sign < 0])
    given = known(drawn, rng.choice(list(drawn.edges)))
    return made(shown, answers=lambda: [drawn.copy()], **given, **facts)
