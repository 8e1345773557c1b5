"""Opinions on pairs: whoever a user means by a judge, and what it says."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from .judge import Judge, Known
from .logistic import sigmoid
from .same import by_minilm, by_words

__all__ = ["Answers", "judge_of", "named", "p_same"]


def judge_of(model: Any, *, progress: bool = True) -> Judge:
    """Find or make the judge that a user means.

    Parameters
    ----------
    model
        The first of these that it is:

        - None or ``"none"``, words alone; ``"minilm"``, the judge of this package (`p_same`);
        - a `Judge`, or a function for one;
        - a fitted model: an object with ``name``, ``trained_on`` and ``predict_proba(pairs)``, which gets a table;
        - the folder of an `Adapter`;
        - the folder of a sequence classifier of `transformers`, or its id on the Hugging Face hub: of paraphrases, of
          entailment, or with one output (see `heads.head_of`). Code that it brings is never run.

        The last three are asked as they are: if they were trained on these pairs, they repeat their labels.

    Raises
    ------
    PairsError
        No such model; one without a classification head, or with labels that do not say what they mean; one that
        brings code; one that regresses on a scale of its own.
    """
    if isinstance(model, Judge):
        return model
    model = named(model)
    if model is None or model == "minilm":
        ask, seen = (by_words, "") if model is None else (by_minilm, "Quora's labels")
        ask = partial(ask, progress=progress)
        return Known(ask, np.inf, model=model or "words", reads="P(same)", trained_on=seen)
    if callable(model):
        return Judge(model, progress=progress)
    if hasattr(model, "predict_proba"):
        about = {"model": model.name, "reads": "P(same), the mean of both orders", "trained_on": model.trained_on}
        return Known(lambda left, right: (_asked(model, left, right) + _asked(model, right, left)) / 2, **about)
    if os.path.isfile(os.path.join(model, "adapter.json")):
        from .adapter import Adapter

        own = Adapter(model, progress=progress)
        about = {"model": f"adapter ({own.about.name})", "reads": "P(same)", "trained_on": own.about.trained_on}
        return Known(lambda left, right: sigmoid(own.logits(left, right)), **about)
    from .heads import classifier

    return classifier(model, progress)


def _asked(model: Any, left: Sequence[str], right: Sequence[str]) -> np.ndarray:
    return model.predict_proba(pd.DataFrame({"text_a": list(left), "text_b": list(right)}))


def named(model: Any) -> Any:
    """Return what a user names as a model; None for ``"none"``, as the shell has it."""
    return None if isinstance(model, str) and model == "none" else model


def p_same(left: Sequence[str], right: Sequence[str], model: Any = None, *, progress: bool = True) -> np.ndarray:
    """The probability that two sentences of one cluster mean the same, whatever label they have: float64.

    Parameters
    ----------
    left, right : sequences of str
        As for `sameness`.
    model : {"minilm"}, folder, hub id, fitted model, Judge or function of two lists of texts, optional
        See `judge_of`. Without it, words alone. P holds for pairs of which the natural share means the same; that of
        a model of yours is taken to.

    Raises
    ------
    PairsError
        A model that cannot be had.

    Notes
    -----
    Logistic regressions fitted on pairs inside clusters of Quora Question Pairs that no row labels, each judged in
    two blind readings by a language model (both answers weighted to a half): words alone on 573, with the model on
    1,684. On pairs they have not seen, words alone have an AUC of .66, with the model .79 (MiniLM's cosine alone:
    .70); see `benchmarks.sameness` and `benchmarks.together`. MiniLM was trained on Quora's duplicates among others,
    and the cross-encoder on Quora's labels: of Quora's own pairs its opinions are not held out. The lists of words
    are English; in other languages numbers and common words still count.

    Examples
    --------
    >>> p = p_same(["How do I learn chess?"] * 2, ["How can I learn chess?", "Why did 3 people learn chess?"])
    >>> bool(p[0] > 0.5 > p[1])
    True
    """
    return sigmoid(judge_of(model, progress=progress).log_odds(left, right))


class Answers:
    """The answers of a judge about pairs of sentences of a graph: each, in either order, is asked for once.

    `model` is as for `judge_of`, which is asked for the judge when a pair is. Each pair takes 16 bytes.
    """

    def __init__(self, graph: ParaphraseGraph, model: Any):
        self.graph, self.model, self._judge = graph, named(model), None
        self._pairs, self._log_odds = np.array([np.iinfo(np.int64).max]), np.array([np.nan])  # sorted; a guard

    def __call__(self, a: np.ndarray, b: np.ndarray, *, progress: bool = True) -> np.ndarray:
        """Return the log-odds that the sentences of pairs of nodes mean the same: float64."""
        pairs = np.minimum(a, b).astype(np.int64) * self.graph.n + np.maximum(a, b)
        new = np.unique(pairs[self._pairs[np.searchsorted(self._pairs, pairs)] != pairs])
        if len(new):
            self._judge = self._judge or judge_of(self.model, progress=progress)
            found = self._judge.log_odds(*map(self.graph.texts, divmod(new, self.graph.n)))
            at = np.searchsorted(self._pairs, new)
            self._log_odds, self._pairs = np.insert(self._log_odds, at, found), np.insert(self._pairs, at, new)
        return self._log_odds[np.searchsorted(self._pairs, pairs)]
