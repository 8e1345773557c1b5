"""An exercise: a question on a signed graph that grades its own answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from types import SimpleNamespace
from typing import Any, NamedTuple

import networkx as nx

from .answers import READERS, Mark, Wrong

__all__ = ["Exercise", "Grade"]


class Grade(NamedTuple):
    """Is an answer right, and why (not)? True where it is.

    `marks` are the edges in which the message can be seen, most often a triad or a cycle, each with the sign that the
    message speaks of: an edge that the answer turns or adds is marked as it would then be.
    """

    correct: bool
    message: str
    marks: tuple[Mark, ...] = ()

    def __bool__(self) -> bool:
        return self.correct


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
        What is shown: edges carry `sign`; where nodes are sentences, they carry `text`.
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
    made: SimpleNamespace = field(repr=False)  #: holds a graph of its own: what is shown may be scribbled on
    judge: Callable[[SimpleNamespace, Any], Grade] = field(repr=False)
    touch: str = ""

    def grade(self, answer: Any) -> Grade:
        """Is the answer right? The message says why it is not, and never what would be. No answer is an error."""
        try:
            read = READERS[self.kind](self.made.graph, self.choices, answer)
        except Wrong as wrong:
            return Grade(False, str(wrong))
        except Exception as error:  # an answer may be any object, and do anything when it is looked at
            return Grade(False, f"This cannot be read as an answer: {type(error).__name__}.")
        try:
            return self.judge(self.made, read)
        except Wrong as wrong:
            return Grade(False, str(wrong), wrong.marks)

    def solutions(self) -> Iterator[Any]:
        """Answers that are right: all, where they can be listed; else examples."""
        return iter([self.made.right] if self.kind in ("choice", "number") else self.made.answers())

    def __str__(self) -> str:
        choices = f"\n({' / '.join(self.choices)})" if self.choices else ""
        return f"{self.number}. {self.title}\n{self.question}{choices}"

    def _repr_html_(self) -> str:
        title, *text = (escape(line) for line in str(self).split("\n"))
        return f'<div class="tex2jax_ignore mathjax_ignore"><b>{title}</b><br>{"<br>".join(text)}</div>'
