"""Answers to exercises in one line of text, as on paper and in the votes of a class."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import networkx as nx

from .ask import Edge, Exercise, steps, symbol

__all__ = ["names_on_paper", "pair_text", "written_answer"]


def names_on_paper(one: Exercise) -> dict[Hashable, str]:
    """Return the names of the nodes of an exercise: sentences go by their numbers."""
    names = {}
    for number, (node, text) in enumerate(one.graph.nodes(data="text"), 1):
        name = number
        if text is None:
            name = node
        names[node] = str(name)
    return names


def pair_text(names: Mapping[Hashable, str], pair: Edge) -> str:
    """Return a pair of nodes as text."""
    return "–".join(sorted(names[node] for node in pair))


def written_answer(one: Exercise, answer: Any) -> str:
    """Return an answer, in the form of `Exercise.solutions`, as one line: camps, edges, or signs of edges.

    The same answer is always written in the same way.
    """
    names = names_on_paper(one)

    def pairs(edges: Iterable[Edge]) -> str:
        return ", ".join(sorted(pair_text(names, edge) for edge in edges))

    if one.kind == "camps":
        camps = [" ".join(sorted(names[node] for node in camp)) for camp in answer if camp]
        return " | ".join(sorted(camps))
    if isinstance(answer, nx.Graph):
        signs = [
            symbol(sign) + pair_text(names, (a, b)) for a, b, sign in answer.edges(data="sign")
        ]
        return ", ".join(sorted(signs))
    if one.kind == "cycle":
        return pairs(steps(answer))
    if one.kind == "edges":
        return pairs(answer)
    return str(answer)
