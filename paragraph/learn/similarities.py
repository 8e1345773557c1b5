"""How alike two sentences are by the words and characters they share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["NAMES", "Similarities"]

NAMES = ("words", "pairs of words", "characters", "shared words", "length")

#: N-grams are hashed into so many columns: no vocabulary to keep, and an unseen word has a place of its own.
_COLUMNS = 2**20
_WORD = r"(?u)\b\w+\b"  # one-letter words too: "C", "I", "x"
_GRAMS = (
    {"analyzer": "word", "ngram_range": (1, 1), "token_pattern": _WORD},
    {"analyzer": "word", "ngram_range": (2, 2), "token_pattern": _WORD},
    {"analyzer": "char_wb", "ngram_range": (3, 3)},
)


class Similarities:
    """Similarities of sentences, with document frequencies taken from the sentences given.

    Examples
    --------
    >>> alike = Similarities(["Is tea hot?", "Is tea cold?"])
    >>> columns = alike.of(np.array([0, 0]), np.array([0, 1]), ["Is tea hot?", "Is tea cold?"])
    >>> dict(zip(NAMES, columns[1].round(2).tolist()))
    {'words': 0.5, 'pairs of words': 0.34, 'characters': 0.36, 'shared words': 0.5, 'length': 0.92}
    """

    def __init__(self, texts: Sequence[str]):
        from sklearn.feature_extraction.text import TfidfTransformer

        self._idf = [TfidfTransformer().fit(_counts(texts, grams)) for grams in _GRAMS]

    def of(self, a: np.ndarray, b: np.ndarray, texts: Sequence[str]) -> np.ndarray:
        """The similarities of the pairs (texts[a], texts[b]): float64, one column for each of `NAMES`."""
        columns = np.empty((len(a), len(NAMES)))
        for at, (grams, idf) in enumerate(zip(_GRAMS, self._idf, strict=True)):
            counts = _counts(texts, grams)
            if at == 0:
                present = counts.sign()
                size = present.sum(axis=1)
                shared = _products(present, a, b)
                columns[:, 3] = shared / np.maximum(size[a] + size[b] - shared, 1)
            columns[:, at] = _products(idf.transform(counts), a, b)
        length = np.array([len(text) for text in texts], dtype=np.float64)
        columns[:, 4] = np.minimum(length[a], length[b]) / np.maximum(np.maximum(length[a], length[b]), 1)
        return columns


def _counts(texts: Sequence[str], grams: dict):
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import HashingVectorizer

    hashed = HashingVectorizer(n_features=_COLUMNS, norm=None, alternate_sign=False, **grams)
    return csr_array(hashed.transform(texts))


def _products(rows, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The scalar products of rows a and b of a sparse matrix."""
    return np.asarray(rows[a].multiply(rows[b]).sum(axis=1), dtype=np.float64).ravel()
