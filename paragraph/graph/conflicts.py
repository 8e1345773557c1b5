"""Labels that contradict each other: finding frenemies (Chen, Ji and Evans 2020, section 3.2)."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np
import pandas as pd

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
    table.insert(0, "kind", pd.Series(found.kinds, dtype="str"))
    table["cluster"] = graph.cluster_of[a].astype(np.int64)
    table["path"] = [graph.texts(path) for path in found.paths]
    table["length"] = found.length
    joined = np.flatnonzero(found.length)
    table["disjoint_paths"] = 0
    table.loc[joined, "disjoint_paths"] = disjoint_paths(graph, a[joined], b[joined])
    rows = []
    for edge, node in zip(found.edges.tolist(), a.tolist(), strict=True):
        rows.append(graph.rows_of(edge) if edge >= 0 else graph.rows_between(node, node))
    for name, sign in (("n_positive", 1), ("n_negative", -1)):
        counts = [np.count_nonzero(graph.row_sign[some] == sign) for some in rows]
        table[name] = np.array(counts, dtype=np.int64)
    table["rows"] = [graph.row_names(some) for some in rows]
    behind = {edge: graph.source_rows(edge) for edge in set(chain.from_iterable(found.steps))}
    table["path_rows"] = [[behind[edge] for edge in steps] for steps in found.steps]
    if graph.annotators is not None:
        table["votes"] = [graph.votes(edge) for edge in found.edges.tolist()]
    return table


class Contradictions(NamedTuple):
    """The conflicts of a graph, in the order of `conflicts`, by nodes and edges."""

    kinds: list[str]
    edges: np.ndarray  #: -1 for a sentence that is stated to differ from itself
    ends: np.ndarray  #: two nodes each: shape (2, conflicts)
    length: np.ndarray  #: of a shortest positive path, 0 without one
    paths: list[list[int]]  #: its nodes, for those within a cluster
    steps: list[list[int]]  #: and its edges


def contradictions(graph: ParaphraseGraph) -> Contradictions:
    """Find the conflicts of a graph, with the paths that contradict them."""
    within = np.flatnonzero(graph.negatives_inside)
    direct = np.flatnonzero(graph.labelled_twice)
    alone = graph.self_negatives
    kinds = np.repeat(["within", "direct", "self"], [len(within), len(direct), len(alone)]).tolist()
    stated = np.append(within, direct)
    edges = np.append(stated, np.full(len(alone), -1))
    a, b = ends = np.append(graph.ends(stated), [alone, alone], axis=1)
    length = np.zeros(len(edges), dtype=np.int64)
    paths: list[list[int]] = [[] for _ in kinds]
    steps: list[list[int]] = [[] for _ in kinds]
    joined = np.empty(0, dtype=np.int64)
    if not graph.bipartite:
        joined = np.flatnonzero((graph.cluster_of[a] == graph.cluster_of[b]) & (edges >= 0))
    for i, path in zip(joined.tolist(), shortest_paths(graph, a[joined], b[joined]), strict=True):
        length[i] = len(path) - 1
        if kinds[i] == "within":
            paths[i] = path
            steps[i] = graph.edge_index.places(path[:-1], path[1:]).tolist()
    return Contradictions(kinds, edges, ends, length, paths, steps)
