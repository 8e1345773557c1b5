"""Where each cluster stands on a map of all: by what its sentences mean, or by their words."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import blake2b
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from ..draw.tsne import tsne
from ..measure.latent import latent, principal
from ..pairs import PairsError
from .cache import default_cache, drop_oldest

if TYPE_CHECKING:
    from pathlib import Path

    from ..graph import ParaphraseGraph

__all__ = ["WAYS", "place_clusters"]

WAYS = ("meaning", "words")
_LIMIT = 10**8  # bytes of maps that are kept
_EDITION = 1  # of what makes a map: another one makes it anew


def place_clusters(
    graph: ParaphraseGraph, count: int, by: str | None = None, seed: int = 0, progress: bool = True
) -> np.ndarray:
    """Places of the `count` largest clusters on one map: float64, (count, 2), within -1 and 1.

    A cluster stands at the mean of its sentences' vectors; `principal` components and `tsne` bring those to paper.
    A map is kept on disk, beside the vectors; the next call with the same sentences reads it.

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
        from .encoding import encode

        vectors = encode(texts, progress=progress)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        vectors = np.add.reduceat(vectors, starts[:count], axis=0) / graph.cluster_sizes[:count, None]
    places = tsne(principal(vectors), seed=seed, progress=progress)
    places /= max(np.abs(places).max(initial=0), 1e-12)
    _write(kept, places)
    return places


def _kept(texts: list[str], group: np.ndarray, by: str, seed: int) -> Path:
    """The file of a map, named after all that it depends on."""
    what = blake2b(f"{_EDITION} {by} {seed}".encode(), digest_size=16)
    if by == "meaning":
        from .models import describe

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
    """Beside, then replaced, so that no half map is ever read; a folder that takes none is done without."""
    beside = kept.with_suffix(f".{os.getpid()}")
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with open(beside, "wb") as file:
            np.save(file, places, allow_pickle=False)
        beside.replace(kept)
        drop_oldest(kept.parent, ".npy", _LIMIT)
    except OSError:
        with suppress(OSError):
            beside.unlink()
