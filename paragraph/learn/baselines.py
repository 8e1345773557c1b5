"""Two models without fine-tuning: logistic regression on a few similarities, or on embeddings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..measure.logistic import Logistic, fit_logistic
from ..pairs import PairsError
from ..pairs.errors import intact
from ..pairs.outputs import together
from .labels import training_labels
from .models import describe
from .penalty import best_penalty
from .similarities import COLUMNS, GRAMS, NAMES, count, rarity, similarities

__all__ = ["EmbeddingPairs", "TfidfPairs"]

#: Pairs whose features are in memory at once when probabilities are computed.
_CHUNK = 20_000


class TfidfPairs:
    """TF-IDF similarities and logistic regression: a model of shared words alone.

    The columns: cosines of the TF-IDF vectors of words, of pairs of neighbouring words and of triples of
    characters; shared words among all words (Jaccard); the shorter length over the longer one. None depends
    on the order of the two sentences. Document frequencies are those of the distinct training sentences;
    a word that is not in them counts as the rarest.

    Parameters
    ----------
    seed : int
        Changes nothing: the model is deterministic.

    Examples
    --------
    >>> import paragraph as pg
    >>> pairs = pg.read_pairs(pg.DEMO)
    >>> model = TfidfPairs().fit(pairs)
    >>> model.weights.index.tolist()
    ['words', 'pairs of words', 'characters', 'shared words', 'length']
    >>> new = pd.DataFrame({"text_a": ["Is tea hot?"] * 2, "text_b": ["Is hot tea hot?", "Who won?"]})
    >>> (model.predict_proba(new) > 0.5).tolist()
    [True, False]
    """

    name = "tfidf"
    trained_on = ""
    deterministic = True

    def __init__(self, seed: int = 0):
        self.seed = seed
        self._logistic: Logistic | None = None

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> TfidfPairs:
        """Learn from labelled pairs; `dev` is not used."""
        label = training_labels(train)
        a, b, texts = _sentences(train)
        counted = count(texts)
        self._idf = rarity(counted)
        self._logistic = fit_logistic(similarities(counted, a, b, self._idf), label)
        return self

    def predict_proba(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each pair."""
        logistic = _fitted(self)
        if not len(pairs):
            return np.empty(0)
        a, b, texts = _sentences(pairs)
        return logistic.probability(similarities(count(texts), a, b, self._idf))

    @property
    def weights(self) -> pd.Series:
        """What each column adds to the log-odds, per standard deviation of it among the training pairs."""
        return pd.Series(_fitted(self).weight, index=list(NAMES), name="weight")

    def save(self, folder: str | PathLike) -> None:
        """Write the fitted model as plain arrays, `tfidf_pairs.npz`."""
        idf = {f"idf{i}": rare for i, rare in enumerate(self._idf)} if self._logistic else {}
        _save(self, folder, **idf)

    @classmethod
    def load(cls, folder: str | PathLike) -> TfidfPairs:
        """A fitted model that `save` has written."""
        with _saved(cls, folder) as arrays:
            model = cls()
            model._idf = [_numbers(arrays.pop(f"idf{i}"), COLUMNS) for i in range(len(GRAMS))]
            model._logistic = _logistic(arrays, len(NAMES))
        return model


