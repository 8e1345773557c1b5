"""A map of all clusters, by the meaning of their sentences or by their words."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from importlib.util import find_spec
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.outputs import atomic_write
from ..learn.cache import default_cache
from ..learn.encoder import describe
from ..learn.logistic import one_blas_thread
from ..learn.vectors import encode, unit
from ..words.tokens import only_words

if TYPE_CHECKING:
    from pathlib import Path

    from scipy.sparse import csr_array

    from ..graph import ParaphraseGraph

__all__ = ["WAYS", "has_tsne", "latent", "place_clusters", "principal"]

WAYS = ("meaning", "words")
WIDTH = 50  # coordinates of a cluster before they are brought to paper
_EDITION = 3  # of what makes a map: another one makes it anew


def place_clusters(
    graph: ParaphraseGraph, count: int, by: str | None = None, seed: int = 0
) -> np.ndarray:
    """Place the `count` largest clusters on one map: float64, (count, 2), within -1 and 1.

    A cluster's vector is the mean of its sentences' vectors; t-SNE maps the `principal` components to the plane (van
    der Maaten and Hinton 2008; with many clusters, by interpolation: Linderman et al. 2019). Without openTSNE, the
    first two components are used. A map is kept beside the vectors.

    Parameters
    ----------
    by : {"meaning", "words"}, optional
        ``"meaning"``: MiniLM's vectors, of unit length. ``"words"``: `latent`, without torch. Default: meaning, if
        torch is installed.
    seed : int
        The same seed gives the same map.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> place_clusters(graph, 50, by="words").shape
    (50, 2)
    """
    if by is None:
        by = "meaning" if find_spec("torch") and find_spec("transformers") else "words"
    if by not in WAYS:
        raise PairsError(f"by={by!r} is not one of {', '.join(WAYS)}")
    starts, nodes = graph.cluster_members
    members = nodes[: starts[count]]
    texts = graph.texts(members)
    group = graph.cluster_of[members]
    kept = _file_of(texts, group, by, seed)
    with suppress(OSError, ValueError, EOFError):  # none yet, or damaged: losing it costs only time
        places = np.load(kept, allow_pickle=False)
        if places.shape == (count, 2) and np.isfinite(places).all():
            return places
    if by == "words":
        vectors = latent(texts, group)
    else:
        vectors = unit(encode(texts))
        sums = np.add.reduceat(vectors, starts[:count], axis=0)
        vectors = sums / graph.cluster_sizes[:count, None]
    places = _projected(principal(vectors), seed)
    places /= max(np.abs(places).max(initial=0), 1e-12)
    with suppress(OSError):  # a folder that takes none is done without
        kept.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(kept) as part:
            np.save(part, places, allow_pickle=False)
    return places


def has_tsne() -> bool:
    """Return whether openTSNE is installed, so that maps are made by t-SNE."""
    return find_spec("openTSNE") is not None


def _file_of(texts: list[str], group: np.ndarray, by: str, seed: int) -> Path:
    """The file of a map, named after everything that it depends on."""
    what = blake2b(f"{_EDITION} {by} {seed} {has_tsne()}".encode(), digest_size=16)
    if by == "meaning":
        what.update(describe("minilm").fingerprint.encode())
    what.update(np.ascontiguousarray(group, dtype=np.int64).tobytes())
    for text in texts:
        what.update(f"{len(text)} {text}".encode())
    return default_cache().with_name("maps") / f"{what.hexdigest()}.npy"


def _projected(vectors: np.ndarray, seed: int) -> np.ndarray:
    """Map vectors, in order of their principal components, to the plane: float64, (n, 2), centred."""
    from tqdm.auto import tqdm

    n = len(vectors)
    start = np.zeros((n, 2))
    start[:, : vectors.shape[1]] = vectors[:, :2]
    if n < 5 or not has_tsne() or not start.any():
        return start
    from openTSNE import TSNE

    # t-SNE starts from two principal components, so that distant regions keep their order (Kobak and Berens 2019).
    begin = start / start.std() * 1e-4
    name = f"placing {n:,} clusters"
    with tqdm(total=350, desc=name, leave=False, disable=n < 500) as bar:

        def step(*_: object) -> None:  # a true value would stop it
            bar.update(10)

        steps = {"early_exaggeration_iter": 100, "n_iter": 250, "callbacks_every_iters": 10}
        steps["perplexity"] = min(10, (n - 1) / 3)
        tsne = TSNE(initialization=begin, callbacks=step, random_state=seed, **steps)
        places = np.array(tsne.fit(vectors))
    return places - places.mean(axis=0)


def tfidf(texts: Sequence[str], group: np.ndarray) -> csr_array:
    """Return TF-IDF vectors of words, of unit length or 0: one row per group of texts.

    Examples
    --------
    >>> vectors = tfidf(["cats purr", "why do cats purr", "rain falls"], np.arange(3))
    >>> (vectors @ vectors.T).toarray()[0].round(2).tolist()
    [1.0, 0.38, 0.0]
    """
    from scipy.sparse import csr_array, diags_array

    words = [only_words(text.casefold()) for text in texts]
    rows = np.repeat(group, [*map(len, words)])
    flat = np.array([*chain(*words)], dtype=object)
    columns, vocabulary = pd.factorize(flat)
    n = int(group.max(initial=-1)) + 1
    shape = (n, max(len(vocabulary), 1))
    ones = np.ones(len(columns))
    counts = csr_array((ones, (rows, columns)), shape=shape)
    counts.sum_duplicates()
    holding = np.bincount(counts.indices, minlength=shape[1])
    rarity = np.log((1 + n) / (1 + holding))
    weighted = counts.log1p() @ diags_array(rarity)
    squares = weighted.multiply(weighted).sum(axis=1)
    length = np.maximum(np.sqrt(squares), 1e-12)
    return diags_array(1 / length) @ weighted


def latent(texts: Sequence[str], group: np.ndarray) -> np.ndarray:
    """Make a vector for each group of texts, from their words: float64, (groups, at most `WIDTH`), unit length or 0.

    TF-IDF of words, then the leading singular vectors: latent semantic analysis (Deerwester et al. 1990).

    `group` is the number of each text's group, from 0.

    Examples
    --------
    >>> texts = ["cats purr", "why do cats purr", "rain falls", "when does rain fall"]
    >>> vectors = latent(texts, np.array([0, 1, 2, 3]))
    >>> alike = vectors @ vectors.T
    >>> bool(alike[0, 1] > .9 > .1 > alike[0, 2])
    True
    """
    from scipy.sparse.linalg import svds

    weighted = tfidf(texts, group)
    n = weighted.shape[0]
    width = min(WIDTH, min(weighted.shape) - 1)
    if width < 1 or not weighted.data.any():
        return np.zeros((n, 1))
    left, singular, _ = svds(weighted, width, rng=np.random.default_rng(0))
    return unit(left * singular)


def principal(vectors: np.ndarray, width: int = WIDTH) -> np.ndarray:
    """The first principal components of rows, most variance first: float64, (n, at most `width`).

    The sign of each is such that its largest entry is positive.

    Examples
    --------
    >>> principal(np.array([[1, 0, 0], [-1, 0, 0], [0, .5, 0], [0, -.5, 0]]), 2).tolist()
    [[1.0, 0.0], [-1.0, 0.0], [0.0, 0.5], [0.0, -0.5]]
    """
    if not len(vectors):
        return np.zeros((0, min(width, vectors.shape[1])))
    centred = vectors - vectors.mean(axis=0, dtype=np.float64)
    with one_blas_thread():  # the last digit makes another map
        _, axes = np.linalg.eigh(centred.T @ centred)
        parts = centred @ axes[:, ::-1][:, :width]
    is_turned = -parts.min(axis=0) > parts.max(axis=0)
    return np.where(is_turned, -parts, parts) + 0.0  # no -0
