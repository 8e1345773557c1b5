"""Classifiers by other people: which of their outputs stands for a paraphrase."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import expit, softmax

from ..files import PairsError
from ..learn.encoder import describe
from ..learn.vectors import encode

__all__ = ["Head", "classifier", "head_of"]

#: Names of the output for a paraphrase, in lower case and without "is_".
_SAME = {"paraphrase", "equivalent", "semantically_equivalent", "duplicate", "same", "similar", "yes", "true", "1"}
_ENTAILMENT = [["contradiction", "entailment", "neutral"], ["entailment", "not_entailment"]]


def classifier(model: str | os.PathLike, progress: bool = True) -> tuple[Callable[..., np.ndarray], str]:
    """Make a judge of a classifier of `transformers`, and say what it answers; `encode` keeps its outputs on disk.

    Raises
    ------
    PairsError
        No such model; one without a classification head, or with labels whose meaning is unclear; one with its own
        code; one that regresses on its own scale.
    """
    about = describe(model)
    head = head_of(about.labels, about.name)
    kind = json.loads((about.folder / "config.json").read_text(encoding="utf-8")).get("problem_type")
    if kind in ("regression", "multi_label_classification"):
        why = f"its config.json says {kind}, so its outputs are not probabilities, and their scale is unknown"
        raise PairsError(f"{about.name}: {why}. Pass a function of it as the model, or columns as evidence")

    def ask(left: Sequence[str], right: Sequence[str]) -> np.ndarray:
        options = {"second": [*right, *left], "pooling": "head", "progress": progress}
        return head.probability(encode([*left, *right], model, **options))

    return ask, f"{head.reads}; it has seen: {about.trained_on}"


class Head(NamedTuple):
    """The conversion of the outputs of a classification head to P(paraphrase) of a pair."""

    output: int  #: the one that speaks for a paraphrase
    entails: bool  #: it says that the first sentence entails the second
    reads: str  #: the same in words

    def probability(self, outputs: np.ndarray) -> np.ndarray:
        """P(paraphrase), (n,), from the outputs for both orders: (n, outputs) in this order, then (n, outputs)."""
        outputs = outputs.astype(np.float64)
        p = expit(outputs[:, 0]) if outputs.shape[1] == 1 else softmax(outputs, axis=1)[:, self.output]
        both = p.reshape(2, -1)
        return both.min(axis=0) if self.entails else both.mean(axis=0)


def head_of(labels: Sequence[str], name: str = "the model") -> Head:
    """The `Head` for outputs with these labels, whatever their case.

    *Paraphrase*, two labels: one is "paraphrase", "equivalent", "duplicate", "same", "similar", "yes" or "true"; of
    LABEL_0 and LABEL_1, which say nothing, LABEL_1. The mean of both orders of the pair, so that P(a, b) = P(b, a).
    *Entailment*, two or three labels: "entailment", and "neutral" and "contradiction", or "not_entailment".
    Paraphrases entail each other: the least of both ways. *Score*, one output: its sigmoid, the mean of both orders.
    A probability if the head was trained with the logistic loss, like cross-encoders of sentence-transformers; else
    only its order counts.

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
    same = [i for i, label in enumerate(said) if label in _SAME or label.rstrip("s") in _SAME]
    if len(said) == 1:
        return Head(0, False, "sigmoid of its one output, the mean of both orders")
    if sorted(said) in _ENTAILMENT:
        at = said.index("entailment")
        return Head(at, True, f"P({labels[at]!r}), the least of both ways")
    if said == ["label_0", "label_1"]:
        same = [1]
    if len(said) != 2 or len(same) != 1:
        named = ", ".join(map(repr, labels)) or "not at all: it has no classification head"
        names = "as id2label: not_paraphrase and paraphrase, or entailment, neutral and contradiction"
        why = f"its outputs are called {named}, which does not say which one means a paraphrase"
        raise PairsError(f"{name}: {why}. Name them in its config.json, {names}")
    return Head(same[0], False, f"P({labels[same[0]]!r}), the mean of both orders")
