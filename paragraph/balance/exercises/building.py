"""Exercises whose answer is a graph: one with given properties is to be drawn, or signs are to be found."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from ..frustration_index import frustration
from ..triangles import KINDS, census, triads
from ..verdict import balance
from .answers import Wrong
from .exercise import Draft
from .sketch import along, edge, signed, skeleton, turned, until
from .verdicts import SENSES

if TYPE_CHECKING:
    import networkx as nx

    from ...graph import ParaphraseGraph

__all__ = ["as_far_as_asked", "no_guilty_triad", "signs_for_a_census", "weakly_only"]


def weakly_only(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Draw a graph that is weakly but not strongly balanced."""
    n = rng.choice([5, 6])
    m = rng.randint(n + 1, n + 3)
    example = until(
        lambda: signed(rng, skeleton(rng, n, m), rng.choice([3, 4])),
        lambda made: balance(made, "weak") and not balance(made, "strong"),
    )
    friends = sum(sign > 0 for *_, sign in example.edges(data="sign"))
    hints = (
        "Begin with the smallest: which triad is fine for many camps, but not for two?",
        "Add nodes so that no cycle has a single negative edge.",
        "Deal the nodes out in three camps or more. Join them by negative edges; inside a camp edges are positive.",
    )

    def judge(drawn: nx.Graph) -> str:
        _counts(drawn, m)
        found = sum(sign > 0 for *_, sign in drawn.edges(data="sign"))
        if found != friends:
            raise Wrong(f"{friends} positive edges are asked for, this has {found}.")
        strong, weak = balance(drawn, "strong"), balance(drawn, "weak")
        if strong:
            raise Wrong("It is strongly balanced: two camps will do.")
        if not weak:
            raise Wrong(f"It is not weakly balanced either: {along(drawn, weak.cycle)}.")
        return f"Right: {weak}, but {along(drawn, strong.cycle)}."

    question = (
        f"Draw a graph on these nodes that is weakly, but not strongly balanced. It hangs together, and has {m} "
        f"edges, {friends} of them positive."
    )
    return Draft(question, _bare(example), judge, lambda: iter([example.copy()]), hints)


def no_guilty_triad(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Draw a graph that is not balanced although each of its triads is."""
    kind, n = rng.choice(["strong", "weak"]), rng.choice([6, 7])
    m = rng.randint(n + 1, n + 2)

    def fits(made: nx.Graph) -> bool:
        return not balance(made, kind) and census(made).sum() > 0 and not census(made)[guilty].any()

    guilty = ["++-", "---"] if kind == "strong" else ["++-"]
    example = until(lambda: signed(rng, skeleton(rng, n, m), rng.randint(1, 3), wrong=1), fits)
    hints = (
        "Some cycle must be guilty, and it must not be a triad.",
        "Draw a guilty cycle of four, without its diagonals.",
        "Then add the other nodes, so that a triad appears that is fine, and the cycle still has no short cut.",
    )

    def judge(drawn: nx.Graph) -> str:
        _counts(drawn, m)
        counts = census(drawn)
        if not counts.sum():
            raise Wrong("It has no triad; at least one is asked for.")
        for name in guilty:
            if counts[name]:
                three = list(next(triads(drawn, name)).nodes)
                raise Wrong(f"One triad is guilty already: {along(drawn, three)}.")
        found = balance(drawn, kind)
        if found:
            raise Wrong(f"It is {found}: no cycle is guilty.")
        return f"Right: {along(drawn, found.cycle)}."

    question = (
        f"Draw a graph on these nodes that is not {SENSES[kind]}, although none of its triads shows it: {m} edges, "
        "all hanging together, with at least one triad, but none that is guilty."
    )
    return Draft(question, _bare(example), judge, lambda: iter([example.copy()]), hints)


def signs_for_a_census(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Give edges signs so that the triads are as asked for."""
    example = until(
        lambda: _random_signs(rng, skeleton(rng, 5, rng.choice([8, 9, 10]))),
        lambda made: census(made).astype(bool).sum() > 1,
    )
    graph = _all_positive(example)
    wanted = census(example)
    a, b, sign = rng.choice(list(example.edges(data="sign")))
    hints = (
        "Every triad counts, and most edges lie in several.",
        "Each triad of a type has as many negatives as its name. Which edge lies in one triad, which in three?",
        f"It can be done with {edge(graph, a, b)} {'positive' if sign > 0 else 'negative'}.",
    )

    def judge(drawn: nx.Graph) -> str:
        _same_edges(graph, drawn)
        found = census(drawn)
        for kind in KINDS:
            if found[kind] != wanted[kind]:
                raise Wrong(f"Type {kind}: {wanted[kind]} asked for, this has {found[kind]}.")
        return "Right."

    asked = ", ".join(f"{wanted[kind]} × {kind}" for kind in KINDS)
    question = f"Give the edges of this graph signs, so that its triads are: {asked}."
    return Draft(question, graph, judge, lambda: iter([example.copy()]), hints)


def as_far_as_asked(rng: Random, source: ParaphraseGraph | None) -> Draft:
    """Give edges signs so that the strong frustration is as asked for."""
    wanted = rng.choice([2, 3])
    example = until(
        lambda: _random_signs(rng, skeleton(rng, 6, rng.choice([10, 11, 12]))),
        lambda made: frustration(made).value == wanted,
    )
    graph = _all_positive(example)
    a, b, sign = rng.choice(list(example.edges(data="sign")))
    hints = (
        "Guilty cycles without an edge in common need a change each.",
        "A triad with all edges negative is guilty for two camps.",
        f"It can be done with {edge(graph, a, b)} {'positive' if sign > 0 else 'negative'}.",
    )

    def judge(drawn: nx.Graph) -> str:
        _same_edges(graph, drawn)
        found = frustration(drawn)
        if found.value > wanted:
            raise Wrong(f"This is too far from two camps: turning {wanted} edges does not balance it.")
        if found.value < wanted:
            raise Wrong(f"This is too near to two camps: fewer than {wanted} edges need to turn.")
        return f"Right: {found}."

    question = (
        f"Give the edges of this graph signs, so that for two camps {wanted} edges must turn, and no fewer will do."
    )
    return Draft(question, graph, judge, lambda: iter([example.copy()]), hints)


def _random_signs(rng: Random, graph: nx.Graph) -> nx.Graph:
    return turned(graph, [pair for pair in list(graph.edges) if rng.random() < 0.5])


def _all_positive(graph: nx.Graph) -> nx.Graph:
    return turned(graph, [(a, b) for a, b, sign in graph.edges(data="sign") if sign < 0])


def _bare(graph: nx.Graph) -> nx.Graph:
    bare = graph.copy()
    bare.remove_edges_from(graph.edges)
    return bare


def _counts(drawn: nx.Graph, m: int) -> None:
    import networkx as nx

    if len(drawn.edges) != m:
        raise Wrong(f"{m} edges are asked for, this has {len(drawn.edges)}.")
    if not nx.is_connected(drawn):
        raise Wrong("It does not hang together: some node cannot be reached from another.")


def _same_edges(graph: nx.Graph, drawn: nx.Graph) -> None:
    for a, b in graph.edges:
        if not drawn.has_edge(a, b):
            raise Wrong(f"{edge(graph, a, b)} is missing: the edges stay, signs alone are yours to choose.")
    for a, b in drawn.edges:
        if not graph.has_edge(a, b):
            raise Wrong(f"{edge(graph, a, b)} is new: the edges stay, signs alone are yours to choose.")
