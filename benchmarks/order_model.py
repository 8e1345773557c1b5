"""A small network that reads the order of words: a model of pairs of texts with any number of labels."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.nn import functional

from benchmarks.fine_tuned import Entailment

__all__ = ["OrderModel", "OrderNetwork"]


class WordVectors(NamedTuple):
    """An encoder that is none: words have vectors."""

    name: str = "order"
    trained_on: str = ""
    max_length: int = 512


@dataclass(eq=False, kw_only=True)
class OrderModel(Entailment):
    """An `OrderNetwork` on `vectors`, from a text to those of its words, (words, d). If `blind`, a bag of words.

    It learns for all updates, whatever dev says.
    """

    model: Any = field(default_factory=WordVectors)
    vectors: Callable[[str], torch.Tensor]
    blind: bool = False
    updates: int = 1600
    lr: float = 2e-3
    batch_size: int = 32
    epochs: int = 1
    warmup: float | None = 0.1
    clip: float | None = 1.0

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> Self:
        return super().fit(train)

    def inputs(self, table: pd.DataFrame, what: str) -> list:
        return [[self.vectors(text) for text in table[side]] for side in ("text_a", "text_b")]

    def lengths(self, inputs: list) -> np.ndarray:
        return np.max([[*map(len, side)] for side in inputs], axis=0)

    def build(self) -> nn.Module:
        return OrderNetwork(self.vectors("").shape[1], len(self.names), self.blind)

    def optimizer(self) -> torch.optim.Optimizer:
        return torch.optim.AdamW(self.network.parameters(), lr=self.lr)

    def forward(self, inputs: list, rows: np.ndarray) -> torch.Tensor:
        sides = [[side[row] for row in rows] for side in inputs]
        both = [
            texts for side in sides for texts in (side, [torch.ones(len(text)) for text in side])
        ]
        padded = (nn.utils.rnn.pad_sequence(one, batch_first=True).to(self.device) for one in both)
        with torch.autocast(self.device.type, enabled=False):  # it is small: float32
            return self.network(*padded)


class OrderNetwork(nn.Module):
    """Parikh et al. (2016), "A Decomposable Attention Model for NLI", with positions (sines) and convolutions."""

    def __init__(self, d: int, labels: int, blind: bool = False, width: int = 96):
        super().__init__()
        # a bag of words has no neighbours
        near = {"kernel_size": 1} if blind else {"kernel_size": 3, "padding": 1}
        self.blind, self.drop = blind, nn.Dropout(0.2)
        self.project, self.read = nn.Linear(d, width), nn.Conv1d(width, width, **near)
        self.compare, self.reread = nn.Linear(4 * width, width), nn.Conv1d(width, width, **near)
        self.hidden, self.out = nn.Linear(4 * width, width), nn.Linear(width, labels)

    def forward(
        self, a: torch.Tensor, is_a: torch.Tensor, b: torch.Tensor, is_b: torch.Tensor
    ) -> torch.Tensor:
        """Vectors, (rows, longest, d), and where there is a word, 1 or 0, (rows, longest), of each text."""
        a, b = self._encode(a, is_a), self._encode(b, is_b)
        like, pooled = a @ b.transpose(1, 2) / math.sqrt(a.shape[2]), []
        for own, other, there, seen, alike in (
            (a, b, is_a, is_b, like),
            (b, a, is_b, is_a, like.transpose(1, 2)),
        ):
            found = alike.masked_fill(seen[:, None] == 0, -1e4).softmax(2) @ other
            both = functional.relu(
                self.compare(torch.cat([own, found, own - found, own * found], 2))
            )
            both = self._beside(self.reread, both, there)
            pooled += [both.max(1).values, both.sum(1) / there.sum(1, keepdim=True)]
        return self.out(self.drop(functional.relu(self.hidden(self.drop(torch.cat(pooled, 1))))))

    def _encode(self, words: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        words, width = self.project(self.drop(words)), self.out.in_features
        angle = torch.arange(words.shape[1])[:, None] * torch.exp(
            -math.log(1e4) * torch.arange(0, width, 2) / width
        )
        positions = torch.cat([angle.sin(), angle.cos()], 1).to(words.device)
        return self.drop(self._beside(self.read, words if self.blind else words + positions, there))

    def _beside(
        self, convolution: nn.Conv1d, words: torch.Tensor, there: torch.Tensor
    ) -> torch.Tensor:
        words = words * there[..., None]
        return (
            words + functional.relu(convolution(words.transpose(1, 2))).transpose(1, 2)
        ) * there[..., None]
