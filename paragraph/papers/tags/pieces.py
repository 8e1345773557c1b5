"""Vectors of the words of a sentence, each sentence read by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...learn.vectors import unit
from ...learn.word_vectors import TokenReader

__all__ = ["Sentence", "WordReader", "tokens_of"]

#: A text, and of each of its words where it begins and ends.
Sentence = tuple[str, tuple[tuple[int, int], ...]]


def tokens_of(places: Any, offsets: Any) -> tuple[np.ndarray, np.ndarray]:
    """The first token of each word, and the one behind its last.

    `places` are the first character of each word and the one behind its last, `offsets` the same of each token,
    (tokens, 2). A token that reaches over two words is one of both. A word for which the tokenizer returns nothing (a
    control character; what is cut off) has no token: its two numbers are equal.

    Examples
    --------
    >>> first, behind = tokens_of([(0, 2), (2, 7), (8, 9)], np.array([[0, 2], [2, 4], [4, 7], [8, 9]]))
    >>> first.tolist(), behind.tolist()
    ([0, 1, 3], [1, 3, 4])
    """
    begin, end = np.array(places, dtype=np.int64).reshape(-1, 2).T
    token_begin, token_end = np.array(offsets, dtype=np.int64).reshape(-1, 2).T
    first = np.searchsorted(token_end, begin, side="right")
    behind = np.searchsorted(token_begin, end, side="left")
    return first, np.maximum(first, behind)


class WordReader(TokenReader):
    """Unit vectors of words: the mean over a word's tokens at each of some layers, of sentences read one by one."""

    def __call__(self, sentences: Sequence[Sentence]) -> list[np.ndarray]:
        """The vectors of each sentence: float32, (layers, words, d); a word without a token has zeros.

        A warning counts the sentences that are longer than the model takes; the words behind have zeros.
        """
        found: list[Any] = [None for _ in sentences]

        def take(i: int, encoding: Any, values: np.ndarray) -> None:
            _, places = sentences[i]
            real = np.flatnonzero(np.array(encoding.special_tokens_mask) == 0)
            offsets = np.array(encoding.offsets)[real]
            first, behind = tokens_of(places, offsets)
            layers, _, width = values.shape
            sums = np.zeros((layers, len(real) + 1, width))
            np.cumsum(values[:, real], axis=1, out=sums[:, 1:])
            # The sum is as long as the mean, up to a factor.
            vectors = unit(sums[:, behind] - sums[:, first])
            found[i] = vectors.astype(np.float32)

        self.read([text for text, _ in sentences], take, "texts")
        return found
