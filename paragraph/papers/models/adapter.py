"""The training of low-rank adapters beside a frozen encoder (Hu and others 2021)."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn

from ...files.errors import as_pairs_error
from ...learn.adapter import FILE, Adapter, Network
from ...learn.encoder import load
from ...learn.tokens import Tokens, autocast, read_all
from .neural import Neural

__all__ = ["LowRank"]

#: How far a label is from certainty: 1 counts as 1 − SOFT, 0 as SOFT.
SOFT = 0.06


@dataclass(eq=False, kw_only=True)
class LowRank(Neural):
    """Read both sentences together through a frozen encoder and low-rank adapters, as `learn.Adapter` does.

    A pair is read in both orders, and the two logits are averaged; in training, every second row is read in the other
    order. Of the matrices B and A, B begins at 0. What is saved may be named as a ``judge=`` everywhere.

    Parameters
    ----------
    rank : int
        Rows of A.
    start : path, optional
        A folder that `save` has written: training goes on from there.

    Notes
    -----
    On two cores, MiniLM at rank 16 learns from 110 to 190 pairs per second where bfloat16 is native.

    Examples
    --------
    >>> import paragraph as pg
    >>> few = pg.read_pairs(pg.DEMO)[:16]
    >>> model = LowRank(rank=2, progress=False).fit(few)
    >>> there, back = few, few.rename(columns={"text_a": "text_b", "text_b": "text_a"})
    >>> np.allclose(model.predict_proba(there), model.predict_proba(back), atol=0.01)
    True
    """

    rank: int = 16
    start: str | PathLike | None = None
    max_length: int = 96
    lr: float = 1e-3
    batch_size: int = 64
    warmup: float | None = 0.06

    kind = "adapter"
    file = FILE

    def loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return super().loss(logits, labels * (1 - 2 * SOFT) + SOFT)

    def inputs(self, pairs: pd.DataFrame, what: str) -> Tokens:
        """The pairs in one order, then all of them in the other."""
        a = pairs["text_a"].tolist()
        b = pairs["text_b"].tolist()
        if what:
            what = f"{what}pairs in both orders"
        return self.tokens(a + b, b + a, what=what)

    def build(self) -> nn.Module:
        network = Network(load(self.model), self.rank)
        if self.start is not None:
            with as_pairs_error(self.start, "start from an adapter of the same encoder and rank"):
                started = Adapter(self.start, progress=self.progress)
                network.take(started.network.learnt())
        return network

    def optimizer(self) -> torch.optim.Optimizer:
        learnt = self.network.learnt().values()
        return torch.optim.AdamW(learnt, lr=self.lr, weight_decay=0.01, fused=True)

    def lengths(self, inputs: Tokens) -> np.ndarray:
        return inputs.lengths[: len(inputs.lengths) // 2]

    def forward(self, inputs: Tokens, rows: np.ndarray) -> torch.Tensor:
        turned = rows % 2 * (len(inputs.lengths) // 2)  # every second row in the other order
        with autocast(self.device):
            batch = inputs.batch(rows + turned, self.device)
            return self.network(batch)

    def read(self, inputs: Tokens) -> torch.Tensor:
        def forward(rows: np.ndarray) -> torch.Tensor:
            return self.network(inputs.batch(rows, self.device))

        each = read_all(inputs.lengths, forward, self.device, self.progress)
        return each.view(2, -1).mean(dim=0)

    def weights(self) -> dict[str, torch.Tensor]:
        learnt = self.network.learnt()
        return {name: value.detach().half() for name, value in learnt.items()}

    def restore(self, path: Path) -> nn.Module:
        return Adapter(path.parent, self.device, progress=self.progress).network
