"""Exercises on unbalanced cycles and on the edges to change: what is asked, and what is said to each answer."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import combinations
from random import Random

import networkx as nx

from ..cycles import shortest_unbalanced_cycle
from ..frustration_index import frustration
from ..triangles import census, triads
from ..verdict import balance
from .answers import Wrong
from .ask import PATTERNS, SENSES, Asked, Grade, check_balance
from .sketch import Edge, Mark, along, around, edge, listed, marked, named, sketch, steps, turned, until, without

__all__ = ["an_unbalanced_cycle", "fewest_flips", "flip_or_delete", "flips", "frustrated", "how_many_flips",
           "next_to_turn", "optimal_flips", "shortest_cycle"]  # fmt: skip

# -- unbalanced cycles -------------------------------------------------------------------------------------


def an_unbalanced_cycle(rng: Random, kind: str) -> Asked:
    """Find an unbalanced cycle."""
    graph = sketch(rng, 6, 8, 3, wrong=(0, 1), fits=lambda drawn: 1 <= len(_unbalanced_cycles(drawn, kind)) <= 5)
    on_one = steps(shortest_unbalanced_cycle(graph, kind))[-1]
    hints = (
        f"An unbalanced cycle has {PATTERNS[kind]}.",
        "Assign camps until an edge disagrees; that edge and the paths to its ends contain one.",
        f"One runs through the edge {edge(graph, *on_one)}.",
    )
    question = f"This graph is not {SENSES[kind]}. Find an unbalanced cycle: one with {PATTERNS[kind]}."
    return _ask_cycle(graph, kind, question, hints, longest=len(graph))


def shortest_cycle(rng: Random) -> Asked:
    """Find a shortest unbalanced cycle."""
    kind = rng.choice(["strong", "weak"])
    wanted = rng.choice([3, 4])

    def fits(drawn: nx.Graph) -> bool:
        lengths = [len(cycle) for cycle in _unbalanced_cycles(drawn, kind)]
        return len(set(lengths)) > 1 and min(lengths) >= wanted

    graph = sketch(rng, 7, 10, 3, wrong=1, fits=fits)
    cycle = shortest_unbalanced_cycle(graph, kind)
    a, b = (named(graph, node) for node in cycle[:2])
    hints = (
        f"An unbalanced cycle has {PATTERNS[kind]}. Find one, then look for short cuts.",
        "Try the triads first; then the cycles of four.",
        f"{a} and {b} lie on one.",
    )
    question = (
        f"This graph is not {SENSES[kind]}. Find a shortest unbalanced cycle: {PATTERNS[kind]}, and as few edges as "
        f"can be."
    )
    return _ask_cycle(graph, kind, question, hints, longest=len(cycle))


def _ask_cycle(graph: nx.Graph, kind: str, question: str, hints: tuple[str, ...], longest: int) -> Asked:
    def judge(nodes: list[Hashable]) -> Grade:
        path, marks = along(graph, nodes), around(graph, nodes)
        if not _is_unbalanced(graph, nodes, kind):
            negatives = sum(sign < 0 for *_, sign in marks)
            count = f"{negatives or 'no'} negative edge{'s' * (negatives != 1)}"
            raise Wrong(f"{path} has {count}; an unbalanced one has {PATTERNS[kind]}.", marks)
        if len(nodes) > longest:
            raise Wrong(f"{path} is unbalanced, but a shorter cycle is unbalanced as well.", marks)
        return Grade(True, f"Right: {path}.", marks)

    def solutions() -> Iterator[list[Hashable]]:
        return (cycle for cycle in _unbalanced_cycles(graph, kind) if len(cycle) <= longest)

    return Asked(graph, question, hints, judge, solutions)


def _unbalanced_cycles(graph: nx.Graph, kind: str) -> list[list[Hashable]]:
    """Return all unbalanced cycles, the shortest first, each from its least node. (The order of networkx varies.)"""
    found = []
    for nodes in nx.simple_cycles(graph):
        if _is_unbalanced(graph, nodes, kind):
            at = nodes.index(min(nodes))
            nodes = nodes[at:] + nodes[:at]
            found.append(min(nodes, nodes[:1] + nodes[:0:-1]))
    return sorted(found, key=lambda nodes: (len(nodes), nodes))


def _is_unbalanced(graph: nx.Graph, cycle: list[Hashable], kind: str) -> bool:
    negatives = sum(sign < 0 for *_, sign in around(graph, cycle))
    return negatives == 1 if kind == "weak" else negatives % 2 == 1


# -- the fewest edges to change ----------------------------------------------------------------------------


def fewest_flips(rng: Random, kind: str, n: int, m: int, values: tuple[int, ...]) -> Asked:
    """Name the fewest edges to turn for balance."""
    graph = frustrated(rng, kind, n, m, rng.choice(values))
    many = "one edge" if values == (1,) else "as few edges as can be"
    question = f"Turn the sign of {many}, so that this graph becomes {SENSES[kind]}. Which?"
    hints = (
        f"An unbalanced cycle has {PATTERNS[kind]}. Each must lose or gain a negative edge.",
        "An edge on many unbalanced cycles, and on few others, is worth turning.",
    )
    return flips(graph, kind, question, hints, "Some best answer turns an edge at {}.")


def flips(graph: nx.Graph, kind: str, question: str, hints: tuple[str, ...], last_hint: str) -> Asked:
    """Ask for the fewest edges to turn; the last hint names a node of one."""
    best = frustration(graph, kind)

    def judge(edges: list[Edge]) -> Grade:
        after = turned(graph, edges)
        when = "Once these are turned" if edges else "As it is"
        check_balance(after, kind, f"{when}, one cycle is unbalanced")
        if len(edges) > best.value:
            raise Wrong("Once these are turned, the graph is balanced, but fewer edges would do.")
        return Grade(True, "Right: the graph is balanced, and no fewer edges would do.", marked(after, edges))

    hints = *hints, last_hint.format(named(graph, best.edges[0][0]))
    return Asked(graph, question, hints, judge, lambda: optimal_flips(graph, kind, best.value))


def frustrated(rng: Random, kind: str, n: int, m: int, wanted: int) -> nx.Graph:
    """Draw a graph in which so many edges must turn for balance."""
    camps = 2 if kind == "strong" else (1, 3)
    return sketch(rng, n, m, camps, wrong=wanted, fits=lambda drawn: frustration(drawn, kind).value == wanted)


def optimal_flips(graph: nx.Graph, kind: str, best: int) -> Iterator[list[Edge]]:
    """Yield all sets of so many edges that balance a graph by turning; each set is tried."""
    tried = map(list, combinations(graph.edges, best))
    return (edges for edges in tried if balance(turned(graph, edges), kind))


def how_many_flips(rng: Random) -> Asked:
    """Count the edges that must turn."""
    kind, right = rng.choice([("strong", 1), ("strong", 2), ("strong", 3), ("weak", 1), ("weak", 2)])
    graph = frustrated(rng, kind, 6, 11, right)
    cycle = shortest_unbalanced_cycle(graph, kind)
    edges = frustration(graph, kind).edges
    hints = (
        "Find unbalanced cycles that have no edge in common: each needs a change of its own.",
        f"An unbalanced cycle: {along(graph, cycle)}.",
        f"Turn {edge(graph, *edges[0])}, and see what is left to do.",
    )

    def judge(answer: int) -> Grade:
        if answer > right:
            raise Wrong("It can be done with fewer.")
        if answer < right:
            fault = "That is too few: whichever edges turn, some cycle stays unbalanced"
            raise Wrong(f"{fault}. This alone needs a change: {along(graph, cycle)}.", around(graph, cycle))
        return Grade(True, f"Right: for example {listed(graph, edges)}.")

    question = f"How many edges must turn their sign, at least, so that this graph becomes {SENSES[kind]}?"
    return Asked(graph, question, hints, judge, lambda: [right])


def flip_or_delete(rng: Random) -> Asked:
    """Say how many edges, whose deletion balances a graph, must turn when they are put back."""

    def make() -> tuple[nx.Graph, list[Edge]]:
        graph = sketch(rng, 7, 12, 2)
        return graph, rng.sample(sorted(graph.edges), rng.randint(3, 4))

    agreed, gone = until(make, lambda drawn: nx.is_connected(without(*drawn)))
    misfits = rng.sample(gone, rng.randint(1, len(gone)))
    graph = turned(agreed, misfits)
    marks = marked(graph, gone)
    fate = "must turn" if gone[0] in misfits else "comes back as it was"
    hints = (
        "The edges that are left say in which camp each node belongs.",
        "Edges that fit these camps come back as they were; only the others must turn.",
        f"The edge {edge(graph, *gone[0])} {fate}.",
    )

    def judge(answer: int) -> Grade:
        if answer > len(gone):
            raise Wrong("More than were taken away? All other edges fit the camps already.", marks)
        if answer > len(misfits):
            raise Wrong("Fewer: some of these edges fit the camps as they are.", marks)
        if answer < len(misfits):
            raise Wrong("More: each of these edges that does not fit the camps must turn.", marks)
        reason = "So turning never takes more edges than taking away."
        return Grade(True, f"Right: {listed(graph, misfits)}. {reason}", marks)

    question = (
        f"Lena takes the edges {listed(graph, gone)} away: the rest is strongly balanced and connected. Omar wants "
        f"to keep every edge. He puts hers back one by one, and turns a sign only where balance asks for it. How "
        f"many does he turn?"
    )
    return Asked(graph, question, hints, judge, lambda: [len(misfits)])


# -- dynamics ----------------------------------------------------------------------------------------------


def next_to_turn(rng: Random) -> Asked:
    """Name the edges of a complete graph that may turn next in constrained triad dynamics."""
    n = rng.choice([4, 5])
    m = n * (n - 1) // 2
    graph = sketch(rng, n, m, (1, 3), wrong=(0, 2), fits=lambda drawn: 0 < len(_may_turn(drawn)) < m)
    right = _may_turn(graph)
    hints = (
        "The unbalanced triads are those with an odd number of negative edges. List them.",
        "When an edge turns, all its triads change sides: the unbalanced become balanced, the balanced unbalanced.",
        f"One of the edges that may turn is {edge(graph, *right[0])}.",
    )

    def judge(edges: list[Edge]) -> Grade:
        wanted = set(map(frozenset, right))
        for pair in edges:
            if frozenset(pair) not in wanted:
                before, after = (census(one)[["++-", "---"]].sum() for one in (graph, turned(graph, [pair])))
                fault = f"{edge(graph, *pair)} may not turn: unbalanced triads would rise from {before} to {after}"
                raise Wrong(f"{fault}.", _triad_of(graph, pair, ("+++", "+--")))
        if left := wanted - set(map(frozenset, edges)):
            marks = _triad_of(graph, min(map(sorted, left)), ("++-", "---"))
            raise Wrong("These may turn, but they are not all." if edges else "Some edge may turn.", marks)
        return Grade(True, "Right: these, and no others.")

    question = (
        "Constrained triad dynamics: a step turns one edge of an unbalanced triad (one with an odd number of "
        "negative edges), so that the number of unbalanced triads falls or stays the same. Which edges may be the "
        "next to turn? Name them all."
    )
    return Asked(graph, question, hints, judge, lambda: [right])


def _may_turn(graph: nx.Graph) -> list[Edge]:
    """Return the edges that are in at least as many unbalanced triads as in balanced ones, and in some."""
    counts = census(graph, by="edge")
    unbalanced, fine = counts["++-"] + counts["---"], counts["+++"] + counts["+--"]
    chosen = counts[(unbalanced > 0) & (unbalanced >= fine)]
    return list(zip(chosen["a"], chosen["b"], strict=True))


def _triad_of(graph: nx.Graph, pair: Edge, kinds: tuple[str, ...]) -> tuple[Mark, ...]:
    """Return the edges of a triad of these types that an edge is in."""
    nodes = (triad.nodes for kind in kinds for triad in triads(graph, kind))
    return around(graph, next((three for three in nodes if set(pair) <= set(three)), ()))
