"""A logistic regression on a few similarities of words and characters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
import pandas as pd

from ...measure.logistic import fit_logistic
from ..labels import training_labels
from .regression import Regression, numbers, sentences_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["NAMES", "WORD", "TfidfPairs", "count", "rarity", "similarities"]

WORD = r"(?u)\b\w+\b"  # one-letter words too: "C", "I", "x"

NAMES = ("words", "pairs of words", "characters", "shared words", "length")
#: N-grams are hashed into this many columns: no vocabulary to keep, and an unseen word has a place of its own.
COLUMNS = 2**20
_GRAMS = (
    {"analyzer": "word", "ngram_range": (1, 1), "token_pattern": WORD},
    {"analyzer": "word", "ngram_range": (2, 2), "token_pattern": WORD},
    {"analyzer": "char_wb", "ngram_range": (3, 3)},
)


class TfidfPairs(Regression):
    """TF-IDF similarities and logistic regression: a model of shared words alone.

    The columns: cosines of the TF-IDF vectors of words, of pairs of neighbouring words and of triples of characters;
    shared words among all words (Jaccard); the shorter length over the longer one. Document frequencies are those of
    the distinct training sentences; a word that is not in them counts as the rarest.

    Examples
    --------
    >>> import paragraph as pg
    >>> pairs = pg.read_pairs(pg.DEMO)
    >>> model = TfidfPairs().fit(pairs)
    >>> new = pd.DataFrame({"text_a": ["Is tea hot?"] * 2, "text_b": ["Is hot tea hot?", "Who won?"]})
    >>> (model.predict_proba(new) > 0.5).tolist()
    [True, False]
    """

    name = "tfidf"
    trained_on = ""
    _file, _width = "tfidf_pairs.npz", len(NAMES)

    def __init__(self, seed: int = 0):
        self.seed = seed

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> Self:
        """Learn from labelled pairs; `dev` is not used."""
        label = training_labels(train)
        a, b, texts = sentences_of(train)
        grams = count(texts)
        self._idf = rarity(grams)
        self._logistic = fit_logistic(similarities(texts, grams, a, b, self._idf), label)
        return self

    def predict_proba(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each pair."""
        logistic = self._fitted
        if not len(pairs):
            return np.empty(0)
        a, b, texts = sentences_of(pairs)
        return logistic.probability(similarities(texts, count(texts), a, b, self._idf))

    def _kept(self) -> dict[str, np.ndarray]:
        return {f"idf{i}": rare for i, rare in enumerate(self._idf)}

    @classmethod
    def _from(cls, arrays: dict[str, np.ndarray], path: Path) -> Self:
        model = cls()
        model._idf = [numbers(arrays.pop(f"idf{i}"), COLUMNS) for i in range(len(_GRAMS))]
        return model


def count(texts: Sequence[str]) -> list[csr_array]:
    """Count the words, pairs of words and triples of characters of each sentence, without regard to case."""
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import HashingVectorizer

    plain = {"n_features": COLUMNS, "norm": None, "alternate_sign": False}
    return [csr_array(HashingVectorizer(**plain, **kind).transform(texts)) for kind in _GRAMS]


def rarity(grams: list[csr_array]) -> list[np.ndarray]:
    """The inverse document frequency of each column, for each kind of n-gram: ln((1 + n) / (1 + df)) + 1."""
    return [np.log((1 + g.shape[0]) / (1 + np.bincount(g.indices, minlength=COLUMNS))) + 1 for g in grams]


def similarities(
    texts: Sequence[str], grams: list[csr_array], a: np.ndarray, b: np.ndarray, idf: list[np.ndarray]
) -> np.ndarray:
    """The similarities of sentences a and b, elementwise: float64, one column for each of `NAMES`.

    Examples
    --------
    >>> texts = ["Is tea hot?", "Is tea cold?"]
    >>> columns = similarities(texts, count(texts), np.array([0]), np.array([1]), rarity(count(texts)))
    >>> dict(zip(NAMES, columns[0].round(2).tolist()))
    {'words': 0.5, 'pairs of words': 0.34, 'characters': 0.36, 'shared words': 0.5, 'length': 0.92}
    """
    from sklearn.preprocessing import normalize

    def products(rows: csr_array) -> np.ndarray:
        return np.asarray(rows[a].multiply(rows[b]).sum(axis=1), dtype=np.float64).ravel()

    columns = []
    for rows, rare in zip(grams, idf, strict=True):
        weighted = rows.copy()
        weighted.data *= rare[weighted.indices]
        columns.append(products(normalize(weighted, copy=False)))
    words = grams[0].sign()
    shared, size = products(words), words.sum(axis=1)
    either = np.maximum(size[a] + size[b] - shared, 1)
    long = np.array([len(text) for text in texts], dtype=np.float64)
    short, long = np.minimum(long[a], long[b]), np.maximum(long[a], long[b])
    return np.column_stack([*columns, shared / either, short / np.maximum(long, 1)])
