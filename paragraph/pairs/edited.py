"""Records of JSON and of Parquet, changed in place: all else stays as it was."""

from __future__ import annotations

import io
import json
import re
from functools import reduce
from operator import getitem
from typing import Any

import pyarrow as pa

from ..files.json_edit import REMOVED, edited, element_spans, without
from ..files.json_lines import is_lines
from .nested import path_of
from .source import Edits

__all__ = ["edited_json", "edited_parquet"]


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


def edited_parquet(data: bytes, edits: Edits) -> tuple[bytes, bytes]:
    """The bytes of a Parquet file with changes, and those of the records that leave."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pa.BufferReader(data))
    table = file.read()
    if not edits.cells and not edits.gone:
        return data, _parquet_bytes(table[:0], file)
    records = table.to_pylist()
    for row, cells in edits.cells.items():
        record = records[row - 1]
        changes = changes_in(record, cells)
        for path in sorted(changes, key=_last_first):
            _set(record, path, changes[path])
    schema = table.schema
    if edits.added is not None:
        words = pa.array([record.get(edits.added) for record in records])
        schema = schema.append(pa.field(edits.added, words.type))
    kept = [record for row, record in enumerate(records, 1) if row not in edits.gone]
    left = [records[row - 1] for row in sorted(edits.gone)]
    first, second = (_parquet_bytes(pa.Table.from_pylist(some, schema), file) for some in (kept, left))
    return first, second


def _last_first(path: tuple) -> int:
    """The order in which elements of a list are taken out."""
    return -path[-1] if isinstance(path[-1], int) else 0


def _set(record: Any, path: tuple, value: Any) -> None:
    """Set a value in a record, or take it out of its list."""
    for key in path[:-1]:
        record = record[key]
    if value is REMOVED:
        del record[path[-1]]
    else:
        record[path[-1]] = value


def _parquet_bytes(table: pa.Table, like: Any) -> bytes:
    """A table as Parquet, packed as another file is."""
    import pyarrow.parquet as pq

    out = io.BytesIO()
    about = like.metadata
    codec = "SNAPPY"
    if about.num_row_groups and about.num_columns:
        codec = about.row_group(0).column(0).compression.replace("UNCOMPRESSED", "NONE")
    pq.write_table(table, out, compression=codec, write_page_checksum=True)
    return out.getvalue()
