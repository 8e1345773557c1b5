"""The flat records inside structured ones, each with its place there: sets, queries, exports of tools."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..files.errors import excerpt
from .tables import DECIDED
from .tools import tool_records

__all__ = ["Flat", "flat", "flat_of", "path_of"]

#: Keys of a text, and of lists of its paraphrases (1) and of texts that are none (0).
QUERY = ("query", "anchor", "question", "text", "sentence")
LISTS = {"pos": 1, "positive": 1, "positives": 1, "paraphrases": 1}
LISTS |= {"neg": 0, "negative": 0, "negatives": 0, "hard_negatives": 0}
#: Keys that may stand beside a set or a query, as FlagEmbedding documents them; any other is refused.
BESIDE = {"id", "prompt", "type", "pos_scores", "neg_scores", "pos_id", "neg_id"}
#: A record that cannot be read: its row, its beginning, and what is wrong with it.
Fault = tuple[int, str, str]


class Flat(NamedTuple):
    """A flat record inside a structured one."""

    values: dict  #: by the names of columns
    #: The path, in the structured record, of a text whose place is its label; else empty.
    place: tuple = ()
    row: int = 0  #: the place of the structured record in the source
    #: Whether it is the structured record itself, with its values under their keys.
    own: bool = True


def flat(record: dict | list) -> Iterator[Flat]:
    """The flat records inside a record of JSON, of a table or of an annotation tool; names of nested keys have dots.

    ValueError says what is wrong with a record that only looks like one of a known layout.

    >>> for one in [*flat({"set": ["a", "b"]}), *flat({"query": "a", "neg": ["x"]})]:
    ...     print(one.values, one.place)
    {'text_a': 'a', 'text_b': 'b', 'label': 1} ('set', 1)
    {'text_a': 'a', 'text_b': 'x', 'label': 0} ('neg', 0)
    >>> [one.values for one in flat({"data": {"a": "x"}, "id": [1, 2]})], [one.values for one in flat(["a", "b", 1])]
    ([{'data.a': 'x', 'id': [1, 2]}], [{0: 'a', 1: 'b', 2: 1}])
    """
    if isinstance(record, list):
        yield Flat(dict(enumerate(record)))
        return
    answers = tool_records(record)
    query = next((key for key in QUERY if isinstance(record.get(key), str)), "set")
    lists = {key: label for key, label in LISTS.items() if key in record}
    if isinstance(record.get("set"), list):
        lists = {"set": 1}
    if answers is not None:
        decided = {key: record[key] for key in record if key == DECIDED}
        for values in answers:
            yield Flat(_level(values) | decided, own=False)
    elif query in record and any(isinstance(record[key], list) for key in lists):
        yield from _members(record, query, lists)
    else:
        yield Flat(_level(record))


def _members(record: dict, query: str, lists: dict[str, int]) -> Iterator[Flat]:
    """The pairs of a text, or of the first one of a set, with the texts of lists, whose keys give the labels."""
    for key in record.keys() - lists.keys() - {query} - BESIDE:
        raise ValueError(
            f"{key!r} beside a set or a query, where the place of a text is its label; take one out"
        )
    for key, label in lists.items():
        texts = {(key,): record[key]}
        if isinstance(record[key], list):
            texts = {(key, i): text for i, text in enumerate(record[key])}
        first = record[query]
        if key == query and texts:
            first = texts.pop((key, 0))
        for place, text in texts.items():
            if text is not None or len(place) > 1:
                yield Flat({"text_a": first, "text_b": text, "label": label}, place)


def _level(record: dict, before: str = "") -> dict:
    """The record with dotted names for nested keys; lists stay."""
    values: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, dict):
            inner = _level(value, f"{before}{key}.")
            for name in inner.keys() & (values.keys() | record.keys()):
                raise ValueError(
                    f"{name!r} names two values: one by a key with a dot, one by keys in keys"
                )
            values |= inner
        else:
            values[f"{before}{key}"] = value
    return values


def path_of(record: Any, name: Any) -> tuple | None:
    """The keys that lead to the value of a column (`flat`) in a record; None if no value has exactly this name.

    >>> path_of({"a": {"b.c": 1}}, "a.b.c"), path_of(["x", 1], 1), path_of({"a": 1}, "b")
    (('a', 'b.c'), (1,), None)
    """
    for key, value in record.items() if isinstance(record, dict) else enumerate(record):
        if key == name and not isinstance(value, dict):
            return (key,)
        if isinstance(value, dict) and str(name).startswith(f"{key}."):
            below = path_of(value, str(name).removeprefix(f"{key}."))
            if below:
                return (key, *below)
    return None


def flat_of(records: Iterable[tuple[bytes, Any]]) -> tuple[list[Flat], list[Fault]]:
    """The flat records of structured ones, each given as (text if known, record or ValueError); and the faults."""
    flat_records = []
    faults = []
    for row, (text, record) in enumerate(records, 1):
        before = len(flat_records)
        try:
            if isinstance(record, ValueError):
                raise record
            if record == [] or not isinstance(record, dict | list):
                raise ValueError("not a JSON object")
            flat_records += [one._replace(row=row) for one in flat(record)]
            if len(flat_records) == before:
                raise ValueError("holds no pair")
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            why = str(error)
            if type(error) is not ValueError:
                why = f"not as its layout is: {error}"
            if not text:
                spelled = json.dumps(record, ensure_ascii=False, default=str)
                text = spelled.encode("utf-8", "replace")
            faults.append((row, excerpt(text.strip()), why))
    return flat_records, faults
