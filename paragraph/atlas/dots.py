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
    clusters = graph.clusters(min_size=1).head(count)
    clusters = clusters.rename(columns={"stated_negative": "negatives"})
    table = clusters[["cluster", "size", "conflicts", "negatives", "density"]].copy()
    table["density"] = table["density"].where(table["size"] > 1, 1.0)
    if columns is not None:
        if "cluster" not in columns:
            names = ", ".join(map(str, columns))
            raise PairsError(f"columns: a table of clusters has a column cluster, not {names}")
        ids = columns["cluster"]
        last = len(sizes) - 1
        message = "columns: cluster {!s:.50} is not one of 0 .. {}, or has two rows"
        is_known = ids.isin(range(len(sizes)))
        for one in ids[~is_known | ids.duplicated()]:
            raise PairsError(message.format(one, last))
        new = [name for name in columns if name not in OWN]
        table = table.merge(columns[["cluster", *new]], how="left", on="cluster")
    return table.assign(sentence=clusters["example"])
