"""An exercise: a question on a signed graph that reads and grades its own answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from numbers import Real
from reprlib import repr as short
from typing import Any, NamedTuple

import networkx as nx

from ...pairs import PairsError
from ..signed import as_signed
from ..verdict import Balance, balance
from .sketch import Edge, Mark, Sketch, steps

__all__ = ["PATTERNS", "RULE", "SENSES", "Asked", "Exercise", "Grade", "Wrong", "ask_choice", "ask_number",
           "check_balance", "read"]  # fmt: skip

SENSES = {
    "strong": "strongly balanced (two camps at most)",
    "weak": "weakly balanced (any number of camps)",
}
PATTERNS = {"strong": "an odd number of negative edges", "weak": "exactly one negative edge"}  #: of unbalanced cycles
RULE = "positive edges inside camps, negative edges between them"

MOST = 1000  # parts of an answer are read; an endless one ends here
HYPHENS = "-‐‑–—−"  # as keyboards, texts and mathematics write them
BETWEEN_ITEMS = re.compile(r"[\s,;]+")
BETWEEN_NAMES = re.compile(rf"[{HYPHENS}\s,;]+")


class Grade(NamedTuple):
    """A verdict on an answer, and its reason. True if the answer is right.

    `marks` are the edges in which the message can be seen, most often a triad or a cycle, each with the sign that the
    message speaks of: an edge that the answer turns or adds is marked as it would then be.
    """

    correct: bool
    message: str
    marks: tuple[Mark, ...] = ()

    def __bool__(self) -> bool:
        return self.correct


class Wrong(Exception):
    """The reason why an answer is not accepted, and the edges (a, b, sign) in which it can be seen."""

    def __init__(self, why: str, marks: Iterable[Mark] = ()):
        super().__init__(why)
        self.marks = tuple(marks)


class Asked(NamedTuple):
    """A question on one graph, with its judge."""

    graph: Sketch
    text: str  #: the question, then hints from vague to nearly telling, each on lines of its own after a hyphen
    judge: Callable[[Any], Grade]  #: grades an answer that has been read, or raises `Wrong`
    solutions: Callable[[], Iterable[Any]]  #: right answers: all, where they can be listed
    rule: Mapping[
        str, Any
    ] = {}  #: the judge by its name, and what it judges by, for a page; choices and numbers need none


@dataclass(frozen=True, eq=False)
class Exercise:
    """A question on a signed graph that grades its own answers.

    Attributes
    ----------
    number, level, title, question
    kind : str
        How it is answered. "choice": one of `choices`. "number": an integer. "edges": pairs of nodes. "cycle": its
        edges, or its nodes one after the other. "camps": a list of sets of nodes, or a dictionary node → camp.
        "graph": a networkx graph on the same nodes.
    graph : networkx graph
        Edges carry `sign`. Nodes that are sentences carry `text`.
    choices : tuple of str
    hints : tuple of str
        From vague to nearly telling.
    touch : str
        Of kind "graph", what is done to its edges: "draw" them, "turn" their signs, or take them "away". Else "".
    """

    number: int
    level: int
    title: str
    question: str
    kind: str
    graph: nx.Graph = field(repr=False)
    choices: tuple[str, ...]
    hints: tuple[str, ...] = field(repr=False)
    asked: Asked = field(repr=False)  #: holds a graph of its own: what is shown may be scribbled on
    touch: str = ""

    def grade(self, answer: Any) -> Grade:
        """Grade an answer. The message says why it is wrong, never what would be right. No answer is an error."""
        try:
            given = read(self.kind, self.asked.graph, self.choices, answer)
        except Wrong as wrong:
            return Grade(False, str(wrong))
        except Exception as error:  # an answer may be any object, and do anything when it is looked at
            return Grade(False, f"This cannot be read as an answer: {type(error).__name__}.")
        try:
            return self.asked.judge(given)
        except Wrong as wrong:
            return Grade(False, str(wrong), wrong.marks)

    def solutions(self) -> Iterator[Any]:
        """Return right answers: all, where they can be listed; else examples."""
        return iter(self.asked.solutions())

    def __str__(self) -> str:
        choices = f"\n({' / '.join(self.choices)})" if self.choices else ""
        return f"{self.number}. {self.title}\n{self.question}{choices}"

    def _repr_html_(self) -> str:
        title, *text = (escape(line) for line in str(self).split("\n"))
        return f'<div class="tex2jax_ignore mathjax_ignore"><b>{title}</b><br>{"<br>".join(text)}</div>'


# -- for judges --------------------------------------------------------------------------------------------


def ask_choice(
    graph: Sketch, text: str, right: str, reason: str, otherwise: str, marks: tuple[Mark, ...] = ()
) -> Asked:
    """Ask for a choice, and reply with one reason to the right one, with another to all others."""

    def judge(answer: str) -> Grade:
        return Grade(answer == right, reason if answer == right else otherwise, marks)

    return Asked(graph, text, judge, lambda: [right])


def ask_number(graph: Sketch, text: str, right: int, reason: Grade, too_low: Grade, too_high: Grade) -> Asked:
    """Ask for a number; reply to the right one, to all below it and to all above."""

    def judge(answer: int) -> Grade:
        return too_low if answer < right else too_high if answer > right else reason

    return Asked(graph, text, judge, lambda: [right])


def check_balance(graph: Sketch, kind: str, fault: str) -> Balance:
    """Return the verdict on a graph; raise `Wrong` with an unbalanced cycle where it is not balanced."""
    found = balance(graph, kind)
    if not found:
        raise Wrong(f"{fault}: {graph.along(found.cycle)}.", graph.around(found.cycle))
    return found


# -- what is read as an answer -----------------------------------------------------------------------------


def read(kind: str, graph: Sketch, choices: tuple[str, ...], answer: Any) -> Any:
    """Read an answer of a kind (see `Exercise`) on a graph, in any clear spelling; raise `Wrong` where it is none.

    An edge is a pair of nodes in any order, or a word: ``"A-B"`` or ``"AB"``. A cycle is given by its edges, or by
    its nodes one after the other. Camps are a dictionary node → camp, a list of sets, or a text: ``"A B | C"``.

    Returns
    -------
    A choice, a number, a list of edges (each once), a list of nodes along a cycle, a dictionary node → camp, or a
    signed graph on the same nodes.
    """
    if kind == "choice":
        return _choice(choices, answer)
    if kind == "number":
        return _number(answer)
    return {"edges": _edges, "cycle": _cycle, "camps": _camps, "graph": _graph}[kind](graph, answer)


def _choice(choices: tuple[str, ...], answer: Any) -> str:
    if not isinstance(answer, str):
        raise Wrong(f"The answer is one of: {', '.join(choices)}. This is a {type(answer).__name__}.")
    for choice in choices:
        if _plain(choice) == _plain(answer):
            return choice
    raise Wrong(f"{short(answer)} is none of the choices: {', '.join(choices)}.")


def _plain(choice: str) -> str:
    """Return a choice with hyphens for minus signs; the signs of a triad may come in any order."""
    plain = choice.strip().casefold().translate(dict.fromkeys(map(ord, HYPHENS), "-"))
    return "".join(sorted(plain)) if set(plain) <= {"+", "-"} else plain


def _number(answer: Any) -> int:
    if isinstance(answer, str) and re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*", answer):
        return int(answer)
    if isinstance(answer, Real) and not isinstance(answer, bool) and abs(answer) < 10**9 and answer == int(answer):
        return int(answer)
    raise Wrong(f"The answer is a whole number, not {short(answer)}.")


def _edges(graph: Sketch, answer: Any) -> list[Edge]:
    items = _parts(graph, answer, BETWEEN_ITEMS, BETWEEN_NAMES)
    if len(items) == 2 and _are_nodes(graph, items):
        items = [items]  # one edge, not wrapped in a list
    found: dict[frozenset, Edge] = {}
    for item in items:
        ends = _parts(graph, item)
        if len(ends) != 2:
            raise Wrong(f"An edge is a pair of nodes; {short(item)} is not.")
        a, b = (_node(graph, end) for end in ends)
        if not graph.has_edge(a, b):
            raise Wrong(f"{graph.named(a)} and {graph.named(b)} are not joined.")
        found[frozenset((a, b))] = a, b
    return list(found.values())


def _cycle(graph: Sketch, answer: Any) -> list[Hashable]:
    items = _parts(graph, answer, BETWEEN_ITEMS, BETWEEN_NAMES)
    if items and _are_nodes(graph, items):
        nodes = [_node(graph, item) for item in items]
        nodes = nodes[:-1] if len(nodes) > 1 and nodes[0] == nodes[-1] else nodes
        if len(set(nodes)) < len(nodes):
            raise Wrong("A cycle passes through each of its nodes once; one of yours occurs twice.")
    else:
        ring = nx.Graph(_edges(graph, items))
        for node, degree in ring.degree:
            if degree != 2:
                times = "only one edge" if degree == 1 else f"{degree} edges"
                raise Wrong(f"These edges are no single cycle: {graph.named(node)} has {times} of them.")
        nodes = list(nx.dfs_preorder_nodes(ring, next(iter(ring)))) if ring else []
        if len(nodes) < len(ring):
            raise Wrong("These edges are more than one cycle.")
    if len(nodes) < 3:
        raise Wrong("A cycle has at least three edges.")
    for a, b in steps(nodes):
        if not graph.has_edge(a, b):
            raise Wrong(f"{graph.named(a)} and {graph.named(b)} follow each other, but are not joined.")
    return nodes


def _camps(graph: Sketch, answer: Any) -> dict[Hashable, int]:
    if isinstance(answer, Mapping):
        camps: dict[str, list[Any]] = {}
        for node, camp in islice(answer.items(), MOST):
            camps.setdefault(short(camp), []).append(node)
        answer = camps.values()
    elif isinstance(answer, str):
        answer = answer.split("|")
    found: dict[Hashable, int] = {}
    for number, camp in enumerate(_parts(graph, answer)):
        for node in (_node(graph, name) for name in _parts(graph, camp)):
            if node in found:
                raise Wrong(f"{graph.named(node)} is in two camps, or twice in one.")
            found[node] = number
    if missing := [node for node in graph if node not in found]:
        raise Wrong(f"{graph.named(missing[0])} is in no camp.")
    return found


def _graph(graph: Sketch, answer: Any) -> Sketch:
    try:
        drawn = Sketch(as_signed(answer).to_networkx())
    except PairsError as error:
        raise Wrong(f"This is no signed graph: {error}") from None
    if missing := [node for node in graph if node not in drawn]:
        raise Wrong(f"{graph.named(missing[0])} is missing.")
    if more := [node for node in drawn if node not in graph]:
        raise Wrong(f"{short(more[0])} is too much: the nodes are those you were given.")
    return drawn


def _parts(graph: Sketch, answer: Any, *between: re.Pattern) -> list[Any]:
    """Return the parts of a list, or of a text as it is first split in more than one.

    A text that names a node is one part; any other without a separator has one part a letter.
    """
    if not isinstance(answer, str):
        if not isinstance(answer, Iterable):
            raise Wrong(f"{short(answer)} is neither a list nor a set.")
        return list(islice(answer, MOST))
    if _are_nodes(graph, [answer]):
        return [answer]
    for separator in between or [BETWEEN_NAMES]:
        parts = [part for part in separator.split(answer) if part.strip(HYPHENS)]
        if len(parts) > 1:
            return parts
    return parts if _are_nodes(graph, parts) else list(parts[0])


def _are_nodes(graph: Sketch, names: list[Any]) -> bool:
    return all(_find(graph, name) is not None for name in names)


def _node(graph: Sketch, name: Any) -> Hashable:
    node = _find(graph, name)
    if node is None:
        raise Wrong(f"{short(name)} is no node of this graph.")
    return node


def _find(graph: Sketch, name: Any) -> Hashable | None:
    """Return the node of a name, of a number written out, or of a sentence."""
    if name in graph:
        return name
    texts = graph.nodes(data="text") if isinstance(name, str) else ()
    return next((node for node, text in texts if name.strip() in (text, str(node))), None)
