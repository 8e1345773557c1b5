"""The named rules of inference: which negatives carry over, how distance counts; and path lengths inside clusters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..pairs import PairsError

if TYPE_CHECKING:
    from .core import GraphArrays

__all__ = [
    "CONVENTIONS", "RULES", "check_rule", "distance", "longest_path", "pair_lengths", "path_lengths", "source_blocks",
]  # fmt: skip

#: Which stated negatives carry over to other pairs, and in what distance counts: see `inference.infer`.
RULES = ("all", "clusters")
CONVENTIONS = ("rounds", "hops")

#: Entries of path-length tables held at a time: 8 M int32, 32 MB.
BUDGET = 8_000_000


def check_rule(graph: GraphArrays, negatives: str) -> None:
    """Raise `PairsError` unless the rule for negatives is known and transitivity makes sense on the data."""
    if negatives not in RULES:
        raise PairsError(f"negatives {negatives!r} is not one of {', '.join(map(repr, RULES))}")
    if graph.bipartite:
        raise PairsError(
            "these pairs are bipartite: their two sides are different things, such as question and answer, so "
            "'paraphrase' is not transitive and no labels follow; use the pair table and the graph as they are"
        )


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


def path_lengths(
    graph: GraphArrays, sources: np.ndarray, longest: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Shortest path lengths, in positive edges, from each source to every sentence of its cluster.

    Returns ``(starts, lengths)``: the length from ``sources[i]`` to the j-th member of its cluster is
    ``lengths[starts[i] + j]``, or -1 where it exceeds `longest`. Breadth-first from all sources at once,
    O(edges) a source; memory is the sum of the sources' cluster sizes.
    """
    members_start, _ = graph.cluster_members
    cluster = graph.cluster_of[sources]
    starts = np.concatenate([[0], np.cumsum(graph.cluster_sizes[cluster])])
    lengths = np.full(starts[-1], -1, dtype=np.int32)
    local = graph.places - members_start[graph.cluster_of]
    lengths[starts[:-1] + local[sources]] = 0
    begins, neighbours = graph.adjacency.indptr, graph.adjacency.indices
    row, node = np.arange(len(sources)), np.asarray(sources)
    stamp = np.empty(len(lengths), dtype=np.int64)
    length = 0
    while len(node) and (longest is None or length < longest):
        length += 1
        degree = begins[node + 1] - begins[node]
        row = np.repeat(row, degree)
        ahead = np.arange(len(row)) - np.repeat(np.cumsum(degree) - degree, degree)
        node = neighbours[np.repeat(begins[node], degree) + ahead]
        at = starts[row] + local[node]
        fresh = lengths[at] < 0
        row, node, at = row[fresh], node[fresh], at[fresh]
        stamp[at] = np.arange(len(at))  # of those that reach the same sentence at once, one stays
        once = stamp[at] == np.arange(len(at))
        row, node = row[once], node[once]
        lengths[at[once]] = length
    return starts, lengths


def pair_lengths(graph: GraphArrays, a: np.ndarray, b: np.ndarray, longest: int | None = None) -> np.ndarray:
    """Shortest path length, in positive edges, of each pair; -1 where it exceeds `longest` or there is no path.

    Breadth-first from both ends, the side with fewer edges ahead first: of a large cluster little is looked at, as
    long as its hubs are met from one side alone. For few pairs; for many of one source there is `path_lengths`.

    Examples
    --------
    >>> from paragraph.graph import ParaphraseGraph
    >>> chain = ParaphraseGraph(np.arange(4), np.arange(1, 5), np.ones(4, np.int8), 6)
    >>> pair_lengths(chain, np.array([0, 0, 2, 0]), np.array([4, 1, 2, 5]))
    array([ 4,  1,  0, -1], dtype=int32)
    """
    begins, neighbours = graph.adjacency.indptr, graph.adjacency.indices
    side = np.zeros(graph.n, dtype=np.int8)  # 1 what is reached from a, 2 from b

    def between(source: int, target: int) -> int:
        if source == target:
            return 0
        fronts = [np.array([source]), np.array([target])]
        side[[source, target]] = 1, 2
        reached, length = list(fronts), 0
        try:
            while longest is None or length < longest:
                ahead = [int((begins[front + 1] - begins[front]).sum()) for front in fronts]
                if not all(ahead):
                    return -1
                now = int(ahead[1] < ahead[0])
                length += 1
                node = np.concatenate([neighbours[begins[i] : begins[i + 1]] for i in fronts[now]])
                if (side[node] == 2 - now).any():
                    return length
                fronts[now] = np.unique(node[side[node] == 0])
                side[fronts[now]] = now + 1
                reached.append(fronts[now])
            return -1
        finally:
            side[np.concatenate(reached)] = 0

    return np.array([between(i, j) for i, j in zip(a.tolist(), b.tolist(), strict=True)], dtype=np.int32)


def source_blocks(graph: GraphArrays, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Cut a range of `graph.cluster_members` nodes so that each block's path lengths fit the budget."""
    _, nodes = graph.cluster_members
    cost = np.cumsum(graph.cluster_sizes[graph.cluster_of[nodes[start:stop]]])
    done = 0
    while start + done < stop:
        spent = cost[done - 1] if done else 0
        upto = max(done + 1, int(np.searchsorted(cost, spent + BUDGET, side="right")))
        yield start + done, start + upto
        done = upto
