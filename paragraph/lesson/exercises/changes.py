"""Exercises on edges to change and on graphs to draw: questions, and the rules that judge answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

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
    n, m, many = (6, 9, "one edge") if values == (1,) else (7, 12, "as few edges as can be")
    graph, best = _frustrated(rng, kind, n, m, rng.choice(values))
    text = f"""Turn the sign of {many}, so that this graph becomes {SENSES[kind]}. Which?
        - An unbalanced cycle has {PATTERNS[kind]}. Each must lose or gain a negative edge.
        - An edge on many unbalanced cycles, and on few others, is worth turning.
        - Some best answer turns an edge at {graph.named(best.edges[0][0])}."""
    return ask_changes(graph, best, text)


def ask_changes(graph: Sketch, best: Frustration, text: str, away: bool = False) -> Asked:
    """Ask for the fewest edges that balance a graph when they are turned or, which are the same, taken away."""

    def solutions() -> Iterator[list[Edge]]:
        """Yield all smallest sets of edges that balance a graph; each set is tried."""
        tried = map(list, combinations(graph.edges, best.value))
        return (edges for edges in tried if balance(graph.turned(edges), best.kind))

    rule = {"judge": "changes", "kind": best.kind, "most": best.value, "away": away}
    return Asked(graph, text, solutions, rule)


def _frustrated(rng: Random, kind: str, n: int, m: int, wanted: int) -> tuple[Sketch, Frustration]:
    """Draw a graph in which `wanted` edges must turn for balance."""
    camps = 2 if kind == "strong" else (1, 3)
    graph = sketch(rng, n, m, camps, wrong=wanted, fits=lambda drawn: frustration(drawn, kind).value == wanted)
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
    example = sketch(rng, n, m, (3, 4), fits=lambda drawn: balance(drawn, "weak") and not balance(drawn, "strong"))
    friends = len(example.of_sign(1))
    text = f"""Draw a graph on these nodes that is weakly, but not strongly balanced. It is connected and has {m}
        edges, {friends} of them positive.
        - Begin with the smallest: which triad is balanced for many camps, but not for two?
        - Add nodes so that no cycle has a single negative edge.
        - Divide the nodes into three camps or more. Join them by negative edges; inside a camp edges are positive."""

    rule = {"judge": "only weakly", "edges": m, "positive": friends}
    return Asked(nx.create_empty_copy(example), text, lambda: [example.copy()], rule)


def no_unbalanced_triad(rng: Random) -> Asked:
    """Draw a graph that is not balanced, although no triad shows it."""
    kind, n = rng.choice(["strong", "weak"]), rng.choice([6, 7])
    m = rng.randint(n + 1, n + 2)
    bad = ["++-", "---"] if kind == "strong" else ["++-"]

    def fits(drawn: Sketch) -> bool:
        return not balance(drawn, kind) and census(drawn).sum() > 0 and not census(drawn)[bad].any()

    example = sketch(rng, n, m, (1, 3), wrong=1, fits=fits)
    text = f"""Draw a graph on these nodes that is not {SENSES[kind]}, although none of its triads shows it: a
        connected graph of {m} edges, with at least one triad, but none that is unbalanced.
        - Some cycle must be unbalanced, and it must not be a triad.
        - Draw an unbalanced cycle of four, without its diagonals.
        - Then add the other nodes, so that a balanced triad appears, and the cycle still has no short cut."""

    rule = {"judge": "no triad", "kind": kind, "edges": m}
    return Asked(nx.create_empty_copy(example), text, lambda: [example.copy()], rule)


def signs_for_a_census(rng: Random) -> Asked:
    """Choose signs so that there is a given number of triads of each type; the last hint gives one sign away."""
    example = until(
        lambda: skeleton(rng, 5, (8, 10)).random_signs(rng),
        lambda drawn: census(drawn).astype(bool).sum() > 1,
    )
    counts = census(example)
    asked = ", ".join(f"{counts[kind]} × {kind}" for kind in KINDS)
    text = f"""Give the edges of this graph signs, so that its triads are: {asked}.
        - Every triad counts, and most edges lie in several.
        - Each triad of a type has as many negatives as its name. Which edge lies in one triad, which in three?"""

    graph = example.turned(example.of_sign(-1))
    given = rng.choice(list(example.edges))
    text += f"\n- It can be done with {example.edge(*given)} {example.word(*given)}."
    return Asked(graph, text, lambda: [example.copy()], {"judge": "census", "counts": counts.tolist()})
