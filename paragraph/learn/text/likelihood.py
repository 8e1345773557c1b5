"""How likely an encoder-decoder finds one text, given another."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import Any

import numpy as np

from ..pretrained.find import describe, load_seq2seq, load_tokenizer
from ..pretrained.words import Piece, pieces, whole

__all__ = ["Likelihood"]

_BATCH = (32, 2048)  # rows, and tokens with padding: each token has a logit for every word of the vocabulary


class Likelihood:
    """Log-likelihoods of tokens given another text, as BARTScore takes them: special tokens included.

    A text longer than the model takes is read in windows of tokens of about one length. A window that is written
    counts as given the window of the other text that makes it likeliest.

    Parameters
    ----------
    model : str or path
        An encoder-decoder, by hub id or folder.
    device : str, optional

    References
    ----------
    Yuan, Neubig, Liu (2021), "BARTScore: evaluating generated text as text generation", section 3.
    """

    def __init__(self, model: str | os.PathLike, device: str | None = None):
        from ..pretrained.batches import pick_device

        self._tokenizer, self._device = load_tokenizer(model), pick_device(device)
        self._model = load_seq2seq(model).to(self._device)
        self._longest = describe(model).max_length
        self._most = self._longest - self._tokenizer.num_special_tokens_to_add()

    def values(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
        """Of each pair the log-likelihoods of the first text's tokens given the second, the reverse, and windows."""
        windows = {
            text: [tuple(self._tokens(run)["input_ids"]) for run in self._runs(text)]
            for text in dict.fromkeys(chain(*pairs))
        }
        both = [turned for pair in pairs for turned in (pair, pair[::-1])]
        jobs = sorted({job for a, b in both for job in product(windows[a], windows[b])})
        found = dict(zip(jobs, self._read(jobs), strict=True))

        def best(written: str, given: str) -> np.ndarray:
            each = ([found[x, y] for x in windows[given]] for y in windows[written])
            return np.concatenate([max(options, key=np.mean) for options in each])

        for a, b in pairs:
            yield best(a, b), best(b, a), max(len(windows[a]), len(windows[b]))

    def placed(self, text: str, values: np.ndarray) -> list[tuple[int, int, float]]:
        """The tokens of a text, special ones left out, where they stand in it, and their values."""
        at, found = whole(text).places, []
        for run in self._runs(text):
            begin = at[run.first][0] - run.places[0][0] if at else 0
            read = self._tokens(run, return_offsets_mapping=True, return_special_tokens_mask=True)
            marks = zip(read["offset_mapping"], read["special_tokens_mask"], strict=True)
            found += [(begin + first, begin + behind, special) for (first, behind), special in marks]
        return [(a, b, float(v)) for (a, b, special), v in zip(found, values, strict=True) if not special]

    def _runs(self, text: str) -> list[Piece]:
        return pieces(self._tokenizer, [whole(text)], self._most)[0]

    def _tokens(self, run: Piece, **also: bool) -> Any:
        """A word that alone is longer than the model takes is cut."""
        return self._tokenizer(run.text, truncation=True, max_length=self._longest, **also)

    def _read(self, jobs: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> list[np.ndarray]:
        from ..pretrained.batches import reading

        found: list[Any] = [None] * len(jobs)
        lengths = np.array([max(map(len, job)) for job in jobs])
        with reading(lengths, self._device, _BATCH, "reading pairs", "pair") as batches:
            for rows in batches:
                given, written = ([{"input_ids": list(jobs[row][side])} for row in rows] for side in (0, 1))
                batch, target = (
                    self._tokenizer.pad(side, return_tensors="pt").to(self._device) for side in (given, written)
                )
                logits = self._model(**batch, labels=target["input_ids"]).logits.float()
                chosen = logits.log_softmax(-1).gather(-1, target["input_ids"][..., None])[..., 0].cpu().numpy()
                for row, values in zip(rows.tolist(), chosen, strict=True):
                    found[row] = values[: len(jobs[row][1])].astype(np.float64)
        return found
