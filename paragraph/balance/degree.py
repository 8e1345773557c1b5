"""Degrees of balance: three scores between 0 and 1, side by side, since they disagree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .signed import SignedGraph, as_signed
from .triangles import census

__all__ = ["degree_of_balance"]

LARGE = 1500  # nodes


def degree_of_balance(graph: Any, time_limit: float | None = 10) -> pd.DataFrame:
    """Score the balance of a signed graph by triangles, by walks and by frustration; 1 is balanced.

    All three measure strong balance (two camps).

    - *triangles*: the share of triads with an even number of `-` (Cartwright and Harary 1956, cycles of length 3).
    - *walks*: tr(exp A) / tr(exp |A|) for the signed adjacency matrix A: closed walks of every length k, weighted by
      1 / k!; those with an even number of `-` less those with an odd one, as a share of all (Estrada and Benzi 2014).
    - *frustration*: 1 - 2 F / m for frustration index F and m edges; F never exceeds m / 2 (Aref and Wilson 2018).

    Parameters
    ----------
    graph : ParaphraseGraph, networkx graph or SignedGraph
    time_limit : float or None
        Seconds for the frustration index. Where they do not suffice, the score lies between `low` and `high`.

    Returns
    -------
    DataFrame with rows `triangles`, `walks`, `frustration` and columns `value`, `low`, `high` (bounds that are
    proven), `meaning`. NaN where a score is not defined: no triads, no edges, no nodes; and for the
    walks of more than 1,500 nodes, which need all eigenvalues: O(n^3) time, about 3 s there.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.complete_graph(3)
    >>> nx.set_edge_attributes(graph, -1, "sign")
    >>> degree_of_balance(graph).value.round(3)
    triangles      0.000
    walks          0.686
    frustration    0.333
    Name: value, dtype: float64
    """
    from .frustration_index import frustration

    signed = as_signed(graph)
    counts = census(signed)
    share = np.nan
    if counts.any():
        share = (counts["+++"] + counts["+--"]) / counts.sum()
    walks = _walks(signed)
    low = np.nan
    high = np.nan
    if signed.m:
        index = frustration(signed, kind="strong", time_limit=time_limit)
        low = 1 - 2 * index.value / signed.m
        high = 1 - 2 * index.bound / signed.m
    return pd.DataFrame(
        [
            (share, share, share, "share of triads with an even number of negatives"),
            (
                walks,
                walks,
                walks,
                "closed walks, even less odd, as a share of all: tr exp A / tr exp |A|",
            ),
            (low, low, high, "1 - 2 F / m: edges that need not change, scaled"),
        ],
        columns=["value", "low", "high", "meaning"],
        index=["triangles", "walks", "frustration"],
    )


def _walks(signed: SignedGraph) -> float:
    """Return tr(exp A) / tr(exp |A|), by the eigenvalues."""
    if not 0 < signed.n <= LARGE:
        return np.nan
    matrix = np.zeros((signed.n, signed.n))
    matrix[signed.a, signed.b] = signed.sign
    matrix[signed.b, signed.a] = signed.sign
    signs = np.linalg.eigvalsh(matrix)
    plain = np.linalg.eigvalsh(abs(matrix))
    top = plain.max()  # no eigenvalue of A exceeds it, so nothing overflows
    even_less_odd = np.exp(signs - top).sum()
    share = even_less_odd / np.exp(plain - top).sum()
    return min(1.0, float(share))  # 1 but for rounding
