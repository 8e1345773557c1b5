"""A table of texts: the values of the columns that a layout names, each row with its place in the source."""

from __future__ import annotations

from numbers import Number
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import excerpt
from ..files.json_lines import is_unicode
from .labels import label_text
from .recognise import Layout
from .source import Source

__all__ = ["Texts", "filled", "texts_of"]


class Texts(NamedTuple):
    """The texts of a source, before or after a lens made pairs of them."""

    name: str  #: of the source
    columns: dict  #: from roles to chunked arrays of large_string without nulls
    row: np.ndarray  #: the place of each record in the source: int64
    faults: list  #: (row, value, why) for each record that holds no pair
    note: str  #: how it was read
    places: (
        list  #: of each text or label in its record, where the column does not say it; else empty
    )

    def take(self, at: np.ndarray, what: str, **columns: Any) -> Texts:
        """Some rows, by their positions, with other or no columns of some roles, without places; the note counts."""
        rows = pa.array(at, pa.int64())
        kept = {
            role: column.take(rows) for role, column in self.columns.items() if role not in columns
        }
        kept |= {role: column for role, column in columns.items() if column is not None}
        note = f"{self.note}; {len(self.row):,} rows {what} give {len(at):,} pairs"
        return self._replace(columns=kept, row=self.row[at], note=note, places=[])


def filled(column: pa.ChunkedArray) -> np.ndarray:
    """The rows in which a column of texts has one."""
    return pc.greater(pc.binary_length(column), 0).to_numpy()


def texts_of(source: Source, layout: Layout) -> Texts:
    """The texts of a source in a layout, with one spelling for each value, whatever the format."""
    names = list(dict.fromkeys(layout.roles.values()))
    values = source.read(names)
    read = dict(zip(names, values.columns, strict=True))
    wrong: dict[int, tuple[str, str]] = {}
    columns = {}
    for role, column in layout.roles.items():
        columns[role] = _texts(read[column], role, layout.numbers, wrong)
        if role in layout.apart:  # 2 and 2 are two records
            columns[role] = _joined(str(column), " ", columns[role])
    for role in layout.roles:
        if role.startswith("within"):
            within = columns.pop(role)
            both = pa.array(filled(columns["set"]) & filled(within))
            columns["set"] = pc.if_else(both, _joined(columns["set"], "\x1f", within), "")
    if "otherwise" in columns:
        other = columns.pop("otherwise")
        label = columns.get("label", other)
        columns["label"] = pc.if_else(pa.array(filled(label)), label, other)
    faults = [(int(values.row[i]), *fault) for i, fault in wrong.items()]
    good = np.isin(np.arange(len(values.row)), [*wrong], invert=True)
    places = [place for i, place in enumerate(source.places) if good[i]]
    if wrong:
        columns = {role: column.filter(pa.array(good)) for role, column in columns.items()}
    note = f"read as {layout.name}{source.about}"
    return Texts(
        source.name, columns, values.row[good], sorted([*values.faults, *faults]), note, places
    )


def _texts(values: Any, role: str, numbers: bool, wrong: dict) -> pa.ChunkedArray:
    """Convert a list or a column to texts; `wrong` takes (value, why) for each position without a text."""
    is_text = role.startswith("text")
    array = values
    try:
        if not isinstance(values, pa.ChunkedArray):
            array = pa.array(values, from_pandas=True)
        if pa.types.is_dictionary(array.type):
            array = array.cast(array.type.value_type)
        kind = array.type
        as_it_is = (
            pa.types.is_string(kind)
            or pa.types.is_large_string(kind)
            or pa.types.is_string_view(kind)
        )
        as_number = pa.types.is_integer(kind) or (pa.types.is_floating(kind) and not is_text)
        if not as_it_is and not (as_number and (numbers or not is_text)):
            raise ValueError
        array = array.cast(pa.large_string()).fill_null("")
    except (
        pa.ArrowException,
        ValueError,
        TypeError,
        OverflowError,
    ):  # of other kinds, or half a surrogate pair
        texts = []
        for i, value in enumerate(
            array.to_pylist() if isinstance(array, pa.ChunkedArray | pa.Array) else values
        ):
            try:
                texts.append(_text(value, role, numbers))
            except ValueError as error:
                texts.append("")
                wrong.setdefault(
                    i, (excerpt(repr(value).encode("utf-8", "backslashreplace")), str(error))
                )
        array = pa.array(texts, pa.large_string())
    if isinstance(array, pa.Array):
        array = pa.chunked_array([array])
    if role.startswith(("id", "set", "within")) and pc.any(pc.ends_with(array, ".0")).as_py():
        # pandas writes 1 as 1.0 beside a missing one
        array = pc.replace_substring_regex(array, r"^(-?\d+)\.0+$", r"\1")
    if is_text and pc.any(pc.starts_with(array, "\ufeff")).as_py():
        array = pc.utf8_ltrim(array, "\ufeff")
    return array


def _text(value: Any, role: str, numbers: bool) -> str:
    """One value as text, a missing one as the empty text; ValueError says what is wrong with it."""
    if isinstance(value, str) and is_unicode(value):
        return value
    if isinstance(value, str):
        raise ValueError(f"{role} holds half a surrogate pair, which no file can hold")
    as_label = isinstance(value, list) and role.startswith("label")
    as_number = isinstance(value, Number) and (numbers or not role.startswith("text"))
    if value is not None and value == value and not as_label and not as_number:
        shown = excerpt(repr(value).encode("utf-8", "replace"))
        raise ValueError(f"{role} is {shown}, not text; docs/layouts.md shows how lists are read")
    return label_text(value)


def _joined(one: Any, between: str, other: Any) -> pa.ChunkedArray:
    parts = [
        pa.scalar(part, pa.large_string()) if isinstance(part, str) else part
        for part in (one, other, between)
    ]
    return pc.binary_join_element_wise(*parts)
