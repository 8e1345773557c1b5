"""A table of texts: the values of the columns that a layout names, each row with its place in the source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..files.delimited import read_rows
from ..files.errors import PairsError, excerpt
from ..files.json_lines import is_unicode
from .labels import label_text
from .layouts import Layout
from .opened import Opened, parquet_errors

__all__ = ["Texts", "parquet_texts", "texts_of"]

#: How delimiters are called.
MARKS = {"\t": "tabs", ",": "commas", ";": "semicolons"}
QUOTES = {True: "CSV quotes", False: "no quoting", None: "no quotes that matter"}


class Texts(NamedTuple):
    """The texts of a source, before or after a lens made pairs of them."""

    name: str  #: of the source
    columns: dict  #: from roles to chunked arrays of large_string without nulls
    row: np.ndarray  #: the place of each record in the source: int64
    faults: list  #: (row, value, why) for each record that holds no pair
    note: str  #: how it was read
    places: list | None = None  #: of each text or label in its record, where the column does not say it
    single: bool = True  #: whether each record is one pair with a label in a cell of its own

    def take(self, at: np.ndarray, what: str, columns: dict) -> Texts:
        """Some rows, by their positions, of some columns; the note tells how many rows gave how many pairs."""
        note = f"{self.note}; {len(self.row):,} rows {what} give {len(at):,} pairs"
        columns = {role: column.take(pa.array(at, pa.int64())) for role, column in columns.items()}
        places = self.places and [self.places[i] for i in at.tolist()]
        return self._replace(columns=columns, row=self.row[at], note=note, places=places)

    def label(self, i: int) -> str:
        """The label at a position: the decided one, else from the second column if the first has none."""
        roles = [role for role in ("decided", "label", "otherwise") if role in self.columns]
        values = (self.columns[role][i].as_py() for role in roles)
        return next(filter(str.strip, values), "")


def texts_of(opened: Opened, layout: Layout) -> Texts:
    """The texts of a source in a layout."""
    if opened.kind == "delimited":
        return _tidy(_delimited(opened, layout), layout)
    if opened.kind == "parquet":
        return next(parquet_texts(opened, layout))
    return _tidy(_tabular(opened, layout, opened.content), layout)


def _delimited(opened: Opened, layout: Layout) -> Texts:
    names = [*layout.names]
    columns = layout.columns()
    places = {key: names.index(column) for key, column in columns.items()}
    wanted = list(dict.fromkeys(places.values()))
    rows = read_rows(opened.content, layout.delimiters, bool(layout.quoted), names, wanted, layout.further)
    start = int(layout.header and rows.row[:1].tolist() == [1])
    arrays = {key: rows.columns[wanted.index(i)].slice(start) for key, i in places.items()}
    faults = [fault for fault in rows.bad if not (layout.header and fault[0] == 1)]
    mark = MARKS.get(layout.delimiters, "vertical bars")
    note = f"read as {layout.name} ({mark}, {QUOTES[layout.quoted]})"
    return Texts(opened.name, arrays, rows.row[start:], faults, note)


def _tabular(opened: Opened, layout: Layout, table: Any, ids: bool = False) -> Texts:
    """The texts of records or of a table; with `ids`, texts may be whole numbers."""
    ids = ids or "text_a" in layout.apart or layout.ids != "two"
    wrong: dict[int, tuple[str, str]] = {}
    row = np.array(opened.row, np.int64)
    arrays = {}
    for key, column in layout.columns().items():
        role = key[0]
        values = [one.values.get(column) for one in table] if opened.kind == "records" else table[column]
        if column in opened.classes and role == "label":
            names = opened.classes[column]
            values = values if isinstance(values, list) else values.to_pylist()
            values = [names[i] if isinstance(i, int) and 0 <= i < len(names) else i for i in values]
        arrays[key] = _texts(values, role, f"{opened.name}: column {column!r}", ids, wrong)
    places, single = None, True
    if opened.kind == "records":
        places = [one.place for one in table]
        single = len({*opened.row}) == len(row) and all(one.own for one in table)
    faults = opened.faults
    if wrong:
        faults = sorted([*faults, *((int(row[i]), *fault) for i, fault in wrong.items())])
        good = np.isin(np.arange(len(row)), list(wrong), invert=True)
        arrays = {key: array.filter(pa.array(good)) for key, array in arrays.items()}
        places = places and [places[i] for i in np.flatnonzero(good).tolist()]
        row = row[good]
    note = f"read as {layout.name}" + (" (JSON)" if opened.kind == "records" else "")
    return Texts(opened.name, arrays, row, [*faults], note, places, single)


def parquet_texts(
    opened: Opened, layout: Layout, roles: Any = None, size: int | None = None, groups: range | None = None
) -> Iterator[Texts]:
    """Yield the texts of `size` rows at a time, so they need not fit into memory; or once, with all.

    With `roles`, read only these, and accept whole numbers as texts, too (the ids of records). With `groups`, a
    range, read only these row groups.
    """
    file = opened.content
    with parquet_errors(opened.name):
        row = 1 + sum(file.metadata.row_group(i).num_rows for i in range(groups.start if groups else 0))
        known = layout.roles
        layout = replace(layout, roles={role: known[role] for role in known if role in (roles or known)})
        needed: list | None = [*layout.columns().values()]
        # A dot would be read as a path into a nested column
        needed = None if any("." in column for column in needed) else needed
        some = file.iter_batches(size, groups, columns=needed) if size and file.metadata.num_rows else ()
        for table in map(pa.table, some or [file.read(columns=needed)]):
            table.validate(full=True)
            part = replace(opened, row=np.arange(row, row + len(table)))
            yield _tidy(_tabular(part, layout, table, ids=bool(roles)), layout)
            row += len(table)


# ---------------------------------------------------------------- values as texts


def _texts(values: Any, role: str, where: str, ids: bool, wrong: dict) -> pa.ChunkedArray:
    """Convert a list or a column to texts; `wrong` takes (value, why) for each position without a text."""
    numbers, of = not role.startswith("text"), pa.types
    if isinstance(values, list) and role.startswith("label"):
        values = [label_text(value) if isinstance(value, list) else value for value in values]
    try:
        array = values if isinstance(values, pa.ChunkedArray) else pa.array(values, from_pandas=True)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):  # a mixture, or half a surrogate pair
        texts = []
        for i, value in enumerate(values):
            text, why = _text(value, role, numbers)
            texts.append(text)
            if why:
                wrong.setdefault(i, (excerpt(repr(value).encode("utf-8", "backslashreplace")), why))
        return pa.chunked_array([texts], pa.large_string())
    array = array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])
    if of.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if numbers and of.is_boolean(array.type):
        array = array.cast(pa.int8())
    kind = array.type
    number = of.is_integer(kind) or (numbers and (of.is_floating(kind) or of.is_decimal(kind)))
    if str(kind) not in ("string", "large_string", "string_view", "null") and not (number and (numbers or ids)):
        way = ""
        if of.is_nested(kind):
            way = "; call the keys query, pos and neg, or explode the lists as docs/layouts.md shows"
        raise PairsError(f"{where} holds {kind}, not text{way}")
    return array.cast(pa.large_string()).fill_null("")


def _text(value: Any, role: str, numbers: bool) -> tuple[str, str]:
    """One value as text (a missing one as the empty text), and what is wrong with it, if anything."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, str) and not is_unicode(value):
        return "", f"{role} holds half a surrogate pair, which no file can hold"
    if isinstance(value, str):
        return value, ""
    missing = value is None or value != value
    if not missing and not (numbers and isinstance(value, bool | int | float)):
        return "", f"{role} is {excerpt(repr(value).encode('utf-8', 'replace'))}, not text"
    return label_text(value), ""


