"""The columns of a source that stand beside its pairs: a person's own ids and remarks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from ..files.errors import PairsError, capped, check_type
from ..files.spelling import option
from .opened import reopen

__all__ = ["LONG", "columns_beside"]

LONG = 120  # characters of a value that are shown, at most


def columns_beside(pairs: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """Return named columns of the source of a pair table as short texts, one row per row of the table.

    A name is looked up in the file that `read_pairs` read, which is read again, then in the table itself. Where a
    record of the file holds several pairs, each pair gets the values of its record, without repeats. Values longer
    than `LONG` characters lose their middle.

    Raises
    ------
    PairsError
        If there is no such column; the message lists the columns. If the file is gone, or has changed since it was
        read.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a"], "text_b": ["b"], "label": [1], "remark": ["by phone"], "n": [2.0]})
    >>> columns_beside(pairs, ["remark", "n"]).values.tolist()
    [['by phone', '2']]
    """
    check_type(names, list | tuple, "show", "a list of columns", 'show=["id"]')
    report = pairs.attrs.get("report") or {}
    in_table = {str(name): pairs[name] for name in pairs}
    in_file: dict[str, Any] = {}
    if report.get("path") and names:
        source = reopen(report)
        in_file = {str(name): name for name in source.names if name != ""}
    columns = {}
    for name in map(str, names):
        if name in in_file:
            table, _ = source.read([in_file[name]])
            by_row = _by_row(table.iloc[:, 0])
            columns[name] = [by_row.get(row, "") for row in pairs["row"].tolist()]
        elif name in in_table:
            columns[name] = _short(in_table[name])
        else:
            existing = ", ".join({**in_file, **in_table})
            raise PairsError(f"{option('show')}: there is no column {name!r}; there are {existing}")
    return pd.DataFrame(columns, index=range(len(pairs)), dtype="str")


def _by_row(values: pd.Series) -> dict[int, str]:
    """The different values of each row of a source, as one short text; several records may have one row."""
    texts: dict[int, dict[str, None]] = {}
    for row, text in zip(values.index, _short(values), strict=True):
        texts.setdefault(row, {})[text] = None
    return {row: capped(", ".join(filter(None, some)), LONG) for row, some in texts.items()}


def _short(values: pd.Series) -> list[str]:
    """The values as short texts."""
    texts = values.astype(object).where(values.notna(), "").map(str)
    # pandas writes 1 as 1.0 beside a missing value
    texts = texts.str.replace(r"^(-?\d+)\.0$", r"\1", regex=True)
    return [capped(text, LONG) for text in texts]
