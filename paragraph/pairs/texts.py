"""A table of texts: the values of the columns that a layout names, each row with its place in the source."""

from __future__ import annotations

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

#: The columns of texts.
TEXT = pd.StringDtype("pyarrow", np.nan)
#: The kinds of columns that hold texts as they are, or numbers.
STRINGS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
NUMBERS = (pa.types.is_integer, pa.types.is_floating)


class Texts(NamedTuple):
    """The texts of a source, before or after a lens made pairs of them."""

    #: By roles, texts without missing ones; `row`, the place of each record in the source; where columns do not say
    #: it, `place`: that of the label, or of the text whose place is its label, in the record.
    frame: pd.DataFrame
    faults: list  #: (row, value, why) for each record that holds no pair


def texts_of(source: Source, layout: Layout) -> Texts:
    """The texts of a source in a layout, with one spelling for each value, whatever the format."""
    names = list(dict.fromkeys(layout.roles.values()))
    table, faults = source.read(names)
    wrong: dict[int, tuple[str, str]] = {}
    frame = pd.DataFrame({"row": table.index.to_numpy(np.int64)})
    for role, column in layout.roles.items():
        if role == "label":
            frame.attrs["numbers"] = infer_dtype(table[column]) in (
                "floating",
                "mixed-integer-float",
            )
        texts = _texts(table[column], role, layout.numbers, wrong)
        if role in layout.apart:  # 2 and 2 are two records
            texts = texts.where(texts == "", f"{column} " + texts)
        frame[role] = texts
    for role in layout.roles:
        if role.startswith("within"):
            within = frame.pop(role)
            in_set = (frame["set"] != "") & (within != "")
            frame["set"] = (frame["set"] + "\x1f" + within).where(in_set, "")
    if "otherwise" in frame:
        other = frame.pop("otherwise")
        label = frame.get("label", other)
        frame["label"] = label.where(label != "", other)
    if any(source.places):
        frame["place"] = source.places
    faults = [*faults]
    for i, fault in wrong.items():
        faults.append((int(table.index[i]), *fault))
    if wrong:
        frame = frame.drop(index=[*wrong]).reset_index(drop=True)
    return Texts(frame, sorted(faults))


def _texts(values: pd.Series, role: str, numbers: bool, wrong: dict) -> pd.Series:
    """Convert a column to texts; `wrong` takes (value, why) for each position without a text."""
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
        if pa.types.is_floating(array.type):  # NaN is missing, in a file of Parquet, too
            array = pa.array(array.to_pandas(), from_pandas=True)
        if any(is_kind(array.type) for is_kind in kinds):
            texts = array.cast(pa.large_string()).fill_null("").to_pandas()
        else:
            items = array.to_pylist()
    if texts is None:
        texts = []
        for i, value in enumerate(items):
            if value is pd.NA:
                value = None
            try:
                texts.append(_text(value, role, numbers))
            except ValueError as error:
                texts.append("")
                shown = excerpt(repr(value).encode("utf-8", "backslashreplace"))
                wrong.setdefault(i, (shown, str(error)))
    texts = pd.Series(texts, dtype=TEXT)
    if role.startswith(("id", "set", "within")) and texts.str.endswith(".0").any():
        # pandas writes 1 as 1.0 beside a missing one
        texts = texts.str.replace(r"^(-?\d+)\.0+$", r"\1", regex=True)
    return texts.str.lstrip("\ufeff")


def _text(value: Any, role: str, numbers: bool) -> str:
    """One value as text, a missing one as the empty text; ValueError says what is wrong with it."""
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
