"""Sources of pair tables: files of several kinds, DataFrames, Datasets; each becomes `RawColumns`."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from .columns import label_text
from .datasets import Dataset
from .delimited import read_rows
from .errors import PairsError, excerpt
from .formats import choose_by_names, recognise
from .opening import load, parse_object

__all__ = ["RawColumns", "find", "parquet_batches"]


@dataclass
class RawColumns:
    """The columns of a source, before anything is checked but that they are text.

    `columns` maps roles to pyarrow.ChunkedArray of large_string without nulls; ``"otherwise"`` is the second
    label column, where the format has one. `row` (int64) places them in the source. `bad` lists
    (row, value, why) for records that gave no row. `names` are those of the columns of a delimited file.
    """

    name: str
    fmt: Dataset
    columns: dict
    row: np.ndarray
    bad: list
    note: str
    names: list | None = None

    def label(self, i):
        """The label at a position, of the second column where the first has none."""
        values = (self.columns[role][i].as_py() for role in ("label", "otherwise") if role in self.columns)
        return next(filter(str.strip, values), "")


def find(source, kind="auto", columns=None, quoted=None, encoding="utf-8", max_unpacked=None):
    """Find the columns of pairs in any source that `read_pairs` takes, with its arguments."""
    if isinstance(source, str | Path):
        return _from_path(Path(source), kind, columns, quoted, encoding, max_unpacked)
    if hasattr(source, "columns") and hasattr(source, "iloc"):
        return _from_frame(source, kind, columns)
    if hasattr(source, "with_format") and hasattr(source, "features"):
        if not hasattr(source, "__len__"):
            raise PairsError("a streaming Dataset has no rows yet; load it with streaming=False")
        table, name = source.with_format("arrow")[:], "the Dataset"
        fmt = choose_by_names(table.column_names, kind, columns, name, "dataset")
        return _from_columns(name, fmt, table.__getitem__, np.arange(1, len(table) + 1))
    if isinstance(source, dict):
        raise PairsError(f"a dict of tables, not a table: choose one of {', '.join(map(repr, source))}")
    raise PairsError(f"pairs are read from a path, a DataFrame or a Dataset, not from {type(source).__name__}")


# ---------------------------------------------------------------- files


def _from_path(path, kind, columns, quoted, encoding, max_unpacked):
    data, name = load(path, encoding, max_unpacked), path.name
    if kind == "parquet" or (kind not in ("tsv", "csv", "jsonl") and data.startswith(b"PAR1")):
        return next(parquet_batches(pa.BufferReader(data), name, kind, columns))
    ends, first = Path(name.removesuffix(".gz")).suffix, data[: 1 << 20].lstrip()[:1]
    if kind == "jsonl" or (kind == "auto" and (ends in (".jsonl", ".ndjson", ".json") or first == b"{")):
        if first == b"[":
            raise PairsError(f"{name}: is one JSON list; JSON Lines has one object a line")
        return _from_jsonl(data, name, kind, columns)
    return _from_delimited(data, name, *recognise(data, kind, columns, quoted, name))


def _from_delimited(data, name, fmt, names):
    places = {role: names.index(column) for role, column in fmt.wanted.items()}
    wanted = list(dict.fromkeys(places.values()))
    rows = read_rows(data, fmt.delimiters, bool(fmt.quoted), names, wanted)
    header = not any(isinstance(column, int) for column in fmt.columns.values())
    start = int(header and rows.row[:1].tolist() == [1])
    columns = {role: rows.columns[wanted.index(i)].slice(start) for role, i in places.items()}
    bad = [fault for fault in rows.bad if not (header and fault[0] == 1)]
    mark = {"\t": "tabs", ",": "commas", ";": "semicolons"}[fmt.delimiters]
    quotes = {True: "CSV quotes", False: "no quoting", None: "no quotes that matter"}[fmt.quoted]
    note = f"read as {fmt.name} ({mark}, {quotes})"
    return RawColumns(name, fmt, columns, rows.row[start:], bad, note, names)


def _from_jsonl(data, name, kind, columns):
    records, bad, names = {}, [], {}
    for row, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        try:
            records[row] = parse_object(line)
        except ValueError as error:
            bad.append((row, excerpt(line), str(error)))
            continue
        if row <= 100:
            names |= dict.fromkeys(records[row])
    if not names and bad:
        raise PairsError(f"{name}, row {bad[0][0]}: {bad[0][2]}")
    fmt = choose_by_names(list(names), kind, columns, name, "jsonl")
    values = {column: [record.get(column) for record in records.values()] for column in fmt.wanted.values()}
    return _from_columns(name, fmt, values.__getitem__, list(records), bad, " (JSON Lines)")


def parquet_batches(source, name, kind="auto", columns=None, roles=None, size=None, groups=None):
    """`RawColumns` for every so many rows of a Parquet file, which need not fit into memory, or one for all.

    With `roles`, only these are read, and whole numbers are taken for texts as well: the ids of records. With
    `groups`, a range, only these row groups.
    """
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(source, page_checksum_verification=True, pre_buffer=False, buffer_size=1 << 20)
        row = 1 + sum(file.metadata.row_group(i).num_rows for i in range(groups.start if groups else 0))
        fmt = choose_by_names(file.schema_arrow.names, kind, columns, name, "parquet")
        if roles:
            fmt = replace(fmt, columns={role: column for role, column in fmt.columns.items() if role in roles})
        needed = list(fmt.wanted.values())
        # A dot would be taken for a path into a nested column
        needed = None if any("." in column for column in needed) else needed
        some = file.iter_batches(size, groups, columns=needed) if size and file.metadata.num_rows else ()
        for table in map(pa.table, some or [file.read(columns=needed)]):
            table.validate(full=True)
            yield _from_columns(name, fmt, table.__getitem__, np.arange(row, row + len(table)), ids=bool(roles))
            row += len(table)
    except PairsError:
        raise
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise PairsError(f"{name}: not a readable Parquet file: {error}") from None


# ---------------------------------------------------------------- tables


def _from_frame(frame, kind, columns):
    name = "the DataFrame"
    fmt = choose_by_names(list(frame.columns), kind, columns, name, "dataframe")
    if frame.attrs.get("bipartite"):
        fmt = replace(fmt, bipartite=True)
    texts = fmt.columns["text_a"], fmt.columns["text_b"]
    # The rows of a pair table keep their places
    own = texts == ("text_a", "text_b") and "row" in frame and frame["row"].dtype == np.int64
    return _from_columns(name, fmt, frame.__getitem__, frame["row"] if own else np.arange(1, len(frame) + 1))


def _from_columns(name, fmt, column, row, bad=(), note="", ids=False):
    """`RawColumns` from a function of a column's name; with `ids`, texts may be whole numbers."""
    row, arrays, faults = np.array(row, np.int64), {}, {}
    for role, source in fmt.wanted.items():
        arrays[role], wrong = _strings(column(source), role, f"{name}: column {source!r}", ids)
        faults = wrong | faults
    if faults:
        bad = sorted([*bad, *((int(row[i]), *fault) for i, fault in faults.items())])
        good = np.isin(np.arange(len(row)), list(faults), invert=True)
        arrays, row = {role: array.filter(pa.array(good)) for role, array in arrays.items()}, row[good]
    return RawColumns(name, fmt, arrays, row, list(bad), f"read as {fmt.name}{note}")


