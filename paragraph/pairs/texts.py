"""A table of texts: the values of the columns that a layout names, each row with its place in the source."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from numbers import Number
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
from pandas.api.types import infer_dtype

from ..files.errors import excerpt
from ..files.json_lines import is_unicode
from .labels import label_text
from .recognise import Layout
from .source import Source

__all__ = ["Texts", "texts_of"]

#: The dtype of columns of texts.
TEXT = pd.StringDtype("pyarrow", np.nan)
#: The Arrow types that are texts, and those that are numbers, whole ones first.
STRINGS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
NUMBERS = (pa.types.is_integer, pa.types.is_floating)


class Texts(NamedTuple):
    """The texts of a source, before or after a lens made pairs of them."""

    #: One column of texts per role, the empty text for a missing one; `row`, the place of each record in the source;
    #: and `place`, where the place of a text is its label: its path in the record (`nested.Flat`).
    frame: pd.DataFrame
    faults: list  #: (row, value, why) for each record that holds no pair


def texts_of(source: Source, layout: Layout) -> Texts:
    """The texts of a source in a layout, with one spelling for each value, whatever the format."""
    names = list(dict.fromkeys(layout.roles.values()))
    table, faults = source.read(names)
    errors: dict[int, tuple[str, str]] = {}
    frame = pd.DataFrame({"row": table.index.to_numpy(np.int64)})
    for role, column in layout.roles.items():
        if role == "label":
            kind = infer_dtype(table[column])
            frame.attrs["numbers"] = kind in ("floating", "mixed-integer-float")
        texts = _texts(table[column], role, layout.numbers, errors)
        if role in layout.apart:  # 2 on the left and 2 on the right are two records
            texts = texts.where(texts == "", f"{column} " + texts)
        frame[role] = texts
    _combine_columns(frame, layout)
    if any(source.places):
        frame["place"] = source.places
    faults = [*faults]
    for i, error in errors.items():
        faults.append((int(table.index[i]), *error))
    if errors:
        frame = frame.drop(index=[*errors]).reset_index(drop=True)
    return Texts(frame, sorted(faults))


def _combine_columns(frame: pd.DataFrame, layout: Layout) -> None:
    """Make one column of the several that name a set, and of the two that hold a label."""
    for role in layout.roles:
        if role.startswith("within"):
            within = frame.pop(role)
            in_set = (frame["set"] != "") & (within != "")
            frame["set"] = (frame["set"] + "\x1f" + within).where(in_set, "")
    if "otherwise" in frame:
        other = frame.pop("otherwise")
        label = frame.get("label", other)
        frame["label"] = label.where(label != "", other)


def _texts(values: pd.Series, role: str, numbers: bool, errors: dict) -> pd.Series:
    """Convert a column to texts; `errors` takes (value, why) for each position whose value is no text."""
    kinds = STRINGS
    if not role.startswith("text"):
        kinds += NUMBERS
    elif numbers:
        kinds += NUMBERS[:1]
    items = values
    texts = None
    # Values of several kinds make no Arrow array; nor does half a surrogate pair
    with suppress(pa.ArrowException, ValueError, TypeError, OverflowError):
        array = pa.array(values, from_pandas=True)
        if pa.types.is_dictionary(array.type):
            array = array.cast(array.type.value_type)
        if pa.types.is_floating(array.type):  # in Parquet, too, NaN is a missing value
            array = pa.array(array.to_pandas(), from_pandas=True)
        if any(is_kind(array.type) for is_kind in kinds):
            texts = array.cast(pa.large_string()).fill_null("").to_pandas()
        else:
            items = array.to_pylist()
    if texts is None:
        texts = _text_by_text(items, role, numbers, errors)
    texts = pd.Series(texts, dtype=TEXT)
    if role.startswith(("id", "set", "within")) and texts.str.endswith(".0").any():
        # pandas writes 1 as 1.0 beside a missing value
        texts = texts.str.replace(r"^(-?\d+)\.0+$", r"\1", regex=True)
    return texts.str.lstrip("\ufeff")


def _text_by_text(values: Iterable, role: str, numbers: bool, errors: dict) -> list[str]:
    """Convert values to texts one at a time, as `_texts` does."""
    texts = []
    for i, value in enumerate(values):
        if value is pd.NA:
            value = None
        try:
            texts.append(_text(value, role, numbers))
        except ValueError as error:
            texts.append("")
            shown = excerpt(repr(value).encode("utf-8", "backslashreplace"))
            errors.setdefault(i, (shown, str(error)))
    return texts


def _text(value: Any, role: str, numbers: bool) -> str:
    """Convert one value to text, a missing one to the empty text; ValueError says why it is none."""
    if isinstance(value, str):
        if is_unicode(value):
            return value
        raise ValueError(f"{role} holds half a surrogate pair, which no file can hold")
    as_label = isinstance(value, list) and role.startswith("label")
    as_number = isinstance(value, Number) and (numbers or not role.startswith("text"))
    if value is not None and value == value and not as_label and not as_number:
        shown = excerpt(repr(value).encode("utf-8", "replace"))
        raise ValueError(f"{role} is {shown}, not text; docs/layouts.md shows how lists are read")
    return label_text(value)
