"""CosineBERT: a sentence encoder fine-tuned so that the cosine of two vectors tells paraphrases."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.nn import functional

from ...files import PairsError
from ...files.errors import as_pairs_error
from ...graph.identity import identify
from ...learn.encoder import load
from ...learn.logistic import fit_logistic
from ...learn.tokens import Tokens, autocast, read_all
from ...learn.vectors import encode, pool
from ..models.baselines import WORD
from ..models.labels import training_labels
from ..models.neural import Head, Neural, Schedule

__all__ = ["BagOfWords", "Cosine", "CosineModel"]

_BAG = "bag_of_words.npz"
#: The ridge of the last refit for each row, of the weight and of the bias.
RIDGE = 1e-6


class BagOfWords(NamedTuple):
    """Counts of words on their leading singular vectors (Deerwester et al. 1990).

    No inverse document frequency: what a word is worth is left to be learnt (see `Cosine`).

    Examples
    --------
    >>> bag = BagOfWords.of(["How do cats purr?", "Why do cats purr?", "What is tea?"])
    >>> bag(["cats purr", "nothing known"]).shape, bool(bag(["zebra"]).any())
    ((2, 3), False)
    """

    words: np.ndarray  #: the vocabulary, sorted
    axes: np.ndarray  #: float32, (words, d): the singular vectors
    #: float32, (d,): root mean square of each coordinate of the texts it was fitted to
    scale: np.ndarray

    name = "bow"
    trained_on = ""
    max_length = 10**9

    @classmethod
    def of(cls, texts: Sequence[str], width: int = 300) -> Self:
        """Fit a bag to some texts, with `width` dimensions where they have that many.

        Raises `PairsError` where there is no word in them.
        """
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.utils.extmath import randomized_svd

        counter = CountVectorizer(token_pattern=WORD)
        try:
            counts = counter.fit_transform(texts).astype(np.float32)
        except ValueError:
            raise PairsError(f"there is no word in these {len(texts):,} sentences") from None
        width = min(width, *counts.shape)
        _, value, axes = randomized_svd(counts, width, n_iter=4, random_state=0)
        kept = value > 1e-4 * value[0]
        scale = value[kept] / len(texts) ** 0.5
        words = counter.get_feature_names_out().astype(str)
        axes = axes[kept].T.astype(np.float32)
        return cls(words, axes, scale.astype(np.float32))

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors of texts: float32, (n, d); zero where no word is known."""
        from sklearn.feature_extraction.text import CountVectorizer

        counter = CountVectorizer(token_pattern=WORD, vocabulary=self.words)
        counts = counter.transform(texts).astype(np.float32)
        return np.asarray(counts @ self.axes)

    def save(self, folder: str | PathLike) -> None:
        np.savez(Path(folder, _BAG), **self._asdict())

    @classmethod
    def load(cls, folder: str | PathLike) -> Self:
        """Read what `save` has written to a folder."""
        path = Path(folder, _BAG)
        with (
            as_pairs_error(path, "it is damaged: train the model and save it again"),
            np.load(path) as arrays,
        ):
            return cls(**arrays)


#: Token ids of texts, or their vectors by a bag of words.
Texts = Tokens | torch.Tensor
#: Pairs of texts: row i joins texts ``a[i]`` and ``b[i]``.
Inputs = tuple[np.ndarray, np.ndarray, Texts]


