"""A source of records with named columns, whatever its format: what a layout and its lens need to know of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from .layouts import Release

__all__ = ["FIRST", "Edits", "Source", "values_shown"]

FIRST = 100  # records that are looked at


class Edits(NamedTuple):
    """Changes of records, by their rows."""

    #: New words by cell: the name of a column, or the path of an element of a list. None empties a cell, and takes an
    #: element out.
    cells: dict[int, dict[Any, str | None]]
    gone: set[int]  #: records that are kept apart
    added: Any = None  #: the name, or the number, of a column that the source does not have yet


@dataclass(frozen=True)
class Source:
    """A source that was opened; its kinds are `Delimited` and `Columns`.

    Each kind can `read` some columns as a table, whose index is the place of each record in the source, and the
    faults, (row, value, why) for each record that is no row; give a `sample`, the first values of each column as
    texts, without empty ones; and give its content, `edited`, with that of the records that leave.
    """

    name: str
    kind: str  #: csv, tsv, jsonl, parquet, dataframe or dataset
    names: tuple  #: of the columns; positions from 0 where there are none
    path: str | None = None  #: of a file, absolute
    sha256: str | None = None  #: of its bytes, packed as they are
    release: Release | None = None

    places = ()  #: of each record, the path of the text whose place is its label (`nested.Flat`)
    single = True  #: whether each record is one pair with its values under their names
    about = ""  #: how it was read, for a note


def values_shown(values: Iterable) -> list[str]:
    """Values as texts, without empty ones."""
    return [text for text in map(str, values) if text not in ("", "None", "nan", "<NA>")]
