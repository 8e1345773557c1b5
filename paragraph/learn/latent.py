"""Texts as short vectors: those of the same words, and of words that go together, lie close."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..words.tokens import words_of

__all__ = ["latent", "principal"]


def latent(texts: Sequence[str], group: np.ndarray, width: int = 50) -> np.ndarray:
    """A vector for each group of texts, from their words: float64, (groups, at most `width`), unit length or 0.

    TF-IDF of words, then the leading singular vectors: latent semantic analysis (Deerwester et al. 1990).

    Parameters
    ----------
    texts : sequence of str
    group : integer array
        The group of each text, from 0.
    width : int

    Examples
    --------
    >>> texts = ["cats purr", "why do cats purr", "rain falls", "when does rain fall"]
    >>> vectors = latent(texts, np.array([0, 1, 2, 3]))
    >>> alike = vectors @ vectors.T
    >>> bool(alike[0, 1] > .9 > .1 > alike[0, 2])
    True
    """
    from scipy.sparse import csr_array, diags_array
    from scipy.sparse.linalg import svds

    number: dict[str, int] = {}
    words = [
        [number.setdefault(word.casefold(), len(number)) for word in words_of(text) if word[0].isalnum()]
        for text in texts
    ]
    rows = np.repeat(group, [len(some) for some in words])
    columns = np.array([one for some in words for one in some], dtype=np.int64)
    n = int(group.max(initial=-1)) + 1
    counts = csr_array((np.ones(len(columns)), (rows, columns)), shape=(n, max(len(number), 1)))
    counts.sum_duplicates()
    held = np.bincount(counts.indices, minlength=counts.shape[1])
    counts.data = np.log1p(counts.data)
    weighted = counts @ diags_array(np.log((1 + n) / (1 + held)))
    weighted = diags_array(1 / np.maximum(np.sqrt(weighted.multiply(weighted).sum(axis=1)), 1e-12)) @ weighted
    width = min(width, min(weighted.shape) - 1)
    if width < 1 or not weighted.data.any():
        return np.zeros((n, 1))
    left, singular, _ = svds(weighted, width, rng=np.random.default_rng(0))
    return _unit(left * singular)


def principal(vectors: np.ndarray, width: int = 50) -> np.ndarray:
    """The first principal components of rows, most variance first: float64, (n, at most `width`).

    The sign of each is such that its largest entry is positive.

    Examples
    --------
    >>> principal(np.array([[1, 0, 0], [-1, 0, 0], [0, .5, 0], [0, -.5, 0]]), 2).tolist()
    [[1.0, 0.0], [-1.0, 0.0], [0.0, 0.5], [0.0, -0.5]]
    """
    if not len(vectors):
        return np.zeros((0, min(width, vectors.shape[1])))
    centred = vectors - vectors.mean(axis=0, dtype=np.float64)
    _, axes = np.linalg.eigh(centred.T @ centred)
    parts = centred @ axes[:, ::-1][:, :width]
    largest = np.abs(parts).argmax(axis=0)
    return parts * np.where(parts[largest, np.arange(parts.shape[1])] < 0, -1, 1) + 0.0


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
