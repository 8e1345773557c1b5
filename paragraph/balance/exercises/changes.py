"""Exercises on edges to change and on graphs to draw: questions, and the rules that judge answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import networkx as nx

from ..cycles import shortest_unbalanced_cycle
from ..frustration_index import Frustration, frustration
from ..triangles import KINDS, census
from ..verdict import balance
from .ask import PATTERNS, SENSES, Asked, Grade, Wrong, ask_number
from .sketch import Edge, Sketch, skeleton, sketch, until

__all__ = ["as_far_as_asked", "ask_flips", "delete_instead", "fewest_flips", "flip_or_delete", "how_many_flips",
           "no_unbalanced_triad", "signs_for_a_census", "weakly_only"]  # fmt: skip


def fewest_flips(rng: Random, kind: str, values: tuple[int, ...]) -> Asked:
    """Choose the fewest edges to turn for balance: one of some numbers."""
    n, m, many = (6, 9, "one edge") if values == (1,) else (7, 12, "as few edges as can be")
    graph, best = _frustrated(rng, kind, n, m, rng.choice(values))
    text = f"""Turn the sign of {many}, so that this graph becomes {SENSES[kind]}. Which?
        - An unbalanced cycle has {PATTERNS[kind]}. Each must lose or gain a negative edge.
        - An edge on many unbalanced cycles, and on few others, is worth turning.
        - Some best answer turns an edge at {graph.named(best.edges[0][0])}."""
    return ask_flips(graph, best, text)


def ask_flips(graph: Sketch, best: Frustration, text: str) -> Asked:
    """Ask for the fewest edges that balance a graph when turned."""

    rule = {"judge": "flips", "kind": best.kind, "most": best.value}
    return Asked(graph, text, lambda: _optimal_flips(graph, best), rule)


def _optimal_flips(graph: Sketch, best: Frustration) -> Iterator[list[Edge]]:
    """Yield all smallest sets of edges that balance a graph when turned; each set is tried."""
    tried = map(list, combinations(graph.edges, best.value))
    return (edges for edges in tried if balance(graph.turned(edges), best.kind))


def _frustrated(rng: Random, kind: str, n: int, m: int, wanted: int) -> tuple[Sketch, Frustration]:
    """Draw a graph in which `wanted` edges must turn for balance."""
    camps = 2 if kind == "strong" else (1, 3)
    graph = sketch(rng, n, m, camps, wrong=wanted, fits=lambda drawn: frustration(drawn, kind).value == wanted)
    return graph, frustration(graph, kind)


def how_many_flips(rng: Random) -> Asked:
    """Count the edges that must turn."""
    kind, right = rng.choice([("strong", 1), ("strong", 2), ("strong", 3), ("weak", 1), ("weak", 2)])
    graph, best = _frustrated(rng, kind, 6, 11, right)
    cycle = shortest_unbalanced_cycle(graph, kind)
    text = f"""How many edges must turn their sign, at least, so that this graph becomes {SENSES[kind]}?
        - Find unbalanced cycles that have no edge in common: each needs a change of its own.
        - An unbalanced cycle: {graph.path([*cycle, cycle[0]])}.
        - Turn {graph.edge(*best.edges[0])}, and see what is left to do."""
    fault = "That is too few: whichever edges turn, some cycle stays unbalanced. This alone needs a change"
    too_low = Grade(False, f"{fault}: {graph.along(cycle, kind)}.", graph.around(cycle))
    reason = Grade(True, f"Right: for example {graph.listed(best.edges)}.")
    return ask_number(graph, text, right, reason, too_low, Grade(False, "It can be done with fewer."))


def flip_or_delete(rng: Random) -> Asked:
    """Say how many edges, whose deletion balances a graph, must turn when they are put back."""
    connected = False
    while not connected:
        agreed = sketch(rng, 7, 12, 2)
        gone = rng.sample(sorted(agreed.edges), rng.randint(3, 4))
        connected = nx.is_connected(agreed.without(gone))
    misfits = rng.sample(gone, rng.randint(1, len(gone)))
    graph = agreed.turned(misfits)
    marks = graph.marked(gone)
    text = f"""Lena takes the edges {graph.listed(gone)} away: the rest is strongly balanced and connected. Omar wants
        to keep every edge. He puts hers back one by one, and turns a sign only where balance asks for it. How many
        does he turn?
        - The edges that are left say in which camp each node belongs.
        - Edges that fit these camps come back as they were; only the others must turn.
        - The edge {graph.edge(*gone[0])} {"must turn" if gone[0] in misfits else "comes back as it was"}."""

    def reply(answer: int) -> Grade:
        if answer > len(gone):
            raise Wrong("More than were taken away? All other edges fit the camps already.", marks)
        if answer > len(misfits):
            raise Wrong("Fewer: some of these edges fit the camps as they are.", marks)
        if answer < len(misfits):
            raise Wrong("More: each of these edges that does not fit the camps must turn.", marks)
        reason = "So turning never takes more edges than taking away."
        return Grade(True, f"Right: {graph.listed(misfits)}. {reason}", marks)

    return Asked(graph, text, lambda: [len(misfits)], reply=reply)


# -- graphs to draw ----------------------------------------------------------------------------------------


def delete_instead(rng: Random) -> Asked:
    """Delete the fewest edges for balance."""
    kind = rng.choice(["strong", "weak"])
    graph, best = _frustrated(rng, kind, 6, 10, 2)
    text = f"""Take away as few edges as can be, so that this graph becomes {SENSES[kind]}. Which graph is left?
        - Every unbalanced cycle must lose an edge.
        - As many edges must go as would have to turn.
        - Take {graph.edge(*best.edges[0])} away, and see what is left to do."""

    rule = {"judge": "away", "kind": kind, "most": best.value}
    return Asked(graph, text, lambda: (graph.without(edges) for edges in _optimal_flips(graph, best)), rule)


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
    """Choose signs so that there is a given number of triads of each type."""
    example = until(
        lambda: skeleton(rng, 5, (8, 10)).random_signs(rng),
        lambda drawn: census(drawn).astype(bool).sum() > 1,
    )
    counts = census(example)
    asked = ", ".join(f"{counts[kind]} × {kind}" for kind in KINDS)
    text = f"""Give the edges of this graph signs, so that its triads are: {asked}.
        - Every triad counts, and most edges lie in several.
        - Each triad of a type has as many negatives as its name. Which edge lies in one triad, which in three?"""

    return _ask_signs(rng, example, text, {"judge": "census", "counts": counts.tolist()})


def as_far_as_asked(rng: Random) -> Asked:
    """Choose signs so that a given number of edges must turn for two camps."""
    wanted = rng.choice([2, 3])
    example = until(
        lambda: skeleton(rng, 6, (10, 12)).random_signs(rng),
        lambda drawn: frustration(drawn).value == wanted,
    )
    text = f"""Give the edges of this graph signs, so that {wanted} edges must turn for two camps, and no fewer
        suffice.
        - Unbalanced cycles without an edge in common need a change each.
        - A triad with all edges negative is unbalanced for two camps."""

    return _ask_signs(rng, example, text, {"judge": "far", "most": wanted})


def _ask_signs(rng: Random, example: Sketch, text: str, rule: dict[str, Any]) -> Asked:
    """Show a graph with every sign +; the last hint gives away one of the signs of an example."""
    graph = example.turned(example.of_sign(-1))
    given = rng.choice(list(example.edges))

    text += f"\n- It can be done with {example.edge(*given)} {example.word(*given)}."
    return Asked(graph, text, lambda: [example.copy()], rule)
