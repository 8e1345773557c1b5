"""Structured records as a source, of JSON or of a table with nested columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ..files.errors import PairsError
from ..files.json_lines import elements, is_lines, json_lines
from .edited import edited_json, edited_parquet
from .nested import flat_of
from .source import FIRST, Edits, Source, Values

__all__ = ["Records", "of_json", "of_records"]


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
        edit = edited_parquet if self.kind == "parquet" else edited_json
        return edit(self.content, edits)


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
