"""Vectors of words in their sentences, to match the words of two sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.arrays import Array
from .encoder import Model, describe, load, load_tokenizer
from .vectors import unit

__all__ = ["TokenReader", "word_matches"]


class TokenReader:
    """A reader of sentences, one by one, that returns the vectors of their tokens at some layers.

    Parameters
    ----------
    model : str or path
        As for `describe`; the tokenizer must be a fast one.
    layers : sequence of int, optional
        0 is the embeddings before the first layer. Default: the middle layer and the last.
    """

    def __init__(
        self,
        model: Model = "minilm",
        layers: Sequence[int] | None = None,
        *,
        progress: bool = False,
    ):
        from .tokens import pick_device

        self.about = describe(model)
        self.device = pick_device()
        self.progress = progress
        self.tokenizer = load_tokenizer(model)
        self._encoder = load(model).to(self.device)
        if layers is None:
            last = self._encoder.config.num_hidden_layers
            layers = (last // 2, last)
        self.layers = tuple(layers)

    def read(
        self, texts: list[str], take: Callable[[int, Any, Array], None], what: str = ""
    ) -> None:
        """Call `take` with the number of each text, its encoding (of `tokenizers`), and its vectors.

        The vectors are (layers, tokens, d); the encoding is padded at its end. A warning counts those that are cut,
        where they have a name, `what`.
        """
        import torch

        from .tokens import Tokens, read_batches

        most = self.about.max_length
        options = {"what": what, "progress": self.progress}
        tokens = Tokens(self.tokenizer, texts, max_length=most, **options)
        with read_batches(
            tokens.lengths, self.device, "reading words", self.progress, most=64
        ) as batches:
            for rows in batches:
                batch = tokens.batch(rows, self.device)
                states = self._encoder(**batch, output_hidden_states=True).hidden_states
                layers = torch.stack([states[layer] for layer in self.layers], 1)
                layers = layers.float().cpu().numpy()
                for i, encoding, values in zip(rows.tolist(), batch.encodings, layers, strict=True):
                    take(i, encoding, values[:, : tokens.lengths[i]])


def word_matches(
    left: Sequence[str], right: Sequence[str], model: Model = "minilm", *, progress: bool = True
) -> dict[str, Array]:
    """Compare two sentences as a whole and word by word: one entry per pair in each column.

    Columns
    -------
    cosine
        The cosine of the means over all tokens, as in `encode`.
    worst
        Each word of either sentence is matched with the word of the other whose vector has the greatest cosine with
        its own (greedy matching, Zhang and others 2020, BERTScore, section 3). The mean of the two worst matches: 1
        for the same words in the same context, less if a word has no counterpart, even if all others have one.

    Notes
    -----
    The (fast) tokenizer decides what a word is, except punctuation; its vector is the mean over its tokens in the
    last layer. Nothing is kept on disk: the vectors of words take a dozen times the space of a sentence's.

    Examples
    --------
    >>> found = word_matches(["How do cats purr?"] * 2, ["How does a cat purr?", "How do dogs purr?"])
    >>> [bool(column[0] > column[1]) for column in found.values()]
    [True, True]
    """
    texts = list(dict.fromkeys([*left, *right]))
    reader = TokenReader(model, [-1], progress=progress)
    vectors = {}
    matched = {}

    def take(i: int, encoding: Any, values: Array) -> None:
        text = texts[i]
        vectors[text] = unit(values[0].mean(axis=0))
        words = _word_of(text, encoding)[:, : values.shape[1]]
        matched[text] = unit(words @ values[0])

    reader.read(texts, take)
    cosine, worst = np.empty((2, len(left)))
    for row, (a, b) in enumerate(zip(left, right, strict=True)):
        cosine[row] = vectors[a] @ vectors[b]
        alike = matched[a] @ matched[b].T  # (words of one, words of the other)
        matches = np.sort([*alike.max(axis=1), *alike.max(axis=0)])
        worst[row] = matches[:2].mean()
    return {"cosine": cosine, "worst": worst}


def _word_of(text: str, encoding: Any) -> Array:
    """Return which tokens belong to each word, (words, tokens); a text without letters and digits is one word."""
    of = np.array([-1 if word is None else word for word in encoding.word_ids])
    real = []
    for k in range(of.max(initial=-1) + 1):
        begin, end = encoding.word_to_chars(k)
        if any(map(str.isalnum, text[begin:end])):
            real.append(k)
    if not real:
        return np.ones((1, len(of)), dtype=bool)
    return of == np.array(real)[:, None]
