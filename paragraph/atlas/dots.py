"""The table of a map: one row per dot."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..files import PairsError
from ..graph import ParaphraseGraph

__all__ = ["dots_of"]

#: The columns of the table: a user's table cannot add others with these names.
OWN = ("cluster", "x", "y", "size", "conflicts", "negatives", "density", "sentence")


def dots_of(graph: ParaphraseGraph, columns: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return one row per cluster of two or more sentences, or per sentence if there is no such cluster.

    `cluster`, `size`, `conflicts`, `negatives`, `density` as in the Explorer; the columns of the
    user's table; `sentence`, the most central one.
    """
    sizes = graph.cluster_sizes
    count = int(np.count_nonzero(sizes > 1)) or len(sizes)  # ids go by size
    clusters = (
        graph.clusters(min_size=1).head(count).rename(columns={"stated_negative": "negatives"})
    )
    table = clusters[["cluster", "size", "conflicts", "negatives", "density"]].copy()
    table["density"] = table["density"].where(table["size"] > 1, 1.0)
    if columns is not None:
        _check_columns(columns, len(sizes))
        new = [name for name in columns if name not in OWN]
        table = table.merge(columns[["cluster", *new]], how="left", on="cluster")
    return table.assign(sentence=clusters["example"])


def _check_columns(columns: pd.DataFrame, clusters: int) -> None:
    """Refuse a table that has no clusters, one that is not in the graph, or one of them twice."""
    if "cluster" not in columns:
        raise PairsError(
            f"columns: a table of clusters has a column cluster, not {', '.join(map(str, columns))}"
        )
    ids = columns["cluster"]
    unknown = ids[~ids.isin(range(clusters))]
    if len(unknown):
        raise PairsError(
            f"columns: cluster {unknown.iloc[0]!s:.50} is not one of 0 .. {clusters - 1}"
        )
    again = ids[ids.duplicated()]
    if len(again):
        raise PairsError(f"columns: cluster {again.iloc[0]!s:.50} has two rows")
