"""Delimited text, read by Arrow where that is safe, else record by record in Python.

Two dialects. *Quoted* is RFC 4180: a field that begins with a quote ends at the next single one, and inside it
delimiters and line ends are text and ``""`` is a quote; a quote anywhere else is an ordinary character. *Unquoted*
has no special character but the delimiter. In both, records end with LF, CR LF or CR, and a blank line is a record
of empty fields, so that row numbers agree with what a spreadsheet or an editor shows.

The libraries have no reader that is both fast and able to say what is wrong with which row. So Arrow's parser reads
well-formed files, and Python reads the others, six times slower. Both give the same rows.
"""

import re
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from .content import BOM, not_utf8
from .errors import PairsError, excerpt
from .tables import MARK, guarded, quote_fields, unguarded

__all__ = [
    "DELIMITERS", "FIRST", "edited_records", "field_pattern", "first_records", "raw_fields", "read_rows",
    "records",
]  # fmt: skip

STRAY = "stray quote (a field begins with one and does not end with one)"
#: In order of preference if two fit equally well.
DELIMITERS = ("\t", " ||| ", ",", ";", "|")
#: The number of records examined first, the bytes they may take, the fields of one.
FIRST, HEAD, MOST_FIELDS = 100, 1 << 20, 1 << 14
BLOCK = 1 << 20  # bytes per parsing step; a record longer than that is read in Python
BATCH = 1 << 16  # records that are held as Python objects at once


class Rows(NamedTuple):
    """The wanted columns of a delimited file."""

    columns: list  # of pyarrow.ChunkedArray of large_string, one per wanted column
    row: np.ndarray  # int64, row of each value in the file, from 1
    bad: list  # of (row, value, why): records that hold no row


def first_records(data, delimiters, where):
    """The fields of the first records of a text by each of some delimiters, as texts; blank lines are left out."""
    head, found = data[:HEAD], {}
    for delimiter in delimiters:
        rows = found[delimiter] = []
        for line, fields, why, (_, end) in split_records(head, delimiter, len(delimiter) == 1, MOST_FIELDS):
            if len(rows) == FIRST or end == len(head) < len(data):
                break
            fields = line.split(delimiter.encode(), MOST_FIELDS) if why else fields
            rows += [[text.decode("utf-8", "replace").strip() for text in fields]] if line.strip() else []
        if not rows:
            raise PairsError(f"{where}, row 1: is longer than {HEAD:,} bytes, as no row of pairs is")
    return found


def read_rows(data, delimiter, quoted, names, wanted):
    """Read the wanted columns of a delimited text, by position, and remove the guards against spreadsheets.

    Records with fewer fields than there are names are bad, and so are those with more, unless these are empty; so are
    those with a wanted field that is not UTF-8 or has a NUL byte.
    """
    rows, width = None, len(names)
    if _is_well_formed(data, delimiter, quoted):
        with suppress(pa.ArrowInvalid):  # ragged, not UTF-8, or a record longer than a block
            table = _parse(data, delimiter, quoted, width, wanted)
            rows = Rows(table.columns, np.arange(1, len(table) + 1), [])
    rows = rows or read_carefully(data, delimiter, quoted, width, wanted)
    return rows._replace(columns=[*map(unguarded, rows.columns)]) if MARK in names else rows


def _is_well_formed(data, delimiter, quoted):
    """Return True if Arrow reads these bytes as the dialect requires.

    In a well-formed file every second quote, from the first on, opens a field or follows the one before it at once
    (``""``); each of the others comes before a delimiter, a line end or the next quote. Conversely, a file in which
    that holds is well-formed and has no quote inside an unquoted field. So each quote's neighbours tell.
    """
    bare = b"\r" in data and data.count(b"\r") - data.count(b"\r\n")
    if bare or b"\0" in data or data.startswith(BOM) or len(delimiter) > 1:  # Arrow would drop the mark
        return False
    if not quoted:
        return True
    signs = np.frombuffer(b"\n%b\n" % data, np.uint8)
    at = np.flatnonzero(signs == ord('"'))
    border = np.zeros(256, bool)
    border[list(f'{delimiter}\r\n"'.encode())] = True
    return len(at) % 2 == 0 and bool(border[signs[at[::2] - 1]].all() and border[signs[at[1::2] + 1]].all())


def _parse(data, delimiter, quoted, width, wanted):
    names, block = [str(i) for i in range(width)], BLOCK
    # Arrow loses the line feed of a CR LF inside a field whose two bytes lie in two blocks
    while any(data[at - 1 : at] == b"\r" for at in range(block, len(data), block)):
        block += 1
    quotes = {"quote_char": '"', "newlines_in_values": True} if quoted else {"quote_char": False}
    return pa_csv.read_csv(
        pa.BufferReader(data),
        pa_csv.ReadOptions(column_names=names, block_size=block),
        pa_csv.ParseOptions(delimiter=delimiter, ignore_empty_lines=False, **quotes),
        pa_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.large_string()),
            include_columns=[str(i) for i in wanted],
            strings_can_be_null=False,
        ),
    )


