"""All exercises in order of difficulty, and a sheet of them for one student, with a table to hand in."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import networkx as nx
import pandas as pd

from ...balance.triangles import KINDS
from ...files import PairsError
from ...files.outputs import atomic_write
from ...graph import ParaphraseGraph
from . import camps, changes, sentences, triads
from .ask import Asked, Exercise

__all__ = ["EXERCISES", "NUMBERS", "SHEETS", "Sheet"]

SHEETS = 8  #: a student's name chooses one of them


class Row(NamedTuple):
    """An exercise without its graph."""

    level: int
    title: str
    kind: str  #: how it is answered
    #: takes a random generator and, on real sentences, the reader's graph or None
    build: Callable[..., Asked]
    choices: tuple[str, ...] = ()
    real: bool = False  #: is it on real sentences?


SIGNS = ("+", "−", "either")
YES_NO = ("balanced", "not balanced")

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
    Row(
        4,
        "An unbalanced cycle, for two camps",
        "cycle",
        partial(camps.an_unbalanced_cycle, kind="strong"),
    ),
    Row(
        4,
        "An unbalanced cycle, for any camps",
        "cycle",
        partial(camps.an_unbalanced_cycle, kind="weak"),
    ),
    Row(4, "A shortest unbalanced cycle", "cycle", camps.shortest_cycle),
    Row(5, "One flip", "edges", partial(changes.fewest_flips, kind="strong", values=(1,))),
    Row(
        5,
        "Fewest flips, for two camps",
        "edges",
        partial(changes.fewest_flips, kind="strong", values=(2, 3)),
    ),
    Row(
        5,
        "Fewest flips, for any camps",
        "edges",
        partial(changes.fewest_flips, kind="weak", values=(2,)),
    ),
    Row(5, "Take away instead", "edges", changes.delete_instead),
    Row(6, "What turns next", "edges", triads.next_to_turn),
    Row(6, "Which label would you doubt", "edges", sentences.which_to_doubt, real=True),
    Row(6, "Trust the negative", "edges", sentences.trust_the_negative, real=True),
    Row(7, "Weakly, not strongly", "draw", changes.weakly_only),
    Row(7, "No triad shows it", "draw", changes.no_unbalanced_triad),
    Row(7, "Signs for a census", "turn", changes.signs_for_a_census),
)


NUMBERS = range(1, len(EXERCISES) + 1)


def _numbered(number: Any) -> int:
    """Return the number of an exercise; raise `PairsError` where there is none."""
    if number not in NUMBERS:
        raise PairsError(
            f"there is no exercise {number!r}; they are numbered from 1 to {len(EXERCISES)}"
        )
    return int(number)


def _seed_of(name: str) -> int:
    """Return the sheet that a name selects, like `sheetOf` in pupil.js: the sum of its letters, modulo `SHEETS`."""
    letters = " ".join(unicodedata.normalize("NFC", name).lower().split())
    return sum(map(ord, letters)) % SHEETS


@dataclass
class Progress:
    """The progress of a student on one exercise."""

    tries: int = 0
    hints: int = 0
    solved: bool = False
    shown: bool = False  #: the solution was, before it was solved

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            fits = type(value) is type(getattr(Progress, name))
            if not fits or not 0 <= value < 1e9:  # what sums can hold
                raise ValueError(f"{name} is {value!r}"[:60])

    @property
    def first_right(self) -> bool:
        """Solved at the first try?"""
        return self.solved and self.tries == 1

    @property
    def mark(self) -> str:
        """One word for a table."""
        if self.solved:
            return "✓"
        if self.shown:
            return "shown"
        if self.tries:
            return "·"
        return ""


class Sheet:
    """All exercises for one student.

    Parameters
    ----------
    seed : int, optional
        Another seed gives the same kinds of exercises on other graphs. Default: one of 0 to 7, chosen by the
        student's name, whatever its case, as on the page of `TriadLab.save`; 0 without a name.
    student : str
        A name, for the report.
    graph : ParaphraseGraph, optional
        The source of real sentences. Default: the corpus that ships, which is also used if nothing in the graph
        fits.
    file : path, optional
        A file for the student's progress, written after every answer, hint and solution. If it exists, the sheet
        continues from it; a file of another sheet raises `PairsError`.

    Notes
    -----
    Answers are given and graded in the Lab, ``pg.TriadLab(exercises=sheet)``, which counts tries until an exercise is
    solved or its solution is shown; later tries are practice. A sheet can be kept as JSON (`to_json`). A student
    who reads the code can find the answers.

    Examples
    --------
    >>> sheet = Sheet(seed=1, student="Ada")
    >>> print(sheet.exercise(1))
    1. Name the triad
    Which type is this triad? (Positive signs are written first.)
    (+++ / ++- / +-- / ---)
    >>> sheet.exercise(1).hints[0]
    'Count its negative edges.'
    >>> list(sheet.exercise(17).solutions())
    [[('A', 'H')]]
    >>> sheet.keep(1, tries=2, hints=1, solved=True)
    >>> sheet.report().loc[:1, ["number", "title", "tries", "hints", "solved", "first_right"]]
       number             title  tries  hints  solved  first_right
    0       1    Name the triad      2      1    True        False
    1       2  A triad in words      0      0   False        False
    """

    def __init__(
        self, seed: int | None = None, student: str = "", graph: ParaphraseGraph | None = None,
        file: str | PathLike | None = None,
    ):  # fmt: skip
        if seed is None and isinstance(student, str):
            seed = _seed_of(student)
        if not isinstance(seed, int) or not isinstance(student, str):
            raise PairsError(
                f"a sheet has a whole number for its seed and a name, not {seed!r} and {student!r}"
            )
        if graph is not None and not isinstance(graph, ParaphraseGraph):
            raise PairsError(
                f"sentences are drawn from a ParaphraseGraph, not from a {type(graph).__name__}"
            )
        self.seed = seed
        self.student = student
        self.graph = graph
        self._progress = {number: Progress() for number in NUMBERS}
        self._exercises: dict[int, Exercise] = {}
        self.file = None
        if file is not None:
            self.file = Path(file)
        if self.file and self.file.exists():
            kept = Sheet.from_json(self.file.read_text(encoding="utf-8"), graph)
            if (kept.seed, kept.student) != (seed, student):
                ours = f"{seed} of {student!r}"
                raise PairsError(
                    f"{file} holds sheet {kept.seed} of {kept.student!r}, not {ours}: name another file"
                )
            self._progress = kept._progress

    def exercise(self, number: int) -> Exercise:
        """Return an exercise to work on, on its own graph."""
        number = _numbered(number)
        if number not in self._exercises:
            row = EXERCISES[number - 1]
            given = [Random(f"{number} {self.seed}")]
            if row.real:
                given.append(self.graph)
            asked = row.build(*given)
            parts = [" ".join(part.split()) for part in re.split(r"\n\s*- ", asked.text)]
            own = nx.Graph(asked.graph)  # what is shown may be scribbled on
            self._exercises[number] = Exercise(
                number,
                row.level,
                row.title,
                parts[0],
                row.kind,
                own,
                row.choices,
                tuple(parts[1:]),
                asked,
            )
        return self._exercises[number]

    def keep(self, number: int, **done: Any) -> None:
        """Save the progress on an exercise, some of its fields or all; raise `PairsError` for an impossible value."""
        number = _numbered(number)
        try:
            now = replace(self._progress[number], **done)
        except (TypeError, ValueError) as error:
            raise PairsError(f"exercise {number}: this is no progress: {error}") from None
        if now != self._progress[number]:
            self._progress[number] = now
            self._write()

    def progress(self, number: int) -> Progress:
        """Return a copy of the progress on an exercise."""
        return replace(self._progress[_numbered(number)])

    @property
    def solved(self) -> list[int]:
        """The numbers of the exercises that are solved."""
        return [number for number, done in self._progress.items() if done.solved]

    def report(self) -> pd.DataFrame:
        """Return a table of what the student did, one row per exercise.

        Columns: student, seed, number, level, title; tries, hints, solved and shown (the solution was asked for);
        first_right (solved at the first try).
        """
        rows = []
        for number, exercise in enumerate(EXERCISES, 1):
            done = self._progress[number]
            row = {"student": self.student, "seed": self.seed, "number": number}
            row |= {"level": exercise.level, "title": exercise.title}
            row |= asdict(done)
            row["first_right"] = done.first_right
            rows.append(row)
        return pd.DataFrame(rows)

    def _write(self) -> None:
        """Write the progress to the file of the sheet, if it has one."""
        if self.file:
            with atomic_write(self.file) as part:
                part.write_text(self.to_json(), encoding="utf-8")

    def to_json(self) -> str:
        """Return the state of the sheet, without the sentences of its graph."""
        done = {number: asdict(progress) for number, progress in self._progress.items()}
        return json.dumps({"seed": self.seed, "student": self.student, "progress": done})

    @classmethod
    def from_json(cls, text: str, graph: ParaphraseGraph | None = None) -> Sheet:
        """Read the output of `to_json`; a sheet with its own graph needs that graph again."""
        try:
            state = json.loads(text)
            sheet = cls(state["seed"], state["student"], graph)
            sheet.student.encode()  # fails on half a surrogate pair
            for number in sheet._progress:
                sheet._progress[number] = Progress(**state["progress"][str(number)])
            return sheet
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise PairsError(f"this is no saved sheet of exercises: {error!r}") from None
