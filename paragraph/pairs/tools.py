"""Records of annotation tools, known by their documented keys, as flat records: one per person's answer."""

from __future__ import annotations

from typing import Any

__all__ = ["CHOICE", "tool_records"]

#: The keys of an answer in a record of Prodigy.
PRODIGY = ("options", "accept", "answer")
#: The beginning of the name of a column of answers, before the name of the question.
CHOICE = "choice of "


def tool_records(record: dict) -> list[dict] | None:
    """The flat records inside a record of a tool; None for a record of no tool. Withdrawn answers are no labels.

    ValueError says which shape of a known tool is not read.

    >>> answer = {"result": [{"from_name": "same", "value": {"choices": ["no"]}}], "completed_by": 7}
    >>> tool_records({"data": {"a": "x"}, "annotations": [answer, answer | {"was_cancelled": True}]})
    [{'a': 'x', 'annotator': 7, 'choice of same': 'no'}, {'a': 'x', 'annotator': 7, 'choice of same': None}]
    >>> tool_records({"text_a": "x"})
    """
    match record:
        case {"annotations": list() as answers, "data": dict() as data}:
            return [data | _label_studio(answer) for answer in answers or [{}]]
        case {"options": list() as options, "accept": list() as chosen, "answer": answer}:
            # A number may count the options: their texts say what was chosen
            numbered = [entry for entry in options if isinstance(entry.get("id"), int)]
            words = {entry["id"]: entry.get("text") for entry in numbered}
            data = {key: value for key, value in record.items() if key not in PRODIGY}
            choice = None
            if answer == "accept":
                choice = _only([words.get(key) or key for key in chosen])
            return [data | {"choice": choice}]
        case {"fields": dict(), "responses": _}:
            raise ValueError(
                "a record of Argilla: docs/layouts.md shows the lines of pandas that read it"
            )
    return None


def _label_studio(answer: dict) -> dict[str, Any]:
    """The choices in an annotation, by the names of their questions; None where it was withdrawn."""
    annotator = answer.get("completed_by")
    if isinstance(annotator, dict):
        annotator = annotator.get("email") or annotator.get("id")
    values = {"annotator": annotator}
    for part in answer.get("result") or ():
        choices = (part.get("value") or {}).get("choices")
        if choices is None:
            raise ValueError(
                "an answer of Label Studio that is no choice; its JSON-MIN has it in a column"
            )
        question = f"{CHOICE}{part.get('from_name')}"
        values[question] = _only(choices)
        if answer.get("was_cancelled") or answer.get("skipped"):
            values[question] = None
    return values


def _only(values: list) -> Any:
    """The only value of a list, or the list."""
    return values[0] if len(values) == 1 else values
