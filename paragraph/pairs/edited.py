"""Records of JSON and of Parquet, changed in place: all else stays as it was."""

from __future__ import annotations

import io
import json
import re
from functools import reduce
from operator import getitem
from typing import Any

import pyarrow as pa

from ..files.json_edit import REMOVED, edit_json, element_spans, remove_elements
from ..files.json_lines import is_lines
from .nested import path_of
from .source import Edits

__all__ = ["edited_json", "edited_parquet"]


def _changes(record: Any, cells: dict[Any, str | None]) -> dict[tuple, Any]:
    """The new values in a record, by their paths, each of the kind that it replaces."""
    changes = {}
    for cell, word in cells.items():
        path = cell if isinstance(cell, tuple) else path_of(record, cell)
        if word is not None:
            old = reduce(getitem, path, record) if path else None
            changes[path or (cell,)] = _like(word, old)
        elif isinstance(cell, tuple):
            changes[path] = REMOVED
        else:
            changes[path] = None
    return changes


def _like(word: str, old: Any = None) -> Any:
    """A word of the file as a value of the kind that it replaces; as a number, if there was none."""
    if isinstance(old, list):
        return [_like(word, *old[:1])]
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
        elif row in edits.cells:
            record = edit_json(record, _changes(json.loads(record), edits.cells[row]))
        if row not in edits.gone or not lines:
            kept.append(record)
    content = "".join([*kept, text[end:]])
    apart = "".join(left)
    if not lines:
        content = remove_elements(content, element_spans(content), [row - 1 for row in edits.gone])
        apart = "[\n" + ",\n".join(left) + "\n]\n"
    return content.encode("utf-8", "surrogateescape"), apart.encode("utf-8", "surrogateescape")


def edited_parquet(data: bytes, edits: Edits) -> tuple[bytes, bytes]:
    """The bytes of a Parquet file with changes, and those of the records that leave."""
    import pyarrow.parquet as pq

    table = pq.read_table(pa.BufferReader(data))
    records = table.to_pylist()
    schema = table.schema
    for row, cells in edits.cells.items():
        _change(records[row - 1], _changes(records[row - 1], cells))
    if edits.added is not None:
        words = pa.array([record.get(edits.added) for record in records])
        schema = schema.append(pa.field(edits.added, words.type))
    kept = [record for row, record in enumerate(records, 1) if row not in edits.gone]
    left = [records[row - 1] for row in sorted(edits.gone)]
    contents = []
    for some in (kept, left):
        out = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(some, schema), out, write_page_checksum=True)
        contents.append(out.getvalue())
    return contents[0], contents[1]


def _change(record: Any, changes: dict[tuple, Any]) -> None:
    """Set values in a record, or take them out of their lists, the last one first."""
    for path in sorted(changes, key=lambda path: str(path[-1]).zfill(9), reverse=True):
        inside = reduce(getitem, path[:-1], record)
        if changes[path] is REMOVED:
            del inside[path[-1]]
        else:
            inside[path[-1]] = changes[path]
