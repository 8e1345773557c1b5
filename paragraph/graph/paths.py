"""Paths of positives inside clusters: their lengths, a shortest one, how many share no edge."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from .arrays import gathered

__all__ = ["disjoint_paths", "in_parts", "pair_lengths", "path_lengths", "shortest_path", "shortest_paths"]

BUDGET = 8_000_000  #: entries of path-length tables held at a time: 32 MB
#: Sentences of a cluster that one search from one end reads in the time of a search from both ends of a pair.
BOTH_ENDS = 20_000
LARGE = 1000  #: sentences of a cluster in which a path is looked for from both ends
DEEP = 100  #: steps from both ends, after which one end is faster


def in_parts(cost: np.ndarray) -> Iterator[slice]:
    """Cut searches, each with the number of sentences it reaches, into parts that fit the budget approximately."""
    begins = np.unique((np.cumsum(cost) - cost) // BUDGET, return_index=True)[1]
    return (slice(*ends) for ends in pairwise([*begins.tolist(), len(cost)]))


def path_lengths(graph, sources: np.ndarray, longest: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Shortest path lengths, in positive edges, from each source to every sentence of its cluster.

    Returns ``(starts, lengths)``: the length from ``sources[i]`` to the j-th member of its cluster is
    ``lengths[starts[i] + j]``, or -1 if it exceeds `longest`. Breadth-first from all sources at once, O(edges) per
    source; memory is the sum of the sources' cluster sizes.
    """
    starts = np.concatenate([[0], np.cumsum(graph.cluster_sizes[graph.cluster_of[sources]])])
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
        stamp[at] = np.arange(len(at))  # of those that reach the same sentence at once, one stays
        once = stamp[at] == np.arange(len(at))
        row = row[once]
        node = node[once]
        lengths[at[once]] = length
    return starts, lengths


def pair_lengths(graph, sources: np.ndarray, targets: np.ndarray, longest: int | None = None) -> np.ndarray:
    """Shortest path length of each pair of sentences of one cluster, or -1 where it exceeds `longest`.

    Pairs of one source stand next to each other and share a search; in a large cluster with few pairs, each is
    searched from both ends.
    """
    begins = np.flatnonzero(np.diff(sources, prepend=-1))
    count = np.diff(begins, append=len(sources))
    size = graph.cluster_sizes[graph.cluster_of[sources[begins]]]
    few = np.repeat(size > BOTH_ENDS * count, count)
    found = np.empty(len(sources), dtype=np.int32)
    found[few] = [len(path) - 1 for path in shortest_paths(graph, sources[few], targets[few])]
    found[~few] = _shared_lengths(graph, sources[~few], targets[~few], longest)
    if longest is not None:
        found[found > longest] = -1
    return found


def _shared_lengths(graph, sources: np.ndarray, targets: np.ndarray, longest: int | None) -> np.ndarray:
    """`pair_lengths` with one search for the pairs of one source."""
    found = np.empty(len(sources), dtype=np.int32)
    begins = np.flatnonzero(np.diff(sources, prepend=-1))
    stops = np.append(begins[1:], len(sources))
    for part in in_parts(graph.cluster_sizes[graph.cluster_of[sources[begins]]]):
        starts, lengths = path_lengths(graph, sources[begins[part]], longest)
        pairs = slice(begins[part][0], stops[part][-1])
        row = np.repeat(starts[:-1], stops[part] - begins[part])
        found[pairs] = lengths[row + graph.place_in_cluster[targets[pairs]]]
    return found


def _from_both_ends(graph, source: int, target: int, side: np.ndarray) -> list[int]:
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
    met = before[0][:0]
    while not len(met) and len(before) + len(after) <= DEEP + 1:
        forward = graph.degree[before[-1]].sum() <= graph.degree[after[-1]].sum()
        levels = before if forward else after
        mine = 1 if forward else 2
        _, near = gathered(graph.neighbours_of, levels[-1])
        met = near[side[near] == 3 - mine]  # all in the other side's last level
        if not len(met):
            levels.append(np.unique(near[side[near] == 0]))
            side[levels[-1]] = mine
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
        leads.append(np.unique(np.repeat(level, degree)[np.isin(near, leads[-1])]))
    path = [source]
    for level in leads[-2::-1]:
        _, near = gathered(graph.neighbours_of, np.array(path[-1:]))
        path.append(int(near[np.isin(near, level)].min()))
    for level in reversed(after):
        degree, near = gathered(graph.neighbours_of, level)
        path.append(int(np.repeat(level, degree)[near == path[-1]].min()))
    return path


def shortest_path(graph, source: int, target: int) -> list[int]:
    """The nodes of a shortest path of stated positive edges between two nodes of one cluster, both ends included.

    Of several, the path whose node numbers come first, so the answer never varies.
    """
    return next(shortest_paths(graph, np.array([source]), np.array([target])))


def shortest_paths(graph, sources: np.ndarray, targets: np.ndarray) -> Iterator[list[int]]:
    """`shortest_path` for many pairs: breadth-first from the targets, some at a time, or from both ends (`LARGE`)."""
    sizes = graph.cluster_sizes[graph.cluster_of[targets]]
    side = np.zeros(graph.n, dtype=np.int8)
    for part in in_parts(sizes):
        paths = {}
        for i in np.flatnonzero(sizes[part] > LARGE).tolist():
            paths[i] = _from_both_ends(graph, int(sources[part][i]), int(targets[part][i]), side)
        rest = [i for i in range(len(sizes[part])) if not paths.get(i)]
        walked = _from_targets(graph, sources[part][rest], targets[part][rest])
        paths.update(zip(rest, walked, strict=True))
        yield from (paths[i] for i in range(len(paths)))


def _from_targets(graph, node: np.ndarray, targets: np.ndarray) -> list[list[int]]:
    """`shortest_path` of several pairs, which walk at once: each to its first neighbour that is a step nearer."""
    starts, lengths = path_lengths(graph, targets)
    place = graph.place_in_cluster
    node = node.copy()
    left = lengths[starts[:-1] + place[node]]
    row = np.arange(len(node))
    paths = [[start] for start in node.tolist()]
    while len(row := row[left[row] > 0]):
        left[row] -= 1
        degree, near = gathered(graph.neighbours_of, node[row])
        of = np.repeat(row, degree)
        nearer = lengths[starts[of] + place[near]] == left[of]
        of, first = np.unique(of[nearer], return_index=True)  # neighbours ascend
        node[of] = near[nearer][first]
        for i in row.tolist():
            paths[i].append(int(node[i]))
    return paths


def disjoint_paths(graph, a: np.ndarray, b: np.ndarray) -> np.ndarray:
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
        capacity = csr_matrix(graph.adjacency[members][:, members], dtype=np.int32)
        for i in several[home == cluster].tolist():
            source, target = graph.place_in_cluster[[a[i], b[i]]].tolist()
            found[i] = maximum_flow(capacity, source, target).flow_value
    return found
