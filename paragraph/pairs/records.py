"""Records of JSON: each line or element, its place, and the flat records inside structured ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ..files.errors import excerpt
from ..files.json_lines import each_once, parse_object

#: Keys of texts that are paraphrases, or are not; and the two texts about which a chat model is asked.
EITHER = re.compile(r"(hard_)?(pos|neg|para)(itives?|atives?|phrases?)?(_\w+)?")
ASKED = re.compile(r"^\W*\w*? ?[1A][.):]\**\s*(.+?)\n\W*\w*? ?[2B][.):]\**\s*(.+?)(?=\n\n|\n\w+:|\Z)", re.M | re.S)

__all__ = ["elements", "flat", "flat_records"]


def elements(data: bytes) -> Iterator[tuple[int, int, Any, str]]:
    """Yield each record of JSON lines or of a JSON list: its start, its end, its value, and what is wrong with it.

    The line feed or the comma after a record belongs to it. Raises ValueError if a list is not JSON.

    >>> [*elements(b'[{"a": 1}, 2]')]
    [(1, 11, {'a': 1}, ''), (11, 12, 2, 'not a JSON object')]
    """
    head, start = data[: 1 << 20].lstrip(), 0
    if not re.match(rb"\[|\{[^\n]*(?<=[\[{,:])\s*\n", head) or re.match(rb"\[[^\n]*\]\s*\n\s*\[", head):
        for line in re.findall(rb"[^\n]*\n|[^\n]+", data):
            try:
                record, why = parse_object(line, lists=True), ""
            except ValueError as error:
                record, why = None, str(error)
            yield start, (start := start + len(line)), record, why
        return
    text, decoder = data.decode(), json.JSONDecoder(object_pairs_hook=each_once)
    mark = re.compile(r"\s*(,\s*|\]\s*\Z)" if head.startswith(b"[") else r"\s*((?=\{)|\Z)")
    at = re.match(r"\s*\[?\s*", text).end()
    start = len(text[:at].encode())
    while at < len(text):
        value, end = decoder.raw_decode(text, at)
        if not (found := mark.match(text, end)):
            raise ValueError(f"it neither goes on nor ends: char {end}")
        last = found[1][:1] != ","
        end = start + len(text[at : found.start(1) if last else found.end()].encode())
        yield start, end, value, "" if value and isinstance(value, dict | list) else "not a JSON object"
        start, at = end, found.end()


def flat_records(data: bytes) -> tuple[list[tuple[int, dict]], list[tuple[int, str, str]]]:
    """Read JSON Lines or a list as flat records, each with its row, and faults (row, value, and what is wrong).

    Raises ValueError or RecursionError if a list is not JSON.
    """
    records, faults = [], []
    for row, (start, end, record, why) in enumerate(elements(data), 1):
        if why:
            faults.append((row, excerpt(data[start:end].strip()), why))
        else:
            records += [(row, one) for one in flat(record)]
    return records, faults


def flat(record: dict | list) -> Iterator[dict]:
    """The flat records inside a record of JSON, of a table or of an annotation tool; names of nested keys have dots.

    >>> [*flat({"set": ["a", "b", "c"]})]
    [{'text_a': 'a', 'text_b': 'b', 'label': 1}, {'text_a': 'a', 'text_b': 'c', 'label': 1}]
    >>> [*flat({"query": "a", "pos": ["b"], "neg": ["x"]})]
    [{'text_a': 'a', 'text_b': 'b', 'label': 1}, {'text_a': 'a', 'text_b': 'x', 'label': 0}]
    >>> [*flat({"questions": {"text": ["a", "b"]}, "label": ["same"]})]
    [{'questions.text.0': 'a', 'questions.text.1': 'b', 'label': 'same'}]
    >>> answer = {"result": [{"value": {"choices": ["no"]}}], "completed_by": 7}
    >>> [*flat({"data": {"a": "x"}, "annotations": [answer]})]
    [{'a': 'x', 'choice': 'no', 'annotator': 7}]
    >>> [*flat(["a", "b", 1])]
    [{0: 'a', 1: 'b', 2: 1}]
    >>> [*flat({"messages": [{"content": "The same?\\n1. a\\n2. b"}, {"content": "no"}]})]
    [{'text_a': 'a', 'text_b': 'b', 'label': 'no'}]
    """
    match record:
        case list():
            yield dict(enumerate(record))
        case {"set": [first, *others]} if others:
            yield from (_pair(first, other, 1) for other in others)
        case {"messages": list(said)} | {"conversations": list(said)}:  # a chat
            said = [one.get("content", one.get("value")) for one in said if isinstance(one, dict)]
            asked, answer = [None, None, *said][-2:]
            found = ASKED.search(str(asked))
            yield _pair(*found.groups(), answer) if found else {"asked": asked, "answer": answer}
        case {"match": list(same), "distinct": list(others)}:  # dedupe
            for i, pair in enumerate([*same, *others]):
                match pair:
                    case {"__value__": [a, b, *_]} | [a, b, *_]:
                        yield _pair(_joined(a), _joined(b), int(i < len(same)))
                    case _:
                        yield _pair(None, None, 0)  # which is refused
        case {"annotations": list(answers), "data": dict(data)}:  # Label Studio
            yield from ({**_level(data), "choice": _choice(one), "annotator": _who(one)} for one in answers)
        case {"fields": dict(fields), "responses": dict(responses)}:  # Argilla
            for name, answers in responses.items():
                for one in answers:
                    yield {**_level(fields), name: one.get("value"), "annotator": one.get("user_id")}
        case _:
            yield from _other(record, [*record.values()])


def _other(record: dict, values: list) -> Iterator[dict]:
    """The flat records that an object holds by the looks of its keys and values."""
    nested = [key for key, value in record.items() if isinstance(value, dict | list)]
    if any(map(EITHER.fullmatch, nested)):
        query = next((record[key] for key in ("query", "anchor", "question", "text") if key in record), None)
        for key in filter(EITHER.fullmatch, record):
            texts = record[key] or []
            for text in texts if isinstance(texts, list) else [texts]:
                yield _pair(query, text.get("text") if isinstance(text, dict) else text, int("neg" not in key))
    elif len(nested) == len(record) > 1 and _alike(values):
        keys = range(len(values[0])) if isinstance(values[0], list) else values[0]
        if all(str(key).isdecimal() for key in keys):  # columns, as pandas and others write them
            yield from ({name: column[key] for name, column in record.items()} for key in keys)
        elif len(record) > 2:
            yield from ({"id": key, **_level(value)} for key, value in record.items())
        else:
            yield _level(record)
    elif asked := [key.removesuffix(".responses") for key in nested if key.endswith(".responses")]:
        for name in asked:  # Argilla's tables
            answers, who = (record.get(f"{name}.responses{end}") or [] for end in ("", ".users"))
            rest = {key: value for key, value in record.items() if not key.startswith(f"{name}.")}
            for i, answer in enumerate(answers):
                yield {**_level(rest), name: answer, "annotator": who[i] if i < len(who) else None}
    else:
        yield _level(record) if nested else record


def _pair(a: Any, b: Any, label: Any) -> dict[str, Any]:
    return {"text_a": a, "text_b": b, "label": label}


def _alike(values: list) -> bool:
    """Tell if all values are objects with the same keys, or lists of as many plain values."""
    if all(isinstance(value, list) for value in values):
        return len({*map(len, values)}) == 1 and not any(isinstance(one, dict | list) for one in values[0])
    return all(isinstance(value, dict) and value.keys() == values[0].keys() for value in values)


def _joined(record: Any) -> Any:
    """The values of a record in one line."""
    return ", ".join(str(value) for value in record.values() if value) if isinstance(record, dict) else record


def _level(record: dict, before: str = "") -> dict:
    found: dict[str, Any] = {}
    two = not any(" " in value for value in record.values() if isinstance(value, str))
    for key, value in record.items():
        if isinstance(value, dict):
            found |= _level(value, f"{before}{key}.")
        elif isinstance(value, list) and len(value) < 2:
            found[f"{before}{key}"] = value[0] if value else None
        elif isinstance(value, list) and len(value) == 2 and (before or (two and isinstance(value[0], str))):
            found |= {f"{before}{key}.{i}": each for i, each in enumerate(value)}
        else:
            found[f"{before}{key}"] = value
    return found


def _choice(answer: dict) -> Any:
    """The first choice in an annotation of Label Studio; or None."""
    for part in answer.get("result", ()):
        match part:
            case {"value": {"choices": [choice, *_]}}:
                return choice
    return None


def _who(answer: dict) -> Any:
    match answer.get("completed_by"):
        case {"email": who} | {"id": who} | who:
            return who
