"""The columns of a source that stand beside its pairs: a person's own ids and remarks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..files.errors import PairsError, capped, check_type
from ..files.spelling import option
from .opened import open_source
from .read import how_of
from .source import Source

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
    names = [*dict.fromkeys(map(str, names))]
    report = pairs.attrs.get("report") or {}
    known: dict[str, Any] = {str(name): None for name in pairs}
    of_file: dict[str, Any] = {}
    if report.get("path") and names:
        source = _open_again(report)
        of_file = {str(name): name for name in source.names if name != ""}
    for name in names:
        if name not in known and name not in of_file:
            every = ", ".join({**of_file, **known})
            raise PairsError(f"{option('show')}: there is no column {name!r}; there are {every}")
    found = {name: [_short(value) for value in pairs[name]] for name in names if name not in of_file}
    wanted = [name for name in names if name in of_file]
    if wanted:
        values = source.read([of_file[name] for name in wanted])
        for name, column in zip(wanted, values.columns, strict=True):
            by_row = _by_row(values.row.tolist(), column)
            found[name] = [by_row.get(row, "") for row in pairs["row"].tolist()]
    return pd.DataFrame({name: found[name] for name in names}, index=range(len(pairs)), dtype="str")


def _open_again(report: dict[str, Any]) -> Source:
    """Open the file of a report once more, if it is still the one that was read."""
    path = Path(report["path"])
    why = "is gone"
    if path.is_file():
        source = open_source(path, how_of(report["options"]))
        if source.sha256 == report["sha256"]:
            return source
        why = "has changed since it was read"
    raise PairsError(f"{path}: {why}, so {option('show')} cannot tell which row is whose; read it again")


def _by_row(rows: list[int], values: Any) -> dict[int, str]:
    """The value of each row; where several records have one row, their different values."""
    found: dict[int, dict[str, None]] = {}
    for row, value in zip(rows, values, strict=True):
        found.setdefault(row, {})[_short(value)] = None
    return {row: capped(", ".join(filter(None, each)), LONG) for row, each in found.items()}


def _short(value: Any) -> str:
    if hasattr(value, "as_py"):
        value = value.as_py()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # pandas writes 1 as 1.0 beside a missing one
    is_missing = value is None or value is pd.NA or value != value
    return "" if is_missing else capped(str(value), LONG)
