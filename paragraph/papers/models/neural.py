"""Models of pairs that torch trains: a head, which reads pairs through an encoder; its loss; and `fit`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, fields
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

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

__all__ = ["Classes", "Head", "Logit", "Neural", "Schedule"]

#: Options that say where and how to work; a fitted model does not depend on them, and they are not saved.
_BESIDE = {"model", "start", "device", "cache", "progress"}


class Logit(NamedTuple):
    """One logit per row, by binary cross-entropy: 1 counts as 1 − `soft`, and 0 as `soft`."""

    soft: float = 0.0

    def loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        spread = 1 - 2 * self.soft
        labels = labels.to(logits.dtype) * spread + self.soft
        return functional.binary_cross_entropy_with_logits(logits, labels)

    def answers(self, logits: torch.Tensor) -> torch.Tensor:
        return logits > 0

    def probability(self, logits: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(logits.double())


class Classes:
    """A logit for each class, by cross-entropy; the probability is that of the second."""

    def loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(logits, labels)

    def answers(self, logits: torch.Tensor) -> torch.Tensor:
        return logits.argmax(1)

    def probability(self, logits: torch.Tensor) -> torch.Tensor:
        shares = torch.softmax(logits.double(), dim=1)
        return shares[:, 1]


class Schedule(NamedTuple):
    """The course of a training: `patience`, `evaluations`, `warmup` and `clip` as in `training.train`."""

    lr: float  #: the highest learning rate
    batch_size: int = 32
    epochs: int = 1  #: at most
    patience: int | None = None
    warmup: float | None = None
    clip: float | None = None
    evaluations: int = 4


class Neural:
    """A model of pairs: a head, and what trains it; further options replace those of the head's `Schedule`.

    `seed` is that of new weights, of the order of the rows and of dropout. With the same seed and number of threads
    two fits on a CPU give the same weights, bit by bit.
    """

    deterministic = False

    def __init__(self, head: Head, seed: int = 0, **options: Any):
        self.head = head
        self.seed = seed
        self.schedule = head.usual._replace(**options)
        self.name = f"{head.kind} ({head.about.name})"
        self.trained_on = head.about.trained_on
        self._history: list[dict] = []

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> Self:
        """Train from the start on labelled pairs; with `dev`, keep the weights of the least loss on it.

        Raises
        ------
        PairsError
            An empty table, rows without a label, one label only; a loss that is no number.
        """
        head = self.head
        labels = head.labels(train, "training")
        if dev is not None:
            dev_labels = head.labels(dev, "dev")
        inputs = head.inputs(train, "training ")
        evaluate = None
        if dev is not None:
            dev_inputs = head.inputs(dev, "dev ")
            evaluate = partial(self._measure, dev_inputs, dev_labels)
        schedule = self.schedule
        classes = int(labels.max()) + 1
        with training.own_randomness(self.seed):
            head.network = head.build(classes).to(head.device)
        target = torch.from_numpy(labels).to(head.device)

        def loss(rows: np.ndarray) -> torch.Tensor:
            logits = head.forward(inputs, rows)
            return head.loss.loss(logits, target[rows])

        head.settle(inputs, labels)
        training.train(
            head.network, head.optimizer(schedule.lr), loss, self.plan(inputs), evaluate,
            history=self._history, seed=self.seed, warmup=schedule.warmup, clip=schedule.clip,
            clipped=head.clipped(), patience=schedule.patience, evaluations=schedule.evaluations,
            progress=head.progress,
        )  # fmt: skip
        head.settle(inputs, labels)
        return self

    def _measure(self, inputs: Any, labels: np.ndarray) -> tuple[float, float]:
        """Loss and accuracy."""
        loss = self.head.loss
        logits = self.head.read(inputs)
        known = torch.from_numpy(labels)
        right = loss.answers(logits) == known
        accuracy = right.double().mean()
        return loss.loss(logits, known).item(), accuracy.item()

    def plan(self, inputs: Any) -> training.Plan:
        """Draw every batch of the training: its epoch, and the numbers of its rows."""
        _, size, epochs, *_ = self.schedule
        plan = []
        for epoch in range(1, epochs + 1):
            batches = self.head.batches(inputs, size, (self.seed, epoch))
            plan += [(epoch, rows) for rows in batches]
        return plan

    def predict_proba(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each pair, float64. Raises `PairsError` where the model is not fitted."""
        self.check_fitted()
        if not len(pairs):
            return np.empty(0)
        inputs = self.head.inputs(pairs, "")
        logits = self.head.read(inputs)
        return self.head.loss.probability(logits).numpy()

    @property
    def options(self) -> dict[str, Any]:
        """Its own options, those of the head and of the schedule."""
        own = {}
        for field in fields(self.head):
            own[field.name] = getattr(self.head, field.name)
        return own | self.schedule._asdict() | {"seed": self.seed}

    @property
    def history(self) -> pd.DataFrame:
        """One row for each evaluation: step, epoch, seconds, losses, dev accuracy, learning rate."""
        return training.history_table(self._history)

    def check_fitted(self) -> None:
        """Raise `PairsError` where it is not fitted."""
        if self.head.network is None:
            raise PairsError(
                f"{self.name} is not fitted: call fit first, or load a model that was saved"
            )

    def save(self, folder: str | PathLike) -> None:
        """Write the weights to a folder, and beside them the options and the history."""
        self.check_fitted()
        head = self.head
        options = self.options
        for name in _BESIDE:
            options.pop(name, None)
        noted = {"name": self.name, "trained_on": self.trained_on}
        noted |= {"options": options, "history": self._history}
        with atomic_write(folder, folder=True) as stage:
            write_record(head.write(stage) | noted, stage / head.file)


