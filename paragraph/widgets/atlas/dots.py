"""The table of the atlas: one row a dot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ...graph.clusters import central_sentences
from ...pairs import PairsError
from ..explorer.browse import ClusterList
from ..explorer.looks import doubts

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph

__all__ = ["OWN", "dots"]

#: Columns of the atlas's own: of these names, a user's table adds none.
OWN = ("cluster", "x", "y", "size", "conflicts", "negatives", "density", "doubt", "sentence")


def dots(
    graph: ParaphraseGraph, suspects: pd.DataFrame | None = None, columns: pd.DataFrame | None = None
) -> pd.DataFrame:
    """One row for each cluster of two or more, or for each sentence where there is no such cluster.

    `cluster`, `size`, `conflicts`, `negatives`, `density` as the Explorer lists them; `doubt` where suspects are
    given; what the user's table adds; `sentence`, the most central one.
    """
    sizes = graph.cluster_sizes
    count = int(np.count_nonzero(sizes > 1)) or len(sizes)  # ids go by size
    table = pd.DataFrame({name: values[:count] for name, values in ClusterList(graph).columns.items()})
    if suspects is not None:
        worst = np.zeros(len(sizes))
        np.fmax.at(worst, graph.cluster_of, doubts(graph, suspects))
        table["doubt"] = worst[:count]
    if columns is not None:
        table = _joined(table, columns, len(sizes))
    central = central_sentences(graph, count) if count else []
    return table.assign(sentence=pd.Series(graph.texts(central), dtype="str"))


def _joined(table: pd.DataFrame, columns: pd.DataFrame, clusters: int) -> pd.DataFrame:
    """The table with the user's columns beside it, by `cluster`; missing where theirs has no such cluster."""
    if "cluster" not in columns:
        raise PairsError(f"columns: a table of clusters has a column cluster, not {', '.join(map(str, columns))}")
    ids = columns["cluster"]
    known = ids.isin(np.arange(clusters))
    if not known.all():
        raise PairsError(f"columns: cluster {ids[~known].iloc[0]!s:.50} is not one of 0 .. {clusters - 1}")
    if ids.duplicated().any():
        raise PairsError(f"columns: cluster {ids[ids.duplicated()].iloc[0]} has two rows")
    new = [name for name in columns if name not in table and name not in OWN]
    return table.merge(columns[["cluster", *new]], how="left", on="cluster", validate="one_to_one")
