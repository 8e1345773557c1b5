"""Scores of predicted probabilities against labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..pairs import PairsError
from ..pairs.errors import whole
from .ranking import steps

__all__ = ["by_group", "calibration", "checked", "clean_map", "floats", "precision_recall", "scores"]

_LEAST = np.finfo(np.float64).eps  # a probability of 0 costs −log of this, as in scikit-learn


def scores(label: ArrayLike, probability: ArrayLike, threshold: float = 0.5) -> pd.Series:
    """How well probabilities of being a paraphrase agree with labels.

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
    right = predicted == label
    hits, wrong = int(np.sum(predicted & label)), int(np.sum(~right))
    positives, claimed, n = int(label.sum()), int(predicted.sum()), len(label)
    # F1 = 2 hits / (2 hits + errors), for either label.
    f1 = _ratio(2 * hits, 2 * hits + wrong)
    f1_of_0 = _ratio(2 * (n - wrong - hits), 2 * (n - wrong - hits) + wrong)
    weighted = sum(share * f for share, f in ((positives / n, f1), (1 - positives / n, f1_of_0)) if share)
    clipped = np.clip(probability, _LEAST, 1 - _LEAST)
    table = pd.Series(
        {
            "n": n,
            "positives": positives,
            "accuracy": right.mean(),
            "F1": f1 if positives else np.nan,
            "weighted F1": weighted,
            "recall": _ratio(hits, positives),
            "precision": _ratio(hits, claimed),
            "average precision": _average_precision(label, probability),
            "log loss": -np.log(np.where(label, clipped, 1 - clipped)).mean(),
            "Brier": np.mean((probability - label) ** 2),
            "calibration error": _calibration_error(calibration(label, probability)),
        },
        name="score",
    )
    undefined = {}
    if not positives:
        undefined |= dict.fromkeys(("F1", "recall", "average precision"), "no pair has the label 1")
    if not claimed:
        undefined["precision"] = f"no pair has a probability of {threshold:g} or more"
    table.attrs["undefined"] = undefined
    return table


def by_group(label: ArrayLike, probability: ArrayLike, group: ArrayLike, threshold: float = 0.5) -> pd.DataFrame:
    """The scores of each group of pairs, one row a group, in order of the groups.

    Examples
    --------
    >>> table = by_group([1, 0, 1, 0], [0.9, 0.6, 0.7, 0.1], ["near", "far", "near", "far"])
    >>> table["accuracy"].to_dict()
    {'far': 0.5, 'near': 1.0}
    """
    label, probability = checked(label, probability)
    if len(group := pd.Series(np.asarray(group), name="group")) != len(label):
        raise PairsError(f"{len(group):,} groups for {len(label):,} labels")
    if group.isna().any():
        raise PairsError(f"entry {int(group.isna().argmax())} has no group; give it one, or leave the pair out")
    rows = {
        name: scores(label[places], probability[places], threshold)
        for name, places in sorted(group.groupby(group).indices.items())
    }
    table = pd.DataFrame(rows).T.rename_axis("group")
    return table.astype({"n": int, "positives": int})


def clean_map(label: ArrayLike, score: ArrayLike, question: ArrayLike) -> float:
    """Mean average precision over the questions that have answers of both labels; NaN where none has.

    Candidates of one score are found together. The F1 over all questions, a-F1, is that of `scores` on all rows.

    References
    ----------
    S. Garg, T. Vu and A. Moschitti (2020), TANDA. AAAI; Y. Yang, W. Yih and C. Meek (2015), WikiQA. EMNLP.

    Examples
    --------
    >>> clean_map([1, 0, 1, 0, 0], [0.9, 0.1, 0.2, 0.7, 0.3], ["a", "a", "b", "b", "c"])
    0.75
    """
    table = pd.DataFrame({"label": np.asarray(label) == 1, "score": score, "question": np.asarray(question)})
    parts = [part for _, part in table.groupby("question") if 0 < part["label"].sum() < len(part)]
    values = [steps(part["score"].to_numpy(), part["label"].to_numpy()).average_precision()[0] for part in parts]
    return float(np.mean(values)) if values else np.nan


