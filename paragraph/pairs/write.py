"""Write pairs and other columns to files: delimited, JSON Lines or Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import ExitStack
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from ..files.errors import PairsError
from ..files.names import ending
from ..files.outputs import atomic_write
from ..files.tables import MARK, DelimitedWriter, guard, quote_fields
from .check import sift
from .labels import ZERO_ONE
from .read import read_source
from .tables import canonical, inputs_of

__all__ = ["LabelWriter", "write_pairs"]

SCHEMA = pa.schema(
    [
        ("question1", pa.large_string()),
        ("question2", pa.large_string()),
        ("is_duplicate", pa.int8()),
    ]
)


def write_pairs(pairs: pd.DataFrame, path: str | PathLike, spreadsheet_safe: bool = False) -> None:
    """Write a pair table, so that `read_pairs` returns the same texts and labels.

    It is a new table of three columns, also of pairs that come from a file: the file itself, with its other columns
    and with answers in it, is written by `Replayed.write`, in a shell by ``paragraph apply``.

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
        If a column is missing, if `read_pairs` would refuse a text (empty, not text, with a NUL character or half a
        surrogate pair), or if `path` is the file that the pairs were read from.

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
    options = {
        "labels": ZERO_ONE,
        "ids": "one",
        "unlabelled": "keep",
        "on_error": "error",
        "leave_out": [],
    }
    checked, _, skipped, _ = sift(read_source(table[["text_a", "text_b", "label"]], options))
    if skipped:
        raise PairsError(f"row {skipped[0][0]} of the pair table is blank")
    texts = pa.Table.from_pandas(checked[["text_a", "text_b"]], preserve_index=False)
    with LabelWriter(path, spreadsheet_safe, inputs_of(pairs.attrs.get("report") or {})) as out:
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
    inputs : list of paths
        The files that the pairs come from, which are not overwritten.
    """

    def __init__(
        self,
        path: str | PathLike,
        spreadsheet_safe: bool = False,
        inputs: Iterable[str | PathLike] = (),
    ):
        super().__init__()
        path = Path(path)
        self.safe = spreadsheet_safe
        self.tally = np.zeros(3, np.int64)
        kind = ending(path)
        if kind not in (".tsv", ".csv", ".jsonl", ".parquet"):
            raise PairsError(
                f"{path.name} must end in .tsv, .csv, .jsonl or .parquet (or that and .gz)"
            )
        self.delimiter = {".tsv": "\t", ".csv": ","}.get(kind)
        if self.safe and not self.delimiter:
            raise PairsError(
                f"{path.name}: only .tsv and .csv are for a spreadsheet; spreadsheet_safe is for them"
            )
        part = str(self.enter_context(atomic_write(path, inputs=inputs)))
        header = SCHEMA.names
        if self.safe:
            header.append(MARK)
        if self.delimiter:
            self._append = self.enter_context(DelimitedWriter(part, header, self.delimiter)).write
            return
        self._stream = self.enter_context(pa.output_stream(part))  # compressed if the name says so
        self._append = self._write_lines
        if kind == ".parquet":
            import pyarrow.parquet as pq

            writer = self.enter_context(
                pq.ParquetWriter(self._stream, SCHEMA, write_page_checksum=True)
            )
            self._append = lambda columns: writer.write_table(pa.table(columns, schema=SCHEMA))

    def prepare(self, texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
        """The texts as this file needs them, with quotes or marks; call it once per sentence, not once per row."""
        if self.safe:
            texts = guard(texts)
        if self.delimiter:
            texts = quote_fields(texts, self.delimiter)
        return texts

    def write(self, text_a: pa.Array, text_b: pa.Array, label: np.ndarray | pd.Series) -> None:
        """Append rows: prepared texts, and labels 1, 0 or missing (2 in an array)."""
        if isinstance(label, pd.Series):
            label = label.to_numpy(np.int8, na_value=2)
        self.tally += np.bincount(label, minlength=3)
        columns = [text_a, text_b, pa.array(label, mask=label == 2)]
        if self.safe:
            columns.append(pa.repeat("1", len(label)))
        self._append(columns)

    def counts(self) -> dict[str, int]:
        """The number of rows written, by label: `positive`, `negative` and, if there are any, `unlabelled`."""
        negative, positive, unlabelled = self.tally.tolist()
        counts = {"positive": positive, "negative": negative}
        if unlabelled:
            counts["unlabelled"] = unlabelled
        return counts

    def _write_lines(self, columns: list) -> None:
        """Append rows as JSON Lines."""
        for batch in pa.table(columns, schema=SCHEMA).to_batches(max_chunksize=1 << 14):
            lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in batch.to_pylist()]
            self._stream.write("".join(lines).encode())
