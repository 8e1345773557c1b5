"""What pair tables are read from: files of several kinds, DataFrames, Datasets; each becomes a `Found`."""

import json
import stat
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from .datasets import Dataset
from .delimited import BLOCK, BOM, read_columns
from .errors import PairsError, option
from .formats import Layout, Undecided, choose_by_names, recognise
from .labels import label_text
from .records import each_once, excerpt, not_utf8
from .spreadsheet import MARK, unguarded
from .unpacking import UNPACKED, Bounded

__all__ = ["Found", "begin", "delimited", "find", "parquet_batches", "parse_object"]


TEXTS = ("text_a", "text_b")

#: How packed files begin that are not read.
PACKED = {b"PK\x03\x04": "zip (or Excel)", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zst", b"BZh": "bz2"}


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
    """A `Found` for any source that `read_pairs` takes, with its arguments."""
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


def begin(path, encoding="utf-8", max_unpacked=UNPACKED):
    """A function that opens the file's bytes as UTF-8; its first result with what was read of it; these as bytes.

    Raises
    ------
    PairsError
        The file is empty, or plainly no text.
    """
    open_stream = _opener(path, encoding, max_unpacked)
    stream = open_stream()
    start = stream.read_buffer(BLOCK)
    head = start.to_pybytes().removeprefix(BOM)
    if not head.strip():
        raise PairsError(f"{path.name}: the file is empty")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise PairsError(f"{path.name}: looks like UTF-16; save it as UTF-8, or say {option('encoding', 'utf-16')}")
    for magic, packed in PACKED.items():
        if head.startswith(magic):
            raise PairsError(f"{path.name}: is a {packed} file; unpack it (only gzip is read as it is)")
    return open_stream, (stream, start), head


def _from_path(path, kind, columns, quoted, encoding, max_unpacked):
    try:
        open_stream, begun, head = begin(path, encoding, max_unpacked)
        if kind == "parquet" or (kind not in ("tsv", "csv", "jsonl") and head.startswith(b"PAR1")):
            return _from_parquet(open_stream, path.name, kind, columns)
        if kind == "jsonl" or (kind == "auto" and _is_jsonl(path, head)):
            return _from_jsonl(open_stream, path.name, kind, columns)
        layout_of = partial(recognise, kind=kind, columns=columns, quoted=quoted, where=path.name)
        return _from_delimited(open_stream, begun, head, path.name, layout_of)
    except OSError as error:
        raise PairsError(f"{path}: cannot be read: {error.strerror or error}") from None


def _opener(path, encoding, max_unpacked):
    """A function that opens the file's bytes, decompressed and as UTF-8."""
    if encoding.lower().replace("_", "-") in ("utf-8", "utf8", "utf-8-sig"):
        if not stat.S_ISREG(path.stat().st_mode):
            data = path.read_bytes()  # a pipe can be read only once
            return lambda: pa.BufferReader(data)
        with path.open("rb") as file:
            if file.read(2) == b"\x1f\x8b":
                return lambda: Bounded(_stream(path, "gzip"), path.name, max_unpacked)
        return lambda: _stream(path, None)
    with _opener(path, "utf-8", max_unpacked)() as stream:
        data = stream.read()
    try:
        # A half surrogate cannot be encoded otherwise; it is found and named with its row later on
        data = data.decode(encoding).encode("utf-8", "surrogatepass")
    except (LookupError, UnicodeError, ValueError) as error:
        raise PairsError(f"{path.name}: cannot be decoded as {encoding}: {error}") from None
    return lambda: pa.BufferReader(data)


def _stream(path, compression):
    try:
        str(path).encode()
        source = str(path)
    except UnicodeEncodeError:  # Arrow knows no other file names
        source = path.open("rb")
    return pa.input_stream(source, compression=compression)


def _read(open_stream):
    with open_stream() as stream:
        return stream.read().removeprefix(BOM)


def delimited(open_stream, begun, head, layout_of, fields_of):
    """The `Layout` of a delimited file, and the `Columns` of the fields that `fields_of` names for a layout."""
    cut = len(begun[1]) == BLOCK
    try:
        layout = layout_of(head, cut)
    except Undecided:
        if not cut:
            raise
        layout = layout_of(_read(open_stream), False)
    fields, width = fields_of(layout), len(layout.names)
    result = read_columns(open_stream, layout.delimiter, layout.quoted, width, fields, begun)
    if result is None:  # quotes further down matter after all
        layout = layout_of(_read(open_stream), False)
        result = read_columns(open_stream, layout.delimiter, bool(layout.quoted), width, fields)
    if MARK in layout.names:
        result = result._replace(columns=[unguarded(column) for column in result.columns])
    return layout, result


def _from_delimited(open_stream, begun, head, name, layout_of):
    def places(layout):
        return {role: layout.names.index(column) for role, column in layout.fmt.wanted.items()}

    def fields_of(layout):
        return list(dict.fromkeys(places(layout).values()))

    layout, result = delimited(open_stream, begun, head, layout_of, fields_of)
    wanted, fields = places(layout), fields_of(layout)
    arrays = dict(zip(fields, result.columns, strict=True))
    start = int(layout.fmt.has_header and result.row[:1].tolist() == [1])
    return Found(
        name,
        layout.fmt,
        {role: arrays[i].slice(start) for role, i in wanted.items()},
        result.row[start:],
        [bad for bad in result.bad if not (layout.fmt.has_header and bad[0] == 1)],
        _describe(layout),
        may_hold_nul=False,
        layout=layout if result.multiline else None,
    )


def _describe(layout):
    mark = {"\t": "tabs", ",": "commas", ";": "semicolons"}[layout.delimiter]
    quotes = {True: "CSV quotes", False: "no quoting", None: "no quotes that matter"}[layout.quoted]
    return f"read as {layout.fmt.name} ({mark}, {quotes})"


def _is_jsonl(path, head):
    suffix = Path(path.name.removesuffix(".gz")).suffix
    return suffix in (".jsonl", ".ndjson", ".json") or head.lstrip().startswith(b"{")


def _from_jsonl(open_stream, name, kind, columns):
    data = _read(open_stream)
    if data.lstrip().startswith(b"["):
        raise PairsError(f"{name}: is one JSON list; JSON Lines has one object a line")
    lines = data.removesuffix(b"\n").split(b"\n")
    del data
    first = [parse_object(line) for line in lines[:100]]
    names = dict.fromkeys(key for record, _ in first for key in (record or ()))
    if not names and (faults := [(row, why) for row, (_, why) in enumerate(first, 1) if why]):
        raise PairsError(f"{name}, row {faults[0][0]}: {faults[0][1]}")
    fmt = choose_by_names(list(names), kind, columns, name, "jsonl")
    values, rows, bad = {column: [] for column in fmt.wanted.values()}, [], []
    for row, line in enumerate(lines, 1):
        record, why = parse_object(line)
        if why:
            bad.append((row, excerpt(line), why))
            continue
        rows.append(row)
        for column, known in values.items():
            known.append(record.get(column))
    return _from_columns(name, fmt, values.__getitem__, rows, bad, " (JSON Lines)")


def parse_object(line):
    """(dict, None), or (None, what is wrong); a blank line alone gives an empty dict."""
    if not line.strip():
        return {}, None
    try:
        record = json.loads(line, object_pairs_hook=each_once)
    except UnicodeDecodeError as error:
        return None, not_utf8(error)
    except (ValueError, RecursionError) as error:
        return None, f"not JSON ({type(error).__name__ if isinstance(error, RecursionError) else error})"
    if not isinstance(record, dict):
        return None, "not a JSON object"
    return (record, None) if record else (None, "an object without keys")


def _from_parquet(open_stream, name, kind, columns):
    with open_stream() as stream:
        source = stream if stream.seekable() else pa.BufferReader(stream.read())
        return next(parquet_batches(source, name, kind, columns))


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
    """(large_string array without nulls, {position: (value, why)}) of a list, or a pandas or Arrow column."""
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
    """(text, None) for one value, or ("", what is wrong); what is missing is the empty text."""
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
