"""Delimited text: by Arrow where that is safe, else record by record in Python.

Two dialects. *Quoted* is RFC 4180: a field that begins with a quote ends at the next single one, and inside it
delimiters and line ends are text and ``""`` is a quote; a quote anywhere else is an ordinary character. *Unquoted*
has no special character but the delimiter. In both, records end with LF, CR LF or CR, and a blank line is a record
of empty fields, so that row numbers agree with what a spreadsheet or an editor shows.

The libraries have no reader that is both fast and able to say what is wrong with which row; so Arrow's parser reads
files that are well-formed, and any other file is read in Python. Both ways give the same rows.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from .errors import excerpt
from .opening import BOM, not_utf8

__all__ = [
    "MARK", "Rows", "first_record", "guarded", "quoting", "read_carefully", "read_rows", "records", "unguarded",
]  # fmt: skip

STRAY = "stray quote (a field begins with one and does not end with one)"
BLOCK = 1 << 20  # bytes a parsing step; a record longer than that is read in Python
BATCH = 1 << 16  # records that are held as Python objects at once


class Rows(NamedTuple):
    """The wanted columns of a delimited file."""

    columns: list  # of pyarrow.ChunkedArray of large_string, one a wanted column
    row: np.ndarray  # int64, row of each value in the file, from 1
    bad: list  # of (row, value, why): records that hold no row
    multiline: bool  # whether a line end may stand inside a field


def read_rows(data, delimiter, quoted, width, wanted):
    """Read columns of a delimited text.

    Parameters
    ----------
    data : bytes
    delimiter : str
    quoted : bool
    width : int
        Fields a record; records with more or fewer are bad.
    wanted : list of int
        The fields to return. Text is checked to be UTF-8 without NUL bytes in these alone.

    Returns
    -------
    Rows
    """
    table = _parse(data, delimiter, quoted, width, wanted) if _is_well_formed(data, delimiter, quoted) else None
    if table is None:
        return read_carefully(data, delimiter, quoted, width, wanted)
    return Rows(table.columns, np.arange(1, len(table) + 1), [], data.count(b"\n") > len(table))


def _is_well_formed(data, delimiter, quoted):
    """Return True if Arrow reads these bytes as the dialect has it.

    In a well-formed file every second quote, from the first on, opens a field or follows the one before it at once
    (``""``); each of the others comes before a delimiter, a line end or the next quote. Conversely, a file in which
    that holds is well-formed and has no quote inside an unquoted field. So each quote's neighbours tell.
    """
    bare = data.count(b"\r") - data.count(b"\r\n")
    if bare or b"\0" in data or data.startswith(BOM):  # Arrow would drop the mark
        return False
    if not quoted:
        return True
    signs = np.frombuffer(b"\n" + data + b"\n", np.uint8)
    at = np.flatnonzero(signs == ord('"'))
    border = np.zeros(256, bool)
    border[list(f'{delimiter}\r\n"'.encode())] = True
    return len(at) % 2 == 0 and bool(border[signs[at[::2] - 1]].all() and border[signs[at[1::2] + 1]].all())


def _parse(data, delimiter, quoted, width, wanted):
    """The wanted columns as a table, as Arrow's own parser sees them; None where that finds a fault."""
    names, block = [str(i) for i in range(width)], BLOCK
    # Arrow loses the line feed of a CR LF inside a field whose two bytes lie in two blocks
    while any(data[at - 1 : at] == b"\r" for at in range(block, len(data), block)):
        block += 1
    try:
        return pa_csv.read_csv(
            pa.BufferReader(data),
            read_options=pa_csv.ReadOptions(column_names=names, block_size=block),
            parse_options=pa_csv.ParseOptions(
                delimiter=delimiter,
                quote_char='"' if quoted else False,
                double_quote=quoted,
                newlines_in_values=quoted,
                ignore_empty_lines=False,  # they become rows of empty fields
            ),
            convert_options=pa_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.large_string()),
                include_columns=[str(i) for i in wanted],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:  # ragged, not UTF-8, or a record longer than a block
        return None


def records(data, delimiter, quoted, width):
    """Yield (row, fields, None) for each record of `width` fields, and (row, line, why) for each bad one.

    A bad record ends with its first line, even where a quote runs on: so a stray quote costs one row, and
    each line of the file is in a row or in a bad one. Linear in the file for any fixed width, because a
    quoted field's search stops at the first lone quote, and a record's at the first surplus field.
    """
    split, line_end = delimiter.encode(), re.compile(rb"\r\n?|\n")
    field = _field_pattern(split)
    start = row = 0
    while start < len(data):
        row += 1
        found = line_end.search(data, start)
        stop, following = found.span() if found else (len(data), len(data))
        line = data[start:stop]
        if not line:
            fields, why = [b""] * width, None
        elif quoted and b'"' in line:
            fields, end, why = _quoted_record(data, start, field, split, width)
            if not why:
                found = line_end.match(data, end)
                following = found.end() if found else len(data)
        else:
            fields = line.split(split)
            why = _ragged(len(fields), width)
        yield row, line if why else fields, why
        start = following


