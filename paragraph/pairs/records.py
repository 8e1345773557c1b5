"""Structured records as a source, of JSON or of a table with nested columns; JSON changed in place."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import getitem
from typing import Any

import numpy as np

from ..files.errors import PairsError
from ..files.json_edit import REMOVED, edited, element_spans, without
from ..files.json_lines import elements, is_lines, json_lines
from .nested import flat_of, path_of
from .source import FIRST, Edits, Source, Values

__all__ = ["Records", "changes_in", "of_json", "of_records"]


@dataclass(frozen=True)
class Records(Source):
    """Flat records (`nested.Flat`); `content` are the bytes of a file of JSON or Parquet."""

    flat: Sequence = ()
    faults: Sequence = ()

    @property
    def about(self) -> str:
        return " (JSON)" if self.kind == "jsonl" else ""

    @property
    def places(self) -> list[tuple]:
        return [one.place for one in self.flat]

    @property
    def single(self) -> bool:
        return len({one.row for one in self.flat}) == len(self.flat) and all(one.own for one in self.flat)

    def read(self, names: Sequence) -> Values:
        columns = [[one.values.get(name) for one in self.flat] for name in names]
        return Values(columns, np.array([one.row for one in self.flat], np.int64), self.faults)

    def first(self) -> dict[Any, Sequence]:
        return {name: [one.values.get(name) for one in islice(self.flat, FIRST)] for name in self.names}

    def edited(self, edits: Edits) -> tuple[bytes, bytes]:
        if self.kind == "parquet":
            from .columns import edited_parquet

            return edited_parquet(self.content, edits)
        return edited_json(self.content, edits)


def of_json(name: str, data: bytes) -> Records:
    """Open JSON Lines or a list."""
    try:
        if is_lines(data):
            records = [(row, line, record) for row, (line, record) in enumerate(json_lines(data), 1)]
        else:
            records = [(row, b"", record) for row, record in enumerate(elements(data.decode()), 1)]
    except (ValueError, RecursionError) as error:
        raise PairsError(f"{name}: not JSON ({error})") from None
    return of_records(name, "jsonl", records, data)


def of_records(name: str, kind: str, records: Sequence, content: Any = None) -> Records:
    """Open structured records, as `nested.flat_of` takes them; the names are those of all of them."""
    flat, faults = flat_of(records)
    names: dict[Any, None] = {}
    for one in flat:
        names |= dict.fromkeys(one.values)
    if not names and faults:
        raise PairsError(f"{name}, row {faults[0][0]}: {faults[0][2]}")
    return Records(name, kind, tuple(names), content, flat=flat, faults=faults)


def changes_in(record: Any, cells: dict[Any, str | None]) -> dict[tuple, Any]:
    """The new values in a record, by their paths, each of the kind that it replaces."""
    changes = {}
    for cell, word in cells.items():
        path = cell if isinstance(cell, tuple) else path_of(record, cell)
        if word is not None:
            old = reduce(getitem, path, record) if path else None
            changes[path or (cell,)] = _like(word, old)
        elif len(path) > 1:
            changes[path] = REMOVED
        else:
            changes[path] = None
    return changes


def _like(word: str, old: Any) -> Any:
    """A word of the file as a value of the kind that it replaces; as a number, if there was none."""
    if isinstance(old, list):
        return [_like(word, *old[:1])] if old else [word]
    if isinstance(old, bool):
        return word in ("1", "true")
    if old is None and word in ("0", "1"):
        return int(word)
    if isinstance(old, int | float):
        return type(old)(float(word))
    return word


def edited_json(data: bytes, edits: Edits) -> tuple[bytes, bytes]:
    """The content of a file with changes, and that of the records that leave; all else byte for byte."""
    text = data.decode("utf-8", "surrogateescape")  # a line that is no JSON stays as it is
    lines = is_lines(data)
    spans = [line.span() for line in re.finditer("[^\n]*\n|[^\n]+", text)] if lines else element_spans(text)
    kept = []
    left = []
    end = 0
    for row, (start, stop) in enumerate(spans, 1):
        record = text[start:stop]
        kept.append(text[end:start])
        end = stop
        if row in edits.gone:
            left.append(record)
            if lines:
                continue
        elif row in edits.cells:
            record = edited(record, changes_in(json.loads(record), edits.cells[row]))
        kept.append(record)
    content = "".join([*kept, text[end:]])
    apart = "".join(left)
    if not lines:
        gone = [row - 1 for row in edits.gone]
        content = without(content, element_spans(content), gone) if gone else content
        apart = "[\n" + ",\n".join(left) + "\n]\n"
    return content.encode("utf-8", "surrogateescape"), apart.encode("utf-8", "surrogateescape")
