"""A map of all clusters, by the meaning of their sentences or by their words."""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from ..pairs import PairsError
from ..pairs.outputs import beside
from .latent import latent, principal
from .pretrained.cache import default_cache, drop_oldest

if TYPE_CHECKING:
    from pathlib import Path

    from ..graph import ParaphraseGraph

__all__ = ["WAYS", "has_tsne", "place_clusters"]

WAYS = ("meaning", "words")
_LIMIT = 10**8  # bytes of maps that are kept
_EDITION = 2  # of what makes a map: another one makes it anew


def place_clusters(
    graph: ParaphraseGraph, count: int, by: str | None = None, seed: int = 0, progress: bool = True
) -> np.ndarray:
    """Place the `count` largest clusters on one map: float64, (count, 2), within -1 and 1.

    A cluster stands at the mean of its sentences' vectors. Its `principal` components are brought to paper by t-SNE
    (van der Maaten and Hinton 2008), or without scikit-learn by the first two of them. A map is kept on disk, beside
    the vectors; the next call with the same sentences reads it.

    Parameters
    ----------
    graph : ParaphraseGraph
    count : int
    by : {"meaning", "words"}, optional
        ``"meaning"``: MiniLM's vectors, of unit length. ``"words"``: `latent`, without torch. Default: meaning where
        torch is installed.
    seed : int
        The same seed, the same map.
    progress : bool
        Show progress bars.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> place_clusters(graph, 50, by="words", progress=False).shape
    (50, 2)
    """
    by = by or ("meaning" if find_spec("torch") and find_spec("transformers") else "words")
    if by not in WAYS:
        raise PairsError(f"by={by!r} is not one of {', '.join(WAYS)}")
    starts, nodes = graph.cluster_members
    members = nodes[: starts[count]]
    texts, group = graph.texts(members), graph.cluster_of[members]
    kept = _kept(texts, group, by, seed)
    if (places := _read(kept, count)) is not None:
        return places
    if by == "words":
        vectors = latent(texts, group)
    else:
        from .pretrained.encode import encode

        vectors = encode(texts, progress=progress)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        vectors = np.add.reduceat(vectors, starts[:count], axis=0) / graph.cluster_sizes[:count, None]
    places = _projected(principal(vectors), seed, progress)
    places /= max(np.abs(places).max(initial=0), 1e-12)
    _write(kept, places)
    return places


def has_tsne() -> bool:
    """Whether scikit-learn is installed, so that a map is made by t-SNE."""
    return find_spec("sklearn") is not None


def _projected(vectors: np.ndarray, seed: int, progress: bool) -> np.ndarray:
    """Bring vectors, in order of their principal components, to paper: float64, (n, 2), centred."""
    from tqdm.auto import tqdm

    n = len(vectors)
    start = np.zeros((n, 2))
    start[:, : vectors.shape[1]] = vectors[:, :2]
    if n < 5 or not has_tsne() or not start.any():
        return start
    from sklearn.manifold import TSNE

    # It begins with two principal components, so that distant regions keep their order (Kobak and Berens 2019).
    begin = (start / start.std() * 1e-4).astype(np.float32)
    name = f"placing {n:,} clusters, {n // 12_000 + 1} min. or less"
    with tqdm(total=1, desc=name, delay=1, leave=False, disable=not progress) as bar:
        tsne = TSNE(perplexity=min(10, (n - 1) / 3), init=begin, angle=0.7, max_iter=500, random_state=seed)
        places = tsne.fit_transform(vectors.astype(np.float32)).astype(np.float64)
        bar.update()
    return places - places.mean(axis=0)


def _kept(texts: list[str], group: np.ndarray, by: str, seed: int) -> Path:
    """The file of a map, named after all that it depends on."""
    what = blake2b(f"{_EDITION} {by} {seed} {has_tsne()}".encode(), digest_size=16)
    if by == "meaning":
        from .pretrained.find import describe

        what.update(describe("minilm").fingerprint.encode())
    what.update(np.ascontiguousarray(group, dtype=np.int64).tobytes())
    for text in texts:
        what.update(f"{len(text)} {text}".encode())
    return default_cache().with_name("maps") / f"{what.hexdigest()}.npy"


def _read(kept: Path, count: int) -> np.ndarray | None:
    try:
        places = np.load(kept, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None  # none yet, or damaged: losing it costs only time
    fits = places.shape == (count, 2) and places.dtype == np.float64 and bool(np.isfinite(places).all())
    return places if fits else None


def _write(kept: Path, places: np.ndarray) -> None:
    """Keep a map; a folder that takes none is done without."""
    with suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        with beside(kept) as part:
            np.save(part, places, allow_pickle=False)
        drop_oldest(kept.parent, ".npy", _LIMIT)
