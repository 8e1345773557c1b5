"""Stated labels: the signed edges that rows make, their annotators, and their clusters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from .arrays import PART, Allocate, Array, first_nodes, in_memory, numbered, pair_keys, parts

__all__ = ["Edges", "annotators_of", "clusters_of", "differing", "stated_edges", "votes"]


class Edges(NamedTuple):
    """One entry per distinct unordered pair, in order of first appearance, oriented as first stated."""

    a: Array  #: node codes, one end
    b: Array  #: node codes, the other end
    sign: Array  #: int8, +1 paraphrase, -1 not: the stated label
    n_positive: Array  #: int32, rows with label 1
    n_negative: Array  #: int32, rows with label 0
    of_row: Array  #: of every row the edge of its pair; -1 for a self-pair, or without a label


def stated_edges(a: Array, b: Array, sign: Array, n: int, allocate: Allocate = in_memory) -> Edges:
    """The stated label of each pair: the majority of its rows, the later row on a tie; linear time.

    Apart from the arrays that `allocate` makes, memory does not grow with the rows: they are processed part by part.

    Parameters
    ----------
    a, b : integer arrays, one entry per row
        Codes in ``0..n-1`` of the two sentences.
    sign : int8 array
        +1, -1, or 0 for a row without a label. Rows that pair a sentence with itself make no edge.
    allocate : callable
        Makes arrays of zeros, as `in_memory` does.

    Examples
    --------
    >>> edges = stated_edges(np.array([0, 1, 0, 2]), np.array([1, 0, 1, 2]), np.array([1, -1, -1, 1]), 3)
    >>> edges.a, edges.b, edges.sign, edges.n_positive, edges.n_negative
    (array([0]), array([1]), array([-1], dtype=int8), array([1], dtype=int32), array([2], dtype=int32))
    >>> edges.of_row
    array([ 0,  0,  0, -1], dtype=int32)
    """
    first = _first_rows(a, b, sign, n, allocate)
    # the first row of a pair begins its edge
    begins = first == np.arange(len(a), dtype=np.int32)
    number = np.cumsum(begins, dtype=np.int32) - 1
    of_row = allocate("row_edge", len(a), np.int32)
    of_row[:] = number[first]
    of_row[first < 0] = -1
    count = int(np.count_nonzero(begins))
    edge_a = allocate("edge_a", count, a.dtype)
    edge_a[:] = a[begins]
    edge_b = allocate("edge_b", count, b.dtype)
    edge_b[:] = b[begins]
    n_positive = allocate("edge_n_positive", count, np.int32)
    n_negative = allocate("edge_n_negative", count, np.int32)
    labelled = (sign != 0) & (of_row >= 0)
    positive = labelled & (sign > 0)
    negative = labelled & (sign < 0)
    np.add.at(n_positive, of_row[positive], 1)
    np.add.at(n_negative, of_row[negative], 1)
    edge_sign = allocate("edge_sign", count, np.int8)
    edge_sign[of_row[labelled]] = sign[labelled]  # the last row of an edge stays
    majority = np.sign(n_positive - n_negative)
    untied = majority != 0
    edge_sign[untied] = majority[untied]
    return Edges(edge_a, edge_b, edge_sign, n_positive, n_negative, of_row)


def _first_rows(a: Array, b: Array, sign: Array, n: int, allocate: Allocate) -> Array:
    """For each row, the first row with a label of the same pair, or -1: int32."""
    first = allocate("", len(a), np.int32)
    first[a == b] = -1
    turns = 1 << (len(a) // PART).bit_length()
    turn_of = np.minimum(a, b) & (turns - 1)  # a pair has all its rows in one turn
    for turn in range(turns):
        rows = np.flatnonzero((turn_of == turn) & (a != b))
        keys = pair_keys(a[rows], b[rows], n)
        is_labelled = sign[rows] != 0
        labelled = rows[is_labelled]
        edge, distinct = pd.factorize(keys[is_labelled])  # numbered by first appearance
        highest = np.maximum.accumulate(edge)
        is_first = np.diff(highest, prepend=-1) > 0
        first_of_edge = np.append(labelled[is_first], -1)
        first[labelled] = first_of_edge[edge]
        if not is_labelled.all():  # other rows may give their pairs a label
            edge = pd.Index(distinct).get_indexer(keys[~is_labelled])  # -1: no row does
            first[rows[~is_labelled]] = first_of_edge[edge]
    return first


def clusters_of(edges: Edges, n: int, allocate: Allocate) -> tuple[Array, Array]:
    """The cluster of each node, and the size of each cluster; by size, then by first node.

    Clusters are the connected components of the positive edges.
    """
    first = first_nodes(n, _positive_parts(edges), allocate)
    component = numbered(first)
    sizes = np.bincount(component)
    # Components are numbered by their first node, so a stable sort by size keeps that order among equals.
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(sizes), dtype=np.int32)
    rank[order] = np.arange(len(sizes), dtype=np.int32)
    return rank[component], sizes[order]


def _positive_parts(edges: Edges) -> Iterator[tuple[Array, Array]]:
    for part in parts(len(edges.sign)):
        positive = edges.sign[part] > 0
        a = edges.a[part]
        b = edges.b[part]
        yield a[positive], b[positive]


def annotators_of(graph) -> Array | None:
    """Return the annotator of each row, empty where it has none; None if fewer than two are known.

    Linear in the rows.

    >>> import pandas as pd
    >>> from paragraph import ParaphraseGraph
    >>> pairs = pd.DataFrame({"text_a": ["a", "a"], "text_b": ["b", "b"], "label": [1, 0]})
    >>> pairs["annotator"] = ["Ada", "Bo"]
    >>> annotators_of(ParaphraseGraph.from_pairs(pairs)).tolist()
    ['Ada', 'Bo']
    """
    if graph.pairs is None or "annotator" not in graph.pairs:
        return None
    names = graph.pairs["annotator"].astype("str").fillna("").to_numpy(object)
    annotators = {*names.tolist()} - {""}
    if len(annotators) < 2:
        return None
    return names


def differing(graph) -> Array:
    """Flags of the edges whose rows state both labels, and are not all of one annotator."""
    differ = np.zeros(len(graph.edge_sign), bool)
    names = graph.annotators
    if names is not None:
        for edge in np.flatnonzero(graph.labelled_twice).tolist():
            annotators = {*names[graph.rows_of(edge)].tolist()}
            differ[edge] = len(annotators) > 1
    return differ


def votes(graph, edge: int) -> str:
    """Return the annotators' labels of an edge in words, such as ``Ada: yes, Bo: no``; empty if none are known."""
    names = graph.annotators
    if names is None or edge < 0:
        return ""
    rows = graph.rows_of(edge).tolist()
    labels = [graph.words[int(graph.row_sign[row] > 0)] for row in rows]
    return ", ".join(
        f"{names[row] or 'somebody'}: {label}" for row, label in zip(rows, labels, strict=True)
    )
