"""Exercises in the Triad Lab: a question, an answer by clicks or words, a grade and a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import table

if TYPE_CHECKING:
    from .widget import TriadLab

__all__ = ["answered", "panel", "pick", "take"]


def take(lab: TriadLab, number: int) -> None:
    """Put the graph of an exercise on the table."""
    lab._exercise = lab.sheet.exercise(number)
    lab._picked, lab._grade, lab._hint = [], None, ""
    lab._cycle_none = lab._exercise.kind == "graph"  # to build one, edges must come and go
    table.lay(lab, lab._exercise.graph)
    lab._message = ""
    lab._show()


def panel(lab: TriadLab) -> dict[str, Any]:
    """The question, what was chosen, the hint and the grade."""
    one = lab._exercise
    actions = [{"text": choice, "intent": "answer", "content": {"answer": choice}} for choice in one.choices]
    if one.kind in ("edges", "cycle", "graph"):
        actions = [{"text": "Check", "intent": "answer", "content": {}}]
    actions.append({"text": "Hint", "intent": "hint", "content": {}})
    found = {"title": f"Exercise {one.number}", "text": one.question, "actions": actions, "facts": []}
    if one.kind in ("number", "camps"):
        found["ask"] = "a number" if one.kind == "number" else "camps, such as A B | C D"
    if lab._picked:
        names = ("–".join(sorted(map(lab._text, pair))) for pair in lab._picked)
        found["facts"].append(["chosen", ", ".join(names)])
        edges = [[lab._key(node) for node in pair] for pair in lab._picked]
        found["highlight"] = {"nodes": [key for pair in edges for key in pair], "edges": edges, "soft": True}
    if lab._hint:
        found["facts"].append(["hint", lab._hint])
    if lab._grade is not None:
        found["badge"] = "right" if lab._grade.correct else "not yet"
        found["facts"].append(["", lab._grade.message])
    return found


def pick(lab: TriadLab, a: Any, b: Any) -> None:
    """Choose an edge, or choose it no more."""
    pair = frozenset((a, b))
    if pair in lab._picked:
        lab._picked.remove(pair)
    else:
        lab._picked.append(pair)


def answered(lab: TriadLab, typed: Any) -> Any:
    """The answer to the exercise: a choice, what was typed, or what was clicked."""
    kind = lab._exercise.kind
    if kind in ("edges", "cycle"):
        return [tuple(pair) for pair in lab._picked]
    if kind == "graph":
        return lab.graph
    if kind == "camps":
        names = {lab._text(node): node for node in lab._graph}
        return [{names.get(word, word) for word in part.split()} for part in str(typed).split("|")]
    return typed
