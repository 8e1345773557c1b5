"""Edits of records of JSON and of Parquet, in place: all else stays as it was."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from functools import reduce
from itertools import chain
from numbers import Number
from operator import getitem
from typing import Any

import pyarrow as pa

from ..files.json_edit import REMOVED, edit_json, element_spans, remove_elements
from ..files.json_lines import is_lines
from .nested import path_of
from .source import Edits

__all__ = ["class_names", "edited_json", "edited_parquet"]


def _changes(record: Any, cells: dict[Any, str | None], others: Iterable = ()) -> dict[tuple, Any]:
    """The new values of a record by their paths, each of the kind that this record, or else another, has there."""
    changes: dict[tuple, Any] = {}
    for cell, word in cells.items():
        if isinstance(cell, tuple):
            key, position = cell
            # FlagEmbedding has lists of as many scores and ids beside a list of texts
            for name in (key, f"{key}_scores", f"{key}_id"):
                values = record.get(name)
                if isinstance(values, list) and len(values) == len(record[key]):
                    changes[name, position] = REMOVED
            continue
        path = path_of(record, cell) or (cell,)
        changes[path] = None
        if word is not None:
            changes[path] = _like(word, _first_value(chain([record], others), cell))
    return changes


def _first_value(records: Iterable, name: Any) -> Any:
    """The first value of a column that is not empty; None if there is none."""
    for record in records:
        path = path_of(record, name)
        if path:
            value = reduce(getitem, path, record)
            if value is not None:
                return value
    return None


def _like(word: str, old: Any = None) -> Any:
    """A word of the file as a value of the same kind as the old one; without an old one, 0 and 1 are numbers."""
    if isinstance(old, list):
        return [_like(word, *old[:1])]
    if isinstance(old, bool) and word in ("0", "1", "true", "false"):
        return word in ("1", "true")
    if old is None and word in ("0", "1"):
        return int(word)
    if isinstance(old, Number):
        with suppress(ValueError):  # else it is a word beside numbers
            return type(old)(float(word))
    return word


def edited_json(data: bytes, edits: Edits) -> tuple[bytes, bytes]:
    """The content of a JSON file with changes, all else byte for byte; and that of the records that leave."""
    text = data.decode("utf-8", "surrogateescape")  # a line that is no JSON stays as it is
    lines = is_lines(data)
    if lines:  # where files were joined, a byte-order mark may stand before a record
        spans = [line.span(1) for line in re.finditer("\ufeff?([^\n]*\n|[^\n]+)", text)]
    else:
        spans = element_spans(text)
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

    table = pq.ParquetFile(pa.BufferReader(data)).read()
    if edits.added is not None:
        table = table.append_column(edits.added, pa.nulls(len(table)))
    records = table.to_pylist()
    schema = table.schema
    classes = class_names(schema)
    for row, cells in edits.cells.items():
        changes = _changes(records[row - 1], cells, records)
        for name in classes.keys() & cells.keys():
            if cells[name] is not None:
                changes[name,] = classes[name].index(cells[name])
        _apply(changes, records[row - 1])
    for i, name in enumerate(schema.names):
        values = [record[name] for record in records]
        # The first values of a column that was empty tell its type
        if table[name].null_count == len(values) > values.count(None):
            schema = schema.set(i, pa.field(name, pa.array(values).type))
    kept = [record for row, record in enumerate(records, 1) if row not in edits.gone]
    left = [records[row - 1] for row in sorted(edits.gone)]
    contents = []
    for part in (kept, left):
        out = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(part, schema), out, write_page_checksum=True)
        contents.append(out.getvalue())
    return contents[0], contents[1]


def class_names(schema: pa.Schema) -> dict[str, list[str]]:
    """The words for the numbers in columns of labels, by column: `datasets` keeps them in the metadata."""
    metadata = schema.metadata or {}
    description = json.loads(metadata.get(b"huggingface", b"{}"))
    features = description.get("info", {}).get("features", {})
    names = {}
    for column in schema.names:
        feature = features.get(column)
        if isinstance(feature, dict) and feature.get("_type") == "ClassLabel":
            names[column] = feature["names"]
    return names


def _apply(changes: dict[tuple, Any], record: Any) -> None:
    """Set values in a record, or take them out of their lists, the last first so that positions hold."""
    for path in reversed(changes):
        *inner, key = path
        parent = reduce(getitem, inner, record)
        if changes[path] is REMOVED:
            del parent[key]
        else:
            parent[key] = changes[path]
