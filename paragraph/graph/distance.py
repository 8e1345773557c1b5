"""Distances of inferred labels, and path lengths inside clusters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..pairs import PairsError

if TYPE_CHECKING:
    from .core import ParaphraseGraph

__all__ = [
    "CONVENTIONS", "RULES", "carrying", "check_rule", "distance", "in_parts", "longest_path", "pair_lengths",
    "path_lengths", "ramp",
]  # fmt: skip

#: Which stated negatives carry over to other pairs, and in what distance counts: see `closure.infer`.
RULES = ("all", "clusters")
CONVENTIONS = ("rounds", "hops")

BUDGET = 8_000_000  #: entries of path-length tables held at a time: 32 MB
#: Sentences of a cluster that are looked at from one end in the time that it takes to look from both ends of a pair.
BOTH_ENDS = 20_000
DEEP = 100  #: steps from both ends, after which one end and a compiled search are faster


def check_rule(graph: ParaphraseGraph, negatives: str) -> None:
    """Raise `PairsError` unless the rule for negatives is known and transitivity makes sense on the data."""
    if negatives not in RULES:
        raise PairsError(f"negatives {negatives!r} is not one of {', '.join(map(repr, RULES))}")
    if graph.bipartite:
        raise PairsError(
            "these pairs are bipartite: their two sides are different things, such as question and answer, so "
            "'paraphrase' is not transitive and no labels follow; use the pair table and the graph as they are"
        )


def carrying(size_a: np.ndarray, size_b: np.ndarray, negatives: str) -> np.ndarray:
    """Mark where a stated negative between clusters of these sizes carries over to their other pairs.

    Examples
    --------
    >>> sizes = np.array([2, 2, 1]), np.array([3, 1, 1])
    >>> carrying(*sizes, "all"), carrying(*sizes, "clusters")
    (array([ True,  True,  True]), array([ True, False, False]))
    """
    return np.minimum(size_a, size_b) >= (2 if negatives == "clusters" else 1)


def distance(edges: np.ndarray, sign: int, convention: str = "rounds") -> np.ndarray:
    """Distance of inferred labels from the number of positive edges their proofs use.

    Parameters
    ----------
    edges : integer array
        Length of the path for a positive (2 or more); positive edges on both sides of the negative one for a
        negative (1 or more).
    convention : {"rounds", "hops"}
        ``"rounds"``: the closure round in which the label appears when each round composes everything known
        so far: ⌈log₂ length⌉, ⌈log₂(p + 1)⌉ (Jurišić, Miličević and Srzić 2023, section 3). ``"hops"``:
        length − 1, and p.

    Examples
    --------
    >>> distance(np.array([2, 3, 4, 5, 8, 9]), +1)
    array([1, 2, 2, 3, 3, 4])
    >>> distance(np.array([1, 2, 3, 4, 7, 8]), -1)
    array([1, 2, 2, 3, 3, 4])
    >>> distance(np.array([2, 3]), +1, "hops"), distance(np.array([1, 2]), -1, "hops")
    (array([1, 2]), array([1, 2]))
    """
    length = np.asarray(edges, dtype=np.int64) + (sign < 0)  # a negative edge counts as one step as well
    if convention == "hops":
        return length - 1
    if convention == "rounds":
        return np.frexp(length - 1)[1].astype(np.int64)  # ⌈log₂ x⌉ is the bit length of x − 1
    raise PairsError(f"distance {convention!r} is not one of {', '.join(map(repr, CONVENTIONS))}")


def longest_path(max_distance: int | None, sign: int, convention: str) -> int | None:
    """The most positive edges a proof within `max_distance` may use.

    >>> longest_path(2, +1, "rounds"), longest_path(2, -1, "rounds"), longest_path(2, +1, "hops")
    (4, 3, 3)
    """
    distance(np.array([2]), sign, convention)  # complains of an unknown convention
    if max_distance is None:
        return None
    if max_distance < 1:
        raise PairsError(f"max_distance {max_distance} is not 1 or more")
    longest = 2 ** min(max_distance, 62) if convention == "rounds" else max_distance + 1
    return longest - (sign < 0)


def in_parts(cost: np.ndarray) -> Iterator[slice]:
    """Cut searches, each with the number of sentences it reaches, into parts whose lengths fit the budget."""
    spent = np.cumsum(cost)
    begin = 0
    while begin < len(cost):
        before = spent[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(spent, before + BUDGET, side="right")))
        yield slice(begin, end)
        begin = end


def path_lengths(
    graph: ParaphraseGraph, sources: np.ndarray, longest: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Shortest path lengths, in positive edges, from each source to every sentence of its cluster.

    Returns ``(starts, lengths)``: the length from ``sources[i]`` to the j-th member of its cluster is
    ``lengths[starts[i] + j]``, or -1 where it exceeds `longest`. Breadth-first from all sources at once,
    O(edges) a source; memory is the sum of the sources' cluster sizes.
    """
    cluster = graph.cluster_of[sources]
    starts = np.concatenate([[0], np.cumsum(graph.cluster_sizes[cluster])])
    lengths = np.full(starts[-1], -1, dtype=np.int32)
    local = graph.place_in_cluster
    lengths[starts[:-1] + local[sources]] = 0
    begins, neighbours = graph.adjacency.indptr, graph.adjacency.indices
    row, node = np.arange(len(sources)), np.asarray(sources)
    stamp = np.empty(len(lengths), dtype=np.int64)
    length = 0
    while len(node) and (longest is None or length < longest):
        length += 1
        degree = begins[node + 1] - begins[node]
        row = np.repeat(row, degree)
        node = neighbours[np.repeat(begins[node], degree) + ramp(degree)]
        at = starts[row] + local[node]
        fresh = lengths[at] < 0
        row, node, at = row[fresh], node[fresh], at[fresh]
        stamp[at] = np.arange(len(at))  # of those that reach the same sentence at once, one stays
        once = stamp[at] == np.arange(len(at))
        row, node = row[once], node[once]
        lengths[at[once]] = length
    return starts, lengths


