"""What holds a cluster together: single positive pairs, and single sentences, without which it falls apart."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from .arrays import group
from .held import Held

__all__ = ["Fragile", "blocks", "bridge_table", "cut_table", "fragile", "nearest"]


class Fragile(NamedTuple):
    """The bridges and articulation points of a cluster, each with the pieces that its loss leaves."""

    edges: np.ndarray  #: bridges: edges of the graph without which the cluster falls in two
    smaller: np.ndarray  #: sentences on the smaller side of each
    nodes: np.ndarray  #: articulation points: sentences without which it falls in two or more
    parts: np.ndarray  #: how many
    largest: np.ndarray  #: sentences in the largest of them


class _Walk(NamedTuple):
    """A depth-first walk over all nodes; a parent comes before its children."""

    place: np.ndarray  #: of each node in the walk
    above: list[int]  #: of each place, that of its parent
    low: list[int]  #: of each place, the first place that an edge reaches from there or below


def _depth_first(n: int, a: np.ndarray, b: np.ndarray) -> _Walk:
    """Walk a graph of n nodes depth-first, with lowpoints (Hopcroft and Tarjan 1973, Algorithm 447).

    O(n + m), about 4 s a million edges. A node that is not connected to those before it hangs on the first. (scipy
    looks through the neighbours of a node again after each child: of a star with n leaves n² times.)
    """
    starts, near = group(np.concatenate([a, b]), n, np.concatenate([b, a]))
    starts, near = starts.tolist(), near.tolist()
    left, place, above, met = starts[:-1], [-1] * n, [0] * n, 0
    for root in range(n):
        path = [root] if place[root] < 0 else []
        if path:
            place[root], met = met, met + 1
        while path:
            node = path[-1]
            if left[node] == starts[node + 1]:
                path.pop()
                continue
            other = near[left[node]]
            left[node] += 1
            if place[other] < 0:
                above[met] = place[node]
                place[other], met = met, met + 1
                path.append(other)
    places = np.array(place, dtype=np.int64)
    reach = np.arange(n)
    np.minimum.at(reach, np.maximum(places[a], places[b]), np.minimum(places[a], places[b]))
    low = reach.tolist()
    for i in range(n - 1, 0, -1):
        low[above[i]] = min(low[above[i]], low[i])
    return _Walk(places, above, low)


def blocks(n: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the block (biconnected component) of each edge, numbered from 0; -1 for a bridge.

    Two edges are in one block if and only if some simple cycle runs through both; a bridge lies on no cycle. So
    questions about cycles can be answered block by block. O(n + m).

    Examples
    --------
    A triangle, a bridge, and another triangle:

    >>> blocks(6, np.array([0, 1, 2, 2, 3, 4, 5]), np.array([1, 2, 0, 3, 4, 5, 3]))
    array([ 0,  0,  0, -1,  1,  1,  1])
    """
    return _blocks_of(_depth_first(n, a, b), a, b) if len(a) else np.empty(0, dtype=np.int64)


def _blocks_of(walk: _Walk, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    place, above, low = walk
    head = list(range(len(low)))
    for i in range(1, len(low)):
        if low[i] < above[i]:
            head[i] = head[above[i]]
    found = np.array(head)[np.maximum(place[a], place[b])]  # of two ends, the one below carries the edge
    _, label, size = np.unique(found, return_inverse=True, return_counts=True)
    number = np.where(size > 1, np.cumsum(size > 1) - 1, -1)
    return number[label]


def fragile(graph: Held, cluster: int) -> Fragile:
    """Find the bridges and articulation points of a cluster, in time linear in its sentences and pairs."""
    members = graph.members(cluster)
    inside, n = graph.adjacency[members], len(members)
    nodes, near = np.repeat(np.arange(n), np.diff(inside.indptr)), graph.place_in_cluster[inside.indices]
    once = nodes < near
    a, b, edges = nodes[once], near[once], inside.data[once] - 1
    walk = _depth_first(n, a, b)
    place, above, low = walk
    size = [1] * n
    for i in range(n - 1, 0, -1):
        size[above[i]] += size[i]
    bridge = np.flatnonzero(_blocks_of(walk, a, b) < 0)
    below = np.array(size)[np.maximum(place[a[bridge]], place[b[bridge]])]
    # Of each node: how many parts its loss cuts off, their sentences, and the largest.
    apart = [i for i in range(1, n) if low[i] >= above[i]]
    cut, pieces = np.array(above)[apart], np.array(size)[apart]
    largest, inner = np.zeros(n, int), np.bincount(cut, pieces, n).astype(int)
    np.maximum.at(largest, cut, pieces)
    rest = n - 1 - inner  # what hangs on the way a node was reached by
    parts = (np.bincount(cut, minlength=n) + (rest > 0))[place]
    some = np.flatnonzero((inner[place] > 0) & (parts > 1))
    largest = np.maximum(largest, rest)[place[some]]
    return Fragile(edges[bridge], np.minimum(below, n - below), members[some], parts[some], largest)


def bridge_table(graph: Held, cluster: int, n: int | None = 40) -> pd.DataFrame:
    """The `n` pairs whose loss splits a cluster most evenly: `text_a`, `text_b`, `rows`, `smaller`.

    `smaller` says how many sentences one cuts off, ``.attrs["bridges"]`` how many there are. In a giant of near
    duplicates those at the top are the pairs to look at: few, and each alone makes one cluster of two.
    """
    found = fragile(graph, cluster)
    order = np.argsort(-found.smaller, kind="stable")[:n]
    edges = found.edges[order]
    text_a, text_b = (pd.Series(graph.texts(end[edges]), dtype="str") for end in (graph.edge_a, graph.edge_b))
    table = pd.DataFrame({"text_a": text_a, "text_b": text_b, "smaller": found.smaller[order]})
    table["rows"] = [graph.source_rows(edge) for edge in edges]
    table.attrs["bridges"] = len(found.edges)
    return table


def cut_table(graph: Held, cluster: int, n: int | None = 40) -> pd.DataFrame:
    """The `n` sentences whose loss leaves the smallest pieces: `text`, `parts`, and `largest`, the size of one."""
    found = fragile(graph, cluster)
    order = np.argsort(found.largest, kind="stable")[:n]
    texts = pd.Series(graph.texts(found.nodes[order]), dtype="str")
    return pd.DataFrame({"text": texts, "parts": found.parts[order], "largest": found.largest[order]})


def nearest(graph: Held, nodes: list[int], n: int) -> np.ndarray:
    """The `n` nodes that take the fewest positive pairs to reach from some, which come first."""
    from scipy.sparse.csgraph import dijkstra

    far = dijkstra(graph.adjacency, indices=nodes, unweighted=True, min_only=True)
    reached = np.flatnonzero(np.isfinite(far))
    return reached[np.argsort(far[reached], kind="stable")[:n]]
