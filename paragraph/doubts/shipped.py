"""Judges that ship: words, MiniLM with its cross-encoder, and a model of the file's own labels."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.arrays import Array
from ..learn.logistic import Weights, fit_logistic, sigmoid
from ..words.difference import COLUMNS as WORDS
from ..words.difference import Vocabulary, differences, seems_english

__all__ = [
    "COLUMNS", "LABELS_PER_WEIGHT", "NATURAL", "SHARE", "by_minilm", "by_words", "compared", "in_english",
    "log_odds_by_words", "own_opinion", "rarer", "sameness",
]  # fmt: skip

Texts = Sequence[str]
#: Columns of `sameness`; the last two only with a model.
COLUMNS = [
    *WORDS,
    "cosine",  # of the two sentences' vectors
    "worst",  # mean of the two worst matches between their words (`learn.word_vectors`)
]
#: The share of pairs that mean the same, among unlabelled pairs inside clusters: two blind readings of 617 such pairs
#: of Quora's, drawn uniformly over clusters, agreed on 462.
SHARE = 462 / 617
#: Its log-odds.
NATURAL = float(np.log(SHARE / (1 - SHARE)))
#: A vocabulary in which every word is equally rare and capitals mark names: the result for a pair then depends on the
#: pair alone. Rarity in a corpus adds nothing to the fit.
NO_CORPUS = Vocabulary({}, frozenset())
#: Fitted by `python -m benchmarks.sameness DATA_FOLDER --ship`.
SHIPPED = Path(__file__).with_name("same.json")
#: The cross-encoder beside it; made by `python -m benchmarks.together DATA_FOLDER WORK_FOLDER --ship`.
TOGETHER = Path(__file__).with_name("together")
#: The least number of labels of the rarer sign, per weight, for a fit that can be trusted (Peduzzi and others
#: 1996 ask for 10 if the rows are independent; pairs that share sentences are not).
LABELS_PER_WEIGHT = 20
#: `compared` and `in_english`, once per graph: a large corpus takes seconds, and several reasons need them.
_COMPARED: WeakKeyDictionary[ParaphraseGraph, list[pd.DataFrame]] = WeakKeyDictionary()
_ENGLISH: WeakKeyDictionary[ParaphraseGraph, bool] = WeakKeyDictionary()


def sameness(
    left: Texts,
    right: Texts,
    model: str | os.PathLike | None = None,
    *,
    progress: bool = True,
) -> pd.DataFrame:
    """Columns that show whether two sentences mean the same (`COLUMNS`): one row per pair.

    Only the two sentences count: no label, neither the pair's own nor another's, and no cluster. So positives of a
    family ("… in Italy", "… in Portugal") cannot support each other.

    Parameters
    ----------
    model : str or path, optional
        As for `learn.encode`. Without one, words alone: the columns `cosine` and `worst` are left out.

    Examples
    --------
    >>> sameness(["May hamsters eat nuts?"], ["May 3 hamsters eat honey?"])[["swapped", "number_added", "overlap"]]
       swapped  number_added   overlap
    0      1.0           1.0  0.666667
    """
    table = differences(left, right, [NO_CORPUS], progress=progress)[0].astype(float)
    if model is None:
        return table
    from ..learn.word_vectors import word_matches

    return table.assign(**word_matches(left, right, model, progress=progress))


def by_words(left: Texts, right: Texts, *, progress: bool = True) -> Array:
    """P(same) of two sentences by words alone, for pairs with the natural share of same meanings.

    Its logistic regression, like that of `by_minilm`, was fitted on pairs inside clusters of Quora Question Pairs
    that no row labels, each judged in two blind readings by a language model (docs/evidence.md). The lists of words
    are English; in other languages numbers and common words still count.
    """
    table = sameness(left, right, progress=progress)
    return sigmoid(log_odds_by_words(table))


def log_odds_by_words(table: pd.DataFrame) -> Array:
    """The log-odds that two sentences mean the same by words alone, from their `differences` by no corpus."""
    weights = Weights.read(SHIPPED, "words")
    return weights.log_odds(table) + NATURAL


def by_minilm(left: Texts, right: Texts, *, progress: bool = True) -> Array:
    """P(same) of two sentences by MiniLM and its cross-encoder, as for `by_words`; kept on disk by pair.

    MiniLM was trained on Quora's duplicates among others, and the cross-encoder on Quora's labels: both have seen
    Quora's own pairs.

    Examples
    --------
    >>> p = by_minilm(["How do I learn chess?"] * 2, ["How can I learn chess?", "Why did 3 people learn chess?"])
    >>> bool(p[0] > 0.5 > p[1])
    True
    """
    from ..learn.encoder import describe

    about = describe("minilm")  # its error says what is not installed
    from ..learn.adapter import Adapter
    from ..learn.cache import cached_rows
    from ..learn.tokens import arithmetic, pick_device

    def ask(pairs: Sequence[tuple[str, str]]) -> Array:
        texts = [*map(list, zip(*pairs, strict=True))]
        table = sameness(*texts, "minilm", progress=False)
        cross_encoder = Adapter(TOGETHER, progress=False)
        table["together"] = cross_encoder.logits(*texts)
        weights = Weights.read(SHIPPED, "together")
        return weights.log_odds(table)[:, None]

    # The name of the cache changes with everything that a judgement depends on.
    digest = hashlib.blake2b(digest_size=12)
    for path in (SHIPPED, *sorted(TOGETHER.glob("*"))):
        digest.update(path.read_bytes())
    name = f"{about.fingerprint[:24]}-same-{digest.hexdigest()}-{arithmetic(pick_device())}"
    # the same in either order
    pairs = [tuple(sorted(pair)) for pair in zip(left, right, strict=True)]
    z = cached_rows(name, 1, pairs, ask, "reading pairs", block=8192, progress=progress)
    return sigmoid(z[:, 0].astype(float) + NATURAL)


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
        left = graph.texts(graph.edge_a)
        right = graph.texts(graph.edge_b)
        _COMPARED[graph] = differences(left, right, [None, NO_CORPUS], progress=progress)
    return _COMPARED[graph]


def own_opinion(graph: ParaphraseGraph) -> Array:
    """The log-odds that each edge is truly positive, by a logistic regression of the stated labels on words.

    The label of a pair is no column of its own evidence: a wrong label makes the weights less sharp, but cannot hide.
    With fewer than `LABELS_PER_WEIGHT` labels of the rarer sign per column, all are NaN.
    """
    table = compared(graph)[0]
    positive = graph.edge_sign > 0
    if rarer(positive) < LABELS_PER_WEIGHT * table.shape[1]:
        return np.full(len(table), np.nan)
    fitted = fit_logistic(table.to_numpy(float), positive)
    return Weights([*table], fitted).log_odds(table)


def rarer(positive: Array) -> int:
    """The number of labels of the rarer sign."""
    return min(np.count_nonzero(positive), np.count_nonzero(~positive))


def in_english(graph: ParaphraseGraph) -> bool:
    """Return True if the sentences seem to be English, like the word lists; else warn, once per graph."""
    if graph not in _ENGLISH:
        first = range(min(graph.n, 1000))
        _ENGLISH[graph] = seems_english(graph.texts(first))
        if not _ENGLISH[graph]:
            warnings.warn(
                "the sentences do not seem to be English, but the lists of words (negations, questions …) and the "
                "judge 'minilm' are: reasons leave these words out; name a judge for your language",
                stacklevel=3,
            )
    return _ENGLISH[graph]
