"""Labels that contradict each other: finding frenemies (Chen, Ji and Evans 2020, section 3.2)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from .arrays import Array
from .core import ParaphraseGraph, checked_graph
from .paths import disjoint_paths, shortest_paths

__all__ = ["conflicts", "contradictions"]


def conflicts(graph: ParaphraseGraph) -> pd.DataFrame:
    """List the conflicts of a graph, each with its evidence.

    Kinds
    -----
    within
        A stated negative inside a cluster: a positive path contradicts it. (None in bipartite data.)
    direct
        A pair that rows label both 1 and 0. It may also be *within*, and then has two entries.
    self
        A sentence that a row pairs with itself and labels 0.

    Columns
    -------
    kind, text_a, text_b, cluster
        The pair as first stated; `cluster` is the first sentence's.
    path
        For *within*: the sentences of a shortest positive path from `text_a` to `text_b`; else empty.
    length, disjoint_paths
        Positive edges on a shortest path; positive paths that share no edge, which is the least number of positives
        to cut (0 if no path joins the two).
    n_positive, n_negative, rows, path_rows
        Rows of each label; their numbers in the source; the rows behind each edge of `path`.
    votes
        Where rows name several annotators: who says what, such as ``Ada: yes, Bo: no``.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0],
    ...                       "row": [2, 3, 4]})
    >>> found = conflicts(ParaphraseGraph.from_pairs(pairs))
    >>> found[["kind", "text_a", "text_b", "path", "disjoint_paths"]]
         kind text_a text_b       path  disjoint_paths
    0  within      a      c  [a, b, c]               1
    """
    found = contradictions(checked_graph(graph, "conflicts"))
    a, b = found.ends
    table = graph.pair_texts(a, b)
    kinds = pd.Series(found.kinds, dtype="str")
    table.insert(0, "kind", kinds)
    table["cluster"] = graph.cluster_of[a].astype(np.int64)
    table["path"] = [graph.texts(path) for path in found.paths]
    table["length"] = found.length
    joined = np.flatnonzero(found.length)
    count = np.zeros(len(table), dtype=np.int64)
    count[joined] = disjoint_paths(graph, a[joined], b[joined])
    table["disjoint_paths"] = count
    edges = found.edges.tolist()
    rows = list(map(graph.rows_of, edges))
    for i in np.flatnonzero(found.edges < 0).tolist():
        rows[i] = graph.rows_between(a[i], a[i])
    signs = [graph.row_sign[some] for some in rows]
    table["n_positive"] = np.array([np.count_nonzero(each > 0) for each in signs], dtype=np.int64)
    table["n_negative"] = np.array([np.count_nonzero(each < 0) for each in signs], dtype=np.int64)
    table["rows"] = list(map(graph.row_names, rows))
    source_rows = cache(graph.source_rows)
    table["path_rows"] = [list(map(source_rows, steps)) for steps in found.steps]
    if graph.annotators is not None:
        table["votes"] = list(map(graph.votes, edges))
    return table


class Contradictions(NamedTuple):
    """The conflicts of a graph, in the order of `conflicts`, by nodes and edges."""

    kinds: list[str]
    edges: Array  #: -1 for a sentence that is stated to differ from itself
    ends: Array  #: two nodes each: shape (2, conflicts)
    length: Array  #: of a shortest positive path, 0 without one
    paths: list[list[int]]  #: its nodes, for those within a cluster
    steps: list[list[int]]  #: and its edges


def contradictions(graph: ParaphraseGraph) -> Contradictions:
    """Find the conflicts of a graph, with the paths that contradict them."""
    within = np.flatnonzero(graph.negatives_inside)
    direct = np.flatnonzero(graph.labelled_twice)
    alone = graph.self_negatives
    count = [len(within), len(direct), len(alone)]
    kinds = np.repeat(["within", "direct", "self"], count).tolist()
    stated = np.append(within, direct)
    none = np.full(len(alone), -1)
    edges = np.append(stated, none)
    ends = np.append(graph.ends(stated), [alone, alone], axis=1)
    a, b = ends
    length = np.zeros(len(edges), dtype=np.int64)
    paths: list[list[int]] = [[] for _ in kinds]
    steps: list[list[int]] = [[] for _ in kinds]
    joined = np.empty(0, dtype=np.int64)
    if not graph.bipartite:
        home, away = graph.cluster_of[ends]
        joined = np.flatnonzero((home == away) & (edges >= 0))
    found = shortest_paths(graph, a[joined], b[joined])
    for i, path in zip(joined.tolist(), found, strict=True):
        length[i] = len(path) - 1
        if kinds[i] == "within":
            paths[i] = path
            edges_of = graph.edge_index.places(path[:-1], path[1:])
            steps[i] = edges_of.tolist()
    return Contradictions(kinds, edges, ends, length, paths, steps)
