"""Clusters: their table, the centre of each, the communities inside one, and what holds one together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..pairs.errors import whole
from .arrays import group
from .distance import carrying, check_rule, in_parts, path_lengths
from .held import Held

__all__ = [
    "MOST", "Walk", "blocks", "bridge_table", "bridges", "central_sentences", "cluster_bridges", "cluster_table",
    "communities", "depth_first", "nearest", "outwards",
]  # fmt: skip

MOST = 1_000  # sentences: a larger cluster is named after its best connected one, for paths take O(size²)
LEAST = 6  # nodes: in less than that, whatever falls apart is seen at a glance
APART = 0.3  # modularity from which a division counts (Newman and Girvan 2004: "in practice 0.3 to 0.7")


def cluster_table(
    graph: Held,
    min_size: int = 2,
    negatives: str = "all",
    diameter: bool = False,
    bridges: bool = False,
    max_size: int = 2_000,
) -> pd.DataFrame:
    """One row per cluster of at least `min_size` sentences, largest first.

    Columns
    -------
    cluster, size
        Id and number of sentences.
    stated_positive, stated_negative
        Stated pairs inside, and stated negatives that leave it.
    inferred_positive, inferred_negative
        Inferred labels (all distances; negatives by the named rule, to every other cluster).
    conflicts
        Stated negatives inside.
    density
        Share of its pairs that are stated positive; 1 for a clique.
    neighbours
        Other clusters it is held apart from by a stated negative.
    diameter, bridges
        On request: longest shortest path in positive edges; positive edges whose loss would split the
        cluster. Missing for clusters above `max_size`, where they would take O(size²) and long.
    example
        Its first sentence.

    Examples
    --------
    >>> from paragraph import DEMO, ParaphraseGraph, read_pairs
    >>> table = ParaphraseGraph.from_pairs(read_pairs(DEMO)).clusters(diameter=True)
    >>> bool((table["diameter"] < table["size"]).all())
    True
    """
    check_rule(graph, negatives)
    whole("min_size", min_size, 0)
    size, k, home = graph.cluster_sizes, len(graph.cluster_sizes), graph.edge_clusters[0]
    positive = np.bincount(home[graph.edge_sign > 0], minlength=k)
    conflicts = np.bincount(home[graph.within], minlength=k)
    (a, b, count), pairs_inside = graph.links, size * (size - 1) // 2
    carried = np.where(carrying(size[a], size[b], negatives), size[a] * size[b] - count, 0)
    ends = np.append(a, b)
    table = pd.DataFrame(
        {
            "cluster": np.arange(k),
            "size": size,
            "stated_positive": positive,
            "stated_negative": np.bincount(ends, np.append(count, count), k).astype(np.int64),
            "inferred_positive": pairs_inside - positive - conflicts,
            "inferred_negative": np.bincount(ends, np.append(carried, carried), k).astype(np.int64),
            "conflicts": conflicts,
            "density": positive / np.maximum(pairs_inside, 1),
            "neighbours": graph.cluster_degree,
        }
    ).head(np.count_nonzero(size >= min_size))  # ids go by size
    if diameter:
        table["diameter"] = _diameters(graph, len(table), max_size)
    if bridges:
        table["bridges"] = _bridges(graph, len(table), max_size)
    starts, nodes = graph.cluster_members
    return table.assign(example=pd.Series(graph.texts(nodes[starts[: len(table)]]), dtype="str"))


def _diameters(graph: Held, k: int, max_size: int) -> pd.Series:
    starts, nodes = graph.cluster_members
    result = np.full(k, -1, dtype=np.int64)
    small = int(np.count_nonzero(graph.cluster_sizes[:k] > max_size))  # ids go by size
    nodes = nodes[starts[small] : starts[k]]
    for part in in_parts(graph.cluster_sizes[graph.cluster_of[nodes]]):
        begins, lengths = path_lengths(graph, nodes[part])
        np.maximum.at(result, graph.cluster_of[nodes[part]], np.maximum.reduceat(lengths, begins[:-1]))
    return pd.Series(result, dtype="Int64").mask(result < 0)


def _bridges(graph: Held, k: int, max_size: int) -> pd.Series:
    home, sizes = graph.edge_clusters[0], graph.cluster_sizes
    edges = np.flatnonzero((graph.edge_sign > 0) & (sizes[home] <= max_size))
    bridges = edges[blocks(graph.n, *graph.ends(edges)) < 0]
    return pd.Series(np.bincount(home[bridges], minlength=k)[:k], dtype="Int64").mask(sizes[:k] > max_size)


def central_sentences(graph: Held, n: int | None = None, first: int = 0) -> np.ndarray:
    """The sentence of each cluster with the shortest positive paths to all others: closeness centrality.

    Among equals, the one with most positive pairs, then the first. In a cluster of more than `MOST` sentences
    pairs alone decide.

    Parameters
    ----------
    graph : ParaphraseGraph
    n : int, optional
        Of how many clusters; default all.
    first : int
        From which cluster on.

    References
    ----------
    Freeman (1979), Centrality in social networks: conceptual clarification.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "c", "d"], "label": [1, 1, 0]})
    >>> graph = pg.ParaphraseGraph.from_pairs(pairs)
    >>> graph.texts(central_sentences(graph))
    ['b', 'd']
    """
    starts, nodes = graph.cluster_members
    sizes = graph.cluster_sizes[first:] if n is None else graph.cluster_sizes[first : first + n]
    starts = starts[first : first + len(sizes) + 1]
    members = nodes[starts[0] : starts[-1]]
    far = -graph.degree[members]
    large = int(np.count_nonzero(sizes > MOST))  # they come first: ids go by size
    begin = int(starts[large] - starts[0])
    for part in in_parts(np.repeat(sizes[large:], sizes[large:])):
        sources = members[begin:][part]
        begins, lengths = path_lengths(graph, sources)
        total = np.add.reduceat(lengths, begins[:-1], dtype=np.int64)
        far[begin:][part] += total * graph.cluster_sizes[graph.cluster_of[sources]]
    order = np.lexsort((far, graph.cluster_of[members]))
    return members[order[starts[:-1] - starts[0]]]


def communities(n: int, edges: Iterable[tuple[int, int]], seed: int = 0) -> np.ndarray:
    """The community of each of the nodes ``0..n-1``, from 0, the largest first; all 0 where none stands out.

    By the method of Blondel et al. (2008, *Fast unfolding of communities in large networks*), where its division
    has a modularity of 0.3 or more.

    Parameters
    ----------
    edges : iterable of (int, int)
        Undirected; here the positive ones.
    seed : int
        The same seed, the same communities.

    Examples
    --------
    >>> two = [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)]
    >>> communities(6, two).tolist(), communities(3, two[:3]).tolist()
    ([0, 0, 0, 1, 1, 1], [0, 0, 0])
    """
    import networkx as nx

    found, edges = np.zeros(n, dtype=np.int64), sorted(edges)
    if n < LEAST or not edges:
        return found
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    parts = nx.community.louvain_communities(graph, seed=seed)
    if nx.community.modularity(graph, parts) < APART:
        return found
    for number, part in enumerate(sorted(parts, key=lambda part: (-len(part), min(part)))):
        found[list(part)] = number
    return found


def outwards(group: np.ndarray, edges: Iterable[tuple[int, int]]) -> np.ndarray:
    """The nodes, community by community, in each from its best connected one outwards (breadth first).

    Examples
    --------
    >>> outwards(np.array([1, 0, 0, 0]), [(1, 2), (2, 3), (0, 1)]).tolist()
    [2, 1, 3, 0]
    """
    near: list[set[int]] = [set() for _ in group]
    for a, b in edges:
        if group[a] == group[b]:
            near[a].add(b)
            near[b].add(a)
    best = sorted(range(len(group)), key=lambda node: (group[node], -len(near[node]), node))
    order: dict[int, None] = {}
    for start in best:
        wave = [] if start in order else [start]
        while wave:
            order |= dict.fromkeys(wave)
            ahead = {other for node in wave for other in near[node]} - order.keys()
            wave = sorted(ahead, key=lambda node: (-len(near[node]), node))
    return np.array(list(order), dtype=np.int64)


# -- what holds a cluster together: pairs without which it falls apart --------------------------------------------


class Walk(NamedTuple):
    """A depth-first walk over all nodes; a parent comes before its children."""

    place: np.ndarray  #: of each node in the walk
    above: list[int]  #: of each place, that of its parent
    low: list[int]  #: of each place, the first place that an edge reaches from there or below
    size: np.ndarray  #: of each place, the nodes there and below

    def heads(self) -> np.ndarray:
        """The block that joins each place to its parent, named by its first place below the top."""
        head = list(range(len(self.low)))
        for i in range(1, len(head)):
            if self.low[i] < self.above[i]:
                head[i] = head[self.above[i]]
        return np.array(head)


def depth_first(n: int, a: np.ndarray, b: np.ndarray) -> Walk:
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
    low, size = reach.tolist(), [1] * n
    for i in range(n - 1, 0, -1):
        low[above[i]] = min(low[above[i]], low[i])
        size[above[i]] += size[i]
    return Walk(places, above, low, np.array(size, dtype=np.int64))


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
    return _blocks_of(depth_first(n, a, b), a, b) if len(a) else np.empty(0, dtype=np.int64)


def _blocks_of(walk: Walk, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    found = walk.heads()[np.maximum(walk.place[a], walk.place[b])]  # of two ends, the one below carries the edge
    _, label, size = np.unique(found, return_inverse=True, return_counts=True)
    number = np.where(size > 1, np.cumsum(size > 1) - 1, -1)
    return number[label]


def bridges(n: int, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find the edges that are bridges, and the number of nodes on one side of each, in time O(n + m).

    Examples
    --------
    >>> [found.tolist() for found in bridges(5, np.array([0, 1, 2, 3]), np.array([1, 2, 0, 2]))]
    [[3], [1]]
    """
    walk = depth_first(n, a, b)
    found = np.flatnonzero(_blocks_of(walk, a, b) < 0)
    return found, walk.size[np.maximum(walk.place[a[found]], walk.place[b[found]])]