def _tidy(texts: Texts, layout: Layout) -> Texts:
    """One spelling for each value, whatever its format; ids of two numberings are apart."""
    columns: dict[str, pa.ChunkedArray] = {}
    for (role, _), column in texts.columns.items():
        # pandas writes 1 as 1.0 beside a missing one
        if role.startswith(("id", "set")) and pc.any(pc.ends_with(column, ".0")).as_py():
            column = pc.replace_substring_regex(column, r"^(-?\d+)\.0+$", r"\1")
        elif role.startswith("text") and pc.any(pc.starts_with(column, "\ufeff")).as_py():
            column = pc.utf8_ltrim(column, "\ufeff")
        if role in columns:  # a set within the values of another column
            column = _joined(columns[role], column)
        columns[role] = column
    for side in "ab":
        source = columns.pop(f"source_{side}", None)
        for role in {f"text_{side}", f"id_{side}"} & {*columns}:
            if source is not None:
                columns[role] = pc.binary_join_element_wise(
                    source, columns[role], pa.scalar("-__-", pa.large_string())
                )
            elif role in layout.apart:
                name = pa.scalar(f"{layout.roles[role]} ", pa.large_string())
                columns[role] = pc.binary_join_element_wise(name, columns[role], pa.scalar("", pa.large_string()))
    return texts._replace(columns=columns)


def _joined(one: pa.ChunkedArray, other: pa.ChunkedArray) -> pa.ChunkedArray:
    """Two columns as one, empty where one of them is."""
    both = pc.and_(pc.greater(pc.binary_length(one), 0), pc.greater(pc.binary_length(other), 0))
    joined = pc.binary_join_element_wise(one, other, pa.scalar("\x1f", pa.large_string()))
    return pc.if_else(both, joined, pa.scalar("", pa.large_string()))
