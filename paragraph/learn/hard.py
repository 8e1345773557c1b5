"""Hard negatives: those that look like paraphrases, which a model learns most from."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..pairs import PairsError
from ..words.differences import words_of

__all__ = ["hard"]


def hard(pairs: pd.DataFrame, most: int, seed: int = 0) -> pd.DataFrame:
    """The hardest negatives, at most `most`, and as many positives at most, drawn at random; in their old order.

    A negative is the harder the more of their words its two sentences share (of all their words, case aside; the
    Jaccard index). Negatives whose sentences are alike but for case are left out: their label is more probably wrong
    than instructive.

    Raises
    ------
    PairsError
        `most` is 0.

    Notes
    -----
    A cross-encoder needs many of them. Trained for some six minutes of one core on 3,818 pairs (250 hard negatives a
    file of QQP, PAWS, MQP, MRPC and SICK, three epochs from MiniLM), it had an AUC of .54 on judged pairs inside
    clusters, where words alone have .66 (`python -m benchmarks.sameness FOLDER --model DIR` measures it). So measure
    a model before it decides about conflicts.

    Examples
    --------
    >>> rows = [("Who won?", "Who sang?", 0), ("Who won?", "When?", 0), ("Who won?", "who won?", 0), ("Who?", "?", 1)]
    >>> pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
    >>> hard(pairs, 1)["text_b"].tolist()
    ['Who sang?', '?']
    """
    if most < 1:
        raise PairsError("hard: keep at least one negative")
    label = pairs["label"].to_numpy(float, na_value=np.nan)
    negative, positive = np.flatnonzero(label == 0), np.flatnonzero(label == 1)
    sides = (pairs[name].iloc[negative] for name in ("text_a", "text_b"))
    alike = np.array([_shared(a, b) for a, b in zip(*sides, strict=True)], dtype=float)
    order = np.argsort(-alike, kind="stable")
    kept = negative[order[alike[order] < 1][:most]]
    drawn = np.random.default_rng(seed).permutation(positive)[:most]
    return pairs.iloc[np.sort(np.concatenate([kept, drawn]))]


def _shared(left: str, right: str) -> float:
    """The Jaccard index of the words of two texts; 1 where they are the same but for case."""
    if left.casefold() == right.casefold():
        return 1.0
    a, b = ({word for word in words_of(text.casefold()) if word[0].isalnum()} for text in (left, right))
    # In another order the same words are no less hard than all but one of them.
    return min(len(a & b) / max(len(a | b), 1), 0.999)
