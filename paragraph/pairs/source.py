"""A source of records with named columns, in any format, as layouts and lenses see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from .layouts import Release

__all__ = ["FIRST", "Edits", "Source", "values_shown"]

FIRST = 100  # records in a sample


class Edits(NamedTuple):
    """Changes of records, by their rows."""

    #: New words by row and cell: the name of a column, or the path of an element of a list. None empties a cell, or
    #: takes an element out of its list.
    cells: dict[int, dict[Any, str | None]]
    gone: set[int]  #: the rows of records that leave for the file beside the copy
    added: Any = None  #: the name, or the number, of a column that the source does not have yet


@dataclass(frozen=True)
class Source:
    """A source that was opened; its kinds are `Delimited` and `Columns`, which have three methods.

    `read` gives some columns as a table, whose index is the place of each record in the source, and the faults,
    (row, value, why) for each record that is no row. `sample` gives the first values of each column as texts, without
    empty ones. `edited` gives the content with changes, and the content of the records that leave.
    """

    name: str
    kind: str  #: csv, tsv, jsonl, parquet, dataframe or dataset
    names: tuple  #: of the columns; positions from 0 where there are none
    path: str | None = None  #: of a file, absolute
    sha256: str | None = None  #: of the bytes of the file, compressed or not
    release: Release | None = None

    places = ()  #: the `place` of each record (`nested.Flat`)
    single = True  #: whether each record is one pair with its values under their names
    about = ""  #: the words of a note on how it was read


def values_shown(values: Iterable) -> list[str]:
    """The values as texts, without those that stand for a missing one."""
    return [text for text in map(str, values) if text not in ("", "None", "nan", "<NA>")]
