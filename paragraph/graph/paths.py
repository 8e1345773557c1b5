"""Paths of positives inside clusters: their lengths, a shortest one, how many share no edge."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from .arrays import Array, gathered, ramp

__all__ = [
    "disjoint_paths",
    "in_parts",
    "pair_lengths",
    "path_lengths",
    "shortest_path",
    "shortest_paths",
]

BUDGET = 8_000_000  #: entries of path-length tables held at a time: 32 MB
#: A search from one end reads so many sentences in the time of a search from both ends.
BOTH_ENDS = 20_000


def in_parts(cost: Array) -> Iterator[slice]:
    """Cut searches into parts of about `BUDGET`; `cost` is the number of sentences each reaches."""
    before = np.cumsum(cost) - cost
    _, begins = np.unique(before // BUDGET, return_index=True)
    for first, last in pairwise([*begins.tolist(), len(cost)]):
        yield slice(first, last)


def path_lengths(graph, sources: Array, longest: int | None = None) -> tuple[Array, Array]:
    """Shortest path lengths, in positive edges, from each source to every sentence of its cluster.

    Returns ``(starts, lengths)``: the length from ``sources[i]`` to the j-th member of its cluster is
    ``lengths[starts[i] + j]``, or -1 if it exceeds `longest`. Breadth-first from all sources at once, O(edges) per
    source; memory is the sum of the sources' cluster sizes.
    """
    sizes = graph.cluster_sizes[graph.cluster_of[sources]]
    starts = np.append(0, np.cumsum(sizes))
    lengths = np.full(starts[-1], -1, dtype=np.int32)
    place = graph.place_in_cluster
    lengths[starts[:-1] + place[sources]] = 0
    row = np.arange(len(sources))
    node = np.asarray(sources)
    stamp = np.empty(len(lengths), dtype=np.int64)
    length = 0
    # each turn steps from the sentences reached last (`node`, in search `row`) to their neighbours
    while len(node) and (longest is None or length < longest):
        length += 1
        degree, node = gathered(graph.neighbours_of, node)
        row = np.repeat(row, degree)
        entry = starts[row] + place[node]
        fresh = np.flatnonzero(lengths[entry] < 0)
        entry = entry[fresh]
        number = np.arange(len(entry))
        stamp[entry] = number  # of those that reach the same sentence at once, one stays
        fresh = fresh[stamp[entry] == number]
        row = row[fresh]
        node = node[fresh]
        lengths[entry] = length
    return starts, lengths


def pair_lengths(graph, sources: Array, targets: Array, longest: int | None = None) -> Array:
    """Shortest path length of each pair of sentences of one cluster, or -1 where it exceeds `longest`.

    Pairs of one source stand next to each other and share a search; in a large cluster with few pairs, each is
    searched from both ends.
    """
    begins = np.flatnonzero(np.diff(sources, prepend=-1))
    count = np.diff(begins, append=len(sources))
    size = graph.cluster_sizes[graph.cluster_of[sources[begins]]]
    result = np.empty(len(sources), dtype=np.int32)
    few = size > BOTH_ENDS * count
    one_by_one = np.flatnonzero(np.repeat(few, count))
    for i in one_by_one.tolist():
        path = shortest_path(graph, int(sources[i]), int(targets[i]))
        result[i] = len(path) - 1
    begins = begins[~few]
    count = count[~few]
    for part in in_parts(size[~few]):
        starts, lengths = path_lengths(graph, sources[begins[part]], longest)
        pairs = np.repeat(begins[part], count[part]) + ramp(count[part])
        row = np.repeat(starts[:-1], count[part])
        place = graph.place_in_cluster[targets[pairs]]
        result[pairs] = lengths[row + place]
    if longest is not None:
        result[result > longest] = -1
    return result


def shortest_path(graph, source: int, target: int) -> list[int]:
    """The nodes of a shortest path of stated positive edges between two nodes of one cluster, both ends included.

    Of several, the path whose node numbers come first, so the answer never varies. Breadth-first from both ends: the
    side with fewer edges ahead goes first, so only a small part of a large cluster with hubs is searched.
    """
    if source == target:
        return [source]
    starts, neighbours = graph.neighbours_of
    # from each end: for every node reached, those one step nearer to it; the nodes reached last
    nearer: tuple[dict, dict] = ({source: []}, {target: []})
    frontier = [[source], [target]]
    edges = [graph.degree[source], graph.degree[target]]
    middle: set[int] = set()  # nodes reached from both ends
    while not middle:
        side = int(edges[1] < edges[0])
        reached: dict[int, list[int]] = {}
        for node in frontier[side]:
            for other in neighbours[starts[node] : starts[node + 1]].tolist():
                if other not in nearer[side]:
                    reached.setdefault(other, []).append(node)
        nearer[side].update(reached)
        frontier[side] = list(reached)
        edges[side] = graph.degree[frontier[side]].sum()
        middle = reached.keys() & nearer[1 - side].keys()
    # back from the middle to the source: the nodes that come next on a shortest path
    following: dict[int, set[int]] = {}
    while source not in middle:
        before: set[int] = set()
        for node in middle:
            for earlier in nearer[0][node]:
                before.add(earlier)
                following.setdefault(earlier, set()).add(node)
        middle = before
    node = source
    path = [node]
    while node in following:
        node = min(following[node])
        path.append(node)
    while node != target:
        node = min(nearer[1][node])
        path.append(node)
    return path


def shortest_paths(graph, sources: Array, targets: Array) -> Iterator[list[int]]:
    """Yield the `shortest_path` of each pair."""
    for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
        yield shortest_path(graph, source, target)


def disjoint_paths(graph, a: Array, b: Array) -> Array:
    """Count the positive paths that join each pair and share no edge: the least number of positives to cut.

    A maximum flow with one unit per edge (Menger's theorem); linear if either end has a single neighbour.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_flow

    count = np.minimum(graph.degree[a], graph.degree[b])  # never more; and 1 can't be fewer
    several = np.flatnonzero(count > 1)
    home = graph.cluster_of[a[several]]
    for cluster in np.unique(home).tolist():
        members = graph.members(cluster)
        inner = graph.adjacency[members][:, members]
        capacity = csr_matrix(inner, dtype=np.int32)
        for i in several[home == cluster].tolist():
            source, target = graph.place_in_cluster[[a[i], b[i]]].tolist()
            flow = maximum_flow(capacity, source, target)
            count[i] = flow.flow_value
    return count
