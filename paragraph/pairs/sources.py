"""What pair tables are read from: files of several kinds, DataFrames, Datasets; each becomes a `Found`."""

import json
import stat
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from .delimited import BLOCK, BOM, read_columns
from .errors import PairsError
from .formats import FORMATS, Format, Undecided, choose, recognise
from .labels import label_text
from .records import excerpt

__all__ = ["Found", "open_source"]

BATCH = 1 << 16


@dataclass
class Found:
    """The columns of a source, before anything is checked but that they are text.

    `columns` maps roles to pyarrow.ChunkedArray of large_string without nulls; ``"otherwise"`` is the second
    label column, where the format has one. `row` (int64) places them in the source. `bad` lists
    (row, value, why) for records that gave no row.
    """

    name: str
    fmt: Format
    columns: dict
    row: np.ndarray
    bad: list
    notes: list = field(default_factory=list)
    may_hold_nul: bool = True
    positions: dict = field(default_factory=dict)  # of the columns in a record, where texts may hold line ends
    width: int = 0
    delimiter: str = ""


def open_source(source, kind, columns, quoted, encoding):
    """A `Found` for any source that `read_pairs` takes."""
    if isinstance(source, str | Path):
        return _from_path(Path(source), kind, columns, quoted, encoding)
    if hasattr(source, "columns") and hasattr(source, "iloc"):
        return _from_frame(source, kind, columns)
    if hasattr(source, "with_format") and hasattr(source, "features"):
        if not hasattr(source, "__len__"):
            raise PairsError("a streaming Dataset has no rows yet; load it with streaming=False")
        table, name = source.with_format("arrow")[:], "the Dataset"
        return _from_arrow(table, name, _by_names(table.column_names, kind, columns, name, "dataset"))
    if isinstance(source, dict):
        raise PairsError(f"a dict of tables, not a table: choose one of {', '.join(map(repr, source))}")
    raise PairsError(f"pairs are read from a path, a DataFrame or a Dataset, not from {type(source).__name__}")


# ---------------------------------------------------------------- files


def _from_path(path, kind, columns, quoted, encoding):
    try:
        open_stream = _opener(path, encoding)
        stream = open_stream()
        start = stream.read_buffer(BLOCK)
        cut = len(start) == BLOCK
        head = start.to_pybytes().removeprefix(BOM)
        if not head.strip():
            raise PairsError(f"{path.name}: the file is empty")
        if head.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise PairsError(f'{path.name}: looks like UTF-16; say encoding="utf-16"')
        if kind == "parquet" or (kind not in ("tsv", "csv", "jsonl") and head.startswith(b"PAR1")):
            return _from_parquet(open_stream, path.name, kind, columns)
        if kind == "jsonl" or (kind == "auto" and _is_jsonl(path, head)):
            return _from_jsonl(open_stream, path.name, kind, columns)
        begun = stream, start
        return _from_delimited(open_stream, begun, head, cut, path.name, kind, columns, quoted)
    except OSError as error:
        raise PairsError(f"{path}: cannot be read: {error.strerror or error}") from None


def _opener(path, encoding):
    """A function that opens the file's bytes, decompressed and as UTF-8."""
    if encoding.lower().replace("_", "-") in ("utf-8", "utf8", "utf-8-sig"):
        if not stat.S_ISREG(path.stat().st_mode):
            data = path.read_bytes()  # a pipe can be read only once
            return lambda: pa.BufferReader(data)
        with path.open("rb") as file:
            compressed = file.read(2) == b"\x1f\x8b"
        compression = "gzip" if compressed else None
        return lambda: pa.input_stream(str(path), compression=compression)
    with _opener(path, "utf-8")() as stream:
        data = stream.read()
    try:
        # A half surrogate cannot be encoded otherwise; it is found and named with its row later on
        data = data.decode(encoding).encode("utf-8", "surrogatepass")
    except (LookupError, UnicodeError, ValueError) as error:
        raise PairsError(f"{path.name}: cannot be decoded as {encoding}: {error}") from None
    return lambda: pa.BufferReader(data)


