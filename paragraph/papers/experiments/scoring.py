"""Scores of predicted probabilities against labels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ...files import PairsError

__all__ = ["Steps", "checked", "floats", "ratio", "scores", "steps"]


def scores(label: ArrayLike, probability: ArrayLike, threshold: float = 0.5) -> pd.Series:
    """Measure how well probabilities of being a paraphrase agree with labels.

    Parameters
    ----------
    label : array of 0 and 1, (n,)
    probability : array of float, (n,)
        P(1) of each pair.
    threshold : float
        A pair with this probability or more is predicted 1.

    Returns
    -------
    Series
        n, positives (labels 1), accuracy, F1, weighted F1 (mean of the F1 of both labels, weighted by their
        number), recall, precision, average precision (area under the steps of precision over recall). NaN
        are recall, F1 and average precision without a label 1, and precision without a prediction of 1.

    Raises
    ------
    PairsError
        Labels other than 0 and 1, probabilities outside [0, 1], different lengths, nothing to score.

    Examples
    --------
    >>> scores([1, 0, 1, 0], [0.9, 0.6, 0.7, 0.1])[["accuracy", "F1", "average precision"]].to_dict()
    {'accuracy': 0.75, 'F1': 0.8, 'average precision': 1.0}
    """
    label, probability = checked(label, probability)
    predicted = probability >= threshold
    n = len(label)
    hits = int((predicted & label).sum())
    positives = int(label.sum())
    claimed = int(predicted.sum())
    wrong = positives + claimed - 2 * hits
    # F1 = 2 hits / (2 hits + errors), for either label.
    f1 = ratio(2 * hits, 2 * hits + wrong)
    hits_of_0 = n - wrong - hits
    f1_of_0 = ratio(2 * hits_of_0, 2 * hits_of_0 + wrong)
    share = positives / n
    weighted = [share * f1, (1 - share) * f1_of_0]
    average_precision = steps(probability, label).average_precision()
    values = {
        "n": n,
        "positives": positives,
        "accuracy": (predicted == label).mean(),
        "F1": f1 if positives else np.nan,
        "weighted F1": np.nansum(weighted),
        "recall": ratio(hits, positives),
        "precision": ratio(hits, claimed),
        "average precision": average_precision,
    }
    return pd.Series(values, name="score")


class Steps(NamedTuple):
    """Numbers of positives and of pairs with each score, the highest first."""

    score: np.ndarray
    hits: np.ndarray
    pairs: np.ndarray  #: by weight, so not always whole numbers

    def curve(self) -> pd.DataFrame:
        """Return `threshold`, `recall`, `precision` at every score; recall is NaN where there is no positive."""
        hits = np.cumsum(self.hits)
        recall = ratio(hits, hits[-1])
        precision = hits / np.cumsum(self.pairs)
        curve = pd.DataFrame({"threshold": self.score, "recall": recall})
        return curve.assign(precision=precision)

    def at_fifth(self) -> tuple[float, float]:
        """Return precision and threshold at the first score whose recall is 20 % or more."""
        hits = np.cumsum(self.hits)
        at = int(np.argmax(5 * hits >= hits[-1]))
        precision = hits[at] / np.cumsum(self.pairs)[at]
        return float(precision), float(self.score[at])

    def average_precision(self) -> float:
        """Return the area under precision over recall; NaN where there is no positive.

        Pairs of one score are found together (Mussmann, Jia and Liang 2020, equation 6).

        Examples
        --------
        >>> Steps(np.array([0.9, 0.5]), np.array([1, 2]), np.array([2, 4])).average_precision()
        0.5
        """
        found = np.cumsum(self.hits)
        pairs = np.cumsum(self.pairs)
        total = (self.hits * found / pairs).sum()
        return ratio(total, found[-1])


def steps(score: np.ndarray, positive: np.ndarray, weight: np.ndarray | None = None) -> Steps:
    """Merge the pairs of each score, and put them in falling order."""
    order = np.argsort(-score)
    falling = score[order]
    begins = np.ones(len(falling), dtype=bool)
    begins[1:] = falling[1:] != falling[:-1]
    begin = np.flatnonzero(begins)
    if weight is None:
        weight = np.ones(len(score))
    positive = positive[order].astype(np.int64)
    hits = np.add.reduceat(positive, begin)
    pairs = np.add.reduceat(weight[order], begin)
    return Steps(falling[begin], hits, pairs)


def checked(label: ArrayLike, probability: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return labels as bool and probabilities as float64; `PairsError` names the first that is neither."""
    label = floats(label, "label")
    probability = floats(probability, "probability")
    is_label = (label == 0) | (label == 1)
    _refuse("label", label, is_label, "0 or 1; leave out the pairs without a label")
    is_probability = (probability >= 0) & (probability <= 1)
    _refuse("probability", probability, is_probability, "between 0 and 1")
    if len(label) != len(probability):
        raise PairsError(f"{len(label):,} labels for {len(probability):,} probabilities")
    if not len(label):
        raise PairsError("there are no pairs to score")
    return label == 1, probability


def _refuse(name: str, values: np.ndarray, fits: np.ndarray, wanted: str) -> None:
    odd = np.flatnonzero(~fits)
    if len(odd):
        more = f" ({len(odd):,} such entries)"
        raise PairsError(f"entry {odd[0]}: {name} {values[odd[0]]:g} is not {wanted}{more}")


def floats(values: ArrayLike, name: str) -> np.ndarray:
    """Return values as float64, missing ones as NaN; `PairsError` if one is not a number."""
    try:
        # Through a Series: only it turns missing labels (<NA>) into NaN.
        return pd.Series(values).to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise PairsError(f"a {name} is not a number: {error}") from None


def ratio(part, whole):
    """Divide part by whole; NaN where the whole is 0."""
    part = np.asarray(part, dtype=np.float64)
    whole = np.asarray(whole)
    found = np.full(part.shape, np.nan)
    np.divide(part, whole, out=found, where=whole > 0)
    return found if found.ndim else float(found)
