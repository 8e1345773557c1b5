"""Paths of positives inside clusters: their lengths, a shortest one, how many share no edge."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from .arrays import Array, gathered

__all__ = [
    "disjoint_paths",
    "in_parts",
    "pair_lengths",
    "path_lengths",
    "shortest_path",
    "shortest_paths",
]

BUDGET = 8_000_000  #: entries of path-length tables held at a time: 32 MB
#: Sentences of a cluster that one search from one end reads in the time of a search from both ends of a pair.
BOTH_ENDS = 20_000
LARGE = 1000  #: sentences of a cluster in which a path is looked for from both ends
DEEP = 100  #: steps from both ends, after which one end is faster


def in_parts(cost: Array) -> Iterator[slice]:
    """Cut searches, each with the number of sentences it reaches, into parts that fit the budget approximately."""
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
    local = graph.place_in_cluster
    lengths[starts[:-1] + local[sources]] = 0
    row = np.arange(len(sources))
    node = np.asarray(sources)
    stamp = np.empty(len(lengths), dtype=np.int64)
    length = 0
    while len(node) and (longest is None or length < longest):
        length += 1
        degree, node = gathered(graph.neighbours_of, node)
        row = np.repeat(row, degree)
        at = starts[row] + local[node]
        fresh = lengths[at] < 0
        row = row[fresh]
        node = node[fresh]
        at = at[fresh]
        number = np.arange(len(at))
        stamp[at] = number  # of those that reach the same sentence at once, one stays
        once = stamp[at] == number
        row = row[once]
        node = node[once]
        lengths[at[once]] = length
    return starts, lengths


def pair_lengths(graph, sources: Array, targets: Array, longest: int | None = None) -> Array:
    """Shortest path length of each pair of sentences of one cluster, or -1 where it exceeds `longest`.

    Pairs of one source stand next to each other and share a search; in a large cluster with few pairs, each is
    searched from both ends.
    """
    begins = np.flatnonzero(np.diff(sources, prepend=-1))
    count = np.diff(begins, append=len(sources))
    size = graph.cluster_sizes[graph.cluster_of[sources[begins]]]
    few = np.repeat(size > BOTH_ENDS * count, count)
    found = np.empty(len(sources), dtype=np.int32)
    many = ~few
    found[many] = _shared_lengths(graph, sources[many], targets[many], longest)
    side = np.zeros(graph.n, dtype=np.int8)
    for i in np.flatnonzero(few).tolist():
        found[i] = _length_between(graph, int(sources[i]), int(targets[i]), side)
    if longest is not None:
        found[found > longest] = -1
    return found


def _shared_lengths(graph, sources: Array, targets: Array, longest: int | None) -> Array:
    """`pair_lengths` with one search for the pairs of one source."""
    found = np.empty(len(sources), dtype=np.int32)
    begins = np.flatnonzero(np.diff(sources, prepend=-1))
    stops = np.append(begins[1:], len(sources))
    distinct = sources[begins]
    sizes = graph.cluster_sizes[graph.cluster_of[distinct]]
    for part in in_parts(sizes):
        starts, lengths = path_lengths(graph, distinct[part], longest)
        first = begins[part]
        last = stops[part]
        pairs = slice(first[0], last[-1])
        row = np.repeat(starts[:-1], last - first)
        place = graph.place_in_cluster[targets[pairs]]
        found[pairs] = lengths[row + place]
    return found


def _length_between(graph, source: int, target: int, side: Array) -> int:
    """The path length of one pair, from both ends, or by a compiled search if the path is long."""
    path = _from_both_ends(graph, source, target, side)
    if path:
        return len(path) - 1
    from scipy.sparse.csgraph import dijkstra

    lengths = dijkstra(graph.adjacency, indices=source, unweighted=True)
    return int(lengths[target])


def _from_both_ends(graph, source: int, target: int, side: Array) -> list[int]:
    """`shortest_path` of one pair, breadth-first from both ends; nothing beyond `DEEP` steps.

    The side with fewer edges ahead goes first, so only a small part of a large cluster with hubs is searched. `side`
    holds a zero for each sentence, before and after.
    """
    if source == target:
        return [source]
    before = [np.array([source])]  # sentences by their distance from the source
    after = [np.array([target])]  # and from the target
    side[source] = 1
    side[target] = 2
    for _ in range(DEEP):
        ahead = graph.degree[before[-1]].sum()
        forward = ahead <= graph.degree[after[-1]].sum()
        levels = before if forward else after
        mine = 1 if forward else 2
        _, near = gathered(graph.neighbours_of, levels[-1])
        side_of = side[near]
        met = near[side_of == 3 - mine]  # all in the other side's last level
        if len(met):
            break
        level = np.unique(near[side_of == 0])
        levels.append(level)
        side[level] = mine
    for level in before + after:
        side[level] = 0
    if not len(met):
        return []
    # A level is searched only from the side that was chosen: the other may be a hub.
    if forward:
        leads = [after.pop()]
    else:
        leads = [np.unique(met)]
        before.pop()
    for level in reversed(before):
        degree, near = gathered(graph.neighbours_of, level)
        leading = np.isin(near, leads[-1])
        leads.append(np.unique(np.repeat(level, degree)[leading]))
    path = [source]
    for level in leads[-2::-1]:
        _, near = gathered(graph.neighbours_of, np.array(path[-1:]))
        nearest = near[np.isin(near, level)]
        path.append(int(nearest.min()))
    for level in reversed(after):
        degree, near = gathered(graph.neighbours_of, level)
        node = np.repeat(level, degree)
        path.append(int(node[near == path[-1]].min()))
    return path


def shortest_path(graph, source: int, target: int) -> list[int]:
    """The nodes of a shortest path of stated positive edges between two nodes of one cluster, both ends included.

    Of several, the path whose node numbers come first, so the answer never varies.
    """
    [path] = shortest_paths(graph, np.array([source]), np.array([target]))
    return path


def shortest_paths(graph, sources: Array, targets: Array) -> Iterator[list[int]]:
    """`shortest_path` for many pairs: breadth-first from the targets, some at a time, or from both ends (`LARGE`)."""
    sizes = graph.cluster_sizes[graph.cluster_of[targets]]
    side = np.zeros(graph.n, dtype=np.int8)
    for part in in_parts(sizes):
        node = sources[part]
        goal = targets[part]
        paths = [[] for _ in node]
        for i in np.flatnonzero(sizes[part] > LARGE).tolist():
            paths[i] = _from_both_ends(graph, int(node[i]), int(goal[i]), side)
        rest = [i for i, path in enumerate(paths) if not path]
        walked = _from_targets(graph, node[rest], goal[rest])
        for i, path in zip(rest, walked, strict=True):
            paths[i] = path
        yield from paths


def _from_targets(graph, node: Array, targets: Array) -> list[list[int]]:
    """`shortest_path` of several pairs, which walk at once: each to its first neighbour that is a step nearer."""
    starts, lengths = path_lengths(graph, targets)
    place = graph.place_in_cluster
    node = node.copy()
    left = lengths[starts[:-1] + place[node]]
    row = np.arange(len(node))
    paths = [[start] for start in node.tolist()]
    while np.any(left > 0):
        row = row[left[row] > 0]
        left[row] -= 1
        degree, near = gathered(graph.neighbours_of, node[row])
        of = np.repeat(row, degree)
        ahead = lengths[starts[of] + place[near]]
        nearer = ahead == left[of]
        of, first = np.unique(of[nearer], return_index=True)  # neighbours ascend
        node[of] = near[nearer][first]
        for i in row.tolist():
            paths[i].append(int(node[i]))
    return paths


def disjoint_paths(graph, a: Array, b: Array) -> Array:
    """Count the positive paths that join each pair and share no edge: the least number of positives to cut.

    A maximum flow with one unit per edge (Menger's theorem); linear if either end has a single neighbour.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_flow

    found = np.minimum(graph.degree[a], graph.degree[b])  # never more; and 1 can't be fewer
    several = np.flatnonzero(found > 1)
    home = graph.cluster_of[a[several]]
    for cluster in np.unique(home).tolist():
        members = graph.members(cluster)
        inner = graph.adjacency[members][:, members]
        capacity = csr_matrix(inner, dtype=np.int32)
        for i in several[home == cluster].tolist():
            ends = graph.place_in_cluster[[a[i], b[i]]]
            source, target = ends.tolist()
            found[i] = maximum_flow(capacity, source, target).flow_value
    return found
