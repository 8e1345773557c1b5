"""An encoder fine-tuned to tell the labels of textual entailment: the model of Takahagi and Shinnou (2023)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from torch.nn import functional

from paragraph import PairsError
from paragraph.learn.tokens import Tokens
from paragraph.papers.models.cross_encoder import CrossEncoder
from paragraph.papers.models.training import Plan, shuffled_batches

__all__ = ["Entailment"]


@dataclass(eq=False, kw_only=True)
class Entailment(CrossEncoder):
    """An encoder fine-tuned as in Takahagi and Shinnou (2023), section 4.3, for labels in a column `entailment`.

    The input is ``[CLS] text_a [SEP] text_b [SEP]``, an output for each label, cross-entropy (Devlin et al. 2019,
    section 4.1). SGD, learning rate .01, batches of 8, early stopping. Not stated there: dev is looked at every 563
    updates (once through 4,500 rows), and 3 looks without a lower loss end it, or 20 looks; 512 tokens are read. With
    one seed, the same first weights.
    """

    max_length: int = 512
    progress: bool = False
    names: list[str] | None = None
    updates: int = 563
    lr: float = 0.01
    batch_size: int = 8
    epochs: int = 20
    warmup: float | None = None
    clip: float | None = None
    patience: int | None = 3
    evaluations: int = 1

    kind, file = "fine-tuned", "fine_tuned.json"

    def labels(self, pairs: pd.DataFrame, what: str) -> np.ndarray:
        """The labels in the column `entailment`. PairsError where a row has none, or all have the same."""
        labels = pairs["entailment"]
        if what == "training":
            self.names = sorted({*labels.dropna()})
            if labels.isna().any() or len(self.names) < 2:
                raise PairsError(
                    f"entailment: {len(self.names)} labels, and {labels.isna().sum():,} rows have none"
                )
        return np.array([*map(self.names.index, labels)])

    def plan(self, inputs: Tokens) -> Plan:
        """Draw as many batches for each epoch as there are updates, however many rows there are."""
        plan, many = [], self.epochs * self.updates
        while len(plan) < many:
            plan += shuffled_batches(self.lengths(inputs), self.batch_size, (self.seed, len(plan)))
        return [(1 + step // self.updates, rows) for step, rows in enumerate(plan[:many])]

    @property
    def outputs(self) -> int:
        return len(self.names)

    def optimizer(self) -> torch.optim.Optimizer:
        return torch.optim.SGD(self.network.parameters(), lr=self.lr)

    def loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(logits, labels)

    def answers(self, logits: torch.Tensor) -> torch.Tensor:
        return logits.argmax(1)

    def predict(self, table: pd.DataFrame) -> np.ndarray:
        """The label of each row."""
        self.check_fitted()
        logits = self.read(self.inputs(table, ""))
        return np.array(self.names)[self.answers(logits).numpy()]
