"""Small random graphs to ask about, and the names of their parts in a text."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import combinations
from random import Random
from typing import Any

import networkx as nx

__all__ = ["LETTERS", "Edge", "Mark", "Sketch", "skeleton", "sketch", "steps", "symbol", "until"]

Edge = tuple[Hashable, Hashable]
Mark = tuple[Hashable, Hashable, int]  #: an edge and its sign
Span = int | tuple[int, int]  #: a number, or the least and the most that it is drawn from

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


class Sketch(nx.Graph):
    """A small signed graph for a question: its parts as a person reads them, and copies with a change.

    Nodes that are sentences carry `text`.
    """

    def named(self, node: Hashable) -> str:
        """Return the name of a node for a person: its sentence in one line, else its name."""
        text = self.nodes[node].get("text")
        return str(node) if text is None else f"“{' '.join(str(text).split())}”"

    def path(self, nodes: Iterable[Hashable]) -> str:
        """Return nodes as a person reads them one after another: A–B–C."""
        return (" – " if nx.get_node_attributes(self, "text") else "–").join(map(self.named, nodes))

    def edge(self, a: Hashable, b: Hashable) -> str:
        """Return an edge as a person reads it: A–B."""
        return self.path((a, b))

    def listed(self, edges: Iterable[Edge]) -> str:
        """Return several edges as a person reads them: A–B, C–D."""
        return ", ".join(self.edge(a, b) for a, b in edges)

    def along(self, cycle: list[Hashable], kind: str = "strong") -> str:
        """Return a cycle with its signs: A–B–C–A (+ · + · − = −), or for weak balance (+ + −, exactly one −)."""
        signs = [sign for *_, sign in self.around(cycle)]
        if kind == "weak":
            told = " ".join(map(symbol, signs)) + ", exactly one −" * (signs.count(-1) == 1)
        else:
            told = f"{' · '.join(map(symbol, signs))} = {symbol(-1 if signs.count(-1) % 2 else 1)}"
        return f"{self.path([*cycle, cycle[0]])} ({told})"

    def word(self, a: Hashable, b: Hashable) -> str:
        """Return the sign of an edge as a word."""
        return "positive" if self.edges[a, b]["sign"] > 0 else "negative"

    def marked(self, edges: Iterable[Edge]) -> tuple[Mark, ...]:
        """Return edges with their signs."""
        return tuple((a, b, self.edges[a, b]["sign"]) for a, b in edges)

    def around(self, cycle: Iterable[Hashable]) -> tuple[Mark, ...]:
        """Return the edges of a cycle, such as a triad, with their signs."""
        return self.marked(steps(cycle))

    def of_sign(self, sign: int) -> list[Edge]:
        """Return the edges of a sign."""
        return [(a, b) for a, b, one in self.edges(data="sign") if one == sign]

    def clusters(self) -> list[set[Hashable]]:
        """Return the groups of nodes that positive edges connect, in the order of their first nodes."""
        return list(nx.connected_components(self.without(self.of_sign(-1))))

    def turned(self, edges: Iterable[Edge]) -> Sketch:
        """Return a copy with the signs of some edges turned."""
        graph = self.copy()
        for a, b in edges:
            graph.edges[a, b]["sign"] *= -1
        return graph

    def without(self, edges: Iterable[Edge]) -> Sketch:
        """Return a copy without some of its edges."""
        graph = self.copy()
        graph.remove_edges_from(list(edges))
        return graph

    def with_edge(self, a: Hashable, b: Hashable, sign: int) -> Sketch:
        """Return a copy with one more edge."""
        graph = self.copy()
        graph.add_edge(a, b, sign=sign)
        return graph

    def random_signs(self, rng: Random) -> Sketch:
        """Give each edge a random sign; return the graph."""
        for *_, data in self.edges(data=True):
            data["sign"] = -1 if rng.random() < 0.5 else 1
        return self


def skeleton(rng: Random, n: int, m: Span) -> Sketch:
    """Return a connected graph of n letters and m edges, all positive: a random tree and other random edges."""
    m = _some(rng, m)
    graph = Sketch()
    graph.add_nodes_from(sorted(rng.sample(LETTERS, n)))
    nodes = rng.sample(list(graph), n)
    tree = [(node, rng.choice(nodes[:i])) for i, node in enumerate(nodes) if i]
    graph.add_edges_from(tree, sign=1)
    free = [pair for pair in combinations(graph, 2) if not graph.has_edge(*pair)]
    graph.add_edges_from(rng.sample(free, m - len(tree)), sign=1)
    return graph


def sketch(
    rng: Random, n: int, m: Span, camps: Span, wrong: Span = 0, fits: Callable[[Sketch], Any] = lambda graph: True
) -> Sketch:
    """Draw connected graphs of n nodes and m edges, with signs by camps, some of them wrong, until one fits.

    Each camp has at least one node.
    """

    def make() -> Sketch:
        graph = skeleton(rng, n, m)
        number, misfits = _some(rng, camps), _some(rng, wrong)
        nodes = rng.sample(list(graph), n)
        camp = {node: i if i < number else rng.randrange(number) for i, node in enumerate(nodes)}
        graph = graph.turned((a, b) for a, b in graph.edges if camp[a] != camp[b])
        return graph.turned(rng.sample(sorted(graph.edges), misfits))

    return until(make, fits)


def until(make: Callable[[], Any], fits: Callable[[Any], Any]) -> Any:
    """Return the first random draw that fits."""
    while not fits(drawn := make()):
        pass
    return drawn


def _some(rng: Random, span: Span) -> int:
    return span if isinstance(span, int) else rng.randint(*span)


def symbol(sign: int) -> str:
    """Return a sign as text: + or −."""
    return "+" if sign > 0 else "−"


def steps(cycle: Iterable[Hashable]) -> list[Edge]:
    """Return the edges of a cycle given by its nodes."""
    nodes = list(cycle)
    return list(zip(nodes, nodes[1:] + nodes[:1], strict=True))
