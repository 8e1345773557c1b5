"""JSON Lines read as objects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from .errors import PairsError, excerpt
from .opening import HELD, load, not_utf8

__all__ = ["each_once", "json_objects", "parse_object"]


def json_objects(path: str | PathLike, max_unpacked: int = HELD) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the JSON object of each line, and the number of its line from 1; blank lines hold none.

    A `PairsError` names file, row and line where a line holds anything else.
    """
    for row, line in enumerate(load(path, max_unpacked=max_unpacked).split(b"\n"), 1):
        record, why = parse_object(line)
        if not why and rb"\ud" in line.lower() and not _is_unicode(json.dumps(record, ensure_ascii=False)):
            why = "holds surrogates that are no pair"
        if why:
            raise PairsError(f"{Path(path).name}, row {row}: {why}: {excerpt(line)}")
        if record:
            yield row, record


def parse_object(line: bytes) -> tuple[dict[str, Any] | None, str | None]:
    """Return (dict, None), or (None, what is wrong); a blank line alone gives an empty dict."""
    if not line.strip():
        return {}, None
    try:
        record = json.loads(line, object_pairs_hook=each_once)
    except UnicodeDecodeError as error:
        return None, not_utf8(error)
    except (ValueError, RecursionError) as error:
        return None, f"not JSON ({type(error).__name__ if isinstance(error, RecursionError) else error})"
    if not isinstance(record, dict):
        return None, "not a JSON object"
    return (record, None) if record else (None, "an object without keys")


def each_once(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dict of the items of a JSON object; ValueError where one key is there twice.

    >>> each_once([("a", 1), ("a", 2)])
    Traceback (most recent call last):
    ValueError: key 'a' is there twice
    """
    found = dict(items)
    if wrong := [key for key in found if not _is_unicode(key)]:
        raise ValueError(f"key {wrong[0]!r} holds half a surrogate pair")
    if len(found) < len(items):
        keys = [key for key, _ in items]
        raise ValueError(f"key {next(key for key in keys if keys.count(key) > 1)!r} is there twice")
    return found


def _is_unicode(text: str) -> bool:
    """Return True if a file can hold the text: JSON may name halves of surrogate pairs."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