def cluster_bridges(graph: Held, cluster: int) -> tuple[np.ndarray, np.ndarray]:
    """Find the bridges of a cluster, as edges of the graph, and the number of sentences on the smaller sides."""
    members = graph.members(cluster)
    edges, n = graph.edges_at([cluster]), len(members)
    edges = edges[graph.edge_sign[edges] > 0]
    ends = np.sort(graph.place_in_cluster[list(graph.ends(edges))], axis=0)
    order = np.lexsort(ends[::-1])
    bridge, below = bridges(n, *ends[:, order])
    return edges[order][bridge], np.minimum(below, n - below)


def bridge_table(graph: Held, cluster: int, n: int | None = 40) -> pd.DataFrame:
    """The `n` pairs whose loss splits a cluster most evenly: `text_a`, `text_b`, `rows`, `smaller`.

    `smaller` says how many sentences one cuts off, ``.attrs["bridges"]`` how many there are. In a giant of near
    duplicates those at the top are the pairs to look at: few, and each alone makes one cluster of two.
    """
    found, smaller = cluster_bridges(graph, cluster)
    order = np.argsort(-smaller, kind="stable")[:n]
    edges = found[order]
    table = graph.pair_texts(*graph.ends(edges))
    table = table.assign(smaller=smaller[order], rows=[graph.source_rows(edge) for edge in edges])
    table.attrs["bridges"] = len(found)
    return table


def nearest(graph: Held, nodes: list[int], n: int) -> np.ndarray:
    """The `n` nodes that take the fewest positive pairs to reach from some, which come first."""
    from scipy.sparse.csgraph import dijkstra

    far = dijkstra(graph.adjacency, indices=nodes, unweighted=True, min_only=True)
    reached = np.flatnonzero(np.isfinite(far))
    return reached[np.argsort(far[reached], kind="stable")[:n]]
