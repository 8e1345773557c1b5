"""Texts as token ids, in batches of rows of similar length, and the device and arithmetic that compute them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from tqdm.auto import tqdm

from ..files import PairsError
from .encoder import NEEDED, MissingModel

try:
    import torch
except ModuleNotFoundError as error:
    raise MissingModel(NEEDED.format(error.name)) from error

__all__ = ["Tokens", "arithmetic", "autocast", "pick_device", "read_all", "reading", "tokenize"]

_BLOCK = 4096  # texts tokenized at once, between two steps of the progress bar


class Tokens(NamedTuple):
    """Rows of token ids of different lengths; row i is ``ids[start[i] : start[i + 1]]``."""

    ids: np.ndarray  #: int32
    types: np.ndarray | None  #: int8, 0 in the first text of a pair and 1 in the second; some models have none
    start: np.ndarray  #: int64, one more than there are rows
    cut: np.ndarray  #: bool, one per row: it was longer than the model takes
    pad: int  #: id to pad with

    @classmethod
    def of(cls, read: Any, cut: np.ndarray, tokenizer: Any) -> Tokens:
        """The rows that a tokenizer has read, without padding."""
        kinds = {"input_ids": np.int32, "token_type_ids": np.int8}
        flat = {name: np.fromiter(chain.from_iterable(read[name]), kinds[name]) for name in kinds if name in read}
        start = np.cumsum([0, *map(len, read["input_ids"])])
        return cls(flat["input_ids"], flat.get("token_type_ids"), start, cut, tokenizer.pad_token_id or 0)

    @property
    def lengths(self) -> np.ndarray:
        """Tokens in each row."""
        return np.diff(self.start)

    def batch(self, rows: np.ndarray, device: torch.device | str = "cpu") -> dict[str, torch.Tensor]:
        """Make the input of a model: some rows, padded on the right to the longest of them, (rows, longest) each."""
        lengths = self.lengths[rows]
        there = np.arange(lengths.max(initial=0)) < lengths[:, None]
        source = np.concatenate([np.arange(self.start[i], self.start[i + 1]) for i in rows])
        ids = np.full(there.shape, self.pad, dtype=np.int64)
        ids[there] = self.ids[source]
        found = {"input_ids": ids, "attention_mask": there.astype(np.int64)}
        if self.types is not None:
            found["token_type_ids"] = np.zeros(there.shape, dtype=np.int64)
            found["token_type_ids"][there] = self.types[source]
        return {name: torch.from_numpy(values).to(device) for name, values in found.items()}


def tokenize(
    tokenizer: Any, texts: Sequence[str], second: Sequence[str] | None = None, *, max_length: int, what: str = "",
    progress: bool = True,
) -> Tokens:  # fmt: skip
    """Token ids of texts, or of pairs of texts as one input each, special tokens included.

    Texts longer than `max_length` tokens are cut, pairs at their longer text. A warning counts them if `what` names
    them.
    """
    parts = [Tokens.of({"input_ids": []}, np.empty(0, dtype=bool), tokenizer)]
    bar = {"unit": "block", "delay": 2, "leave": False, "disable": not progress}
    for at in tqdm(range(0, len(texts), _BLOCK), "tokenizing", **bar):
        block = [list(side[at : at + _BLOCK]) for side in (texts, second) if side is not None]
        read = tokenizer(*block, truncation=True, max_length=max_length, padding=False, return_attention_mask=False)
        cut = np.array([len(row) >= max_length for row in read["input_ids"]])
        if cut.any():  # only a full row may have been cut: its length without a limit tells
            full = np.flatnonzero(cut)
            whole = tokenizer(*([side[i] for i in full] for side in block), truncation=False, verbose=False)
            cut[full] = [len(row) > max_length for row in whole["input_ids"]]
        parts.append(Tokens.of(read, cut, tokenizer))
    types = [part.types for part in parts if part.types is not None]
    found = Tokens(
        ids=np.concatenate([part.ids for part in parts]),
        types=np.concatenate(types) if types else None,
        start=np.cumsum(np.concatenate([[0], *(part.lengths for part in parts)])),
        cut=np.concatenate([part.cut for part in parts]),
        pad=parts[0].pad,
    )
    if what and found.cut.any():
        message = f"{found.cut.sum():,} of {len(texts):,} {what} are longer than {max_length} tokens and were cut"
        warnings.warn(message, stacklevel=5)  # at the line that called fit or predict_proba
    return found


def sorted_batches(lengths: np.ndarray, batch_size: int, max_tokens: int) -> list[np.ndarray]:
    """Row numbers in batches, longest rows first, so that a batch too large for the memory fails at once.

    At most `batch_size` rows and `max_tokens` tokens, padding included; one row is always allowed.

    >>> [batch.tolist() for batch in sorted_batches(np.array([3, 9, 4, 8]), 3, max_tokens=10)]
    [[1], [3], [2, 0]]
    """
    order = np.argsort(-lengths, kind="stable")
    batches, at = [], 0
    while at < len(order):
        size = min(batch_size, max(1, max_tokens // max(1, int(lengths[order[at]]))))
        batches.append(order[at : at + size])
        at += size
    return batches


@contextmanager
def reading(
    lengths: np.ndarray, device: torch.device, what: str, unit: str = "text", most: tuple[int, int] = (128, 4096),
    progress: bool = False,
) -> Iterator[Iterator[np.ndarray]]:  # fmt: skip
    """Yield sorted batches of row numbers under a progress bar; computations inside have no gradients.

    `most` is the rows and the tokens of a batch, as in `sorted_batches`.
    """

    def batches() -> Iterator[np.ndarray]:
        for rows in sorted_batches(lengths, *most):
            yield rows
            bar.update(len(rows))

    bar = tqdm(total=len(lengths), desc=what, unit=unit, delay=1, leave=False, disable=not progress)
    with bar, torch.inference_mode(), autocast(device):  # one autocast: it keeps the weights that it has rounded
        yield batches()


def read_all(
    lengths: np.ndarray, forward: Callable[[np.ndarray], torch.Tensor], device: torch.device, progress: bool = False
) -> torch.Tensor:
    """The outputs of `forward` for all rows, in the order of the rows, on the CPU; it gets the rows of a batch."""
    with reading(lengths, device, "reading", progress=progress) as batches:
        read = [(rows, forward(rows).cpu()) for rows in batches]
    if not read:
        return torch.empty(0)
    rows, found = zip(*read, strict=True)
    return torch.cat(found)[np.argsort(np.concatenate(rows))]


def pick_device(device: str | torch.device | None = None) -> torch.device:
    """The named device; by default the GPU, if there is one, else the CPU."""
    if device is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        found = torch.device(device)
    except RuntimeError as error:
        raise PairsError(f"device {device!r} is not known to torch; say 'cpu' or 'cuda'") from error
    if found.type == "cuda" and not torch.cuda.is_available():
        raise PairsError(f"device {device!r}: torch finds no GPU on this machine; say 'cpu'")
    return found


def arithmetic(device: torch.device) -> str:
    """``"bfloat16"`` if the device multiplies it in hardware, else ``"float32"``, which is then faster.

    ``PARAGRAPH_BFLOAT16=0`` in the environment switches it off, to measure the time on a machine without it.
    """
    native = False
    if os.environ.get("PARAGRAPH_BFLOAT16") != "0":
        if device.type == "cuda":
            native = torch.cuda.is_bf16_supported(including_emulation=False)
        elif device.type == "cpu":
            # torch has no public function for this; without the private one, the answer is no.
            native = getattr(torch.cpu, "_is_avx512_bf16_supported", bool)()
    return "bfloat16" if native else "float32"


def autocast(device: torch.device) -> AbstractContextManager:
    """Compute matrix products in bfloat16 if that is native, sums and norms in float32; else all in float32."""
    if arithmetic(device) == "float32":
        return nullcontext()
    return torch.autocast(device.type, dtype=torch.bfloat16)
