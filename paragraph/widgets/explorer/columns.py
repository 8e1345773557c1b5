"""Columns of a person's table, which colour the sentences of an Explorer."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.identity import nodes_of
from ...pairs.tables import refuse
from ..base.records import Plain

__all__ = ["Column", "columns_of"]

CATEGORIES = 8  # as many as there are colours; the rarer ones are "other"
OWN = {"conflicts", "p_wrong"}  # colours that are there already


class Column:
    """What a column says of each sentence: a number, or the place of a category in its `names`; NaN: nothing."""

    def __init__(self, values: pd.Series, n: int):
        self.names: list[str] = []
        if not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
            values = values.dropna().astype(str)
            self.names = values.value_counts().index.tolist()
            values = values.map({name: min(place, CATEGORIES - 1) for place, name in enumerate(self.names)})
            if len(self.names) > CATEGORIES:
                self.names[CATEGORIES - 1 :] = ["other"]
        numbers = values.astype("Float64").astype(float).replace([np.inf, -np.inf], np.nan)
        self.values = numbers.reindex(range(n)).to_numpy()

    @property
    def scale(self) -> Plain:
        """The categories, or the range of the numbers."""
        known = self.values[~np.isnan(self.values)]
        if self.names or not len(known):
            return {"names": self.names}
        return {"low": float(known.min()), "high": float(known.max())}

    def of(self, nodes: np.ndarray) -> list[float | None]:
        """The values of some sentences."""
        return [None if np.isnan(value) else round(value, 4) for value in self.values[nodes].tolist()]


def columns_of(graph: ParaphraseGraph, table: pd.DataFrame | None) -> dict[str, Column]:
    """Return the columns of a table with one row per sentence, named by its `node` or `text`.

    Raises
    ------
    PairsError
        No such column; a sentence that is not in the graph, or is there twice; a column with a reserved name.

    Examples
    --------
    >>> graph = ParaphraseGraph.from_pairs(pd.DataFrame({"text_a": ["a"], "text_b": ["b"], "label": [1]}))
    >>> found = columns_of(graph, pd.DataFrame({"text": ["b", "a"], "source": ["mail", None], "length": [1, 2]}))
    >>> found["source"].names, found["source"].of(np.array([0, 1])), found["length"].scale
    (['mail'], [None, 0.0], {'low': 1.0, 'high': 2.0})
    """
    if table is None:
        return {}
    if "text" in table:
        by = "text"
        nodes = nodes_of(graph, table[by].astype(str).tolist())
    elif "node" in table:
        by = "node"
        nodes = pd.to_numeric(table[by], errors="coerce").fillna(-1).to_numpy(np.int64)
    else:
        names = ", ".join(map(str, table))
        raise PairsError(f"columns of sentences need a column node or text, not {names}")
    unknown = (nodes < 0) | (nodes >= graph.n)
    refuse(table, unknown, lambda row: f"columns: {by} {row[by]!s:.200} is no sentence of the graph")
    twice = pd.Series(nodes).duplicated()
    refuse(table, twice, lambda row: f"columns: {by} {row[by]!s:.200} is there twice")
    named = {str(name): table[name].set_axis(nodes) for name in table if name not in ("node", "text")}
    for name in OWN & named.keys():
        raise PairsError(f"columns: {name} is a colour that is there already: rename the column")
    return {name: Column(values, graph.n) for name, values in named.items()}
