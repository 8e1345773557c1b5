"""Delimited text: columns out of CSV and TSV bytes, and back."""

import gzip

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["DelimitedWriter", "quote_fields"]


# ---------------------------------------------------------------- writing


def quote_fields(texts, delimiter="\t"):
    """The texts as fields of a delimited file, quoted where they hold the delimiter, a quote or a line end.

    Parameters
    ----------
    texts : pyarrow.Array or pyarrow.ChunkedArray of string or large_string

    Returns
    -------
    The same kind of array; the very same object when nothing needs quotes.

    Examples
    --------
    >>> for field in quote_fields(pa.array(["plain", 'the "best" one', "this, that"]), ","):
    ...     print(field)
    plain
    "the ""best"" one"
    "this, that"
    """
    if isinstance(texts, pa.ChunkedArray):
        return pa.chunked_array([quote_fields(c, delimiter) for c in texts.chunks], type=texts.type)
    mask = _special(texts, delimiter)
    if mask is None:
        return texts
    doubled = pc.replace_substring(texts.filter(mask), '"', '""')
    quote = pa.scalar('"', texts.type)
    quoted = pc.binary_join_element_wise(quote, doubled, quote, pa.scalar("", texts.type))
    return pc.replace_with_mask(texts, mask, quoted)


def _special(texts, delimiter):
    """A mask of the texts that need quotes, or None when none does.

    Scans the character data of the whole array once, several times faster than a regular expression.
    """
    if not len(texts):
        return None
    wide = pa.types.is_large_string(texts.type)
    offsets = np.frombuffer(texts.buffers()[1], np.int64 if wide else np.int32)
    offsets = offsets[texts.offset : texts.offset + len(texts) + 1]
    if texts.buffers()[2] is None or offsets[0] == offsets[-1]:
        return None
    data = np.frombuffer(texts.buffers()[2], np.uint8)[offsets[0] : offsets[-1]]
    hits = data < 14  # the line ends, and a few rare control characters that the last step lets go
    hits |= data == ord('"')
    if delimiter != "\t":
        hits |= data == ord(delimiter)
    at = np.flatnonzero(hits)
    at = at[np.isin(data[at], np.frombuffer(f'{delimiter}"\n\r'.encode(), np.uint8))]
    if not len(at):
        return None
    mask = np.zeros(len(texts), bool)
    mask[np.searchsorted(offsets, at + offsets[0], side="right") - 1] = True
    return pa.array(mask)


class DelimitedWriter:
    """Writes columns of quoted fields to a delimited file, line by line, in bounded memory.

    Parameters
    ----------
    path : str or Path
        A name that ends in ``.gz`` is compressed; the same columns give the same bytes.
    header : list of str
    delimiter : str

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
        self.delimiter = delimiter
        self._raw = open(path, "wb")  # noqa: SIM115 (closed by close)
        # No name and no time in the gzip header: equal data, equal file.
        self._file = gzip.GzipFile("", "wb", 6, self._raw, 0) if str(path).endswith(".gz") else self._raw
        names = quote_fields(pa.array(header, pa.large_string()), delimiter)
        self._file.write((delimiter.join(names.to_pylist()) + "\n").encode())

    def write(self, columns):
        """Append rows; `columns` are equally long string arrays, quoted already; a null is an empty field."""
        table = pa.table(list(columns), names=[str(i) for i in range(len(columns))])
        for start in range(0, len(table), self.rows_per_write):
            part = table.slice(start, self.rows_per_write).combine_chunks()
            fields = [c.combine_chunks().cast(pa.large_string()) for c in part.columns]
            # The line end rides on the last, usually shortest, column: then the joined array's
            # character data is the text of the file, and one write does.
            fields[-1] = _join([fields[-1], pa.scalar("\n", pa.large_string())], "")
            lines = _join(fields, self.delimiter)
            lines = lines.combine_chunks() if isinstance(lines, pa.ChunkedArray) else lines
            offsets = np.frombuffer(lines.buffers()[1], np.int64)[lines.offset :]
            first, last = int(offsets[0]), int(offsets[len(lines)])
            self._file.write(memoryview(lines.buffers()[2])[first:last])

    def close(self):
        """Flush and close; a second call does nothing."""
        self._file.close()
        self._raw.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


def _join(fields, separator):
    return pc.binary_join_element_wise(
        *fields, pa.scalar(separator, pa.large_string()), null_handling="replace", null_replacement=""
    )
