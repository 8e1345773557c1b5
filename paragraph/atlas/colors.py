"""The colours of dots: one per named value, or a scale of numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from ..draw.shared import CAMPS
from ..draw.style import NEGATIVE

__all__ = ["Colors", "colors_of"]

*NAMED, OTHER = CAMPS
CONFLICTS = {"none": OTHER, "1": NAMED[1], "2 or more": NEGATIVE}
#: Values that are drawn first, below the others.
BACKGROUND = ["none", "other"]
LONGEST = 60  # letters of a name


class Colors(NamedTuple):
    """The colours of a column: one per named value, or a scale for numbers between two ends."""

    values: pd.Series  #: categories, or floats
    colors: dict[str, str] | None  #: of the categories, in order; None for numbers
    first: np.ndarray  #: order in which dots are drawn, the remarkable ones last, on top


def colors_of(column: pd.Series) -> Colors:
    """Return the colours of a column.

    Conflicts are counted as *none*, *1*, *2 or more*. Other numbers are coloured from low to high, a missing one as
    the lowest. The seven most frequent names have one colour each, all others share one.

    Examples
    --------
    >>> colors_of(pd.Series([0, 3, 1], name="conflicts")).values.tolist()
    ['none', '2 or more', '1']
    >>> colors_of(pd.Series(["b", "a", "b"], name="topic")).colors
    {'b': '#56B4E9', 'a': '#E69F00'}
    """
    if column.name == "conflicts":
        names = np.array([*CONFLICTS])
        return _named(names[np.minimum(column, 2)], CONFLICTS)
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        values = column.astype("Float64").astype(np.float64)
        values = values.replace([np.inf, -np.inf], np.nan)
        values = values.fillna(values.min()).fillna(0.0)
        return Colors(values, None, np.argsort(values.to_numpy(), kind="stable"))
    names = column.astype("str").fillna("none").str.slice(0, LONGEST)
    frequent = names.value_counts().index[: len(NAMED)].tolist()
    colors = dict(zip(frequent, NAMED, strict=False))
    colors["other"] = OTHER
    return _named(names.where(names.isin(frequent), "other").to_numpy(), colors)


def _named(names: np.ndarray, colors: dict[str, str]) -> Colors:
    """Return the colours of names, without those that no dot has."""
    there = {*names}
    colors = {name: color for name, color in colors.items() if name in there}
    values = pd.Series(pd.Categorical(names, categories=[*colors]))
    is_on_top = ~values.isin(BACKGROUND).to_numpy()
    return Colors(values, colors, np.argsort(is_on_top, kind="stable"))
