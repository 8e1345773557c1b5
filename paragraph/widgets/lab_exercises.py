"""The Triad Lab's exercises: a question, an answer by clicks or words, a grade and a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..pairs import PairsError
from .bench.widget import Bench

if TYPE_CHECKING:
    from ..balance.exercises import Exercise, Sheet

__all__ = ["Exercising"]


class Exercising(Bench):
    """The part of the lab that works through a sheet of exercises."""

    sheet: Sheet | None = None
    _exercise: Exercise | None = None

    def _control_exercise(self, value: str) -> None:
        if int(value):
            self._take_exercise(int(value))
        else:
            self._exercise = None
            self._lay("the four triads", None)

    def _take_exercise(self, number: int) -> None:
        self._exercise = self.sheet.exercise(number)
        self._picked: list[frozenset] = []
        self._grade = None
        self._hint = ""
        self._cycle_none = self._exercise.kind == "graph"  # to build one, edges must come and go
        self._lay(self._exercise.graph, None)
        self._said = ""
        self._show()

    def _exercise_panel(self) -> dict[str, Any]:
        one = self._exercise
        actions = []
        if one.kind == "choice":
            actions = [{"text": choice, "intent": "answer", "content": {"answer": choice}} for choice in one.choices]
        elif one.kind in ("edges", "cycle", "graph"):
            actions = [{"text": "Check", "intent": "answer", "content": {}}]
        actions.append({"text": "Hint", "intent": "hint", "content": {}})
        said = {"title": f"Exercise {one.number}", "text": one.question, "actions": actions, "facts": []}
        if one.kind in ("number", "camps"):
            said["ask"] = "a number" if one.kind == "number" else "camps, such as A B | C D"
        if self._picked:
            said["facts"].append(
                ["chosen", ", ".join("–".join(sorted(map(self._text, pair))) for pair in self._picked)]
            )
            keys = [[f"n{self._number[node]}" for node in pair] for pair in self._picked]
            said["highlight"] = {"nodes": [key for pair in keys for key in pair], "edges": keys, "soft": True}
        if self._hint:
            said["facts"].append(["hint", self._hint])
        if self._grade is not None:
            said["badge"] = "right" if self._grade.correct else "not yet"
            said["facts"].append(["", self._grade.message])
        return said

    def on_answer(self, answer: Any = None) -> None:
        """An answer to the exercise: a choice, what was typed, or what was clicked."""
        one = self._exercise
        if one is None:
            raise PairsError("no exercise is on the table")
        if one.kind in ("edges", "cycle"):
            answer = [tuple(pair) for pair in self._picked]
        elif one.kind == "graph":
            answer = self.graph
        elif one.kind == "number":
            answer = int(answer) if str(answer).strip().lstrip("-").isdigit() else answer
        elif one.kind == "camps":
            names = {self._text(node): node for node in self._graph}
            answer = [{names.get(word, word) for word in part.split()} for part in str(answer).split("|")]
        self._grade = self.sheet.check(one.number, answer)
        self._send_why()

    def on_hint(self) -> None:
        """The next hint."""
        self._hint = self.sheet.hint(self._exercise.number)
        self._send_why()
