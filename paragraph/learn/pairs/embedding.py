"""A logistic regression on frozen sentence embeddings."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Self

import numpy as np
import pandas as pd

from ...graph import ParaphraseGraph
from ...measure.logistic import fit_logistic
from ..labels import training_labels
from ..pretrained.encode import encode, unit
from ..pretrained.find import check_encoder, describe
from .regression import Regression, sentences_of

__all__ = ["EmbeddingPairs", "best_penalty"]

#: Pairs whose features are in memory at once when probabilities are computed.
_CHUNK = 20_000
#: Ridge penalties to choose from, the strongest first.
PENALTIES = (1e4, 1e3, 1e2, 1e1, 1.0)
_ENOUGH = 20_000  # rows beyond which a slight penalty is as good as any
_FOLDS = 3


class EmbeddingPairs(Regression):
    """Frozen sentence embeddings and logistic regression on |u − v|, u∘v (elementwise) and their cosine.

    u and v are the embeddings (`encode`) of the two sentences, divided by their lengths: 2 d + 1 columns, none
    of which depends on the order of the two. On fewer than 20,000 rows the penalty is chosen on held-out clusters.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder.
    ridge : float, optional
        The penalty, instead of choosing one.
    """

    _file = "embedding_pairs.npz"

    def __init__(
        self, model: str | PathLike = "minilm", seed: int = 0, ridge: float | None = None, *, progress: bool = True
    ):
        about = describe(model, progress=progress)
        self.model, self.seed, self.ridge, self.progress = model, seed, ridge, progress
        self.name, self.trained_on, self._encoder = f"embedding ({about.name})", about.trained_on, about.fingerprint
        self._width = 2 * about.width + 1

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> Self:
        """Learn from labelled pairs; `dev` is not used."""
        label = training_labels(train)
        features = _compare(*self._vectors(train))
        if (ridge := self.ridge) is None:
            graph = ParaphraseGraph.from_pairs(train[["text_a", "text_b", "label"]])  # what was made of others, too
            ends = (graph.cluster_of[row] for row in (graph.row_a, graph.row_b))
            ridge = best_penalty(features, label, *ends)
        self._logistic = fit_logistic(features, label, ridge)
        return self

    def predict_proba(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each pair."""
        logistic = self._fitted
        a, b, vectors = self._of_sentences(pairs)
        found = np.empty(len(pairs))
        for start in range(0, len(pairs), _CHUNK):
            rows = slice(start, start + _CHUNK)
            found[rows] = logistic.probability(_compare(vectors[a[rows]], vectors[b[rows]]))
        return found

    def cosine(self, pairs: pd.DataFrame) -> np.ndarray:
        """The cosine of the two embeddings of each pair, float64; needs no training."""
        return np.einsum("ij,ij->i", *self._vectors(pairs), dtype=np.float64)

    def _kept(self) -> dict[str, np.ndarray]:
        return {"encoder": np.array(str(self.model)), "fingerprint": np.array(self._encoder)}

    @classmethod
    def _from(cls, arrays: dict[str, np.ndarray], path: Path) -> Self:
        encoder = str(arrays.pop("encoder"))
        check_encoder(encoder, str(arrays.pop("fingerprint")), path)
        return cls(encoder)

    def _of_sentences(self, pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        a, b, texts = sentences_of(pairs)
        return a, b, unit(encode(texts, self.model, progress=self.progress))

    def _vectors(self, pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        a, b, vectors = self._of_sentences(pairs)
        return vectors[a], vectors[b]


def _compare(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """|u − v|, u∘v and the cosine of rows of unit length: (n, 2 d + 1)."""
    n, d = u.shape
    columns = np.empty((n, 2 * d + 1), dtype=np.float32)
    np.abs(u - v, out=columns[:, :d])
    np.multiply(u, v, out=columns[:, d : 2 * d])
    columns[:, -1] = columns[:, d : 2 * d].sum(axis=1)
    return columns


def best_penalty(features: np.ndarray, label: np.ndarray, end_a: np.ndarray, end_b: np.ndarray) -> float:
    """Choose the penalty of `PENALTIES` with the least log loss on clusters held out; 1 from 20,000 rows on.

    `end_a`, `end_b`: the clusters of a row's two sentences. A fold holds a share of the clusters; it is tested on the
    rows that touch one of them, trained on those that touch none. With few rows and many columns an unpenalised fit
    memorizes the sentences, and rows that share sentences would hide it.
    """
    from sklearn.metrics import log_loss

    if len(label) >= _ENOUGH:
        return PENALTIES[-1]
    fold = np.random.default_rng(0).integers(_FOLDS, size=1 + max(int(end_a.max()), int(end_b.max())))
    losses = np.zeros(len(PENALTIES))
    for k in range(_FOLDS):
        test = (fold[end_a] == k) | (fold[end_b] == k)
        if len(np.unique(label[~test])) < 2 or not test.any():
            return PENALTIES[2]  # too few rows to choose by: in the middle
        for i, penalty in enumerate(PENALTIES):
            model = fit_logistic(features[~test], label[~test], penalty)
            losses[i] += log_loss(label[test], model.probability(features[test]), labels=[0, 1]) * test.sum()
    return PENALTIES[int(np.argmin(losses))]
