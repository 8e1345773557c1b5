"""The vectors of words in their sentence, at some layers of a frozen transformer."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from tqdm.auto import tqdm

from ...pairs import PairsError
from ..forecast import Forecast
from ..models import describe, load_encoder, load_tokenizer
from .reading import Piece, pieces, tokens_of

__all__ = ["WordReader"]

#: A batch holds at most so many pieces, and so many tokens with padding.
_BATCH = (64, 4096)


class WordReader:
    """Unit vectors of words: the mean over a word's tokens at each of some layers, of sentences read one by one.

    A sentence that is longer than the model takes is read in runs of words (`pieces`).

    Parameters
    ----------
    model : str or path
        As for `describe`; the tokenizer must be a fast one.
    layers : sequence of int, optional
        0 is the embeddings before the first layer. Default: the middle layer and the last.
    device : str, optional
    """

    def __init__(self, model: str | os.PathLike = "minilm", layers: Sequence[int] | None = None, device: Any = None):
        from ..devices import pick_device

        self.about, self.device = describe(model), pick_device(device)
        self._tokenizer, self._encoder = load_tokenizer(model), load_encoder(model).to(self.device)
        last = self._encoder.config.num_hidden_layers
        self.layers = (last // 2, last) if layers is None else tuple(layers)
        if not all(-last <= layer <= last for layer in self.layers):
            raise PairsError(f"layers {self.layers} are not all among the layers of {self.about.name}, 0 to {last}")

    def __call__(self, sentences: Sequence[Piece], progress: bool = False) -> tuple[list[np.ndarray], list[int]]:
        """The vectors of each sentence: float32, (layers, words, d); and in how many runs each was read.

        A word of which the tokenizer makes nothing has zeros.
        """
        import torch

        from ..batches import sorted_batches
        from ..devices import autocast

        most = self.about.max_length - 2
        cut = [pieces(self._tokenizer, [sentence], most)[0] for sentence in sentences]
        runs = [(i, piece) for i, parts in enumerate(cut) for piece in parts]
        shape = (len(self.layers), self.about.width)
        found = [np.zeros((shape[0], len(one.places), shape[1]), dtype=np.float32) for one in sentences]
        read = self._tokenizer(
            [piece.text for _, piece in runs], truncation=True, max_length=self.about.max_length,
            return_offsets_mapping=True, return_special_tokens_mask=True,
        ) if runs else {"input_ids": []}  # fmt: skip
        lengths = np.array([len(ids) for ids in read["input_ids"]], dtype=np.int64)
        forecast = Forecast(f"{self.about.name} reads {len(runs):,} texts", lengths.sum(), progress)
        bar = tqdm(total=len(runs), desc="reading words", unit="text", delay=1, disable=not progress)
        with bar, torch.inference_mode(), autocast(self.device):
            for rows in sorted_batches(lengths, *_BATCH):
                batch = [{"input_ids": read["input_ids"][i]} for i in rows.tolist()]
                batch = self._tokenizer.pad(batch, return_tensors="pt").to(self.device)
                hidden = self._encoder(**batch, output_hidden_states=True).hidden_states
                hidden = torch.stack([hidden[layer] for layer in self.layers], 1).float().cpu().numpy()
                for values, row in zip(hidden, rows.tolist(), strict=True):  # values: (layers, longest, d)
                    i, piece = runs[row]
                    real = np.flatnonzero(np.array(read["special_tokens_mask"][row]) == 0)
                    first, behind = tokens_of(piece.places, np.array(read["offset_mapping"][row])[real])
                    sums = np.zeros((shape[0], len(real) + 1, shape[1]))
                    np.cumsum(values[:, real], axis=1, out=sums[:, 1:])
                    words = sums[:, behind] - sums[:, first]  # as long as the mean, up to a factor
                    words /= np.maximum(np.linalg.norm(words, axis=2, keepdims=True), 1e-12)
                    found[i][:, piece.first : piece.first + len(first)] = words
                bar.update(len(rows))
                forecast.after(lengths[rows].sum())
        return found, list(map(len, cut))
