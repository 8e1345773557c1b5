"""Records of annotation tools, known by a documented mark of the tool, as flat records: one per person's answer."""

from __future__ import annotations

from typing import Any

__all__ = ["CHOICE", "tool_records"]

#: What stands before the name of a question in the column of its answers.
CHOICE = "choice of "


def tool_records(record: dict) -> list[dict] | None:
    """The flat records inside a record of a tool; None for a record of no tool. Withdrawn answers are no labels.

    ValueError says which shape of a known tool is not read.

    >>> answer = {"result": [{"from_name": "same", "value": {"choices": ["no"]}}], "completed_by": 7}
    >>> tool_records({"data": {"a": "x"}, "annotations": [answer, answer | {"was_cancelled": True}]})
    [{'a': 'x', 'choice of same': 'no', 'annotator': 7}]
    >>> tool_records({"text_a": "x"})
    """
    match record:
        case {"annotations": list() as answers, "data": dict() as data}:
            return _per_person(data, [_label_studio(one) for one in answers])
        case {"fields": dict() as fields, "responses": dict() | None as responses}:
            discarded = record.get("status") == "discarded"
            return _per_person(fields, _argilla({} if discarded else responses or {}))
        case {"options": list() as options, "accept": list() as chosen, "answer": answer}:
            return [_prodigy(record, options, chosen, answer)]
    return None


def _per_person(asked: dict, people: list[dict]) -> list[dict]:
    """What was asked beside what each person answered; who withdrew is left out if another one answered."""
    answered = []
    for one in people:
        if any(value is not None for question, value in one.items() if question != "annotator"):
            answered.append(one)
    return [asked | one for one in answered or people or [{"annotator": None}]]


def _only(values: list) -> Any:
    """The only value of a list, or the list."""
    return values[0] if len(values) == 1 else values or None


def _label_studio(answer: dict) -> dict[str, Any]:
    """The choices and ratings in an annotation, by the names of their questions; None where it was withdrawn."""
    withdrawn = answer.get("was_cancelled") or answer.get("skipped")
    result = answer.get("result") or []
    found: dict[str, Any] = {}
    for part in result:
        value = part.get("value") or {}
        given = value.get("rating", value.get("choices"))
        if given is not None:
            choice = _only(given) if isinstance(given, list) else given
            found[f"{CHOICE}{part.get('from_name')}"] = None if withdrawn else choice
    if result and not found:
        raise ValueError("an answer of Label Studio that is no choice and no rating; take the answers out")
    match answer.get("completed_by"):
        case {"email": who} | {"id": who} | who:
            return found | {"annotator": who}


def _argilla(answers: dict[str, list | None]) -> list[dict]:
    """The submitted answers of each person, by question."""
    people: dict[Any, dict] = {}
    for question, responses in answers.items():
        for i, one in enumerate(responses or ()):
            who = one.get("user_id")
            given = people.setdefault(i if who is None else who, {"annotator": who})
            given[question] = one.get("value") if one.get("status") in (None, "submitted") else None
    return [*people.values()]


def _prodigy(record: dict, options: list, chosen: list, answer: Any) -> dict[str, Any]:
    """The text or the id of the option that was chosen."""
    # A number may count the options: their texts say what was chosen
    words = {one.get("id"): one.get("text") for one in options if isinstance(one.get("id"), int)}
    chosen = [words.get(one) or one for one in chosen]
    rest = {key: value for key, value in record.items() if key not in ("options", "accept", "answer")}
    return rest | {"choice": _only(chosen) if answer == "accept" else None}
