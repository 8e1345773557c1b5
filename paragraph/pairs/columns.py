"""Columns of values as a source: JSON, DataFrames, Datasets, Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import PairsError
from ..files.json_lines import elements, is_lines, json_lines
from .edited import class_names, edited_json, edited_parquet
from .nested import flat_of
from .source import FIRST, Edits, Source, values_shown
from .tables import is_pair_table

__all__ = [
    "Columns",
    "of_frame",
    "of_json",
    "of_parquet",
    "of_table",
    "parquet_errors",
    "parquet_file",
]


@dataclass(frozen=True)
class Columns(Source):
    """A table, whose index is the place of each record."""

    table: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False)
    faults: list = field(default_factory=list)
    places: Sequence = ()
    single: bool = True
    data: bytes = field(default=b"", repr=False)  #: of the file, as UTF-8

    def read(self, names: Sequence) -> tuple[pd.DataFrame, list]:
        return self.table[[*names]], self.faults

    def sample(self) -> dict[Any, list[str]]:
        first = self.table.iloc[:FIRST]
        return {name: values_shown(first.iloc[:, i]) for i, name in enumerate(self.names)}

    def edited(self, edits: Edits) -> tuple[bytes, bytes]:
        if self.kind == "parquet":
            return edited_parquet(self.data, edits)
        return edited_json(self.data, edits)


def of_json(name: str, data: bytes) -> Columns:
    """Open JSON Lines or a list."""
    try:
        if is_lines(data):
            records = json_lines(data)
        else:
            records = [(b"", record) for record in elements(data.decode())]
    except (ValueError, RecursionError) as error:
        raise PairsError(f"{name}: not JSON ({error})") from None
    return _of_records(name, "jsonl", records, data)


def _of_records(name: str, kind: str, records: Iterable, data: bytes) -> Columns:
    """Open structured records, as `nested.flat_of` takes them; each name in any of them is a column."""
    flat_records, faults = flat_of(records)
    names: dict[Any, None] = {}
    for record in flat_records:
        names |= dict.fromkeys(record.values)
    if not names and faults:
        raise PairsError(f"{name}, row {faults[0][0]}: {faults[0][2]}")
    rows = [record.row for record in flat_records]
    columns = {}
    for key in names:
        values = [record.values.get(key) for record in flat_records]
        columns[key] = pd.Series(values, rows, object)
    table = pd.DataFrame(columns)
    single = table.index.is_unique and all(record.own for record in flat_records)
    places = [record.place for record in flat_records]
    return Columns(
        name,
        kind,
        tuple(names),
        table=table,
        faults=faults,
        places=places,
        single=single,
        data=data,
    )


def of_frame(frame: pd.DataFrame) -> Columns:
    """Open a DataFrame."""
    first = frame[:1].values.ravel()
    if any(isinstance(value, dict | list | np.ndarray) for value in first):
        try:
            table = pa.Table.from_pandas(frame, preserve_index=False)
        except (pa.ArrowException, ValueError, TypeError) as error:
            raise PairsError(f"the DataFrame: {error}; leave out columns of no use") from None
        return of_table("the DataFrame", "dataframe", table)
    rows = range(1, len(frame) + 1)
    if is_pair_table(frame):
        rows = frame["row"]
    table = frame.set_axis(rows)
    return Columns("the DataFrame", "dataframe", tuple(frame.columns), table=table)


def of_table(name: str, kind: str, table: pa.Table, data: bytes = b"", start: int = 1) -> Columns:
    """Open an Arrow table whose first row is number `start`; a table with lists or objects is read as records."""
    table.validate(full=True)
    for column in table.column_names:
        if table.column_names.count(column) > 1:
            raise PairsError(f"{name}: two columns are called {column!r}; rename one")
    table = _with_label_names(table)
    if any(map(pa.types.is_nested, table.schema.types)):
        records = [(b"", record) for record in table.to_pylist()]
        return _of_records(name, kind, records, data)
    names = tuple(table.column_names)
    frame = table.to_pandas(types_mapper=pd.ArrowDtype, ignore_metadata=True)
    frame = frame.set_axis(range(start, start + len(table)))
    return Columns(name, kind, names, table=frame, data=data)


def _with_label_names(table: pa.Table) -> pa.Table:
    """The table with names in place of numbers in columns whose label names `datasets` keeps."""
    for column, names in class_names(table.schema).items():
        number = table[column]
        # `datasets` writes −1 for no label
        number = pc.if_else(pc.equal(number, -1), pa.scalar(None, number.type), number)
        place = table.column_names.index(column)
        table = table.set_column(place, column, pc.take(pa.array(names), number))
    return table


def of_parquet(data: bytes, name: str) -> Columns:
    """Open the bytes of a Parquet file."""
    with parquet_errors(name):
        file = parquet_file(pa.BufferReader(data))
        return of_table(name, "parquet", file.read(), data)


def parquet_file(source: Any) -> Any:
    """Open a Parquet file, and check its checksums while it is read."""
    import pyarrow.parquet as pq

    return pq.ParquetFile(
        source, page_checksum_verification=True, pre_buffer=False, buffer_size=1 << 20
    )


@contextmanager
def parquet_errors(name: str) -> Iterator[None]:
    """Turn what Arrow raises on a damaged Parquet file into a `PairsError`."""
    try:
        yield
    except PairsError:
        raise
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise PairsError(f"{name}: not a readable Parquet file: {error}") from None
