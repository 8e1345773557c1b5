"""Write pairs and other columns to files: delimited, JSON Lines or Parquet."""

from __future__ import annotations

import gzip
import json
from contextlib import ExitStack, nullcontext
from functools import partial
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import PairsError
from ..files.outputs import written
from .check import sift
from .datasets import ZERO_ONE
from .delimited import MARK, guarded
from .meanings import signs_of
from .read import read_source
from .tables import canonical

__all__ = ["DelimitedWriter", "LabelWriter", "quote_fields", "write_pairs", "write_table"]

SCHEMA = pa.schema([("question1", pa.large_string()), ("question2", pa.large_string()), ("is_duplicate", pa.int8())])


def write_pairs(pairs: pd.DataFrame, path: str | PathLike, spreadsheet_safe: bool = False) -> None:
    """Write a pair table, so that `read_pairs` returns the same texts and labels.

    Parameters
    ----------
    pairs : DataFrame
        With `text_a`, `text_b`, `label` (or `question1`, `question2`, `is_duplicate`); <NA> becomes an empty label
        (read it with ``unlabelled="keep"``).
    path : str or Path
        The ending says how: see `LabelWriter`.
    spreadsheet_safe : bool
        Whether no spreadsheet may run a text as a formula: see `LabelWriter`.

    Raises
    ------
    PairsError
        If a column is missing, or a text is one that `read_pairs` would refuse: empty, not text, with a NUL
        character or half a surrogate pair.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "pairs.tsv"
    >>> write_pairs(pd.DataFrame({"text_a": ["How?"], "text_b": ["In what way?"], "label": [1]}), path)
    >>> path.read_text()
    'question1\\tquestion2\\tis_duplicate\\nHow?\\tIn what way?\\t1\\n'
    """
    table = canonical(pairs, "a pair table")
    if "label" not in table:
        raise PairsError("a pair table has text_a, text_b and label; here label is missing")
    source = read_source(table[["text_a", "text_b", "label"]])
    checked, blank, *_ = sift(source, signs_of(source, ZERO_ONE), "keep", "error")
    if blank:
        raise PairsError(f"row {blank[0][0]} of the pair table is blank")
    texts = pa.Table.from_pandas(checked[["text_a", "text_b"]], preserve_index=False)
    with LabelWriter(path, spreadsheet_safe) as out:
        out.write(*map(out.prepare, texts.columns), checked["label"])


class LabelWriter(ExitStack):
    """Writes labelled pairs to a file, piece by piece, and counts the labels.

    The file gets its name only once it is complete; the remains of an error or an interrupt are removed. Columns are
    ``question1``, ``question2``, ``is_duplicate``; UTF-8, LF line ends, CSV quotes where a text needs them.

    Parameters
    ----------
    path : str or Path
        Ends in ``.tsv``, ``.csv``, ``.jsonl`` or ``.parquet``, each with ``.gz`` after it or not.
    spreadsheet_safe : bool
        Put a ``'`` before texts that a spreadsheet would run as a formula, which `read_pairs` takes off again. For
        ``.tsv`` and ``.csv``.
    """

    def __init__(self, path: str | PathLike, spreadsheet_safe: bool = False):
        super().__init__()
        path, self.safe, self.tally = Path(path), spreadsheet_safe, np.zeros(3, np.int64)
        kind = Path(path.name.removesuffix(".gz")).suffix
        if kind not in (".tsv", ".csv", ".jsonl", ".parquet"):
            raise PairsError(f"{path.name} must end in .tsv, .csv, .jsonl or .parquet (or that and .gz)")
        self.delimiter = {".tsv": "\t", ".csv": ","}.get(kind)
        if self.safe and not self.delimiter:
            raise PairsError(f"{path.name}: only .tsv and .csv are for a spreadsheet; spreadsheet_safe is for them")
        part = str(self.enter_context(written(path)))
        if self.delimiter:
            header = [*SCHEMA.names, MARK] if self.safe else SCHEMA.names
            self._append = self.enter_context(DelimitedWriter(part, header, self.delimiter)).write
            return
        stream = self.enter_context(pa.output_stream(part))  # compressed if the name says so
        if kind == ".jsonl":
            append = partial(_write_json_lines, stream)
        else:
            import pyarrow.parquet as pq

            append = self.enter_context(pq.ParquetWriter(stream, SCHEMA, write_page_checksum=True)).write_table
        self._append = lambda columns: append(pa.table(columns, schema=SCHEMA))

    def prepare(self, texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
        """The texts as this file needs them (quoted where needed): once per sentence, not once per row."""
        if self.safe:
            texts = guarded(texts)
        return quote_fields(texts, self.delimiter) if self.delimiter else texts

    def write(self, text_a: pa.Array, text_b: pa.Array, label: np.ndarray | pd.Series) -> None:
        """Append rows: prepared texts, and labels 1, 0 or missing (2 in an array)."""
        if isinstance(label, pd.Series):
            label = label.to_numpy(np.int8, na_value=2)
        self.tally += np.bincount(label, minlength=3)
        mark = [pa.repeat("1", len(label))] if self.safe else []
        self._append([text_a, text_b, pa.array(label, mask=label == 2), *mark])

    def counts(self) -> dict[str, int]:
        """The number of rows written, by label: `positive`, `negative` and, if there are any, `unlabelled`."""
        negative, positive, unlabelled = self.tally.tolist()
        counts = {"positive": positive, "negative": negative}
        return counts | {"unlabelled": unlabelled} if unlabelled else counts


def _write_json_lines(stream: pa.NativeFile, table: pa.Table) -> None:
    for batch in table.to_batches(max_chunksize=1 << 14):
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in batch.to_pylist())
        stream.write("".join(lines).encode())


