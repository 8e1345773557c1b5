"""The columns of a source that stand beside its pairs: a person's own ids and remarks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..files.delimited import read_rows
from ..files.errors import PairsError, capped, check_type
from ..files.outputs import file_hash
from ..files.spelling import option
from .opened import Opened, open_source, parquet_errors
from .read import How
from .recognise import recognise

__all__ = ["LONG", "columns_beside"]

LONG = 120  # characters of a value that are shown


class Source(NamedTuple):
    """The named columns of a source, and the place of each record in it."""

    row: Any
    values: list[Sequence]  #: one sequence per column


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
    opened, layout = _again(report) if report.get("path") and names else (None, None)
    of_file = {} if opened is None else {str(name): name for name in _names(opened, layout) if name != ""}
    wanted = [name for name in names if name in of_file]
    missing = [name for name in names if name not in of_file and name not in pairs]
    if missing:
        known = [*dict.fromkeys([*of_file, *map(str, pairs)])]
        raise PairsError(f"{option('show')}: there is no column {missing[0]!r}; there are {', '.join(known)}")
    found = {}
    for name in names:
        if name not in of_file:
            found[name] = [_short(value) for value in pairs[name]]
    if wanted:
        source = _values(opened, layout, [of_file[name] for name in wanted])
        rows = pairs["row"].tolist()
        for name, values in zip(wanted, source.values, strict=True):
            known = _by_row(source.row, values)
            found[name] = [known.get(row, "") for row in rows]
    return pd.DataFrame({name: found[name] for name in names}, index=range(len(pairs)), dtype="str")


def _again(report: dict[str, Any]) -> tuple[Opened, Any]:
    """Open the file of a report once more, if it is still the one that was read."""
    path, options = Path(report["path"]), report["options"]
    if not path.is_file() or file_hash(path) != report["sha256"]:
        why = "has changed since it was read" if path.is_file() else "is gone"
        raise PairsError(f"{path}: {why}, so {option('show')} cannot tell which row is whose; read it again")
    opened = open_source(path, options["format"], options["encoding"], options["max_unpacked"])
    return opened, recognise(opened, How(*(options[name] for name in How._fields)))


def _names(opened: Opened, layout: Any) -> Sequence:
    return layout.names if opened.kind == "delimited" else opened.names


def _values(opened: Opened, layout: Any, names: list) -> Source:
    if opened.kind == "delimited":
        places = [layout.names.index(name) for name in names]
        data, quoted = opened.content, bool(layout.quoted)
        rows = read_rows(data, layout.delimiters, quoted, [*layout.names], places, layout.further)
        return Source(rows.row.tolist(), [column.to_pylist() for column in rows.columns])
    if opened.kind == "records":
        values = [[one.values.get(name) for one in opened.content] for name in names]
        return Source([one.row for one in opened.content], values)
    table = opened.content
    if opened.kind == "parquet":
        with parquet_errors(opened.name):
            table = table.read()
    return Source(range(1, len(table) + 1), [table[name].to_pylist() for name in names])


def _by_row(rows: Sequence[int], values: Sequence) -> dict[int, str]:
    """The value of each row; where several records have one row, their different values."""
    found: dict[int, dict[str, None]] = {}
    for row, value in zip(rows, values, strict=True):
        found.setdefault(row, {})[_short(value)] = None
    return {row: capped(", ".join(filter(None, each)), LONG) for row, each in found.items()}


def _short(value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # pandas writes 1 as 1.0 beside a missing one
    is_missing = value is None or value is pd.NA or value != value
    return "" if is_missing else capped(str(value), LONG)
