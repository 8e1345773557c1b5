"""Small graphs to ask about, drawn at random, and how a text names what is in them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import combinations
from random import Random
from types import SimpleNamespace
from typing import Any

import networkx as nx

from .answers import Edge, Mark, named, steps

__all__ = ["RULE", "SENSES", "UNBALANCED", "VERDICTS", "along", "around", "edge", "joined", "known", "listed", "made",
           "marked", "random_signs", "ring", "signed", "skeleton", "sketch", "turned", "until", "without",
           "word"]  # fmt: skip

SENSES = {
    "strong": "strongly balanced (two camps at most)",
    "weak": "weakly balanced (any number of camps)",
}
UNBALANCED = {"strong": "an odd number of negative edges", "weak": "exactly one negative edge"}
RULE = "positive edges inside camps, negative edges between them"
VERDICTS = ("strongly balanced", "only weakly balanced", "not balanced")
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"

Span = int | tuple[int, int]  #: a number, or the least and the most that it is drawn from


def skeleton(rng: Random, n: int, m: Span) -> nx.Graph:
    """A connected graph of n letters and m edges: a random tree and other random edges. Every sign is +."""
    m = _some(rng, m)
    graph = nx.Graph()
    graph.add_nodes_from(sorted(rng.sample(LETTERS, n)))
    nodes = rng.sample(list(graph), n)
    tree = [(node, rng.choice(nodes[:i])) for i, node in enumerate(nodes) if i]
    graph.add_edges_from(tree, sign=1)
    free = [pair for pair in combinations(graph, 2) if not graph.has_edge(*pair)]
    graph.add_edges_from(rng.sample(free, m - len(tree)), sign=1)
    return graph


def ring(rng: Random, n: int) -> nx.Graph:
    """A cycle of n letters, in their order. Every sign is +."""
    graph = nx.Graph()
    nx.add_cycle(graph, sorted(rng.sample(LETTERS, n)), sign=1)
    return graph


def signed(rng: Random, graph: nx.Graph, camps: Span, wrong: Span = 0) -> nx.Graph:
    """The graph with signs by camps, dealt at random, each of at least one node; some edges then turned."""
    camps, wrong = _some(rng, camps), _some(rng, wrong)
    nodes = rng.sample(list(graph), len(graph))
    camp = {node: i if i < camps else rng.randrange(camps) for i, node in enumerate(nodes)}
    graph = turned(graph, [(a, b) for a, b in graph.edges if camp[a] != camp[b]])
    return turned(graph, rng.sample(sorted(graph.edges), wrong))


def sketch(
    rng: Random, n: int, m: Span, camps: Span, wrong: Span = 0, fits: Callable[[nx.Graph], Any] = lambda graph: True
) -> nx.Graph:
    """The first connected graph of n nodes and m edges that fits, with signs by camps of which some are wrong."""
    return until(lambda: signed(rng, skeleton(rng, n, m), camps, wrong), fits)


def random_signs(rng: Random, graph: nx.Graph) -> nx.Graph:
    """Every sign turned, or not, by a coin."""
    return turned(graph, [pair for pair in list(graph.edges) if rng.random() < 0.5])


def turned(graph: nx.Graph, edges: Iterable[Edge]) -> nx.Graph:
    """A copy of the graph with the signs of some edges turned."""
    graph = graph.copy()
    for a, b in edges:
        graph.edges[a, b]["sign"] *= -1
    return graph


def without(graph: nx.Graph, edges: Iterable[Edge]) -> nx.Graph:
    """A copy of the graph without some of its edges."""
    graph = graph.copy()
    graph.remove_edges_from(list(edges))
    return graph


def joined(graph: nx.Graph, a: Hashable, b: Hashable, sign: int) -> nx.Graph:
    """A copy of the graph with one edge more."""
    graph = graph.copy()
    graph.add_edge(a, b, sign=sign)
    return graph


def until(make: Callable[[], Any], fits: Callable[[Any], Any]) -> Any:
    """The first of random things that fits."""
    while not fits(made := make()):
        pass
    return made


def edge(graph: nx.Graph, a: Hashable, b: Hashable) -> str:
    """An edge as a person reads it: A–B."""
    between = " – " if "text" in graph.nodes[a] else "–"
    return between.join((named(graph, a), named(graph, b)))


def listed(graph: nx.Graph, edges: Iterable[Edge]) -> str:
    return ", ".join(edge(graph, a, b) for a, b in edges)


def along(graph: nx.Graph, cycle: list[Hashable]) -> str:
    """A cycle with its signs and their product: A–B–C–A: + · + · − = −."""
    signs = [graph.edges[step]["sign"] for step in steps(cycle)]
    between = " – " if "text" in graph.nodes[cycle[0]] else "–"
    path = between.join(named(graph, node) for node in [*cycle, cycle[0]])
    product = "−" if signs.count(-1) % 2 else "+"
    return f"{path} ({' · '.join('+' if sign > 0 else '−' for sign in signs)} = {product})"


def marked(graph: nx.Graph, edges: Iterable[Edge]) -> tuple[Mark, ...]:
    """Edges with their signs."""
    return tuple((a, b, graph.edges[a, b]["sign"]) for a, b in edges)


def around(graph: nx.Graph, cycle: Iterable[Hashable]) -> tuple[Mark, ...]:
    """The edges of a cycle with their signs; a triad is one too."""
    return marked(graph, steps(list(cycle)))


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


def _some(rng: Random, span: Span) -> int:
    return span if isinstance(span, int) else rng.randint(*span)
