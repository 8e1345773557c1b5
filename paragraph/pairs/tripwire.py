"""A tripwire for turned signs: pairs labelled the same should look more alike than the others.

Shared letter triples tell. In the public files that this project reads, a positive has more of them than a negative
in 60 % (PAWS) to 88 % (SICK) of all comparisons; entailment against contradiction, in JSICK, in 43 to 55 %.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..files.spelling import option

__all__ = ["ask_if_turned"]

DRAWN = 400  # pairs of each sign that are compared, at most
LENGTH = 300  # letters of each text, at most
LEAST, CHANCE = 0.4, -3  # the area under the ROC curve, and its z-score, below which it is asked
SHOWN = 8  # labels in the question


def ask_if_turned(pairs: pd.DataFrame, labels: Any) -> str:
    """Return a question if the labels of a pair table look turned round, else an empty text. Nothing is changed.

    Parameters
    ----------
    pairs : DataFrame
        With `text_a`, `text_b`, `label`.
    labels : dict or (low, high)
        The meaning of the labels, as in `read_pairs`, for the words of the question.

    Notes
    -----
    The area under the ROC curve of positives against negatives is the share of comparisons that a positive wins, by
    the share of letter triples that its two texts have in common. It is asked about below .4, if chance would hardly
    give it (z < −3; Mann and Whitney 1947). Sentences that are paired with themselves are evidence too: where more
    of them are labelled 0 than 1, each area below .5 is asked about. At most 400 pairs of each sign are drawn, by a
    fixed seed, so that the time hardly depends on the number of pairs.

    Examples
    --------
    >>> one, other = ["How far is it?"] * 16, ["How far is that?"] * 8 + ["Who won?"] * 8
    >>> pairs = pd.DataFrame({"text_a": one, "text_b": other, "label": [0] * 8 + [1] * 8})
    >>> print(ask_if_turned(pairs, {"same": 0, "differs": 1}))
    Pairs labelled 'differs' are less alike than the others: is the label turned round? Then: \
labels={"same": 1, "differs": 0}
    """
    label = pairs["label"].to_numpy(float, na_value=np.nan)
    rng = np.random.default_rng(0)
    shares = []
    for sign in (1, 0):
        rows = np.flatnonzero(label == sign)
        if not len(rows):
            return ""
        drawn = np.sort(rng.choice(rows, min(DRAWN, len(rows)), replace=False))
        texts = pairs.iloc[drawn]
        shares.append(np.array([*map(_shared, texts["text_a"], texts["text_b"])]))
    area, z = _area(*shares)
    of_self_pairs = label[(pairs["text_a"] == pairs["text_b"]).to_numpy()]
    most_differ = np.count_nonzero(of_self_pairs == 0) > np.count_nonzero(of_self_pairs == 1)
    if z < CHANCE and (area < LEAST or (area < 0.5 and most_differ)):
        return _question(labels)
    return ""


def _shared(a: str, b: str) -> float:
    """Return the share of letter triples of two texts that both have (Jaccard)."""
    first = _triples(a)
    second = _triples(b)
    both = len(first & second)
    return both / (len(first) + len(second) - both)


def _triples(text: str) -> set[str]:
    """The letter triples of a text, with a space before and after it."""
    padded = f" {text[:LENGTH].casefold()} "
    return set(map("".join, zip(padded, padded[1:], padded[2:], strict=False)))


def _area(positives: np.ndarray, negatives: np.ndarray) -> tuple[float, float]:
    """Return the area under the ROC curve, and its z-score against .5 (Mann and Whitney 1947)."""
    differences = np.sign(positives[:, None] - negatives)
    area = 0.5 + float(differences.mean()) / 2
    m, n = differences.shape
    return area, (area - 0.5) * np.sqrt(12 * m * n / (m + n + 1))


def _question(labels: Any) -> str:
    """Word the question with the file's own labels, and the option that would turn them."""
    if isinstance(labels, dict):
        turned = {label: sign if sign is None else 1 - sign for label, sign in labels.items()}
        same = [repr(label) for label, sign in labels.items() if sign == 1]
        named = " or ".join(same[:SHOWN])
    else:
        turned = (labels[1], labels[0])
        named = f"{labels[1]:g} or more"
    return (
        f"Pairs labelled {named} are less alike than the others: is the label turned round? "
        f"Then: {option('labels', turned)}"
    )
