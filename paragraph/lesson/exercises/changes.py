"""Exercises on edges to change and on graphs to draw: questions, and the rules that judge answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import networkx as nx

from ...balance.frustration_index import Frustration, frustration
from ...balance.triangles import KINDS, census
from ...balance.verdict import balance
from .ask import PATTERNS, SENSES, Asked, Edge, Sketch, skeleton, sketch, until

__all__ = [
    "ask_changes",
    "delete_instead",
    "fewest_flips",
    "no_unbalanced_triad",
    "signs_for_a_census",
    "weakly_only",
]


def fewest_flips(rng: Random, kind: str, values: tuple[int, ...]) -> Asked:
    """Choose the fewest edges to turn for balance: one of some numbers."""
    wanted = rng.choice(values)
    if values == (1,):
        many = "one edge"
        graph, best = _frustrated(rng, kind, 6, 9, wanted)
    else:
        many = "as few edges as can be"
        graph, best = _frustrated(rng, kind, 7, 12, wanted)
    text = f"""Turn the sign of {many}, so that this graph becomes {SENSES[kind]}. Which?
        - An unbalanced cycle has {PATTERNS[kind]}. Each must lose or gain a negative edge.
        - An edge on many unbalanced cycles, and on few others, is worth turning.
        - Some best answer turns an edge at {graph.named(best.edges[0][0])}."""
    return ask_changes(graph, best, text)


def ask_changes(graph: Sketch, best: Frustration, text: str, away: bool = False) -> Asked:
    """Ask for the fewest edges that balance a graph when they are turned or, which are the same, taken away."""

    def solutions() -> Iterator[list[Edge]]:
        """Yield all smallest sets of edges that balance a graph; each set is tried."""
        for edges in combinations(graph.edges, best.value):
            if balance(graph.turned(edges), best.kind):
                yield list(edges)

    rule = {"judge": "changes", "kind": best.kind, "most": best.value, "away": away}
    return Asked(graph, text, solutions, rule)


def _frustrated(rng: Random, kind: str, n: int, m: int, wanted: int) -> tuple[Sketch, Frustration]:
    """Draw a graph in which `wanted` edges must turn for balance."""
    camps = {"strong": 2, "weak": (1, 3)}

    def fits(drawn: Sketch) -> bool:
        return frustration(drawn, kind).value == wanted

    graph = sketch(rng, n, m, camps[kind], wanted, fits)
    return graph, frustration(graph, kind)


# -- graphs to draw ----------------------------------------------------------------------------------------


def delete_instead(rng: Random) -> Asked:
    """Delete the fewest edges for balance."""
    kind = rng.choice(["strong", "weak"])
    graph, best = _frustrated(rng, kind, 6, 10, 2)
    text = f"""Take away as few edges as can be, so that this graph becomes {SENSES[kind]}. Which?
        - Every unbalanced cycle must lose an edge.
        - As many edges must go as would have to turn.
        - Take {graph.edge(*best.edges[0])} away, and see what is left to do."""
    return ask_changes(graph, best, text, away=True)


def weakly_only(rng: Random) -> Asked:
    """Draw a graph that is weakly, but not strongly balanced."""
    n = rng.choice([5, 6])
    m = rng.randint(n + 1, n + 3)

    def fits(drawn: Sketch) -> bool:
        return balance(drawn, "weak") and not balance(drawn, "strong")

    example = sketch(rng, n, m, (3, 4), fits=fits)
    friends = len(example.of_sign(1))
    text = f"""Draw a graph on these nodes that is weakly, but not strongly balanced. It is connected and has {m}
        edges, {friends} of them positive.
        - Begin with the smallest: which triad is balanced for many camps, but not for two?
        - Add nodes so that no cycle has a single negative edge.
        - Divide the nodes into three camps or more. Join them by negative edges; inside a camp edges are positive."""

    return _ask_drawing(example, text, {"judge": "only weakly", "edges": m, "positive": friends})


def _ask_drawing(example: Sketch, text: str, rule: dict[str, Any]) -> Asked:
    """Ask for a graph on the nodes of an example, which has all that is wanted."""
    return Asked(nx.create_empty_copy(example), text, lambda: [example.copy()], rule)


def no_unbalanced_triad(rng: Random) -> Asked:
    """Draw a graph that is not balanced, although no triad shows it."""
    kind = rng.choice(["strong", "weak"])
    n = rng.choice([6, 7])
    m = rng.randint(n + 1, n + 2)
    bad = ["++-"]
    if kind == "strong":
        bad.append("---")

    def fits(drawn: Sketch) -> bool:
        if balance(drawn, kind):
            return False
        counts = census(drawn)
        return counts.any() and not counts[bad].any()

    example = sketch(rng, n, m, (1, 3), wrong=1, fits=fits)
    text = f"""Draw a graph on these nodes that is not {SENSES[kind]}, although none of its triads shows it: a
        connected graph of {m} edges, with at least one triad, but none that is unbalanced.
        - Some cycle must be unbalanced, and it must not be a triad.
        - Draw an unbalanced cycle of four, without its diagonals.
        - Then add the other nodes, so that a balanced triad appears, and the cycle still has no short cut."""

    return _ask_drawing(example, text, {"judge": "no triad", "kind": kind, "edges": m})


def signs_for_a_census(rng: Random) -> Asked:
    """Choose signs so that there is a given number of triads of each type; the last hint gives one sign away."""

    def make() -> Sketch:
        return skeleton(rng, 5, (8, 10)).random_signs(rng)

    def fits(drawn: Sketch) -> bool:
        return census(drawn).astype(bool).sum() > 1

    example = until(make, fits)
    counts = census(example)
    asked = ", ".join(f"{counts[kind]} × {kind}" for kind in KINDS)
    text = f"""Give the edges of this graph signs, so that its triads are: {asked}.
        - Every triad counts, and most edges lie in several.
        - Each triad of a type has as many negatives as its name. Which edge lies in one triad, which in three?"""

    graph = example.turned(example.of_sign(-1))
    given = rng.choice(list(example.edges))
    text += f"\n- It can be done with {example.edge(*given)} {example.word(*given)}."
    rule = {"judge": "census", "counts": counts.tolist()}
    return Asked(graph, text, lambda: [example.copy()], rule)
