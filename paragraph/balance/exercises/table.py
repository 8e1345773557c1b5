"""The table of all exercises, in rising difficulty."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import index
from random import Random
from typing import Any, NamedTuple

from ...graph import ParaphraseGraph
from ...pairs import PairsError
from ..triangles import KINDS
from . import camps, changes, graphs, sentences, triads
from .ask import Asked, Exercise

__all__ = ["EXERCISES", "check_source", "exercise", "numbered"]


class Row(NamedTuple):
    """An exercise without its graph."""

    level: int
    title: str
    kind: str  #: how it is answered
    build: Callable[..., Asked]  #: takes a random generator and, on real sentences, the reader's graph or None
    choices: tuple[str, ...] = ()
    touch: str = ""  #: of kind "graph": "draw", "turn" or "away"
    real: bool = False  #: is it on real sentences?


SIGNS = ("+", "−", "either")
YES_NO = ("balanced", "not balanced")


def _flips(title: str, kind: str, n: int, m: int, *values: int) -> Row:
    return Row(5, title, "edges", partial(changes.fewest_flips, kind=kind, n=n, m=m, values=values))


def _cycle(camps: str, kind: str) -> Row:
    title = f"An unbalanced cycle, for {camps} camps"
    return Row(4, title, "cycle", partial(changes.an_unbalanced_cycle, kind=kind))


#: Exercise 1 is the first row.
EXERCISES = (
    Row(1, "Name the triad", "choice", triads.name_the_triad, KINDS),
    Row(1, "A triad in words", "choice", triads.in_words, KINDS),
    Row(1, "A triad in a crowd", "choice", triads.in_a_crowd, KINDS),
    Row(1, "Once around", "choice", triads.once_around, SIGNS[:2]),
    Row(2, "Two camps or not", "choice", partial(camps.is_balanced, kind="strong"), YES_NO),
    Row(2, "Camps or not", "choice", partial(camps.is_balanced, kind="weak"), YES_NO),
    Row(2, "The third side", "choice", sentences.third_side, SIGNS, real=True),
    Row(2, "Count the triads", "number", triads.count_triads),
    Row(3, "Find the two camps", "camps", camps.two_camps),
    Row(3, "Find the camps", "camps", camps.any_camps),
    Row(3, "How many camps", "number", camps.how_many_camps),
    Row(3, "Strong, weak or neither", "choice", camps.three_verdicts, camps.VERDICTS),
    Row(3, "The missing sign", "choice", camps.missing_sign, SIGNS),
    _cycle("two", "strong"),
    _cycle("any", "weak"),
    Row(4, "A shortest unbalanced cycle", "cycle", changes.shortest_cycle),
    _flips("One flip", "strong", 6, 9, 1),
    _flips("Fewest flips, for two camps", "strong", 7, 12, 2, 3),
    _flips("Fewest flips, for any camps", "weak", 7, 12, 2),
    Row(5, "How many flips", "number", changes.how_many_flips),
    Row(5, "Take away instead", "graph", graphs.delete_instead, touch="away"),
    Row(5, "Turn or take away", "number", changes.flip_or_delete),
    Row(6, "What turns next", "edges", changes.next_to_turn),
    Row(6, "Which label would you doubt", "edges", sentences.which_to_doubt, real=True),
    Row(6, "Trust the negative", "edges", sentences.trust_the_negative, real=True),
    Row(7, "Weakly, not strongly", "graph", graphs.weakly_only, touch="draw"),
    Row(7, "No triad shows it", "graph", graphs.no_unbalanced_triad, touch="draw"),
    Row(7, "Signs for a census", "graph", graphs.signs_for_a_census, touch="turn"),
    Row(7, "As far as asked", "graph", graphs.as_far_as_asked, touch="turn"),
)


def numbered(number: Any) -> int:
    """Return the number of an exercise; raise `PairsError` where there is none."""
    try:
        place = index(number)
    except TypeError:
        place = 0
    if not 1 <= place <= len(EXERCISES):
        raise PairsError(f"there is no exercise {number!r}; they are numbered from 1 to {len(EXERCISES)}")
    return place


def check_source(graph: Any) -> None:
    """Raise `PairsError` for a source of sentences that is no ParaphraseGraph."""
    if graph is not None and not isinstance(graph, ParaphraseGraph):
        raise PairsError(f"sentences are drawn from a ParaphraseGraph, not from a {type(graph).__name__}")


def exercise(number: int, seed: int = 0, graph: ParaphraseGraph | None = None) -> Exercise:
    """Return an exercise on a graph of its own. Another seed gives one of the same kind on another graph.

    Parameters
    ----------
    number : int
        From 1 to the length of `EXERCISES`.
    seed : int
    graph : ParaphraseGraph, optional
        Where real sentences are drawn from. Default: the corpus that ships, which also stands in where the graph has
        nothing fitting.

    Examples
    --------
    >>> one = exercise(17, seed=3)
    >>> one.title, one.kind
    ('One flip', 'edges')
    >>> one.grade(next(one.solutions())).correct
    True
    >>> one.grade([]).message
    'As it is, one cycle is unbalanced: K–U–Z–K (− · − · − = −).'
    """
    place = numbered(number)
    check_source(graph)
    row = EXERCISES[place - 1]
    rng = Random(f"{place} {seed}")
    asked = row.build(rng, graph) if row.real else row.build(rng)
    shown = asked.graph.copy()
    return Exercise(
        place, row.level, row.title, asked.question, row.kind, shown, row.choices, asked.hints, asked, row.touch
    )
