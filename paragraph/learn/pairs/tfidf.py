"""Logistic regression on a few similarities of words and characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from ...measure.logistic import Logistic, fit_logistic
from ...pairs import PairsError
from ...pairs.errors import intact
from ...pairs.outputs import together
from ..labels import training_labels

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Regression", "TfidfPairs"]

NAMES = ("words", "pairs of words", "characters", "shared words", "length")

#: N-grams are hashed into so many columns: no vocabulary to keep, and an unseen word has a place of its own.
COLUMNS = 2**20
_WORD = r"(?u)\b\w+\b"  # one-letter words too: "C", "I", "x"
GRAMS = (
    {"analyzer": "word", "ngram_range": (1, 1), "token_pattern": _WORD},
    {"analyzer": "word", "ngram_range": (2, 2), "token_pattern": _WORD},
    {"analyzer": "char_wb", "ngram_range": (3, 3)},
)


class Regression:
    """A logistic regression on columns of pairs, kept as plain arrays in one file."""

    deterministic = True
    _file: ClassVar[str]
    _logistic: Logistic | None = None

    @property
    def _fitted(self) -> Logistic:
        if self._logistic is None:
            raise PairsError(f"the model {self.name} is not fitted: call fit(train) first")
        return self._logistic

    @property
    def weights(self) -> pd.Series:
        """The weight of each column in the log-odds, per standard deviation of it among the training pairs."""
        return pd.Series(self._fitted.weight, index=self._columns(), name="weight")

    def save(self, folder: str | PathLike) -> None:
        """Write the fitted model as plain arrays."""
        arrays = self._fitted._asdict() | self._kept()
        with together(folder) as stage:
            np.savez_compressed(stage / self._file, **arrays)

    @classmethod
    def load(cls, folder: str | PathLike) -> Any:
        """A fitted model that `save` has written."""
        with _saved(cls, folder) as arrays:
            model = cls._from(arrays)
            found = Logistic(**arrays)
            columns = len(model._columns())
            model._logistic = Logistic(*(numbers(row, columns) for row in found[:3]), float(numbers(found.bias)))
        return model


@contextmanager
def _saved(kind: type[Regression], folder: str | PathLike) -> Iterator[dict[str, np.ndarray]]:
    """The arrays of a saved model; what cannot be made of them is told as damage of their file."""
    path = Path(folder, kind._file)
    if not path.is_file():
        raise PairsError(f"{path} is missing: name a folder that {kind.__name__}.save has written")
    with intact(path, "it is damaged: train the model and save it again"), np.load(path) as arrays:
        yield dict(arrays)


def numbers(array: np.ndarray, *shape: int) -> np.ndarray:
    """An array that was read, if it holds finite numbers and has this shape."""
    if array.dtype.kind != "f" or array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"an array of {array.dtype}, {array.shape}, where numbers are expected, {shape}")
    return array


def sentences_of(pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """The numbers of each pair's two sentences, and the distinct sentences of the table."""
    codes, texts = pd.factorize(pd.concat([pairs["text_a"], pairs["text_b"]], ignore_index=True))
    return codes[: len(pairs)], codes[len(pairs) :], list(texts)


