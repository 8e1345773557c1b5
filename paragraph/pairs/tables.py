"""Pair tables: the names of their columns, checks of rows and texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ..files.errors import PairsError
from ..files.json_lines import is_unicode

__all__ = [
    "COLUMNS",
    "DECIDED",
    "FURTHER",
    "ROLES",
    "TEXTS",
    "canonical",
    "column",
    "inputs_of",
    "is_pair_table",
    "refuse",
    "row_name",
    "rows_of",
]

#: The columns of a pair table, in their order.
COLUMNS = (
    "text_a", "text_b", "label", "row", "id", "id_a", "id_b", "split", "entailment", "annotator", "score",
)  # fmt: skip
#: The roles that a column of a source can have; `set` and `negative` in place of `text_b` or beside it.
ROLES = (*(name for name in COLUMNS if name not in ("row", "score")), "set", "negative")
#: The last column of a file whose labels stay as they are: what a person decided, which counts in their place.
DECIDED = "decided"
#: The names of the two texts in tables.
TEXTS = (("text_a", "text_b"), ("question1", "question2"), ("sentence1", "sentence2"))
#: Further texts of a row, which are no paraphrases of the first one, and further labels, by other people.
FURTHER = re.compile(r"(neg|label)(ative)?_?\d*")


def canonical(table: pd.DataFrame, what: str = "a table of pairs") -> pd.DataFrame:
    """Rename the columns of pairs to `text_a`, `text_b` and, if there are labels, `label`.

    `question1`, `question2`, `is_duplicate` are renamed, and so are `sentence1`, `sentence2`. A canonical name takes
    precedence over another spelling. Other columns, rows, index and `attrs` stay as they are; the data is not copied.
    A `PairsError`, which calls the table `what`, names missing and duplicate columns.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"question1": ["a"], "question2": ["b"], "is_duplicate": [1], "cosine": [0.8]})
    >>> canonical(table).columns.tolist()
    ['text_a', 'text_b', 'label', 'cosine']
    """
    columns = [*getattr(table, "columns", ())]
    for name in columns:
        if columns.count(name) > 1:
            raise PairsError(f"{what} has two columns that are called {name!r}")
    names = {*columns}
    texts = next((pair for pair in TEXTS if {*pair} <= names), ("", ""))
    if not {"text_a", "text_b"} & names <= {*texts} <= names:
        raise PairsError(f"{what} needs the columns text_a, text_b (or question1, question2)")
    ours = {texts[0]: "text_a", texts[1]: "text_b"}
    if "label" not in table:
        ours["is_duplicate"] = "label"
    return table.rename(columns=ours)


def row_name(pairs: pd.DataFrame, position: int) -> str:
    """The name of a row in errors: its source and its number there, if known."""
    row = position + 1
    if "row" in pairs:
        row = pairs["row"].iloc[position]
    source = (pairs.attrs.get("report") or {}).get("source")
    if source:
        return f"{source}, row {row}"
    return f"row {row}"


def inputs_of(report: dict[str, Any]) -> list[str]:
    """The absolute paths of the files that a report is about, which no output may replace; empty if there is none."""
    path = report.get("path")
    return [path] if path else report.get("inputs", [])


def refuse(table: pd.DataFrame, odd: np.ndarray, why: Callable[[pd.Series], str]) -> None:
    """Raise `PairsError` for the first odd row of a table, if there is one; `why` says what is wrong with it."""
    for position in np.flatnonzero(np.asarray(odd, dtype=bool)):
        raise PairsError(f"{row_name(table, position)}: {why(table.iloc[position])}")


def column(pairs: pd.DataFrame, name: str) -> pa.ChunkedArray:
    """A column of texts; `PairsError` names the first row whose value is not text."""
    with suppress(UnicodeEncodeError, pa.ArrowException):
        texts = pa.chunked_array(pa.Array.from_pandas(pairs[name]))
        texts = texts.cast(pa.large_string())
        if not texts.null_count:
            return texts
    is_text = [isinstance(text, str) and is_unicode(text) for text in pairs[name]]

    def why(row: pd.Series) -> str:
        text = row[name]
        fault = "it is not text"
        if isinstance(text, str):
            fault = "half a surrogate pair is not a character"
        return f"{name} {text!r} cannot be used: {fault}"

    refuse(pairs, np.logical_not(is_text), why)
    raise PairsError(f"{name} is not a column of texts")


def is_pair_table(frame: pd.DataFrame) -> bool:
    """Return True for a table from `read_pairs`, whose column `row` is the place in the source."""
    return {"text_a", "text_b", "row"} <= {*frame} and frame["row"].dtype == np.int64


def rows_of(pairs: pd.DataFrame) -> np.ndarray:
    """Return the place of each row in its source: the column `row` of a pair table, else a count from 0."""
    if "row" in pairs and pairs["row"].dtype.kind == "i":
        return pairs["row"].to_numpy()
    return np.arange(len(pairs))
