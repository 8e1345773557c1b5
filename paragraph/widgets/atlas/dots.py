"""What the atlas knows of each cluster: a table with one row a dot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ...graph.central import central_sentences
from ...graph.search import nodes_of
from ...pairs import PairsError
from ..explorer.browse import ClusterList

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph

__all__ = ["OWN", "dots", "doubts"]

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
        table["doubt"] = doubts(graph, suspects)[:count]
    if columns is not None:
        table = _joined(table, columns, len(sizes))
    central = central_sentences(graph, count) if count else []
    return table.assign(sentence=pd.Series(graph.texts(central), dtype="str"))


def doubts(graph: ParaphraseGraph, suspects: pd.DataFrame) -> np.ndarray:
    """The largest `p_wrong` of the stated pairs in or at each cluster; 0 where the table has none of them.

    Examples
    --------
    >>> from paragraph import ParaphraseGraph
    >>> pairs = pd.DataFrame({"text_a": ["a", "c"], "text_b": ["b", "d"], "label": [1, 1]})
    >>> graph = ParaphraseGraph.from_pairs(pairs)
    >>> doubts(graph, pd.DataFrame({"text_a": ["c"], "text_b": ["d"], "p_wrong": [0.7]})).tolist()
    [0.0, 0.7]
    """
    if missing := [name for name in ("text_a", "text_b", "p_wrong") if name not in suspects]:
        raise PairsError(f"suspects: a table of suspects has the columns text_a, text_b, p_wrong; missing: {missing}")
    wrong = pd.to_numeric(suspects["p_wrong"], errors="coerce").to_numpy(np.float64)
    odd = ~((wrong >= 0) & (wrong <= 1))
    if odd.any():
        at = int(np.argmax(odd))
        raise PairsError(f"suspects, row {at}: p_wrong {suspects['p_wrong'].iloc[at]!s:.50} is not between 0 and 1")
    result = np.zeros(len(graph.cluster_sizes))
    for side in ("text_a", "text_b"):
        nodes = nodes_of(graph, suspects[side].astype(str).tolist())
        if (nodes < 0).any():
            at = int(np.argmax(nodes < 0))
            raise PairsError(f"suspects, row {at}: {suspects[side].iloc[at]!r:.200} is no sentence of the graph")
        np.maximum.at(result, graph.cluster_of[nodes], wrong)
    return result


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
