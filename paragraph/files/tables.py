"""Tables written as delimited text, safe for a spreadsheet if wished.

A spreadsheet runs a cell that begins with ``=``, ``+``, ``-`` or ``@`` as a formula, and sentences come from
strangers. A file for spreadsheets therefore has a ``'`` before such a text, and before one with nothing but ``'`` in
front of such a sign: the way back is exact. The file's last column is called `MARK`, which survives a spreadsheet and
another file name; where a file has this column, the readers of this package take the ``'`` off.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from contextlib import ExitStack, nullcontext
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from .errors import PairsError
from .names import TEXTS, ending
from .outputs import atomic_write

__all__ = ["MARK", "DelimitedWriter", "guard", "quote_fields", "unguard", "write_table"]

#: The column of a file for spreadsheets.
MARK = "spreadsheet_safe"
#: What a spreadsheet runs, at the beginning of a text.
RUN = r"\A('*[=+\-@\t\r])"


def write_table(
    table: pd.DataFrame, path: str | PathLike | int, spreadsheet_safe: bool = False
) -> None:
    """Write any table as TSV, or as CSV by the ending of `path`, quoted where needed.

    Missing values are empty, and others that are not text become JSON. `PairsError` for the ending of anything else.

    A spreadsheet runs a cell that begins with ``=``, ``+``, ``-`` or ``@`` as a formula, and sentences come from
    strangers. With `spreadsheet_safe`, such a text gets a ``'`` before it, in the header, too; `read_table` and
    `read_pairs` remove it again (see `guard`).
    """

    end = ending(str(path))
    if end not in TEXTS:
        raise PairsError(
            f"{Path(path).name}: a table is written as text; end its name in .tsv or .csv, not in {end}"
        )
    mark = "," if end == ".csv" else "\t"
    if spreadsheet_safe:
        table = table.assign(**{MARK: "1"})
    header = _texts(table, spreadsheet_safe).to_pylist()
    filled = table.astype(object).where(table.notna(), "")
    columns = [_texts(column.tolist(), spreadsheet_safe) for _, column in filled.items()]
    # A number is an open file, such as a pipe: nothing lies beside it
    place = nullcontext(path) if isinstance(path, int) else atomic_write(path)
    with place as part, DelimitedWriter(part, header, mark) as out:
        out.write([quote_fields(column, mark) for column in columns])


def _texts(values: Iterable, safe: bool) -> pa.Array:
    """Values as texts: what is no text, as JSON."""
    texts = []
    for value in values:
        if not isinstance(value, str):
            value = json.dumps(value, ensure_ascii=False)
        texts.append(value)
    found = pa.array(texts, pa.large_string())
    if safe:
        found = guard(found)
    return found


def quote_fields(texts, delimiter="\t"):
    """The texts as fields of a delimited file, quoted where they hold the delimiter, a quote or a line end.

    They are an array or a chunked array of (large) strings, and so is the result; it is the same object if nothing
    needs quotes.

    >>> for field in quote_fields(pa.array(["plain", 'the "best" one', "this, that"]), ","):
    ...     print(field)
    plain
    "the ""best"" one"
    "this, that"
    """
    if isinstance(texts, pa.ChunkedArray):
        return pa.chunked_array([quote_fields(c, delimiter) for c in texts.chunks], type=texts.type)
    mask = _holding(texts, f'"\n\r{delimiter}'.encode())
    if not mask.any():
        return texts
    mask = pa.array(mask)
    doubled = pc.replace_substring(texts.filter(mask), '"', '""')
    quote = pa.scalar('"', texts.type)
    quoted = pc.binary_join_element_wise(quote, doubled, quote, pa.scalar("", texts.type))
    return pc.replace_with_mask(texts, mask, quoted)


def _holding(texts, marks):
    """Flags of the texts with one of some bytes: twice as fast as a regular expression."""
    found = np.zeros(len(texts), bool)
    if not len(texts):
        return found
    _, ends, data = texts.buffers()
    width = np.int64 if pa.types.is_large_string(texts.type) else np.int32
    ends = np.frombuffer(ends, width)[texts.offset :][: len(texts) + 1]
    signs = np.frombuffer(data or b"", np.uint8)[ends[0] : ends[-1]]
    at = np.flatnonzero(np.isin(signs, list(marks)))
    found[np.searchsorted(ends, at + ends[0], side="right") - 1] = True
    return found


class DelimitedWriter(ExitStack):
    """Writes columns of quoted fields to a delimited file, line by line, in bounded memory.

    Parameters
    ----------
    path : str or Path
        A name that ends in ``.gz`` is compressed; the same columns give the same bytes.
    header : list of str

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pairs.tsv"
    >>> with DelimitedWriter(path, ["question1", "is_duplicate"]) as writer:
    ...     writer.write([quote_fields(pa.array(["How?", 'How "soon"?'])), pa.array(["1", "0"])])
    >>> path.read_text()
    'question1\\tis_duplicate\\nHow?\\t1\\n"How ""soon""?"\\t0\\n'
    """

    rows_per_write = 1 << 16

    def __init__(self, path, header, delimiter="\t"):
        super().__init__()
        self.delimiter = delimiter
        self._file = self.enter_context(open(path, "wb"))  # noqa: SIM115 (the stack closes it)
        if str(path).endswith(".gz"):  # no name and no time in the header: equal data, equal file
            self._file = self.enter_context(gzip.GzipFile("", "wb", 6, self._file, 0))
        names = quote_fields(pa.array(header, pa.large_string()), delimiter)
        self._file.write((delimiter.join(names.to_pylist()) + "\n").encode())

    def write(self, columns):
        """Append rows; `columns` are equally long string arrays, quoted already; a null is an empty field."""
        columns = list(columns)
        table = pa.table(columns, names=[str(i) for i in range(len(columns))])
        for batch in table.to_batches(self.rows_per_write):
            *first, last = (column.cast(pa.large_string()) for column in batch.columns)
            # The line end is joined to the last, usually shortest, column: then the character data of the
            # joined array is the text of the file, and one write is enough.
            last = _join([last, pa.scalar("\n", pa.large_string())], "")
            lines = _join([*first, last], self.delimiter)
            _, ends, texts = lines.buffers()
            size = np.frombuffer(ends, np.int64)[len(lines)]
            self._file.write(memoryview(texts)[:size])


def _join(fields, separator):
    return pc.binary_join_element_wise(
        *fields,
        pa.scalar(separator, pa.large_string()),
        null_handling="replace",
        null_replacement="",
    )


def guard(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Make texts safe in a spreadsheet.

    >>> guard(pa.array(["=1+1", "'=1+1", "'tis", "a-b"])).to_pylist()
    ["'=1+1", "''=1+1", "'tis", 'a-b']
    """
    return pc.replace_substring_regex(texts, RUN, r"'\1")


def unguard(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return the original texts of those that `guard` returned.

    >>> unguard(pa.array(["'=1+1", "''=1+1", "'tis", "a-b"])).to_pylist()
    ['=1+1', "'=1+1", "'tis", 'a-b']
    """
    return pc.replace_substring_regex(texts, r"\A'('*[=+\-@\t\r])", r"\1")