def _strings(values, role, where, ids):
    """Convert a list or a column to (large_string array without nulls, {position: (value, why)})."""
    numbers = not role.startswith("text")
    try:
        array = values if isinstance(values, pa.ChunkedArray) else pa.array(values, from_pandas=True)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):  # a mixture, or half a surrogate pair
        texts, faults = [], {}
        for i, value in enumerate(values):
            try:
                texts.append(_text(value, role, numbers))
            except ValueError as error:
                texts.append("")
                faults[i] = excerpt(repr(value).encode("utf-8", "backslashreplace")), str(error)
        return pa.chunked_array([texts], pa.large_string()), faults
    array = array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if numbers and pa.types.is_boolean(array.type):
        array = array.cast(pa.int8())
    kind, of = array.type, pa.types
    good = ["string", "large_string", "string_view", "null"]
    if str(kind) not in good and not (
        (of.is_integer(kind) and (numbers or ids)) or (numbers and (of.is_floating(kind) or of.is_decimal(kind)))
    ):
        raise PairsError(f"{where} holds {kind}, not text")
    return array.cast(pa.large_string()).fill_null(""), {}


def _text(value, role, numbers):
    """Convert one value to text, a missing one to the empty text; ValueError says what is wrong."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{role} holds half a surrogate pair, which no file can hold") from None
        return value
    missing = value is None or value != value
    if not missing and not (numbers and isinstance(value, bool | int | float)):
        raise ValueError(f"{role} is {excerpt(repr(value).encode('utf-8', 'replace'))}, not text")
    return label_text(value)
