"""How alike two sentences are by the words and characters they share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["COLUMNS", "GRAMS", "NAMES", "Counted", "count", "rarity", "similarities"]

NAMES = ("words", "pairs of words", "characters", "shared words", "length")

#: N-grams are hashed into so many columns: no vocabulary to keep, and an unseen word has a place of its own.
COLUMNS = 2**20
_WORD = r"(?u)\b\w+\b"  # one-letter words too: "C", "I", "x"
GRAMS = (
    {"analyzer": "word", "ngram_range": (1, 1), "token_pattern": _WORD},
    {"analyzer": "word", "ngram_range": (2, 2), "token_pattern": _WORD},
    {"analyzer": "char_wb", "ngram_range": (3, 3)},
)


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
