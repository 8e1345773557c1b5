"""Opinions on pairs: the judge that a user means, and its answers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..graph import ParaphraseGraph
from ..graph.arrays import pair_keys
from ..graph.identity import nodes_of
from ..pairs.tables import canonical, refuse
from .judge import Judge, Known
from .logistic import log_odds_of, sigmoid
from .same import by_minilm, by_words

__all__ = ["Answers", "judge_of", "named", "p_same"]


def judge_of(model: Any, *, progress: bool = True) -> Judge:
    """Find or make the judge that a user means.

    Parameters
    ----------
    model
        The first of these that fits:

        - None or ``"none"``: words alone; ``"minilm"``: the judge of this package (`p_same`);
        - a `Judge`, or a function for one;
        - a fitted model: an object with ``name``, ``trained_on`` and ``predict_proba(pairs)``, which gets a table;
        - the folder of an `Adapter`;
        - the folder of a sequence classifier of `transformers`, or its id on the Hugging Face hub: of paraphrases, of
          entailment, or with one output (see `heads.head_of`). Its own code is never run.

        The last three are used as they are: if they were trained on these pairs, they repeat their labels.

    Raises
    ------
    PairsError
        No such model; one without a classification head, or with labels whose meaning is unclear; one with its own
        code; one that regresses on its own scale.
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
    """Return the model that a user names; None for ``"none"``, which the shell passes."""
    return None if isinstance(model, str) and model == "none" else model


def p_same(left: Sequence[str], right: Sequence[str], model: Any = None, *, progress: bool = True) -> np.ndarray:
    """The probability that two sentences of one cluster mean the same, regardless of their label: float64.

    Parameters
    ----------
    left, right : sequences of str
        As for `sameness`.
    model : {"minilm"}, folder, hub id, fitted model, Judge or function of two lists of texts, optional
        See `judge_of`. Without it, words alone. P holds for pairs with the natural share of same meanings; a model of
        yours is assumed to do the same.

    Raises
    ------
    PairsError
        A model that is not available.

    Notes
    -----
    Logistic regressions fitted on pairs inside clusters of Quora Question Pairs that no row labels, each judged in
    two blind readings by a language model (both answers weighted to a half): words alone on 573, with the model on
    1,684. On pairs they have not seen, words alone have an AUC of .66, with the model .79 (MiniLM's cosine alone:
    .70); see `benchmarks.sameness` and `benchmarks.together`. MiniLM was trained on Quora's duplicates among others,
    and the cross-encoder on Quora's labels: on Quora's own pairs, its opinions are not held out. The lists of words
    are English; in other languages numbers and common words still count.

    Examples
    --------
    >>> p = p_same(["How do I learn chess?"] * 2, ["How can I learn chess?", "Why did 3 people learn chess?"])
    >>> bool(p[0] > 0.5 > p[1])
    True
    """
    return sigmoid(judge_of(model, progress=progress).log_odds(left, right))


class Answers:
    """The answers of a judge about pairs of sentences of a graph: each pair, in either order, is asked about once.

    `model` is as for `judge_of`, which finds the judge when the first pair is asked about; or a table of earlier
    answers: `text_a`, `text_b`, in either order, and `model`, P(same). Each pair takes 16 bytes.
    """

    def __init__(self, graph: ParaphraseGraph, model: Any):
        self.graph, self.model, self._judge = graph, named(model), None
        self._pairs, self._log_odds = np.array([np.iinfo(np.int64).max]), np.array([np.nan])  # sorted; a guard
        if isinstance(model, pd.DataFrame):
            table = canonical(model, "a table of answers")
            if "model" not in table:
                raise PairsError("a table of answers needs a column model, P(same)")
            p = pd.to_numeric(table["model"], errors="coerce")
            refuse(table, ~p.between(0, 1), lambda row: f"model {row['model']} is not a probability, from 0 to 1")
            a, b = (nodes_of(graph, table[end].tolist()) for end in ("text_a", "text_b"))
            known = np.minimum(a, b) >= 0
            pairs, first = np.unique(pair_keys(a[known], b[known], graph.n), return_index=True)
            self._keep(pairs, log_odds_of(p.to_numpy(float)[known][first]))

    def __call__(self, a: np.ndarray, b: np.ndarray, *, progress: bool = True) -> np.ndarray:
        """Return the log-odds that the sentences of pairs of nodes mean the same: float64."""
        pairs = pair_keys(a, b, self.graph.n)
        new = np.unique(pairs[self._pairs[np.searchsorted(self._pairs, pairs)] != pairs])
        if len(new):
            left, right = map(self.graph.texts, divmod(new, self.graph.n))
            if isinstance(self.model, pd.DataFrame):
                more = f", and {len(new) - 1:,} more pairs that are asked about" * (len(new) > 1)
                raise PairsError(f"the table of answers lacks {left[0]!r} and {right[0]!r}{more}")
            self._judge = self._judge or judge_of(self.model, progress=progress)
            self._keep(new, self._judge.log_odds(left, right))
        return self._log_odds[np.searchsorted(self._pairs, pairs)]

    def _keep(self, new: np.ndarray, log_odds: np.ndarray) -> None:
        at = np.searchsorted(self._pairs, new)
        self._log_odds, self._pairs = np.insert(self._log_odds, at, log_odds), np.insert(self._pairs, at, new)
