"""Vectors of words in their sentence: for each word by itself, and to match the words of two sentences."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from ..pairs import PairsError
from ..words.tokens import places, words
from .encoder import describe, load, load_tokenizer
from .vectors import unit

__all__ = ["Piece", "WordReader", "pieces", "tokens_of", "whole", "word_matches"]

#: Most texts of a batch, and most tokens with padding.
_BATCH = (64, 4096)
Places = tuple[tuple[int, int], ...]


class Piece(NamedTuple):
    """A run of the words of a sentence, as a text of its own."""

    text: str
    first: int  #: the number of its first word in the sentence
    places: Places  #: where each of its words stands in its text


def whole(text: str, its_words: Sequence[str] | None = None) -> Piece:
    """A sentence in one piece, with the places of its words; by default those of `words.tokens.words`."""
    return Piece(text, 0, tuple(places(text, words(text) if its_words is None else its_words)))


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
    (begin, end), (from_, to) = (np.array(each, dtype=np.int64).reshape(-1, 2).T for each in (places, offsets))
    first = np.searchsorted(to, begin, side="right")
    return first, np.maximum(first, np.searchsorted(from_, end, side="left"))


def pieces(tokenizer: Any, sentences: Sequence[Piece], most: int) -> list[list[Piece]]:
    """Cut sentences that are read together into runs of words, the same number for each sentence.

    The number is the least with which any run of one sentence fits into `most` tokens beside any run of the others.
    It is one, and the sentences stay whole, where they fit together. The runs of a sentence have about equally many
    tokens; a word is never cut.
    """
    texts = [one.text for one in sentences]
    if sum(len(text.encode()) for text in texts) <= most:  # no token is less than a byte
        return [[one] for one in sentences]
    found = tokenizer(texts, add_special_tokens=False, return_offsets_mapping=True, verbose=False)["offset_mapping"]
    if sum(map(len, found)) <= most:
        return [[one] for one in sentences]
    # Of each sentence the tokens at which its words begin, and the number of its tokens
    begins = [
        np.append(tokens_of(one.places, offsets)[0], len(offsets))
        for one, offsets in zip(sentences, found, strict=True)
    ]
    tokens = [begin[-1] for begin in begins]
    for count in range(ceil(sum(tokens) / most), max(tokens) + 1):  # in the end each word is a run of its own
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
        moved = tuple((a - begin, b - begin) for a, b in sentence.places[first:behind])
        runs.append(Piece(sentence.text[begin:end], first, moved))
    return runs or [sentence]


class WordReader:
    """Unit vectors of words: the mean over a word's tokens at each of some layers, of sentences read one by one.

    A sentence that is longer than the model takes is read in runs of words (`pieces`).

    Parameters
    ----------
    model : str or path
        As for `describe`; the tokenizer must be a fast one.
    layers : sequence of int, optional
        0 is the embeddings before the first layer. Default: the middle layer and the last.
    """

    def __init__(
        self, model: str | os.PathLike = "minilm", layers: Sequence[int] | None = None, *, progress: bool = False
    ):
        from .tokens import pick_device

        self.about, self.device, self.progress = describe(model, progress=progress), pick_device(), progress
        self.tokenizer, self._encoder = load_tokenizer(model), load(model).to(self.device)
        last = self._encoder.config.num_hidden_layers
        self.layers = (last // 2, last) if layers is None else tuple(layers)
        if not all(-last <= layer <= last for layer in self.layers):
            raise PairsError(f"layers {self.layers} are not all among the layers of {self.about.name}, 0 to {last}")

    def read(self, texts: list[str], take: Callable[[int, Any, np.ndarray], None]) -> None:
        """Call `take` with the number of each text, its tokens, and their vectors: (layers, tokens, d)."""
        import torch

        from .tokens import reading

        read = [self.tokenizer(text, truncation=True, max_length=self.about.max_length) for text in texts]
        lengths = np.array([len(one["input_ids"]) for one in read], dtype=np.int64)
        with reading(lengths, self.device, "reading words", most=_BATCH, progress=self.progress) as batches:
            for rows in batches:
                batch = self.tokenizer.pad([dict(read[i]) for i in rows.tolist()], return_tensors="pt")
                states = self._encoder(**batch.to(self.device), output_hidden_states=True).hidden_states
                states = torch.stack([states[layer] for layer in self.layers], 1).float().cpu().numpy()
                for values, i in zip(states, rows.tolist(), strict=True):
                    take(i, read[i], values[:, : lengths[i]])

    def __call__(self, sentences: Sequence[Piece]) -> tuple[list[np.ndarray], list[int]]:
        """The vectors of each sentence: float32, (layers, words, d); and in how many runs each was read.

        A word for which the tokenizer returns no token has zeros.
        """
        cut = [pieces(self.tokenizer, [sentence], self.about.max_length - 2)[0] for sentence in sentences]
        runs = [(i, piece) for i, parts in enumerate(cut) for piece in parts]
        shapes = [(len(self.layers), len(one.places), self.about.width) for one in sentences]
        found = [np.zeros(shape, dtype=np.float32) for shape in shapes]

        def take(row: int, read: Any, values: np.ndarray) -> None:
            i, piece = runs[row]
            encoding = read.encodings[0]
            real = np.flatnonzero(np.array(encoding.special_tokens_mask) == 0)
            first, behind = tokens_of(piece.places, np.array(encoding.offsets)[real])
            sums = np.zeros((len(self.layers), len(real) + 1, self.about.width))
            np.cumsum(values[:, real], axis=1, out=sums[:, 1:])
            vectors = unit(sums[:, behind] - sums[:, first])  # as long as the mean, up to a factor
            found[i][:, piece.first : piece.first + len(first)] = vectors

        self.read([piece.text for _, piece in runs], take)
        return found, list(map(len, cut))


def word_matches(
    left: Sequence[str], right: Sequence[str], model: str | os.PathLike = "minilm", *, progress: bool = True
) -> dict[str, np.ndarray]:
    """Compare two sentences as wholes and word by word: one entry a pair in each column.

    Columns
    -------
    cosine
        Of the means over all tokens, as in `encode`.
    worst
        Each word of either sentence is matched with the word of the other whose vector has the greatest cosine with
        its own (greedy matching, Zhang and others 2020, BERTScore, section 3). The mean of the two worst matches: 1
        for the same words in the same context, less where a word has no counterpart, even if all others have.

    Notes
    -----
    A word is what the (fast) tokenizer takes for one, punctuation apart; its vector is the mean over its tokens in
    the last layer. Nothing is kept on disk: the vectors of words take a dozen times the room of a sentence's.

    Examples
    --------
    >>> found = word_matches(["How do cats purr?"] * 2, ["How does a cat purr?", "How do dogs purr?"])
    >>> [bool(column[0] > column[1]) for column in found.values()]
    [True, True]
    """
    texts = list(dict.fromkeys([*left, *right]))
    reader = WordReader(model, [-1], progress=progress)
    vectors: dict[str, np.ndarray] = {}
    matched: dict[str, np.ndarray] = {}

    def take(i: int, read: Any, values: np.ndarray) -> None:
        vectors[texts[i]] = unit(values[0].mean(axis=0))
        matched[texts[i]] = unit(_word_of(texts[i], read) @ values[0])

    reader.read(texts, take)
    cosine, worst = np.empty((2, len(left)))
    for row, (a, b) in enumerate(zip(left, right, strict=True)):
        cosine[row] = vectors[a] @ vectors[b]
        alike = matched[a] @ matched[b].T  # (words of one, words of the other)
        worst[row] = np.sort(np.concatenate([alike.max(axis=1), alike.max(axis=0)]))[:2].mean()
    return {"cosine": cosine, "worst": worst}


def _word_of(text: str, read: Any) -> np.ndarray:
    """Tell which tokens are a word's own, (words, tokens); where a text has no letter and no digit, all are one."""
    of = np.array([-1 if word is None else word for word in read.word_ids()])
    kept = [k for k in range(of.max(initial=-1) + 1) if any(map(str.isalnum, text[slice(*read.word_to_chars(k))]))]
    return (of == np.array(kept)[:, None]) if kept else np.ones((1, len(of)), dtype=bool)
