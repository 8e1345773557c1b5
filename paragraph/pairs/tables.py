"""Checks of pair tables: the names of their columns, their rows and their texts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa

from .columns import SPELLINGS
from .errors import PairsError
from .records import is_unicode

__all__ = ["canonical", "column", "refuse", "row_name"]


def canonical(table: pd.DataFrame, what: str = "a table of pairs") -> pd.DataFrame:
    """Rename the columns of pairs to `text_a`, `text_b` and, if there are labels, `label`.

    `question1`, `question2`, `is_duplicate` are renamed, and so are `sentence1`, `sentence2`. A canonical name takes
    precedence over another spelling. Other columns, rows, index and `attrs` stay as they are; the data is not copied.
    A `PairsError`, which calls the table `what`, names what is missing or there twice.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"question1": ["a"], "question2": ["b"], "is_duplicate": [1], "cosine": [0.8]})
    >>> canonical(table).columns.tolist()
    ['text_a', 'text_b', 'label', 'cosine']
    """
    columns = [*getattr(table, "columns", ())]
    given, ours = {*columns}, {"text_a", "text_b"}
    if twice := [name for name in given if columns.count(name) > 1]:
        raise PairsError(f"{what} has two columns that are called {twice[0]!r}")
    names = zip(SPELLINGS["text_a"], SPELLINGS["text_b"], strict=True)
    texts = next((pair for pair in names if {*pair} <= given), ())
    if not texts or (given & ours) - {*texts}:
        raise PairsError(f"{what} needs the columns text_a, text_b (or question1, question2)")
    label = [] if "label" in table else ["is_duplicate"]
    return table.rename(columns=dict(zip([*texts, *label], ("text_a", "text_b", "label"), strict=False)))


def row_name(pairs: pd.DataFrame, at: int) -> str:
    """The name of a row in errors: its source and its number there, as far as they are known."""
    row = pairs["row"].iloc[at] if "row" in pairs else at + 1
    source = (pairs.attrs.get("report") or {}).get("source")
    return f"{source}, row {row}" if source else f"row {row}"


def refuse(table: pd.DataFrame, odd: np.ndarray, why: Callable[[pd.Series], str]) -> None:
    """Raise `PairsError` for the first odd row of a table, if there is one; `why` says what is wrong with it."""
    odd = np.asarray(odd, dtype=bool)
    if odd.any():
        at = int(odd.argmax())
        raise PairsError(f"{row_name(table, at)}: {why(table.iloc[at])}")


def column(pairs: pd.DataFrame, name: str) -> pa.ChunkedArray:
    """A column of texts; `PairsError` names the first row whose value is no text."""
    try:
        texts = pa.chunked_array(pa.Array.from_pandas(pairs[name])).cast(pa.large_string())
        if not texts.null_count:
            return texts
    except (UnicodeEncodeError, pa.ArrowException):
        pass
    at, value = next(
        (at, value) for at, value in enumerate(pairs[name]) if not (isinstance(value, str) and is_unicode(value))
    )
    why = "half a surrogate pair is no character" if isinstance(value, str) else "it is no text"
    raise PairsError(f"{row_name(pairs, at)}: {name} {value!r} cannot be used: {why}")
