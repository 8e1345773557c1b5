"""The graph of clusters: the pairs of clusters that a stated negative joins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .arrays import Array, PairIndex, pair_keys

__all__ = ["Links", "cluster_degree", "link_negatives", "links_between", "links_of"]


class Links(NamedTuple):
    """The pairs of different clusters that a stated negative joins, ``a < b``, sorted."""

    a: Array  #: cluster id
    b: Array  #: cluster id
    count: Array  #: stated negatives between the two


def links_of(graph) -> Links:
    """The pairs of clusters that a stated negative joins: the graph of clusters."""
    _, keys = _negatives_across(graph)
    keys, count = np.unique(keys, return_counts=True)
    pairs = np.divmod(keys, _base(graph))
    a, b = np.array(pairs, dtype=np.int32)
    return Links(a, b, count.astype(np.int32))


def _base(graph) -> int:
    """The number of clusters, at least 1: pairs of them are numbered to this base."""
    return max(len(graph.cluster_sizes), 1)


def _negatives_across(graph) -> tuple[Array, Array]:
    """The stated negatives between clusters, and a number for each pair of clusters, ascending as their links do."""
    home, away = graph.edge_clusters
    across = home != away
    edges = np.flatnonzero(across & (graph.edge_sign < 0))
    keys = pair_keys(home[edges], away[edges], _base(graph))
    return edges, keys


def cluster_degree(graph) -> Array:
    """The number of clusters that a stated negative joins each cluster to."""
    a, b, _ = graph.links
    k = len(graph.cluster_sizes)
    return np.bincount(a, minlength=k) + np.bincount(b, minlength=k)


def links_between(graph, home: Array, away: Array) -> Array:
    """The link of each pair of clusters, or -1."""
    a, b, _ = graph.links
    index = PairIndex.of(a, b, _base(graph))
    return index.places(home, away)


def link_negatives(graph) -> tuple[Array, Array, Array]:
    """The stated negatives by link: where each link's begin; their ends in cluster `a`, and in `b`."""
    edges, keys = _negatives_across(graph)
    order = np.argsort(keys, kind="stable")
    x, y = graph.ends(edges[order])
    swap = graph.cluster_of[x] > graph.cluster_of[y]
    begins = np.append(0, np.cumsum(graph.links.count))
    in_a = np.where(swap, y, x)
    in_b = np.where(swap, x, y)
    return begins, in_a, in_b