def _field_pattern(split):
    ends = re.escape(split) + rb"\r\n"
    return re.compile(rb'"((?:[^"]++|"")*+)"(?=[%b]|\Z)|[^%b]*+' % (ends, ends))


def _quoted_record(data, start, field, split, width):
    fields, at = [], start
    while True:
        found = field.match(data, at)
        at = found.end()
        if found[1] is not None:
            fields.append(found[1].replace(b'""', b'"'))
        elif found[0].startswith(b'"'):
            return fields, at, STRAY
        else:
            fields.append(found[0])
        if data[at : at + 1] != split:
            return fields, at, _ragged(len(fields), width)
        if len(fields) > width:
            return fields, at, f"more than {width} fields where {width} are expected"
        at += 1


def _ragged(found, width):
    return None if found == width else f"{found} fields where {width} are expected"


def first_record(data, delimiter, quoted):
    """The fields of the first record, as text; all of the first line where its quotes make no sense."""
    line = re.match(rb"[^\r\n]*", data)[0]
    split = delimiter.encode()
    if quoted and b'"' in line:
        fields, _, why = _quoted_record(data, 0, _field_pattern(split), split, 1 << 14)
        fields = line.split(split) if why and why.startswith(STRAY) else fields
    else:
        fields = line.split(split)
    return [field.decode("utf-8", "replace") for field in fields]


def quoting(data, delimiter, width):
    """Say for which reading the quotes in the data are evidence.

    A field that begins with a quote is a vote for quoting if it ends as a quoted field must, and holds a doubled
    quote, or a delimiter or line end that would leave its line with too few or too many fields. It is a vote
    against if it does not end so, or if its line is whole only without quoting. ``"Yes"`` is a vote for neither.

    Returns
    -------
    str
        ``"quoted"``, ``"unquoted"``, ``"same"`` (no field begins with a quote, so both readings give the same
        rows) or ``"either"``.
    """
    split = delimiter.encode()
    field = _field_pattern(split)
    votes = {"quoted": 0, "unquoted": 0, "either": 0}
    at = data.find(b'"')
    while at >= 0 and sum(votes.values()) < 10_000:
        if at and data[at - 1 : at] not in (split, b"\n", b"\r"):
            at = data.find(b'"', at + 1)
            continue
        found = field.match(data, at)
        if found[1] is None:
            votes["unquoted"] += 1
        elif b'""' in found[1]:
            votes["quoted"] += 1
        elif any(mark in found[1] for mark in (split, b"\n", b"\r")):
            line = data[data.rfind(b"\n", 0, at) + 1 : (data.find(b"\n", at) + 1 or len(data) + 1) - 1]
            votes["unquoted" if line.count(split) + 1 == width else "quoted"] += 1
        else:
            votes["either"] += 1
        at = data.find(b'"', max(found.end(), at + 1))
    quoted, unquoted = votes["quoted"], votes["unquoted"]
    if not any(votes.values()):
        return "same"
    if quoted > 20 * unquoted or (quoted == unquoted == 0 and data.startswith(b'"')):
        return "quoted"  # a header in quotes comes from a writer that quotes every text
    return "unquoted" if unquoted > 20 * quoted else "either"


def read_carefully(data, delimiter, quoted, width, wanted):
    """`read_rows` record by record, in Python: slower, but it can say what is wrong with which row."""
    columns, batch, rows, bad = [[] for _ in wanted], [[] for _ in wanted], [], []

    def flush():
        for column, texts in zip(columns, batch, strict=True):
            column.append(pa.array(texts, pa.large_string()))
            texts.clear()

    for row, fields, why in records(data, delimiter, quoted, width):
        texts, fault = (None, (excerpt(fields), why)) if why else _texts([fields[i] for i in wanted])
        if fault:
            bad.append((row, *fault))
            continue
        rows.append(row)
        for column, text in zip(batch, texts, strict=True):
            column.append(text)
        if len(rows) % BATCH == 0:
            flush()
    flush()
    arrays = [pa.chunked_array(column, pa.large_string()) for column in columns]
    return Rows(arrays, np.array(rows, np.int64), bad, quoted and b'"' in data)


def _texts(fields):
    """Decode the fields; return (texts, None), or None and the first (value, why) that is no text."""
    for field in fields:
        if b"\0" in field:
            return None, (excerpt(field), "NUL byte in the text")
    try:
        return [field.decode() for field in fields], None
    except UnicodeDecodeError as error:
        return None, (excerpt(error.object), not_utf8(error))


#: The column that says so.
MARK = "spreadsheet_safe"


def guarded(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """The texts as a spreadsheet may see them.

    >>> guarded(pa.array(["=1+1", "'=1+1", "'tis", "a-b"])).to_pylist()
    ["'=1+1", "''=1+1", "'tis", 'a-b']
    """
    return pc.replace_substring_regex(texts, r"\A('*[=+\-@\t\r])", r"'\1")


def unguarded(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """The texts that `guarded` was given.

    >>> unguarded(pa.array(["'=1+1", "''=1+1", "'tis", "a-b"])).to_pylist()
    ['=1+1', "'=1+1", "'tis", 'a-b']
    """
    return pc.replace_substring_regex(texts, r"\A'('*[=+\-@\t\r])", r"\1")
