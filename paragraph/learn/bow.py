"""Sentences as counts of words in few dimensions: an encoder that has seen nothing but the sentences at hand."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from ..pairs import PairsError
from ..pairs.errors import intact

__all__ = ["BagOfWords"]

_FILE = "bag_of_words.npz"


class BagOfWords(NamedTuple):
    """Counts of words on their leading singular vectors (Deerwester et al. 1990).

    No inverse document frequency: what a word is worth is left to be learnt (see `CosineModel`).

    Examples
    --------
    >>> bag = BagOfWords.of(["How do cats purr?", "Why do cats purr?", "What is tea?"])
    >>> bag(["cats purr", "nothing known"]).shape, bool(bag(["zebra"]).any())
    ((2, 3), False)
    """

    words: np.ndarray  #: the vocabulary, sorted
    axes: np.ndarray  #: float32, (words, d): the singular vectors
    scale: np.ndarray  #: float32, (d,): root mean square of each coordinate of the texts it was fitted to

    name = "bow"
    trained_on = ""

    @classmethod
    def of(cls, texts: Sequence[str], width: int = 300) -> Self:
        """Fitted on some texts, with `width` dimensions where they have so many.

        Raises `PairsError` where there is no word in them.
        """
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.utils.extmath import randomized_svd

        counter = CountVectorizer(token_pattern=_word())
        try:
            counts = counter.fit_transform(texts).astype(np.float32)
        except ValueError:
            raise PairsError(f"there is no word in these {len(texts):,} sentences") from None
        _, value, axes = randomized_svd(counts, min(width, *counts.shape), n_iter=4, random_state=0)
        kept = value > 1e-4 * value[0]
        scale = (value[kept] / len(texts) ** 0.5).astype(np.float32)
        return cls(counter.get_feature_names_out().astype(str), axes[kept].T.astype(np.float32), scale)

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors of texts: float32, (n, d); zero where no word is known."""
        from sklearn.feature_extraction.text import CountVectorizer

        counter = CountVectorizer(token_pattern=_word(), vocabulary=self.words)
        return np.asarray(counter.transform(texts).astype(np.float32) @ self.axes)

    def save(self, folder: str | PathLike) -> None:
        np.savez(Path(folder, _FILE), **self._asdict())

    @classmethod
    def load(cls, folder: str | PathLike) -> Self | None:
        """What `save` has written to a folder; None where it has not."""
        path = Path(folder, _FILE)
        if not path.is_file():
            return None
        with intact(path, "it is damaged: train the model and save it again"), np.load(path) as arrays:
            found = cls(**arrays)
            if not (np.isfinite(found.axes).all() and (found.scale > 0).all() and np.isfinite(found.scale).all()):
                raise ValueError("coordinates that are not numbers")
        return found


def _word() -> str:
    from .similarities import GRAMS

    return GRAMS[0]["token_pattern"]
