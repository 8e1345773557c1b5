"""A fine-tuned transformer that reads both sentences of a pair at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import torch
from torch import nn

from .encoder import load, write_transformer
from .neural import Classes, NeuralModel, PairModel
from .tokens import Tokens, autocast

__all__ = ["CrossEncoder", "PairClassifier"]


@dataclass(eq=False, kw_only=True)
class CrossEncoder(NeuralModel):
    """The base of models that fine-tune a whole transformer that reads two texts, with one output per label."""

    _top: ClassVar[str] = "ForSequenceClassification"
    _schedule: ClassVar[dict] = {"warmup": 0.1, "clip": 1.0}
    labels = (0, 1)

    @property
    def _head(self) -> Classes:
        return Classes(len(self.labels))

    def _inputs(self, pairs: pd.DataFrame, what: str) -> Tokens:
        return self._tokens(pairs["text_a"].tolist(), pairs["text_b"].tolist(), f"{what}pairs")

    def _forward(self, inputs: Tokens, rows: np.ndarray) -> torch.Tensor:
        with autocast(self.device):
            return self._module(**inputs.batch(rows, self.device)).logits.float()  # (rows, labels)

    def _network(self) -> nn.Module:
        return load(self.model, self._top, len(self.labels), self.seed)

    def _optimizer(self, network: nn.Module) -> torch.optim.Optimizer:
        """AdamW with a weight decay of .01, but none of biases and norms (the vectors among the parameters)."""
        decayed = [value for value in network.parameters() if value.ndim > 1]
        others = [value for value in network.parameters() if value.ndim <= 1]
        groups = [{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]
        return torch.optim.AdamW(groups, lr=self.lr, fused=True)

    def _write(self, folder: Path) -> dict[str, Any]:
        write_transformer(self._module, self._tokenizer, folder)
        return {"name": self.name, "trained_on": self.trained_on, "labels": list(self.labels)}

    def _read(self, folder: Path, noted: dict) -> None:
        """Fitted again, the model starts from these weights."""
        self.name, self.trained_on, self.labels = noted["name"], noted["trained_on"], noted["labels"]
        self._module = load(folder, self._top, len(self.labels), fitted=True)


@dataclass(eq=False, kw_only=True)
class PairClassifier(CrossEncoder, PairModel):
    """Fine-tune an encoder on pairs, as Devlin et al. (2019) do for sentence pairs (section 4.1, A.3).

    The input is ``[CLS] text_a [SEP] text_b [SEP]``; two outputs, cross-entropy, AdamW without decay of biases and
    norms, gradients of norm 1 at most. The learning rate rises over a tenth of the steps, then falls to zero. The
    defaults lie within their ranges: learning rate 2e-5 to 5e-5, batches of 16 or 32, 2 to 4 epochs. With the same
    seed and number of threads two fits on a CPU give the same weights, bit by bit.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder.
    lr : float
        The highest learning rate.
    epochs : int
        The most epochs; see `patience`.
    max_length : int
        In tokens, special ones included. Longer pairs are cut at their longer sentence, and counted in a warning.
    patience : int or None
        Stop after this many evaluations without a lower dev loss; an epoch has four. None: never.
    seed : int
        Determines the new head, the order of the rows and dropout.
    device : str, optional
        "cpu" or "cuda"; by default the GPU where there is one.

    Examples
    --------
    >>> import paragraph as pg
    >>> few = pg.read_pairs(pg.DEMO)[:32]
    >>> model = PairClassifier(epochs=1, progress=False).fit(few)
    >>> len(model.history), model.predict_proba(few).shape
    (1, (32,))
    """

    lr: float = 2e-5
    epochs: int = 3
    patience: int | None = 4

    _kind, _saved = "cross-encoder", "pair_classifier.json"

    def _read(self, folder: Path, noted: dict) -> None:
        super()._read(folder, noted)
        example = pd.DataFrame({"text_a": ["a"], "text_b": ["b"]})
        self._logits(self._inputs(example, ""))  # a configuration may be damaged where only the work itself shows it
