"""Sources of pairs, opened: bytes of delimited text, records, tables, Parquet."""

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
from ..files.errors import PairsError, check_type
from ..files.memory import not_too_large
from ..files.names import ending
from ..files.outputs import file_hash, is_stream
from .nested import flat_of, flat_records
from .tables import is_pair_table
from .tools import CHOICE

__all__ = ["SEP", "Opened", "open_parquet", "open_source", "parquet_errors"]

#: The first line `sep=;` tells Excel the delimiter, and Excel hides it.
SEP = re.compile(rb"\Asep=[,;|\t]\r?\n")


@dataclass(frozen=True)
class Opened:
    """A source that was opened, before its layout is known."""

    name: str
    kind: str  #: delimited, records, dataframe, dataset or parquet
    content: Any  #: bytes, flat records, a DataFrame, an Arrow table or a ParquetFile
    names: tuple = ()  #: of the columns; those of a delimited file are found later
    row: Any = ()  #: the place of each record in the source
    faults: tuple = ()  #: (row, value, why) for each record that holds no pair
    classes: dict = field(default_factory=dict)  #: the names of labels, by column
    path: str | None = None  #: of a file, absolute
    sha256: str | None = None  #: of its bytes, packed as they are


def open_source(source: Any, kind: str = "auto", encoding: str = "utf-8", max_unpacked: int | None = None) -> Opened:
    """Open any source that `read_pairs` takes, with its arguments."""
    if isinstance(source, pd.DataFrame):
        if any(isinstance(value, dict | list | np.ndarray) for value in source[:1].values.ravel()):
            return _table("the DataFrame", pa.Table.from_pandas(source, preserve_index=False))
        row = source["row"] if is_pair_table(source) else np.arange(1, len(source) + 1)
        return Opened("the DataFrame", "dataframe", source, tuple(source.columns), row)
    if all(hasattr(source, name) for name in ("with_format", "features", "__len__")):  # else it is a stream
        classes = {name: kind.names for name, kind in source.features.items() if hasattr(kind, "names")}
        return _table("the Dataset", source.with_format("arrow")[:], classes)
    check_type(source, str | Path, "read_pairs", "a path, a DataFrame or one Dataset")
    found = _open_file(Path(source), kind, encoding, max_unpacked)
    if is_stream(source):
        return found
    return replace(found, path=os.path.abspath(source), sha256=file_hash(source))


def _open_file(source: Path, kind: str, encoding: str, max_unpacked: int | None) -> Opened:
    data, name = load(source, encoding, max_unpacked), source.name
    if kind == "parquet" or (kind not in ("tsv", "csv", "jsonl") and data.startswith(b"PAR1")):
        return open_parquet(data, name)
    looks_so = ending(name) in (".jsonl", ".ndjson", ".json") or re.match(rb'\s*(\{|\[[{"\[\n])', data[: 1 << 20])
    is_json = kind == "jsonl" or (kind == "auto" and bool(looks_so))
    if not max_unpacked:
        not_too_large(data, name, is_json)
    if not is_json:
        return Opened(name, "delimited", SEP.sub(b"", data))
    try:
        records, faults = flat_records(data)
    except (ValueError, RecursionError) as error:
        raise PairsError(f"{name}: not JSON ({error})") from None
    return _records(name, records, faults)


def _records(name: str, records: list, faults: list, classes: dict | None = None) -> Opened:
    """Open flat records; the names are those of all of them."""
    names: dict[Any, None] = {}
    for one in records:
        names |= dict.fromkeys(one.values)
    choices = [name for name in names if str(name).startswith(CHOICE)]
    if len(choices) == 1 and "choice" not in names:  # Label Studio asked one question
        names = {"choice" if name in choices else name: None for name in names}
        for i, one in enumerate(records):
            values = {"choice" if key in choices else key: value for key, value in one.values.items()}
            records[i] = one._replace(values=values)
    if not names and faults:
        raise PairsError(f"{name}, row {faults[0][0]}: {faults[0][2]}")
    row = [one.row for one in records]
    return Opened(name, "records", records, tuple(names), row, tuple(faults), classes or {})


def _table(name: str, table: pa.Table, classes: dict | None = None) -> Opened:
    """Open an Arrow table; as records, if a column holds lists or objects."""
    if any(pa.types.is_nested(kind) for kind in table.schema.types):
        return _records(name, *flat_of(enumerate(table.to_pylist(), 1)), classes)
    row = np.arange(1, len(table) + 1)
    return Opened(name, "dataset", table, tuple(table.column_names), row, classes=classes or {})


# ---------------------------------------------------------------- Parquet


def open_parquet(source: str | Path | bytes, name: str) -> Opened:
    """Open a Parquet file, by its path or its bytes."""
    import pyarrow.parquet as pq

    with parquet_errors(name):
        source = pa.BufferReader(source) if isinstance(source, bytes) else source
        file = pq.ParquetFile(source, page_checksum_verification=True, pre_buffer=False, buffer_size=1 << 20)
        schema = file.schema_arrow
        # `datasets` writes the names of labels into the metadata
        about = json.loads((schema.metadata or {}).get(b"huggingface", b"{}"))
        features = about.get("info", {}).get("features", {})
        classes = {key: one["names"] for key, one in features.items() if isinstance(one, dict) and "names" in one}
        if any(map(pa.types.is_nested, schema.types)):
            return _table(name, file.read(), classes)
        return Opened(name, "parquet", file, tuple(schema.names), classes=classes)


@contextmanager
def parquet_errors(name: str) -> Iterator[None]:
    """Turn what Arrow raises on a damaged Parquet file into a `PairsError`."""
    try:
        yield
    except PairsError:
        raise
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise PairsError(f"{name}: not a readable Parquet file: {error}") from None
