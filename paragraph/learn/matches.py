"""How well the words of two sentences match, by their vectors in context."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

import numpy as np
from tqdm.auto import tqdm

from .forecast import Forecast
from .models import describe, load_encoder, load_tokenizer

if TYPE_CHECKING:
    import torch

__all__ = ["word_matches"]

#: A batch holds at most so many rows, and so many tokens with padding.
_BATCH = (64, 4096)


def word_matches(
    left: Sequence[str],
    right: Sequence[str],
    model: str | os.PathLike = "minilm",
    *,
    device: str | torch.device | None = None,
    progress: bool = True,
) -> dict[str, np.ndarray]:
    """How alike two sentences are, as wholes and word by word: one entry a pair in each column.

    Columns
    -------
    cosine
        Of the means over all tokens, as in `encode`.
    worst
        Each word of either sentence is matched with the word of the other whose vector has the greatest cosine with
        its own (greedy matching, Zhang and others 2020, BERTScore). The mean of the two worst matches. It is 1 for
        the same words in the same context, and falls where a word has no counterpart, even if all others have.

    Parameters
    ----------
    left, right : sequences of str
        The sentences of each pair.
    model, device
        As for `encode`; the tokenizer must be a fast one.

    Notes
    -----
    A word is what the tokenizer takes for one, punctuation apart; its vector is the mean over its tokens in the last
    layer. Each different sentence goes through the model once. Nothing is kept on disk: the vectors of its words take
    a dozen times the room of its own.

    References
    ----------
    T. Zhang, V. Kishore, F. Wu, K. Weinberger and Y. Artzi (2020), BERTScore: evaluating text generation with BERT.
    ICLR, section 3.

    Examples
    --------
    >>> found = word_matches(["How do cats purr?"] * 2, ["How does a cat purr?", "How do dogs purr?"])
    >>> [bool(column[0] > column[1]) for column in found.values()]
    [True, True]
    """
    number: dict[str, int] = {}
    ends = [np.array([number.setdefault(text, len(number)) for text in side], dtype=int) for side in (left, right)]
    vectors, words = _vectors(list(number), model, device, progress)
    found = {"cosine": np.empty(len(ends[0])), "worst": np.empty(len(ends[0]))}
    for row, (i, j) in enumerate(zip(*ends, strict=True)):
        found["cosine"][row] = vectors[i] @ vectors[j]
        alike = words[i] @ words[j].T  # (words of one, words of the other)
        best = np.concatenate([alike.max(axis=1), alike.max(axis=0)])
        found["worst"][row] = np.sort(best)[:2].mean()
    return found


def _vectors(
    texts: list[str], model: str | os.PathLike, device: str | torch.device | None, progress: bool
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Unit vectors of sentences, (n, d), and those of the words of each, (words, d) each."""
    about = describe(model, progress=progress)
    # Only now: torch takes seconds to load.
    import torch

    from .batches import sorted_batches
    from .devices import autocast, pick_device

    where = pick_device(device)
    tokenizer = load_tokenizer(model)
    read = [tokenizer(text, truncation=True, max_length=about.max_length) for text in texts]
    encoder = load_encoder(model).to(where)
    vectors = np.empty((len(texts), about.width), dtype=np.float32)
    words: list[np.ndarray] = [vectors[:0]] * len(texts)
    with ExitStack() as stack:
        bar = tqdm(total=len(texts), desc="matching words", unit="text", delay=1, disable=not progress)
        for context in (bar, torch.inference_mode(), autocast(where)):
            stack.enter_context(context)
        lengths = np.array([len(one["input_ids"]) for one in read])
        forecast = Forecast(f"{about.name} reads {len(texts):,} texts", lengths.sum(), progress)
        for rows in sorted_batches(lengths, *_BATCH):
            batch = tokenizer.pad([dict(read[i]) for i in rows.tolist()], return_tensors="pt").to(where)
            hidden = encoder(**batch).last_hidden_state.float().cpu().numpy()  # (rows, longest, d)
            for values, i in zip(hidden, rows.tolist(), strict=True):
                values = values[: len(read[i]["input_ids"])]
                vectors[i] = values.mean(axis=0)
                words[i] = _unit(_word_of(texts[i], read[i]) @ values)
            bar.update(len(rows))
            forecast.after(lengths[rows].sum())
    return _unit(vectors), words


def _word_of(text: str, read) -> np.ndarray:
    """Which tokens make up which word, (words, tokens); all of them where a text holds no letter or digit."""
    of = np.array([-1 if word is None else word for word in read.word_ids()])
    kept = [k for k in range(of.max(initial=-1) + 1) if any(map(str.isalnum, text[slice(*read.word_to_chars(k))]))]
    return (of == np.array(kept)[:, None]) if kept else np.ones((1, len(of)), dtype=bool)


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
