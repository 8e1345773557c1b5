"""Null models: signs by chance, and signs of planted camps."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from ..pairs import PairsError
from .signed import as_signed
from .triangles import KINDS, triad_edges

__all__ = ["census_z", "planted_camps"]


def census_z(graph: Any, samples: int = 200, seed: int = 0) -> pd.DataFrame:
    """Compare the triad census with chance: the same edges with shuffled signs.

    Parameters
    ----------
    graph : ParaphraseGraph, networkx graph or SignedGraph
    samples : int
        Number of shuffles, at least 2.

    Returns
    -------
    DataFrame with columns `kind`, `observed`, `mean` and `sd` over the shuffles, and `z` = (observed - mean) / sd,
    NaN where sd is 0. Leskovec, Huttenlocher and Kleinberg (2010, Signed networks in social media) call z the
    surprise, and compare it with what weak balance predicts.

    Notes
    -----
    The triads are listed once and counted for each shuffle. Memory and the time of a shuffle are linear in the number
    of triads and edges.

    Examples
    --------
    >>> census_z(planted_camps(30, camps=2, density=0.5, noise=0.05, seed=0)).round(1)
      kind  observed   mean    sd     z
    0  +++       129   69.0   6.7   9.0
    1  ++-        32  228.2  10.8 -18.1
    2  +--       458  248.1  11.9  17.6
    3  ---        14   87.7   8.6  -8.6
    """
    if samples < 2:
        raise PairsError(f"samples={samples}: a standard deviation needs at least 2")
    signed = as_signed(graph)
    listed = [edges.astype(np.int32) for edges in triad_edges(signed)]
    negative = (signed.sign < 0).astype(np.int8)

    def count(negative: np.ndarray) -> np.ndarray:
        total = np.zeros(4, np.int64)
        for edges in listed:
            total += np.bincount(negative[edges].sum(axis=1, dtype=np.int8), minlength=4)
        return total

    rng = np.random.default_rng(seed)
    observed = count(negative)
    shuffled = np.array([count(rng.permutation(negative)) for _ in range(samples)])
    mean, sd = shuffled.mean(axis=0), shuffled.std(axis=0, ddof=1)
    z = np.divide(observed - mean, sd, out=np.full(4, np.nan), where=sd > 0)
    return pd.DataFrame({"kind": KINDS, "observed": observed, "mean": mean, "sd": sd, "z": z})


def planted_camps(n: int, camps: int, density: float, noise: float = 0.0, seed: int = 0) -> nx.Graph:
    """Return a random graph of camps. Edges inside a camp are `+` and edges between camps `-`, except for noise.

    Each two of the n nodes are joined with probability `density`. Each edge has the wrong sign with probability
    `noise`. The sizes of camps differ by one at most; each node carries its camp as `camp`. Time is linear in nodes
    and edges. Raises `PairsError` for a number that is out of range.

    Examples
    --------
    >>> graph = planted_camps(6, camps=3, density=1.0)
    >>> [graph.nodes[i]["camp"] for i in graph]
    [0, 0, 1, 1, 2, 2]
    >>> sum(sign > 0 for _, _, sign in graph.edges(data="sign")), len(graph.edges)
    (3, 15)
    """
    if n < 0 or not 1 <= camps <= max(n, 1):
        raise PairsError(f"{camps} camps among {n} nodes: each camp needs a node")
    for name, share in (("density", density), ("noise", noise)):
        if not 0 <= share <= 1:
            raise PairsError(f"{name}={share!r} is not between 0 and 1")
    rng = np.random.default_rng(seed)
    pairs = n * (n - 1) // 2
    drawn = np.sort(rng.choice(pairs, rng.binomial(pairs, density), replace=False, shuffle=False))
    # Pair number k joins v to one of the nodes before it: v (v - 1) / 2 <= k < v (v + 1) / 2.
    v = ((1 + np.sqrt(1 + 8 * drawn)) // 2).astype(np.int64)
    v += (drawn >= v * (v + 1) // 2).astype(np.int64) - (drawn < v * (v - 1) // 2)  # the root is rounded
    u = drawn - v * (v - 1) // 2
    camp = np.arange(n) * camps // max(n, 1)
    sign = np.where((camp[u] == camp[v]) != (rng.random(len(u)) < noise), 1, -1)
    graph = nx.Graph()
    graph.add_nodes_from((i, {"camp": c}) for i, c in enumerate(camp.tolist()))
    edges = zip(u.tolist(), v.tolist(), sign.tolist(), strict=True)
    graph.add_edges_from((i, j, {"sign": s}) for i, j, s in edges)
    return graph
