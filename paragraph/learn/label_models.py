"""Models of pairs of texts with any number of labels: fine-tuned encoders, and a small network that reads order."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.nn import functional

from ..pairs import PairsError
from . import training
from .batches import shuffled_batches, sorted_batches, tokenize
from .devices import autocast, pick_device
from .models import describe, load_classifier, load_tokenizer

__all__ = ["FineTuned", "OrderModel", "OrderNetwork"]


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


@dataclass(kw_only=True)
class OrderModel(LabelModel):
    """An `OrderNetwork` on `vectors`, from a text to those of its words, (words, d). If `blind`, a bag of words."""

    vectors: Callable[[str], torch.Tensor]
    blind: bool = False
    lr: float = 2e-3
    batch_size: int = 32
    updates: int = 1600
    warmup, clip, optimizer = 0.1, 1.0, torch.optim.AdamW

    def _inputs(self, table: pd.DataFrame) -> tuple[list, np.ndarray]:
        sides = [[self.vectors(text) for text in table[side]] for side in ("text_a", "text_b")]
        return sides, np.max([[*map(len, side)] for side in sides], axis=0)

    def _network(self) -> nn.Module:
        return OrderNetwork(self.vectors("").shape[1], len(self.labels), self.blind)

    def _forward(self, inputs: list, rows: np.ndarray) -> torch.Tensor:
        sides = [[side[row] for row in rows] for side in inputs]
        both = [texts for side in sides for texts in (side, [torch.ones(len(text)) for text in side])]
        return self._module(*(nn.utils.rnn.pad_sequence(one, batch_first=True).to(self.device) for one in both))


class OrderNetwork(nn.Module):
    """Parikh et al. (2016), "A Decomposable Attention Model for NLI", with positions (sines) and convolutions."""

    def __init__(self, d: int, labels: int, blind: bool = False, width: int = 96):
        super().__init__()
        near = {"kernel_size": 1} if blind else {"kernel_size": 3, "padding": 1}  # a bag of words has no neighbours
        self.blind, self.drop = blind, nn.Dropout(0.2)
        self.project, self.read = nn.Linear(d, width), nn.Conv1d(width, width, **near)
        self.compare, self.reread = nn.Linear(4 * width, width), nn.Conv1d(width, width, **near)
        self.hidden, self.out = nn.Linear(4 * width, width), nn.Linear(width, labels)

    def forward(self, a: torch.Tensor, is_a: torch.Tensor, b: torch.Tensor, is_b: torch.Tensor) -> torch.Tensor:
        """Vectors, (rows, longest, d), and where there is a word, 1 or 0, (rows, longest), of each text."""
        a, b = self._encode(a, is_a), self._encode(b, is_b)
        like, pooled = a @ b.transpose(1, 2) / math.sqrt(a.shape[2]), []
        for own, other, there, seen, alike in ((a, b, is_a, is_b, like), (b, a, is_b, is_a, like.transpose(1, 2))):
            found = alike.masked_fill(seen[:, None] == 0, -1e4).softmax(2) @ other
            both = functional.relu(self.compare(torch.cat([own, found, own - found, own * found], 2)))
            both = self._beside(self.reread, both, there)
            pooled += [both.max(1).values, both.sum(1) / there.sum(1, keepdim=True)]
        return self.out(self.drop(functional.relu(self.hidden(self.drop(torch.cat(pooled, 1))))))

    def _encode(self, words: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        words, width = self.project(self.drop(words)), self.out.in_features
        angle = torch.arange(words.shape[1])[:, None] * torch.exp(-math.log(1e4) * torch.arange(0, width, 2) / width)
        positions = torch.cat([angle.sin(), angle.cos()], 1).to(words.device)
        return self.drop(self._beside(self.read, words if self.blind else words + positions, there))

    def _beside(self, convolution: nn.Conv1d, words: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        words = words * there[..., None]
        return (words + functional.relu(convolution(words.transpose(1, 2))).transpose(1, 2)) * there[..., None]
