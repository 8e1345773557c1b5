"""A dense network on frozen embeddings of the pair: the model of Jurišić et al. (2023), section 4.2."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import nn

from ...files import PairsError
from ...learn.vectors import encode
from ..models.neural import Head, Schedule

__all__ = ["Dense"]


@dataclass(eq=False, kw_only=True)
class Dense(Head):
    """A frozen encoder reads the pair in both orders; a network of three layers reads the two vectors.

    With e₁ the [CLS] vector of ``[CLS] a [SEP] b [SEP]`` and e₂ that of the other order, each of length d:
    (e₁, e₂) → 2 × (Linear, BatchNorm1d, ReLU) → Linear → one logit. Binary cross-entropy, Adam at a constant
    learning rate. Vectors are computed once for each ordered pair and kept on disk (see `encode`).

    The defaults are those of the paper (section 4.3), whose encoder is BERT with d = 768. It trains for all
    epochs and keeps the last weights: that is `fit` without `dev`.

    Parameters
    ----------
    hidden : int, optional
        Width of the two hidden layers; 4 d if not given.
    cache : bool or path
        As for `encode`.

    Examples
    --------
    >>> import paragraph as pg
    >>> few = pg.read_pairs(pg.DEMO)[:32]
    >>> model = Dense.made(hidden=32, epochs=2, cache=False, progress=False).fit(few)
    >>> model.history["epoch"].tolist(), model.predict_proba(few).shape
    ([1, 2], (32,))
    """

    hidden: int | None = None
    cache: bool | str | PathLike = True

    kind = "dense"
    file = "dense_head.json"
    usual = Schedule(0.01, epochs=10)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.hidden = self.hidden or 4 * self.about.width

    def inputs(self, pairs: pd.DataFrame, what: str) -> torch.Tensor:
        """The [CLS] vectors of both orders, side by side, float32: (n, 2 d)."""
        a = pairs["text_a"].tolist()
        b = pairs["text_b"].tolist()
        options = {"max_length": self.max_length, "device": self.device, "cache": self.cache}
        # In one call, so that the model is loaded once; a pair that stands in both orders is computed once.
        both_orders = [*zip(a + b, b + a, strict=True)]
        vectors = encode(both_orders, self.model, pooling="cls", **options, progress=self.progress)
        halves = np.split(vectors, [len(a)])
        together = np.hstack(halves)
        return torch.from_numpy(together).to(self.device)

    def build(self, classes: int) -> nn.Module:
        layers = []
        for size in (2 * self.about.width, self.hidden):
            layers.append(nn.Linear(size, self.hidden))
            layers.append(nn.BatchNorm1d(self.hidden))
            layers.append(nn.ReLU())
        layers.append(nn.Linear(self.hidden, 1))
        return nn.Sequential(*layers)

    def optimizer(self, lr: float) -> torch.optim.Optimizer:
        return torch.optim.Adam(self.network.parameters(), lr=lr, fused=True)

    def batches(self, inputs: torch.Tensor, size: int, seed: Any) -> list[np.ndarray]:
        """Random batches. A single row left over joins the batch before: it has no variance to normalize by."""
        if size < 2:
            raise PairsError(
                f"batch_size={size}: batch normalization needs two rows or more in a batch"
            )
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(inputs))
        starts = np.arange(size, len(inputs) - 1, size)
        return np.split(order, starts)

    def forward(self, inputs: torch.Tensor, rows: np.ndarray) -> torch.Tensor:
        return self.network(inputs[rows])[:, 0]  # (rows, 2 d) -> (rows,)

    @torch.inference_mode()
    def read(self, inputs: torch.Tensor) -> torch.Tensor:
        """The logit of each row, float32 on the CPU: (n,)."""
        parts = inputs.split(4096)
        logits = [self.network(part)[:, 0].cpu() for part in parts]
        return torch.cat(logits)