def read_carefully(data, delimiter, quoted, width, wanted):
    """Do the work of `read_rows` record by record, in Python, and say what is wrong with which row."""
    columns, batch, rows, bad = [[] for _ in wanted], [[] for _ in wanted], [], []

    def flush():
        for column, texts in zip(columns, batch, strict=True):
            column.append(pa.array(texts, pa.large_string()))
            texts.clear()

    for row, fields, why, _ in records(data, delimiter, quoted, width):
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
    return Rows(arrays, np.array(rows, np.int64), bad)


def _texts(fields):
    """Decode the fields; return (texts, None), or None and the first (value, why) that is not text."""
    for field in fields:
        if b"\0" in field:
            return None, (excerpt(field), "NUL byte in the text")
    try:
        return [field.decode() for field in fields], None
    except UnicodeDecodeError as error:
        return None, (excerpt(error.object), not_utf8(error))


def records(data, delimiter, quoted, width):
    """Yield (row, fields, None, span) for each record of `width` fields, and (row, line, why, span) for each bad one.

    The span gives the start and the end of the record, line end included, in the data. A bad record ends with its
    first line, even where a quote runs on: so a stray quote costs one row. Linear in the file: a quoted field's
    search stops at the first lone quote, and a record's at the first surplus field.
    """
    split = delimiter.encode()
    for row, (line, fields, why, span) in enumerate(split_records(data, delimiter, quoted, width), 1):
        fields = fields if line else [b""] * width
        if not why and (len(fields) <= width or not fields[-1].strip(split)):
            fields[width:] = [rest for rest in fields[width:] if rest.strip(split)]
        if not why and len(fields) != width:
            why = f"{len(fields) + fields[-1].count(split)} fields where {width} are expected"
        yield row, line if why else fields, why, span


def split_records(data, delimiter, quoted, most):
    """Yield each record: its first line, its fields (few beyond `most`), what is wrong with its quotes, its span."""
    split, line_end, start = delimiter.encode(), re.compile(rb"\r\n?|\n|\Z"), 0
    field = field_pattern(split)
    while start < len(data):
        begin, mark = start, len(BOM) if data.startswith(BOM, start) else 0
        start += mark  # where files were joined
        stop, following = line_end.search(data, start).span()
        line, why = data[start:stop], None
        if quoted and b'"' in line:
            fields, end, why = quoted_record(data, start, field, split, most)
            if not why:  # else it ends with the first line
                following = line_end.match(data, end).end()
        else:
            fields = line.split(split, most)
        yield line, fields, why, (begin, following)
        start = following


def field_pattern(split):
    ends = re.escape(split) + rb"\r\n"
    return re.compile(rb'"((?:[^"]++|"")*+)"(?=[%b]|\Z)|[^%b]*+' % (ends, ends))


def quoted_record(data, start, field, split, width):
    """Return the fields of a record, its end, and the fault of its quotes, if any."""
    fields, at = [], start
    while len(fields) <= width or not fields[-1]:
        found = field.match(data, at)
        at = found.end()
        if found[1] is None and found[0].startswith(b'"'):
            return fields, at, STRAY
        fields.append(found[0] if found[1] is None else found[1].replace(b'""', b'"'))
        if data[at : at + 1] != split:
            return fields, at, None
        at += 1
    return fields, at, f"more than {width} fields where {width} are expected"


def raw_fields(record, delimiter, quoted):
    """Split a record (without its line end) into fields as they stand, quotes included.

    >>> raw_fields(b'"a,b",c,', ",", True)
    [b'"a,b"', b'c', b'']
    """
    split = delimiter.encode()
    if not quoted:
        return record.split(split)
    field, found, at = field_pattern(split), [], 0
    while at <= len(record):
        found.append(field.match(record, at)[0])
        at += len(found[-1]) + len(split)
    return found


def edited_records(data, dialect, names, changes):
    """Yield (row, bytes) for each record, some of its fields replaced, or added at its end.

    `dialect` is the delimiter, and whether fields may be quoted; `changes` a function from a row to new texts by the
    places of their fields. Bad records and blank lines stay as they are, and so does every field without a new text.
    """
    delimiter, quoted = dialect
    for row, _, why, (start, end) in records(data, delimiter, quoted, len(names)):
        line = data[start:end]
        body = line.rstrip(b"\r\n")
        new = {} if why or not body.strip() else changes(row)
        if new:
            mark = BOM if body.startswith(BOM) else b""
            fields = raw_fields(body.removeprefix(BOM), delimiter, quoted)
            for place, text in new.items():
                old = fields[place] if place < len(fields) else b""
                fields[place : place + 1] = [_field(text, old, dialect, MARK in names)]
            line = mark + delimiter.encode().join(fields) + line[len(body) :]
        yield row, line


def _field(text, old, dialect, is_safe):
    """A text as a field, in quotes where it needs them or the field that it replaces has them."""
    delimiter, quoted = dialect
    array = pa.array([text], pa.large_string())
    if is_safe:
        array = guarded(array)
    if quoted:
        array = quote_fields(array, delimiter)
    field = array[0].as_py().encode()
    if quoted and old.startswith(b'"') and not field.startswith(b'"'):
        return b'"%b"' % field
    return field