def _from_delimited(open_stream, begun, head, cut, name, kind, columns, quoted):
    def whole():
        with open_stream() as stream:
            return stream.read().removeprefix(BOM)

    try:
        layout = recognise(head, cut, kind, columns, quoted, name)
    except Undecided:
        if not cut:
            raise
        layout = recognise(whole(), False, kind, columns, quoted, name)
    header = layout.fmt.header
    wanted = {role: layout.names.index(column) for role, column in layout.fmt.columns.items()}
    if layout.fmt.otherwise:
        wanted["otherwise"] = layout.names.index(layout.fmt.otherwise[0])
    fields = list(dict.fromkeys(wanted.values()))
    arguments = layout.delimiter, layout.quoted, len(layout.names), fields
    result = read_columns(open_stream, *arguments, begun)
    if result is None:  # quotes further down matter after all
        layout = recognise(whole(), False, kind, columns, quoted, name)
        result = read_columns(open_stream, layout.delimiter, bool(layout.quoted), len(layout.names), fields)
    arrays = dict(zip(fields, result.columns, strict=True))
    start = int(header and len(result.row) > 0 and result.row[0] == 1)
    return Found(
        name,
        layout.fmt,
        {role: arrays[i].slice(start) for role, i in wanted.items()},
        result.row[start:],
        [bad for bad in result.bad if not (header and bad[0] == 1)],
        [_describe(layout)],
        may_hold_nul=False,
        positions=wanted if result.multiline else {},
        width=len(layout.names),
        delimiter=layout.delimiter,
    )


def _describe(layout):
    mark = {"\t": "tabs", ",": "commas", ";": "semicolons"}[layout.delimiter]
    quotes = {True: "CSV quotes", False: "no quoting", None: "no quotes that matter"}[layout.quoted]
    return f"read as {layout.fmt.name} ({mark}, {quotes})"


def _is_jsonl(path, head):
    suffix = Path(path.name.removesuffix(".gz")).suffix
    return suffix in (".jsonl", ".ndjson", ".json") or head.lstrip().startswith(b"{")


def _from_jsonl(open_stream, name, kind, columns):
    with open_stream() as stream:
        data = stream.read().removeprefix(BOM)
    if data.lstrip().startswith(b"["):
        raise PairsError(f"{name}: is one JSON list; JSON Lines has one object a line")
    lines = data.split(b"\n")
    del data
    if not lines[-1]:
        lines.pop()
    names = dict.fromkeys(key for line in lines[:100] for key in (_parse_object(line)[0] or ()))
    fmt = _by_names(list(names), kind, columns, name, "jsonl")
    roles = dict(fmt.columns) | ({"otherwise": fmt.otherwise[0]} if fmt.otherwise else {})
    arrays, rows, bad = {role: [] for role in roles}, [], []
    for start in range(0, len(lines), BATCH):
        values, at = {role: [] for role in roles}, []
        for row, line in enumerate(lines[start : start + BATCH], start + 1):
            record, why = ({}, None) if not line.strip() else _parse_object(line)
            texts = None
            if not why:
                texts = {role: _text(record.get(column), role) for role, column in roles.items()}
                why = next((fault for _, fault in texts.values() if fault), None)
            if why:
                bad.append((row, excerpt(line), why))
                continue
            at.append(row)
            for role, (text, _) in texts.items():
                values[role].append(text)
        rows += at
        for role, column in values.items():
            arrays[role].append(pa.array(column, pa.large_string()))
    chunked = {role: pa.chunked_array(column, pa.large_string()) for role, column in arrays.items()}
    return Found(name, fmt, chunked, np.array(rows, np.int64), bad, [f"read as {fmt.name} (JSON Lines)"])


