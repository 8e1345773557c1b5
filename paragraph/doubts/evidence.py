"""Evidence for and against each stated label, except the label itself, as calibrated log-odds."""

from __future__ import annotations

import warnings
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..learn.logistic import Weights, fit_logistic
from ..words.difference import differences, seems_english

__all__ = ["DECIDED", "ERROR_RATE", "evidence", "evidence_log_odds", "in_english", "label_log_odds"]

#: The assumed error rate of each label, if nothing better is known.
ERROR_RATE = 0.05

#: Weights fitted on a large public corpus, for data too small to fit their own.
SHIPPED = Path(__file__).with_name("evidence.json")
#: Stated labels of the rarer kind per weight, below which a fit cannot be trusted (Peduzzi and others 1996 ask for 10
#: if the rows are independent; pairs that share sentences are not).
LABELS_PER_WEIGHT = 20
#: Log-odds of a pair that a person has decided: stronger than any label, yet not beyond all doubt.
DECIDED = 12.0
#: Computed once per graph: it takes seconds for a large corpus, and repair, suspects and the review all ask for it.
_DIFFERENCES: WeakKeyDictionary[ParaphraseGraph, pd.DataFrame] = WeakKeyDictionary()
_ENGLISH: WeakKeyDictionary[ParaphraseGraph, bool] = WeakKeyDictionary()


def evidence(graph: ParaphraseGraph, *, progress: bool = True) -> pd.DataFrame:
    """Make the table of evidence: how the words of each edge's sentences differ (`differences`), whatever its label.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["Is it far?"], "text_b": ["Is it far from Rome?"], "label": [1]})
    >>> evidence(ParaphraseGraph.from_pairs(pairs))[["added", "name_added"]]
       added  name_added
    0    1.0         1.0
    """
    if graph not in _DIFFERENCES:
        texts = np.array(graph.sentences.to_pylist(), dtype=object)
        _DIFFERENCES[graph] = differences(texts[graph.edge_a], texts[graph.edge_b], progress=progress)
    return _DIFFERENCES[graph]


def evidence_log_odds(graph: ParaphraseGraph, *, progress: bool = True) -> np.ndarray:
    """The log-odds that each edge is truly positive, by evidence other than the labels of any edge.

    Logistic regression of the stated labels on the evidence. The label of a pair never enters its own evidence, so a
    wrong one makes the weights less sharp, but cannot hide. With fewer than `LABELS_PER_WEIGHT` labels of the rarer
    kind per column, the shipped weights are used.
    """
    table = evidence(graph, progress=progress)
    positive = graph.edge_sign > 0
    if min(np.count_nonzero(positive), np.count_nonzero(~positive)) >= LABELS_PER_WEIGHT * table.shape[1]:
        return Weights([*table], fit_logistic(table.to_numpy(float), positive)).log_odds(table)
    return Weights.read(SHIPPED, "evidence").log_odds(table)


def label_log_odds(graph: ParaphraseGraph) -> np.ndarray:
    """Return the log-odds that each edge is truly positive by its rows alone, each wrong independently at one rate.

    Every row adds ± log((1 − ε) / ε); a pair with equally many rows of both labels has log-odds 0.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "b"], "text_b": ["b", "a", "c"], "label": [1, 1, 0]})
    >>> label_log_odds(ParaphraseGraph.from_pairs(pairs)).round(2)
    array([ 5.89, -2.94])
    """
    rows = graph.edge_n_positive.astype(float) - graph.edge_n_negative
    return rows * np.log((1 - ERROR_RATE) / ERROR_RATE)


def in_english(graph: ParaphraseGraph) -> bool:
    """Return True if the sentences seem to be English, like the word lists; else warn, once per graph."""
    if graph not in _ENGLISH:
        _ENGLISH[graph] = seems_english(graph.texts(np.arange(min(graph.n, 1000))))
        if not _ENGLISH[graph]:
            warnings.warn(
                "the sentences do not seem to be English, but the lists of words (negations, questions …) are, "
                "so reasons leave them out; only the graph and a model, if there is one, help",
                stacklevel=3,
            )
    return _ENGLISH[graph]
