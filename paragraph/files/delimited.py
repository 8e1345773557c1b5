"""Delimited text, read by Arrow where that is safe, else record by record in Python.

Two dialects. *Quoted* is RFC 4180: a field that begins with a quote ends at the next single one, and inside it
delimiters and line ends are text and ``""`` is a quote; a quote anywhere else is an ordinary character. *Unquoted*
has no special character but the delimiter. In both, records end with LF, CR LF or CR, and a blank line is a record
of empty fields, so that row numbers agree with what a spreadsheet or an editor shows.

The libraries have no reader that is both fast and able to say what is wrong with which row. So Arrow's parser reads
well-formed files, and Python reads the others, six times slower. Both give the same rows.
"""

import re
from array import array
from contextlib import suppress
from itertools import repeat
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from .content import BOM, not_utf8
from .errors import PairsError, excerpt
from .tables import MARK, RUN, unguard

__all__ = ["DELIMITERS", "Rows", "edit_records", "field_pattern", "first_records", "read_rows"]

STRAY = "stray quote (a field begins with one and does not end with one)"
#: In order of preference if two fit equally well.
DELIMITERS = ("\t", ",", ";", "|")
FIRST = 100  # records examined first,
HEAD = 1 << 20  # the bytes they may take,
MOST_FIELDS = 1 << 14  # and the fields of one
BLOCK = 1 << 20  # bytes per parsing step; a record longer than that is read in Python


class Rows(NamedTuple):
    """The wanted columns of a delimited file."""

    columns: list  #: of pyarrow.ChunkedArray of large_string, one per wanted column
    row: np.ndarray  #: int64, row of each value in the file, from 1
    bad: list  #: of (row, value, why): records that hold no row


class Record(NamedTuple):
    """One record of a delimited text, as bytes."""

    line: bytes  #: its first line, without the line end
    fields: list  #: as they stand, quotes included; beyond the greatest number allowed, the rest is one field
    fault: str  #: what is wrong with it, or nothing
    start: int  #: its place in the text,
    end: int  #: the line end included


def first_records(data, delimiters, where):
    """The fields of the first records of a text by each of some delimiters, as texts; blank lines are left out."""
    head = data[:HEAD]
    found = {}
    for delimiter in delimiters:
        found[delimiter] = _first_by(head, delimiter, len(head) < len(data))
        if not found[delimiter]:
            raise PairsError(
                f"{where}, row 1: is longer than {HEAD:,} bytes, as no row of pairs is"
            )
    return found


def _first_by(head, delimiter, goes_on):
    rows = []
    for record in split_records(head, delimiter, True, MOST_FIELDS):
        if len(rows) == FIRST or (goes_on and record.end == len(head)):
            break
        if not record.line.strip():
            continue
        fields = record.line.split(delimiter.encode(), MOST_FIELDS)
        if not record.fault:
            fields = map(unquote, record.fields)
        rows.append([field.decode("utf-8", "replace").strip() for field in fields])
    return rows


def read_rows(data, delimiter, quoted, names, wanted):
    """Read the wanted columns of a delimited text, by position, and remove the guards against spreadsheets.

    Records with fewer fields than there are names are bad, and so are those with more, unless these are empty; so are
    those with a wanted field that is not UTF-8 or has a NUL byte.
    """
    rows = None
    if _is_well_formed(data, delimiter, quoted):
        with suppress(pa.ArrowInvalid):  # ragged, not UTF-8, or a record longer than a block
            table = _parse(data, delimiter, quoted, len(names), wanted)
            rows = Rows(table.columns, np.arange(1, len(table) + 1), [])
    if rows is None:
        rows = read_carefully(data, delimiter, quoted, len(names), wanted)
    if MARK in names:
        rows = rows._replace(columns=[*map(unguard, rows.columns)])
    return rows


def _is_well_formed(data, delimiter, quoted):
    """Return True if Arrow reads these bytes as the dialect requires.

    In a well-formed file every second quote, from the first on, opens a field or follows the one before it at once
    (``""``); each of the others comes before a delimiter, a line end or the next quote. Conversely, a file in which
    that holds is well-formed and has no quote inside an unquoted field. So each quote's neighbours tell.
    """
    if b"\0" in data or data.startswith(BOM):  # Arrow would drop the mark
        return False
    if data.count(b"\r") > data.count(b"\r\n"):
        return False
    if not quoted:
        return True
    signs = np.frombuffer(b"\n%b\n" % data, np.uint8)
    at = np.flatnonzero(signs == ord('"'))
    border = np.zeros(256, bool)
    border[list(f'{delimiter}\r\n"'.encode())] = True
    opening = signs[at[::2] - 1]
    closing = signs[at[1::2] + 1]
    return len(opening) == len(closing) and bool(border[opening].all() and border[closing].all())