def _parse_object(line):
    """(dict, None), or (None, what is wrong)."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return None, f"not JSON ({type(error).__name__ if isinstance(error, RecursionError) else error})"
    return (record, None) if isinstance(record, dict) else (None, "not a JSON object")


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


def _from_parquet(open_stream, name, kind, columns):
    import pyarrow.parquet as pq

    with open_stream() as stream:
        buffer = pa.py_buffer(stream.read())
    try:
        names = pq.read_schema(pa.BufferReader(buffer)).names
        fmt = _by_names(names, kind, columns, name, "parquet")
        needed = [*fmt.columns.values(), *(fmt.otherwise or ())[:1]]
        # A dot would be taken for a path into a nested column
        needed = None if any("." in column for column in needed) else needed
        table = pq.read_table(pa.BufferReader(buffer), columns=needed, page_checksum_verification=True)
        table.validate(full=True)
    except PairsError:
        raise
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise PairsError(f"{name}: not a readable Parquet file: {error}") from None
    return _from_arrow(table, name, fmt)


# ---------------------------------------------------------------- tables


def _from_arrow(table, name, fmt):
    return _from_columns(fmt, name, lambda column: table[column], table.num_rows)


def _from_frame(frame, kind, columns):
    name = "the DataFrame"
    fmt = _by_names(list(frame.columns), kind, columns, name, "dataframe")
    found = _from_columns(fmt, name, lambda column: frame[column], len(frame))
    texts = fmt.columns["text_a"], fmt.columns["text_b"]
    if texts == ("text_a", "text_b") and "row" in frame and frame["row"].dtype == np.int64:
        rows = frame["row"].to_numpy()  # a pair table: its rows keep their places
        places = dict(enumerate(rows, 1))
        found.bad = [(int(places[row]), value, why) for row, value, why in found.bad]
        found.row = rows[found.row - 1]
    if frame.attrs.get("bipartite"):
        found.fmt = replace(found.fmt, bipartite=True)
    return found


def _from_columns(fmt, name, column, rows):
    roles = dict(fmt.columns) | ({"otherwise": fmt.otherwise[0]} if fmt.otherwise else {})
    arrays, faults = {}, {}
    for role, source in roles.items():
        arrays[role], wrong = _strings(column(source), role, f"{name}: column {source!r}")
        faults = wrong | faults
    row = np.arange(1, rows + 1)
    if faults:
        good = np.ones(rows, bool)
        good[list(faults)] = False
        arrays = {role: array.filter(pa.array(good)) for role, array in arrays.items()}
        row = row[good]
    bad = [(i + 1, *fault) for i, fault in sorted(faults.items())]
    return Found(name, fmt, arrays, row, bad, [f"read as {fmt.name}"])


def _strings(values, role, where):
    """(large_string array without nulls, {position: (value, why)}) of a pandas or Arrow column."""
    faults = {}
    try:
        array = values if isinstance(values, pa.ChunkedArray) else pa.Array.from_pandas(values)
    except (pa.ArrowException, UnicodeEncodeError, ValueError, TypeError, OverflowError):
        # A mixture, or half a surrogate pair: look at each value
        texts = []
        for i, value in enumerate(values):
            text, why = _text(value, role)
            texts.append(text)
            if why:
                faults[i] = (excerpt(repr(value).encode("utf-8", "backslashreplace")), why)
        array = pa.array(texts, pa.large_string())
    array = pa.chunked_array([array]) if isinstance(array, pa.Array) else array
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if pa.types.is_boolean(array.type):
        array = array.cast(pa.int8())
    kind = array.type
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    texts = any(test(kind) for test in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view))
    if not (texts or pa.types.is_null(kind) or (number and not role.startswith("text"))):
        raise PairsError(f"{where} holds {kind}, not text")
    return array.cast(pa.large_string()).fill_null(""), faults


def _by_names(names, kind, columns, where, own):
    """The `Format` of a table that has named columns."""
    if kind in FORMATS:
        fmt = FORMATS[kind]
    elif kind in ("auto", own):
        same = [fmt for fmt in FORMATS.values() if any(set(names) == set(h) for h in fmt.headers)]
        fmt = same[0] if same and kind == "auto" and not columns else Format(own, {}, official=False)
    else:
        raise PairsError(f"{where}: format {kind!r} is for files of that kind")
    return choose(names, fmt, columns, where)
