"""An encoder fine-tuned to tell the labels of textual entailment: the model of Takahagi and Shinnou (2023)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import torch

from paragraph import PairsError
from paragraph.papers.models.cross_encoder import CrossEncoder
from paragraph.papers.models.neural import Neural, Schedule
from paragraph.papers.models.training import Plan

__all__ = ["Entailment", "FineTuned"]


class FineTuned(Neural):
    """A model of any number of labels, those in the column `entailment`."""

    head: Entailment

    def plan(self, inputs: Any) -> Plan:
        """Draw as many batches for each epoch as the head has updates, however many rows there are."""
        plan, updates = [], self.head.updates
        many = self.schedule.epochs * updates
        while len(plan) < many:
            plan += self.head.batches(inputs, self.schedule.batch_size, (self.seed, len(plan)))
        return [(1 + step // updates, rows) for step, rows in enumerate(plan[:many])]

    def predict(self, table: pd.DataFrame) -> np.ndarray:
        """The label of each row."""
        self.check_fitted()
        logits = self.head.read(self.head.inputs(table, ""))
        return np.array(self.head.names)[self.head.loss.answers(logits).numpy()]


@dataclass(eq=False, kw_only=True)
class Entailment(CrossEncoder):
    """An encoder fine-tuned as in Takahagi and Shinnou (2023), section 4.3.

    SGD, learning rate .01, batches of 8, early stopping. Not stated there: dev is looked at every 563 updates (once
    through 4,500 rows), and 3 looks without a lower loss end it, or 20 looks; 512 tokens are read. With one seed, the
    same first weights.
    """

    max_length: int = 512
    progress: bool = False
    names: list[str] | None = None
    updates: int = 563

    kind, file, into = "fine-tuned", "fine_tuned.json", FineTuned
    usual = Schedule(0.01, 8, epochs=20, patience=3, evaluations=1)

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

    def optimizer(self, lr: float) -> torch.optim.Optimizer:
        return torch.optim.SGD(self.network.parameters(), lr=lr)
