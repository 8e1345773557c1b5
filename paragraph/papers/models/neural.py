"""Models of pairs that torch trains: the base, which fits, predicts, saves and reads them."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, fields
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.nn import functional

from ...files import PairsError
from ...files.errors import as_pairs_error, check_int
from ...files.outputs import atomic_write
from ...files.records import read_record, write_record
from ...learn.encoder import describe, find_here, load_tokenizer
from ...learn.tokens import Tokens, pick_device, read_all
from . import training
from .labels import training_labels

__all__ = ["Neural"]

#: Options that say where and how to work; a fitted model does not depend on them, and they are not saved.
_BESIDE = {"model", "start", "device", "progress"}


@dataclass(eq=False)
class Neural:
    """The base of models that read pairs through an encoder, down to one logit per pair.

    A model has a `kind`, its name; a `file` for its options; and

    - ``inputs(pairs, what)``: what the network reads; messages call the pairs `what`;
    - ``build()``: a new `network`, drawn from torch's random numbers; and its ``optimizer()``;
    - ``forward(inputs, rows)``: the logits of a batch.

    It may also replace other methods below. With the same seed and number of threads two fits on a CPU give the same
    weights, bit by bit.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder; or an object that describes itself as `learn.describe` does.
    seed : int
        Of new weights, of the order of the rows and of dropout.
    max_length : int
        In tokens, special ones included. Longer pairs are cut at their longer sentence, and counted in a warning.
    device : str, optional
        "cpu" or "cuda"; by default the GPU where there is one.
    lr : float
        The highest learning rate.
    batch_size, epochs : int
    warmup, clip, patience, evaluations
        As in `training.train`.
    """

    model: Any = "minilm"
    _: KW_ONLY
    seed: int = 0
    max_length: int = 128
    device: Any = None
    progress: bool = True
    lr: float
    batch_size: int = 32
    epochs: int = 1
    warmup: float | None = 0.1
    clip: float | None = 1.0
    patience: int | None = None
    evaluations: int = 4

    kind: ClassVar[str]
    file: ClassVar[str]
    deterministic: ClassVar[bool] = False
    network = None  #: where it is fitted

    def __post_init__(self) -> None:
        named = isinstance(self.model, str | PathLike)
        self.about = describe(self.model) if named else self.model
        most = check_int("max_length", self.max_length, 4)  # up to three tokens mark ends
        self.max_length = min(most, self.about.max_length)
        self.device = pick_device(self.device)
        self.name = f"{self.kind} ({self.about.name})"
        self.trained_on = self.about.trained_on
        self._history: list[dict] = []

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> Self:
        """Train from the start on labelled pairs; with `dev`, keep the weights of the least loss on it.

        Raises
        ------
        PairsError
            An empty table, rows without a label, one label only; a loss that is no number.
        """
        labels = self.labels(train, "training")
        if dev is not None:
            dev_labels = self.labels(dev, "dev")
        inputs = self.inputs(train, "training ")
        evaluate = None
        if dev is not None:
            dev_inputs = self.inputs(dev, "dev ")
            evaluate = partial(self._measure, dev_inputs, dev_labels)
        with training.own_randomness(self.seed):
            self.network = self.build().to(self.device)
        target = torch.from_numpy(labels).to(self.device)

        def loss(rows: np.ndarray) -> torch.Tensor:
            return self.loss(self.forward(inputs, rows), target[rows])

        self.settle(inputs, labels)
        training.train(
            self.network, self.optimizer(), loss, self.plan(inputs), evaluate,
            history=self._history, seed=self.seed, warmup=self.warmup, clip=self.clip,
            clipped=self.clipped(), patience=self.patience, evaluations=self.evaluations,
            progress=self.progress,
        )  # fmt: skip
        self.settle(inputs, labels)
        return self

    def _measure(self, inputs: Any, labels: np.ndarray) -> tuple[float, float]:
        """Loss and accuracy."""
        logits = self.read(inputs)
        known = torch.from_numpy(labels)
        right = self.answers(logits) == known
        return self.loss(logits, known).item(), right.double().mean().item()

    def predict_proba(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each pair, float64. Raises `PairsError` where the model is not fitted."""
        self.check_fitted()
        if not len(pairs):
            return np.empty(0)
        logits = self.read(self.inputs(pairs, ""))
        return torch.sigmoid(logits.double()).numpy()

    @property
    def history(self) -> pd.DataFrame:
        """One row for each evaluation: step, epoch, seconds, losses, dev accuracy, learning rate."""
        return training.history_table(self._history)

    def check_fitted(self) -> None:
        """Raise `PairsError` where it is not fitted."""
        if self.network is None:
            raise PairsError(
                f"{self.name} is not fitted: call fit first, or load a model that was saved"
            )

    def save(self, folder: str | PathLike) -> None:
        """Write the weights to a folder, and beside them the options and the history."""
        from safetensors.torch import save_file

        self.check_fitted()
        options = {}
        for field in fields(self):
            if field.name not in _BESIDE:
                options[field.name] = getattr(self, field.name)
        noted = {"name": self.name, "trained_on": self.trained_on}
        noted |= {"options": options, "history": self._history}
        weights = {name: value.cpu() for name, value in self.weights().items()}
        with atomic_write(folder, folder=True) as stage:
            path = stage / self.file
            save_file(weights, path.with_suffix(".safetensors"))
            write_record(self.write_encoder(stage) | noted, path)

    @classmethod
    def load(
        cls, folder: str | PathLike, device: str | None = None, *, progress: bool = True
    ) -> Self:
        """Read a fitted model that `save` has written."""
        path = Path(folder, cls.file)
        if not path.is_file():
            raise PairsError(f"{path} is missing: name a folder that a model's save has written")
        with as_pairs_error(path.parent, "it is damaged: train the model and save it again"):
            noted = read_record(path)
            options = noted["options"]
            strange = sorted(_BESIDE & {*options})
            if strange:  # a start from its own folder would have no end
                raise ValueError(f"{', '.join(strange)} among its options")
            encoder = folder
            if "model" in noted:
                encoder = find_here(noted["model"], path, noted["encoder"])
            model = cls(encoder, device=device, progress=progress, **options)
            model.name = noted.get("name", model.name)
            model.trained_on = noted.get("trained_on", model.trained_on)
            model._history = list(noted["history"])
            training.history_table(model._history)
            with training.own_randomness(0):
                network = model.restore(path.with_suffix(".safetensors"))
                model.network = network.to(model.device).eval()
            for value in model.network.state_dict().values():
                if not torch.isfinite(value).all():
                    raise ValueError("weights that are not numbers")
        return model

    @cached_property
    def tokenizer(self) -> Any:
        return load_tokenizer(self.model)

    def tokens(self, *sides: list[str], what: str = "") -> Tokens:
        """Read texts or pairs as tokens; messages call them `what`."""
        options = {"max_length": self.max_length, "what": what, "progress": self.progress}
        return Tokens(self.tokenizer, *sides, **options)

    # -- what a kind of model may replace ----------------------------------------------------------------------

    def labels(self, pairs: pd.DataFrame, what: str) -> np.ndarray:
        """The labels to learn, int64 from 0, checked."""
        return training_labels(pairs, what)

    def loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """Binary cross-entropy."""
        return functional.binary_cross_entropy_with_logits(logits, labels.to(logits.dtype))

    def answers(self, logits: torch.Tensor) -> torch.Tensor:
        """The label that each logit says."""
        return logits > 0

    def plan(self, inputs: Any) -> training.Plan:
        """Draw every batch of the training: its epoch, and the numbers of its rows."""
        lengths = self.lengths(inputs)
        plan = []
        for epoch in range(1, self.epochs + 1):
            seed = (self.seed, epoch)
            batches = training.shuffled_batches(lengths, self.batch_size, seed)
            plan += [(epoch, rows) for rows in batches]
        return plan

    def lengths(self, inputs: Any) -> np.ndarray:
        """The tokens of each row."""
        return inputs.lengths

    def clipped(self) -> nn.Module:
        """The part of the network whose gradients are clipped."""
        return self.network

    def settle(self, inputs: Any, labels: np.ndarray) -> None:
        """Compute what has a closed form, before training and again after it."""

    def read(self, inputs: Any) -> torch.Tensor:
        """The logits of all rows, on the CPU."""

        def forward(rows: np.ndarray) -> torch.Tensor:
            return self.forward(inputs, rows)

        return read_all(self.lengths(inputs), forward, self.device, self.progress)

    def weights(self) -> dict[str, torch.Tensor]:
        """The weights to save, by name."""
        return self.network.state_dict()

    def write_encoder(self, folder: Path) -> dict[str, str]:
        """Return the encoder to note beside the weights, which is not copied."""
        return {"model": str(self.model), "encoder": self.about.fingerprint}

    def restore(self, path: Path) -> nn.Module:
        """Read the network whose weights lie at `path`."""
        from safetensors.torch import load_file

        network = self.build()
        network.load_state_dict(load_file(path))
        return network
