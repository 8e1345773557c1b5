"""The table of all exercises, in rising difficulty."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from ...pairs import PairsError
from . import building, changes, cycles, naming, sentences, verdicts
from .exercise import Draft, Exercise

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph

__all__ = ["EXERCISES", "exercise"]


class Row(NamedTuple):
    level: int
    title: str
    kind: str
    make: Callable[[Random, ParaphraseGraph | None], Draft]


#: Level, title, how it is answered, and the generator. Exercise 1 is the first row.
EXERCISES = (
    Row(1, "Name the triad", "choice", naming.name_the_triad),
    Row(1, "A triad in words", "choice", naming.in_words),
    Row(1, "A triad in a crowd", "choice", naming.in_a_crowd),
    Row(1, "Once around", "choice", naming.once_around),
    Row(2, "Two camps or not", "choice", verdicts.strong_verdict),
    Row(2, "Camps or not", "choice", verdicts.weak_verdict),
    Row(2, "The third side", "choice", sentences.third_side),
    Row(2, "Count the triads", "number", naming.count_triads),
    Row(3, "Find the two camps", "camps", verdicts.two_camps),
    Row(3, "Find the camps", "camps", verdicts.any_camps),
    Row(3, "How many camps", "number", verdicts.how_many_camps),
    Row(3, "Strong, weak or neither", "choice", verdicts.three_verdicts),
    Row(3, "The missing sign", "choice", verdicts.missing_sign),
    Row(4, "A guilty cycle, for two camps", "cycle", cycles.guilty_strong),
    Row(4, "A guilty cycle, for any camps", "cycle", cycles.guilty_weak),
    Row(4, "A shortest guilty cycle", "cycle", cycles.shortest_cycle),
    Row(5, "One flip", "edges", changes.one_flip),
    Row(5, "Fewest flips, for two camps", "edges", changes.fewest_strong),
    Row(5, "Fewest flips, for any camps", "edges", changes.fewest_weak),
    Row(5, "How many flips", "number", changes.how_many_flips),
    Row(5, "Take away instead", "graph", changes.delete_instead),
    Row(5, "Turn or take away", "number", changes.flip_or_delete),
    Row(6, "What turns next", "edges", changes.next_to_turn),
    Row(6, "Which label would you doubt", "edges", sentences.which_to_doubt),
    Row(6, "Trust the negative", "edges", sentences.trust_the_negative),
    Row(7, "Weakly, not strongly", "graph", building.weakly_only),
    Row(7, "No triad shows it", "graph", building.no_guilty_triad),
    Row(7, "Signs for a census", "graph", building.signs_for_a_census),
    Row(7, "As far as asked", "graph", building.as_far_as_asked),
)


def exercise(number: int, seed: int = 0, graph: ParaphraseGraph | None = None) -> Exercise:
    """An exercise on a graph of its own: the same seed gives the same one, another seed one of the same kind.

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
    'As it is, one cycle is guilty: K–U–F–J–Z–K (− · − · − · − · − = −).'
    """
    try:
        place = index(number)
    except TypeError:
        place = 0
    if not 1 <= place <= len(EXERCISES):
        raise PairsError(f"there is no exercise {number!r}; they are numbered from 1 to {len(EXERCISES)}")
    row = EXERCISES[place - 1]
    draft = row.make(Random(f"{place} {seed}"), graph)
    return Exercise(
        place,
        row.level,
        row.title,
        draft.question,
        row.kind,
        draft.graph.copy(),
        draft.choices,
        draft.hints,
        draft=draft,
    )
