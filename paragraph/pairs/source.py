"""A source of records with named columns, whatever its format: what a layout and its lens need to know of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from .layouts import Release

__all__ = ["FIRST", "Edits", "Source", "Values"]

FIRST = 100  # records that are looked at


class Values(NamedTuple):
    """Some columns of a source."""

    columns: list  #: of lists, pandas columns or Arrow arrays
    row: np.ndarray  #: the place of each value in the source: int64
    faults: Sequence = ()  #: (row, value, why) for each record that holds no pair


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

    Each kind can `read` some columns, show the `first` values of all, and give its content, `edited`, with that of
    the records that leave.
    """

    name: str
    kind: str  #: csv, tsv, jsonl, parquet, dataframe or dataset
    names: tuple  #: of the columns; positions from 0 where there are none
    content: Any = field(repr=False)
    path: str | None = None  #: of a file, absolute
    sha256: str | None = None  #: of its bytes, packed as they are
    release: Release | None = None

    places = ()  #: of each record, the path of the text whose place is its label (`nested.Flat`)
    single = True  #: whether each record is one pair with its values under their names
    about = ""  #: how it was read, for a note

    def sample(self) -> dict[Any, list[str]]:
        """The first values of each column as texts, without empty ones."""
        found = {}
        for name, values in self.first().items():
            found[name] = [
                text for text in map(str, values) if text not in ("", "None", "nan", "<NA>")
            ]
        return found
