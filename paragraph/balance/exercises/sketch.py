"""Small random graphs to ask about, and how a text names their parts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import combinations
from random import Random
from typing import Any

import networkx as nx

__all__ = ["Edge", "Mark", "along", "around", "edge", "joined", "listed", "marked", "named", "random_signs", "ring",
           "skeleton", "sketch", "steps", "symbol", "turned", "until", "without", "word"]  # fmt: skip

Edge = tuple[Hashable, Hashable]
Mark = tuple[Hashable, Hashable, int]  #: an edge and its sign
Span = int | tuple[int, int]  #: a number, or the least and the most that it is drawn from

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"

# -- random graphs -----------------------------------------------------------------------------------------


def skeleton(rng: Random, n: int, m: Span) -> nx.Graph:
    """Return a connected graph of n letters and m edges, all positive: a random tree and other random edges."""
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
    """Return a cycle of n letters in their order, all edges positive."""
    graph = nx.Graph()
    nx.add_cycle(graph, sorted(rng.sample(LETTERS, n)), sign=1)
    return graph


def _signed(rng: Random, graph: nx.Graph, camps: Span, wrong: Span) -> nx.Graph:
    """Return the graph with signs by random camps, each of at least one node; then turn some edges."""
    camps, wrong = _some(rng, camps), _some(rng, wrong)
    nodes = rng.sample(list(graph), len(graph))
    camp = {node: i if i < camps else rng.randrange(camps) for i, node in enumerate(nodes)}
    graph = turned(graph, [(a, b) for a, b in graph.edges if camp[a] != camp[b]])
    return turned(graph, rng.sample(sorted(graph.edges), wrong))


def sketch(
    rng: Random, n: int, m: Span, camps: Span, wrong: Span = 0, fits: Callable[[nx.Graph], Any] = lambda graph: True
) -> nx.Graph:
    """Draw connected graphs of n nodes and m edges, with signs by camps of which some are wrong, until one fits."""
    return until(lambda: _signed(rng, skeleton(rng, n, m), camps, wrong), fits)


def random_signs(rng: Random, graph: nx.Graph) -> nx.Graph:
    """Turn each sign, or not, by a coin."""
    return turned(graph, [pair for pair in list(graph.edges) if rng.random() < 0.5])


def turned(graph: nx.Graph, edges: Iterable[Edge]) -> nx.Graph:
    """Return a copy of the graph with the signs of some edges turned."""
    graph = graph.copy()
    for a, b in edges:
        graph.edges[a, b]["sign"] *= -1
    return graph


def without(graph: nx.Graph, edges: Iterable[Edge]) -> nx.Graph:
    """Return a copy of the graph without some of its edges."""
    graph = graph.copy()
    graph.remove_edges_from(list(edges))
    return graph


def joined(graph: nx.Graph, a: Hashable, b: Hashable, sign: int) -> nx.Graph:
    """Return a copy of the graph with one more edge."""
    graph = graph.copy()
    graph.add_edge(a, b, sign=sign)
    return graph


def until(make: Callable[[], Any], fits: Callable[[Any], Any]) -> Any:
    """Return the first of random things that fits."""
    while not fits(drawn := make()):
        pass
    return drawn


def _some(rng: Random, span: Span) -> int:
    return span if isinstance(span, int) else rng.randint(*span)


# -- names and marks ---------------------------------------------------------------------------------------


def named(graph: nx.Graph, node: Hashable) -> str:
    """Return what a person calls a node: its sentence, else its name."""
    text = graph.nodes[node].get("text")
    return str(node) if text is None else f"“{text}”"


def edge(graph: nx.Graph, a: Hashable, b: Hashable) -> str:
    """Return an edge as a person reads it: A–B."""
    return _dash(graph, a).join((named(graph, a), named(graph, b)))


def listed(graph: nx.Graph, edges: Iterable[Edge]) -> str:
    """Return several edges as a person reads them: A–B, C–D."""
    return ", ".join(edge(graph, a, b) for a, b in edges)


def along(graph: nx.Graph, cycle: list[Hashable]) -> str:
    """Return a cycle with its signs and their product: A–B–C–A (+ · + · − = −)."""
    signs = [graph.edges[step]["sign"] for step in steps(cycle)]
    path = _dash(graph, cycle[0]).join(named(graph, node) for node in [*cycle, cycle[0]])
    return f"{path} ({' · '.join(map(symbol, signs))} = {symbol(-1 if signs.count(-1) % 2 else 1)})"


def _dash(graph: nx.Graph, node: Hashable) -> str:
    return " – " if "text" in graph.nodes[node] else "–"


def symbol(sign: int) -> str:
    """Return a sign as it is written: + or −."""
    return "+" if sign > 0 else "−"


def word(graph: nx.Graph, pair: Edge) -> str:
    """Return the sign of an edge as a word."""
    return "positive" if graph.edges[pair]["sign"] > 0 else "negative"


def steps(cycle: list[Hashable]) -> list[Edge]:
    """Return the edges of a cycle given by its nodes."""
    return list(zip(cycle, cycle[1:] + cycle[:1], strict=True))


def marked(graph: nx.Graph, edges: Iterable[Edge]) -> tuple[Mark, ...]:
    """Return edges with their signs."""
    return tuple((a, b, graph.edges[a, b]["sign"]) for a, b in edges)


def around(graph: nx.Graph, cycle: Iterable[Hashable]) -> tuple[Mark, ...]:
    """Return the edges of a cycle, such as a triad, with their signs."""
    return marked(graph, steps(list(cycle)))
