"""CosineBERT: a sentence encoder fine-tuned so that the cosine of two vectors tells paraphrases."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.nn import functional

from ...graph.identity import identify
from ...learn.encoder import load
from ...learn.logistic import fit_logistic
from ...learn.tokens import Tokens, autocast, read_all
from ...learn.vectors import encode, pool
from ..models.labels import training_labels
from ..models.neural import Neural
from .bag import FILE, BagOfWords

__all__ = ["Cosine"]

#: The ridge of the last refit for each row, of the weight and of the bias.
RIDGE = 1e-6
#: Token ids of texts, or their vectors by a bag of words.
Texts = Tokens | torch.Tensor
#: Pairs of texts: row i joins texts ``a[i]`` and ``b[i]``.
Inputs = tuple[np.ndarray, np.ndarray, Texts]


@dataclass(eq=False, kw_only=True)
class Cosine(Neural):
    """P(paraphrase) = σ(w · cos(e₁, e₂) + b), w ≥ 0 (Mussmann, Jia and Liang 2020, section 4.2.1 and A.1).

    e is the vector of a sentence: the mean over the tokens of a transformer, fine-tuned without dropout, or a
    bag of words times a learnt matrix that begins as the identity. P grows with the cosine, so a search for
    neighbours finds the most probable of all pairs. It learns from one label alone, too.

    Training has three steps. A logistic regression on the cosines of the untrained vectors gives w and b. AdamW
    (eps 1e-6, no weight decay) then trains w, b and the encoder: cosines are normalized within each batch (eps 1e-8),
    and gradients of the encoder are clipped to norm 1. A last logistic regression, on the standardized cosines of the
    trained vectors, gives w and b anew.

    The learning rate rises over a tenth of the steps, then falls: 2e-5 of a transformer, in two epochs; 1e-3 of the
    matrix after a bag of words, in ten epochs, which cost little. That of w and b is 10⁴ times as high, or 0.2.

    Parameters
    ----------
    model : str, path or BagOfWords
        The encoder: "minilm", a hub id, a folder, or a bag of words, fitted to sentences of one's own.

    Examples
    --------
    >>> import paragraph as pg
    >>> pairs = pg.read_pairs(pg.DEMO)[:200]
    >>> model = Cosine(BagOfWords.of([*pairs["text_a"], *pairs["text_b"]]), progress=False).fit(pairs)
    >>> model.vectors(["Is tea hot?", "Is coffee hot?"]).shape[0], model.predict_proba(pairs).shape
    (2, (200,))
    """

    lr: float | None = None
    epochs: int | None = None
    batch_size: int = 16

    kind = "cosine"
    file = "cosine_model.json"
    start: dict[str, torch.Tensor] | None = None  # weights to begin with, of a model that was read

    def __post_init__(self) -> None:
        self.bag = None
        if isinstance(self.model, BagOfWords):
            self.bag = self.model
        elif Path(self.model, FILE).is_file():
            self.bag = BagOfWords.load(self.model)
            self.model = self.bag
        usual = (1e-3, 10) if self.bag else (2e-5, 2)
        if self.lr is None:
            self.lr = usual[0]
        if self.epochs is None:
            self.epochs = usual[1]
        super().__post_init__()

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> Self:
        """Train from the start, as any `Neural` does."""
        from threadpoolctl import threadpool_limits

        # With small matrices, several threads on a busy machine wait longer than they work. OpenMP
        # keeps this setting for each thread, so other threads compute with as many as before.
        threads = threadpool_limits(1, "openmp") if self.bag else nullcontext()
        with threads:
            return super().fit(train, dev)

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors of texts: float32, (n, d); before `fit`, those of the encoder as it was given."""
        texts = list(texts)
        if self.network is not None:
            return self._vectors(self.texts(texts, "texts")).numpy()
        if self.bag:
            return self.bag(texts)
        options = {"max_length": self.max_length, "progress": self.progress}
        return encode(texts, self.model, pooling="mean", device=self.device, **options)

    def renewed(self, here: bool = False) -> Self:
        """Another such model, to be fitted: from where this one began, or (`here`) from the weights it has now."""
        found = copy.copy(self)
        found._history = []
        if here and self.network is not None:
            found.start = self.network.state_dict()
        return found

    def logits(self, cosines: np.ndarray) -> np.ndarray:
        """The log-odds of pairs with these cosines, float64. Raises `PairsError` where the model is not fitted."""
        self.check_fitted()
        values = torch.as_tensor(cosines, dtype=torch.float64)
        return self.network.logits(values).numpy()

    # -- how it is trained ---------------------------------------------------------------------------------------

    def texts(self, texts: list[str], what: str) -> Texts:
        if self.bag:
            return torch.from_numpy(self.bag(texts))
        return self.tokens(texts, what=what)

    def labels(self, pairs: pd.DataFrame, what: str) -> np.ndarray:
        return training_labels(pairs, what, one_will_do=what == "training")

    def inputs(self, pairs: pd.DataFrame, what: str) -> Inputs:
        sentences = identify(pairs[["text_a", "text_b"]])
        texts = self.texts(sentences.texts.to_pylist(), f"{what}sentences")
        return sentences.a, sentences.b, texts

    def build(self) -> nn.Module:
        if self.bag:
            encoder = Projection(self.bag.scale)
        else:
            encoder = MeanPooled(load(self.model))
        network = CosineNetwork(encoder)
        if self.start is not None:
            network.load_state_dict(self.start)
        return network

    def optimizer(self) -> torch.optim.Optimizer:
        network = self.network
        encoder = {"params": network.encoder.parameters()}
        scale = {"params": [network.weight, network.bias]}
        scale["lr"] = 0.2 if self.bag else 1e4 * self.lr
        return torch.optim.AdamW([encoder, scale], lr=self.lr, eps=1e-6, weight_decay=0.0)

    def clipped(self) -> nn.Module:
        return self.network.encoder

    def lengths(self, inputs: Inputs) -> np.ndarray:
        a, b, texts = inputs
        lengths = lengths_of(texts)
        return np.maximum(lengths[a], lengths[b])

    def forward(self, inputs: Inputs, rows: np.ndarray) -> torch.Tensor:
        a, b, texts = inputs
        both = np.concatenate([a[rows], b[rows]])
        with autocast(self.device):
            vectors = self.network.encoder(texts, both, self.device)
        cosines = functional.cosine_similarity(*vectors.chunk(2))
        return self.network(cosines)  # (rows,)

    def _vectors(self, texts: Texts) -> torch.Tensor:
        """The vectors of all texts, float32 on the CPU: (n, d)."""

        def forward(rows: np.ndarray) -> torch.Tensor:
            return self.network.encoder(texts, rows, self.device)

        return read_all(lengths_of(texts), forward, self.device, self.progress)

    def _cosines(self, inputs: Inputs) -> torch.Tensor:
        a, b, texts = inputs
        vectors = self._vectors(texts).double()
        vectors = functional.normalize(vectors)
        products = vectors[a] * vectors[b]
        return products.sum(1)

    def read(self, inputs: Inputs) -> torch.Tensor:
        return self.network.logits(self._cosines(inputs))

    def settle(self, inputs: Inputs, labels: np.ndarray) -> None:
        self.network.refit(self._cosines(inputs).numpy(), labels)

    def write_encoder(self, folder: Path) -> dict[str, str]:
        """Write a bag of words beside the weights, or return the name of the encoder they were trained from."""
        if self.bag:
            self.bag.save(folder)
            return {}
        return super().write_encoder(folder)

    def restore(self, path: Path) -> nn.Module:
        """Fitted again, the model starts from these weights."""
        network = super().restore(path)
        self.start = network.state_dict()
        return network


