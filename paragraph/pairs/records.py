"""Records of JSON: each line or element, its place, and the flat records inside structured ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..files.errors import excerpt
from ..files.json_lines import each_once, parse_object
from .nested import flat

__all__ = ["flat_of", "flat_records", "is_lines", "json_lines"]

#: A record that cannot be read: its row, its beginning, and what is wrong with it.
Fault = tuple[int, str, str]


def json_lines(data: bytes) -> Iterator[tuple[bytes, Any, str]]:
    """Yield each line, its value, and what is wrong with it; a blank line is an empty object."""
    for line in re.findall(rb"[^\n]*\n|[^\n]+", data):
        try:
            yield line, parse_object(line, lists=True), ""
        except ValueError as error:
            yield line, None, str(error)


def is_lines(data: bytes) -> bool:
    """Tell JSON Lines, also of lists of texts, from a list, or objects over several lines."""
    head = data[: 1 << 20].lstrip()
    whole = re.match(rb"\[|\{[^\n]*(?<=[\[{,:])\s*\n", head)
    return not whole or bool(re.match(rb"\[\s*\"|\[[^\n]*\]\s*\n\s*\[", head))


def _elements(text: str) -> Iterator[Any]:
    """The elements of a list of JSON, or the objects of a text; ValueError if it is not JSON."""
    decoder = json.JSONDecoder(object_pairs_hook=each_once)
    if text.lstrip().startswith("["):
        yield from decoder.decode(text)
        return
    at = len(text) - len(text.lstrip())
    while at < len(text):
        value, end = decoder.raw_decode(text, at)
        yield value
        at = re.compile(r"\s*").match(text, end).end()


def flat_records(data: bytes) -> tuple[list[tuple[int, dict]], list[Fault]]:
    """Read JSON Lines or a list as flat records, each with its row, and faults.

    Raises ValueError or RecursionError if a list is not JSON.
    """
    if not is_lines(data):
        return flat_of(enumerate(_elements(data.decode()), 1))
    bad: list[Fault] = []

    def good() -> Iterator[tuple[int, Any]]:
        for row, (line, record, why) in enumerate(json_lines(data), 1):
            if why:
                bad.append((row, excerpt(line.strip()), why))
            else:
                yield row, record

    records, faults = flat_of(good())
    return records, sorted(faults + bad)


def flat_of(records: Iterable[tuple[int, Any]]) -> tuple[list[tuple[int, dict]], list[Fault]]:
    """The flat records of structured ones, each with its row, and faults."""
    found, faults = [], []
    for row, record in records:
        before = len(found)
        try:
            if not isinstance(record, dict | list) or record == []:
                raise ValueError("not a JSON object")
            found += ((row, one) for one in flat(record))
            if len(found) == before:
                raise ValueError("holds no pair")
        except ValueError as error:
            del found[before:]
            text = json.dumps(record, ensure_ascii=False, default=str).encode("utf-8", "replace")
            faults.append((row, excerpt(text), str(error)))
    return found, faults
