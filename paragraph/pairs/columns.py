"""Columns of values as a source: DataFrames, Datasets, Parquet; Parquet changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import PairsError
from .edited import edited_parquet
from .records import Records, of_records
from .source import FIRST, Edits, Source, Values
from .tables import is_pair_table

__all__ = ["Columns", "of_frame", "of_table", "open_parquet"]


@dataclass(frozen=True)
class Columns(Source):
    """A table; `content` is a DataFrame, an Arrow table or a ParquetFile."""

    row: Any = None  #: the place of each record; None for those of a whole Parquet file
    data: bytes = b""  #: of a Parquet file

    def read(self, names: Sequence) -> Values:
        table = self.content
        row = self.row
        if row is None:
            # A dot would be read as a path into a nested column
            some = None if any("." in name for name in names) else [*names]
            with _parquet_errors(self.name):
                table = _named_classes(table.read(columns=some))
                table.validate(full=True)
            row = np.arange(1, len(table) + 1)
        return Values([table[name] for name in names], np.asarray(row, np.int64))

    def parts(self, names: Sequence, size: int, groups: range | None = None) -> Iterator[Columns]:
        """Yield some columns of a Parquet file, `size` rows at a time; of all row groups, or of a range of them."""
        about = self.content.metadata
        row = 1 + sum(about.row_group(i).num_rows for i in range(groups.start if groups else 0))
        some = None if any("." in name for name in names) else [*names]
        with _parquet_errors(self.name):
            batches = self.content.iter_batches(size, groups, columns=some)
            for batch in batches if about.num_rows else [self.content.schema_arrow.empty_table()]:
                table = _named_classes(pa.table(batch))
                table.validate(full=True)
                yield replace(self, content=table, row=np.arange(row, row + len(table)))
                row += len(table)

    def first(self) -> dict[Any, Sequence]:
        if isinstance(self.content, pd.DataFrame):
            return {name: self.content.iloc[:FIRST, i].tolist() for i, name in enumerate(self.names)}
        if self.row is not None:
            return self.content.slice(0, FIRST).to_pydict()
        with _parquet_errors(self.name):
            for batch in self.content.iter_batches(FIRST):
                return _named_classes(pa.table(batch)).to_pydict()
        return dict.fromkeys(self.names, ())

    def edited(self, edits: Edits) -> tuple[bytes, bytes]:
        return edited_parquet(self.data, edits)


def of_frame(frame: pd.DataFrame) -> Source:
    """Open a DataFrame."""
    if any(isinstance(value, dict | list | np.ndarray) for value in frame[:1].values.ravel()):
        return of_table("the DataFrame", "dataframe", pa.Table.from_pandas(frame, preserve_index=False))
    row = frame["row"] if is_pair_table(frame) else np.arange(1, len(frame) + 1)
    return Columns("the DataFrame", "dataframe", tuple(frame.columns), frame, row=row)


def of_table(name: str, kind: str, table: pa.Table, data: bytes = b"") -> Source:
    """Open an Arrow table; as records, if a column holds lists or objects."""
    table = _named_classes(table)
    if any(map(pa.types.is_nested, table.schema.types)):
        return of_records(name, kind, [(row, b"", one) for row, one in enumerate(table.to_pylist(), 1)], data)
    return Columns(name, kind, tuple(table.column_names), table, row=np.arange(1, len(table) + 1), data=data)


def open_parquet(source: str | Path | bytes, name: str) -> Records | Columns:
    """Open a Parquet file, by its path or its bytes."""
    import pyarrow.parquet as pq

    data = source if isinstance(source, bytes) else b""
    with _parquet_errors(name):
        place = pa.BufferReader(source) if data else source
        file = pq.ParquetFile(place, page_checksum_verification=True, pre_buffer=False, buffer_size=1 << 20)
        schema = file.schema_arrow
        if any(map(pa.types.is_nested, schema.types)):
            return of_table(name, "parquet", file.read(), data)
        return Columns(name, "parquet", tuple(schema.names), file, data=data)


def _named_classes(table: pa.Table) -> pa.Table:
    """The table with the names of labels in place of their numbers, where `datasets` keeps them; −1 for none."""
    about = json.loads((table.schema.metadata or {}).get(b"huggingface", b"{}"))
    features = about.get("info", {}).get("features", {})
    for i, column in enumerate(table.column_names):
        names = features.get(column, {}).get("names")
        if names and pa.types.is_integer(table[column].type):
            known = pc.and_(pc.greater_equal(table[column], 0), pc.less(table[column], len(names)))
            place = pc.if_else(known, table[column], None)
            table = table.set_column(i, column, pc.take(pa.array(names), place))
    return table


@contextmanager
def _parquet_errors(name: str) -> Iterator[None]:
    """Turn what Arrow raises on a damaged Parquet file into a `PairsError`."""
    try:
        yield
    except PairsError:
        raise
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise PairsError(f"{name}: not a readable Parquet file: {error}") from None
