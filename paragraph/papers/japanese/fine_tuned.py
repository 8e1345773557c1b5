"""An encoder fine-tuned to tell the labels of textual entailment: the model of Takahagi and Shinnou (2023)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import nn

from ...learn import training
from ...learn.cross_encoder import CrossEncoder
from ...pairs import PairsError

__all__ = ["FineTuned"]


@dataclass(eq=False, kw_only=True)
class FineTuned(CrossEncoder):
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

    _kind, _saved, _schedule = "fine-tuned", "fine_tuned.json", {"evaluations": 1}

    def predict(self, table: pd.DataFrame) -> np.ndarray:
        """The label of each row."""
        self._check_fitted()
        return np.array(self.labels)[self._head.answers(self._logits(self._inputs(table, ""))).numpy()]

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
