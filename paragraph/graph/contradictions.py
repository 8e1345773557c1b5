"""Labels that contradict each other, with the evidence: frenemies (Chen, Ji and Evans 2020, section 3.2)."""

from __future__ import annotations

import json
from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ..pairs.delimited import DelimitedWriter, quote_fields
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
    # Between questions and answers nothing is transitive, so no path contradicts a label.
    parts = [_direct(graph)] if graph.bipartite else [_within(graph), _direct(graph)]
    if max_distance is not None:
        parts.append(_across(graph, max_distance, distance))
    table = {name: [value for part in parts for value in part[name]] for name in COLUMNS}
    types = {"kind": "str", "text_a": "str", "text_b": "str"}
    numbers = dict.fromkeys(("cluster", "length", "disjoint_paths", "n_positive", "n_negative"), "int64")
    return pd.DataFrame(table, columns=list(COLUMNS)).astype(types | numbers)


def write_conflicts(found: pd.DataFrame, path: str | PathLike) -> None:
    """Write a table of conflicts as TSV, quoted where needed; lists as JSON.

    Files call the two sentences `question1` and `question2`, as Quora's release does.
    """

    def field(value: Any) -> str:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    fields = [pa.array(map(field, column.tolist()), pa.large_string()) for _, column in found.items()]
    header = [WRITTEN.get(name, name) for name in found.columns]
    with DelimitedWriter(path, header) as out:
        out.write([quote_fields(column) for column in fields])


def _within(graph: ParaphraseGraph) -> dict[str, list[Any]]:
    edges = np.flatnonzero(graph.within)
    a, b = graph.edge_a[edges], graph.edge_b[edges]
    paths = list(shortest_paths(graph, a, b))
    return _stated(graph, "within", edges) | {
        "path": [graph.texts(path) for path in paths],
        "length": [len(path) - 1 for path in paths],
        "disjoint_paths": disjoint_paths(graph, a, b),
        "path_rows": [[graph.source_rows(graph.edge_between(i, j)) for i, j in pairwise(path)] for path in paths],
    }


def _direct(graph: ParaphraseGraph) -> dict[str, list[Any]]:
    edges = np.flatnonzero((graph.edge_n_positive > 0) & (graph.edge_n_negative > 0))
    a, b = graph.edge_a[edges], graph.edge_b[edges]
    together = graph.cluster_of[a] == graph.cluster_of[b]
    length, disjoint = np.zeros(len(edges), dtype=np.int64), np.zeros(len(edges), dtype=np.int64)
    length[together] = [len(path) - 1 for path in shortest_paths(graph, a[together], b[together])]
    disjoint[together] = disjoint_paths(graph, a[together], b[together])
    return _stated(graph, "direct", edges) | {
        "path": [[] for _ in edges],
        "length": length,
        "disjoint_paths": disjoint,
        "path_rows": [[] for _ in edges],
    }


def _stated(graph: ParaphraseGraph, kind: str, edges: np.ndarray) -> dict[str, list[Any]]:
    return {
        "kind": [kind] * len(edges),
        "text_a": graph.texts(graph.edge_a[edges]),
        "text_b": graph.texts(graph.edge_b[edges]),
        "cluster": graph.cluster_of[graph.edge_a[edges]],
        "n_positive": graph.edge_n_positive[edges],
        "n_negative": graph.edge_n_negative[edges],
        "rows": [graph.source_rows(edge) for edge in edges],
    }


def _across(graph: ParaphraseGraph, max_distance: int, distance: str) -> dict[str, list[Any]]:
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
        u, v = members[near_x[i]], members[near_y[j]]
        pairs.update(zip(np.minimum(u, v)[u != v].tolist(), np.maximum(u, v)[u != v].tolist(), strict=True))
    found = sorted(pair for pair in pairs if graph.edge_between(*pair) < 0)
    a, b = (np.array([pair[i] for pair in found], dtype=np.int64) for i in (0, 1))
    length = np.array([len(path) - 1 for path in shortest_paths(graph, a, b)], dtype=np.int64)
    near = length <= far_positive
    a, b, length = a[near], b[near], length[near]
    return {
        "kind": ["across"] * len(a),
        "text_a": graph.texts(a),
        "text_b": graph.texts(b),
        "cluster": graph.cluster_of[a],
        "path": [[] for _ in a],
        "length": length,
        "disjoint_paths": disjoint_paths(graph, a, b),
        "n_positive": np.zeros(len(a), dtype=np.int64),
        "n_negative": np.zeros(len(a), dtype=np.int64),
        "rows": [[] for _ in a],
        "path_rows": [[] for _ in a],
    }
