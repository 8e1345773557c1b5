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
from ...learn.vectors import check_texts
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

    Positive are the pairs inside clusters (Mussmann, Jia and Liang 2020, section 3.1.2). In bipartite data the pairs
    are those of a left and a right sentence (a text of both sides is one sentence, on both), and positive are those
    stated so. `others` are further sentences, which no row names: on the right side, where there are two.

    Pairs stand in steps: a sentence ``rows[i]`` with each of ``columns[first[i]:]``.

    Examples
    --------
    >>> import paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": [*"abd"], "text_b": [*"bce"], "label": [1, 1, 0]})
    >>> world = World(pg.ParaphraseGraph.from_pairs(pairs), others=["f", "a"])
    >>> world.n, world.size, world.positives.tolist(), world.ends(world.positives)[1].tolist()
    (6, 15, [0, 1, 5], [1, 2, 2])
    """

    def __init__(self, graph: ParaphraseGraph, others: Sequence[str] = ()):
        checked_graph(graph, "all_pairs")
        check_texts(others, "other")
        two = graph.bipartite
        stated = graph.n_rows
        by_text = graph.pairs is not None and graph.identity != "id"
        if len(others) and not by_text:
            raise PairsError(
                "others join a graph of rows by their texts, and this one has no rows, or goes by ids"
            )
        if len(others):  # a row that pairs a sentence with itself names it, and is no edge
            own = {"text_a": others, "text_b": others, "label": pd.NA}
            own = pd.DataFrame(own, dtype="str")
            rows = graph.pairs[[*own]].astype(object)
            rows = pd.concat([rows, own])
            graph = type(graph).from_pairs(rows, graph.identity)
        self.graph = graph
        self.n = graph.n
        self.two_sided = two
        left = np.full(graph.n, not two)
        right = left.copy()
        left[graph.row_a[:stated]] = True
        right[graph.row_b] = True
        both = left & right
        shared = np.flatnonzero(both)
        left_only = np.flatnonzero(left & ~both)
        right_only = np.flatnonzero(right & ~both)
        self.rows = np.append(left_only, shared)
        self.columns = np.append(shared, right_only)
        row = np.arange(len(self.rows))
        column = np.arange(len(self.columns))
        self.first = np.maximum(row - len(left_only) + 1, 0)
        self.steps = Steps.of(self.first, len(column))
        self.size = int(self.steps.starts[-1])
        self._grid = np.full((2, self.n), -1)  # row and column of each sentence
        self._grid[0, self.rows] = row
        self._grid[1, self.columns] = column

    def texts(self, nodes: np.ndarray | None = None) -> list[str]:
        """Return the sentences, or those of some numbers."""
        if nodes is None:
            nodes = np.arange(self.n)
        return self.graph.texts(nodes)

    def nodes(self, texts: Sequence[str]) -> np.ndarray:
        """Return the number of each sentence, or −1."""
        return nodes_of(self.graph, list(texts))

    def ranks(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the rank of each pair in either order; −1 for two sentences that are no pair of this world."""
        found = np.full(len(a), -1)
        for x, y in ((a, b), (b, a)):
            i = self._grid[0, x]
            j = self._grid[1, y]
            there = (i >= 0) & (j >= self.first[i])
            numbers = self.steps.number(i, j)
            found[there] = numbers[there]
        return found

    def ends(self, ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the two sentences of each pair."""
        i, j = self.steps.ends(ranks)
        return self.rows[i], self.columns[j]

    def table(self, ranks: np.ndarray) -> pd.DataFrame:
        """Return the texts of each pair: `text_a`, `text_b`."""
        return self.graph.pair_texts(*self.ends(ranks))

    @cached_property
    def positives(self) -> np.ndarray:
        """The ranks of the positive pairs, sorted."""
        if self.two_sided:
            return self._ranks_of(self.graph.edge_sign > 0)
        space = Inside(self.graph)
        ends = space.ends(np.arange(space.size))
        return np.sort(self.ranks(*ends))

    @cached_property
    def negatives(self) -> np.ndarray:
        """The ranks of the stated negatives that are not inside a cluster, sorted."""
        negative = self.graph.edge_sign < 0
        return self._ranks_of(negative & ~self.graph.negatives_inside)

    def _ranks_of(self, edges: np.ndarray) -> np.ndarray:
        ends = self.graph.ends(edges)
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

        n = len(self.columns)
        right = vectors  # the columns are all sentences, in order
        if self.two_sided:
            right = vectors[self.columns]
        height, width = TILE
        tops = range(0, len(self.rows), height)
        for i in tqdm(tops, "all pairs", delay=2, disable=not progress):
            some = vectors[self.rows[i : i + height]]
            first = self.first[i : i + height]
            for j in range(int(first[0]), n, width):
                found = some @ right[j : j + width].T
                if j < first[-1]:
                    columns = np.arange(j, j + found.shape[1])
                    found[columns < first[:, None]] = -2
                yield i, j, found


def near_pairs(world: World, vectors: np.ndarray, k: int, progress: bool = False) -> np.ndarray:
    """Return the ranks of all pairs of a sentence and one of its k nearest by `unit` vectors, each once, sorted.

    On two sides, the nearest of each left and of each right sentence, so that both are treated alike. Mussmann, Jia
    and Liang (2020), appendix A.2; their published code counts a pair twice where each is near the other.
    """
    from tqdm.auto import tqdm

    vectors = vectors.astype(np.float32)
    found = [np.empty(0, dtype=np.int64)]
    sides = [(world.rows, world.columns)]
    if world.two_sided:
        sides.append((world.columns, world.rows))
    if not k:
        sides = []
    for here, there in sides:
        others = vectors[there]
        most = min(k, len(there))
        width = max(1, len(there))
        step = max(1, AT_ONCE // width)
        starts = range(0, len(here), step)
        for i in tqdm(starts, "near pairs", delay=2, disable=not progress):
            some = here[i : i + step]
            cosine = vectors[some] @ others.T
            cosine[some[:, None] == there] = -2
            rising = np.argpartition(cosine, -most, axis=1)
            near = there[rising[:, -most:]]
            each = np.repeat(some, most)
            ranks = world.ranks(each, near.ravel())
            found.append(ranks)
    ranks = np.unique(np.concatenate(found))
    return ranks[ranks >= 0]  # the others are no pairs of this world


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
