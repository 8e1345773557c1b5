"""The Lab's knowledge in plain values: its starts, its keys, and exercises with the rules that judge answers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ...balance import EXERCISES, Exercise, Sheet
from ...balance.exercises.ask import steps
from ..base.keys import help_of
from ..base.records import Plain
from .given import starts
from .table import laid, listed

__all__ = ["HELP", "exercise_on_the_table", "known"]

HELP = help_of(
    {
        "insert": None, "remove": None, "undo": None, "time": None, "play": "play the dynamics to the end",
        "reveal": "reveal the verdict", "move": "the exercise before, the next one", "zoom": None,
        "back": "back: help, chosen nodes", "help": None,
    },
    {
        "Click": "a line: its sign turns; in an exercise, as it says",
        "Click, then click": "two nodes: join them, where a click may add and remove edges",
        "Ctrl or Shift click": "one more node",
        "Drag": "a node, to arrange; the ground, to move the picture",
        "Ctrl and the wheel": "zoom",
    },
)  # fmt: skip


def known(sheets: Iterable[Sheet], seed: int) -> Plain:
    """Return the Lab's knowledge: starts, the titles of the exercises, and the exercises of some sheets."""
    titles = [
        {"number": number, "level": row.level, "title": row.title, "kind": row.kind, "touch": row.touch,
         "choices": list(row.choices)} for number, row in enumerate(EXERCISES, 1)
    ]  # fmt: skip
    drawn = [
        {"seed": sheet.seed, "exercises": [_exercise(sheet.exercise(n)) for n, _ in sheet.titles()]}
        for sheet in sheets
    ]
    return {"starts": _starts(seed), "titles": titles, "sheets": drawn, "help": HELP, "seed": seed}


@lru_cache(maxsize=4)
def _starts(seed: int) -> list[Plain]:
    return [laid(start(), name, name, seed) for name, start in starts().items()]


def exercise_on_the_table(one: Exercise) -> Plain:
    """Return the graph of an exercise as it is first put on the table."""
    return laid(one.asked.graph, one.title, one.number) | {"note": ""}


def _exercise(one: Exercise) -> Plain:
    """Return an exercise with its rule, or the reply to each choice and number; nodes are given as places."""
    place = {node: i for i, node in enumerate(one.asked.graph)}

    def ends(edges: Any) -> list[list[int]]:
        return [[place[a], place[b], *sign] for a, b, *sign in edges]

    right, table = next(one.solutions()), exercise_on_the_table(one)
    plain = {"question": one.question, "hints": list(one.hints), "pairs": listed(one.asked.graph)}
    plain |= {"nodes": table["nodes"], "edges": table["edges"]}
    if one.asked.reply is not None:
        replies = {answer: [good, said, ends(marks)] for answer, (good, said, marks) in one.replies().items()}
        plain["replies"] = replies if one.choices else list(replies.values())
        return plain | {"solution": str(right)}
    rule = one.asked.rule
    plain["rule"] = {**rule, **{part: ends(rule[part]) for part in ("trusted", "wrong") if part in rule}}
    if one.kind == "camps":
        return plain | {"solution": [next(i for i, camp in enumerate(right) if node in camp) for node in place]}
    edges = right.edges(data="sign") if one.kind == "graph" else steps(right) if one.kind == "cycle" else right
    return plain | {"solution": ends(edges)}
