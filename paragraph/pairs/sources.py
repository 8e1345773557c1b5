"""Sources of pair tables: files of several kinds, DataFrames, Datasets; each becomes a `Found`."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from .columns import label_text
from .datasets import Dataset
from .delimited import MARK, read_rows, unguarded
from .errors import PairsError, excerpt
from .formats import Layout, choose_by_names, recognise
from .opening import UNPACKED, load, parse_object

__all__ = ["Found", "fields_of", "find", "parquet_batches"]


@dataclass
class Found:
    """The columns of a source, before anything is checked but that they are text.

    `columns` maps roles to pyarrow.ChunkedArray of large_string without nulls; ``"otherwise"`` is the second
    label column, where the format has one. `row` (int64) places them in the source. `bad` lists
    (row, value, why) for records that gave no row. `layout` is that of a file whose texts may hold line ends.
    """

    name: str
    fmt: Dataset
    columns: dict
    row: np.ndarray
    bad: list
    note: str
    may_hold_nul: bool = True
    layout: Layout | None = None

    def label(self, i):
        """The label at a position, of the second column where the first has none."""
        values = (self.columns[role][i].as_py() for role in ("label", "otherwise") if role in self.columns)
        return next(filter(str.strip, values), "")


def find(source, kind="auto", columns=None, quoted=None, encoding="utf-8", max_unpacked=UNPACKED):
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
        return _from_columns(name, fmt, table.__getitem__, len(table))
    if isinstance(source, dict):
        raise PairsError(f"a dict of tables, not a table: choose one of {', '.join(map(repr, source))}")
    raise PairsError(f"pairs are read from a path, a DataFrame or a Dataset, not from {type(source).__name__}")


# ---------------------------------------------------------------- files


def _from_path(path, kind, columns, quoted, encoding, max_unpacked):
    data, name = load(path, encoding, max_unpacked), path.name
    if kind == "parquet" or (kind not in ("tsv", "csv", "jsonl") and data.startswith(b"PAR1")):
        return next(parquet_batches(pa.BufferReader(data), name, kind, columns))
    ends = Path(name.removesuffix(".gz")).suffix
    is_jsonl = ends in (".jsonl", ".ndjson", ".json") or data[: 1 << 20].lstrip().startswith(b"{")
    if kind == "jsonl" or (kind == "auto" and is_jsonl):
        return _from_jsonl(data, name, kind, columns)
    return _from_delimited(data, name, recognise(data, kind, columns, quoted, name))


def fields_of(data, layout, wanted):
    """The wanted fields of a delimited file as `Rows`, without what guards them against spreadsheets."""
    rows = read_rows(data, layout.delimiter, bool(layout.quoted), len(layout.names), wanted)
    if MARK in layout.names:
        rows = rows._replace(columns=[unguarded(column) for column in rows.columns])
    return rows


def _from_delimited(data, name, layout):
    places = {role: layout.names.index(column) for role, column in layout.fmt.wanted.items()}
    wanted = list(dict.fromkeys(places.values()))
    rows = fields_of(data, layout, wanted)
    arrays = dict(zip(wanted, rows.columns, strict=True))
    start = int(layout.fmt.has_header and rows.row[:1].tolist() == [1])
    return Found(
        name,
        layout.fmt,
        {role: arrays[i].slice(start) for role, i in places.items()},
        rows.row[start:],
        [bad for bad in rows.bad if not (layout.fmt.has_header and bad[0] == 1)],
        _describe(layout),
        may_hold_nul=False,
        layout=layout if rows.multiline else None,
    )


def _describe(layout):
    mark = {"\t": "tabs", ",": "commas", ";": "semicolons"}[layout.delimiter]
    quotes = {True: "CSV quotes", False: "no quoting", None: "no quotes that matter"}[layout.quoted]
    return f"read as {layout.fmt.name} ({mark}, {quotes})"


def _from_jsonl(data, name, kind, columns):
    if data[: 1 << 20].lstrip().startswith(b"["):
        raise PairsError(f"{name}: is one JSON list; JSON Lines has one object a line")
    records, bad, names = {}, [], {}
    for row, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        record, why = parse_object(line)
        if why:
            bad.append((row, excerpt(line), why))
            continue
        records[row] = record
        if row <= 100:
            names |= dict.fromkeys(record)
    if not names and bad:
        raise PairsError(f"{name}, row {bad[0][0]}: {bad[0][2]}")
    fmt = choose_by_names(list(names), kind, columns, name, "jsonl")
    values = {column: [record.get(column) for record in records.values()] for column in fmt.wanted.values()}
    return _from_columns(name, fmt, values.__getitem__, list(records), bad, " (JSON Lines)")


def parquet_batches(source, name, kind="auto", columns=None, roles=None, size=None, groups=None):
    """A `Found` for every so many rows of a Parquet file, which need not fit into memory, or one for all.

    With `roles`, only these are read, and whole numbers are taken for texts as well: the ids of records. With
    `groups`, a range, only these row groups.
    """
    import pyarrow.parquet as pq

    try:
        thrifty = {"page_checksum_verification": True, "pre_buffer": False, "buffer_size": 1 << 20}
        file = pq.ParquetFile(source, **thrifty)
        row = 1 + sum(file.metadata.row_group(i).num_rows for i in range(groups.start if groups else 0))
        fmt = choose_by_names(file.schema_arrow.names, kind, columns, name, "parquet")
        if roles:
            fmt = replace(fmt, columns={role: column for role, column in fmt.columns.items() if role in roles})
        needed = list(fmt.wanted.values())
        # A dot would be taken for a path into a nested column
        needed = None if any("." in column for column in needed) else needed
        some = size and file.metadata.num_rows
        whole = () if some else [pq.read_table(source, columns=needed, **thrifty)]
        for table in map(pa.table, whole or file.iter_batches(size, groups, columns=needed)):
            table.validate(full=True)
            for text in (fmt.columns["text_a"], fmt.columns["text_b"]) if roles else ():
                if pa.types.is_integer(table[text].type):
                    numbers = table[text].cast(pa.string())
                    table = table.set_column(table.column_names.index(text), text, numbers)
            yield _from_columns(name, fmt, table.__getitem__, np.arange(row, row + len(table)))
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
    return _from_columns(name, fmt, frame.__getitem__, frame["row"] if own else len(frame))


def _from_columns(name, fmt, column, rows, bad=(), note=""):
    """A `Found` from `column`, a function that gives a column by its name; `rows` are numbers or how many."""
    row = np.arange(1, rows + 1) if isinstance(rows, int) else np.array(rows, np.int64)
    arrays, faults = {}, {}
    for role, source in fmt.wanted.items():
        arrays[role], wrong = _strings(column(source), role, f"{name}: column {source!r}")
        faults = wrong | faults
    if faults:
        bad = sorted([*bad, *((int(row[i]), *fault) for i, fault in faults.items())])
        good = np.isin(np.arange(len(row)), list(faults), invert=True)
        arrays, row = {role: array.filter(pa.array(good)) for role, array in arrays.items()}, row[good]
    return Found(name, fmt, arrays, row, list(bad), f"read as {fmt.name}{note}")


def _strings(values, role, where):
    """Convert a list or a column to (large_string array without nulls, {position: (value, why)})."""
    if isinstance(values, list):
        return _strings_by_value(values, role)
    try:
        array = values if isinstance(values, pa.ChunkedArray) else pa.Array.from_pandas(values)
    except (pa.ArrowException, UnicodeEncodeError, ValueError, TypeError, OverflowError):
        return _strings_by_value(list(values), role)  # a mixture, or half a surrogate pair
    array = pa.chunked_array([array]) if isinstance(array, pa.Array) else array
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if pa.types.is_boolean(array.type):
        array = array.cast(pa.int8())
    kind = array.type
    text = str(kind) in ("string", "large_string", "string_view", "null")
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    if not text and (role.startswith("text") or not number):
        raise PairsError(f"{where} holds {kind}, not text")
    return array.cast(pa.large_string()).fill_null(""), {}


def _strings_by_value(values, role):
    texts, whys = zip(*(_text(value, role) for value in values), strict=True) if len(values) else ((), ())
    shown = ((i, excerpt(repr(values[i]).encode("utf-8", "backslashreplace"))) for i, why in enumerate(whys) if why)
    return pa.chunked_array([texts], pa.large_string()), {i: (value, whys[i]) for i, value in shown}


def _text(value, role):
    """Convert one value to (text, None), or ("", what is wrong); a missing one is the empty text."""
    if value is None or value != value:
        return "", None
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return "", f"{role} holds half a surrogate pair, which no file can hold"
        return value, None
    if role.startswith("text") or not isinstance(value, bool | int | float | np.generic):
        return "", f"{role} is {excerpt(repr(value).encode('utf-8', 'replace'))}, not text"
    return label_text(value if not isinstance(value, np.generic) else value.item()), None
