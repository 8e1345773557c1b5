"""A dense network on frozen embeddings of the pair: the model of Jurišić et al. (2023), section 4.2."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.nn import functional

from ..pairs import PairsError
from ..pairs.provenance import write_json
from . import training
from .devices import pick_device
from .encoding import encode_pairs
from .labels import training_labels
from .models import describe

__all__ = ["DenseHead"]

_ROWS = 4096  # of a batch when nothing is learnt
_SAVED, _WEIGHTS = "dense_head.json", "head.safetensors"


class DenseHead:
    """A frozen encoder reads the pair in both orders; a network of three layers reads its two vectors.

    With e₁ the [CLS] vector of ``[CLS] a [SEP] b [SEP]`` and e₂ that of the other order, each of length d:
    (e₁, e₂) → 2 × (Linear, BatchNorm1d, ReLU) → Linear → one logit. Binary cross-entropy, Adam at a constant
    learning rate. Vectors are computed once for each ordered pair and kept on disk (see `encode_pairs`).

    The defaults are those of the paper (section 4.3), whose encoder is BERT with d = 768. It trains for all
    epochs and keeps the last weights: that is `fit` without `dev`.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder.
    hidden : int, optional
        Width of the two hidden layers; 4 d if not given.
    lr : float
    batch_size : int
    epochs : int
    patience : int, optional
        Stop after so many evaluations, of which an epoch has four, without a lower dev loss; by default never.
    max_length : int
        In tokens, special ones included. Longer pairs are cut at their longer sentence, and counted in a warning.
    seed : int
        Of the weights and the order of the rows.
    device : str, optional
        "cpu" or "cuda"; by default the GPU where there is one.
    cache : bool or path
        As for `encode_pairs`.
    checkpoint : path, optional
        A folder of this run's own: a `fit` broken off, even by force, goes on from there if called again.
    progress : bool

    Attributes
    ----------
    history : DataFrame
        One row for each evaluation; see `paragraph.learn.training.HISTORY`.

    Examples
    --------
    >>> import paragraph as pg
    >>> few = pg.read_pairs(pg.DEMO)[:64]
    >>> head = DenseHead(hidden=32, epochs=2, cache=False, progress=False).fit(few)
    >>> head.history["epoch"].tolist()
    [1, 1, 2, 2]
    >>> head.predict_proba(few).shape
    (64,)
    """

    deterministic = False

    def __init__(
        self,
        model: str | PathLike = "minilm",
        *,
        hidden: int | None = None,
        lr: float = 0.01,
        batch_size: int = 32,
        epochs: int = 10,
        patience: int | None = None,
        max_length: int = 128,
        seed: int = 0,
        device: str | None = None,
        cache: bool | str | PathLike = True,
        checkpoint: str | PathLike | None = None,
        progress: bool = True,
    ):
        about = describe(model)
        if batch_size < 2:
            raise PairsError(f"batch_size={batch_size}: batch normalization needs two rows or more in a batch")
        self.name, self.trained_on = f"dense ({about.name})", about.trained_on
        self.model, self.width, self.hidden = model, about.width, hidden or 4 * about.width
        self.lr, self.batch_size, self.epochs, self.patience = lr, batch_size, epochs, patience
        self.max_length, self.seed, self.cache = min(max_length, about.max_length), seed, cache
        self.device, self.checkpoint, self.progress = pick_device(device), checkpoint, progress
        self._module: nn.Module | None = None
        self._history: list[dict] = []

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None, *, live: bool = False) -> DenseHead:
        """Train the network from random weights; with `dev`, keep those of the least loss on it.

        Parameters
        ----------
        train, dev : DataFrame
            Pair tables with a label in every row.
        live : bool
            In a notebook, draw the losses while training.

        Raises
        ------
        PairsError
            An empty table, rows without a label, one label only; a loss that is no number; a checkpoint of
            other data or options.
        """
        labels = training_labels(train)
        dev_labels = None if dev is None else training_labels(dev, "dev")
        vectors = self._vectors(train)
        made_of = [vectors.numpy(), labels, self.device.type]
        x, y = vectors.to(self.device), torch.from_numpy(labels).float().to(self.device)
        with training.own_randomness(self.seed):
            module = _network(2 * self.width, self.hidden)
        self._module = module.to(self.device)

        def loss(rows: np.ndarray) -> torch.Tensor:
            batch = torch.from_numpy(rows).to(self.device)
            logits = module(x[batch])[:, 0]  # (rows, 2 d) -> (rows,)
            return functional.binary_cross_entropy_with_logits(logits, y[batch])

        evaluate = None
        if dev is not None:
            dev_vectors, dev_y = self._vectors(dev), torch.from_numpy(dev_labels).float()
            made_of += [dev_vectors.numpy(), dev_labels]

            def evaluate() -> tuple[float, float]:
                logits = self._logits(dev_vectors)
                right = ((logits > 0) == dev_y.bool()).double().mean()
                return functional.binary_cross_entropy_with_logits(logits, dev_y).item(), right.item()

        training.train(
            module,
            torch.optim.Adam(module.parameters(), lr=self.lr, fused=True),
            loss,
            training.make_plan(self.epochs, lambda seed: _batches(len(train), self.batch_size, seed), self.seed),
            evaluate,
            history=self._history,
            seed=self.seed,
            patience=self.patience,
            checkpoint=self.checkpoint,
            made_of=made_of,
            live=live,
            progress=self.progress,
        )
        return self

    def predict_proba(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each pair, float64.

        Raises
        ------
        PairsError
            The model is not fitted.
        """
        if self._module is None:
            raise PairsError(f"{self.name} is not fitted: call fit(train, dev) first, or DenseHead.load(folder)")
        return torch.sigmoid(self._logits(self._vectors(pairs)).double()).numpy()

    @property
    def history(self) -> pd.DataFrame:
        """One row for each evaluation: step, epoch, seconds, losses, dev accuracy, learning rate."""
        return training.history_table(self._history)

    def save(self, folder: str | PathLike) -> None:
        """Write the network's weights, its options, and the name of the encoder, which is not copied."""
        from safetensors.torch import save_file

        if self._module is None:
            raise PairsError(f"{self.name} is not fitted: there is nothing to save")
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        save_file({name: value.cpu() for name, value in self._module.state_dict().items()}, folder / _WEIGHTS)
        names = ("hidden", "lr", "batch_size", "epochs", "patience", "max_length", "seed")
        about = {"model": str(self.model), "options": {name: getattr(self, name) for name in names}}
        write_json(about | {"encoder": describe(self.model).fingerprint, "history": self._history}, folder / _SAVED)

    @classmethod
    def load(cls, folder: str | PathLike, device: str | None = None) -> DenseHead:
        """A fitted model that `save` has written; the encoder has to be the same one."""
        from safetensors.torch import load_file

        path = Path(folder, _SAVED)
        if not path.is_file():
            raise PairsError(f"{path} is missing: name a folder that DenseHead.save has written")
        about = json.loads(path.read_text(encoding="utf-8"))
        if describe(about["model"]).fingerprint != about["encoder"]:
            raise PairsError(f"{path}: the encoder {about['model']!r} is not the one this head was trained on")
        head = cls(about["model"], device=device, **about["options"])
        head._history = about["history"]
        head._module = _network(2 * head.width, head.hidden)
        head._module.load_state_dict(load_file(Path(folder, _WEIGHTS)))
        head._module.to(head.device).eval()
        return head

    def _vectors(self, pairs: pd.DataFrame) -> torch.Tensor:
        """The [CLS] vectors of both orders, side by side, float32 on the CPU: (n, 2 d)."""
        a, b = pairs["text_a"].tolist(), pairs["text_b"].tolist()
        # In one call, so that the model is loaded once; a pair that stands in both orders is computed once.
        both = encode_pairs(
            a + b,
            b + a,
            self.model,
            max_length=self.max_length,
            device=self.device,
            cache=self.cache,
            progress=self.progress,
        )
        return torch.from_numpy(np.hstack([both[: len(a)], both[len(a) :]]))

    @torch.inference_mode()
    def _logits(self, vectors: torch.Tensor) -> torch.Tensor:
        """The logit of each row, float32 on the CPU: (n,)."""
        found = [self._module(part.to(self.device))[:, 0].cpu() for part in vectors.split(_ROWS)]
        return torch.cat(found) if len(vectors) else torch.empty(0)


def _network(width: int, hidden: int) -> nn.Module:
    return nn.Sequential(
        nn.Linear(width, hidden),
        nn.BatchNorm1d(hidden),
        nn.ReLU(),
        nn.Linear(hidden, hidden),
        nn.BatchNorm1d(hidden),
        nn.ReLU(),
        nn.Linear(hidden, 1),
    )


def _batches(n: int, size: int, seed: tuple[int, int]) -> list[np.ndarray]:
    """Random batches. A single row left over joins the batch before: it has no variance to normalize by."""
    order = np.random.default_rng(seed).permutation(n)
    cuts = np.arange(size, n - 1, size)
    return np.split(order, cuts)
