"""Rows that were generated from others: which they are, where they come from, and what they say by themselves."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .errors import PairsError

__all__ = ["generated", "origins", "rows_of", "shuffle_edges"]


def generated(pairs: pd.DataFrame) -> np.ndarray:
    """Return a mask of the rows generated from others: those with a `from_row`."""
    if "from_row" not in pairs:
        return np.zeros(len(pairs), dtype=bool)
    return ~pairs["from_row"].astype("str").fillna("").isin(["", "<NA>", "nan"]).to_numpy()


def rows_of(pairs: pd.DataFrame) -> np.ndarray:
    """Return the place of each row in its source: the column `row` of a pair table, else from 0."""
    own = "row" in pairs and pairs["row"].dtype.kind == "i"
    return pairs["row"].to_numpy() if own else np.arange(len(pairs))


def origins(pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the rows that were generated, and of the rows that each was made from, by `from_row` and `row`.

    `PairsError` where a row comes from one that is not in the table.
    """
    made = generated(pairs)
    if not made.any():
        return np.empty(0, np.intp), np.empty(0, np.intp)
    given = pairs["from_row"].astype("str")[made].str.replace(r"\.0$", "", regex=True)  # pandas reads 2 as 2.0
    place = pd.Index(rows_of(pairs)[~made].astype("str")).get_indexer(given)
    if place.min() < 0:
        wrong = given.iloc[np.argmin(place)]
        raise PairsError(f"from_row '{wrong}' is none of these rows, and a generated one is from it")
    return np.flatnonzero(made), np.flatnonzero(~made)[place]


def shuffle_edges(pairs: pd.DataFrame) -> pd.DataFrame:
    """The positive pairs of each original and its shuffle, of augmented pairs (columns as there).

    Their `row` is that of the generated pair, their `from_row` that of the pair it was made from.
    """
    (made, stated), sides = origins(pairs), []
    for column in ("text_a", "text_b"):
        before, new = pairs[column].to_numpy()[stated], pairs.iloc[made]
        sides.append(new.assign(text_a=before, text_b=new[column], label=1)[new[column].to_numpy() != before])
    return pd.concat(sides).drop_duplicates(["text_a", "text_b"])
