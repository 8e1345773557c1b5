"""Labels that contradict each other, with the evidence: frenemies (Chen, Ji and Evans 2020, section 3.2)."""

from __future__ import annotations

from itertools import pairwise
from os import PathLike

import numpy as np
import pandas as pd

from ..pairs import PairsError
from ..pairs.write import write_table
from .core import ParaphraseGraph
from .distance import disjoint_paths, shortest_paths

__all__ = ["conflicts", "write_conflicts"]

#: What files call a column of these tables.
WRITTEN = {"text_a": "question1", "text_b": "question2"}


def conflicts(graph: ParaphraseGraph, max_distance: None = None) -> pd.DataFrame:
    """List the conflicts of a graph, each with its evidence.

    Kinds
    -----
    within
        A stated negative inside a cluster: a positive path contradicts it. (None in bipartite data.)
    direct
        A pair that rows state both ways. It may be *within* besides, and then has two entries.

    Columns
    -------
    kind, text_a, text_b, cluster
        The pair as first stated; `cluster` is the first sentence's.
    path
        For *within*: the sentences of a shortest positive path from `text_a` to `text_b`; else empty.
    length, disjoint_paths
        Positive edges on a shortest path; positive paths that share no edge, which is the least number of
        positives to cut (0 where no path joins the two).
    n_positive, n_negative, rows, path_rows
        Rows of each label; their numbers in the source; the rows behind each edge of `path`.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0],
    ...                       "row": [2, 3, 4]})
    >>> found = conflicts(ParaphraseGraph.from_pairs(pairs))
    >>> found[["kind", "text_a", "text_b", "path", "disjoint_paths"]]
         kind text_a text_b       path  disjoint_paths
    0  within      a      c  [a, b, c]               1
    """
    if max_distance is not None:
        raise PairsError(
            "conflicts(max_distance=) is gone; pg.leakage finds pairs that follow on both sides of a split"
        )
    within, direct = np.flatnonzero(graph.within), np.flatnonzero(graph.both_ways)
    if graph.bipartite:  # between questions and answers nothing is transitive, so no path contradicts a label
        within = within[:0]
    table = graph.edge_table(np.concatenate([within, direct]))
    a, b = (table[end].to_numpy() for end in "ab")
    length, disjoint = np.zeros((2, len(table)), dtype=np.int64)
    joined = np.flatnonzero(graph.cluster_of[a] == graph.cluster_of[b])
    paths: list[list[int]] = [[] for _ in range(len(table))]
    for i, path in zip(joined.tolist(), shortest_paths(graph, a[joined], b[joined]), strict=True):
        length[i] = len(path) - 1
        if i < len(within):
            paths[i] = path
    disjoint[joined] = disjoint_paths(graph, a[joined], b[joined])
    kinds = ["within"] * len(within) + ["direct"] * len(direct)
    steps = [[graph.edge_between(*step) for step in pairwise(path)] for path in paths]
    return pd.DataFrame(
        {
            "kind": pd.Series(kinds, dtype="str"),
            "text_a": pd.Series(graph.texts(a), dtype="str"),
            "text_b": pd.Series(graph.texts(b), dtype="str"),
            "cluster": graph.cluster_of[a].astype(np.int64),
            "path": [graph.texts(path) for path in paths],
            "length": length,
            "disjoint_paths": disjoint,
            "n_positive": table["n_positive"].astype(np.int64),
            "n_negative": table["n_negative"].astype(np.int64),
            "rows": table["rows"],
            "path_rows": [[graph.source_rows(edge) for edge in each] for each in steps],
        }
    )


def write_conflicts(found: pd.DataFrame, path: str | PathLike | int, spreadsheet_safe: bool = False) -> None:
    """Write a table of conflicts as TSV, quoted where needed; lists as JSON.

    Files call the two sentences `question1` and `question2`, as Quora's release does. With `spreadsheet_safe` none is
    run as a formula (`write_table`).
    """
    write_table(found.rename(columns=WRITTEN), path, spreadsheet_safe)
