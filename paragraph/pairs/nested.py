"""The flat records inside structured ones: sets, queries with their texts, exports of annotation tools."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ..files.errors import excerpt
from ..files.json_lines import elements, is_lines, json_lines
from .unknown import may_label

__all__ = ["CHOICE", "flat", "flat_of", "flat_records"]

#: Keys of a text, and of lists of its paraphrases and of texts that are none.
QUERY = ("query", "anchor", "question", "text", "sentence")
LISTS = {"pos": 1, "positive": 1, "positives": 1, "paraphrases": 1}
LISTS |= {"neg": 0, "negative": 0, "negatives": 0, "hard_negatives": 0}
#: What stands before the name of a question in the column of its answers.
CHOICE = "choice of "
#: A record that cannot be read: its row, its beginning, and what is wrong with it.
Fault = tuple[int, str, str]


def flat(record: dict | list) -> Iterator[dict]:
    """The flat records inside a record of JSON, of a table or of an annotation tool; names of nested keys have dots.

    ValueError says what is wrong with a record that looks like a known layout and is none.

    >>> [*flat({"set": ["a", "b", "c"]})]
    [{'text_a': 'a', 'text_b': 'b', 'label': 1}, {'text_a': 'a', 'text_b': 'c', 'label': 1}]
    >>> [*flat({"set": {"query": "a", "pos": ["b"], "neg": ["x"]}})]
    [{'text_a': 'a', 'text_b': 'b', 'label': 1}, {'text_a': 'a', 'text_b': 'x', 'label': 0}]
    >>> [*flat({"data": {"a": "x"}, "id": [1, 2]})], [*flat(["a", "b", 1])]
    ([{'data.a': 'x', 'id': [1, 2]}], [{0: 'a', 1: 'b', 2: 1}])
    >>> answer = {"result": [{"from_name": "same", "value": {"choices": ["no"]}}], "completed_by": 7}
    >>> [*flat({"data": {"a": "x"}, "annotations": [answer, answer | {"was_cancelled": True}]})]
    [{'a': 'x', 'choice of same': 'no', 'annotator': 7}, {'a': 'x', 'choice of same': None, 'annotator': 7}]
    """
    match record:
        case list():
            yield dict(enumerate(record))
        case {"set": dict() as inside} if len(record) == 1:
            yield from flat(inside)
        case {"set": list() as texts}:
            _alone(record, {"set"}, "a set")
            if len(texts) < 2:
                raise ValueError(f"a set of {len(texts)}: a pair needs two texts")
            yield from (_pair(texts[0], other, 1) for other in texts[1:])
        case {"questions": {"text": [a, b], **rest}}:
            ids = dict(zip(("id_a", "id_b"), rest.get("id", ()), strict=False))
            yield {"text_a": a, "text_b": b} | ids | level({k: v for k, v in record.items() if k != "questions"})
        case {"annotations": list() as answers, "data": dict() as data}:  # Label Studio
            yield from (level(data) | _chosen(one) for one in answers or [{}])
        case {"fields": dict() as fields, "responses": dict() | None as responses}:  # Argilla
            yield from _answered(level(fields), {} if record.get("status") == "discarded" else responses or {})
        case {"options": list() as options, "accept": list() as chosen, "answer": answer}:  # Prodigy
            # A number may count the options: their texts say what was chosen
            words = {one.get("id"): one.get("text") for one in options if isinstance(one.get("id"), int)}
            chosen = [words.get(one) or one for one in chosen]
            rest = {key: value for key, value in record.items() if key not in ("options", "accept", "answer")}
            yield level(rest) | {"choice": (_only(chosen) if answer == "accept" else None)}
        case _:
            query = next((key for key in QUERY if isinstance(record.get(key), str)), None)
            texts = {key: record[key] for key in LISTS if key in record}
            if query and any(isinstance(value, list) for value in texts.values()):
                _alone(record, {query, *texts}, "a query")
                for key, some in texts.items():
                    for text in some if isinstance(some, list) else [some]:
                        yield _pair(record[query], text.get("text") if isinstance(text, dict) else text, LISTS[key])
            else:
                yield level(record) if any(isinstance(value, dict) for value in record.values()) else record


def _pair(a: Any, b: Any, label: int) -> dict[str, Any]:
    return {"text_a": a, "text_b": b, "label": label}


def _alone(record: dict, known: set, what: str) -> None:
    """Refuse a key beside texts whose place gives the label, if its name or its value may be a label, too."""
    for key in record.keys() - known:
        values = record[key] if isinstance(record[key], list) else [record[key]]
        if not key.startswith(("pos_", "neg_")) and (may_label(key, []) or may_label(key, values)):
            raise ValueError(
                f"{key!r} beside {what}, in which the place of a text is its label; take one of them out"
            )


def _only(values: list) -> Any:
    """The only value of a list, or the list."""
    return values[0] if len(values) == 1 else values or None


def _chosen(answer: dict) -> dict[str, Any]:
    """The choices in an annotation of Label Studio, by the names of their questions; None where it was withdrawn."""
    out = answer.get("was_cancelled") or answer.get("skipped")
    result = answer.get("result") or ()
    parts = [part for part in result if "choices" in (part.get("value") or {})]
    if result and not parts:
        raise ValueError("an answer of Label Studio that is no choice; export choices, or take the answers out")
    found = {f"{CHOICE}{part.get('from_name')}": None if out else _only(part["value"]["choices"]) for part in parts}
    match answer.get("completed_by"):
        case {"email": who} | {"id": who} | who:
            return found | {"annotator": who}


def _answered(fields: dict, answers: dict[str, list | None]) -> Iterator[dict]:
    """One record per person of Argilla, with the submitted answer to each question."""
    people: dict[Any, dict] = {}
    for name, said in answers.items():
        for i, one in enumerate(said or ()):
            who = one.get("user_id")
            given = people.setdefault(i if who is None else who, {"annotator": who})
            given[name] = one.get("value") if one.get("status") in (None, "submitted") else None
    yield from (fields | given for given in (people.values() or [{"annotator": None}]))


def level(record: dict, before: str = "") -> dict:
    """The record with dotted names for nested keys; lists stay. A class of SageMaker's is called by its name."""
    found: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, dict):
            found |= level(value, f"{before}{key}.")
        else:
            found[f"{before}{key}"] = value
    for key in [key for key in found if key.endswith("-metadata.class-name")]:
        found[key.removesuffix("-metadata.class-name")] = found.pop(key)
    return found


