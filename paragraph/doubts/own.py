"""A file's own opinion of its labels, by the words in which sentences differ."""

from __future__ import annotations

import warnings
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..learn.logistic import Weights, fit_logistic
from ..words.difference import differences, seems_english
from .judges import NO_CORPUS

__all__ = ["LABELS_PER_WEIGHT", "compared", "in_english", "own_opinion"]

#: Weights fitted on a large public corpus, for data too small to fit their own.
SHIPPED = Path(__file__).with_name("own.json")
#: Stated labels of the rarer kind per weight, below which a fit cannot be trusted (Peduzzi and others 1996 ask for 10
#: if the rows are independent; pairs that share sentences are not).
LABELS_PER_WEIGHT = 20
#: Computed once per graph: it takes seconds for a large corpus, and several reasons ask for it.
_COMPARED: WeakKeyDictionary[ParaphraseGraph, list[pd.DataFrame]] = WeakKeyDictionary()
_ENGLISH: WeakKeyDictionary[ParaphraseGraph, bool] = WeakKeyDictionary()


def compared(graph: ParaphraseGraph, *, progress: bool = True) -> list[pd.DataFrame]:
    """The `differences` of each edge's sentences, whatever its label: by the words of the graph, and by no corpus.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["Is it far?"], "text_b": ["Is it far from Rome?"], "label": [1]})
    >>> compared(ParaphraseGraph.from_pairs(pairs))[0][["added", "name_added"]]
       added  name_added
    0    1.0         1.0
    """
    if graph not in _COMPARED:
        texts = np.array(graph.sentences.to_pylist(), dtype=object)
        ends = texts[graph.edge_a], texts[graph.edge_b]
        _COMPARED[graph] = differences(*ends, [None, NO_CORPUS], progress=progress)
    return _COMPARED[graph]


def own_opinion(graph: ParaphraseGraph, *, progress: bool = True) -> np.ndarray:
    """The log-odds that each edge is truly positive, by a model of the stated labels that sees words.

    A logistic regression. The label of a pair never enters its own evidence, so a wrong one makes the weights less
    sharp, but cannot hide. With fewer than `LABELS_PER_WEIGHT` labels of the rarer kind per column, the shipped
    weights are used.
    """
    table, positive = compared(graph, progress=progress)[0], graph.edge_sign > 0
    if min(np.count_nonzero(positive), np.count_nonzero(~positive)) >= LABELS_PER_WEIGHT * table.shape[1]:
        return Weights([*table], fit_logistic(table.to_numpy(float), positive)).log_odds(table)
    return Weights.read(SHIPPED, "evidence").log_odds(table)


def in_english(graph: ParaphraseGraph) -> bool:
    """Return True if the sentences seem to be English, like the word lists; else warn, once per graph."""
    if graph not in _ENGLISH:
        _ENGLISH[graph] = seems_english(graph.texts(np.arange(min(graph.n, 1000))))
        if not _ENGLISH[graph]:
            warnings.warn(
                "the sentences do not seem to be English, but the lists of words (negations, questions …) and the "
                "judge 'minilm' are: reasons leave these words out; name a judge for your language",
                stacklevel=3,
            )
    return _ENGLISH[graph]