def calibration(label: ArrayLike, probability: ArrayLike, bins: int = 10) -> pd.DataFrame:
    """Predicted against observed share of paraphrases, in bins of equal width over [0, 1].

    Returns
    -------
    DataFrame
        One row a bin: low, high (the last bin includes 1), n, predicted (mean probability), observed (share
        of the label 1); the last two missing in an empty bin. The expected calibration error is the mean of
        ``|observed − predicted|`` weighted by n (Guo et al. 2017, eq. 3, of P(1) instead of the confidence).

    Examples
    --------
    >>> calibration([0, 1, 1], [0.1, 0.2, 0.9], bins=2)
       low  high  n  predicted  observed
    0  0.0   0.5  2       0.15       0.5
    1  0.5   1.0  1       0.90       1.0
    """
    label, probability = checked(label, probability)
    whole("bins", bins)
    edges = np.linspace(0, 1, bins + 1)
    of = np.minimum(np.searchsorted(edges, probability, side="right") - 1, bins - 1)
    n = np.bincount(of, minlength=bins)
    means = [_ratio(np.bincount(of, weights=x, minlength=bins), n) for x in (probability, label)]
    return pd.DataFrame({"low": edges[:-1], "high": edges[1:], "n": n, "predicted": means[0], "observed": means[1]})


def precision_recall(label: ArrayLike, probability: ArrayLike) -> pd.DataFrame:
    """Precision and recall at each threshold that occurs, highest first: threshold, recall, precision.

    Examples
    --------
    >>> precision_recall([1, 0, 1], [0.9, 0.6, 0.6])
       threshold  recall  precision
    0        0.9     0.5   1.000000
    1        0.6     1.0   0.666667
    """
    label, probability = checked(label, probability)
    order = np.argsort(-probability, kind="stable")
    falling = probability[order]
    last = np.flatnonzero(np.append(falling[1:] != falling[:-1], True))  # of each run of equal probabilities
    hits = np.cumsum(label[order])[last]
    return pd.DataFrame(
        {
            "threshold": falling[last],
            "recall": _ratio(hits, np.full(len(last), label.sum())),
            "precision": hits / (last + 1),
        }
    )


def checked(label: ArrayLike, probability: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Labels as bool, probabilities as float64; an error where they are none."""
    label = floats(label, "label")
    probability = floats(probability, "probability")
    if len(label) != len(probability):
        raise PairsError(f"{len(label):,} labels for {len(probability):,} probabilities")
    if not len(label):
        raise PairsError("there are no pairs to score")
    for values, odd, name, wanted in (
        (label, ~((label == 0) | (label == 1)), "label", "0 or 1; leave out the pairs without a label"),
        (probability, ~((probability >= 0) & (probability <= 1)), "probability", "between 0 and 1"),
    ):
        if odd.any():
            at = int(np.argmax(odd))
            raise PairsError(f"entry {at}: {name} {values[at]:g} is not {wanted} ({odd.sum():,} such entries)")
    return label == 1, probability


def floats(values: ArrayLike, name: str) -> np.ndarray:
    """Values as float64, missing ones as NaN; `PairsError` where one is no number."""
    try:
        # Through a Series: it alone turns missing labels (<NA>) into NaN.
        found = pd.Series(values).to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise PairsError(f"a {name} is not a number: {error}") from None
    return found


def _average_precision(label: np.ndarray, probability: np.ndarray) -> float:
    if not label.any():
        return np.nan
    curve = precision_recall(label, probability)
    return float(np.sum(np.diff(curve["recall"], prepend=0) * curve["precision"]))


def _calibration_error(table: pd.DataFrame) -> float:
    return float((table["n"] * (table["observed"] - table["predicted"]).abs()).sum() / table["n"].sum())


def _ratio(part, whole):
    """part / whole; NaN where the whole is 0."""
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole)
    found = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return found if found.ndim else float(found)
