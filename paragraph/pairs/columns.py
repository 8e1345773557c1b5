"""Columns of values as a source: JSON, DataFrames, Datasets, Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import PairsError
from ..files.json_lines import elements, is_lines, json_lines
from .edited import edited_json, edited_parquet
from .nested import flat_of
from .source import FIRST, Edits, Source, Values
from .tables import is_pair_table

__all__ = ["Columns", "of_frame", "of_json", "of_parquet", "of_table", "parquet_file", "parts"]


@dataclass(frozen=True)
class Columns(Source):
    """A table; `content` is a DataFrame, an Arrow table, or lists by the names of columns."""

    row: Any = ()  #: the place of each record
    faults: Sequence = ()
    places: Sequence = ()
    single: bool = True
    data: bytes = b""  #: of the file, as UTF-8

    def read(self, names: Sequence) -> Values:
        return Values(
            [self.content[name] for name in names], np.asarray(self.row, np.int64), self.faults
        )

    def first(self) -> dict[Any, Sequence]:
        table = self.content
        if isinstance(table, pd.DataFrame):
            return {name: table.iloc[:FIRST, i] for i, name in enumerate(self.names)}
        if isinstance(table, pa.Table):
            return {name: table.column(i)[:FIRST] for i, name in enumerate(self.names)}
        return {name: values[:FIRST] for name, values in table.items()}

    def edited(self, edits: Edits) -> tuple[bytes, bytes]:
        if self.kind == "parquet":
            return edited_parquet(self.data, edits)
        return edited_json(self.data, edits)


def of_json(name: str, data: bytes) -> Columns:
    """Open JSON Lines or a list."""
    try:
        records = (
            json_lines(data)
            if is_lines(data)
            else [(b"", record) for record in elements(data.decode())]
        )
    except (ValueError, RecursionError) as error:
        raise PairsError(f"{name}: not JSON ({error})") from None
    return _of_records(name, "jsonl", records, data)


def _of_records(name: str, kind: str, records: Iterable, data: bytes) -> Columns:
    """Open structured records, as `nested.flat_of` takes them; the names are those of all of them."""
    flat, faults = flat_of(records)
    names: dict[Any, None] = {}
    for one in flat:
        names |= dict.fromkeys(one.values)
    if not names and faults:
        raise PairsError(f"{name}, row {faults[0][0]}: {faults[0][2]}")
    content = {key: [one.values.get(key) for one in flat] for key in names}
    row = [one.row for one in flat]
    single = len({*row}) == len(row) and all(one.own for one in flat)
    places = [one.place for one in flat]
    return Columns(
        name,
        kind,
        tuple(names),
        content,
        row=row,
        faults=faults,
        places=places,
        single=single,
        data=data,
    )


def of_frame(frame: pd.DataFrame) -> Columns:
    """Open a DataFrame."""
    if any(isinstance(value, dict | list | np.ndarray) for value in frame[:1].values.ravel()):
        return of_table(
            "the DataFrame", "dataframe", pa.Table.from_pandas(frame, preserve_index=False)
        )
    row = range(1, len(frame) + 1)
    if is_pair_table(frame):
        row = frame["row"]
    return Columns("the DataFrame", "dataframe", tuple(frame.columns), frame, row=row)


def of_table(name: str, kind: str, table: pa.Table, data: bytes = b"", start: int = 1) -> Columns:
    """Open an Arrow table, whose first row is number `start`; as records, if a column holds lists or objects."""
    table.validate(full=True)
    # `datasets` keeps the names of labels in the metadata, and −1 for none
    about = json.loads((table.schema.metadata or {}).get(b"huggingface", b"{}"))
    for column, feature in about.get("info", {}).get("features", {}).items():
        if (
            column in table.column_names
            and isinstance(feature, dict)
            and feature.get("_type") == "ClassLabel"
        ):
            number = table[column]
            number = pc.if_else(pc.equal(number, -1), pa.scalar(None, number.type), number)
            names = pc.take(pa.array(feature["names"]), number)
            table = table.set_column(table.column_names.index(column), column, names)
    if any(map(pa.types.is_nested, table.schema.types)):
        return _of_records(name, kind, [(b"", record) for record in table.to_pylist()], data)
    row = range(start, start + len(table))
    return Columns(name, kind, tuple(table.column_names), table, row=row, data=data)


def of_parquet(data: bytes, name: str) -> Columns:
    """Open the bytes of a Parquet file."""
    with _parquet_errors(name):
        return of_table(name, "parquet", parquet_file(pa.BufferReader(data)).read(), data)


def parquet_file(source: Any) -> Any:
    """Open a Parquet file whose checksums are looked at."""
    import pyarrow.parquet as pq

    return pq.ParquetFile(
        source, page_checksum_verification=True, pre_buffer=False, buffer_size=1 << 20
    )


def parts(
    path: Path, size: int, names: Sequence | None = None, groups: range | None = None
) -> Iterator[Columns]:
    """Yield some columns of a Parquet file, `size` rows at a time; of all row groups, or of a range of them."""
    if any("." in name for name in names or ()):  # it would be read as a path into a nested column
        names = None
    with _parquet_errors(path.name):
        file = parquet_file(path)
        before = range(groups.start) if groups else ()
        start = 1 + sum(file.metadata.row_group(i).num_rows for i in before)
        batches = file.iter_batches(size, groups, columns=names)
        if not file.metadata.num_rows:
            batches = [file.read(columns=names)]
        for batch in batches:
            yield of_table(path.name, "parquet", pa.table(batch), start=start)
            start += len(batch)


@contextmanager
def _parquet_errors(name: str) -> Iterator[None]:
    """Turn what Arrow raises on a damaged Parquet file into a `PairsError`."""
    try:
        yield
    except PairsError:
        raise
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise PairsError(f"{name}: not a readable Parquet file: {error}") from None
