"""Delimited text: by Arrow where that is safe, else record by record in Python.

Two dialects. *Quoted* is RFC 4180: a field that begins with a quote ends at the next single one, and inside it
delimiters and line ends are text and ``""`` is a quote; a quote anywhere else is an ordinary character. *Unquoted*
has no special character but the delimiter. In both, records end with LF, CR LF or CR, and a blank line is a record
of empty fields, so that row numbers agree with what a spreadsheet or an editor shows.

The libraries have no reader that is both fast and able to say what is wrong with which row. So Arrow's parser reads
well-formed files, and Python reads the others, six times slower. Both give the same rows.

A spreadsheet runs a cell that begins with ``=``, ``+``, ``-`` or ``@`` as a formula, and sentences come from
strangers. A file for spreadsheets therefore has a ``'`` before such a text, and before one with nothing but ``'`` in
front of such a sign: the way back is exact. The file's last column is called `MARK`, which survives a spreadsheet and
another file name; where a file has this column, the readers of this package take the ``'`` off.
"""

import re
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from .errors import excerpt
from .opening import BOM, not_utf8

__all__ = ["MARK", "Rows", "first_record", "guarded", "quoting"]
__all__ += ["raw_fields", "read_carefully", "read_rows", "records", "run_on", "unguarded"]

#: The column of a file for spreadsheets.
MARK = "spreadsheet_safe"
STRAY = "stray quote (a field begins with one and does not end with one)"
BLOCK = 1 << 20  # bytes a parsing step; a record longer than that is read in Python
BATCH = 1 << 16  # records that are held as Python objects at once


class Rows(NamedTuple):
    """The wanted columns of a delimited file."""

    columns: list  # of pyarrow.ChunkedArray of large_string, one a wanted column
    row: np.ndarray  # int64, row of each value in the file, from 1
    bad: list  # of (row, value, why): records that hold no row


def read_rows(data, delimiter, quoted, names, wanted):
    """Read the wanted columns of a delimited text, by their places, without what guards them against spreadsheets.

    Records with more or fewer fields than there are names are bad; so are those with a wanted field that is not UTF-8
    or has a NUL byte.
    """
    rows, width = None, len(names)
    if _is_well_formed(data, delimiter, quoted):
        with suppress(pa.ArrowInvalid):  # ragged, not UTF-8, or a record longer than a block
            table = _parse(data, delimiter, quoted, width, wanted)
            rows = Rows(table.columns, np.arange(1, len(table) + 1), [])
    rows = rows or read_carefully(data, delimiter, quoted, width, wanted)
    return rows._replace(columns=[*map(unguarded, rows.columns)]) if MARK in names else rows


def _is_well_formed(data, delimiter, quoted):
    """Return True if Arrow reads these bytes as the dialect has it.

    In a well-formed file every second quote, from the first on, opens a field or follows the one before it at once
    (``""``); each of the others comes before a delimiter, a line end or the next quote. Conversely, a file in which
    that holds is well-formed and has no quote inside an unquoted field. So each quote's neighbours tell.
    """
    bare = b"\r" in data and data.count(b"\r") - data.count(b"\r\n")
    if bare or b"\0" in data or data.startswith(BOM):  # Arrow would drop the mark
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
    """`read_rows` record by record, in Python: it says what is wrong with which row."""
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
    """Decode the fields; return (texts, None), or None and the first (value, why) that is no text."""
    for field in fields:
        if b"\0" in field:
            return None, (excerpt(field), "NUL byte in the text")
    try:
        return [field.decode() for field in fields], None
    except UnicodeDecodeError as error:
        return None, (excerpt(error.object), not_utf8(error))


