"""Paths of positives inside clusters: their lengths, a shortest one, how many share no edge."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from .arrays import gathered, group, ramp

__all__ = ["disjoint_paths", "in_parts", "pair_lengths", "path_lengths", "shortest_path", "shortest_paths"]

BUDGET = 8_000_000  #: entries of path-length tables held at a time: 32 MB
#: Sentences of a cluster that one search from one end reads in the time of a search from both ends of a pair.
BOTH_ENDS = 20_000
LARGE = 1000  #: sentences of a cluster in which a path is looked for from both ends
DEEP = 100  #: steps from both ends, after which one end and a compiled search are faster


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
    found = np.empty(len(sources), dtype=np.int32)
    begins = np.flatnonzero(np.diff(sources, prepend=-1))
    count = np.diff(begins, append=len(sources))
    size = graph.cluster_sizes[graph.cluster_of[sources[begins]]]
    few = size > BOTH_ENDS * count
    for i in np.flatnonzero(np.repeat(few, count)).tolist():
        found[i] = _length_between(graph, int(sources[i]), int(targets[i]), longest)
    begins = begins[~few]
    count = count[~few]
    size = size[~few]
    for part in in_parts(size):
        starts, lengths = path_lengths(graph, sources[begins[part]], longest)
        pairs = np.repeat(begins[part], count[part]) + ramp(count[part])
        found[pairs] = lengths[np.repeat(starts[:-1], count[part]) + graph.place_in_cluster[targets[pairs]]]
    return found


def _length_between(graph, source: int, target: int, longest: int | None) -> int:
    """The path length of one pair, from both ends, or by a compiled search if the path is long."""
    longest = graph.n if longest is None else longest
    path = _from_both_ends(graph, source, target, np.zeros(graph.n, dtype=np.int8), longest)
    if path or longest < DEEP:
        return len(path) - 1
    from scipy.sparse.csgraph import dijkstra

    length = int(dijkstra(graph.adjacency, indices=source, unweighted=True)[target])
    return length if length <= longest else -1


def _from_both_ends(graph, source: int, target: int, side: np.ndarray, longest: int = DEEP) -> list[int]:
    """`shortest_path` of one pair, breadth-first from both ends; nothing beyond `longest` and `DEEP` steps.

    The side with fewer edges ahead goes first, so only a small part of a large cluster with hubs is searched. `side`
    holds a zero for each sentence, before and after.
    """
    if source == target:
        return [source]
    begins = graph.neighbours_of[0]
    levels = {1: [np.array([source])], 2: [np.array([target])]}
    side[source], side[target] = 1, 2
    met = begins[:0]
    for _ in range(min(longest, DEEP)):
        ahead = {one: (begins[of[-1] + 1] - begins[of[-1]]).sum() for one, of in levels.items()}
        one = min(ahead, key=ahead.get)
        near = gathered(graph.neighbours_of, levels[one][-1])[1]
        met = near[side[near] == 3 - one]  # all in the other side's last level
        if len(met):
            break
        levels[one].append(np.unique(near[side[near] == 0]))
        side[levels[one][-1]] = one
    for level in (*levels[1], *levels[2]):
        side[level] = 0
    if not len(met):
        return []
    # A level is searched only from the side that was chosen: the other may be a hub.
    before = levels[1]
    after = levels[2]
    leads = [after.pop() if one == 1 else np.unique(met)]
    for level in reversed(before if one == 1 else before[:-1]):
        degree, near = gathered(graph.neighbours_of, level)
        leads.append(np.unique(np.repeat(level, degree)[np.isin(near, leads[-1])]))
    path = [source]
    for level in leads[-2::-1]:
        near = gathered(graph.neighbours_of, np.array(path[-1:]))[1]
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
        ends = zip(sources[part].tolist(), targets[part].tolist(), sizes[part].tolist(), strict=True)
        paths = [_from_both_ends(graph, a, b, side) if size > LARGE else [] for a, b, size in ends]
        rest = [i for i, path in enumerate(paths) if not path]
        for i, path in zip(rest, _from_targets(graph, sources[part][rest], targets[part][rest]), strict=True):
            paths[i] = path.tolist()
        yield from paths


def _from_targets(graph, node: np.ndarray, targets: np.ndarray) -> list[np.ndarray]:
    """`shortest_path` of several pairs, which walk at once: each to its first neighbour that is a step nearer."""
    starts, lengths = path_lengths(graph, targets)
    place = graph.place_in_cluster
    node = node.copy()
    left = lengths[starts[:-1] + place[node]]
    row = np.arange(len(node))
    walked = []
    while len(row):
        walked.append((row, node[row]))
        row = row[left[row] > 0]
        left[row] -= 1
        degree, near = gathered(graph.neighbours_of, node[row])
        of = np.repeat(row, degree)
        nearer = lengths[starts[of] + place[near]] == left[of]
        of, first = np.unique(of[nearer], return_index=True)  # neighbours ascend
        node[of] = near[nearer][first]
    rows, nodes = map(np.concatenate, zip(*walked, strict=True)) if walked else (node, node)
    begins, nodes = group(rows, len(node), nodes)
    return np.split(nodes, begins[1:-1])[: len(node)]


def disjoint_paths(graph, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Count the positive paths that join each pair and share no edge: the least number of positives to cut.

    A maximum flow with one unit per edge (Menger's theorem); linear if either end has a single neighbour.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_flow

    found = np.minimum(graph.degree[a], graph.degree[b])  # never more; and 1 can't be fewer
    cluster = graph.cluster_of[a]
    last = -1
    several = np.flatnonzero(found > 1)
    for i in several[np.argsort(cluster[several], kind="stable")]:
        if cluster[i] != last:
            last = cluster[i]
            members = graph.members(last)
            inner = graph.adjacency[members][:, members]
            capacity = csr_matrix((np.ones(inner.nnz, np.int32), inner.indices, inner.indptr), inner.shape)
        ends = graph.place_in_cluster[[a[i], b[i]]]
        found[i] = maximum_flow(capacity, int(ends[0]), int(ends[1])).flow_value
    return found
