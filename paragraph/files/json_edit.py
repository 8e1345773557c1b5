"""JSON changed in place: keys, order, numbers and white space of everything else stay as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from json.decoder import scanstring
from typing import Any

__all__ = ["REMOVED", "edit_json", "element_spans", "remove_elements"]

#: The new value of an element of a list that is to be taken out.
REMOVED = object()
#: From the record to a value: keys of objects, positions in lists.
Path = tuple[str | int, ...]
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def edit_json(text: str, changes: Mapping[Path, Any]) -> str:
    """Replace values inside a JSON value, add them as last keys, or take them out of lists; return its text.

    >>> changes = {("a", "same"): 1, ("ids", 0): REMOVED, ("b",): "x"}
    >>> edit_json('{"a": {"n": 1.50, "same": 0}, "ids": [1, 2]}', changes)
    '{"a": {"n": 1.50, "same": 1}, "ids": [2], "b": "x"}'
    """
    dump = partial(json.dumps, ensure_ascii=text.isascii())
    return _spliced(text, _splices(text, _blank(text, 0), changes, dump))


def element_spans(text: str) -> list[tuple[int, int]]:
    """The start and the end of each element of a list, or of each value of a text."""
    at = _blank(text, 0)
    if text[at : at + 1] == "[":
        return [*_members(text, at).values()]
    spans = []
    while at < len(text):
        _, end = _DECODER.raw_decode(text, at)
        spans.append((at, end))
        at = _blank(text, end)
    return spans


def remove_elements(text: str, spans: list[tuple[int, int]], out: Iterable[int]) -> str:
    """Take the elements at some positions out of the text of a list, or of values.

    >>> remove_elements("[1, 2, 3]", [(1, 2), (4, 5), (7, 8)], [2])
    '[1, 2]'
    """
    return _spliced(text, _gaps(spans, {*out}))


def _spliced(text: str, splices: Iterable[tuple[int, int, str]]) -> str:
    """The text with other texts between some starts and ends."""
    parts = []
    at = 0
    for start, end, new in sorted(splices):
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


def _gaps(spans: list[tuple[int, int]], out: set[int]) -> Iterator[tuple[int, int, str]]:
    """Splices that take elements out: each with the comma after it, or before it at the end."""
    last = max({*range(len(spans))} - out, default=len(spans))
    for i in out:
        start, end = spans[i]
        if i > last:
            start = spans[i - 1][1]
        elif i + 1 < len(spans):
            end = spans[i + 1][0]
        yield start, end, ""


def _splices(
    text: str, at: int, changes: Mapping[Path, Any], dump: Callable[[Any], str]
) -> Iterator[tuple[int, int, str]]:
    """Splices that make the changes in the value that begins at a place."""
    inside = {}
    for path, value in changes.items():
        inside.setdefault(path[0], {})[path[1:]] = value
    spans = _members(text, at)
    removed = {i for i, key in enumerate(spans) if inside.get(key, {}).get(()) is REMOVED}
    yield from _gaps([*spans.values()], removed)
    for key, (start, end) in spans.items():
        below = inside.pop(key, {})
        if () not in below:
            if below:
                yield from _splices(text, start, below, dump)
        elif below[()] is not REMOVED:
            yield start, end, dump(below[()])
    new = []
    for key, below in inside.items():
        name = f"{dump(key)}: " if isinstance(key, str) else ""
        new.append(name + dump(below[()]))
    last = at + 1
    if spans:
        _, last = [*spans.values()][-1]
        new.insert(0, "")  # a comma follows it
    if inside:
        yield last, last, ", ".join(new)


def _members(text: str, at: int) -> dict[str | int, tuple[int, int]]:
    """The start and the end of each value in an object or a list, by its key or its position."""
    is_object = text[at] == "{"
    spans = {}
    at = _blank(text, at + 1)
    while text[at] not in "}]":
        key = len(spans)
        if is_object:
            key, at = scanstring(text, at + 1)
            at = _blank(text, _blank(text, at) + 1)
        _, end = _DECODER.raw_decode(text, at)
        spans[key] = at, end
        at = _blank(text, end)
        if text[at] == ",":
            at = _blank(text, at + 1)
    return spans


def _blank(text: str, at: int) -> int:
    """The end of the white space at a place."""
    return _BLANK.match(text, at).end()
