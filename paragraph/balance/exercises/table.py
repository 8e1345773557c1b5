"""The table of all exercises, in rising difficulty."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import index
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

from ...graph import ParaphraseGraph
from ...pairs import PairsError
from ..triangles import KINDS
from . import changes, judges, sentences, verdicts
from .grading import Exercise, Grade
from .sketch import RULE, VERDICTS

__all__ = ["EXERCISES", "exercise", "numbered"]


class Row(NamedTuple):
    """An exercise without its graph. Facts that its builder finds fill the ``{places}`` in the question and hints."""

    level: int
    title: str
    kind: str  #: how it is answered
    build: Callable[[Random, ParaphraseGraph | None], SimpleNamespace]
    ask: str
    judge: Callable[[SimpleNamespace, Any], Grade]
    hints: tuple[str, ...]
    choices: tuple[str, ...] = ()
    touch: str = ""  #: of kind "graph": "draw", "turn" or "away"


SIGNS = ("+", "−", "either")
YES_NO = ("balanced", "not balanced")

#: Exercise 1 is the first row.
EXERCISES = (
    Row(1, "Name the triad", "choice", verdicts.name_the_triad,
        "Which type is this triad? (Positive signs are written first.)",
        judges.triad,
        ("Count its negative edges.",
         "There are as many types as there can be negatives: from none to all.",
         "The edge {known} is {sign}; look at the other two."),
        KINDS),
    Row(1, "A triad in words", "choice", verdicts.in_words,
        "{story} Which type is the triad of {three}?",
        judges.triad,
        ("Draw it: a node for each person, an edge with a sign for each sentence.",
         "Only three of the sentences speak of two of these three.",
         "{known} are joined by a {sign} edge; find the other two."),
        KINDS),
    Row(1, "A triad in a crowd", "choice", verdicts.in_a_crowd,
        "Which type is the triad of {three}? (Positive signs are written first.)",
        judges.triad,
        ("Cover everything else with your hand.",
         "Three edges count: those between {three}.",
         "The edge {known} is {sign}; look at the other two."),
        KINDS),
    Row(1, "Once around", "choice", verdicts.once_around,
        "Multiply the signs around this cycle: what is the product?",
        judges.choice("No: pair up the negative edges, and see whether one is left over."),
        ("Two negatives make a positive.",
         "So only this matters: is the number of negative edges odd or even?",
         "From {way} the product is {product}; the last two edges are left to you."),
        SIGNS[:2]),
    Row(2, "Two camps or not", "choice", partial(verdicts.verdict, kind="strong"),
        "Is this graph {sense}?",
        judges.choice("No. {reason}", "Right. {reason}"),
        ("Look for a cycle with an odd number of negative edges.",
         "Or assign camps: put {start} in one; its friends go to the same camp, its enemies to the other.",
         "When every node has a camp, check whether some edge disagrees."),
        YES_NO),
    Row(2, "Camps or not", "choice", partial(verdicts.verdict, kind="weak"),
        "Is this graph {sense}?",
        judges.choice("No. {reason}", "Right. {reason}"),
        ("Look for a cycle with a single negative edge.",
         "Or assign camps: friends share a camp, and so do friends of friends.",
         "When every node has a camp, check whether a negative edge lies inside one."),
        YES_NO),
    Row(2, "The third side", "choice", sentences.third_side,
        "Three sentences, and two of their labels (+: the same, −: different). If weak balance holds, which sign may "
        "the third pair have? It is {pair}.{note}",
        judges.third_side,
        ("Weak balance forbids a cycle with a single negative edge.",
         "Friends of friends are friends. What of the enemies of enemies?",
         "Look at {third}: how many of its labels here are negative?"),
        SIGNS),
    Row(2, "Count the triads", "number", verdicts.count_triads,
        "How many triads of the type {type} are there in this graph?",
        judges.count,
        ("List all triads first, whatever their signs: nodes that are all joined to each other.",
         "Go node by node. {busy} lies in many triads.",
         "An example of this type is {example}.")),
    Row(3, "Find the two camps", "camps", verdicts.two_camps,
        f"This graph is strongly balanced. Put every node in one of two camps: {RULE}.",
        judges.camps,
        ("A positive edge joins friends in one camp, a negative edge joins enemies in two.",
         "Start with {first}, and follow the edges: each tells where the next node belongs.",
         "{friends} share a camp.")),
    Row(3, "Find the camps", "camps", verdicts.any_camps,
        f"This graph is weakly balanced. Put every node in a camp, as many camps as you need: {RULE}.",
        judges.camps,
        ("Friends share a camp, and so do friends of friends. Nothing follows from enemies of enemies.",
         "Leave the negative edges out: which nodes are still connected?",
         "{friends} share a camp.")),
    Row(3, "How many camps", "number", verdicts.how_many_camps,
        "This graph is weakly balanced. How many camps are there, where two nodes share one only if a path of "
        "positive edges joins them?",
        judges.how_many_camps,
        ("Leave the negative edges out: each connected part is a camp.",
         "A node without friends is a camp of its own.",
         "The largest camp is {largest}.")),
    Row(3, "Strong, weak or neither", "choice", verdicts.three_verdicts,
        "Which holds of this graph?",
        judges.three_verdicts,
        ("Assign camps: friends share one, and so do friends of friends.",
         "Is there a negative edge inside a camp? If not, would two camps do?",
         "Two camps are not enough where a cycle has an odd number of negative edges, however many they are."),
        VERDICTS),
    Row(3, "The missing sign", "choice", verdicts.missing_sign,
        "This graph is {sense}. Join {a} and {b}: which sign keeps it so?",
        judges.any_sign,
        ("Which cycles would {a}–{b} close?",
         "Is there a path from one to the other whose signs say which camps they are in?",
         "{advice}"),
        SIGNS),
    *(Row(4, f"An unbalanced cycle, for {camps} camps", "cycle", partial(changes.unbalanced, kind=kind),
        "This graph is not {sense}. Find an unbalanced cycle: one with {pattern}.",
        judges.cycle,
        ("An unbalanced cycle has {pattern}.",
         "Assign camps until an edge disagrees; that edge and the paths to its ends contain one.",
         "One runs through the edge {known}."))
      for kind, camps in (("strong", "two"), ("weak", "any"))),
    Row(4, "A shortest unbalanced cycle", "cycle", changes.shortest,
        "This graph is not {sense}. Find a shortest unbalanced cycle: {pattern}, and as few edges as can be.",
        judges.cycle,
        ("An unbalanced cycle has {pattern}. Find one, then look for short cuts.",
         "Try the triads first; then the cycles of four.",
         "{a} and {b} lie on one.")),
    *(Row(5, title, "edges", partial(changes.fewest, kind=kind, n=n, m=m, values=values),
        f"Turn the sign of {many}, so that this graph becomes {{sense}}. Which?",
        judges.flips,
        ("An unbalanced cycle has {pattern}. Each must lose or gain a negative edge.",
         "An edge on many unbalanced cycles, and on few others, is worth turning.",
         "Some best answer turns an edge at {name}."))
      for title, many, kind, n, m, values in (
          ("One flip", "one edge", "strong", 6, 9, (1,)),
          ("Fewest flips, for two camps", "as few edges as can be", "strong", 7, 12, (2, 3)),
          ("Fewest flips, for any camps", "as few edges as can be", "weak", 7, 12, (2,)))),
    Row(5, "How many flips", "number", changes.how_many_flips,
        "How many edges must turn their sign, at least, so that this graph becomes {sense}?",
        judges.how_many_flips,
        ("Find unbalanced cycles that have no edge in common: each needs a change of its own.",
         "An unbalanced cycle: {cycle}.",
         "Turn {known}, and see what is left to do.")),
    Row(5, "Take away instead", "graph", changes.delete_instead,
        "Take away as few edges as can be, so that this graph becomes {sense}. Which graph is left?",
        judges.deleted,
        ("Every unbalanced cycle must lose an edge.",
         "As many edges must go as would have to turn.",
         "Take {known} away, and see what is left to do."),
        touch="away"),
    Row(5, "Turn or take away", "number", changes.flip_or_delete,
        "Lena takes the edges {gone} away: the rest is strongly balanced and connected. Omar wants to keep "
        "every edge. He puts hers back one by one, and turns a sign only where balance asks for it. How many does he "
        "turn?",
        judges.put_back,
        ("The edges that are left say in which camp each node belongs.",
         "Edges that fit these camps come back as they were; only the others must turn.",
         "The edge {known} {fate}.")),
    Row(6, "What turns next", "edges", changes.next_to_turn,
        "Constrained triad dynamics: a step turns one edge of an unbalanced triad (one with an odd number of "
        "negative edges), so that the number of unbalanced triads falls or stays the same. Which edges may be the "
        "next to turn? Name them all.",
        judges.turns_next,
        ("The unbalanced triads are those with an odd number of negative edges. List them.",
         "When an edge turns, all its triads change sides: the unbalanced become balanced, the balanced unbalanced.",
         "One of the edges that may turn is {known}.")),
    Row(6, "Which label would you doubt", "edges", sentences.which_to_doubt,
        "Real sentences whose labels contradict each other: those joined by positive edges all mean the same, yet "
        "some are labelled as different. Which labels do you doubt? Name as few as settle it, so that the cluster is "
        "weakly balanced once they are turned.{note}",
        sentences.judge_doubts,
        ("Each negative edge is contradicted by a path of positive edges between its ends. Read along it.",
         "Look for a label that lies on all these cycles: one negative, or one positive that joins two groups.",
         "One answer turns a label of {name}.")),
    Row(6, "Trust the negative", "edges", sentences.trust_the_negative,
        "Trust one negative label: {pair} are different. Then some of the positive labels must be wrong, "
        "because they join the two. Which, if as few as can be?{note}",
        sentences.judge_cut,
        ("Every path of positive edges from one to the other must lose an edge.",
         "Read along a path: where does the meaning change?",
         "One answer holds a label of {name}.")),
    Row(7, "Weakly, not strongly", "graph", changes.weakly_only,
        "Draw a graph on these nodes that is weakly, but not strongly balanced. It is connected and has {m} edges, "
        "{friends} of them positive.",
        judges.weakly_only,
        ("Begin with the smallest: which triad is balanced for many camps, but not for two?",
         "Add nodes so that no cycle has a single negative edge.",
         "Divide the nodes into three camps or more. Join them by negative edges; inside a camp edges are "
         "positive."),
        touch="draw"),
    Row(7, "No triad shows it", "graph", changes.no_unbalanced_triad,
        "Draw a graph on these nodes that is not {sense}, although none of its triads shows it: a connected "
        "graph of {m} edges, with at least one triad, but none that is unbalanced.",
        judges.not_by_triads,
        ("Some cycle must be unbalanced, and it must not be a triad.",
         "Draw an unbalanced cycle of four, without its diagonals.",
         "Then add the other nodes, so that a balanced triad appears, and the cycle still has no short cut."),
        touch="draw"),
    Row(7, "Signs for a census", "graph", changes.signs_for_a_census,
        "Give the edges of this graph signs, so that its triads are: {asked}.",
        judges.same_census,
        ("Every triad counts, and most edges lie in several.",
         "Each triad of a type has as many negatives as its name. Which edge lies in one triad, which in three?",
         "It can be done with {known} {sign}."),
        touch="turn"),
    Row(7, "As far as asked", "graph", changes.as_far_as_asked,
        "Give the edges of this graph signs, so that {wanted} edges must turn for two camps, and no fewer suffice.",
        judges.far,
        ("Unbalanced cycles without an edge in common need a change each.",
         "A triad with all edges negative is unbalanced for two camps.",
         "It can be done with {known} {sign}."),
        touch="turn"),
)  # fmt: skip


def numbered(number: Any) -> int:
    """Return the number of an exercise; raise `PairsError` where there is none."""
    try:
        place = index(number)
    except TypeError:
        place = 0
    if not 1 <= place <= len(EXERCISES):
        raise PairsError(f"there is no exercise {number!r}; they are numbered from 1 to {len(EXERCISES)}")
    return place


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
    'As it is, one cycle is unbalanced: K–U–Z–K (− · − · − = −).'
    """
    place = numbered(number)
    if graph is not None and not isinstance(graph, ParaphraseGraph):
        raise PairsError(f"sentences are drawn from a ParaphraseGraph, not from a {type(graph).__name__}")
    row = EXERCISES[place - 1]
    made = row.build(Random(f"{place} {seed}"), graph)
    question, *hints = (text.format(**vars(made)) for text in (row.ask, *row.hints))
    shown = made.graph.copy()
    return Exercise(
        place, row.level, row.title, question, row.kind, shown, row.choices, tuple(hints), made, row.judge, row.touch
    )
