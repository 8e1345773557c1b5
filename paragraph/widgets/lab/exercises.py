"""Exercises in the Triad Lab: one after the other, each answered by clicks or words, kept as it was left."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import networkx as nx

from ...pairs import PairsError
from . import panels, table

if TYPE_CHECKING:
    from ...balance.exercises import Exercise, Grade
    from .widget import TriadLab

__all__ = ["Attempt", "answer", "clear", "click_edge", "click_node", "draws", "go", "hint", "place", "solve", "step"]

MOST = 8  # camps that a click can reach: as many as there are colours


@dataclass
class Attempt:
    """An exercise on the table, as its reader left it."""

    one: Exercise
    graph: nx.Graph
    picked: list[frozenset] = field(default_factory=list)
    camps: dict[Any, int] = field(default_factory=dict)
    typed: str = ""
    grade: Grade | None = None


def go(lab: TriadLab, number: int) -> None:
    """Put an exercise on the table as it was left; 0 is free play, and one past the last is the summary."""
    last = len(lab.sheet.titles())
    if not isinstance(number, int) or not 0 <= number <= last + 1:
        raise PairsError(f"there is no exercise {number!r}; they are numbered from 1 to {last}")
    if lab._attempt is not None:
        lab._attempt.graph = lab.graph
    lab._attempt, lab._summary, lab._hidden = None, number > last, False
    if not number:
        table.lay(lab, "the four triads")
        return
    if lab._summary:
        table.lay(lab, nx.Graph())
        return
    if number not in lab._attempts:
        one = lab.sheet.exercise(number)
        lab._attempts[number] = Attempt(one, one.graph)
    attempt = lab._attempts[number]
    lab._attempt = attempt
    table.lay(lab, attempt.graph)
    lab._message = ""
    lab._show()


def step(lab: TriadLab, by: int) -> None:
    """The exercise after this one, or before."""
    if lab.sheet is not None:
        go(lab, max(1, min(place(lab) + by, len(lab.sheet.titles()) + 1)))


def draws(lab: TriadLab) -> bool:
    """Is a graph to be drawn for an answer?"""
    return lab._attempt is not None and lab._attempt.one.kind == "graph"


# -- what a person does ----------------------------------------------------------------------------------


def click_edge(lab: TriadLab, a: Any, b: Any) -> None:
    """Choose an edge or choose it no more; where a graph is drawn, turn it or take it away."""
    attempt, pair = lab._attempt, frozenset((a, b))
    if attempt.one.kind in ("edges", "cycle"):
        attempt.grade = None
        if pair in attempt.picked:
            attempt.picked.remove(pair)
        else:
            attempt.picked.append(pair)
        lab._show()
    elif attempt.one.kind == "graph":
        sign = lab._graph.edges[a, b]["sign"]
        gone = attempt.one.touch == "away" or (attempt.one.touch == "draw" and sign < 0)
        lab.set_sign(a, b, 0 if gone else -sign)


def click_node(lab: TriadLab, node: Any) -> None:
    """Put a node in the next camp: those that are in use, then a new one."""
    attempt = lab._attempt
    attempt.grade = None
    camps = attempt.camps
    others = {camp for other, camp in camps.items() if other != node}
    used = 1 + max(others, default=-1)  # camps 0 … used - 1 are there, and one more may be opened
    camps[node] = (camps.get(node, -1) + 1) % min(used + 1, MOST)
    attempt.typed = _spelled(lab, camps)
    lab._show()


def clear(lab: TriadLab) -> None:
    """Begin the answer again; tries and hints stay counted."""
    if lab._attempt is not None:
        one = lab._attempt.one
        lab._attempt = lab._attempts[one.number] = Attempt(one, one.graph)
        table.lay(lab, one.graph)
        lab._message = ""
        lab._show()


def answer(lab: TriadLab, typed: Any) -> None:
    """Grade what was chosen, typed, clicked or drawn."""
    if lab._attempt is None:
        raise PairsError("no exercise is on the table")
    attempt, kind = lab._attempt, lab._attempt.one.kind
    if typed is not None:
        attempt.typed = str(typed)[:2000]
    given: Any = typed
    if kind in ("edges", "cycle"):
        given = [tuple(pair) for pair in attempt.picked]
    elif kind == "graph":
        given = lab.graph
    elif kind == "camps":
        names = {lab._text(node): node for node in lab._graph}
        given = [{names.get(word, word) for word in part.split()} for part in attempt.typed.split("|")]
        attempt.camps = {node: camp for camp, nodes in enumerate(given) for node in nodes if node in lab._graph}
    attempt.grade = lab.sheet.check(attempt.one.number, given)
    lab._show()


def hint(lab: TriadLab) -> None:
    """The next hint."""
    if lab._attempt is None:
        raise PairsError("no exercise is on the table")
    lab.sheet.hint(lab._attempt.one.number)
    lab._show()


def solve(lab: TriadLab) -> None:
    """Put a right answer on the table, where the sheet gives one: after three wrong tries, or once it is solved."""
    if lab._attempt is None:
        raise PairsError("no exercise is on the table")
    one = lab._attempt.one
    found = lab.sheet.solution(one.number)
    clear(lab)
    attempt = lab._attempt
    if one.kind in ("edges", "cycle"):
        attempt.picked = list(map(frozenset, panels.around(found) if one.kind == "cycle" else found))
    elif one.kind == "camps":
        attempt.camps = {node: camp for camp, nodes in enumerate(found) for node in nodes}
        attempt.typed = _spelled(lab, attempt.camps)
    elif one.kind == "graph":
        table.lay(lab, found)
        lab._message = ""
    else:
        attempt.typed = str(found)
    attempt.grade = one.grade(found)
    lab._show()


def _spelled(lab: TriadLab, camps: dict[Any, int]) -> str:
    """Camps as one may type them; a camp that lost its last node is left out."""
    rows = ([lab._text(node) for node in lab._graph if camps.get(node) == camp] for camp in range(MOST))
    return " | ".join(" ".join(row) for row in rows if row)


def place(lab: TriadLab) -> int:
    """Where one is in the sheet: 0 in free play, one past the last in the summary."""
    if lab._summary:
        return len(lab.sheet.titles()) + 1
    return lab._attempt.one.number if lab._attempt is not None else 0