def write_table(table: pd.DataFrame, path: str | PathLike | int, spreadsheet_safe: bool = False) -> None:
    """Write any table as TSV, or as CSV by the ending of `path`, quoted where needed; non-text values become JSON.

    A spreadsheet runs a cell that begins with ``=``, ``+``, ``-`` or ``@`` as a formula, and sentences come from
    strangers. With `spreadsheet_safe`, such a text gets a ``'`` before it, in the header, too; `read_table` and
    `read_pairs` remove it again (see `delimited.guarded`).
    """

    def fields(values: list) -> pa.Array:
        texts = pa.array([value if isinstance(value, str) else None for value in values], pa.large_string())
        other = [None if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values]
        return pc.coalesce(guarded(texts) if spreadsheet_safe else texts, pa.array(other, pa.large_string()))

    if spreadsheet_safe:
        table = table.assign(**{MARK: "1"})
    # A number is an open file, such as a pipe: nothing lies beside it
    place = nullcontext(path) if isinstance(path, int) else written(path)
    mark = "," if str(path).removesuffix(".gz").endswith(".csv") else "\t"
    with place as part, DelimitedWriter(part, fields(list(table.columns)).to_pylist(), mark) as out:
        out.write([quote_fields(fields(column.tolist()), mark) for _, column in table.items()])


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
    mask = pc.match_substring_regex(texts, f'["\n\r{delimiter}]')
    if not pc.any(mask).as_py():
        return texts
    doubled = pc.replace_substring(texts.filter(mask), '"', '""')
    quote = pa.scalar('"', texts.type)
    quoted = pc.binary_join_element_wise(quote, doubled, quote, pa.scalar("", texts.type))
    return pc.replace_with_mask(texts, mask, quoted)


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
        table = pa.table(list(columns), names=[str(i) for i in range(len(columns))])
        for start in range(0, len(table), self.rows_per_write):
            part = table.slice(start, self.rows_per_write)
            fields = [c.combine_chunks().cast(pa.large_string()) for c in part.columns]
            # The line end is joined to the last, usually shortest, column: then the character data of the
            # joined array is the text of the file, and one write is enough.
            fields[-1] = _join([fields[-1], pa.scalar("\n", pa.large_string())], "")
            lines = _join(fields, self.delimiter)
            offsets = np.frombuffer(lines.buffers()[1], np.int64)[lines.offset :]
            first, last = int(offsets[0]), int(offsets[len(lines)])
            self._file.write(memoryview(lines.buffers()[2])[first:last])


def _join(fields, separator):
    return pc.binary_join_element_wise(
        *fields, pa.scalar(separator, pa.large_string()), null_handling="replace", null_replacement=""
    )
