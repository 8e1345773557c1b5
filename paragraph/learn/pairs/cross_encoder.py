"""Fine-tuned transformers: a cross-encoder that reads both sentences of a pair at once, or tells other labels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.nn import functional

from ...pairs import PairsError
from ..pretrained.batches import Tokens, autocast, pick_device, reading, shuffled_batches, sorted_batches, tokenize
from ..pretrained.find import describe, load, load_tokenizer, write_transformer
from . import training
from .neural import NeuralModel

__all__ = ["CrossEncoder", "FineTuned", "PairClassifier"]


@dataclass(eq=False, kw_only=True)
class CrossEncoder(NeuralModel):
    """The base of models that fine-tune a whole transformer with a head of two outputs."""

    _head: ClassVar[str]
    _schedule: ClassVar[dict] = {"warmup": 0.1, "clip": 1.0}

    def _network(self) -> nn.Module:
        return load(self.model, self._head, 2, self.seed)

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
        Stop after so many evaluations, of which an epoch has four, without a lower dev loss. None: never.
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

    def _inputs(self, pairs: pd.DataFrame, what: str) -> Tokens:
        return tokenize(
            self._tokenizer, pairs["text_a"].tolist(), pairs["text_b"].tolist(), max_length=self.max_length,
            what=f"{what}pairs", progress=self.progress,
        )  # fmt: skip

    def _batches(self, inputs: Tokens, seed: tuple[int, int]) -> list[np.ndarray]:
        return shuffled_batches(inputs.lengths, self.batch_size, seed)

    def _forward(self, inputs: Tokens, rows: np.ndarray) -> torch.Tensor:
        with autocast(self.device):
            return self._module(**inputs.batch(rows, self.device)).logits.float()  # (rows, 2)

    def _logits(self, inputs: Tokens) -> torch.Tensor:
        """The two outputs for each row, float32 on the CPU: (n, 2)."""
        found = torch.empty(len(inputs.lengths), 2)
        with reading(inputs.lengths, self.device, "reading pairs", "pair", progress=self.progress) as batches:
            for rows in batches:
                found[rows] = self._module(**inputs.batch(rows, self.device)).logits.float().cpu()
        return found

    def _loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(logits, labels)

    def _probability(self, logits: torch.Tensor) -> torch.Tensor:
        return torch.softmax(logits.double(), dim=1)[:, 1]

    def _read(self, folder: Path, noted: dict) -> None:
        super()._read(folder, noted)
        example = pd.DataFrame({"text_a": ["a"], "text_b": ["b"]})
        self._logits(self._inputs(example, ""))  # a configuration may be damaged where only the work itself shows it


@dataclass(kw_only=True)
class FineTuned:
    """An encoder that learns any number of labels, fine-tuned as in Takahagi and Shinnou (2023), section 4.3.

    SGD, learning rate .01, batches of 8, early stopping. Not stated there: dev is looked at every 563 updates (once
    through 4,500 rows), and 3 looks without a lower loss end it, or 20 looks; 512 tokens are read. With one seed, the
    same first weights. Another network on pairs has its own `_inputs`, `_network` and `_forward`.

    Parameters
    ----------
    model : str
        A hub id or a folder.
    updates : int
        Batches in all, however many rows there are.
    """

    model: str = ""
    seed: int = 0
    lr: float = 0.01
    batch_size: int = 8
    updates: int = 20 * 563
    every, patience, warmup, clip = 563, 3, None, None  # patience: looks at dev without a lower loss
    optimizer = torch.optim.SGD

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> Self:
        """Learn the column `entailment`. PairsError where a row has no label, or all have the same."""
        labels = train["entailment"]
        self.labels = sorted({*labels.dropna()})
        if labels.isna().any() or len(self.labels) < 2:
            raise PairsError(f"entailment: {len(self.labels)} labels, and {labels.isna().sum():,} rows have none")
        self.device, (inputs, lengths), plan = pick_device(), self._inputs(train), []
        while len(plan) < self.updates:
            plan += shuffled_batches(lengths, self.batch_size, (self.seed, len(plan)))
        with training.own_randomness(self.seed):
            self._module = self._network().to(self.device)
        of_dev = self._inputs(dev) if dev is not None and self.patience else None
        training.train(
            self._module, self.optimizer(self._module.parameters(), lr=self.lr),
            lambda rows: self._loss(self._forward(inputs, rows), labels.iloc[rows]),
            [(1 + step // self.every, rows) for step, rows in enumerate(plan[: self.updates])],
            of_dev and (lambda: (self._loss(self._logits(*of_dev), dev["entailment"]).item(), math.nan)),
            history=[], seed=self.seed, warmup=self.warmup, clip=self.clip, patience=self.patience, evaluations=1,
            progress=False,
        )  # fmt: skip
        return self

    def predict(self, table: pd.DataFrame) -> np.ndarray:
        """The label of each row."""
        return np.array(self.labels)[self._logits(*self._inputs(table)).argmax(1).numpy()]

    def _loss(self, logits: torch.Tensor, labels: pd.Series) -> torch.Tensor:
        return functional.cross_entropy(logits, torch.tensor([*map(self.labels.index, labels)]).to(logits.device))

    @torch.inference_mode()
    def _logits(self, inputs: Any, lengths: np.ndarray) -> torch.Tensor:
        found = torch.empty(len(lengths), len(self.labels))
        for rows in sorted_batches(lengths, 128, 8192):
            found[rows] = self._forward(inputs, rows).cpu()
        return found

    def _inputs(self, table: pd.DataFrame) -> tuple[Any, np.ndarray]:
        sides, limit = (table["text_a"].tolist(), table["text_b"].tolist()), min(512, describe(self.model).max_length)
        tokens = tokenize(load_tokenizer(self.model), *sides, max_length=limit, progress=False)
        return tokens, tokens.lengths

    def _network(self) -> nn.Module:
        return load(self.model, "ForSequenceClassification", len(self.labels), self.seed)

    _forward = PairClassifier._forward
