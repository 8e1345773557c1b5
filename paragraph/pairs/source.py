"""Pairs on their way from a file or a table to a checked table: one `Source`, from opening to the columns of text."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ..files.content import load
from ..files.delimited import read_rows
from ..files.errors import PairsError, excerpt, taken
from ..files.json_lines import is_unicode
from ..files.memory import not_too_large
from ..files.names import ending
from ..files.outputs import file_hash, is_stream
from .labels import label_text
from .layouts import Layout
from .nested import CHOICE, flat_of, flat_records
from .settle import settle
from .tables import is_pair_table

__all__ = ["Source", "delimited_columns", "open_parquet", "open_source", "parquet_batches", "table_columns"]


@dataclass
class Source:
    """Pairs that are being read.

    `open_source` sets the fields before `layout`, `formats.recognise` sets `layout` to `first`, and the names of a
    delimited file, and `read.read_source` sets the rest.
    """

    name: str
    kind: str  #: delimited, records, dataframe, dataset or parquet
    content: Any  #: bytes, flat records, a DataFrame, an Arrow table or a ParquetFile
    names: list = field(default_factory=list)  #: of the columns; positions where a delimited file has no header
    row: Any = ()  #: the place of each record in the source: int64
    faults: list = field(default_factory=list)  #: (row, value, why) for each record that holds no pair
    classes: dict = field(default_factory=dict)  #: the names of labels, by column
    single: bool = True  #: whether each record is one pair
    layout: Layout | None = None
    header: bool = True  #: of a delimited file: whether its first row names the columns
    rivals: list = ()  #: further columns that may hold labels, where none was named
    first: list = ()  #: the first records of a delimited file, as lists of texts
    columns: dict = field(default_factory=dict)  #: from roles to chunked arrays of large_string without nulls
    note: str = ""  #: how it was read
    path: str | None = None  #: of a file, absolute
    sha256: str | None = None  #: of its bytes, packed as they are

    def label(self, i: int) -> str:
        """The label at a position, from the second column if the first has none."""
        values = (self.columns[role][i].as_py() for role in ("label", "otherwise") if role in self.columns)
        return next(filter(str.strip, values), "")


def open_source(source, kind="auto", encoding="utf-8", max_unpacked=None) -> Source:
    """Open any source that `read_pairs` takes, with its arguments."""
    found = _opened(source, kind, encoding, max_unpacked)
    if isinstance(source, str | Path) and not is_stream(source):
        found.path = os.path.abspath(source)
        found.sha256 = file_hash(source)
    return found


def _opened(source, kind, encoding, max_unpacked) -> Source:
    if isinstance(source, pd.DataFrame):
        if any(isinstance(value, dict | list | np.ndarray) for value in source[:1].values.ravel()):
            return _table("the DataFrame", pa.Table.from_pandas(source, preserve_index=False))
        row = source["row"] if is_pair_table(source) else np.arange(1, len(source) + 1)
        return Source("the DataFrame", "dataframe", source, list(source.columns), row)
    if all(hasattr(source, name) for name in ("with_format", "features", "__len__")):  # else it is a stream
        classes = {name: kind.names for name, kind in source.features.items() if hasattr(kind, "names")}
        return _table("the Dataset", source.with_format("arrow")[:], classes)
    taken(source, str | Path, "read_pairs", "a path, a DataFrame or one Dataset")
    data, name = load(source, encoding, max_unpacked), Path(source).name
    if kind == "parquet" or (kind not in ("tsv", "csv", "jsonl") and data.startswith(b"PAR1")):
        return open_parquet(data, name)
    looks_so = ending(name) in (".jsonl", ".ndjson", ".json") or re.match(rb'\s*(\{|\[[{"\[\n])', data[: 1 << 20])
    is_json = kind == "jsonl" or (kind == "auto" and bool(looks_so))
    if not max_unpacked:
        not_too_large(data, name, is_json)
    if not is_json:
        # The first line `sep=;` tells Excel the delimiter, and Excel hides it
        return Source(name, "delimited", re.sub(rb"\Asep=[,;|\t]\r?\n", b"", data))
    try:
        records, faults = flat_records(data)
    except (ValueError, RecursionError) as error:
        raise PairsError(f"{name}: not JSON ({error})") from None
    return _records(name, records, faults)


def _records(name: str, records: list, faults: list = (), **more: Any) -> Source:
    """Open flat records, each with its row; the names are those of all of them."""
    names = {}
    for _, record in records:
        names |= dict.fromkeys(record)
    choices = [name for name in names if str(name).startswith(CHOICE)]
    if len(choices) == 1 and "choice" not in names:  # Label Studio asked one question
        names = {"choice" if name in choices else name: None for name in names}
        records = [(row, {"choice" if k in choices else k: v for k, v in one.items()}) for row, one in records]
    if not names and faults:
        raise PairsError(f"{name}, row {faults[0][0]}: {faults[0][2]}")
    row = [row for row, _ in records]
    single = len({*row}) == len(row)
    return Source(name, "records", [one for _, one in records], [*names], row, [*faults], single=single, **more)


def _table(name: str, table: pa.Table, classes: dict | None = None) -> Source:
    """Open an Arrow table; as records, if a column holds lists or objects."""
    if any(pa.types.is_nested(kind) for kind in table.schema.types):
        return replace(_records(name, *flat_of(enumerate(table.to_pylist(), 1)), classes=classes or {}), single=False)
    row = np.arange(1, len(table) + 1)
    return Source(name, "dataset", table, table.column_names, row, classes=classes or {})


# ---------------------------------------------------------------- Parquet


def open_parquet(source: str | Path | bytes, name: str) -> Source:
    """Open a Parquet file, by its path or its bytes."""
    import pyarrow.parquet as pq

    with _parquet_errors(name):
        source = pa.BufferReader(source) if isinstance(source, bytes) else source
        file = pq.ParquetFile(source, page_checksum_verification=True, pre_buffer=False, buffer_size=1 << 20)
        schema = file.schema_arrow
        # `datasets` writes the names of labels into the metadata
        about = json.loads((schema.metadata or {}).get(b"huggingface", b"{}"))
        features = about.get("info", {}).get("features", {})
        classes = {key: one["names"] for key, one in features.items() if isinstance(one, dict) and "names" in one}
        if any(map(pa.types.is_nested, schema.types)):
            return _table(name, file.read(), classes)
        return Source(name, "parquet", file, schema.names, classes=classes)


@contextmanager
def _parquet_errors(name: str) -> Iterator[None]:
    """Turn what Arrow raises on a damaged Parquet file into a `PairsError`."""
    try:
        yield
    except PairsError:
        raise
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise PairsError(f"{name}: not a readable Parquet file: {error}") from None


def parquet_batches(source: Source, roles=None, size=None, groups=None) -> Iterator[Source]:
    """Yield the source with the columns of `size` rows at a time, so it need not fit into memory; or once, with all.

    With `roles`, read only these, and accept whole numbers as texts, too (the ids of records). With `groups`, a
    range, read only these row groups.
    """
    file = source.content
    with _parquet_errors(source.name):
        row = 1 + sum(file.metadata.row_group(i).num_rows for i in range(groups.start if groups else 0))
        columns = source.layout.roles
        layout = replace(source.layout, roles={role: columns[role] for role in columns if role in (roles or columns)})
        needed = list(layout.roles.values())
        # A dot would be read as a path into a nested column
        needed = None if any("." in column for column in needed) else needed
        some = file.iter_batches(size, groups, columns=needed) if size and file.metadata.num_rows else ()
        for table in map(pa.table, some or [file.read(columns=needed)]):
            table.validate(full=True)
            part = replace(source, layout=layout, faults=[], columns={}, row=np.arange(row, row + len(table)))
            table_columns(part, table, ids=bool(roles))
            yield part
            row += len(table)


# ---------------------------------------------------------------- values as texts


def delimited_columns(source):
    """Set the columns of a delimited `Source`."""
    layout, names = source.layout, source.names
    places = {role: names.index(column) for role, column in layout.roles.items()}
    wanted = list(dict.fromkeys(places.values()))
    rows = read_rows(source.content, layout.delimiters, bool(layout.quoted), names, wanted, layout.further)
    start = int(source.header and rows.row[:1].tolist() == [1])
    source.row = rows.row[start:]
    source.columns = {role: rows.columns[wanted.index(i)].slice(start) for role, i in places.items()}
    source.faults = [fault for fault in rows.bad if not (source.header and fault[0] == 1)]
    mark = {"\t": "tabs", ",": "commas", ";": "semicolons"}.get(layout.delimiters, "vertical bars")
    quotes = {True: "CSV quotes", False: "no quoting", None: "no quotes that matter"}[layout.quoted]
    source.note = f"read as {layout.name} ({mark}, {quotes})"
    settle(source)


def table_columns(source: Source, table: Any, ids: bool = False) -> None:
    """Set the columns of a source from those of a table; with `ids`, texts may be whole numbers."""
    wrong, source.row = {}, np.array(source.row, np.int64)
    for role, column in source.layout.roles.items():
        values = [r.get(column) for r in table] if source.kind == "records" else table[column]
        if column in source.classes and role == "label":
            names = source.classes[column]
            values = values if isinstance(values, list) else values.to_pylist()
            values = [names[i] if isinstance(i, int) and 0 <= i < len(names) else i for i in values]
        source.columns |= {role: _texts(values, role, f"{source.name}: column {column!r}", ids, wrong)}
    if wrong:
        source.faults = sorted([*source.faults, *((int(source.row[i]), *fault) for i, fault in wrong.items())])
        good = np.isin(np.arange(len(source.row)), list(wrong), invert=True)
        source.columns = {role: array.filter(pa.array(good)) for role, array in source.columns.items()}
        source.row = source.row[good]
    source.note = f"read as {source.layout.name}" + " (JSON)" * (source.kind == "records")
    settle(source)


def _texts(values: Any, role: str, where: str, ids: bool, wrong: dict) -> pa.ChunkedArray:
    """Convert a list or a column to texts; `wrong` takes (value, why) for each position without a text."""
    numbers, of = not role.startswith("text"), pa.types
    if role.startswith("label") and isinstance(values, list):
        values = [label_text(value) if isinstance(value, list) else value for value in values]
    try:
        array = values if isinstance(values, pa.ChunkedArray) else pa.array(values, from_pandas=True)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):  # a mixture, or half a surrogate pair
        texts = []
        for i, value in enumerate(values):
            text, why = _text(value, role, numbers)
            texts.append(text)
            if why:
                wrong.setdefault(i, (excerpt(repr(value).encode("utf-8", "backslashreplace")), why))
        return pa.chunked_array([texts], pa.large_string())
    array = array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])
    if of.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if numbers and of.is_boolean(array.type):
        array = array.cast(pa.int8())
    kind = array.type
    number = of.is_integer(kind) or (numbers and (of.is_floating(kind) or of.is_decimal(kind)))
    if str(kind) not in ("string", "large_string", "string_view", "null") and not (number and (numbers or ids)):
        raise PairsError(f"{where} holds {kind}, not text")
    return array.cast(pa.large_string()).fill_null("")


def _text(value: Any, role: str, numbers: bool) -> tuple[str, str]:
    """One value as text (a missing one as the empty text), and what is wrong with it, if anything."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, str) and not is_unicode(value):
        return "", f"{role} holds half a surrogate pair, which no file can hold"
    if isinstance(value, str):
        return value, ""
    missing = value is None or value != value
    if not missing and not (numbers and isinstance(value, bool | int | float)):
        return "", f"{role} is {excerpt(repr(value).encode('utf-8', 'replace'))}, not text"
    return label_text(value), ""
