"""Sentences to vectors, with a pretrained transformer."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from tqdm.auto import tqdm

from ..pairs import PairsError
from .models import describe, load_encoder, load_tokenizer

if TYPE_CHECKING:
    import torch

    from .batches import Tokens

__all__ = ["encode"]

#: Rows of a batch, and its tokens, padding included. A few hundred tokens already fill a processor.
_BATCH, _TOKENS = 128, 4096


def encode(
    sentences: Sequence[str],
    model: str | os.PathLike = "minilm",
    *,
    pooling: str | None = None,
    max_length: int | None = None,
    device: str | torch.device | None = None,
    progress: bool = True,
) -> np.ndarray:
    """The vectors of sentences: float32, (n, d), not normalized, row i for sentence i."""
    about = describe(model)
    pooling = pooling or about.pooling
    limit = min(max_length or about.max_length, about.max_length)
    texts, place = _distinct(sentences)
    import torch

    from .batches import tokenize
    from .devices import pick_device

    vectors = np.empty((len(texts), about.width), dtype=np.float32)
    if texts:
        tokens = tokenize(load_tokenizer(model), texts, max_length=limit, progress=progress)
        if cut := int(tokens.cut.sum()):
            warnings.warn(f"{cut:,} texts are longer than {limit} tokens and were cut there", stacklevel=2)
        found = _forward(load_encoder(model), tokens, pooling, pick_device(device))
        bar = tqdm(total=len(texts), desc="encoding", unit="sentence", delay=1, disable=not progress)
        with bar, torch.inference_mode():
            for rows, values in found:
                vectors[rows] = values
                bar.update(len(rows))
    return vectors[place]


def _distinct(sentences: Sequence[str]) -> tuple[list[str], np.ndarray]:
    """The different sentences, and the number of each one among them."""
    number: dict[str, int] = {}
    place = np.empty(len(sentences), dtype=np.int64)
    for i, sentence in enumerate(sentences):
        if not isinstance(sentence, str):
            raise PairsError(f"sentence {i} is not text but {type(sentence).__name__}: {sentence!r}")
        place[i] = number.setdefault(sentence, len(number))
    return list(number), place


def _forward(
    encoder: torch.nn.Module, tokens: Tokens, pooling: str, device: torch.device
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Row numbers and their vectors, batch by batch."""
    from .batches import sorted_batches
    from .devices import autocast

    encoder.to(device)
    # One context for all batches: it keeps the weights it has rounded.
    with autocast(device):
        for rows in sorted_batches(tokens.lengths, _BATCH, _TOKENS):
            batch = tokens.batch(rows, device)
            hidden = encoder(**batch).last_hidden_state.float()  # (rows, longest, d)
            if pooling == "cls":
                vectors = hidden[:, 0]
            else:
                there = batch["attention_mask"].unsqueeze(-1)  # (rows, longest, 1)
                vectors = (hidden * there).sum(1) / there.sum(1).clamp(min=1)
            yield rows, vectors.cpu().numpy()
