"""Scores of tags on words, and the threshold that makes P(1) a tag."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..experiments.scoring import checked, ratio, scores, steps

__all__ = ["best_threshold", "tag_scores"]

FIGURES = (
    "word F1",
    "precision",
    "recall",
    "accuracy",
    "AUC",
    "n",
    "ones",
    "accuracy of all 0",
    "threshold",
)


def tag_scores(tags: ArrayLike, p: ArrayLike, threshold: float = 0.5) -> pd.Series:
    """Measure how well the words of class 1 are found, over all words of both sentences of all pairs.

    Parameters
    ----------
    tags : array of 0 and 1, (n,)
        One tag per word; 1 where the other sentence cannot paraphrase it.
    p : array of float, (n,)
        P(1) of each word; from `threshold` on, a word gets the tag 1.

    Returns
    -------
    Series
        word F1, precision, recall (of the tag 1); accuracy; AUC, the share of pairs of a 1 and a 0 in which the 1 has
        the greater P, ties by halves; n, the words; ones, their share of 1s; accuracy of all 0 (most words have that
        tag, which makes accuracy a poor measure); and threshold. NaN are word F1, recall and AUC without a tag 1,
        AUC without a tag 0, and precision where no word gets the tag 1.

    Raises
    ------
    PairsError
        As in `scores`.

    Examples
    --------
    >>> tag_scores([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])[["word F1", "precision", "AUC"]].to_dict()
    {'word F1': 0.5, 'precision': 0.5, 'AUC': 0.75}
    """
    from scipy.stats import rankdata

    tags, p = checked(tags, p)
    values = scores(tags, p, threshold)
    values = values.rename({"F1": "word F1", "positives": "ones"})
    ones = values["ones"]
    zeros = values["n"] - ones
    ranks = rankdata(p)[tags].sum()
    above = ranks - ones * (ones + 1) / 2
    values["AUC"] = ratio(above, ones * zeros)
    values["ones"] = ones / len(tags)
    values["accuracy of all 0"] = zeros / len(tags)
    values["threshold"] = threshold
    return values[list(FIGURES)]


def best_threshold(tags: ArrayLike, p: ArrayLike) -> float:
    """Return the threshold of the greatest F1, half-way between two probabilities that occur.

    Of several, the highest. Without a word of the tag 1 it is .5.

    Examples
    --------
    >>> best_threshold([1, 0, 1, 0], [0.9, 0.2, 0.4, 0.1])
    0.3
    """
    tags, p = checked(tags, p)
    if not tags.any():
        return 0.5
    found = steps(p, tags)
    hits = np.cumsum(found.hits)
    half_f1 = hits / (np.cumsum(found.pairs) + hits[-1])
    at = int(np.argmax(2 * half_f1))
    bounds = np.append(found.score, 0.0)
    middle = bounds[at : at + 2].mean()
    return round(float(middle), 12)
