"""A sheet holds the exercises of one student. It gives hints on request and makes a table to hand in."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from html import escape
from time import monotonic
from typing import Any

import pandas as pd

from ...graph import ParaphraseGraph
from ...pairs import PairsError
from .grading import Exercise, Grade
from .report import Report
from .table import EXERCISES, exercise, numbered

__all__ = ["Sheet"]

PATIENCE = 3  #: wrong tries before a solution is shown


@dataclass
class Progress:
    """What a student has done on one exercise."""

    tries: int = 0
    hints: int = 0
    solved: bool = False
    first_right: bool = False  #: at the first try
    shown: bool = False  #: the solution was, before it was solved
    seconds: float = 0.0  #: between the first look and the last try

    @classmethod
    def read(cls, saved: dict[str, Any]) -> Progress:
        """Return progress that was saved; raise `ValueError` for values that no sheet writes."""
        found = cls(**saved)
        counts = (found.tries, found.hints)
        if not all(type(count) is int and count >= 0 for count in counts):
            raise ValueError(f"tries and hints {counts}")
        flags = (found.solved, found.first_right, found.shown)
        if not all(type(flag) is bool for flag in flags):
            raise ValueError(f"solved, first_right and shown {flags}")
        if type(found.seconds) not in (int, float) or not 0 <= found.seconds < float("inf"):
            raise ValueError(f"seconds {found.seconds!r}")
        return found

    @property
    def mark(self) -> str:
        """One word for a table."""
        return "✓" if self.solved else "shown" if self.shown else "·" if self.tries else ""


class Sheet:
    """All exercises for one student.

    Parameters
    ----------
    seed : int
        Another seed gives the same kinds of exercises on other graphs.
    student : str
        A name, for the report.
    graph : ParaphraseGraph, optional
        The source of real sentences. Default: the corpus that ships.

    Notes
    -----
    The sheet counts tries until an exercise is solved or its solution is shown; later tries are practice. A sheet can
    be pickled, or kept as JSON (`to_json`). A student who reads the code can find the answers.

    Examples
    --------
    >>> sheet = Sheet(seed=1, student="Ada")
    >>> print(sheet.exercise(1))
    1. Name the triad
    Which type is this triad? (Positive signs are written first.)
    (+++ / ++- / +-- / ---)
    >>> sheet.check(1, "+++").message
    '+++ has fewer negative signs than this triad has negative edges.'
    >>> sheet.hint(1)
    'Count its negative edges.'
    >>> sheet.check(1, "+--").correct
    True
    >>> sheet.report().loc[:1, ["number", "title", "tries", "hints", "solved", "first_right"]]
       number             title  tries  hints  solved  first_right
    0       1    Name the triad      2      1    True        False
    1       2  A triad in words      0      0   False        False
    """

    def __init__(self, seed: int = 0, student: str = "", graph: ParaphraseGraph | None = None):
        if not isinstance(seed, int) or not isinstance(student, str):
            raise PairsError(f"a sheet has a whole number for its seed and a name, not {seed!r} and {student!r}")
        if graph is not None and not isinstance(graph, ParaphraseGraph):
            raise PairsError(f"sentences are drawn from a ParaphraseGraph, not from a {type(graph).__name__}")
        self.seed, self.student, self.graph = seed, student, graph
        self._progress = {number: Progress() for number in range(1, len(EXERCISES) + 1)}
        self._exercises: dict[int, Exercise] = {}
        self._since: dict[int, float] = {}  # when each was last looked at

    def __getstate__(self) -> dict[str, Any]:
        # Exercises follow from the seed, and clocks differ from machine to machine.
        return self.__dict__ | {"_exercises": {}, "_since": {}}

    def titles(self) -> list[tuple[int, str]]:
        """The number and title of every exercise."""
        return [(number, row.title) for number, row in enumerate(EXERCISES, 1)]

    def exercise(self, number: int) -> Exercise:
        """An exercise to work on."""
        number = numbered(number)
        self._since.setdefault(number, monotonic())
        return self._get(number)

    def check(self, number: int, answer: Any) -> Grade:
        """Grade an answer, and count it."""
        number = numbered(number)
        one, done = self._get(number), self._progress[number]
        grade = one.grade(answer)
        if not (done.solved or done.shown):
            done.tries += 1
            done.solved = grade.correct
            done.first_right = grade.correct and done.tries == 1
            now = monotonic()
            done.seconds += now - self._since.get(number, now)
            self._since[number] = now
        return grade

    def hint(self, number: int) -> str:
        """The next hint; the last one again where there are no more."""
        number = numbered(number)
        hints, done = self._get(number).hints, self._progress[number]
        if done.hints >= len(hints):
            return hints[-1]
        done.hints += 1
        return hints[done.hints - 1]

    def solution(self, number: int) -> Any:
        """A right answer. It is shown once the exercise is solved or three tries were wrong; before, `PairsError`."""
        number = numbered(number)
        one, done = self._get(number), self._progress[number]
        if not done.solved:
            if done.tries < PATIENCE:
                raise PairsError(
                    f"exercise {number}: its solution is shown after {PATIENCE} wrong tries; so far {done.tries}"
                )
            done.shown = True
        return next(one.solutions())

    def progress(self, number: int) -> Progress:
        """What was done on an exercise so far: a copy."""
        return replace(self._progress[numbered(number)])

    @property
    def solved(self) -> list[int]:
        """The numbers of the exercises that are solved."""
        return [number for number, done in self._progress.items() if done.solved]

    def report(self) -> Report:
        """A table of what the student did, to hand in; its `line` says it in one, to be pasted."""
        rows = [
            {"student": self.student, "seed": self.seed, "number": number, "level": row.level, "title": row.title}
            | asdict(self._progress[number])
            for number, row in enumerate(EXERCISES, 1)
        ]
        return Report(pd.DataFrame(rows).round({"seconds": 1}))

    def to_json(self) -> str:
        """The state of the sheet, without the sentences of its graph."""
        done = {number: asdict(progress) for number, progress in self._progress.items()}
        return json.dumps({"seed": self.seed, "student": self.student, "graph": self._size(), "progress": done})

    @classmethod
    def from_json(cls, text: str, graph: ParaphraseGraph | None = None) -> Sheet:
        """The sheet that `to_json` wrote. A sheet with its own graph needs that graph again, else `PairsError`."""
        try:
            state = json.loads(text)
            sheet = cls(state["seed"], state["student"], graph)
            size = state["graph"]
            for number in sheet._progress:
                sheet._progress[number] = Progress.read(state["progress"][str(number)])
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise PairsError(f"this is no saved sheet of exercises: {error!r}") from None
        if sheet._size() != size:
            raise PairsError(f"the sheet was made with a graph of (sentences, pairs) {size}, not {sheet._size()}")
        return sheet

    def _size(self) -> list[int] | None:
        return None if self.graph is None else [self.graph.n, len(self.graph.edge_sign)]

    def _get(self, number: int) -> Exercise:
        if number not in self._exercises:
            self._exercises[number] = exercise(number, self.seed, self.graph)
        return self._exercises[number]

    def _repr_html_(self) -> str:
        rows = [
            (number, title, done.mark, done.tries or "", done.hints or "")
            for (number, title), done in zip(self.titles(), self._progress.values(), strict=True)
        ]
        table = pd.DataFrame(rows, columns=["", "exercise", "", "tries", "hints"])
        of = f" of {escape(self.student)}" if self.student else ""
        head = f"<b>Exercises{of}</b>: {len(self.solved)} of {len(EXERCISES)} solved"
        return f'<div class="tex2jax_ignore mathjax_ignore">{head}{table.to_html(index=False, justify="left")}</div>'
