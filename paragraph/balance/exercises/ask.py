"""An exercise: a question on a signed graph, its right answers, and the rules for judging other answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

import networkx as nx

from ..verdict import balance
from .sketch import Mark, Sketch

__all__ = ["PATTERNS", "RULE", "SENSES", "Asked", "Exercise", "Grade", "Wrong", "ask_choice", "ask_number",
           "check_balance"]  # fmt: skip

SENSES = {
    "strong": "strongly balanced (two camps at most)",
    "weak": "weakly balanced (any number of camps)",
}
PATTERNS = {"strong": "an odd number of negative edges", "weak": "exactly one negative edge"}  #: of unbalanced cycles
RULE = "positive edges inside camps, negative edges between them"

BEYOND = 10  # a number so far beyond the right one is replied to as all beyond


class Grade(NamedTuple):
    """A verdict on an answer, and its reason. True if the answer is right.

    `marks` are the edges that show the message, most often a triad or a cycle, each with the sign that the message
    names: an edge that the answer turns or adds is marked with its new sign.
    """

    correct: bool
    message: str
    marks: tuple[Mark, ...] = ()

    def __bool__(self) -> bool:
        return self.correct


class Wrong(Exception):
    """The reason why an answer is not accepted, and the edges (a, b, sign) that show it."""

    def __init__(self, why: str, marks: Iterable[Mark] = ()):
        super().__init__(why)
        self.marks = tuple(marks)


class Asked(NamedTuple):
    """A question on one graph, with a reply to each answer, or a rule that judges answers."""

    graph: Sketch
    text: str  #: the question, then hints from vague to nearly telling, each on lines of its own after a hyphen
    solutions: Callable[[], Iterable[Any]]  #: right answers: all, where they can be listed
    rule: Mapping[str, Any] = {}  #: the judge of the Lab by its name, and what it judges by
    reply: Callable[[Any], Grade] | None = None  #: to a choice or number: a grade, or raises `Wrong`


@dataclass(frozen=True, eq=False)
class Exercise:
    """A question on a signed graph. The Lab grades a pupil's answers (`paragraph.widgets.TriadLab`).

    Attributes
    ----------
    number, level, title, question
    kind : str
        How it is answered. "choice": one of `choices`. "number": an integer. "edges": pairs of nodes. "cycle": its
        nodes one after another. "camps": a list of sets of nodes. "graph": a networkx graph on the same nodes.
    graph : networkx graph
        Edges carry `sign`. Nodes that are sentences carry `text`.
    choices : tuple of str
    hints : tuple of str
        From vague to almost the answer.
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

    def replies(self) -> dict[Any, Grade]:
        """Return the grade of each choice, or of each number up to one beyond which all grades are the same."""
        answers = self.choices or range(next(self.solutions()) + BEYOND)
        return {answer: self._reply(answer) for answer in answers}

    def _reply(self, answer: Any) -> Grade:
        try:
            return self.asked.reply(answer)
        except Wrong as wrong:
            return Grade(False, str(wrong), wrong.marks)

    def solutions(self) -> Iterator[Any]:
        """Return right answers: all if they can be listed, else examples."""
        return iter(self.asked.solutions())

    def __str__(self) -> str:
        choices = f"\n({' / '.join(self.choices)})" if self.choices else ""
        return f"{self.number}. {self.title}\n{self.question}{choices}"

    def _repr_html_(self) -> str:
        title, *text = (escape(line) for line in str(self).split("\n"))
        return f'<div class="tex2jax_ignore mathjax_ignore"><b>{title}</b><br>{"<br>".join(text)}</div>'


# -- for questions --------------------------------------------------------------------------------------------


def ask_choice(
    graph: Sketch, text: str, right: str, reason: str, otherwise: str, marks: tuple[Mark, ...] = ()
) -> Asked:
    """Ask for a choice, and reply with one reason to the right choice and with another to all others."""

    def reply(answer: str) -> Grade:
        return Grade(answer == right, reason if answer == right else otherwise, marks)

    return Asked(graph, text, lambda: [right], reply=reply)


def ask_number(graph: Sketch, text: str, right: int, reason: Grade, too_low: Grade, too_high: Grade) -> Asked:
    """Ask for a number; reply to the right one, to all below it and to all above."""

    def reply(answer: int) -> Grade:
        return too_low if answer < right else too_high if answer > right else reason

    return Asked(graph, text, lambda: [right], reply=reply)


def check_balance(graph: Sketch, kind: str, fault: str) -> None:
    """Raise `Wrong` with an unbalanced cycle where a graph is not balanced."""
    cycle = balance(graph, kind).cycle
    if cycle:
        raise Wrong(f"{fault}: {graph.along(cycle, kind)}.", graph.around(cycle))
