"""Labels that contradict each other, with the evidence: frenemies (Chen, Ji and Evans 2020, section 3.2)."""

from __future__ import annotations

from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from ..pairs.writing import write_table
from .distance import longest_path, path_lengths
from .paraphrase import ParaphraseGraph
from .paths import disjoint_paths, shortest_paths

__all__ = ["conflicts", "write_conflicts"]

COLUMNS = (
    "kind", "text_a", "text_b", "cluster", "path",
    "length", "disjoint_paths", "n_positive", "n_negative", "rows", "path_rows",
)  # fmt: skip

#: What files call a column of these tables.
WRITTEN = {"text_a": "question1", "text_b": "question2"}


def conflicts(graph: ParaphraseGraph, max_distance: int | None = None, distance: str = "rounds") -> pd.DataFrame:
    """The conflicts of a graph, each with its evidence.

    Kinds
    -----
    within
        A stated negative inside a cluster: a positive path contradicts it. (None in bipartite data.)
    direct
        A pair that rows state both ways. It may be *within* besides, and then has two entries.
    across
        Only with `max_distance`: a pair inferred positive within the limit, to which a negative inside its
        cluster would carry over within the limit as well. (In the closure such a negative carries nothing.)

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
    within = np.flatnonzero(graph.within)
    direct = np.flatnonzero(graph.both_ways)
    # Between questions and answers nothing is transitive, so no path contradicts a label.
    parts = [] if graph.bipartite else [_stated(graph, "within", within)]
    parts.append(_stated(graph, "direct", direct))
    if max_distance is not None:
        parts.append(_evidence(graph, "across", *_across(graph, max_distance, distance)))
    table = {name: [value for part in parts for value in part[name]] for name in COLUMNS}
    types = {"kind": "str", "text_a": "str", "text_b": "str"}
    numbers = dict.fromkeys(("cluster", "length", "disjoint_paths", "n_positive", "n_negative"), "int64")
    return pd.DataFrame(table, columns=list(COLUMNS)).astype(types | numbers)


def write_conflicts(found: pd.DataFrame, path: str | PathLike | int, spreadsheet_safe: bool = False) -> None:
    """Write a table of conflicts as TSV, quoted where needed; lists as JSON.

    Files call the two sentences `question1` and `question2`, as Quora's release does. With `spreadsheet_safe` none is
    run as a formula (`write_table`).
    """
    write_table(found.rename(columns=WRITTEN), path, spreadsheet_safe)


def _stated(graph: ParaphraseGraph, kind: str, edges: np.ndarray) -> dict[str, Any]:
    return _evidence(graph, kind, graph.edge_a[edges], graph.edge_b[edges]) | {
        "n_positive": graph.edge_n_positive[edges],
        "n_negative": graph.edge_n_negative[edges],
        "rows": [graph.source_rows(edge) for edge in edges],
    }


def _evidence(graph: ParaphraseGraph, kind: str, a: np.ndarray, b: np.ndarray) -> dict[str, Any]:
    """The columns of conflicts between two arrays of nodes, as if no row stated them."""
    joined = graph.cluster_of[a] == graph.cluster_of[b]
    length, disjoint = np.zeros((2, len(a)), dtype=np.int64)
    paths = list(shortest_paths(graph, a[joined], b[joined]))
    length[joined] = [len(path) - 1 for path in paths]
    disjoint[joined] = disjoint_paths(graph, a[joined], b[joined])
    nothing = [[] for _ in a]
    shown = paths if kind == "within" else nothing
    return {
        "kind": [kind] * len(a),
        "text_a": graph.texts(a),
        "text_b": graph.texts(b),
        "cluster": graph.cluster_of[a],
        "path": [graph.texts(path) for path in shown],
        "length": length,
        "disjoint_paths": disjoint,
        "n_positive": np.zeros_like(length),
        "n_negative": np.zeros_like(length),
        "rows": nothing,
        "path_rows": [[graph.source_rows(graph.edge_between(i, j)) for i, j in pairwise(path)] for path in shown],
    }


def _across(graph: ParaphraseGraph, max_distance: int, distance: str) -> tuple[np.ndarray, np.ndarray]:
    """The unstated pairs that are inferred positive within the limit, and negative too."""
    far_positive = longest_path(max_distance, +1, distance)
    far_negative = longest_path(max_distance, -1, distance)
    pairs: set[tuple[int, int]] = set()
    for edge in np.flatnonzero(graph.within):
        x, y = graph.edge_a[edge], graph.edge_b[edge]
        members = graph.members(graph.cluster_of[x])
        _, lengths = path_lengths(graph, np.array([x, y]), far_negative)
        near_x, near_y = (np.flatnonzero(row >= 0) for row in lengths.reshape(2, -1))
        used = lengths[near_x][:, None] + lengths[len(members) + near_y][None, :]
        i, j = np.nonzero((used >= 1) & (used <= far_negative))
        ends = np.sort([members[near_x[i]], members[near_y[j]]], axis=0)
        pairs.update(zip(*ends[:, ends[0] < ends[1]].tolist(), strict=True))
    a, b = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
    unstated = graph.edge_index.places(a, b) < 0
    a, b = a[unstated], b[unstated]
    near = np.array([len(path) - 1 <= far_positive for path in shortest_paths(graph, a, b)], dtype=bool)
    return a[near], b[near]