def records(data, delimiter, quoted, width):
    """Yield (row, fields, None, span) for each record of `width` fields, and (row, line, why, span) for each bad one.

    The span tells where in the data the record and its line end lie: from, to. A bad record ends with its first line,
    even where a quote runs on: so a stray quote costs one row. Linear in the file: a quoted field's search stops at
    the first lone quote, and a record's at the first surplus field.
    """
    split, line_end = delimiter.encode(), re.compile(rb"\r\n?|\n")
    field = _field_pattern(split)
    start = row = 0
    while start < len(data):
        row += 1
        found = line_end.search(data, start)
        stop, following = found.span() if found else (len(data), len(data))
        line, end, why = data[start:stop], stop, None
        if quoted and b'"' in line:
            fields, end, why = _quoted_record(data, start, field, split, width)
        else:
            fields = line.split(split) if line else [b""] * width
        if not why and len(fields) != width:
            why = f"{len(fields)} fields where {width} are expected"
        if not why and end > stop:  # there are line ends inside its quotes
            found = line_end.match(data, end)
            following = found.end() if found else len(data)
        yield row, line if why else fields, why, (start, following)
        start = following


def _field_pattern(split):
    ends = re.escape(split) + rb"\r\n"
    return re.compile(rb'"((?:[^"]++|"")*+)"(?=[%b]|\Z)|[^%b]*+' % (ends, ends))


def _quoted_record(data, start, field, split, width):
    """Return the fields of a record, its end, and what is wrong with its quotes, if anything is."""
    fields, at = [], start
    while len(fields) <= width:
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
    field, found, at = _field_pattern(split), [], 0
    while at <= len(record):
        found.append(field.match(record, at)[0])
        at += len(found[-1]) + len(split)
    return found


def first_record(data, delimiter):
    """The fields of the first record, as text; all of the first line where its quotes make no sense."""
    line = re.match(rb"[^\r\n]*", data)[0]
    split = delimiter.encode()
    fields, why = line.split(split), None
    if b'"' in line:
        in_quotes, _, why = _quoted_record(data, 0, _field_pattern(split), split, 1 << 14)
        fields = fields if why == STRAY else in_quotes
    return [field.decode("utf-8", "replace") for field in fields]


def quoting(data, delimiter, width):
    """Tell which readings the quotes in the data allow: True for quotes as marks, False for quotes as text.

    A field that begins with a quote is a vote for quoting if it ends as a quoted field must, and holds a doubled
    quote, or a delimiter or line end that would leave its line with too few or too many fields. It is a vote
    against if it does not end so, or if its line is whole only without quoting. ``"Yes"`` is a vote for neither.

    Returns
    -------
    list of bool
        Empty where no field begins with a quote, so that both readings give the same rows.
    """
    split = delimiter.encode()
    field = _field_pattern(split)
    votes = {True: 0, False: 0, None: 0}
    at = data.find(b'"')
    while at >= 0 and sum(votes.values()) < 10_000:
        if at and data[at - 1 : at] not in (split, b"\n", b"\r"):
            at = data.find(b'"', at + 1)
            continue
        found = field.match(data, at)
        if found[1] is None:
            votes[False] += 1
        elif b'""' in found[1]:
            votes[True] += 1
        elif any(mark in found[1] for mark in (split, b"\n", b"\r")):
            line = data[data.rfind(b"\n", 0, at) + 1 : (data.find(b"\n", at) + 1 or len(data) + 1) - 1]
            votes[line.count(split) + 1 != width] += 1
        else:
            votes[None] += 1
        at = data.find(b'"', max(found.end(), at + 1))
    if votes[True] > 20 * votes[False] or (not votes[True] and not votes[False] and data.startswith(b'"')):
        return [True]  # a header in quotes comes from a writer that quotes every text
    if votes[False] > 20 * votes[True]:
        return [False]
    return [True, False] if any(votes.values()) else []


def run_on(texts, left, delimiter):
    """Yield (position, fields) of texts that seem to hold further rows, because of a stray quote.

    The first line of such a text is the rest of a row: it has as many fields as are `left` from this column on.
    """
    for i in np.flatnonzero(pc.match_substring(texts, "\n").to_numpy()).tolist() if left > 1 else ():
        fields = texts[i].as_py().split("\n")[0].removesuffix("\r").split(delimiter)
        if len(fields) == left:
            yield i, fields


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