class EmbeddingPairs:
    """Frozen sentence embeddings and logistic regression on |u − v|, u∘v (elementwise) and their cosine.

    u and v are the embeddings (`encode`) of the two sentences, divided by their lengths: 2 d + 1 columns, none
    of which depends on the order of the two. On fewer than 20,000 rows the penalty is chosen on held-out clusters.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder.
    seed : int
        Changes nothing: the model is deterministic.
    progress : bool
        Whether encoding shows a progress bar.
    """

    deterministic = True

    def __init__(self, model: str | PathLike = "minilm", seed: int = 0, *, progress: bool = True):
        about = describe(model, progress=progress)
        self.model, self.seed, self.progress = model, seed, progress
        self.name, self.trained_on = f"embedding ({about.name})", about.trained_on
        self._logistic: Logistic | None = None

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> EmbeddingPairs:
        """Learn from labelled pairs; `dev` is not used."""
        label = training_labels(train)
        a, b, vectors = self._vectors(train)
        features = _compare(vectors[a], vectors[b])
        graph = ParaphraseGraph.from_pairs(train)
        ends = (graph.cluster_of[row] for row in (graph.row_a, graph.row_b))
        self._logistic = fit_logistic(features, label, best_penalty(features, label, *ends))
        return self

    def predict_proba(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each pair."""
        logistic = _fitted(self)
        a, b, vectors = self._vectors(pairs)
        found = np.empty(len(pairs))
        for start in range(0, len(pairs), _CHUNK):
            rows = slice(start, start + _CHUNK)
            found[rows] = logistic.probability(_compare(vectors[a[rows]], vectors[b[rows]]))
        return found

    def cosine(self, pairs: pd.DataFrame) -> np.ndarray:
        """The cosine of the two embeddings of each pair, float64; needs no training."""
        a, b, vectors = self._vectors(pairs)
        return np.einsum("ij,ij->i", vectors[a], vectors[b], dtype=np.float64)

    @property
    def weights(self) -> pd.Series:
        """What each column adds to the log-odds, per standard deviation of it among the training pairs."""
        weight = _fitted(self).weight
        names = [f"{kind} {i}" for kind in ("|u-v|", "u*v") for i in range(len(weight) // 2)]
        return pd.Series(weight, index=[*names, "cosine"], name="weight")

    def save(self, folder: str | PathLike) -> None:
        """Write the fitted model as plain arrays, `embedding_pairs.npz`; of the encoder, its name only."""
        _save(self, folder, encoder=np.array(str(self.model)))

    @classmethod
    def load(cls, folder: str | PathLike) -> EmbeddingPairs:
        """A fitted model that `save` has written."""
        with _saved(cls, folder) as arrays:
            model = cls(str(arrays.pop("encoder")))
            model._logistic = _logistic(arrays, 2 * describe(model.model).width + 1)
        return model

    def _vectors(self, pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        from .encoding import encode

        a, b, texts = _sentences(pairs)
        vectors = encode(texts, self.model, progress=self.progress)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return a, b, vectors / np.maximum(lengths, np.finfo(np.float32).tiny)


def _fitted(model: TfidfPairs | EmbeddingPairs) -> Logistic:
    if model._logistic is None:
        raise PairsError(f"the model {model.name} is not fitted: call fit(train) first")
    return model._logistic


_FILES = {TfidfPairs: "tfidf_pairs.npz", EmbeddingPairs: "embedding_pairs.npz"}


def _save(model: TfidfPairs | EmbeddingPairs, folder: str | PathLike, **arrays: np.ndarray) -> None:
    logistic = _fitted(model)._asdict()
    with together(folder) as stage:
        np.savez_compressed(stage / _FILES[type(model)], **logistic, **arrays)


@contextmanager
def _saved(kind: type, folder: str | PathLike) -> Iterator[dict[str, np.ndarray]]:
    """The arrays that `_save` has written; what cannot be made of them is told as damage of their file."""
    path = Path(folder, _FILES[kind])
    if not path.is_file():
        raise PairsError(f"{path} is missing: name a folder that {kind.__name__}.save has written")
    with (
        intact(path, "it is damaged: train the model and save it again"),
        np.load(path, allow_pickle=False) as arrays,
    ):
        yield dict(arrays)


def _logistic(arrays: dict[str, np.ndarray], columns: int) -> Logistic:
    found = Logistic(**arrays)
    return Logistic(*(_numbers(row, columns) for row in found[:3]), float(_numbers(found.bias)))


def _numbers(array: np.ndarray, *shape: int) -> np.ndarray:
    if array.dtype.kind != "f" or array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"an array of {array.dtype}, {array.shape}, where numbers are expected, {shape}")
    return array


def _sentences(pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """The distinct sentences of a pair table, and the numbers of each pair's two."""
    codes, texts = pd.factorize(pd.concat([pairs["text_a"], pairs["text_b"]], ignore_index=True))
    return codes[: len(pairs)], codes[len(pairs) :], list(texts)


def _compare(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """|u − v|, u∘v and the cosine of rows of unit length: (n, 2 d + 1)."""
    n, d = u.shape
    columns = np.empty((n, 2 * d + 1), dtype=np.float32)
    np.abs(u - v, out=columns[:, :d])
    np.multiply(u, v, out=columns[:, d : 2 * d])
    columns[:, -1] = columns[:, d : 2 * d].sum(axis=1)
    return columns
