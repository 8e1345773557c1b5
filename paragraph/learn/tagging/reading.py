"""Words as a transformer reads them: which tokens a word has, and runs of words where a sentence is too long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Piece", "pieces", "tokens_of", "whole"]

Places = tuple[tuple[int, int], ...]


class Piece(NamedTuple):
    """A run of the words of a sentence, as a text of its own."""

    text: str
    first: int  #: the number of its first word in the sentence
    places: Places  #: where each of its words stands in its text


def whole(text: str, places: Iterable[tuple[int, int]]) -> Piece:
    """The sentence in one piece."""
    return Piece(text, 0, tuple(places))


def tokens_of(places: Places, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first token of each word, and the one behind its last.

    Parameters
    ----------
    places : list of (int, int)
        First character of each word, and the one behind its last.
    offsets : array of int, (tokens, 2)
        The same of each token.

    Notes
    -----
    A token that reaches over two words is one of both. A word of which the tokenizer makes nothing (a control
    character) has no token: its two numbers are equal.

    Examples
    --------
    >>> first, behind = tokens_of([(0, 2), (2, 7), (8, 9)], np.array([[0, 2], [2, 4], [4, 7], [8, 9]]))
    >>> first.tolist(), behind.tolist()
    ([0, 1, 3], [1, 3, 4])
    """
    begin, end = np.array(places, dtype=np.int64).reshape(-1, 2).T
    offsets = np.asarray(offsets, dtype=np.int64).reshape(-1, 2)
    first = np.searchsorted(offsets[:, 1], begin, side="right")
    return first, np.maximum(first, np.searchsorted(offsets[:, 0], end, side="left"))


def pieces(tokenizer: Any, sentences: Sequence[Piece], most: int) -> list[list[Piece]]:
    """Sentences that are read together, each cut into equally many runs of words about equally long in tokens.

    They are as few as let any run of each sentence stand beside any run of the others in `most` tokens: one, the
    sentence as it is, wherever that fits. A word that alone is longer is a run of its own.
    """
    texts = [one.text for one in sentences]
    if sum(len(text.encode()) for text in texts) <= most:  # no token is less than a byte
        return [[one] for one in sentences]
    found = tokenizer(texts, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    if sum(map(len, found["input_ids"])) <= most:
        return [[one] for one in sentences]
    begins = []
    for one, offsets in zip(sentences, found["offset_mapping"], strict=True):
        first, _ = tokens_of(one.places, offsets)
        begins.append(np.append(first, len(offsets)))
    words = max(len(begin) - 1 for begin in begins)
    for count in range(ceil(sum(begin[-1] for begin in begins) / most), max(1, words) + 1):
        edges = [np.searchsorted(begin, np.linspace(0, begin[-1], count + 1)) for begin in begins]
        sizes = [np.diff(begin[edge]).max() for begin, edge in zip(begins, edges, strict=True)]
        if sum(sizes) <= most:
            break
    return [_cut(one, edge) for one, edge in zip(sentences, edges, strict=True)]


def _cut(sentence: Piece, edges: np.ndarray) -> list[Piece]:
    """The runs of words between the edges; those without a word are left out."""
    edges = np.unique(np.concatenate([[0], edges[1:-1], [len(sentence.places)]])).tolist()
    runs = []
    for first, behind in pairwise(edges):
        begin, end = sentence.places[first][0], sentence.places[behind - 1][1]
        places = tuple((a - begin, b - begin) for a, b in sentence.places[first:behind])
        runs.append(Piece(sentence.text[begin:end], first, places))
    return runs or [sentence]
