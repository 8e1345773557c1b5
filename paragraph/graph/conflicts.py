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
        Where rows name several annotators: the label each gives, such as ``Ada: yes, Bo: no``.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0],
    ...                       "row": [2, 3, 4]})
    >>> table = conflicts(ParaphraseGraph.from_pairs(pairs))
    >>> table[["kind", "text_a", "text_b", "path", "disjoint_paths"]]
         kind text_a text_b       path  disjoint_paths
    0  within      a      c  [a, b, c]               1
    """
    checked_graph(graph, "conflicts")
    evidence = contradictions(graph)
    a, b = evidence.ends
    table = graph.pair_texts(a, b)
    kinds = pd.Series(evidence.kinds, dtype="str")
    table.insert(0, "kind", kinds)
    table["cluster"] = graph.cluster_of[a].astype(np.int64)
    table["path"] = [graph.texts(path) for path in evidence.paths]
    table["length"] = evidence.length
    has_path = np.flatnonzero(evidence.length)
    count = np.zeros(len(table), dtype=np.int64)
    count[has_path] = disjoint_paths(graph, a[has_path], b[has_path])
    table["disjoint_paths"] = count
    edges = evidence.edges.tolist()
    rows = list(map(graph.rows_of, edges))
    self_pairs = np.flatnonzero(evidence.edges < 0)
    for i in self_pairs.tolist():
        rows[i] = graph.rows_between(a[i], a[i])
    signs = [graph.row_sign[each] for each in rows]
    n_positive = [np.count_nonzero(sign > 0) for sign in signs]
    n_negative = [np.count_nonzero(sign < 0) for sign in signs]
    table["n_positive"] = np.array(n_positive, dtype=np.int64)
    table["n_negative"] = np.array(n_negative, dtype=np.int64)
    table["rows"] = list(map(graph.row_names, rows))
    source_rows = cache(graph.source_rows)
    table["path_rows"] = [list(map(source_rows, steps)) for steps in evidence.steps]
    if graph.annotators is not None:
        table["votes"] = list(map(graph.votes, edges))
    return table


class Contradictions(NamedTuple):
    """The conflicts of a graph as nodes and edges, in the order of the table `conflicts`."""

    kinds: list[str]
    edges: Array  #: -1 for kind *self*, which has none
    ends: Array  #: the two nodes of each: shape (2, conflicts)
    length: Array  #: of a shortest positive path, 0 without one
    paths: list[list[int]]  #: the nodes of that path for kind *within*, else empty
    steps: list[list[int]]  #: the edges of `paths`


def contradictions(graph: ParaphraseGraph) -> Contradictions:
    """Find the conflicts of a graph, with the paths that contradict them."""
    within = np.flatnonzero(graph.negatives_inside)
    direct = np.flatnonzero(graph.labelled_twice)
    self_nodes = graph.self_negatives
    count = [len(within), len(direct), len(self_nodes)]
    kinds = np.repeat(["within", "direct", "self"], count).tolist()
    stated = np.append(within, direct)
    no_edge = np.full(len(self_nodes), -1)
    edges = np.append(stated, no_edge)
    ends = np.append(graph.ends(stated), [self_nodes, self_nodes], axis=1)
    a, b = ends
    length = np.zeros(len(edges), dtype=np.int64)
    paths: list[list[int]] = [[] for _ in kinds]
    steps: list[list[int]] = [[] for _ in kinds]
    has_path = np.empty(0, dtype=np.int64)
    if not graph.bipartite:
        home, away = graph.cluster_of[ends]
        has_path = np.flatnonzero((home == away) & (edges >= 0))
    shortest = shortest_paths(graph, a[has_path], b[has_path])
    for i, path in zip(has_path.tolist(), shortest, strict=True):
        length[i] = len(path) - 1
        if kinds[i] == "within":
            paths[i] = path
            edges_of = graph.edge_index.places(path[:-1], path[1:])
            steps[i] = edges_of.tolist()
    return Contradictions(kinds, edges, ends, length, paths, steps)
