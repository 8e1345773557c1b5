"""Fine-tuned transformers: a cross-encoder that reads both sentences of a pair at once, or tells other labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.nn import functional

from ..pairs import PairsError
from . import training
from .encoder import load, write_transformer
from .neural import NeuralModel
from .tokens import Tokens, autocast

__all__ = ["CrossEncoder", "FineTuned", "PairClassifier"]


@dataclass(eq=False, kw_only=True)
class CrossEncoder(NeuralModel):
    """The base of models that fine-tune a whole transformer with a head, which has an output for each of `labels`."""

    _head: ClassVar[str]
    _schedule: ClassVar[dict] = {"warmup": 0.1, "clip": 1.0}
    labels: ClassVar[Sequence] = (0, 1)

    def _network(self) -> nn.Module:
        return load(self.model, self._head, len(self.labels), self.seed)

    def _optimizer(self, network: nn.Module) -> torch.optim.Optimizer:
        """AdamW with a weight decay of .01, but none of biases and norms (the vectors among the parameters)."""
        decayed = [value for value in network.parameters() if value.ndim > 1]
        others = [value for value in network.parameters() if value.ndim <= 1]
        groups = [{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]
        return torch.optim.AdamW(groups, lr=self.lr, fused=True)

    def _write(self, folder: Path) -> dict[str, Any]:
        write_transformer(self._module, self._tokenizer, folder)
        return {"name": self.name, "trained_on": self.trained_on}

    def _read(self, folder: Path, noted: dict) -> None:
        """Fitted again, the model starts from these weights."""
        self.name, self.trained_on = noted["name"], noted["trained_on"]
        self._module = load(folder, self._head, 2, fitted=True)


@dataclass(eq=False, kw_only=True)
class PairClassifier(CrossEncoder):
    """Fine-tune an encoder on pairs, as Devlin et al. (2019) do for sentence pairs (section 4.1, A.3).

    The input is ``[CLS] text_a [SEP] text_b [SEP]``; two outputs, cross-entropy, AdamW without decay of biases and
    norms, gradients of norm 1 at most. The learning rate rises over a tenth of the steps, then falls to zero. The
    defaults lie inside their ranges: learning rate 2e-5 to 5e-5, batches of 16 or 32, 2 to 4 epochs. With the same
    seed and number of threads two fits on a CPU give the same weights, bit by bit.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder.
    lr : float
        The highest learning rate.
    epochs : int
        At most; see `patience`.
    max_length : int
        In tokens, special ones included. Longer pairs are cut at their longer sentence, and counted in a warning.
    patience : int or None
        Stop after this many evaluations without a lower dev loss; an epoch has four. None: never.
    seed : int
        Of the new head, the order of the rows and dropout.
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

    _kind, _saved, _head = "cross-encoder", "pair_classifier.json", "ForSequenceClassification"

    @property
    def _outputs(self) -> tuple[int]:
        return (len(self.labels),)

    def _inputs(self, pairs: pd.DataFrame, what: str) -> Tokens:
        return self._tokens(pairs["text_a"].tolist(), pairs["text_b"].tolist(), f"{what}pairs")

    def _forward(self, inputs: Tokens, rows: np.ndarray) -> torch.Tensor:
        with autocast(self.device):
            return self._module(**inputs.batch(rows, self.device)).logits.float()  # (rows, labels)

    def _loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(logits, labels)

    def _answers(self, logits: torch.Tensor) -> torch.Tensor:
        return logits.argmax(1)

    def _probability(self, logits: torch.Tensor) -> torch.Tensor:
        return torch.softmax(logits.double(), dim=1)[:, 1]

    def _read(self, folder: Path, noted: dict) -> None:
        super()._read(folder, noted)
        example = pd.DataFrame({"text_a": ["a"], "text_b": ["b"]})
        self._logits(self._inputs(example, ""))  # a configuration may be damaged where only the work itself shows it


@dataclass(eq=False, kw_only=True)
class FineTuned(PairClassifier):
    """An encoder that learns any number of labels, fine-tuned as in Takahagi and Shinnou (2023), section 4.3.

    SGD, learning rate .01, batches of 8, early stopping. Not stated there: dev is looked at every 563 updates (once
    through 4,500 rows), and 3 looks without a lower loss end it, or 20 looks; 512 tokens are read. With one seed, the
    same first weights. Another network on pairs has its own `_inputs`, `_lengths`, `_network` and `_forward`.

    Parameters
    ----------
    updates : int
        Batches of an epoch, however many rows there are. After each epoch dev is looked at.
    model, epochs, max_length, patience, seed, device, progress
        As for `PairClassifier`.
    """

    lr: float = 0.01
    batch_size: int = 8
    updates: int = 563
    epochs: int = 20
    patience: int | None = 3
    max_length: int = 512
    progress: bool = False

    _kind, _schedule = "fine-tuned", {"evaluations": 1}
    predict_proba = save = load = None  # labels of any number, of one experiment

    def predict(self, table: pd.DataFrame) -> np.ndarray:
        """The label of each row."""
        return np.array(self.labels)[self._answers(self._logits(self._inputs(table, ""))).numpy()]

    def _labels(self, table: pd.DataFrame, what: str = "training") -> np.ndarray:
        """The labels in the column `entailment`. PairsError where a row has none, or all have the same."""
        labels = table["entailment"]
        if what == "training":
            self.labels = sorted({*labels.dropna()})
            if labels.isna().any() or len(self.labels) < 2:
                raise PairsError(f"entailment: {len(self.labels)} labels, and {labels.isna().sum():,} rows have none")
        return np.array([*map(self.labels.index, labels)])

    def _optimizer(self, network: nn.Module) -> torch.optim.Optimizer:
        return torch.optim.SGD(network.parameters(), lr=self.lr)

    def _plan(self, inputs: Any) -> training.Plan:
        plan = []
        while len(plan) < self.epochs * self.updates:
            plan += self._batches(inputs, len(plan))
        return [(1 + step // self.updates, rows) for step, rows in enumerate(plan[: self.epochs * self.updates])]