class CosineModel(Neural):
    """The model of a `Cosine` head; it has vectors of texts as well."""

    head: Cosine

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> Self:
        """Train from the start, as any `Neural` does; one label alone will do."""
        from threadpoolctl import threadpool_limits

        # With small matrices, several threads on a busy machine wait longer than they work. OpenMP
        # keeps this setting for each thread, so other threads compute with as many as before.
        threads = threadpool_limits(1, "openmp") if self.head.bag else nullcontext()
        with threads:
            return super().fit(train, dev)

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors of texts: float32, (n, d); before `fit`, those of the encoder as it was given."""
        texts = list(texts)
        head = self.head
        if head.network is not None:
            read = head.texts(texts, "texts")
            return head.vectors(read).numpy()
        if head.bag:
            return head.bag(texts)
        options = {"max_length": head.max_length, "progress": head.progress}
        return encode(texts, head.model, pooling="mean", device=head.device, **options)

    def renewed(self, here: bool = False) -> Self:
        """Another such model, to be fitted: from where this one began, or (`here`) from the weights it has now."""
        found = copy.copy(self)
        found.head = copy.copy(self.head)
        found._history = []
        if here and self.head.network is not None:
            found.head.start = self.head.network.state_dict()
        return found

    def logits(self, cosines: np.ndarray) -> np.ndarray:
        """The log-odds of pairs with these cosines, float64. Raises `PairsError` where the model is not fitted."""
        self.check_fitted()
        values = torch.as_tensor(cosines, dtype=torch.float64)
        return self.head.network.logits(values).numpy()


@dataclass(eq=False, kw_only=True)
class Cosine(Head):
    """P(paraphrase) = σ(w · cos(e₁, e₂) + b), w ≥ 0 (Mussmann, Jia and Liang 2020, section 4.2.1 and A.1).

    e is the vector of a sentence: the mean over the tokens of a transformer, fine-tuned without dropout, or a
    bag of words times a learnt matrix that begins as the identity. P grows with the cosine, so a search for
    neighbours finds the most probable of all pairs.

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
    >>> model = Cosine.made(BagOfWords.of([*pairs["text_a"], *pairs["text_b"]]), progress=False).fit(pairs)
    >>> model.vectors(["Is tea hot?", "Is coffee hot?"]).shape[0], model.predict_proba(pairs).shape
    (2, (200,))
    """

    kind = "cosine"
    file = "cosine_model.json"
    into = CosineModel

    def __post_init__(self) -> None:
        self.bag = None
        if isinstance(self.model, BagOfWords):
            self.bag = self.model
        elif Path(self.model, _BAG).is_file():
            self.bag = BagOfWords.load(self.model)
            self.model = self.bag
        self.start: dict[str, torch.Tensor] | None = (
            None  # weights to begin with, of a model that was read
        )
        super().__post_init__()

    @property
    def usual(self) -> Schedule:
        schedule = Schedule(2e-5, batch_size=16, epochs=2, warmup=0.1, clip=1.0)
        if self.bag:
            return schedule._replace(lr=1e-3, epochs=10)
        return schedule

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

    def build(self, classes: int) -> nn.Module:
        if self.bag:
            encoder = Projection(self.bag.scale)
        else:
            encoder = MeanPooled(load(self.model))
        network = CosineNetwork(encoder)
        if self.start is not None:
            network.load_state_dict(self.start)
        return network

    def optimizer(self, lr: float) -> torch.optim.Optimizer:
        network = self.network
        encoder = {"params": network.encoder.parameters()}
        head = {"params": [network.weight, network.bias]}
        head["lr"] = 0.2 if self.bag else 1e4 * lr
        return torch.optim.AdamW([encoder, head], lr=lr, eps=1e-6, weight_decay=0.0)

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

    def vectors(self, texts: Texts) -> torch.Tensor:
        """The vectors of all texts, float32 on the CPU: (n, d)."""

        def forward(rows: np.ndarray) -> torch.Tensor:
            return self.network.encoder(texts, rows, self.device)

        return read_all(lengths_of(texts), forward, self.device, self.progress)

    def cosines(self, inputs: Inputs) -> torch.Tensor:
        a, b, texts = inputs
        vectors = self.vectors(texts).double()
        vectors = functional.normalize(vectors)
        products = vectors[a] * vectors[b]
        return products.sum(1)

    def read(self, inputs: Inputs) -> torch.Tensor:
        return self.network.logits(self.cosines(inputs))

    def settle(self, inputs: Inputs, labels: np.ndarray) -> None:
        cosines = self.cosines(inputs).numpy()
        self.network.refit(cosines, labels)

    def write(self, folder: Path) -> dict[str, str]:
        """Write the weights; a bag of words beside them, or the name of the encoder they were trained from."""
        if self.bag:
            self.bag.save(folder)
        return super().write(folder)

    def restore(self, path: Path, noted: dict) -> nn.Module:
        """Fitted again, the model starts from these weights."""
        network = super().restore(path, noted)
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
