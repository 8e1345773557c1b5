"""Exercises on the table of the Triad Lab, each answered by clicks or words, and kept as it was left."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import networkx as nx

from ...balance import Exercise, Grade, Sheet
from ...balance.exercises.sketch import steps
from ...pairs import PairsError
from .board import Board

__all__ = ["Attempt", "Work"]

MOST = 8  # camps that a click can reach: as many as there are colours


@dataclass
class Attempt:
    """An exercise as its reader left it."""

    one: Exercise
    graph: nx.Graph
    picked: list[frozenset] = field(default_factory=list)  #: edges
    camps: dict[Any, int] = field(default_factory=dict)
    typed: str = ""
    grade: Grade | None = None

    @property
    def picks(self) -> bool:
        """Are edges picked for an answer?"""
        return self.one.kind in ("edges", "cycle")


class Work:
    """A sheet of exercises, worked through on a board.

    Attributes
    ----------
    sheet : Sheet or None
    now : Attempt or None
        The exercise on the board; None in free play and in the summary.
    summary : bool
        Is the summary shown, at the end of the sheet?
    """

    def __init__(self, board: Board, sheet: Sheet | None):
        if sheet is not None and not isinstance(sheet, Sheet):
            raise PairsError(f"exercises is a Sheet to work through, not a {type(sheet).__name__}")
        self.board, self.sheet = board, sheet
        self.now: Attempt | None = None
        self.summary = False
        self._attempts: dict[int, Attempt] = {}

    @property
    def free(self) -> bool:
        """Is this free play?"""
        return self.now is None and not self.summary

    @property
    def draws(self) -> bool:
        """Is a graph to be drawn for an answer?"""
        return self.now is not None and self.now.one.kind == "graph"

    @property
    def place(self) -> int:
        """The number of the exercise: 0 in free play, one past the last in the summary."""
        if self.summary:
            return len(self.sheet.titles()) + 1
        return self.now.one.number if self.now is not None else 0

    def go(self, number: int) -> None:
        """Put an exercise on the board as it was left; 0 is free play, and one past the last is the summary."""
        last = len(self.sheet.titles())
        if not isinstance(number, int) or not 0 <= number <= last + 1:
            raise PairsError(f"there is no exercise {number!r}; they are numbered from 1 to {last}")
        if self.now is not None:
            self.now.graph = self.board.graph
        self.leave()
        self.summary, self.board.hidden = number > last, False
        if number == 0 or self.summary:
            self.board.lay(nx.Graph() if self.summary else "the four triads")
            return
        self._begin(number)

    def step(self, by: int) -> None:
        """Go to the exercise after this one, or before."""
        if self.sheet is not None:
            self.go(max(1, min(self.place + by, len(self.sheet.titles()) + 1)))

    def leave(self) -> None:
        """Leave the exercise or the summary, for free play."""
        self.now, self.summary = None, False

    def reopen(self) -> None:
        """Clear the grade: the answer changed."""
        if self.now is not None:
            self.now.grade = None

    def clear(self) -> None:
        """Begin the answer again; tries and hints stay counted."""
        if self.now is not None:
            del self._attempts[self.now.one.number]
            self._begin(self.now.one.number)

    def _begin(self, number: int) -> None:
        if number not in self._attempts:
            one = self.sheet.exercise(number)
            self._attempts[number] = Attempt(one, one.graph)
        self.now = self._attempts[number]
        self.board.lay(self.now.graph)
        self.board.message = ""

    # -- what a person does --------------------------------------------------------------------------------------

    def click_edge(self, a: Any, b: Any) -> None:
        """Turn an edge or take it away; in an exercise, choose it or choose it no more where that is the answer."""
        sign = self.board.graph.edges[a, b]["sign"]
        if self.free:
            self.board.set_sign(a, b, -1 if sign > 0 else 0 if self.board.removes else 1)
            return
        pair, touch = frozenset((a, b)), self.now.one.touch
        if self.now.picks:
            (self.now.picked.remove if pair in self.now.picked else self.now.picked.append)(pair)
        elif self.draws:
            gone = touch == "away" or (touch == "draw" and sign < 0)
            self.board.set_sign(a, b, 0 if gone else -sign)
        else:
            return
        self.reopen()

    def click_nodes(self, before: list[Any], chosen: list[Any]) -> bool:
        """Put a node in the next camp, or join two that were chosen one after the other; say if anything was done.

        The next camp is one that is in use, after the last a new one. An edge comes (back) with the sign that the
        exercise shows.
        """
        if self.now is not None and self.now.one.kind == "camps":
            for node in chosen[:1]:
                camps = self.now.camps
                used = 1 + max((camp for other, camp in camps.items() if other != node), default=-1)
                self._put_in_camps(camps | {node: (camps.get(node, -1) + 1) % min(used + 1, MOST)})
                self.reopen()
            return True
        if len(chosen) != 1 or len(before) != 1 or chosen == before or self.board.graph.has_edge(*before, *chosen):
            return False
        if not (self.board.removes if self.free else self.draws and self.now.one.touch != "turn"):
            return False
        pair = *before, *chosen
        shown = self.now.one.graph.get_edge_data(*pair) if self.now is not None else None
        self.board.set_sign(*pair, shown["sign"] if shown else 1)
        self.reopen()
        return True

    def _put_in_camps(self, camps: dict[Any, int]) -> None:
        """Keep camps, and write them as one may type them; a camp that lost its last node is left out."""
        rows = ([self.board.text(n) for n in self.board.graph if camps.get(n) == camp] for camp in range(MOST))
        self.now.camps = camps
        self.now.typed = " | ".join(" ".join(row) for row in rows if row)

    def answer(self, typed: Any) -> None:
        """Grade what was chosen, typed, clicked or drawn."""
        now = self._exercise()
        if typed is not None:
            now.typed = str(typed)[:2000]
        given: Any = typed
        if now.picks:
            place = list(self.board.graph).index
            given = [tuple(sorted(pair, key=place)) for pair in now.picked]
        elif self.draws:
            given = self.board.graph.copy()
        elif now.one.kind == "camps":
            names = {self.board.text(node): node for node in self.board.graph}
            given = [{names.get(word, word) for word in part.split()} for part in now.typed.split("|")]
            now.camps = {node: camp for camp, nodes in enumerate(given) for node in nodes if node in self.board.graph}
        now.grade = self.sheet.check(now.one.number, given)

    def hint(self) -> None:
        """Take the next hint."""
        self.sheet.hint(self._exercise().one.number)

    def solve(self) -> None:
        """Put a right answer on the board, if the sheet gives one: after three wrong tries, or once it is solved."""
        one = self._exercise().one
        found = self.sheet.solution(one.number)
        self.clear()
        if self.now.picks:
            self.now.picked = [frozenset(pair) for pair in (steps(found) if one.kind == "cycle" else found)]
        elif one.kind == "camps":
            self._put_in_camps({node: camp for camp, nodes in enumerate(found) for node in nodes})
        elif self.draws:
            self.board.lay(found)
            self.board.message = ""
        else:
            self.now.typed = str(found)
        self.now.grade = one.grade(found)

    def _exercise(self) -> Attempt:
        if self.now is None:
            raise PairsError("no exercise is on the table")
        return self.now
