"""The graph of clusters: pairs of clusters that a stated negative joins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .arrays import PairIndex, group, pair_keys

__all__ = ["Links", "cluster_degree", "edge_link", "link_negatives", "links_between", "links_of"]


class Links(NamedTuple):
    """The pairs of different clusters that a stated negative joins, ``a < b``, sorted."""

    a: np.ndarray  #: cluster id
    b: np.ndarray  #: cluster id
    count: np.ndarray  #: stated negatives between the two


def links_of(graph) -> Links:
    """The pairs of clusters that a stated negative joins: the graph of clusters."""
    across, k = (graph.edge_sign < 0) & ~graph.within, max(len(graph.cluster_sizes), 1)
    ends = (cluster[across] for cluster in graph.edge_clusters)
    keys, count = np.unique(pair_keys(*ends, k), return_counts=True)
    return Links(*(part.astype(np.int32) for part in (keys // k, keys % k, count)))


def cluster_degree(graph) -> np.ndarray:
    """The number of clusters that a stated negative joins each cluster to."""
    return np.bincount(np.append(*graph.links[:2]), minlength=len(graph.cluster_sizes))


def edge_link(graph) -> np.ndarray:
    """The link of every edge, or -1."""
    return graph.links_between(*graph.edge_clusters)


def links_between(graph, home: np.ndarray, away: np.ndarray) -> np.ndarray:
    """The link of each pair of clusters, or -1."""
    return PairIndex.of(*graph.links[:2], len(graph.cluster_sizes)).places(home, away)


def link_negatives(graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The stated negatives by link: where those of each begin; their ends in cluster `a`, and in `b`."""
    edges = np.flatnonzero(graph.edge_link >= 0)
    begins, edges = group(graph.edge_link[edges], len(graph.links.a), edges)
    x, y = graph.ends(edges)
    swap = graph.cluster_of[x] > graph.cluster_of[y]
    return begins, np.where(swap, y, x), np.where(swap, x, y)