def _parse(data, delimiter, quoted, width, wanted):
    block = BLOCK
    # Arrow loses the line feed of a CR LF inside a field whose two bytes lie in two blocks
    while any(data[at - 1 : at] == b"\r" for at in range(block, len(data), block)):
        block += 1
    names = [str(i) for i in range(width)]
    quotes = {"quote_char": False}
    if quoted:
        quotes = {"quote_char": '"', "newlines_in_values": True}
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
    texts = [bytearray() for _ in wanted]
    ends = [array("q", [0]) for _ in wanted]
    rows = []
    bad = []
    for row, record in enumerate(records(data, delimiter, quoted, width), 1):
        if record.fault:
            bad.append((row, excerpt(record.line), record.fault))
            continue
        fields = [record.fields[i] for i in wanted]
        if quoted:
            fields = [*map(unquote, fields)]
        fault = next(filter(None, map(_not_text, fields)), None)
        if fault:
            bad.append((row, *fault))
            continue
        rows.append(row)
        for text, end, field in zip(texts, ends, fields, strict=True):
            text += field
            end.append(len(text))
    columns = []
    for text, end in zip(texts, ends, strict=True):
        column = pa.LargeStringArray.from_buffers(len(rows), pa.py_buffer(end), pa.py_buffer(text))
        columns.append(pa.chunked_array([column]))
    return Rows(columns, np.array(rows, np.int64), bad)


def _not_text(field):
    """The value of a field that is no text, and why it is none; None for a text."""
    if b"\0" in field:
        return excerpt(field), "NUL byte in the text"
    try:
        field.decode()
    except UnicodeDecodeError as error:
        return excerpt(field), not_utf8(error)
    return None


def records(data, delimiter, quoted, width):
    """Yield each record, with a fault where it has not `width` fields; a blank line is a record of empty fields.

    A bad record ends with its first line, even where a quote runs on: so a stray quote costs one row. Linear in the
    file: a quoted field's search stops at the first lone quote, and a record's at the first surplus field.
    """
    split = delimiter.encode()
    empty = {b"", b'""'} if quoted else {b""}
    for record in split_records(data, delimiter, quoted, width):
        if not record.line:
            record = record._replace(fields=list(repeat(b"", width)))
        surplus = any(rest.strip(split) not in empty for rest in record.fields[width:])
        if not record.fault and (surplus or len(record.fields) < width):
            count = len(record.fields) + record.fields[-1].count(split)
            record = record._replace(fault=f"{count} fields where {width} are expected")
        yield record


def split_records(data, delimiter, quoted, most):
    """Yield each record of a text; of more than `most` fields, the last is the rest of the line."""
    split = delimiter.encode()
    line_end = re.compile(rb"\r\n?|\n|\Z")
    field = field_pattern(split)
    start = 0
    while start < len(data):
        at = start
        if data.startswith(BOM, start):  # also where files were joined
            at += len(BOM)
        stop, following = line_end.search(data, at).span()
        line = data[at:stop]
        fault = ""
        if quoted and b'"' in line:
            fields, end, fault = _quoted_fields(data, at, field, split, most)
            if not fault:  # else it ends with the first line
                following = line_end.match(data, end).end()
        else:
            fields = line.split(split, most)
        yield Record(line, fields, fault, start, following)
        start = following


def field_pattern(split):
    """The pattern of a field; its group is what stands between quotes."""
    ends = re.escape(split) + rb"\r\n"
    return re.compile(rb'"((?:[^"]++|"")*+)"(?=[%b]|\Z)|[^%b]*+' % (ends, ends))


def _quoted_fields(data, start, field, split, most):
    """The fields of a record as they stand, their end, and the fault of the quotes, if any."""
    fields = []
    at = start
    while len(fields) <= most or fields[-1] in (b"", b'""'):
        found = field.match(data, at)
        at = found.end()
        if found[1] is None and found[0].startswith(b'"'):
            return fields, at, STRAY
        fields.append(found[0])
        if data[at : at + 1] != split:
            return fields, at, ""
        at += 1
    return fields, at, f"more than {most} fields where {most} are expected"


def unquote(field):
    """Return the text of a field of the quoted dialect.

    >>> unquote(b'"the ""best"" one"'), unquote(b"plain")
    (b'the "best" one', b'plain')
    """
    if field.startswith(b'"'):
        return field[1:-1].replace(b'""', b'"')
    return field


def edit_records(data, dialect, names, changes):
    """Yield (row, bytes) for each record, some of its fields replaced, or added at its end.

    `dialect` is the delimiter, and whether fields may be quoted; `changes` a function from a row to new texts by the
    places of their fields. Bad records and blank lines stay as they are, but for a field that is added; so does every
    field without a new text.
    """
    delimiter, quoted = dialect
    for row, record in enumerate(records(data, delimiter, quoted, len(names)), 1):
        whole = data[record.start : record.end]
        new = {}
        if record.line.strip() and (not record.fault or len(record.fields) > len(names)):
            new = changes(row)
        if new:
            fields = [*record.fields]
            split = delimiter.encode()
            before = split.join(fields)
            if record.fault:  # a field too many, which must not become that of an added column
                fields.insert(len(names), b"")
            for place, text in new.items():
                old = b"".join(fields[place : place + 1])
                fields[place : place + 1] = [_field(text, old, dialect, MARK in names)]
            whole = whole.replace(before, split.join(fields), 1)
        yield row, whole


def _field(text, old, dialect, is_safe):
    """A text as a field, in quotes where it needs them or the field that it replaces has them."""
    delimiter, quoted = dialect
    if is_safe:
        text = re.sub(RUN, r"'\1", text)
    needs_quotes = old.startswith(b'"') or re.search(f'["\r\n{delimiter}]', text)
    if quoted and needs_quotes:
        text = '"' + text.replace('"', '""') + '"'
    return text.encode()
