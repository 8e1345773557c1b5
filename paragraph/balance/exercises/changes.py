"""Exercises on the fewest edges to change, and on those that change in triad dynamics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from ..cycles import shortest_guilty_cycle
from ..frustration_index import frustration
from ..signed import SignedGraph, as_signed
from ..triangles import census
from ..verdict import balance
from .answers import Edge, Wrong, named, steps
from .cycles import GUILTY
from .exercise import Draft
from .sketch import along, edge, listed, signed, skeleton, turned, until
from .verdicts import SENSES

if TYPE_CHECKING:
    import networkx as nx

    from ...graph import ParaphraseGraph

__all__ = ["delete_instead", "fewest_strong", "fewest_weak", "flip_or_delete", "how_many_flips", "judge_flips",
           "next_to_turn", "one_flip", "optimal_flips"]  # fmt: skip


def _fewest(kind: str, n: int, m: int, values: tuple[int, ...], rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Which edges must turn, as few as can be?"""
    wanted = rng.choice(values)
    graph = _frustrated(rng, kind, n, m, wanted)
    best = frustration(graph, kind)
    hints = (
        f"A guilty cycle has {GUILTY[kind]}. Each must lose or gain a negative edge.",
        "An edge on many guilty cycles, and on few others, is worth turning.",
        f"Some best answer turns an edge at {named(graph, best.edges[0][0])}.",
    )
    many = "one edge" if values == (1,) else "as few edges as can be"
    question = f"Turn the sign of {many}, so that this graph becomes {SENSES[kind]}. Which?"
    return Draft(
        question,
        graph,
        judge_flips(graph, kind, best.value),
        lambda: iter(optimal_flips(graph, kind, best.value)),
        hints,
    )


one_flip = partial(_fewest, "strong", 6, 9, (1,))
fewest_strong = partial(_fewest, "strong", 7, 12, (2, 3))
fewest_weak = partial(_fewest, "weak", 7, 12, (2,))


def _frustrated(rng: Random, kind: str, n: int, m: int, wanted: int) -> nx.Graph:
    return until(
        lambda: signed(rng, skeleton(rng, n, m), 2 if kind == "strong" else rng.randint(1, 3), wrong=wanted),
        lambda made: frustration(made, kind).value == wanted,
    )


def optimal_flips(graph: nx.Graph, kind: str, best: int) -> list[list[Edge]]:
    """All sets of so many edges that balance a graph by turning, where no fewer do.

    Of any guilty cycle an edge must turn: so each is tried, and the same again with what is left.
    """
    edges, found = list(graph.edges), set()

    def search(signed: SignedGraph, chosen: frozenset[int]) -> None:
        cycle = balance(signed, kind).cycle
        if cycle is None:
            found.add(chosen)
        elif len(chosen) < best:
            for a, b in steps([signed.index(name) for name in cycle]):
                if (at := signed.edge_between(a, b)) not in chosen:
                    sign = signed.sign.copy()
                    sign[at] *= -1
                    search(signed.with_sign(sign), chosen | {at})

    search(as_signed(graph), frozenset())
    return [[edges[i] for i in chosen] for chosen in sorted(map(sorted, found))]


def judge_flips(graph: nx.Graph, kind: str, best: int) -> Callable[[list[Edge]], str]:
    def judge(edges: list[Edge]) -> str:
        after = turned(graph, edges)
        found = balance(after, kind)
        if not found:
            when = "Once these are turned" if edges else "As it is"
            raise Wrong(f"{when}, one cycle is guilty: {along(after, found.cycle)}.")
        if len(edges) > best:
            raise Wrong("Once these are turned, the graph is balanced, but fewer edges would do.")
        return "Right: the graph is balanced, and no fewer edges would do."

    return judge


