"""An exercise: a question on a signed graph that grades its own answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

import networkx as nx

from ..verdict import Balance, balance
from .answers import Wrong, read
from .sketch import Mark, along, around

__all__ = ["PATTERNS", "RULE", "SENSES", "Asked", "Exercise", "Grade", "check_balance", "right_choice"]

SENSES = {
    "strong": "strongly balanced (two camps at most)",
    "weak": "weakly balanced (any number of camps)",
}
PATTERNS = {"strong": "an odd number of negative edges", "weak": "exactly one negative edge"}  #: of unbalanced cycles
RULE = "positive edges inside camps, negative edges between them"


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


class Asked(NamedTuple):
    """A question on one graph, with its judge."""

    graph: nx.Graph
    question: str
    hints: tuple[str, ...]
    judge: Callable[[Any], Grade]  #: grades an answer that has been read, or raises `Wrong`
    solutions: Callable[[], Iterable[Any]]  #: right answers: all, where they can be listed


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


def right_choice(right: str, reason: str, otherwise: str, marks: tuple[Mark, ...] = ()) -> Callable[[str], Grade]:
    """Return a judge who gives one reason for the right choice, and another against all others."""

    def judge(answer: str) -> Grade:
        if answer != right:
            raise Wrong(otherwise, marks)
        return Grade(True, reason, marks)

    return judge


def check_balance(graph: nx.Graph, kind: str, fault: str) -> Balance:
    """Return the verdict on a graph; raise `Wrong` with an unbalanced cycle where it is not balanced."""
    found = balance(graph, kind)
    if not found:
        raise Wrong(f"{fault}: {along(graph, found.cycle)}.", around(graph, found.cycle))
    return found
