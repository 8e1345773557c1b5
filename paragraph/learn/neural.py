"""The bases of models that torch trains: options, fit, history, save and load; for pairs, also probabilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, fields
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.nn import functional

from ..pairs import PairsError
from ..pairs.errors import intact
from ..pairs.outputs import all_or_none, described, write_described
from . import training
from .encoder import check_encoder, describe, here, load_tokenizer
from .labels import training_labels
from .tokens import Tokens, pick_device, reading, shuffled_batches, tokenize

__all__ = ["Classes", "Logit", "NeuralModel", "PairModel"]

#: Options that say where and how to compute; a fitted model does not depend on them, and they are not saved.
_BESIDE = {"model", "start", "device", "cache", "progress"}


class Logit(NamedTuple):
    """One logit per row, by binary cross-entropy: 1 counts as 1 − `soft`, and 0 as `soft`."""

    soft: float = 0.0

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the logits of a row."""
        return ()

    def loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        labels = labels.to(logits.dtype) * (1 - 2 * self.soft) + self.soft
        return functional.binary_cross_entropy_with_logits(logits, labels)

    def answers(self, logits: torch.Tensor) -> torch.Tensor:
        return logits > 0

    def probability(self, logits: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(logits.double())


class Classes(NamedTuple):
    """A logit for each class, by cross-entropy; the probability is that of the second."""

    count: int

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the logits of a row."""
        return (self.count,)

    def loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(logits, labels)

    def answers(self, logits: torch.Tensor) -> torch.Tensor:
        return logits.argmax(1)

    def probability(self, logits: torch.Tensor) -> torch.Tensor:
        return torch.softmax(logits.double(), dim=1)[:, 1]


@dataclass(eq=False)
class NeuralModel:
    """A pretrained encoder and a network that `training.train` fits to labels.

    A subclass has a name for its `_kind`, a file for `_saved`, settings of the training loop in `_schedule`, and

    - ``_inputs(pairs, what)``: the network's inputs; messages call the pairs `what`;
    - ``_network()``: a new network, drawn from torch's random numbers; and its ``_optimizer(network)``;
    - ``_forward(inputs, rows)``: the logits of a batch;
    - ``_lengths(inputs)``: the tokens of each row, if inputs are not `Tokens`; or ``_batches`` and ``_logits``;
    - `_head`, the meaning of its logits: a `Logit`, or `Classes`;
    - ``_settle(inputs, labels)``, if anything is computed in closed form before training, and again after it;
    - `_weights`, the file for the network's weights; or, if they include an encoder, ``_write(folder)``, which
      returns notes to save beside them, and ``_read(folder, noted)``.
    """

    model: str | PathLike = "minilm"
    _: KW_ONLY
    lr: float
    batch_size: int = 32
    epochs: int
    patience: int | None
    max_length: int = 128
    seed: int = 0
    device: str | None = None
    progress: bool = True

    deterministic = False
    _schedule: ClassVar[dict] = {}
    _weights: ClassVar[str]
    _head: ClassVar[Logit | Classes] = Logit()

    def __post_init__(self) -> None:
        about = self._about()
        if not isinstance(self.max_length, int) or self.max_length < 4:
            raise PairsError(f"max_length={self.max_length!r} is no number of tokens: up to three of them mark ends")
        self.name, self.trained_on = f"{self._kind} ({about.name})", about.trained_on
        self.max_length, self.device = min(self.max_length, about.max_length), pick_device(self.device)
        self._module: nn.Module | None = None
        self._history: list[dict] = []

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> Self:
        """Train from the start on labelled pairs; with `dev`, keep the weights with the least loss on it.

        Raises
        ------
        PairsError
            An empty table, rows without a label, only one label; a loss that is not a number.
        """
        labels, dev_labels = self._labels(train), None if dev is None else self._labels(dev, "dev")
        inputs = self._inputs(train, "training ")
        return self._learn(inputs, labels, None if dev is None else (self._inputs(dev, "dev "), dev_labels))

    @property
    def fitted(self) -> bool:
        """True once the model has been fitted or read."""
        return self._module is not None

    @property
    def history(self) -> pd.DataFrame:
        """One row for each evaluation: step, epoch, seconds, losses, dev accuracy, learning rate."""
        return training.history_table(self._history)

    def save(self, folder: str | PathLike) -> None:
        """Write the weights, the options and the history to a folder."""
        self._check_fitted()
        options = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in _BESIDE}
        with all_or_none(folder) as stage:
            write_described(self._write(stage) | {"options": options, "history": self._history}, stage / self._saved)

    @classmethod
    def load(cls, folder: str | PathLike, device: str | None = None, *, progress: bool = True) -> Self:
        """Read a fitted model written by `save`."""
        path = Path(folder, cls._saved)
        if not path.is_file():
            raise PairsError(f"{path} is missing: name a folder that {cls.__name__}.save has written")
        with intact(path.parent, "it is damaged: train the model and save it again"):
            noted = described(path)
            options = noted["options"]
            if strange := sorted(_BESIDE & {*options}):  # an adapter that starts from its own folder has no end
                raise ValueError(f"{', '.join(strange)} among its options")
            encoder = here(noted["model"], path) if "model" in noted else folder
            model = cls(encoder, device=device, progress=progress, **options)
            model._history = list(noted["history"])
            training.history_table(model._history)
            model._read(Path(folder), noted)
            model._module.to(model.device).eval()
            if not all(bool(torch.isfinite(value).all()) for value in model._module.state_dict().values()):
                raise ValueError("weights that are not numbers")
        return model

    def _about(self) -> Any:
        """The name, training data and longest text of the encoder."""
        return describe(self.model, progress=self.progress)

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self.model)

    def _labels(self, table: pd.DataFrame, what: str = "training") -> np.ndarray:
        return training_labels(table, what)

    def _tokens(self, texts: list[str], second: list[str] | None = None, what: str = "") -> Tokens:
        options = {"max_length": self.max_length, "what": what, "progress": self.progress}
        return tokenize(self._tokenizer, texts, second, **options)

    def _learn(self, inputs: Any, labels: np.ndarray, dev: tuple[Any, np.ndarray] | None = None) -> Self:
        """Train a new network; `dev` also holds inputs and labels."""
        self._module, target = self._new(), torch.from_numpy(labels).to(self.device)
        self._settle(inputs, labels)
        training.train(
            self._module, self._optimizer(self._module), lambda rows: self._loss_of(inputs, target, rows),
            self._plan(inputs), dev and (lambda: self._measured(*dev)), history=self._history, seed=self.seed,
            patience=self.patience, progress=self.progress, **self._schedule,
        )  # fmt: skip
        self._settle(inputs, labels)
        return self

    def _new(self) -> nn.Module:
        with training.own_randomness(self.seed):
            return self._network().to(self.device)

    def _settle(self, inputs: Any, labels: np.ndarray) -> None:
        pass

    def _plan(self, inputs: Any) -> training.Plan:
        return [(epoch, rows) for epoch in range(1, self.epochs + 1) for rows in self._batches(inputs, epoch)]

    def _batches(self, inputs: Any, number: int) -> list[np.ndarray]:
        """Draw the row numbers of all batches of the epoch with this number."""
        return shuffled_batches(self._lengths(inputs), self.batch_size, (self.seed, number))

    def _lengths(self, inputs: Any) -> np.ndarray:
        return inputs.lengths

    def _logits(self, inputs: Any) -> torch.Tensor:
        """The outputs for all rows, float32 on the CPU."""
        return self._read_all(self._lengths(inputs), lambda rows: self._forward(inputs, rows))

    def _read_all(
        self, lengths: np.ndarray, forward: Callable[[np.ndarray], torch.Tensor], shape: tuple[int, ...] | None = None
    ) -> torch.Tensor:
        """Put the outputs of sorted batches in the order of their rows; by default, they have the shape of logits."""
        found = torch.empty(len(lengths), *(self._head.shape if shape is None else shape))
        with reading(lengths, self.device, "reading", progress=self.progress) as batches:
            for rows in batches:
                found[rows] = forward(rows).cpu()
        return found

    def _loss_of(self, inputs: Any, target: torch.Tensor, rows: np.ndarray) -> torch.Tensor:
        return self._head.loss(self._forward(inputs, rows), target[rows])

    def _measured(self, inputs: Any, labels: np.ndarray) -> tuple[float, float]:
        """Loss and accuracy."""
        logits, target = self._logits(inputs), torch.from_numpy(labels)
        loss, right = self._head.loss(logits, target), self._head.answers(logits) == target
        return loss.item(), right.double().mean().item()

    def _write(self, folder: Path) -> dict[str, str]:
        """Write the network's weights, and note the encoder, which is not copied; save a bag of words beside them."""
        from safetensors.torch import save_file

        save_file({name: value.cpu() for name, value in self._kept().items()}, folder / self._weights)
        encoder = getattr(self._about(), "fingerprint", "")
        return {"model": str(self.model), "encoder": encoder} if encoder else {}

    def _read(self, folder: Path, noted: dict) -> None:
        from safetensors.torch import load_file

        if "model" in noted:
            check_encoder(noted["model"], noted["encoder"], folder / self._saved)
        self._module = self._new()
        self._restore(load_file(folder / self._weights))

    def _kept(self) -> dict[str, torch.Tensor]:
        """The weights that `save` writes, by name."""
        return self._module.state_dict()

    def _restore(self, weights: dict[str, torch.Tensor]) -> None:
        self._module.load_state_dict(weights)

    def _check_fitted(self) -> None:
        if self._module is None:
            name = type(self).__name__
            raise PairsError(f"{self.name} is not fitted: call fit(train, dev) first, or {name}.load(folder)")


class PairModel(NeuralModel):
    """A neural model of pairs."""

    def predict_proba(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each pair, float64. Raises `PairsError` if the model is not fitted."""
        self._check_fitted()
        return self._head.probability(self._logits(self._inputs(pairs, ""))).numpy()
