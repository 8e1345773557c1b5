"""Texts as token ids, and batches of rows of about one length, so that little is padded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from tqdm.auto import tqdm

__all__ = ["Tokens", "shuffled_batches", "sorted_batches", "tokenize"]

_BLOCK = 4096  # texts tokenized at once, between two steps of the progress bar


class Tokens(NamedTuple):
    """Rows of token ids of different lengths; row i is ``ids[start[i] : start[i + 1]]``."""

    ids: np.ndarray  #: int32
    types: np.ndarray | None  #: int8, 0 in the first text of a pair and 1 in the second; some models have none
    start: np.ndarray  #: int64, one more than there are rows
    cut: np.ndarray  #: bool, one a row: it was longer than the model takes
    pad: int  #: id to pad with

    @property
    def lengths(self) -> np.ndarray:
        """Tokens in each row."""
        return np.diff(self.start)

    def batch(self, rows: np.ndarray, device: torch.device | str = "cpu") -> dict[str, torch.Tensor]:
        """What a model takes: some rows, padded on the right to the longest of them, (rows, longest) each."""
        lengths = self.lengths[rows]
        there = np.arange(lengths.max(initial=0)) < lengths[:, None]
        source = np.concatenate([np.arange(self.start[i], self.start[i + 1]) for i in rows])
        ids = np.full(there.shape, self.pad, dtype=np.int64)
        ids[there] = self.ids[source]
        found = {"input_ids": ids, "attention_mask": there.astype(np.int64)}
        if self.types is not None:
            types = np.zeros(there.shape, dtype=np.int64)
            types[there] = self.types[source]
            found["token_type_ids"] = types
        return {name: torch.from_numpy(values).to(device) for name, values in found.items()}


def tokenize(
    tokenizer: Any,
    texts: Sequence[str],
    second: Sequence[str] | None = None,
    *,
    max_length: int,
    progress: bool = True,
) -> Tokens:
    """Token ids of texts, or of pairs of texts as one input each, special tokens included.

    Texts longer than `max_length` tokens are cut, a pair at its longer text.
    """
    ids, types, lengths, cut = [], [], [], []
    starts = range(0, len(texts), _BLOCK)
    for at in tqdm(starts, desc="tokenizing", unit="block", delay=2, leave=False, disable=not progress):
        block = [list(texts[at : at + _BLOCK])]
        if second is not None:
            block.append(list(second[at : at + _BLOCK]))
        found = tokenizer(*block, truncation=True, max_length=max_length, padding=False, return_attention_mask=False)
        sizes = np.array([len(row) for row in found["input_ids"]])
        # Only a full row may have been cut: its length without a limit tells.
        full = np.flatnonzero(sizes >= max_length)
        was_cut = np.zeros(len(sizes), dtype=bool)
        if len(full):
            whole = tokenizer(*([side[i] for i in full] for side in block), truncation=False, verbose=False)
            was_cut[full] = [len(row) > max_length for row in whole["input_ids"]]
        ids.append(_flat(found["input_ids"], np.int32))
        if "token_type_ids" in found:
            types.append(_flat(found["token_type_ids"], np.int8))
        lengths.append(sizes)
        cut.append(was_cut)
    return Tokens(
        ids=_joined(ids, np.int32),
        types=_joined(types, np.int8) if types else None,
        start=np.concatenate([[0], np.cumsum(_joined(lengths, np.int64))]),
        cut=_joined(cut, bool),
        pad=tokenizer.pad_token_id or 0,
    )


def sorted_batches(lengths: np.ndarray, batch_size: int, max_tokens: int | None = None) -> list[np.ndarray]:
    """Row numbers in batches, longest rows first, so that a batch too large for the memory fails at once.

    Parameters
    ----------
    lengths : array of int
        Tokens in each row.
    batch_size : int
        Most rows in a batch.
    max_tokens : int, optional
        Most tokens in a batch, padding included; one row is always allowed.

    Examples
    --------
    >>> [batch.tolist() for batch in sorted_batches(np.array([3, 9, 4, 8]), 2)]
    [[1, 3], [2, 0]]
    >>> [batch.tolist() for batch in sorted_batches(np.array([3, 9, 4, 8]), 3, max_tokens=10)]
    [[1], [3], [2, 0]]
    """
    lengths = np.asarray(lengths)
    order = np.argsort(-lengths, kind="stable")
    batches, at = [], 0
    while at < len(order):
        size = batch_size
        if max_tokens is not None:
            size = min(size, max(1, max_tokens // max(1, int(lengths[order[at]]))))
        batches.append(order[at : at + size])
        at += size
    return batches


def shuffled_batches(lengths: np.ndarray, batch_size: int, seed: Any, chunk: int = 50) -> list[np.ndarray]:
    """Row numbers in random batches for training, each of rows of about one length.

    Rows are shuffled, sorted by length within chunks of `chunk` batches, and the batches are shuffled. So an epoch
    is random, but rows of very different lengths seldom meet: on questions of 12 tokens, an eighth of a batch
    is padding where batches of random rows are half padding.

    Parameters
    ----------
    lengths : array of int
        Tokens in each row.
    batch_size : int
        Rows in a batch; one of them may be smaller.
    seed : int or sequence of int
        As for `numpy.random.default_rng`; ``(seed, epoch)`` makes each epoch another one.
    chunk : int
        Batches that are sorted together.
    """
    lengths = np.asarray(lengths)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(lengths))
    size = chunk * batch_size
    batches = []
    for at in range(0, len(order), size):
        rows = order[at : at + size]
        rows = rows[np.argsort(lengths[rows], kind="stable")]
        batches += [rows[i : i + batch_size] for i in range(0, len(rows), batch_size)]
    return [batches[i] for i in rng.permutation(len(batches))]


def _flat(rows: list[list[int]], dtype: Any) -> np.ndarray:
    return np.fromiter((value for row in rows for value in row), dtype=dtype)


def _joined(parts: list, dtype: Any) -> np.ndarray:
    return np.concatenate(parts).astype(dtype, copy=False) if parts else np.empty(0, dtype=dtype)
