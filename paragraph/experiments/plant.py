"""Label errors planted on purpose, so that the effect of a method on errors can be counted."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..pairs import PairsError

__all__ = ["plant_errors"]


def plant_errors(
    pairs: pd.DataFrame, share: float | tuple[float, float] = 0.02, seed: int = 0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The pair table with a share of its stated labels flipped, and the key of the flipped pairs.

    Drawn uniformly among the distinct pairs of each label, that share of the positives and that share of the
    negatives: the errors go both ways, in proportion to the labels. Every row of a drawn pair is flipped, so that
    the stated label of the pair flips too. Rows of other pairs, order, columns and attributes stay.

    Parameters
    ----------
    pairs : DataFrame
        A pair table.
    share : float or (float, float)
        One share for both labels, or those of the positives and of the negatives, each from 0 to 1.
    seed : int

    Returns
    -------
    planted : DataFrame
        A copy of the table with other labels.
    key : DataFrame
        One row a planted pair, in file order: `text_a`, `text_b`, `stated` (the label now), `true` (before).

    Raises
    ------
    PairsError
        A share outside 0 to 1, or so small that no label is flipped.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c", "d"], "text_b": ["b", "a", "d", "e"], "label": [1, 1, 0, 0]})
    >>> planted, key = plant_errors(pairs, share=0.5, seed=1)
    >>> planted["label"].tolist()
    [1, 1, 1, 0]
    >>> key
      text_a text_b  stated  true
    0      c      d       1     0
    """
    shares = share if isinstance(share, tuple) else (share, share)
    if len(shares) != 2 or not all(math.isfinite(part) and 0 <= part <= 1 for part in shares):
        raise PairsError(f"share {share!r} is not a number from 0 to 1, nor a pair of such (positives, negatives)")
    graph = ParaphraseGraph.from_pairs(pairs)
    rng = np.random.default_rng(seed)
    drawn = []
    for sign, part in zip((1, -1), shares, strict=True):
        edges = np.flatnonzero(graph.edge_sign == sign)
        drawn.append(rng.choice(edges, round(part * len(edges)), replace=False))
    edges = np.sort(np.concatenate(drawn))
    if not len(edges) and any(shares):
        raise PairsError(f"a share of {share!r} of {len(graph.edge_sign):,} stated labels is none; plant more")
    chosen = np.zeros(len(graph.edge_sign) + 1, dtype=bool)  # the last place is for rows that state nothing
    chosen[edges] = True
    turned = chosen[graph.row_edge] & graph.row_labelled
    planted = pairs.copy()
    planted["label"] = pairs["label"].astype("Int8").mask(turned, 1 - pairs["label"].astype("Int8"))
    true = (graph.edge_sign[edges] > 0).astype(np.int8)
    key = pd.DataFrame(
        {
            "text_a": pd.Series(graph.texts(graph.edge_a[edges]), dtype="str"),
            "text_b": pd.Series(graph.texts(graph.edge_b[edges]), dtype="str"),
            "stated": 1 - true,
            "true": true,
        }
    )
    return planted, key
