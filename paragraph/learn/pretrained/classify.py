"""Sequence classifiers that others have trained, read as P(paraphrase)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit

from ...pairs import PairsError
from .encode import pair_outputs
from .find import describe

__all__ = ["Head", "SequencePairs", "head_of"]

#: What the output for a paraphrase is called, in small letters and without "is_".
_SAME = {"paraphrase", "equivalent", "semantically_equivalent", "duplicate", "same", "similar", "yes", "true", "1"}
_ENTAILMENT = {("contradiction", "entailment", "neutral"), ("entailment", "not_entailment")}


class Head(NamedTuple):
    """How the outputs of a classification head become P(paraphrase) of a pair."""

    output: int  #: the one that speaks for a paraphrase
    entails: bool  #: it says that the first sentence entails the second
    reads: str  #: the same in words

    def probability(self, outputs: np.ndarray) -> np.ndarray:
        """P(paraphrase), (n,), from the outputs for both orders: (n, outputs) in this order, then (n, outputs)."""
        outputs = outputs.astype(np.float64)
        if outputs.shape[1] == 1:
            found = expit(outputs[:, 0])
        else:
            found = np.exp(outputs - outputs.max(axis=1, keepdims=True))
            found = found[:, self.output] / found.sum(axis=1)
        both = found.reshape(2, -1)
        return both.min(axis=0) if self.entails else both.mean(axis=0)


def head_of(labels: Sequence[str], name: str = "the model") -> Head:
    """The reading of a head with these labels, upper and lower case alike.

    *Paraphrase*, two labels: one is "paraphrase", "equivalent", "duplicate", "same", "similar", "yes" or "true"; of
    LABEL_0 and LABEL_1, which say nothing, LABEL_1. The mean of both orders of the pair, so that P(a, b) = P(b, a).
    *Entailment*, two or three labels: "entailment", and "neutral" and "contradiction", or "not_entailment".
    Paraphrases entail each other: the least of both ways.
    *Score*, one output: its sigmoid, the mean of both orders. A probability where the head was trained with the
    logistic loss, as cross-encoders of sentence-transformers are; else it keeps the order alone.

    Raises
    ------
    PairsError
        Other labels.

    Examples
    --------
    >>> head_of(["CONTRADICTION", "ENTAILMENT", "NEUTRAL"]).reads
    "P('ENTAILMENT'), the least of both ways"
    >>> head_of(["not_duplicate", "duplicate"]).reads
    "P('duplicate'), the mean of both orders"
    """
    said = [re.sub(r"\W+", "_", label.strip().lower()).removeprefix("is_") for label in labels]
    if len(said) == 1:
        return Head(0, False, "sigmoid of its one output, the mean of both orders")
    entails = tuple(sorted(said)) in _ENTAILMENT
    same = [i for i, label in enumerate(said) if label in _SAME or label.rstrip("s") in _SAME]
    if entails:
        at = said.index("entailment")
    elif said == ["label_0", "label_1"]:
        at = 1
    elif len(said) == 2 and len(same) == 1:
        (at,) = same
    else:
        named = ", ".join(map(repr, labels)) or "not at all: it has no classification head"
        raise PairsError(
            f"{name}: its outputs are called {named}, which does not say which one means a paraphrase. Name them in "
            "its config.json, as id2label: not_paraphrase and paraphrase, or entailment, neutral and contradiction"
        )
    return Head(at, entails, f"P({labels[at]!r}), the {'least of both ways' if entails else 'mean of both orders'}")


class SequencePairs:
    """A classifier of `transformers` that reads both sentences at once; see `head_of` for what its labels may be.

    It is asked about both orders of a pair, and what it says is kept on disk (see `encode`).

    Parameters
    ----------
    model : str or path
        A folder, or the id of a model on the Hugging Face hub.
    progress : bool

    Raises
    ------
    PairsError
        No such model; one without a classification head, or with labels that do not say what they mean; one that
        brings code; one that regresses on a scale of its own.
    """

    deterministic = True

    def __init__(self, model: str | os.PathLike, *, progress: bool = True):
        about = describe(model, progress=progress)
        self.model, self.progress = model, progress
        self.name, self.trained_on = about.name, about.trained_on
        self.head = head_of(about.labels, about.name)
        config = json.loads((about.folder / "config.json").read_text(encoding="utf-8"))
        if config.get("problem_type") in ("regression", "multi_label_classification"):
            raise PairsError(
                f"{about.name}: its config.json says {config['problem_type']}, so its outputs are no probabilities "
                "and their scale is unknown. Pass a function that makes them so as the model, or columns as evidence"
            )

    def predict_proba(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each pair, whatever its label: float64."""
        a, b = pairs["text_a"].tolist(), pairs["text_b"].tolist()
        return self.head.probability(pair_outputs(a + b, b + a, self.model, progress=self.progress))
