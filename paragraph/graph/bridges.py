"""What holds a cluster together: single positive pairs, and single sentences, without which it falls apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from .core import GraphArrays

__all__ = ["Fragile", "bridge_table", "cut_table", "fragile", "nearest"]


class Fragile(NamedTuple):
    """Where one cluster may break, each with what is left in one piece then."""

    edges: np.ndarray  #: bridges: edges of the graph without which the cluster falls in two
    smaller: np.ndarray  #: sentences on the smaller side of each
    nodes: np.ndarray  #: articulation points: sentences without which it falls in two or more
    parts: np.ndarray  #: how many
    largest: np.ndarray  #: sentences in the largest of them


def fragile(graph: GraphArrays, cluster: int) -> Fragile:
    """The bridges and articulation points of a cluster, by one depth-first search (Tarjan 1972, SIAM J. Comput. 1).

    Linear in the sentences and pairs of the cluster, about 4 s a million pairs; nothing but them is looked at.
    """
    members = graph.members(cluster)
    inside = graph.adjacency[members]
    begins, edges = inside.indptr.tolist(), inside.data
    near = graph.place_in_cluster[inside.indices].tolist()
    n, at = len(members), begins[:-1].copy()
    found, low, size, parent, through = [-1] * n, [0] * n, [1] * n, [-1] * n, [-1] * n
    cuts, inner, greatest = [0] * n, [0] * n, [0] * n  # of each node: parts cut off, their sentences, the largest
    bridges, smaller, time, path = [], [], 0, [0]
    found[0] = 0
    while path:
        node = path[-1]
        if at[node] < begins[node + 1]:
            other, place = near[at[node]], at[node]
            at[node] += 1
            if found[other] < 0:
                time += 1
                found[other] = low[other] = time
                parent[other], through[other] = node, place
                path.append(other)
            elif other != parent[node]:
                low[node] = min(low[node], found[other])
            continue
        path.pop()
        if path:
            above = path[-1]
            low[above] = min(low[above], low[node])
            size[above] += size[node]
            if low[node] >= found[above]:
                cuts[above] += 1
                inner[above] += size[node]
                greatest[above] = max(greatest[above], size[node])
            if low[node] > found[above]:
                bridges.append(int(edges[through[node]]) - 1)
                smaller.append(min(size[node], n - size[node]))
    rest = [n - 1 - own for own in inner]  # what hangs on the way a node was reached by
    parts = np.array(cuts) + np.array([left > 0 for left in rest], dtype=int)
    largest = np.maximum(greatest, rest)
    some = np.flatnonzero((np.array(cuts) > 0) & (parts > 1))
    return Fragile(np.array(bridges, int), np.array(smaller, int), members[some], parts[some], largest[some])


def bridge_table(graph: GraphArrays, cluster: int, k: int | None = 40) -> pd.DataFrame:
    """The `k` pairs whose loss splits a cluster most evenly: `text_a`, `text_b`, `rows`, `smaller`.

    `smaller` says how many sentences one cuts off, ``.attrs["bridges"]`` how many there are. In a giant of near
    duplicates those at the top are the pairs to look at: few, and each alone makes one cluster of two.
    """
    found = fragile(graph, cluster)
    order = np.argsort(-found.smaller, kind="stable")[:k]
    edges = found.edges[order]
    table = pd.DataFrame(
        {
            "text_a": pd.Series(graph.texts(graph.edge_a[edges]), dtype="str"),
            "text_b": pd.Series(graph.texts(graph.edge_b[edges]), dtype="str"),
            "smaller": found.smaller[order],
            "rows": [graph.source_rows(edge) for edge in edges],
        }
    )
    table.attrs["bridges"] = len(found.edges)
    return table


def cut_table(graph: GraphArrays, cluster: int, k: int | None = 40) -> pd.DataFrame:
    """The `k` sentences whose loss leaves the smallest pieces: `text`, `parts`, and `largest`, the size of one."""
    found = fragile(graph, cluster)
    order = np.argsort(found.largest, kind="stable")[:k]
    texts = pd.Series(graph.texts(found.nodes[order]), dtype="str")
    return pd.DataFrame({"text": texts, "parts": found.parts[order], "largest": found.largest[order]})


def nearest(graph: GraphArrays, nodes: list[int], n: int) -> np.ndarray:
    """The `n` nodes that take the fewest positive pairs to reach from some, which come first."""
    begins, neighbours = graph.adjacency.indptr, graph.adjacency.indices
    found = dict.fromkeys(nodes)
    for node in (left := list(found)):
        near = neighbours[begins[node] : begins[node + 1]].tolist()
        new = [other for other in near if other not in found]
        left += new
        found |= dict.fromkeys(new)
        if len(found) >= n:
            break
    return np.array(list(found)[:n])
