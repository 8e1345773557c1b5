"""Vectors of the words of a sentence, each by itself; a long sentence is read in runs of words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from ...learn.vectors import unit
from ...learn.word_vectors import TokenReader
from .penn import places, words

__all__ = ["Piece", "WordReader", "pieces", "tokens_of", "whole"]

Places = tuple[tuple[int, int], ...]


class Piece(NamedTuple):
    """A run of the words of a sentence, as a text of its own."""

    text: str
    first: int  #: the number of its first word in the sentence
    places: Places  #: where each of its words stands in its text


def whole(text: str, its_words: Sequence[str] | None = None) -> Piece:
    """A sentence in one piece, with the places of its words; by default those of `words`."""
    if its_words is None:
        its_words = words(text)
    return Piece(text, 0, tuple(places(text, its_words)))


def tokens_of(places: Places, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first token of each word, and the one behind its last.

    `places` are the first character of each word and the one behind its last, `offsets` the same of each token,
    (tokens, 2). A token that reaches over two words is one of both. A word for which the tokenizer returns nothing (a
    control character) has no token: its two numbers are equal.

    Examples
    --------
    >>> first, behind = tokens_of([(0, 2), (2, 7), (8, 9)], np.array([[0, 2], [2, 4], [4, 7], [8, 9]]))
    >>> first.tolist(), behind.tolist()
    ([0, 1, 3], [1, 3, 4])
    """
    begin, end = _edges(places)
    token_begin, token_end = _edges(offsets)
    first = np.searchsorted(token_end, begin, side="right")
    behind = np.searchsorted(token_begin, end, side="left")
    return first, np.maximum(first, behind)


def _edges(places: Any) -> np.ndarray:
    """Where each place begins, and where it ends: int64, (2, n)."""
    return np.array(places, dtype=np.int64).reshape(-1, 2).T


def pieces(tokenizer: Any, sentence: Piece, most: int) -> list[Piece]:
    """Cut a sentence into the fewest runs of words that have `most` tokens or fewer, each about equally many.

    A word is never cut. A sentence that fits stays whole.
    """
    if len(sentence.text.encode()) <= most:  # no token is less than a byte
        return [sentence]
    options = {"add_special_tokens": False, "return_offsets_mapping": True, "verbose": False}
    offsets = tokenizer(sentence.text, **options)["offset_mapping"]
    if len(offsets) <= most:
        return [sentence]
    first, _ = tokens_of(sentence.places, offsets)
    begin = np.append(first, len(offsets))  # the tokens at which words begin
    fewest = ceil(len(offsets) / most)
    for count in range(fewest, len(offsets) + 1):  # in the end each word is a run of its own
        even = np.linspace(0, len(offsets), count + 1)
        edges = np.searchsorted(begin, even)
        if np.diff(begin[edges]).max() <= most:
            break
    return _cut(sentence, edges)


def _cut(sentence: Piece, edges: np.ndarray) -> list[Piece]:
    """The runs of words between the edges; those without a word are left out."""
    inner = edges[1:-1]
    edges = np.unique([0, *inner, len(sentence.places)])
    runs = []
    for first, behind in pairwise(edges.tolist()):
        places = sentence.places[first:behind]
        begin = places[0][0]
        end = places[-1][1]
        moved = tuple((a - begin, b - begin) for a, b in places)
        runs.append(Piece(sentence.text[begin:end], first, moved))
    return runs or [sentence]


class WordReader(TokenReader):
    """Unit vectors of words: the mean over a word's tokens at each of some layers, of sentences read one by one.

    A sentence that is longer than the model takes is read in runs of words (`pieces`).
    """

    def __call__(self, sentences: Sequence[Piece]) -> tuple[list[np.ndarray], list[int]]:
        """The vectors of each sentence: float32, (layers, words, d); and in how many runs each was read.

        A word for which the tokenizer returns no token has zeros.
        """
        most = self.about.max_length - 2
        layers = len(self.layers)
        width = self.about.width
        runs = []
        windows = []
        found = []
        for i, sentence in enumerate(sentences):
            parts = pieces(self.tokenizer, sentence, most)
            runs += [(i, piece) for piece in parts]
            windows.append(len(parts))
            shape = (layers, len(sentence.places), width)
            found.append(np.zeros(shape, dtype=np.float32))

        def take(row: int, encoding: Any, values: np.ndarray) -> None:
            i, piece = runs[row]
            real = np.flatnonzero(np.array(encoding.special_tokens_mask) == 0)
            offsets = np.array(encoding.offsets)[real]
            first, behind = tokens_of(piece.places, offsets)
            sums = np.zeros((layers, len(real) + 1, width))
            np.cumsum(values[:, real], axis=1, out=sums[:, 1:])
            # The sum is as long as the mean, up to a factor.
            vectors = unit(sums[:, behind] - sums[:, first])
            behind_last = piece.first + len(first)
            found[i][:, piece.first : behind_last] = vectors

        self.read([piece.text for _, piece in runs], take)
        return found, windows
