"""JSON changed in place: keys, order, numbers and white space of everything else stay as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from json.decoder import scanstring
from typing import Any

__all__ = ["REMOVED", "edited", "element_spans", "without"]

#: The new value of an element of a list that is to be taken out.
REMOVED = object()
#: From the record to a value: keys of objects, positions in lists.
Path = tuple[str | int, ...]
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def edited(text: str, changes: Mapping[Path, Any]) -> str:
    """The text of a JSON value with some values inside it replaced, added as last keys, or taken out of lists.

    >>> edited('{"a": {"n": 1.50, "same": 0}, "ids": [1, 2]}', {("a", "same"): 1, ("ids", 0): REMOVED, ("b",): "x"})
    '{"a": {"n": 1.50, "same": 1}, "ids": [2], "b": "x"}'
    """
    splices = sorted(_splices(text, _blank(text, 0), changes, text.isascii()))
    parts, at = [], 0
    for start, end, new in splices:
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


def element_spans(text: str) -> list[tuple[int, int]]:
    """The start and the end of each element of a list, or of each value of a text."""
    at = _blank(text, 0)
    if text[at : at + 1] == "[":
        return [(start, end) for _, start, end in _members(text, at)]
    spans = []
    while at < len(text):
        _, end = _DECODER.raw_decode(text, at)
        spans.append((at, end))
        at = _blank(text, end)
    return spans


def without(text: str, spans: list[tuple[int, int]], out: Iterable[int]) -> str:
    """The text of a list, or of values, without the elements at some positions.

    >>> without("[1, 2, 3]", [(1, 2), (4, 5), (7, 8)], [2])
    '[1, 2]'
    """
    parts, at = [], 0
    for start, end in _gaps(spans, {*out}):
        parts.append(text[at:start])
        at = end
    return "".join([*parts, text[at:]])


def _gaps(spans: list[tuple[int, int]], out: set[int]) -> Iterator[tuple[int, int]]:
    """The spans to cut so that some elements are gone: each with the comma after it, or before it at the end."""
    stay = [i for i in range(len(spans)) if i not in out]
    for i in sorted(out):
        if stay and i > stay[-1]:
            yield spans[i - 1][1], spans[i][1]
        else:
            yield spans[i][0], spans[i + 1][0] if i + 1 < len(spans) else spans[i][1]


def _splices(text: str, at: int, changes: Mapping[Path, Any], ascii_only: bool) -> Iterator[tuple[int, int, str]]:
    inside: dict[str | int, dict[Path, Any]] = {}
    for path, value in changes.items():
        inside.setdefault(path[0], {})[path[1:]] = value
    members = list(_members(text, at))
    removed = [i for i, (key, *_) in enumerate(members) if inside.get(key, {}).get(()) is REMOVED]
    for start, end in _gaps([(start, end) for _, start, end in members], {*removed}):
        yield start, end, ""
    for key, start, end in members:
        below = inside.pop(key, None)
        if below is None or below.get((), None) is REMOVED:
            continue
        if () in below:
            yield start, end, json.dumps(below[()], ensure_ascii=ascii_only)
        else:
            yield from _splices(text, start, below, ascii_only)
    last = members[-1][2] if members else at + 1
    comma = ", " if members else ""
    for key, below in inside.items():
        value = json.dumps(below[()], ensure_ascii=ascii_only)
        named = f"{json.dumps(key, ensure_ascii=ascii_only)}: {value}" if isinstance(key, str) else value
        yield last, last, comma + named
        comma = ", "


def _members(text: str, at: int) -> Iterator[tuple[str | int, int, int]]:
    """The key, or the position, of each value in an object or a list, with its start and its end."""
    is_object = text[at] == "{"
    at, count = _blank(text, at + 1), 0
    while text[at] not in "}]":
        key: str | int = count
        if is_object:
            key, at = scanstring(text, at + 1)
            at = _blank(text, _blank(text, at) + 1)
        _, end = _DECODER.raw_decode(text, at)
        yield key, at, end
        at, count = _blank(text, end), count + 1
        if text[at] == ",":
            at = _blank(text, at + 1)


def _blank(text: str, at: int) -> int:
    return _BLANK.match(text, at).end()
