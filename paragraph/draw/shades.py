"""Numbers and names as colours of dots: one rule for the live map and the still one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from .style import NEGATIVE

__all__ = ["RAMP", "Shades", "shades"]

#: Okabe and Ito (2008), but for black and yellow, which one of the two themes swallows.
NAMED = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8C6BB1")
OTHER = "#9AA3AB"
#: From low to high; each can be seen on white and on black.
RAMP = (OTHER, "#E69F00", "#C03A00")


class Shades(NamedTuple):
    """How a column is shown: its values by name with a colour each, or as numbers between two ends."""

    values: pd.Series  #: categories, or floats
    colors: dict[str, str] | None  #: of the categories, in order; None for numbers
    first: np.ndarray  #: order in which dots are drawn, the remarkable ones last, on top


def shades(column: pd.Series) -> Shades:
    """The colours of a column.

    Conflicts are counted *none*, *1*, *2 or more*. Other numbers are coloured from low to high, a missing one as the
    lowest. Of names, the seven most frequent have a colour each, all others one.

    Examples
    --------
    >>> shades(pd.Series([0, 3, 1], name="conflicts")).values.tolist()
    ['none', '2 or more', '1']
    >>> shades(pd.Series(["b", "a", "b"], name="topic")).colors
    {'b': '#0072B2', 'a': '#E69F00'}
    """
    if column.name == "conflicts":
        names = np.array(["none", "1", "2 or more"])[np.minimum(column, 2)]
        colors = {"none": OTHER, "1": "#E69F00", "2 or more": NEGATIVE}
    elif pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        values = column.astype("Float64").to_numpy(np.float64, na_value=np.nan)
        values = np.where(np.isfinite(values), values, np.nan)
        lowest = 0.0 if np.isnan(values).all() else np.nanmin(values)
        values = pd.Series(np.where(np.isnan(values), lowest, values), name=column.name)
        return Shades(values, None, np.argsort(values.to_numpy(), kind="stable"))
    else:
        names = column.astype("str").fillna("none").str.slice(0, 60)
        frequent = [str(name) for name in names.value_counts().index[: len(NAMED)]]
        names = names.where(names.isin(frequent), "other").to_numpy()
        colors = dict(zip(frequent, NAMED, strict=False))
        if "other" not in colors and (names == "other").any():
            colors["other"] = OTHER
    colors = {name: color for name, color in colors.items() if (names == name).any()}
    values = pd.Series(pd.Categorical(names, categories=list(colors)), name=column.name)
    background = values.isin(["none", "other"]).to_numpy()
    return Shades(values, colors, np.argsort(~background, kind="stable"))
