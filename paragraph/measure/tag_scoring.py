"""Scores of tags on words: how well P(1) of each word agrees with its tag."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from .scoring import checked

__all__ = ["best_threshold", "tag_scores"]


def tag_scores(tags: ArrayLike, p: ArrayLike, threshold: float = 0.5) -> pd.Series:
    """How well the words of class 1 are found, over all words of both sentences of all pairs.

    Parameters
    ----------
    tags : array of 0 and 1, (n,)
        Of each word; 1 where the other sentence cannot paraphrase it.
    p : array of float, (n,)
        P(1) of each word.
    threshold : float
        A word with this P or more gets the tag 1.

    Returns
    -------
    Series
        word F1, precision, recall (of the tag 1); accuracy; AUC, the share of pairs of a 1 and a 0 in which the 1 has
        the greater P, ties by halves; n, the words; ones, their share of 1s; accuracy of all 0, for most words have
        that tag, which makes accuracy a poor measure; and threshold. A score that is not defined is missing, and
        ``.attrs["undefined"]`` says why.

    Raises
    ------
    PairsError
        As `scores`.

    Examples
    --------
    >>> tag_scores([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])[["word F1", "precision", "AUC"]].to_dict()
    {'word F1': 0.5, 'precision': 0.5, 'AUC': 0.75}
    """
    from scipy.stats import rankdata

    tags, p = checked(tags, p)
    predicted = p >= threshold
    hits, ones, claimed, n = int((predicted & tags).sum()), int(tags.sum()), int(predicted.sum()), len(tags)
    auc = (rankdata(p)[tags].sum() - ones * (ones + 1) / 2) / (ones * (n - ones)) if 0 < ones < n else np.nan
    table = pd.Series(
        {
            "word F1": 2 * hits / (ones + claimed) if ones else np.nan,
            "precision": hits / claimed if claimed else np.nan,
            "recall": hits / ones if ones else np.nan,
            "accuracy": float((predicted == tags).mean()),
            "AUC": float(auc),
            "n": n,
            "ones": ones / n,
            "accuracy of all 0": 1 - ones / n,
            "threshold": threshold,
        },
        name="score",
    )
    undefined = {}
    if not ones:
        undefined |= dict.fromkeys(("word F1", "recall", "AUC"), "no word has the tag 1")
    elif ones == n:
        undefined["AUC"] = "no word has the tag 0"
    if not claimed:
        undefined["precision"] = f"no word has a probability of {threshold:g} or more"
    table.attrs["undefined"] = undefined
    return table


def best_threshold(tags: ArrayLike, p: ArrayLike) -> float:
    """The threshold of the greatest F1: half-way between the least P that is to be 1 and the greatest that is not.

    Of several, the highest. Without a word of the tag 1 it is .5.

    Examples
    --------
    >>> best_threshold([1, 0, 1, 0], [0.9, 0.2, 0.4, 0.1])
    0.3
    """
    tags, p = checked(tags, p)
    if not tags.any():
        return 0.5
    order = np.argsort(-p, kind="stable")
    falling, hits = p[order], np.cumsum(tags[order])
    last = np.flatnonzero(np.append(falling[1:] != falling[:-1], True))  # of each run of equal probabilities
    at = last[np.argmax(2 * hits[last] / (last + 1 + hits[-1]))]
    below = falling[at + 1] if at + 1 < len(falling) else 0.0
    return round(float(falling[at] + below) / 2, 12)
