"""The columns of a delimited file: by Arrow where that is safe, else record by record.

Both ways give the same rows. The libraries have no reader that is both fast and able to say what is wrong with which
row; so Arrow's parser reads, its bytes are checked as they pass, and a file with a fault is read again in Python.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from .records import excerpt, not_utf8, records

__all__ = ["Columns", "read_carefully", "read_columns"]

BOM = b"\xef\xbb\xbf"
BLOCK = 1 << 20  # bytes a parsing step, and to tell the format from; a record longer than that goes the careful way
BATCH = 1 << 16  # records that the careful way holds as Python objects


class Columns(NamedTuple):
    """The wanted columns of a delimited file."""

    columns: list  # of pyarrow.ChunkedArray of large_string, one a wanted column
    row: np.ndarray  # int64, row of each value in the file, from 1
    bad: list  # of (row, value, why): records that hold no row
    multiline: bool  # whether a line end may stand inside a field


def read_columns(open_stream, delimiter, quoted, width, wanted, begun=None):
    """Columns of a delimited file, the fast way where that provably gives what the careful way gives.

    Parameters
    ----------
    open_stream : callable
        Opens the file's bytes as a ``pyarrow.NativeFile``; called a second time for the careful way.
    delimiter : str
    quoted : bool or None
        None: no field is believed to begin with a quote, so that both readings are the same.
    width : int
        Fields a record; records with more or fewer are bad.
    wanted : list of int
        Which fields to return. Text is checked to be UTF-8 without NUL bytes in these alone.
    begun : (NativeFile, pyarrow.Buffer), optional
        The stream, opened already, and what was read of it: nothing is decompressed twice.

    Returns
    -------
    Columns, or None if `quoted` is None and that belief could not be confirmed.
    """
    stream, head = begun or (open_stream(), None)
    with stream:
        watch = _Watch(stream, delimiter, quoted, head)
        table = _parse(watch, delimiter, bool(quoted), width, wanted)
    if watch.fit() and table is not None:
        return Columns(table.columns, np.arange(1, len(table) + 1), [], watch.newlines > len(table))
    if quoted is None:
        return None
    with open_stream() as stream:
        data = stream.read()
    return read_carefully(data, delimiter, quoted, width, wanted)


class _Watch:
    """A stream that looks at the bytes passing through, for whatever could set the two ways apart.

    In a well-formed file every second quote, from the first on, opens a field or follows the one before it at once
    (``""``); each of the others comes before a delimiter, a line end or the next quote. Conversely, a file in which
    that holds is well-formed and has no quote inside an unquoted field. So looking at each quote's neighbours is
    enough, and numpy does it a block at a time.
    """

    closed = False

    def __init__(self, stream, delimiter, quoted, head=None):
        self.stream, self.quoted, self.head = stream, quoted, head
        self.border = np.zeros(256, bool)  # bytes that may stand before an opening quote and after a closing one
        self.border[list(f'{delimiter}\r\n"'.encode())] = True
        self.last = np.array([10], np.uint8)  # the byte before the block
        self.quotes = self.newlines = 0
        self.begun = self.odd = False
        # Looking takes a tenth as long as decompressing, and need not wait for it
        self.worker, self.looks = ThreadPoolExecutor(1), []

    def read(self, size):
        block = self.head or self.stream.read_buffer(size)
        # Arrow loses the line feed of a CR LF inside a field whose two bytes lie in two blocks: keep them in one
        while len(block) and block[-1] == 13 and len(more := self.stream.read_buffer(1)):
            block = pa.py_buffer(block.to_pybytes() + more.to_pybytes())
        self.head = None
        if not self.begun:
            block = block.slice(3) if block[:3].to_pybytes() == BOM else block
            self.odd = block[:3].to_pybytes() == BOM  # Arrow would drop that one as well
            self.begun = True
        if len(block):
            self.looks.append(self.worker.submit(self.look, np.frombuffer(block, np.uint8)))
        return block

    def look(self, block):
        before = np.concatenate([self.last, block[:-1]])  # the byte before each
        self.newlines += np.count_nonzero(block == 10)
        self.odd |= not block.all() or bool((block[before == 13] != 10).any())  # a NUL byte, a bare carriage return
        if self.quoted is not False:
            self.look_at_quotes(block, before)
        self.last = block[-1:]

    def look_at_quotes(self, block, before):
        at, passed = np.flatnonzero(block == 34), np.flatnonzero(before == 34)
        if self.quoted is None:
            self.odd |= bool((self.border[before[at]] & (before[at] != 34)).any())
            return
        # Of all quotes, counted from 0, the even ones open; each is seen twice: itself, and from the byte after it
        opening, closing = at[self.quotes % 2 :: 2], passed[(self.quotes - int(self.last[0] == 34) + 1) % 2 :: 2]
        self.odd |= not (self.border[before[opening]].all() and self.border[block[closing]].all())
        self.quotes += len(at)

    def fit(self):
        """Whether nothing odd was seen: the file is well-formed, to its end."""
        for look in self.looks:
            look.result()
        self.worker.shutdown()
        return not self.odd and self.quotes % 2 == 0 and self.last[0] != 13


def _parse(stream, delimiter, quoted, width, wanted):
    """The wanted columns as a table, as Arrow's own parser sees them; None where that finds a fault."""
    names = [str(i) for i in range(width)]
    try:
        return pa_csv.read_csv(
            pa.PythonFile(stream, "r"),
            read_options=pa_csv.ReadOptions(column_names=names, block_size=BLOCK),
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


def read_carefully(data, delimiter, quoted, width, wanted):
    """`read_columns` record by record, in Python: slower, but it can say what is wrong with which row."""
    data = data.removeprefix(BOM)
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
    return Columns(arrays, np.array(rows, np.int64), bad, quoted and b'"' in data)


def _texts(fields):
    """The fields as text, or the first (value, why) that is none."""
    for field in fields:
        if b"\0" in field:
            return None, (excerpt(field), "NUL byte in the text")
    try:
        return [field.decode() for field in fields], None
    except UnicodeDecodeError as error:
        return None, (excerpt(error.object), not_utf8(error))
