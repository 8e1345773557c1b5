"""Two models without fine-tuning: logistic regression on a few similarities, or on embeddings."""

from __future__ import annotations

from os import PathLike

import numpy as np
import pandas as pd

from .labels import training_labels
from .logistic import fit_logistic
from .similarities import NAMES, count, rarity, similarities

__all__ = ["EmbeddingPairs", "TfidfPairs"]

#: Pairs whose features are in memory at once when probabilities are computed.
_CHUNK = 20_000


class TfidfPairs:
    """TF-IDF similarities and logistic regression: what shared words alone can tell.

    The columns: cosines of the TF-IDF vectors of words, of pairs of neighbouring words and of triples of
    characters; shared words among all words (Jaccard); the shorter length over the longer one. None depends
    on the order of the two sentences. Document frequencies are those of the distinct training sentences;
    a word that was never seen there is the rarest of all, and counts as such.

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
        a, b, texts = _sentences(pairs)
        return self._logistic.probability(similarities(count(texts), a, b, self._idf))

    @property
    def weights(self) -> pd.Series:
        """What each column adds to the log-odds, per standard deviation of it among the training pairs."""
        return pd.Series(self._logistic.weight, index=list(NAMES), name="weight")


class EmbeddingPairs:
    """Frozen sentence embeddings and logistic regression on |u − v|, u∘v (elementwise) and their cosine.

    u and v are the embeddings (`encode`) of the two sentences, divided by their lengths: 2 d + 1 columns, none
    of which depends on the order of the two.

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

    def __init__(self, model: str | PathLike = "minilm", seed: int = 0, progress: bool = True):
        from .models import describe

        about = describe(model)
        self.model, self.seed, self.progress = model, seed, progress
        self.name, self.trained_on = f"embedding ({about.name})", about.trained_on

    def fit(self, train: pd.DataFrame, dev: pd.DataFrame | None = None) -> EmbeddingPairs:
        """Learn from labelled pairs; `dev` is not used."""
        label = training_labels(train)
        a, b, vectors = self._vectors(train)
        self._logistic = fit_logistic(_compare(vectors[a], vectors[b]), label)
        return self

    def predict_proba(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each pair."""
        a, b, vectors = self._vectors(pairs)
        found = np.empty(len(pairs))
        for start in range(0, len(pairs), _CHUNK):
            rows = slice(start, start + _CHUNK)
            found[rows] = self._logistic.probability(_compare(vectors[a[rows]], vectors[b[rows]]))
        return found

    def cosine(self, pairs: pd.DataFrame) -> np.ndarray:
        """The cosine of the two embeddings of each pair, float64; needs no training."""
        a, b, vectors = self._vectors(pairs)
        return np.einsum("ij,ij->i", vectors[a], vectors[b], dtype=np.float64)

    @property
    def weights(self) -> pd.Series:
        """What each column adds to the log-odds, per standard deviation of it among the training pairs."""
        d = len(self._logistic.weight) // 2
        names = [f"{kind} {i}" for kind in ("|u-v|", "u*v") for i in range(d)]
        return pd.Series(self._logistic.weight, index=[*names, "cosine"], name="weight")

    def _vectors(self, pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        from .encode import encode

        a, b, texts = _sentences(pairs)
        vectors = encode(texts, self.model, progress=self.progress)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return a, b, vectors / np.maximum(lengths, np.finfo(np.float32).tiny)


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
