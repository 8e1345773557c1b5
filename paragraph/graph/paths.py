"""Shortest positive paths, and how many of them share no edge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .distance import in_parts, path_lengths

if TYPE_CHECKING:
    from .core import ParaphraseGraph

__all__ = ["disjoint_paths", "shortest_path", "shortest_paths"]


def shortest_path(graph: ParaphraseGraph, source: int, target: int) -> list[int]:
    """Nodes of a shortest path of stated positive edges, both ends included; both in one cluster.

    Of several the one that is least when read as node numbers, so that the answer never varies.
    """
    return next(shortest_paths(graph, np.array([source]), np.array([target])))


def shortest_paths(graph: ParaphraseGraph, sources: np.ndarray, targets: np.ndarray) -> Iterator[list[int]]:
    """`shortest_path` for many pairs: breadth-first from the targets, some at a time."""
    begins, neighbours = graph.adjacency.indptr, graph.adjacency.indices
    place = graph.place_in_cluster
    for part in in_parts(graph.cluster_sizes[graph.cluster_of[targets]]):
        starts, lengths = path_lengths(graph, targets[part])
        for node, start in zip(sources[part].tolist(), starts.tolist(), strict=False):
            path = [node]
            for left in range(int(lengths[start + place[node]]) - 1, -1, -1):
                near = neighbours[begins[node] : begins[node + 1]]
                node = int(near[lengths[start + place[near]] == left].min())
                path.append(node)
            yield path


def disjoint_paths(graph: ParaphraseGraph, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Count the positive paths that join each pair and share no edge: the least number of positives to cut.

    A maximum flow with one unit an edge (Menger's theorem); linear where either end has a single neighbour.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_flow

    degree = np.diff(graph.adjacency.indptr)
    found = np.minimum(degree[a], degree[b]).astype(np.int64)  # never more; and 1 can't be fewer
    cluster = graph.cluster_of[a]
    last = -1
    for i in np.argsort(cluster, kind="stable"):
        if found[i] < 2:
            continue
        if cluster[i] != last:
            last = cluster[i]
            members = graph.members(last)
            inner = graph.adjacency[members][:, members]
            capacity = csr_matrix((np.ones(inner.nnz, np.int32), inner.indices, inner.indptr), inner.shape)
        ends = graph.place_in_cluster[[a[i], b[i]]]
        found[i] = maximum_flow(capacity, int(ends[0]), int(ends[1])).flow_value
    return found