def how_many_flips(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """What is the frustration index?"""
    kind, wanted = rng.choice([("strong", 1), ("strong", 2), ("strong", 3), ("weak", 1), ("weak", 2)])
    graph = _frustrated(rng, kind, 6, 11, wanted)
    cycle = shortest_guilty_cycle(graph, kind)
    a, b = frustration(graph, kind).edges[0]
    hints = (
        "Find guilty cycles that have no edge in common: each needs a change of its own.",
        f"A guilty cycle: {along(graph, cycle)}.",
        f"Turn {edge(graph, a, b)}, and see what is left to do.",
    )

    def judge(answer: int) -> str:
        if answer > wanted:
            raise Wrong("It can be done with fewer.")
        if answer < wanted:
            raise Wrong("So few will not do: whichever edges turn, some cycle stays guilty.")
        return f"Right: for example {listed(graph, frustration(graph, kind).edges)}."

    question = f"How many edges must turn their sign, at least, so that this graph becomes {SENSES[kind]}?"
    return Draft(question, graph, judge, lambda: iter([wanted]), hints)


def delete_instead(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """What is left when as few edges as can be are taken away, for balance?"""
    kind = rng.choice(["strong", "weak"])
    graph = _frustrated(rng, kind, 6, 10, 2)
    best = frustration(graph, kind)
    hints = (
        "Every guilty cycle must lose an edge.",
        "As many edges must go as would have to turn.",
        f"Take {edge(graph, *best.edges[0])} away, and see what is left to do.",
    )

    def judge(drawn: nx.Graph) -> str:
        for a, b, sign in drawn.edges(data="sign"):
            if not graph.has_edge(a, b):
                raise Wrong(f"{edge(graph, a, b)} is new: edges may only be taken away.")
            if graph.edges[a, b]["sign"] != sign:
                raise Wrong(f"{edge(graph, a, b)} has turned: edges may only be taken away.")
        found = balance(drawn, kind)
        if not found:
            raise Wrong(f"One cycle is still guilty: {along(drawn, found.cycle)}.")
        if len(graph.edges) - len(drawn.edges) > best.value:
            raise Wrong("What is left is balanced, but fewer edges needed to go.")
        return "Right: what is left is balanced, and as few edges as can be are gone. Turning them would do as well."

    def answers() -> Iterator[nx.Graph]:
        for edges in optimal_flips(graph, kind, best.value):
            left = graph.copy()
            left.remove_edges_from(edges)
            yield left

    question = f"Take away as few edges as can be, so that this graph becomes {SENSES[kind]}. Which graph is left?"
    return Draft(question, graph, judge, answers, hints)


def flip_or_delete(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Of edges whose deletion balances a graph, how many would have to turn to be put back?"""
    import networkx as nx

    def make() -> tuple[nx.Graph, list[Edge]]:
        graph = signed(rng, skeleton(rng, 7, 12), 2)
        gone = rng.sample(sorted(graph.edges), rng.randint(3, 4))
        return graph, gone

    def hangs_together(made: tuple[nx.Graph, list[Edge]]) -> bool:
        left = made[0].copy()
        left.remove_edges_from(made[1])
        return nx.is_connected(left)

    agreed, gone = until(make, hangs_together)
    misfits = rng.sample(gone, rng.randint(1, len(gone)))
    graph = turned(agreed, misfits)
    a, b = gone[0]
    hints = (
        "What is left once they are gone falls into camps, and says where everybody belongs.",
        "Edges that fit these camps come back as they were; only the others must turn.",
        f"The edge {edge(graph, a, b)} {'must turn' if gone[0] in misfits else 'comes back as it was'}.",
    )

    def judge(answer: int) -> str:
        if answer > len(gone):
            raise Wrong("More than were taken away? All other edges fit the camps already.")
        if answer > len(misfits):
            raise Wrong("Fewer: some of these edges fit the camps as they are.")
        if answer < len(misfits):
            raise Wrong("More: each of these edges that does not fit the camps must turn.")
        return f"Right: {listed(graph, misfits)}. So turning never takes more edges than taking away."

    question = (
        f"Lena takes the edges {listed(graph, gone)} away: the rest is strongly balanced, and hangs together. Omar "
        "wants to keep every edge. He puts hers back one by one, and turns a sign only where balance asks for it. "
        "How many does he turn?"
    )
    return Draft(question, graph, judge, lambda: iter([len(misfits)]), hints)


# -- dynamics --------------------------------------------------------------------------------------------


def next_to_turn(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Which edges of a complete graph may turn next in constrained triad dynamics?"""
    n = rng.choice([4, 5])
    graph = until(
        lambda: signed(rng, skeleton(rng, n, n * (n - 1) // 2), rng.randint(1, 3), wrong=rng.randint(0, 2)),
        lambda made: 0 < len(_may_turn(made)) < len(made.edges),
    )
    right = {frozenset(pair) for pair in _may_turn(graph)}
    unbalanced = _unbalanced(graph)
    a, b = _may_turn(graph)[0]
    hints = (
        "The unbalanced triads are those with an odd number of negative edges. List them.",
        "When an edge turns, all its triads change sides: the unbalanced become balanced, the balanced unbalanced.",
        f"One of the edges that may turn is {edge(graph, a, b)}.",
    )

    def judge(edges: list[Edge]) -> str:
        for pair in edges:
            if frozenset(pair) not in right:
                after = _unbalanced(turned(graph, [pair]))
                rise = f"from {unbalanced} to {after}"
                raise Wrong(f"{edge(graph, *pair)} may not turn: unbalanced triads would rise {rise}.")
        if len(edges) < len(right):
            raise Wrong("These may turn, but they are not all." if edges else "Some edge may turn.")
        return "Right: these, and no others."

    question = (
        "Constrained triad dynamics: a step turns one edge of an unbalanced triad (one with an odd number of "
        "negative edges), so that the number of unbalanced triads falls or stays the same. Which edges may be the "
        "next to turn? Name them all."
    )
    return Draft(question, graph, judge, lambda: iter([_may_turn(graph)]), hints)


def _unbalanced(graph: nx.Graph) -> int:
    return int(census(graph)[["++-", "---"]].sum())


def _may_turn(graph: nx.Graph) -> list[Edge]:
    """The edges that are in at least as many unbalanced triads as in balanced ones, and in some."""
    counts = census(graph, by="edge")
    guilty, fine = counts["++-"] + counts["---"], counts["+++"] + counts["+--"]
    chosen = counts[(guilty > 0) & (guilty >= fine)]
    return list(zip(chosen["a"], chosen["b"], strict=True))
