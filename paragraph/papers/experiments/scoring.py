"""Scores of predicted probabilities against labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ...doubts.scoring import calibration
from ...files import PairsError

__all__ = ["Steps", "checked", "counted", "ratio", "scored", "scores", "steps"]

_LEAST = np.finfo(np.float64).eps  # a probability of 0 costs −log of this, as in scikit-learn


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
        number), recall, precision, average precision (area under the steps of precision over recall), log
        loss (nats), Brier (mean squared error), calibration error (`calibration`, ten bins). A score that
        is not defined is missing, and ``.attrs["undefined"]`` says why: recall, F1 and average precision
        without a label 1, precision without a prediction of 1.

    Raises
    ------
    PairsError
        Labels other than 0 and 1, probabilities outside [0, 1], different lengths, nothing to score.

    Examples
    --------
    >>> scores([1, 0, 1, 0], [0.9, 0.6, 0.7, 0.1])[["accuracy", "F1", "average precision"]].to_dict()
    {'accuracy': 0.75, 'F1': 0.8, 'average precision': 1.0}
    >>> scores([0, 0], [0.2, 0.3]).attrs["undefined"]["recall"]
    'no pair has the label 1'
    """
    label, probability = checked(label, probability)
    predicted = probability >= threshold
    hits, positives, claimed, n = counted(label, predicted)
    wrong = positives + claimed - 2 * hits
    # F1 = 2 hits / (2 hits + errors), for either label.
    f1, f1_of_0 = (ratio(2 * right, 2 * right + wrong) for right in (hits, n - wrong - hits))
    clipped = np.clip(probability, _LEAST, 1 - _LEAST)
    bins = calibration(label, probability)
    values = {
        "n": n,
        "positives": positives,
        "accuracy": (predicted == label).mean(),
        "F1": f1,
        "weighted F1": np.nansum([positives / n * f1, (1 - positives / n) * f1_of_0]),
        "recall": ratio(hits, positives),
        "precision": ratio(hits, claimed),
        "average precision": steps(probability, label).average_precision()[0],
        "log loss": -np.log(np.where(label, clipped, 1 - clipped)).mean(),
        "Brier": np.mean((probability - label) ** 2),
        "calibration error": (bins["n"] * (bins["observed"] - bins["predicted"]).abs()).sum() / n,
    }
    undefined = {}
    if not positives:
        undefined |= dict.fromkeys(("F1", "recall", "average precision"), "no pair has the label 1")
    if not claimed:
        undefined["precision"] = f"no pair has a probability of {threshold:g} or more"
    return scored(values, undefined)


class Steps(NamedTuple):
    """Numbers of positives and of pairs with each score, the highest first."""

    score: np.ndarray
    hits: np.ndarray
    pairs: np.ndarray  #: by weight, so not always whole numbers

    def curve(self) -> pd.DataFrame:
        """Return `threshold`, `recall`, `precision` at every score; recall is NaN where there is no positive."""
        hits = np.cumsum(self.hits)
        recall = ratio(hits, hits[-1])
        return pd.DataFrame({"threshold": self.score, "recall": recall, "precision": hits / np.cumsum(self.pairs)})

    def at_fifth(self) -> tuple[float, float]:
        """Return precision and threshold at the first score whose recall is 20 % or more."""
        hits = np.cumsum(self.hits)
        at = int(np.argmax(5 * hits >= hits[-1]))
        return float(hits[at] / np.cumsum(self.pairs)[at]), float(self.score[at])

    def average_precision(self) -> tuple[float, float, float]:
        """Return the area under precision over recall, its least and its greatest value as ties are resolved.

        Pairs of one score are found together (Mussmann, Jia and Liang 2020, equation 6). Least: the negatives of a
        score come first, then its positives one by one. Greatest: its positives come first, together.

        Examples
        --------
        >>> tied = Steps(np.array([0.9, 0.5]), np.array([1, 2]), np.array([2, 4]))
        >>> [round(value, 4) for value in tied.average_precision()]
        [0.5, 0.4667, 0.8333]
        """
        found, pairs = np.cumsum(self.hits), np.cumsum(self.pairs)
        nth = np.arange(1, found[-1] + 1)
        least = nth / (np.repeat(pairs, self.hits) - np.repeat(found, self.hits) + nth)
        most = self.hits * found / np.maximum(pairs - self.pairs + self.hits, 1)
        return tuple(ratio(value.sum(), found[-1]) for value in (self.hits * found / pairs, least, most))


def steps(score: np.ndarray, positive: np.ndarray, weight: np.ndarray | None = None) -> Steps:
    """Merge the pairs of each score, and put them in falling order."""
    order = np.argsort(-score)
    falling = score[order]
    begin = np.flatnonzero(np.append(True, falling[1:] != falling[:-1])[: len(falling)])
    weight = np.ones(len(score)) if weight is None else weight
    hits = np.add.reduceat(positive[order].astype(np.int64), begin)
    return Steps(falling[begin], hits, np.add.reduceat(weight[order], begin))


def counted(label: np.ndarray, predicted: np.ndarray) -> tuple[int, int, int, int]:
    """Count the ones that were found, the ones that there are, those predicted, and all entries."""
    return int((predicted & label).sum()), int(label.sum()), int(predicted.sum()), len(label)


def scored(values: dict[str, float], undefined: dict[str, str]) -> pd.Series:
    """Return scores as a series; those that are not defined are missing, and its attributes say why."""
    table = pd.Series(values | dict.fromkeys(undefined, np.nan), name="score")
    table.attrs["undefined"] = undefined
    return table


def checked(label: ArrayLike, probability: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return labels as bool and probabilities as float64; `PairsError` names the first that is neither."""
    label = floats(label, "label", is_flag, "0 or 1; leave out the pairs without a label")
    probability = floats(probability, "probability", lambda p: (p >= 0) & (p <= 1), "between 0 and 1")
    if len(label) != len(probability):
        raise PairsError(f"{len(label):,} labels for {len(probability):,} probabilities")
    if not len(label):
        raise PairsError("there are no pairs to score")
    return label == 1, probability


def floats(
    values: ArrayLike, name: str, fits: Callable[[np.ndarray], np.ndarray] | None = None, wanted: str = ""
) -> np.ndarray:
    """Return values as float64, missing ones as NaN; `PairsError` if one is not a number, or does not fit."""
    try:
        # Through a Series: only it turns missing labels (<NA>) into NaN.
        found = pd.Series(values).to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise PairsError(f"a {name} is not a number: {error}") from None
    if fits and (odd := np.flatnonzero(~fits(found))).size:
        raise PairsError(f"entry {odd[0]}: {name} {found[odd[0]]:g} is not {wanted} ({len(odd):,} such entries)")
    return found


def is_flag(values: np.ndarray) -> np.ndarray:
    """Flag the values that are 0 or 1."""
    return (values == 0) | (values == 1)


def ratio(part, whole):
    """Divide part by whole; NaN where the whole is 0."""
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole)
    found = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return found if found.ndim else float(found)