@dataclass(eq=False)
class Head:
    """The base of what reads pairs through an encoder, down to logits.

    A head has a `kind`, its name; a `file` for its options; its `usual` schedule; its `loss`; and

    - ``inputs(pairs, what)``: what the network reads; messages call the pairs `what`;
    - ``build(classes)``: a new `network`, drawn from torch's random numbers; and its ``optimizer(lr)``;
    - ``forward(inputs, rows)``: the logits of a batch.

    A head may also replace the methods below: how rows are read, batched and saved.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder; or an object that describes itself as `learn.describe` does.
    max_length : int
        In tokens, special ones included. Longer pairs are cut at their longer sentence, and counted in a warning.
    device : str, optional
        "cpu" or "cuda"; by default the GPU where there is one.
    """

    model: Any = "minilm"
    _: KW_ONLY
    max_length: int = 128
    device: Any = None
    progress: bool = True

    kind: ClassVar[str]
    file: ClassVar[str]
    usual: ClassVar[Schedule]
    loss: ClassVar[Logit | Classes] = Logit()
    network = None  #: where it is fitted
    into: ClassVar[type[Neural]] = Neural

    def __post_init__(self) -> None:
        named = isinstance(self.model, str | PathLike)
        self.about = describe(self.model) if named else self.model
        most = check_int("max_length", self.max_length, 4)  # up to three tokens mark ends
        self.max_length = min(most, self.about.max_length)
        self.device = pick_device(self.device)

    @classmethod
    def made(cls, *model: Any, seed: int = 0, **options: Any) -> Neural:
        """Make the model of such a head, by options of the head and of its schedule."""
        own = {}
        for name in Schedule._fields:
            if name in options:
                own[name] = options.pop(name)
        head = cls(*model, **options)
        return cls.into(head, seed, **own)

    @classmethod
    def load(
        cls, folder: str | PathLike, device: str | None = None, *, progress: bool = True
    ) -> Neural:
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
            model = cls.made(encoder, device=device, progress=progress, **options)
            model.name = noted.get("name", model.name)
            model.trained_on = noted.get("trained_on", model.trained_on)
            model._history = list(noted["history"])
            training.history_table(model._history)
            head = model.head
            with training.own_randomness(0):
                network = head.restore(path, noted)
                head.network = network.to(head.device).eval()
            for value in head.network.state_dict().values():
                if not torch.isfinite(value).all():
                    raise ValueError("weights that are not numbers")
        return model

    @cached_property
    def tokenizer(self) -> Any:
        return load_tokenizer(self.model)

    def tokens(self, texts: list[str], second: list[str] | None = None, what: str = "") -> Tokens:
        """Read texts or pairs as tokens; messages call them `what`."""
        sides = [texts] if second is None else [texts, second]
        options = {"max_length": self.max_length, "what": what, "progress": self.progress}
        return Tokens(self.tokenizer, *sides, **options)

    def labels(self, pairs: pd.DataFrame, what: str) -> np.ndarray:
        """The labels to learn, int64 from 0, checked."""
        return training_labels(pairs, what)

    def lengths(self, inputs: Any) -> np.ndarray:
        """The tokens of each row."""
        return inputs.lengths

    def batches(self, inputs: Any, size: int, seed: Any) -> list[np.ndarray]:
        """Draw the row numbers of all batches of an epoch."""
        return training.shuffled_batches(self.lengths(inputs), size, seed)

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

    def write(self, folder: Path) -> dict[str, str]:
        """Write the weights, and return the encoder to note beside them, which is not copied."""
        from safetensors.torch import save_file

        weights = self.weights()
        weights = {name: value.cpu() for name, value in weights.items()}
        path = folder / self.file
        save_file(weights, path.with_suffix(".safetensors"))
        if self.about is self.model:
            return {}
        return {"model": str(self.model), "encoder": self.about.fingerprint}

    def restore(self, path: Path, noted: dict) -> nn.Module:
        """Read a network that `write` has written beside `path`."""
        from safetensors.torch import load_file

        network = self.build(2)
        [weights] = path.parent.glob("*.safetensors")
        network.load_state_dict(load_file(weights))
        return network
