"""The graph of clusters: the pairs of clusters that a stated negative joins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .arrays import PairIndex, pair_keys

__all__ = ["Links", "cluster_degree", "link_negatives", "links_between", "links_of"]


class Links(NamedTuple):
    """The pairs of different clusters that a stated negative joins, ``a < b``, sorted."""

    a: np.ndarray  #: cluster id
    b: np.ndarray  #: cluster id
    count: np.ndarray  #: stated negatives between the two


def links_of(graph) -> Links:
    """The pairs of clusters that a stated negative joins: the graph of clusters."""
    _, keys = _negatives_across(graph)
    keys, count = np.unique(keys, return_counts=True)
    a, b = np.divmod(keys, max(len(graph.cluster_sizes), 1))
    return Links(a.astype(np.int32), b.astype(np.int32), count.astype(np.int32))


def _negatives_across(graph) -> tuple[np.ndarray, np.ndarray]:
    """The stated negatives between clusters, and a number for each pair of clusters, ascending as their links do."""
    home, away = graph.edge_clusters
    edges = np.flatnonzero((graph.edge_sign < 0) & (home != away))
    return edges, pair_keys(home[edges], away[edges], max(len(graph.cluster_sizes), 1))


def cluster_degree(graph) -> np.ndarray:
    """The number of clusters that a stated negative joins each cluster to."""
    a, b, _ = graph.links
    return np.bincount(np.append(a, b), minlength=len(graph.cluster_sizes))


def links_between(graph, home: np.ndarray, away: np.ndarray) -> np.ndarray:
    """The link of each pair of clusters, or -1."""
    a, b, _ = graph.links
    return PairIndex.of(a, b, len(graph.cluster_sizes)).places(home, away)


def link_negatives(graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The stated negatives by link: where each link's begin; their ends in cluster `a`, and in `b`."""
    edges, keys = _negatives_across(graph)
    x, y = graph.ends(edges[np.argsort(keys, kind="stable")])
    swap = graph.cluster_of[x] > graph.cluster_of[y]
    begins = np.append(0, np.cumsum(graph.links.count))
    return begins, np.where(swap, y, x), np.where(swap, x, y)
