"""A model of pairs of texts with any number of labels: a fine-tuned encoder."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.nn import functional

from ...pairs import PairsError
from ..pretrained.batches import autocast, pick_device, shuffled_batches, sorted_batches, tokenize
from ..pretrained.find import describe, load_classifier, load_tokenizer
from . import training

__all__ = ["FineTuned", "LabelModel"]


@dataclass(kw_only=True)
class LabelModel:
    """So many `updates`, however many rows there are; with one seed, the same first weights."""

    seed: int = 0
    lr: float
    batch_size: int
    updates: int
    every, patience, warmup, clip = 563, None, None, None  # patience: looks at dev without a lower loss

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


@dataclass(kw_only=True)
class FineTuned(LabelModel):
    """An encoder, `model` by hub id or folder, fine-tuned as in Takahagi and Shinnou (2023), section 4.3.

    SGD, learning rate .01, batches of 8, early stopping. Not stated there: dev is looked at every 563 updates (once
    through 4,500 rows), and 3 looks without a lower loss end it, or 20 looks; 512 tokens are read.
    """

    model: str
    lr: float = 0.01
    batch_size: int = 8
    updates: int = 20 * 563
    patience, optimizer = 3, torch.optim.SGD

    def _inputs(self, table: pd.DataFrame) -> tuple[Any, np.ndarray]:
        sides, limit = (table["text_a"].tolist(), table["text_b"].tolist()), min(512, describe(self.model).max_length)
        tokens = tokenize(load_tokenizer(self.model), *sides, max_length=limit, progress=False)
        return tokens, tokens.lengths

    def _network(self) -> nn.Module:
        return load_classifier(self.model, len(self.labels), self.seed)

    def _forward(self, inputs: Any, rows: np.ndarray) -> torch.Tensor:
        with autocast(self.device):
            return self._module(**inputs.batch(rows, self.device)).logits.float()
