"""A dense network on frozen embeddings of the pair: the model of Jurišić et al. (2023), section 4.2."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike

import numpy as np
import pandas as pd
import torch
from torch import nn

from ...learn.encoder import describe
from ...learn.neural import PairModel
from ...learn.vectors import encode_pairs
from ...pairs import PairsError

__all__ = ["DenseHead"]


@dataclass(eq=False, kw_only=True)
class DenseHead(PairModel):
    """A frozen encoder reads the pair in both orders; a network of three layers reads the two vectors.

    With e₁ the [CLS] vector of ``[CLS] a [SEP] b [SEP]`` and e₂ that of the other order, each of length d:
    (e₁, e₂) → 2 × (Linear, BatchNorm1d, ReLU) → Linear → one logit. Binary cross-entropy, Adam at a constant
    learning rate. Vectors are computed once for each ordered pair and kept on disk (see `encode`).

    The defaults are those of the paper (section 4.3), whose encoder is BERT with d = 768. It trains for all
    epochs and keeps the last weights: that is `fit` without `dev`.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder.
    hidden : int, optional
        Width of the two hidden layers; 4 d if not given.
    cache : bool or path
        As for `encode`.
    patience, max_length, seed, device, progress
        As for `PairClassifier`; `patience` is None by default.

    Examples
    --------
    >>> import paragraph as pg
    >>> few = pg.read_pairs(pg.DEMO)[:32]
    >>> head = DenseHead(hidden=32, epochs=2, cache=False, progress=False).fit(few)
    >>> head.history["epoch"].tolist(), head.predict_proba(few).shape
    ([1, 2], (32,))
    """

    hidden: int | None = None
    lr: float = 0.01
    epochs: int = 10
    patience: int | None = None
    cache: bool | str | PathLike = True

    _kind, _saved, _weights = "dense", "dense_head.json", "head.safetensors"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.batch_size < 2:
            raise PairsError(f"batch_size={self.batch_size}: batch normalization needs two rows or more in a batch")
        self.width = describe(self.model).width
        self.hidden = self.hidden or 4 * self.width

    def _inputs(self, pairs: pd.DataFrame, what: str) -> torch.Tensor:
        """The [CLS] vectors of both orders, side by side, float32: (n, 2 d)."""
        a, b = pairs["text_a"].tolist(), pairs["text_b"].tolist()
        options = {"max_length": self.max_length, "device": self.device, "cache": self.cache}
        # In one call, so that the model is loaded once; a pair that stands in both orders is computed once.
        both = encode_pairs(a + b, b + a, self.model, **options, progress=self.progress)
        return torch.from_numpy(np.hstack([both[: len(a)], both[len(a) :]])).to(self.device)

    def _network(self) -> nn.Module:
        layers = []
        for size in (2 * self.width, self.hidden):
            layers += [nn.Linear(size, self.hidden), nn.BatchNorm1d(self.hidden), nn.ReLU()]
        return nn.Sequential(*layers, nn.Linear(self.hidden, 1))

    def _optimizer(self, network: nn.Module) -> torch.optim.Optimizer:
        return torch.optim.Adam(network.parameters(), lr=self.lr, fused=True)

    def _batches(self, inputs: torch.Tensor, number: int) -> list[np.ndarray]:
        """Random batches. A single row left over joins the batch before: it has no variance to normalize by."""
        order = np.random.default_rng((self.seed, number)).permutation(len(inputs))
        return np.split(order, np.arange(self.batch_size, len(inputs) - 1, self.batch_size))

    def _forward(self, inputs: torch.Tensor, rows: np.ndarray) -> torch.Tensor:
        return self._module(inputs[rows])[:, 0]  # (rows, 2 d) -> (rows,)

    @torch.inference_mode()
    def _logits(self, inputs: torch.Tensor) -> torch.Tensor:
        """The logit of each row, float32 on the CPU: (n,)."""
        return torch.cat([self._module(part)[:, 0].cpu() for part in inputs.split(4096)])