class CosineNetwork(nn.Module):
    """An encoder, and the logit of a pair from the cosine of its two vectors."""

    def __init__(self, encoder: nn.Module):
        super().__init__()
        self.encoder = encoder
        # momentum None: cumulative statistics
        self.norm = nn.BatchNorm1d(1, eps=1e-8, affine=False, momentum=None)
        self.weight = nn.Parameter(torch.ones(()))
        self.bias = nn.Parameter(torch.zeros(()))
        # Result of the last refit, in double precision: mean and scale of the cosines, weight, bias
        scale = torch.tensor([0.0, 1.0, 1.0, 0.0], dtype=torch.float64)
        self.register_buffer("scale", scale)

    def train(self, mode: bool = True) -> nn.Module:
        super().train(mode)
        self.encoder.eval()  # no dropout, ever
        return self

    def forward(self, cosine: torch.Tensor) -> torch.Tensor:
        """The logits of a batch in training."""
        with (
            torch.no_grad()
        ):  # with a weight of 0 the encoder would learn nothing, and stay as it is for ever
            self.weight.clamp_(min=1)
        # A batch of one row has no spread to normalize by.
        standard = 0 * cosine
        if len(cosine) > 1:
            column = cosine[:, None]
            standard = self.norm(column)[:, 0]
        return self.weight * standard + self.bias

    def logits(self, cosine: torch.Tensor) -> torch.Tensor:
        """The logits by the last refit, on the CPU."""
        mean, scale, weight, bias = self.scale.cpu()
        return (cosine - mean) / scale * weight + bias

    @torch.no_grad()
    def refit(self, cosine: np.ndarray, label: np.ndarray) -> None:
        """Fit the logistic regression of the label on the cosine: standardized, with w ≥ 0."""
        ridge = RIDGE * len(label)
        column = cosine[:, None].copy()
        fitted = fit_logistic(column, label, ridge, bias_ridge=ridge)
        weight = fitted.weight[0]
        bias = fitted.bias
        if weight < 0:  # the labels are the wrong way round: then the cosine says nothing
            nothing = np.zeros_like(column)
            flat = fit_logistic(nothing, label, ridge, bias_ridge=ridge)
            weight = flat.weight[0]
            bias = flat.bias
        values = [fitted.mean[0], fitted.scale[0], weight, bias]
        self.scale.copy_(torch.tensor(values, dtype=torch.float64))
        self.weight.fill_(weight)
        self.bias.fill_(bias)


class MeanPooled(nn.Module):
    """A transformer: the mean of its last layer over the tokens of a text."""

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def forward(self, texts: Tokens, rows: np.ndarray, device: torch.device) -> torch.Tensor:
        return pool(self.model, texts.batch(rows, device), "mean")


class Projection(nn.Module):
    """The vectors of a bag of words times a square matrix, at first the identity.

    What is learnt is the matrix for coordinates of one scale: else no step would suit both the words of every
    question and the rare ones.
    """

    def __init__(self, scale: np.ndarray):
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(scale))
        self.matrix = nn.Parameter(torch.diag(self.scale))

    def forward(self, texts: torch.Tensor, rows: np.ndarray, device: torch.device) -> torch.Tensor:
        with torch.autocast(device.type, enabled=False):
            given = texts[torch.from_numpy(rows)].to(device)
            return given / self.scale @ self.matrix


def lengths_of(texts: Texts) -> np.ndarray:
    if isinstance(texts, Tokens):
        return texts.lengths
    return np.zeros(len(texts), dtype=np.int64)
