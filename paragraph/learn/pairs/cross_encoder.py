"""A cross-encoder: a pretrained transformer that reads both sentences at once, fine-tuned on labelled pairs."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.nn import functional

from ...pairs import PairsError
from ..pretrained.batches import Tokens, autocast, reading, shuffled_batches, tokenize
from ..pretrained.find import load_classifier, load_tokenizer, write_transformer
from .neural import NeuralModel

__all__ = ["PairClassifier", "adamw"]

#: Rows and tokens of a batch when nothing is learnt.
_BATCH = 128, 4096


@dataclass(eq=False, kw_only=True)
class PairClassifier(NeuralModel):
    """Fine-tune an encoder on pairs, as Devlin et al. (2019) do for sentence pairs (section 4.1, A.3).

    The input is ``[CLS] text_a [SEP] text_b [SEP]``, in this order; two outputs, cross-entropy, AdamW without
    decay of biases and norms, gradients of norm 1 at most. Matrix products are in bfloat16 where the machine
    has it. The defaults lie inside their ranges: learning rate 2e-5 to 5e-5, batches of 16 or 32, 2 to 4 epochs.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder.
    lr : float
        The highest learning rate.
    batch_size : int
    epochs : int
        At most; see `patience`.
    max_length : int
        In tokens, special ones included. Longer pairs are cut at their longer sentence, and counted in a warning.
    warmup : float
        Share of the steps over which the learning rate rises; then it falls to zero, linearly both times.
    patience : int or None
        Stop after so many evaluations, of which an epoch has four, without a lower dev loss. None: never.
    class_weights : None, "balanced" or (float, float)
        Of the labels 0 and 1 in the loss; "balanced" is n / (2 · number of rows with the label).
    seed : int
        Of the new head, the order of the rows and dropout.
    device : str, optional
        "cpu" or "cuda"; by default the GPU where there is one.
    checkpoint : path, optional
        A folder for this run alone. An interrupted `fit`, even a killed one, continues from there when called again.
    checkpoint_seconds : float
        Between two checkpoints.
    progress : bool

    Notes
    -----
    With the same seed and number of threads two fits on a CPU give the same weights, bit by bit. `history` has one
    row for each evaluation; see `training.HISTORY`.

    Examples
    --------
    >>> import paragraph as pg
    >>> model = PairClassifier(epochs=1, progress=False)
    >>> model.trained_on[:38]
    '1.17 billion sentence pairs, among the'
    >>> few = pg.read_pairs(pg.DEMO)[:32]
    >>> len(model.fit(few).history)
    1
    >>> model.predict_proba(few).shape
    (32,)
    """

    lr: float = 2e-5
    epochs: int = 3
    patience: int | None = 4
    warmup: float | None = 0.1
    class_weights: str | Sequence[float] | None = None

    _kind, _saved = "cross-encoder", "pair_classifier.json"

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self.model)

    @property
    def _schedule(self) -> dict[str, float | None]:
        return {"warmup": self.warmup, "clip": 1.0}

    def _inputs(self, pairs: pd.DataFrame, what: str) -> Tokens:
        sides = (pairs["text_a"].tolist(), pairs["text_b"].tolist())
        tokens = tokenize(self._tokenizer, *sides, max_length=self.max_length, progress=self.progress)
        if cut := int(tokens.cut.sum()):
            message = f"{cut:,} of {len(pairs):,} {what}pairs are longer than {self.max_length} tokens and were cut"
            warnings.warn(message, stacklevel=3)  # at the line that called fit or predict_proba
        return tokens

    def _network(self, labels: np.ndarray) -> nn.Module:
        self._weights = _label_weights(self.class_weights, labels)
        return load_classifier(self.model, num_labels=2, seed=self.seed)

    def _optimizer(self, network: nn.Module) -> torch.optim.Optimizer:
        return adamw(network, self.lr)

    def _batches(self, inputs: Tokens, seed: tuple[int, int]) -> list[np.ndarray]:
        return shuffled_batches(inputs.lengths, self.batch_size, seed)

    def _forward(self, inputs: Tokens, rows: np.ndarray) -> torch.Tensor:
        with autocast(self.device):
            return self._module(**inputs.batch(rows, self.device)).logits.float()  # (rows, 2)

    def _logits(self, inputs: Tokens) -> torch.Tensor:
        """The two outputs for each row, float32 on the CPU: (n, 2)."""
        found = torch.empty(len(inputs.lengths), 2)
        with reading(inputs.lengths, self.device, _BATCH, "reading pairs", "pair", self.progress) as batches:
            for rows in batches:
                found[rows] = self._module(**inputs.batch(rows, self.device)).logits.float().cpu()
        return found

    def _loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(logits, labels, self._weights.to(logits.device))

    def _probability(self, logits: torch.Tensor) -> torch.Tensor:
        return torch.softmax(logits.double(), dim=1)[:, 1]

    def _fingerprint(self) -> list[Any]:
        return [self._weights, *super()._fingerprint()]

    def _write(self, folder: Path) -> dict[str, str]:
        write_transformer(self._module, self._tokenizer, folder)
        return {"name": self.name, "trained_on": self.trained_on}

    def _read(self, folder: Path, noted: dict) -> None:
        """Fitted again, the model starts from these weights."""
        self.name, self.trained_on = noted["name"], noted["trained_on"]
        self._module = load_classifier(folder, num_labels=2, fitted=True)
        example = pd.DataFrame({"text_a": ["a"], "text_b": ["b"]})
        self._logits(self._inputs(example, ""))  # a configuration may be damaged where only the work itself shows it


def adamw(network: nn.Module, lr: float) -> torch.optim.Optimizer:
    """AdamW with a weight decay of .01, but none of biases and norms (the vectors among the parameters)."""
    decayed = [value for value in network.parameters() if value.ndim > 1]
    others = [value for value in network.parameters() if value.ndim <= 1]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=lr, fused=True)


def _label_weights(asked: str | Sequence[float] | None, labels: np.ndarray) -> torch.Tensor:
    """The weight of either label, float32."""
    if asked is None:
        return torch.ones(2)
    if isinstance(asked, str) and asked == "balanced":
        return torch.from_numpy(len(labels) / (2 * np.bincount(labels, minlength=2))).float()
    if isinstance(asked, str) or len(asked) != 2 or not all(weight > 0 for weight in asked):
        raise PairsError(f"class_weights={asked!r} is not None, 'balanced' or two positive numbers")
    return torch.tensor(asked, dtype=torch.float32)
