"""JSON: lines of one object each, and lists; no key twice, no half of a surrogate pair."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from .content import BOM, HELD, load, not_utf8
from .errors import PairsError, excerpt

__all__ = [
    "each_once",
    "elements",
    "is_lines",
    "is_unicode",
    "json_lines",
    "json_objects",
    "parse_object",
]


def json_objects(path: str | PathLike) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number of each line, from 1, and its JSON object; `PairsError` names a line without one."""
    for row, (line, record) in enumerate(json_lines(load(path, most=HELD), dict), 1):
        if rb"\ud" in line.lower() and not is_unicode(
            json.dumps(record, ensure_ascii=False, default=str)
        ):
            record = ValueError("holds surrogates that are no pair")
        if isinstance(record, ValueError):
            raise PairsError(f"{Path(path).name}, row {row}: {record}: {excerpt(line)}")
        if record:
            yield row, record


def parse_object(line: bytes, kind: type | tuple[type, ...] = dict) -> Any:
    """Return the JSON value of a kind in a line, or an empty dict for a blank line; ValueError says what is wrong."""
    if not line.strip():
        return {}
    try:
        text = line.removeprefix(BOM).decode()  # of bytes, `loads` takes halves of pairs
        record = json.loads(text, object_pairs_hook=each_once)
    except UnicodeDecodeError as error:
        raise ValueError(not_utf8(error)) from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON ({error})") from None
    if record == {}:
        raise ValueError("an object without keys")
    if not isinstance(record, kind) or not record:
        raise ValueError("not a JSON object")
    return record


def each_once(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dict from the items of a JSON object; ValueError if a key occurs twice.

    >>> each_once([("a", 1), ("a", 2)])
    Traceback (most recent call last):
    ValueError: key 'a' is there twice
    """
    found = {}
    for key, value in items:
        if key in found:
            raise ValueError(f"key {key!r} is there twice")
        if not is_unicode(key):
            raise ValueError(f"key {key!r} holds half a surrogate pair")
        found[key] = value
    return found


def is_unicode(text: str) -> bool:
    """Return True if a file can hold the text: JSON may name halves of surrogate pairs."""
    return text.isascii() or not re.search("[\ud800-\udfff]", text)


def json_lines(
    data: bytes, kind: type | tuple[type, ...] = (dict, list)
) -> Iterator[tuple[bytes, Any]]:
    """Yield each line and its value, a ValueError if something is wrong with it; a blank line is an empty object."""
    for line in re.findall(rb"[^\n]*\n|[^\n]+", data):
        try:
            yield line, parse_object(line, kind)
        except ValueError as error:
            yield line, error


def is_lines(data: bytes) -> bool:
    """Tell JSON Lines, also of lists of texts, from a list, or objects over several lines."""
    head = data[: 1 << 20].lstrip()
    whole = re.match(rb"\[|\{[^\n]*(?<=[\[{,:])\s*\n", head)
    return not whole or bool(re.match(rb"\[\s*\"|\[[^\n]*\]\s*\n\s*\[", head))


def elements(text: str) -> Iterator[Any]:
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
