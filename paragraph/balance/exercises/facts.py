"""What the texts and the judge of an exercise name: the facts that its builder found."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from .answers import Edge
from .sketch import edge

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["RULE", "SENSES", "UNBALANCED", "VERDICTS", "known", "made", "word"]

SENSES = {
    "strong": "strongly balanced (two camps at most)",
    "weak": "weakly balanced (any number of camps)",
}
UNBALANCED = {"strong": "an odd number of negative edges", "weak": "exactly one negative edge"}
RULE = "positive edges inside camps, negative edges between them"
VERDICTS = ("strongly balanced", "only weakly balanced", "not balanced")


def made(
    graph: nx.Graph,
    right: Any = None,
    answers: Callable[[], Any] | None = None,
    kind: str | None = None,
    **facts: Any,
) -> SimpleNamespace:
    """A graph, the right answer or a function that lists right ones, the kind of balance, and other facts."""
    texts = {} if kind is None else {"kind": kind, "sense": SENSES[kind], "pattern": UNBALANCED[kind]}
    return SimpleNamespace(graph=graph, right=right, answers=answers, **texts, **facts)


def known(graph: nx.Graph, pair: Edge) -> dict[str, str]:
    """An edge that a hint gives away, and its sign."""
    return {"known": edge(graph, *pair), "sign": word(graph.edges[pair]["sign"])}


def word(sign: int) -> str:
    return "positive" if sign > 0 else "negative"
