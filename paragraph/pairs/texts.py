"""A table of texts: the values of the columns that a layout names, each row with its place in the source."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import PairsError, excerpt
from ..files.json_lines import is_unicode
from .labels import label_text
from .recognise import Layout, columns_of
from .source import Source

__all__ = ["Texts", "filled", "texts_of"]


class Texts(NamedTuple):
    """The texts of a source, before or after a lens made pairs of them."""

    name: str  #: of the source
    columns: dict  #: from roles to chunked arrays of large_string without nulls
    row: np.ndarray  #: the place of each record in the source: int64
    faults: list  #: (row, value, why) for each record that holds no pair
    skipped: list  #: the same for each record that repeats the header
    note: str  #: how it was read
    places: list  #: of each text or label in its record, where the column does not say it; else empty

    def take(self, at: np.ndarray, what: str, without: Any = ()) -> Texts:
        """Some rows, by their positions, without the columns of some roles; the note counts the pairs."""
        note = f"{self.note}; {len(self.row):,} rows {what} give {len(at):,} pairs"
        rows = pa.array(at, pa.int64())
        columns = {role: column.take(rows) for role, column in self.columns.items() if role not in without}
        places = [self.places[i] for i in at.tolist()] if self.places else []
        return self._replace(columns=columns, row=self.row[at], note=note, places=places)


def filled(column: pa.ChunkedArray) -> np.ndarray:
    """The rows in which a column of texts has one."""
    return pc.greater(pc.binary_length(column), 0).to_numpy(zero_copy_only=False)


def texts_of(source: Source, layout: Layout) -> Texts:
    """The texts of a source in a layout, with one spelling for each value, whatever the format."""
    names = columns_of(layout.roles)
    values = source.read(names)
    read = dict(zip(names, values.columns, strict=True))
    wrong: dict[int, tuple[str, str]] = {}
    columns = {}
    for role, column in layout.roles.items():
        where = f"{source.name}: column {column!r}"
        several = column if isinstance(column, list | tuple) else [column]
        parts = [_texts(read[name], role, where, layout.numbers, wrong) for name in several]
        columns[role] = _joined(parts, role)
    for role in layout.apart & columns.keys():  # 2 and 2 are two records
        columns[role] = _pasted([f"{layout.roles[role]} ", columns[role]], "")
    if "otherwise" in columns:
        other = columns.pop("otherwise")
        label = columns.get("label", other)
        columns["label"] = pc.if_else(pa.array(filled(label)), label, other)
    row = values.row
    faults = [*values.faults]
    places = [*source.places] if any(source.places) else []
    if wrong:
        faults += [(int(row[i]), *fault) for i, fault in wrong.items()]
        good = np.isin(np.arange(len(row)), [*wrong], invert=True)
        columns = {role: column.filter(pa.array(good)) for role, column in columns.items()}
        places = [place for i, place in enumerate(places) if good[i]]
        row = row[good]
    note = f"read as {layout.name}{source.about}"
    return Texts(source.name, columns, row, sorted(faults), [*values.skipped], note, places)


def _texts(values: Any, role: str, where: str, numbers: bool, wrong: dict) -> pa.ChunkedArray:
    """Convert a list or a column to texts; `wrong` takes (value, why) for each position without a text."""
    is_text = role.startswith("text")
    of = pa.types
    if isinstance(values, list) and role.startswith("label"):
        values = [label_text(value) if isinstance(value, list) else value for value in values]
    try:
        array = values if isinstance(values, pa.ChunkedArray) else pa.array(values, from_pandas=True)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):  # a mixture, or half a surrogate pair
        texts = []
        for i, value in enumerate(values):
            try:
                texts.append(_text(value, role))
            except ValueError as error:
                texts.append("")
                wrong.setdefault(i, (excerpt(repr(value).encode("utf-8", "backslashreplace")), str(error)))
        return pa.chunked_array([texts], pa.large_string())
    if isinstance(array, pa.Array):
        array = pa.chunked_array([array])
    if of.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if of.is_boolean(array.type) and not is_text:
        array = array.cast(pa.int8())
    kind = array.type
    is_number = of.is_integer(kind) and (numbers or not is_text)
    is_number |= (of.is_floating(kind) or of.is_decimal(kind)) and not is_text
    if not is_number and str(kind) not in ("string", "large_string", "string_view", "null"):
        way = ""
        if of.is_nested(kind):
            way = "; call the keys query, pos and neg, or explode the lists as docs/layouts.md shows"
        raise PairsError(f"{where} holds {kind}, not text{way}")
    return array.cast(pa.large_string()).fill_null("")


def _text(value: Any, role: str) -> str:
    """One value as text, a missing one as the empty text; ValueError says what is wrong with it."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        if not is_unicode(value):
            raise ValueError(f"{role} holds half a surrogate pair, which no file can hold")
        return value
    is_number = isinstance(value, bool | int | float) and not role.startswith("text")
    if value is not None and value == value and not is_number:
        raise ValueError(f"{role} is {excerpt(repr(value).encode('utf-8', 'replace'))}, not text")
    return label_text(value)


def _joined(parts: list[pa.ChunkedArray], role: str) -> pa.ChunkedArray:
    """The texts of a role: of several columns as one, empty where one of them is."""
    column = parts[0]
    if role.startswith(("id", "set")) and pc.any(pc.ends_with(column, ".0")).as_py():
        # pandas writes 1 as 1.0 beside a missing one
        column = pc.replace_substring_regex(column, r"^(-?\d+)\.0+$", r"\1")
    if role.startswith("text") and pc.any(pc.starts_with(column, "\ufeff")).as_py():
        column = pc.utf8_ltrim(column, "\ufeff")
    for other in parts[1:]:
        both = pa.array(filled(column) & filled(other))
        column = pc.if_else(both, _pasted([column, other], "\x1f"), "")
    return column


def _pasted(parts: list, between: str) -> pa.ChunkedArray:
    as_scalars = [pa.scalar(part, pa.large_string()) if isinstance(part, str) else part for part in parts]
    return pc.binary_join_element_wise(*as_scalars, pa.scalar(between, pa.large_string()))
