"""A world: all unordered pairs of distinct sentences by rank, without listing them; near and random pairs of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ...files import PairsError
from ...graph.arrays import draw_ranks
from ...graph.core import checked_graph
from ...graph.pairspace import Inside, Steps, nth_other
from ...graph.search import nodes_of
from ..experiments.resampling import units_of

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph

__all__ = ["World", "near_pairs", "random_pairs", "without"]

#: Rows and columns of a block of pairs: 16 MB of cosines.
TILE = (512, 4096)
#: Cosines that are held at once: 32 MB.
AT_ONCE = 2**23


class World:
    """The pairs of a graph's sentences, each with a rank in ``0 .. size-1``, and which of them are positive.

    Positive are the pairs inside clusters (Mussmann, Jia and Liang 2020, section 3.1.2). Pairs stand in steps: a
    sentence with each later one.

    Examples
    --------
    >>> import paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": [*"abd"], "text_b": [*"bce"], "label": [1, 1, 0]})
    >>> world = World(pg.ParaphraseGraph.from_pairs(pairs))
    >>> world.n, world.size, world.positives.tolist(), world.ends(world.positives)[1].tolist()
    (5, 10, [0, 1, 4], [1, 2, 2])
    """

    def __init__(self, graph: ParaphraseGraph):
        checked_graph(graph, "all_pairs")
        if graph.bipartite:
            raise PairsError(
                "the two sides of these pairs are different things; all pairs are those of sentences of one kind"
            )
        self.graph = graph
        self.n = graph.n
        later = np.arange(1, self.n + 1)
        self.steps = Steps.of(later, np.full(self.n, self.n))
        self.size = int(self.steps.starts[-1])

    def nodes(self, texts: Sequence[str]) -> np.ndarray:
        """Return the number of each sentence, or −1."""
        return nodes_of(self.graph, list(texts))

    def ranks(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the rank of each pair in either order; −1 where a sentence is paired with itself, or is none."""
        first = np.minimum(a, b)
        second = np.maximum(a, b)
        ranks = self.steps.number(first, second)
        is_pair = (first >= 0) & (first < second)
        return np.where(is_pair, ranks, -1)

    def ends(self, ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the two sentences of each pair."""
        return self.steps.ends(ranks)

    def table(self, ranks: np.ndarray) -> pd.DataFrame:
        """Return the texts of each pair: `text_a`, `text_b`."""
        return self.graph.pair_texts(*self.ends(ranks))

    @cached_property
    def positives(self) -> np.ndarray:
        """The ranks of the positive pairs, sorted."""
        space = Inside(self.graph)
        ends = space.ends(np.arange(space.size))
        return np.sort(self.ranks(*ends))

    @cached_property
    def negatives(self) -> np.ndarray:
        """The ranks of the stated negatives that are not inside a cluster, sorted."""
        negative = self.graph.edge_sign < 0
        ends = self.graph.ends(negative & ~self.graph.negatives_inside)
        return np.sort(self.ranks(*ends))

    @cached_property
    def unit(self) -> np.ndarray:
        """The unit of each sentence, which a bootstrap draws as a whole: its component, or cluster (`units_of`)."""
        return units_of(self.graph).of_node

    def products(
        self, vectors: np.ndarray, progress: bool = False
    ) -> Iterator[tuple[int, int, np.ndarray]]:
        """Yield all scalar products in blocks: row and column where a block begins, its products; −2 is no pair."""
        from tqdm.auto import tqdm

        height, width = TILE
        tops = range(0, self.n, height)
        for i in tqdm(tops, "all pairs", delay=2, disable=not progress):
            some = vectors[i : i + height]
            rows = np.arange(i, i + len(some))
            for j in range(i, self.n, width):
                found = some @ vectors[j : j + width].T
                if j <= rows[-1]:
                    columns = np.arange(j, j + found.shape[1])
                    found[columns <= rows[:, None]] = -2
                yield i, j, found


def near_pairs(world: World, vectors: np.ndarray, k: int, progress: bool = False) -> np.ndarray:
    """Return the ranks of all pairs of a sentence and one of its k nearest by `unit` vectors, each once, sorted.

    Mussmann, Jia and Liang (2020), appendix A.2; their published code counts a pair twice where each is near the
    other.
    """
    from tqdm.auto import tqdm

    if not k:
        return np.empty(0, dtype=np.int64)
    vectors = vectors.astype(np.float32)
    most = min(k, world.n)
    step = max(1, AT_ONCE // world.n)
    found = []
    starts = range(0, world.n, step)
    for i in tqdm(starts, "near pairs", delay=2, disable=not progress):
        cosine = vectors[i : i + step] @ vectors.T
        rows = np.arange(len(cosine))
        cosine[rows, i + rows] = -2
        near = np.argpartition(cosine, -most, axis=1)[:, -most:]
        each = np.repeat(i + rows, most)
        found.append(world.ranks(each, near.ravel()))
    ranks = np.unique(np.concatenate(found))
    return ranks[ranks >= 0]  # a sentence with itself is no pair


def without(ranks: np.ndarray, closed: np.ndarray) -> np.ndarray:
    """Return ranks without the closed ones, both sorted.

    >>> without(np.array([2, 3, 5, 7]), np.array([1, 3, 7, 9])).tolist()
    [2, 5]
    """
    at = np.searchsorted(ranks, closed)
    inside = at < len(ranks)
    at = at[inside]
    closed = closed[inside]
    return np.delete(ranks, at[ranks[at] == closed])


def random_pairs(
    world: World, known: np.ndarray, count: int, seed: int
) -> tuple[np.ndarray, float]:
    """Draw ranks of pairs, each once, that are not among the `known` (sorted) ones; say how many each stands for.

    Where no more than `count` are left, all of them, each for itself.
    """
    left = world.size - len(known)
    rng = np.random.default_rng(seed)
    drawn = draw_ranks(rng, left, min(count, left))
    weight = left / max(1, len(drawn))
    return nth_other(drawn, known), weight
