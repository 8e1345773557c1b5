"""A cross-encoder: a pretrained transformer that reads both sentences at once, fine-tuned on labelled pairs."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch.nn import functional

from ..pairs import PairsError
from ..pairs.provenance import write_json
from . import training
from .batches import Tokens, shuffled_batches, sorted_batches, tokenize
from .devices import arithmetic, autocast, pick_device
from .labels import training_labels
from .models import describe, load_classifier, load_tokenizer

__all__ = ["PairClassifier"]

#: Rows and tokens of a batch when nothing is learnt.
_ROWS, _TOKENS = 128, 4096
_SAVED = "pair_classifier.json"


class PairClassifier:
    """Fine-tune an encoder on pairs, as Devlin et al. (2019) do for sentence pairs (section 4.1, A.3).

    The input is ``[CLS] text_a [SEP] text_b [SEP]``, in this order; two outputs, cross-entropy, AdamW without
    decay of biases and norms, gradients of norm 1 at most. Matrix products are in bfloat16 where the machine
    has it. The defaults lie inside their ranges: learning rate 2e-5 to 5e-5, batches of 16 or 32, 2 to 4 epochs.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder.
    lr : float
        The highest learning rate.
    batch_size : int
    epochs : int
        At most; see `patience`.
    max_length : int
        In tokens, special ones included. Longer pairs are cut at their longer sentence, and counted in a warning.
    warmup : float
        Share of the steps over which the learning rate rises; then it falls to zero, linearly both times.
    patience : int or None
        Stop after so many evaluations, of which an epoch has four, without a lower dev loss. None: never.
    class_weights : None, "balanced" or (float, float)
        Of the labels 0 and 1 in the loss; "balanced" is n / (2 · number of rows with the label).
    seed : int
        Of the new head, the order of the rows and dropout.
    device : str, optional
        "cpu" or "cuda"; by default the GPU where there is one.
    checkpoint : path, optional
        A folder of this run's own: a `fit` broken off, even by force, goes on from there if called again.
    checkpoint_seconds : float
        Between two checkpoints.
    progress : bool

    Attributes
    ----------
    history : DataFrame
        One row for each evaluation; see `paragraph.learn.training.HISTORY`.

    Raises
    ------
    MissingModel
        The encoder is not on this machine, and not to be had from the hub.

    Notes
    -----
    With the same seed and number of threads two fits on a CPU give the same weights, bit by bit.

    Examples
    --------
    >>> import paragraph as pg
    >>> model = PairClassifier(epochs=1, progress=False)
    >>> model.trained_on[:38]
    '1.17 billion sentence pairs, among the'
    >>> few = pg.read_pairs(pg.DEMO)[:32]
    >>> len(model.fit(few).history)
    1
    >>> model.predict_proba(few).shape
    (32,)
    """

    deterministic = False

    def __init__(
        self,
        model: str | PathLike = "minilm",
        *,
        lr: float = 2e-5,
        batch_size: int = 32,
        epochs: int = 3,
        max_length: int = 128,
        warmup: float = 0.1,
        patience: int | None = 4,
        class_weights: str | Sequence[float] | None = None,
        seed: int = 0,
        device: str | None = None,
        checkpoint: str | PathLike | None = None,
        checkpoint_seconds: float = 30.0,
        progress: bool = True,
    ):
        about = describe(model)
        self.name, self.trained_on = f"cross-encoder ({about.name})", about.trained_on
        self.model, self.lr, self.batch_size, self.epochs = model, lr, batch_size, epochs
        self.max_length, self.warmup, self.patience = min(max_length, about.max_length), warmup, patience
        self.class_weights, self.seed, self.progress = class_weights, seed, progress
        self.device = pick_device(device)
        self.checkpoint, self.checkpoint_seconds = checkpoint, checkpoint_seconds
        self._tokenizer = self._module = None
        self._history: list[dict] = []

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None, *, live: bool = False) -> PairClassifier:
        """Fine-tune the pretrained weights, from their start; keep those of the least loss on `dev`.

        Parameters
        ----------
        train, dev : DataFrame
            Pair tables with a label in every row. Without `dev` the last weights stay.
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
        self._tokenizer = load_tokenizer(self.model)
        tokens = self._tokenize(train, "training ")
        weights = _weights(self.class_weights, labels)
        module = self._module = load_classifier(self.model, num_labels=2, seed=self.seed).to(self.device)
        target = torch.from_numpy(labels).to(self.device)

        def loss(rows: np.ndarray) -> torch.Tensor:
            with autocast(self.device):
                logits = module(**tokens.batch(rows, self.device)).logits  # (rows, 2)
            return functional.cross_entropy(logits.float(), target[rows], weights.to(self.device))

        evaluate = None
        made_of = [tokens, labels, weights.numpy(), f"{self.device.type} {arithmetic(self.device)}"]
        if dev is not None:
            dev_tokens = self._tokenize(dev, "dev ")
            dev_target = torch.from_numpy(dev_labels)
            made_of += [dev_tokens, dev_labels]

            def evaluate() -> tuple[float, float]:
                logits = self._logits(dev_tokens)
                right = (logits.argmax(dim=1) == dev_target).double().mean()
                return functional.cross_entropy(logits, dev_target, weights).item(), right.item()

        plan = training.make_plan(
            self.epochs, lambda seed: shuffled_batches(tokens.lengths, self.batch_size, seed), self.seed
        )
        training.train(
            module,
            _adamw(module, self.lr),
            loss,
            plan,
            evaluate,
            history=self._history,
            seed=self.seed,
            warmup=self.warmup,
            clip=1.0,
            patience=self.patience,
            checkpoint=self.checkpoint,
            checkpoint_seconds=self.checkpoint_seconds,
            made_of=made_of,
            live=live,
            progress=self.progress,
        )
        return self

    def predict_proba(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each pair, float64; the two sentences in the order in which they stand.

        Raises
        ------
        PairsError
            The model is not fitted.
        """
        if self._module is None:
            raise PairsError(f"{self.name} is not fitted: call fit(train, dev) first, or PairClassifier.load(folder)")
        logits = self._logits(self._tokenize(pairs, ""))
        return torch.softmax(logits.double(), dim=1)[:, 1].numpy()

    @property
    def history(self) -> pd.DataFrame:
        """One row for each evaluation: step, epoch, seconds, losses, dev accuracy, learning rate."""
        return training.history_table(self._history)

    def save(self, folder: str | PathLike) -> None:
        """Write weights and tokenizer as `transformers` does, and beside them the options and the history."""
        if self._module is None:
            raise PairsError(f"{self.name} is not fitted: there is nothing to save")
        folder = Path(folder)
        self._module.save_pretrained(folder)
        self._tokenizer.save_pretrained(folder)
        about = {"name": self.name, "trained_on": self.trained_on, "history": self._history}
        about["options"] = {
            "lr": self.lr,
            "batch_size": self.batch_size,
            "epochs": self.epochs,
            "max_length": self.max_length,
            "warmup": self.warmup,
            "patience": self.patience,
            "class_weights": self.class_weights,
            "seed": self.seed,
        }
        write_json(about, folder / _SAVED)

    @classmethod
    def load(cls, folder: str | PathLike, device: str | None = None) -> PairClassifier:
        """A fitted model that `save` has written. Fitted again, it starts from these weights."""
        path = Path(folder, _SAVED)
        if not path.is_file():
            raise PairsError(f"{path} is missing: name a folder that PairClassifier.save has written")
        about = json.loads(path.read_text(encoding="utf-8"))
        model = cls(folder, device=device, **about["options"])
        model.name, model.trained_on, model._history = about["name"], about["trained_on"], about["history"]
        model._tokenizer = load_tokenizer(folder)
        model._module = load_classifier(folder, num_labels=2).to(model.device)
        return model

    def _tokenize(self, pairs: pd.DataFrame, what: str) -> Tokens:
        sides = (pairs["text_a"].tolist(), pairs["text_b"].tolist())
        tokens = tokenize(self._tokenizer, *sides, max_length=self.max_length, progress=self.progress)
        if cut := int(tokens.cut.sum()):
            message = f"{cut:,} of {len(pairs):,} {what}pairs are longer than {self.max_length} tokens and were cut"
            warnings.warn(message, stacklevel=3)
        return tokens

    @torch.inference_mode()
    def _logits(self, tokens: Tokens) -> torch.Tensor:
        """The two outputs for each row, float32 on the CPU: (n, 2)."""
        found = torch.empty(len(tokens.lengths), 2)
        with autocast(self.device):  # one for all batches: it keeps the weights it has rounded
            for rows in sorted_batches(tokens.lengths, _ROWS, _TOKENS):
                found[rows] = self._module(**tokens.batch(rows, self.device)).logits.float().cpu()
        return found


def _adamw(module: torch.nn.Module, lr: float) -> torch.optim.Optimizer:
    """AdamW with a weight decay of .01, but none of biases and norms (the vectors among the parameters)."""
    decayed = [value for value in module.parameters() if value.ndim > 1]
    others = [value for value in module.parameters() if value.ndim <= 1]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=lr, fused=True)


def _weights(asked: str | Sequence[float] | None, labels: np.ndarray) -> torch.Tensor:
    """The weight of either label, float32."""
    if asked is None:
        return torch.ones(2)
    if isinstance(asked, str) and asked == "balanced":
        return torch.from_numpy(len(labels) / (2 * np.bincount(labels, minlength=2))).float()
    if isinstance(asked, str) or len(asked) != 2 or not all(weight > 0 for weight in asked):
        raise PairsError(f"class_weights={asked!r} is not None, 'balanced' or two positive numbers")
    return torch.tensor(asked, dtype=torch.float32)
