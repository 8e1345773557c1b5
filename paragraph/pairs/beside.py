"""The columns of a source that stand beside its pairs: a person's own ids and remarks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from ..files.errors import PairsError, capped, check_type
from ..files.spelling import option
from .opened import reopen

__all__ = ["LONG", "columns_beside"]

LONG = 120  # characters of a value that are shown


def columns_beside(pairs: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """Return named columns of the source of a pair table as short texts, one row per row of the table.

    Those of the file that `read_pairs` read, which is read again, and those of the table itself. A file that holds
    several pairs in one record gives each pair the values of its record, each once. Values longer than `LONG`
    characters lose their middle.

    Raises
    ------
    PairsError
        No such column: the message lists the columns. The file is gone, or has changed since it was read.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a"], "text_b": ["b"], "label": [1], "remark": ["by phone"], "n": [2.0]})
    >>> columns_beside(pairs, ["remark", "n"]).values.tolist()
    [['by phone', '2']]
    """
    check_type(names, list | tuple, "show", "a list of columns", 'show=["id"]')
    report = pairs.attrs.get("report") or {}
    of_table = {str(name): pairs[name] for name in pairs}
    of_file: dict[str, Any] = {}
    if report.get("path") and names:
        source = reopen(report)
        of_file = {str(name): name for name in source.names if name != ""}
    found = {}
    for name in map(str, names):
        if name in of_file:
            table, _ = source.read([of_file[name]])
            by_row: dict[int, dict[str, None]] = {}
            for row, value in zip(table.index, _short(table.iloc[:, 0]), strict=True):
                by_row.setdefault(row, {})[value] = None  # several records may have one row
            rows = [by_row.get(row, {}) for row in pairs["row"].tolist()]
            found[name] = [capped(", ".join(filter(None, each)), LONG) for each in rows]
        elif name in of_table:
            found[name] = _short(of_table[name])
        else:
            every = ", ".join({**of_file, **of_table})
            raise PairsError(f"{option('show')}: there is no column {name!r}; there are {every}")
    return pd.DataFrame(found, index=range(len(pairs)), dtype="str")


def _short(values: pd.Series) -> list[str]:
    """Values as short texts; pandas writes 1 as 1.0 beside a missing one."""
    texts = values.astype(object).where(values.notna(), "").map(str)
    texts = texts.str.replace(r"^(-?\d+)\.0$", r"\1", regex=True)
    return [capped(text, LONG) for text in texts]
