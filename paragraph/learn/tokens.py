"""Texts as a model reads them, in batches of similar length, and the device and arithmetic that compute them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import numpy as np
import torch
from tqdm.auto import tqdm

from ..files.errors import as_pairs_error
from ..graph.arrays import Array

__all__ = ["Device", "Tokens", "arithmetic", "autocast", "pick_device", "read_all", "read_batches"]

#: A device of torch; None for the GPU, if there is one, else the CPU.
Device = str | torch.device | None
_BLOCK = 4096  # texts measured at once, between two steps of the progress bar
#: Most rows in a batch, and most tokens with padding: enough to fill a device without straining its memory.
_MOST = {"cpu": (128, 4096), "cuda": (1024, 65536)}


class Tokens:
    """Texts, or pairs of texts, as the inputs of a model, special tokens included.

    Only their lengths are kept: tokenizing a batch again takes little beside reading it.

    Parameters
    ----------
    sides : sequences of str
        The texts, or the first and the second texts of pairs.
    max_length : int
        Inputs longer than so many tokens are cut, pairs at their longer text.
    what : str, optional
        The name of the inputs in a warning that counts those that are cut; without a name, no warning.
    """

    def __init__(
        self,
        tokenizer: Any,
        *sides: Sequence[str],
        max_length: int,
        what: str = "",
        progress: bool = True,
    ):
        self._tokenizer = tokenizer
        self._sides = sides
        self._max_length = max_length
        whole = []
        starts = range(0, len(sides[0]), _BLOCK)
        for at in tqdm(
            starts, "tokenizing", unit="block", delay=2, leave=False, disable=not progress
        ):
            blocks = [list(side[at : at + _BLOCK]) for side in sides]
            read = tokenizer(*blocks, verbose=False)
            whole += map(len, read["input_ids"])
        lengths = np.array(whole, dtype=np.int64)
        self.lengths = np.minimum(lengths, max_length)  #: tokens of each row
        self.cut = lengths > max_length  #: flags of the rows that are cut
        if what and self.cut.any():
            message = f"{self.cut.sum():,} of {len(whole):,} {what} are longer than {max_length} tokens and were cut"
            warnings.warn(message, stacklevel=5)  # at the line that called fit or predict_proba

    def batch(self, rows: Array, device: torch.device | str = "cpu") -> Any:
        """Make the input of a model: some rows, padded on the right to the longest of them, (rows, longest) each."""
        some = [[side[i] for i in rows.tolist()] for side in self._sides]
        options = {"truncation": True, "max_length": self._max_length}
        options |= {"padding": True, "padding_side": "right", "return_tensors": "pt"}
        return self._tokenizer(*some, **options).to(device)


def sorted_batches(lengths: Array, batch_size: int, max_tokens: int) -> list[Array]:
    """Row numbers in batches, longest rows first, so that a batch too large for the memory fails at once.

    At most `batch_size` rows and `max_tokens` tokens, padding included; one row is always allowed.

    >>> [batch.tolist() for batch in sorted_batches(np.array([3, 9, 4, 8]), 3, max_tokens=10)]
    [[1], [3], [2, 0]]
    """
    order = np.argsort(-lengths, kind="stable")
    batches = []
    at = 0
    while at < len(order):
        longest = max(1, int(lengths[order[at]]))
        size = min(batch_size, max(1, max_tokens // longest))
        batches.append(order[at : at + size])
        at += size
    return batches


@contextmanager
def read_batches(
    lengths: Array, device: torch.device, what: str, progress: bool = False, most: int = 0
) -> Iterator[Iterator[Array]]:
    """Yield sorted batches of row numbers under a progress bar; computations inside have no gradients.

    `most` is the most rows of a batch, if the device could take more.
    """
    rows, tokens = _MOST.get(device.type, _MOST["cpu"])

    def batches() -> Iterator[Array]:
        for batch in sorted_batches(lengths, most or rows, tokens):
            yield batch
            bar.update(len(batch))

    bar = tqdm(
        total=len(lengths), desc=what, unit="text", delay=1, leave=False, disable=not progress
    )
    with (
        bar,
        torch.inference_mode(),
        autocast(device),
    ):  # one autocast: it keeps the weights that it has rounded
        yield batches()


def read_all(
    lengths: Array,
    forward: Callable[[Array], torch.Tensor],
    device: torch.device,
    progress: bool = False,
) -> torch.Tensor:
    """The outputs of `forward` for all rows, in the order of the rows, on the CPU; it gets the rows of a batch."""
    with read_batches(lengths, device, "reading", progress=progress) as batches:
        read = [(rows, forward(rows).cpu()) for rows in batches]
    if not read:
        return torch.empty(0)
    rows, found = zip(*read, strict=True)
    order = np.argsort(np.concatenate(rows))
    return torch.cat(found)[order]


def pick_device(device: Device = None) -> torch.device:
    """The named device; by default the GPU, if there is one, else the CPU."""
    if device is None:
        device = "cuda" if torch.cuda.is_available() else "cpu"
    with as_pairs_error(f"device {device!r}", "say 'cpu', or 'cuda' if torch finds a GPU"):
        return torch.empty(0, device=device).device


def arithmetic(device: torch.device) -> str:
    """``"bfloat16"`` if the device multiplies it in hardware, else ``"float32"``, which is then faster."""
    native = False
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
