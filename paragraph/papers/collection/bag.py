"""Counts of words on their leading singular vectors: vectors of texts that know nothing but their words."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from ...files import PairsError
from ...files.errors import as_pairs_error
from ..models.baselines import WORD

__all__ = ["FILE", "BagOfWords"]

FILE = "bag_of_words.npz"


class BagOfWords(NamedTuple):
    """Counts of words on their leading singular vectors (Deerwester et al. 1990).

    No inverse document frequency: what a word is worth is left to be learnt (see `Cosine`).

    Examples
    --------
    >>> bag = BagOfWords.of(["How do cats purr?", "Why do cats purr?", "What is tea?"])
    >>> bag(["cats purr", "nothing known"]).shape, bool(bag(["zebra"]).any())
    ((2, 3), False)
    """

    words: np.ndarray  #: the vocabulary, sorted
    axes: np.ndarray  #: float32, (words, d): the singular vectors
    #: float32, (d,): root mean square of each coordinate of the texts it was fitted to
    scale: np.ndarray

    name = "bow"
    trained_on = ""
    max_length = 10**9

    @classmethod
    def of(cls, texts: Sequence[str], width: int = 300) -> Self:
        """Fit a bag to some texts, with `width` dimensions where they have that many.

        Raises `PairsError` where there is no word in them.
        """
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.utils.extmath import randomized_svd

        counter = CountVectorizer(token_pattern=WORD)
        try:
            counts = counter.fit_transform(texts).astype(np.float32)
        except ValueError:
            raise PairsError(f"there is no word in these {len(texts):,} sentences") from None
        width = min(width, *counts.shape)
        _, value, axes = randomized_svd(counts, width, n_iter=4, random_state=0)
        kept = value > 1e-4 * value[0]
        scale = value[kept] / len(texts) ** 0.5
        words = counter.get_feature_names_out().astype(str)
        axes = axes[kept].T.astype(np.float32)
        return cls(words, axes, scale.astype(np.float32))

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors of texts: float32, (n, d); zero where no word is known."""
        from sklearn.feature_extraction.text import CountVectorizer

        counter = CountVectorizer(token_pattern=WORD, vocabulary=self.words)
        counts = counter.transform(texts).astype(np.float32)
        return np.asarray(counts @ self.axes)

    def save(self, folder: str | PathLike) -> None:
        np.savez(Path(folder, FILE), **self._asdict())

    @classmethod
    def load(cls, folder: str | PathLike) -> Self:
        """Read what `save` has written to a folder."""
        path = Path(folder, FILE)
        damaged = as_pairs_error(path, "it is damaged: train the model and save it again")
        with damaged, np.load(path) as arrays:
            return cls(**arrays)