class TfidfPairs(Regression):
    """TF-IDF similarities and logistic regression: a model of shared words alone.

    The columns: cosines of the TF-IDF vectors of words, of pairs of neighbouring words and of triples of
    characters; shared words among all words (Jaccard); the shorter length over the longer one. None depends
    on the order of the two sentences. Document frequencies are those of the distinct training sentences;
    a word that is not in them counts as the rarest.

    Parameters
    ----------
    seed : int
        Changes nothing: the model is deterministic.

    Examples
    --------
    >>> import paragraph as pg
    >>> pairs = pg.read_pairs(pg.DEMO)
    >>> model = TfidfPairs().fit(pairs)
    >>> model.weights.index.tolist()
    ['words', 'pairs of words', 'characters', 'shared words', 'length']
    >>> new = pd.DataFrame({"text_a": ["Is tea hot?"] * 2, "text_b": ["Is hot tea hot?", "Who won?"]})
    >>> (model.predict_proba(new) > 0.5).tolist()
    [True, False]
    """

    name = "tfidf"
    trained_on = ""
    _file = "tfidf_pairs.npz"

    def __init__(self, seed: int = 0):
        self.seed = seed

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> TfidfPairs:
        """Learn from labelled pairs; `dev` is not used."""
        label = training_labels(train)
        a, b, texts = sentences_of(train)
        counted = count(texts)
        self._idf = rarity(counted)
        self._logistic = fit_logistic(similarities(counted, a, b, self._idf), label)
        return self

    def predict_proba(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each pair."""
        logistic = self._fitted
        if not len(pairs):
            return np.empty(0)
        a, b, texts = sentences_of(pairs)
        return logistic.probability(similarities(count(texts), a, b, self._idf))

    def _columns(self) -> list[str]:
        return list(NAMES)

    def _kept(self) -> dict[str, np.ndarray]:
        return {f"idf{i}": rare for i, rare in enumerate(self._idf)}

    @classmethod
    def _from(cls, arrays: dict[str, np.ndarray]) -> TfidfPairs:
        model = cls()
        model._idf = [numbers(arrays.pop(f"idf{i}"), COLUMNS) for i in range(len(GRAMS))]
        return model


class Counted(NamedTuple):
    """Sentences as counts."""

    grams: list[csr_array]  #: of words, pairs of words, triples of characters: sentences × columns
    length: np.ndarray  #: characters of each sentence


def count(texts: Sequence[str]) -> Counted:
    """Count the n-grams of each sentence, without regard to case."""
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import HashingVectorizer

    plain = {"n_features": COLUMNS, "norm": None, "alternate_sign": False}
    grams = [csr_array(HashingVectorizer(**plain, **kind).transform(texts)) for kind in GRAMS]
    return Counted(grams, np.array([len(text) for text in texts], dtype=np.float64))


def rarity(counted: Counted) -> list[np.ndarray]:
    """The inverse document frequency of each column, for each kind of n-gram: ln((1 + n) / (1 + df)) + 1."""
    n = len(counted.length)
    return [np.log((1 + n) / (1 + np.bincount(rows.indices, minlength=COLUMNS))) + 1 for rows in counted.grams]


def similarities(counted: Counted, a: np.ndarray, b: np.ndarray, idf: list[np.ndarray]) -> np.ndarray:
    """The similarities of sentences a and b, elementwise: float64, one column for each of `NAMES`.

    Examples
    --------
    >>> counted = count(["Is tea hot?", "Is tea cold?"])
    >>> columns = similarities(counted, np.array([0]), np.array([1]), rarity(counted))
    >>> dict(zip(NAMES, columns[0].round(2).tolist()))
    {'words': 0.5, 'pairs of words': 0.34, 'characters': 0.36, 'shared words': 0.5, 'length': 0.92}
    """
    cosines = [_products(_weighted(rows, rare), a, b) for rows, rare in zip(counted.grams, idf, strict=True)]
    words = counted.grams[0].sign()
    shared, size = _products(words, a, b), words.sum(axis=1)
    either = np.maximum(size[a] + size[b] - shared, 1)
    long = np.maximum(counted.length[a], counted.length[b])
    short = np.minimum(counted.length[a], counted.length[b])
    return np.column_stack([*cosines, shared / either, short / np.maximum(long, 1)])


def _weighted(rows: csr_array, idf: np.ndarray) -> csr_array:
    """TF-IDF vectors of unit length."""
    from sklearn.preprocessing import normalize

    weighted = rows.copy()
    weighted.data *= idf[weighted.indices]
    return normalize(weighted, copy=False)


def _products(rows: csr_array, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The scalar products of rows a and b of a sparse matrix."""
    return np.asarray(rows[a].multiply(rows[b]).sum(axis=1), dtype=np.float64).ravel()
