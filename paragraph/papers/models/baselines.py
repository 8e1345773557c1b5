"""Baselines: logistic regressions on columns of a pair, by shared words and by frozen sentence embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Self

import numpy as np
import pandas as pd

from ...files import PairsError
from ...learn.encoder import describe
from ...learn.logistic import Logistic, fit_logistic
from ...learn.vectors import encode, unit
from .labels import training_labels

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = [
    "NAMES",
    "WORD",
    "EmbeddingPairs",
    "Regression",
    "TfidfPairs",
    "similarities",
]

#: Pairs whose columns are in memory at once when probabilities are computed.
_CHUNK = 20_000
#: Rows from which a slight ridge is as good as any.
ENOUGH = 20_000


class Regression:
    """A logistic regression on columns of pairs.

    A subclass has ``read(texts, learn)``, the features computed once per sentence, and ``columns(read, a, b)``, the
    columns of pairs of those sentences.
    """

    deterministic = True
    ridge = 1.0
    _logistic: Logistic | None = None

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> Self:
        """Learn from labelled pairs; `dev` is not used."""
        label = training_labels(train)
        a, b, texts = _sentences_of(train)
        read = self.read(texts, learn=True)
        columns = self.columns(read, a, b)
        ridge = self.ridge if len(label) < ENOUGH else 1.0
        self._logistic = fit_logistic(columns, label, ridge)
        return self

    def predict_proba(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each pair."""
        if self._logistic is None:
            raise PairsError(f"the model {self.name} is not fitted: call fit(train) first")
        found = np.empty(len(pairs))
        if len(pairs):
            a, b, texts = _sentences_of(pairs)
            read = self.read(texts)
            for start in range(0, len(pairs), _CHUNK):
                rows = slice(start, start + _CHUNK)
                columns = self.columns(read, a[rows], b[rows])
                found[rows] = self._logistic.probability(columns)
        return found


def _sentences_of(pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """The numbers of each pair's two sentences, and the distinct sentences of the table."""
    sides = [pairs["text_a"], pairs["text_b"]]
    both = pd.concat(sides, ignore_index=True)
    codes, texts = pd.factorize(both)
    n = len(pairs)
    return codes[:n], codes[n:], list(texts)


# -- shared words --------------------------------------------------------------------------------------------

WORD = r"(?u)\b\w+\b"  # one-letter words too: "C", "I", "x"

NAMES = ("words", "pairs of words", "characters", "shared words", "length")
#: N-grams are hashed into this many columns: no vocabulary is kept, and an unseen word has its own column.
COLUMNS = 2**20
_GRAMS = (
    {"analyzer": "word", "ngram_range": (1, 1), "token_pattern": WORD},
    {"analyzer": "word", "ngram_range": (2, 2), "token_pattern": WORD},
    {"analyzer": "char_wb", "ngram_range": (3, 3)},
)


class TfidfPairs(Regression):
    """TF-IDF similarities and logistic regression: a model that sees only shared words.

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

    def __init__(self, seed: int = 0, *, progress: bool = True):
        self.seed = seed

    def read(self, texts: Sequence[str], learn: bool = False) -> tuple[list[csr_array], np.ndarray]:
        """The TF-IDF vectors of the sentences, one array for each kind of n-gram, and their lengths.

        With `learn`, the inverse document frequencies come from these sentences: ln((1 + n) / (1 + df)) + 1.
        """
        from scipy.sparse import csr_array
        from sklearn.feature_extraction.text import HashingVectorizer
        from sklearn.preprocessing import normalize

        plain = {"n_features": COLUMNS, "norm": None, "alternate_sign": False}
        grams = []
        for kind in _GRAMS:
            counts = HashingVectorizer(**plain, **kind).transform(texts)
            grams.append(csr_array(counts))
        if learn:
            self._idf = []
            for rows in grams:
                holding = np.bincount(rows.indices, minlength=COLUMNS)
                one_in = (1 + len(texts)) / (1 + holding)
                self._idf.append(np.log(one_in) + 1)
        for rows, rare in zip(grams, self._idf, strict=True):
            rows.data *= rare[rows.indices]
        grams = [normalize(rows, copy=False) for rows in grams]
        lengths = [len(text) for text in texts]
        return grams, np.array(lengths, dtype=np.float64)

    def columns(
        self, read: tuple[list[csr_array], np.ndarray], a: np.ndarray, b: np.ndarray
    ) -> np.ndarray:
        return similarities(*read, a, b)


def similarities(
    grams: list[csr_array], lengths: np.ndarray, a: np.ndarray, b: np.ndarray
) -> np.ndarray:
    """The similarities of sentences a and b, elementwise: float64, one column for each of `NAMES`.

    `grams` are the TF-IDF vectors of the sentences for each kind of n-gram, words first.

    Examples
    --------
    >>> model = TfidfPairs()
    >>> read = model.read(["Is tea hot?", "Is tea cold?"], learn=True)
    >>> columns = similarities(*read, np.array([0]), np.array([1]))
    >>> dict(zip(NAMES, columns[0].round(2).tolist()))
    {'words': 0.5, 'pairs of words': 0.34, 'characters': 0.36, 'shared words': 0.5, 'length': 0.92}
    """

    def products(rows: csr_array) -> np.ndarray:
        products = rows[a].multiply(rows[b])
        sums = products.sum(axis=1)
        return np.asarray(sums, dtype=np.float64).ravel()

    words = grams[0].sign()
    shared = products(words)
    size = words.sum(axis=1)
    either = size[a] + size[b] - shared
    short = np.minimum(lengths[a], lengths[b])
    long = np.maximum(lengths[a], lengths[b])
    columns = list(map(products, grams))
    columns.append(shared / np.maximum(either, 1))
    columns.append(short / np.maximum(long, 1))
    return np.column_stack(columns)


# -- embeddings ----------------------------------------------------------------------------------------------


class EmbeddingPairs(Regression):
    """Frozen sentence embeddings and logistic regression on |u − v|, u∘v (elementwise) and their cosine.

    u and v are the embeddings (`encode`) of the two sentences, divided by their lengths: 2 d + 1 columns that do not
    depend on the order of the two. With few rows and many columns, a fit without a strong penalty memorizes the
    sentences: of ridges from 1 to 10⁴, cross-validation by clusters chose this one on 1,100 to 4,800 rows of the demo
    corpus and of Quora's pairs, where it is worth 3 to 7 points of accuracy.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder.
    """

    ridge = 1e3

    def __init__(self, model: str | PathLike = "minilm", seed: int = 0, *, progress: bool = True):
        about = describe(model)
        self.model = model
        self.seed = seed
        self.progress = progress
        self.name = f"embedding ({about.name})"
        self.trained_on = about.trained_on

    def read(self, texts: Sequence[str], learn: bool = False) -> np.ndarray:
        vectors = encode(texts, self.model, progress=self.progress)
        return unit(vectors)

    def columns(self, read: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """|u − v|, u∘v and the cosine of rows of unit length: (n, 2 d + 1)."""
        u = read[a]
        v = read[b]
        products = u * v
        dot = products.sum(axis=1)
        apart = np.abs(u - v)
        return np.column_stack([apart, products, dot])
