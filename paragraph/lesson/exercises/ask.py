"""An exercise: a question on a small signed graph, its right answers, and what the Lab judges other answers by."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import networkx as nx

from ...balance.verdict import balance

__all__ = [
    "LETTERS", "PATTERNS", "RULE", "SENSES", "Asked", "Edge", "Exercise", "Grade", "Mark", "Sketch",
    "ask_choice", "skeleton", "sketch", "steps", "symbol", "unbalanced", "until",
]  # fmt: skip

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
        if text is None:
            return str(node)
        line = " ".join(str(text).split())
        return f"“{line}”"

    def path(self, nodes: Iterable[Hashable]) -> str:
        """Return nodes as a person reads them one after another: A–B–C."""
        dash = "–"
        if nx.get_node_attributes(self, "text"):
            dash = " – "
        return dash.join(map(self.named, nodes))

    def edge(self, a: Hashable, b: Hashable) -> str:
        """Return an edge as a person reads it: A–B."""
        return self.path((a, b))

    def along(self, cycle: list[Hashable], kind: str = "strong") -> str:
        """Return a cycle with its signs: A–B–C–A (+ · + · − = −), or for weak balance (+ + −, exactly one −)."""
        signs = [sign for *_, sign in self.around(cycle)]
        symbols = list(map(symbol, signs))
        if kind == "strong":
            product = symbol(math.prod(signs))
            pattern = f"{' · '.join(symbols)} = {product}"
        else:
            pattern = " ".join(symbols)
            if signs.count(-1) == 1:
                pattern += ", exactly one −"
        return f"{self.path([*cycle, cycle[0]])} ({pattern})"

    def word(self, a: Hashable, b: Hashable) -> str:
        """Return the sign of an edge as a word."""
        if self.edges[a, b]["sign"] > 0:
            return "positive"
        return "negative"

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
            data["sign"] = 1
            if rng.random() < 0.5:
                data["sign"] = -1
        return self


def skeleton(rng: Random, n: int, m: Span) -> Sketch:
    """Return a connected graph of n letters and m edges, all positive: a random tree and other random edges."""
    m = _some(rng, m)
    graph = Sketch()
    graph.add_nodes_from(sorted(rng.sample(LETTERS, n)))
    nodes = rng.sample(list(graph), n)
    for i in range(1, n):
        graph.add_edge(nodes[i], rng.choice(nodes[:i]), sign=1)
    free = [pair for pair in combinations(graph, 2) if not graph.has_edge(*pair)]
    graph.add_edges_from(rng.sample(free, m - n + 1), sign=1)
    return graph


def sketch(
    rng: Random,
    n: int,
    m: Span,
    camps: Span,
    wrong: Span = 0,
    fits: Callable[[Sketch], Any] = lambda graph: True,
) -> Sketch:
    """Draw connected graphs of n nodes and m edges, with signs by camps, some of them wrong, until one fits.

    Each camp has at least one node.
    """

    def make() -> Sketch:
        graph = skeleton(rng, n, m)
        number = _some(rng, camps)
        misfits = _some(rng, wrong)
        nodes = rng.sample(list(graph), n)
        camp = {node: i for i, node in enumerate(nodes[:number])}
        for node in nodes[number:]:
            camp[node] = rng.randrange(number)
        between = [(a, b) for a, b in graph.edges if camp[a] != camp[b]]
        graph = graph.turned(between)
        return graph.turned(rng.sample(sorted(graph.edges), misfits))

    return until(make, fits)


def until(make: Callable[[], Any], fits: Callable[[Any], Any]) -> Any:
    """Return the first random draw that fits."""
    while True:
        drawn = make()
        if fits(drawn):
            return drawn


def _some(rng: Random, span: Span) -> int:
    if isinstance(span, int):
        return span
    return rng.randint(*span)


def symbol(sign: int) -> str:
    """Return a sign as text: + or −."""
    if sign > 0:
        return "+"
    return "−"


def steps(cycle: Iterable[Hashable]) -> list[Edge]:
    """Return the edges of a cycle given by its nodes."""
    nodes = list(cycle)
    return list(zip(nodes, nodes[1:] + nodes[:1], strict=True))


SENSES = {
    "strong": "strongly balanced (two camps at most)",
    "weak": "weakly balanced (any number of camps)",
}
#: of unbalanced cycles
PATTERNS = {
    "strong": "an odd number of negative edges",
    "weak": "exactly one negative edge",
}
RULE = "positive edges inside camps, negative edges between them"

BEYOND = 10  # a number so far beyond the right one is replied to as all beyond


class Grade(NamedTuple):
    """A verdict on an answer, and its reason.

    `marks` are the edges that show the message, most often a triad or a cycle, each with the sign that the message
    names: an edge that the answer turns or adds is marked with its new sign.
    """

    correct: bool
    message: str
    marks: tuple[Mark, ...] = ()


class Asked(NamedTuple):
    """A question on one graph, with a reply to each answer, or a rule that judges answers."""

    graph: Sketch
    text: str  #: the question, then hints from vague to nearly telling, each on lines of its own after a hyphen
    solutions: Callable[[], Iterable[Any]]  #: right answers: all, where they can be listed
    rule: Mapping[str, Any] = {}  #: the judge of the Lab by its name, and what it judges by
    reply: Callable[[Any], Grade] | None = None  #: to a choice or number


@dataclass(frozen=True, eq=False, repr=False)
class Exercise:
    """A question on a signed graph. The Lab grades a pupil's answers (`paragraph.lesson.TriadLab`).

    Attributes
    ----------
    number, level, title, question
    kind : str
        How it is answered. "choice": one of `choices`. "number": an integer. "edges": pairs of nodes. "cycle": its
        nodes one after another. "camps": a list of sets of nodes. "draw": a networkx graph on the same nodes.
        "turn": one with the same edges.
    graph : networkx graph
        Edges carry `sign`. Nodes that are sentences carry `text`.
    choices : tuple of str
    hints : tuple of str
        From vague to almost the answer.
    """

    number: int
    level: int
    title: str
    question: str
    kind: str
    graph: nx.Graph
    choices: tuple[str, ...]
    hints: tuple[str, ...]
    asked: Asked  #: holds a graph of its own: what is shown may be scribbled on

    def replies(self) -> dict[Any, Grade]:
        """Return the grade of each choice, or of each number up to one beyond which all grades are the same."""
        answers = self.choices or range(next(self.solutions()) + BEYOND)
        return {answer: self.asked.reply(answer) for answer in answers}

    def solutions(self) -> Iterator[Any]:
        """Return right answers: all if they can be listed, else examples."""
        return iter(self.asked.solutions())

    def __str__(self) -> str:
        text = f"{self.number}. {self.title}\n{self.question}"
        if self.choices:
            text += f"\n({' / '.join(self.choices)})"
        return text

    __repr__ = __str__


# -- for questions --------------------------------------------------------------------------------------------


def ask_choice(
    graph: Sketch, text: str, right: str, reason: str, otherwise: str, marks: tuple[Mark, ...] = ()
) -> Asked:
    """Ask for a choice, and reply with one reason to the right choice and with another to all others."""

    def reply(answer: str) -> Grade:
        if answer == right:
            return Grade(True, reason, marks)
        return Grade(False, otherwise, marks)

    return Asked(graph, text, lambda: [right], reply=reply)


def unbalanced(graph: Sketch, kind: str, fault: str) -> Grade | None:
    """Return the grade of an answer with which a graph has an unbalanced cycle, if it has one."""
    cycle = balance(graph, kind).cycle
    if not cycle:
        return None
    return Grade(False, f"{fault}: {graph.along(cycle, kind)}.", graph.around(cycle))