# ---------------------------------------------------------------- of a file


def flat_records(data: bytes) -> tuple[list[tuple[int, dict]], list[Fault]]:
    """Read JSON Lines or a list as flat records, each with its row, and faults.

    Raises ValueError or RecursionError if a list is not JSON.
    """
    if is_lines(data):
        return flat_of((row, record, line) for row, (line, record) in enumerate(json_lines(data), 1))
    return flat_of(enumerate(elements(data.decode()), 1))


def flat_of(records: Iterable[tuple]) -> tuple[list[tuple[int, dict]], list[Fault]]:
    """The flat records of structured ones, each with its row, and faults.

    They are given as (row, record), or as `json_lines` gives them, with their row and their line.
    """
    found, faults = [], []
    for row, record, *line in records:
        before = len(found)
        try:
            if isinstance(record, ValueError):
                raise record
            if not isinstance(record, dict | list) or record == []:
                raise ValueError("not a JSON object")
            found += ((row, one) for one in flat(record))
            if len(found) == before:
                raise ValueError("holds no pair")
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            del found[before:]
            why = str(error) if type(error) is ValueError else f"not as its layout is: {error}"
            text = line[0] if line else json.dumps(record, ensure_ascii=False, default=str).encode("utf-8", "replace")
            faults.append((row, excerpt(text.strip()), why))
    return found, faults