def pair_lengths(
    graph: ParaphraseGraph, sources: np.ndarray, targets: np.ndarray, longest: int | None = None
) -> np.ndarray:
    """Shortest path length, in positive edges, of pairs inside clusters; -1 where it exceeds `longest`.

    A source with many targets is searched from once; of one with few in a large cluster, each pair is searched from
    both ends. Pairs of one source should stand together.

    Examples
    --------
    >>> from paragraph.graph import ParaphraseGraph
    >>> chain = ParaphraseGraph(np.arange(4), np.arange(1, 5), np.ones(4, np.int8), 6)
    >>> pair_lengths(chain, np.array([0, 0, 2, 0]), np.array([4, 1, 2, 3]), longest=3)
    array([-1,  1,  0,  3], dtype=int32)
    """
    found = np.empty(len(sources), dtype=np.int32)
    begins = np.flatnonzero(np.diff(sources, prepend=-1))
    count = np.diff(begins, append=len(sources))
    size = graph.cluster_sizes[graph.cluster_of[sources[begins]]]
    few = size > BOTH_ENDS * count
    if few.any():
        search = _Search(graph, longest)
        some = np.flatnonzero(np.repeat(few, count))
        found[some] = [search(*ends) for ends in zip(sources[some].tolist(), targets[some].tolist(), strict=True)]
    begins, count, size = begins[~few], count[~few], size[~few]
    for part in in_parts(size):
        starts, lengths = path_lengths(graph, sources[begins[part]], longest)
        pairs = np.repeat(begins[part], count[part]) + ramp(count[part])
        found[pairs] = lengths[np.repeat(starts[:-1], count[part]) + graph.place_in_cluster[targets[pairs]]]
    return found


def ramp(counts: np.ndarray) -> np.ndarray:
    """The numbers from 0 below each count, one count after another.

    >>> ramp(np.array([2, 0, 3]))
    array([0, 1, 0, 1, 2])
    """
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


class _Search:
    """Path lengths of single pairs, each inside one cluster; -1 beyond `longest`."""

    def __init__(self, graph: ParaphraseGraph, longest: int | None):
        self.graph, self.longest = graph, np.inf if longest is None else longest
        self._side = np.zeros(graph.n, dtype=np.int8)  # 1: reached from the source, 2: from the target
        self._inner = (-1, None)  # the cluster searched from one end before, and its adjacency

    def __call__(self, source: int, target: int) -> int:
        reached = [np.array([source]), np.array([target])]
        try:
            return 0 if source == target else self._from_both_ends(*reached, reached)
        finally:
            self._side[np.concatenate(reached)] = 0

    def _from_both_ends(self, front: np.ndarray, other: np.ndarray, reached: list[np.ndarray]) -> int:
        """The side with fewer edges ahead goes first: of a large cluster little is looked at, as long as its hubs
        are met from one side alone.
        """
        begins, neighbours = self.graph.adjacency.indptr, self.graph.adjacency.indices
        mine, theirs = 1, 2
        self._side[front], self._side[other] = mine, theirs
        ahead, beyond = (int((begins[nodes + 1] - begins[nodes]).sum()) for nodes in (front, other))
        for length in range(1, DEEP):
            if length > self.longest:
                return -1
            if beyond < ahead:
                front, other, ahead, beyond, mine, theirs = other, front, beyond, ahead, theirs, mine
            near = np.concatenate([neighbours[begins[node] : begins[node + 1]] for node in front])
            if (self._side[near] == theirs).any():
                return length
            front = np.unique(near[self._side[near] == 0])
            self._side[front] = mine
            reached.append(front)
            ahead = int((begins[front + 1] - begins[front]).sum())
        return self._from_one_end(int(reached[0][0]), int(reached[1][0]))

    def _from_one_end(self, source: int, target: int) -> int:
        """By scipy, whose steps are compiled: some paths have tens of thousands."""
        from scipy.sparse.csgraph import breadth_first_order

        cluster = self.graph.cluster_of[source]
        if self._inner[0] != cluster:
            members = self.graph.members(cluster)
            self._inner = cluster, self.graph.adjacency[members][:, members].astype(np.float64)
        node, end = self.graph.place_in_cluster[[target, source]].tolist()
        before = breadth_first_order(self._inner[1], end)[1].tolist()
        length = 0
        while node != end:
            node, length = before[node], length + 1
        return length if length <= self.longest else -1
