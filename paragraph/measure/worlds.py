"""A world: all unordered pairs of distinct sentences, by rank, without listing them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..graph.pairspace import Inside
from ..graph.search import nodes_of
from ..pairs import PairsError
from .resampling import units_of

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["World", "check_graph", "check_texts"]

#: Rows and columns of a block of pairs: 16 MB of cosines.
TILE = (512, 4096)


def check_graph(graph: ParaphraseGraph) -> None:
    """Raise `PairsError` for anything that is no graph, a table of pairs above all."""
    if not hasattr(graph, "edge_sign"):
        wanted = "a ParaphraseGraph is expected: ParaphraseGraph.from_pairs(pairs)"
        raise PairsError(f"{wanted}; this is {type(graph).__name__}")


def check_texts(texts: Sequence[str], what: str) -> None:
    """Raise `PairsError` unless this is a list of texts that can be written as UTF-8."""
    if isinstance(texts, str) or not hasattr(texts, "__len__") or hasattr(texts, "columns"):
        raise PairsError(f"{what}: a list of texts is expected, not one {type(texts).__name__}")
    for at, text in enumerate(texts):
        try:
            text.encode()
        except (AttributeError, UnicodeEncodeError):
            raise PairsError(f"{what}, entry {at}: {text!r} is not a text that can be written") from None


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
        check_graph(graph)
        check_texts(others, "others")
        two, stated = graph.bipartite, graph.n_rows
        if len(others):  # a row that pairs a sentence with itself names it, and is no edge
            more = pd.DataFrame({"text_a": others, "text_b": others, "label": pd.NA}, dtype="str")
            columns = ["text_a", "text_b", "label"]
            graph = type(graph).from_pairs(pd.concat([graph.pairs[columns].astype(object), more]), graph.identity)
        self.graph, self.n, self.two_sided = graph, graph.n, two
        left, right = (np.full(graph.n, not two) for _ in range(2))
        left[graph.row_a[:stated]] = right[graph.row_b] = True
        both = left & right
        self.rows = np.concatenate([np.flatnonzero(left & ~both), np.flatnonzero(both)])
        self.columns = np.concatenate([np.flatnonzero(both), np.flatnonzero(right & ~both)])
        self.first = np.maximum(np.arange(len(self.rows)) - len(self.rows) + np.count_nonzero(both) + 1, 0)
        self._starts = np.append(0, np.cumsum(len(self.columns) - self.first, dtype=np.int64))
        self.size = int(self._starts[-1])
        self._grid = np.full((2, self.n), -1)  # row and column of each sentence
        for places, nodes in zip(self._grid, (self.rows, self.columns), strict=True):
            places[nodes] = np.arange(len(nodes))

    def texts(self, nodes: np.ndarray | None = None) -> list[str]:
        """The sentences, or those of some numbers."""
        return self.graph.texts(np.arange(self.n) if nodes is None else nodes)

    def nodes(self, texts: Sequence[str]) -> np.ndarray:
        """The number of each sentence, or −1."""
        return nodes_of(self.graph, list(texts))

    def ranks(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The rank of each pair, whichever sentence comes first; −1 for what is no pair of this world."""
        found = np.full(len(a), -1)
        for x, y in ((a, b), (b, a)):
            i, j = self._grid[0, x], self._grid[1, y]
            there = (i >= 0) & (j >= self.first[i])
            found[there] = self.rank_at(i, j)[there]
        return found

    def rank_at(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """The rank of the pair in a row and a column."""
        return self._starts[i] + j - self.first[i]

    def places(self, ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of each pair."""
        i = np.searchsorted(self._starts, ranks, side="right") - 1
        return i, ranks - self._starts[i] + self.first[i]

    def ends(self, ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The two sentences of each pair."""
        i, j = self.places(ranks)
        return self.rows[i], self.columns[j]

    def table(self, ranks: np.ndarray) -> pd.DataFrame:
        """The texts of each pair: `text_a`, `text_b`."""
        a, b = map(self.texts, self.ends(ranks))
        return pd.DataFrame({"text_a": a, "text_b": b}, dtype="str")

    @cached_property
    def positives(self) -> np.ndarray:
        """The ranks of the positive pairs, sorted."""
        if self.two_sided:
            return self._stated(self.graph.edge_sign > 0)
        space = Inside(self.graph)
        return np.sort(self.ranks(*space.ends(*space.locate(np.arange(space.size)))))

    @cached_property
    def negatives(self) -> np.ndarray:
        """The ranks of the stated negatives that are not inside a cluster, sorted."""
        return self._stated((self.graph.edge_sign < 0) & (self.two_sided | ~self.graph.within))

    def _stated(self, edges: np.ndarray) -> np.ndarray:
        return np.sort(self.ranks(self.graph.edge_a[edges], self.graph.edge_b[edges]))

    @cached_property
    def unit(self) -> np.ndarray:
        """The unit of each sentence that a bootstrap draws as a whole: its component, or cluster (`units_of`)."""
        return units_of(self.graph).of_node

    def products(self, vectors: np.ndarray, progress: bool = False) -> Iterator[tuple[int, int, np.ndarray]]:
        """All scalar products in blocks: the row and column where one begins, and its products; −2 is no pair."""
        from tqdm.auto import tqdm

        right = vectors[self.columns] if self.two_sided else vectors  # else the columns are all sentences, in order
        for i in tqdm(range(0, len(self.rows), TILE[0]), "all pairs", delay=2, disable=not progress):
            some, first = vectors[self.rows[i : i + TILE[0]]], self.first[i : i + TILE[0]]
            for j in range(int(first[0]), len(self.columns), TILE[1]):
                found = some @ right[j : j + TILE[1]].T
                if j < first[-1]:
                    found[np.arange(j, j + found.shape[1]) < first[:, None]] = -2
                yield i, j, found
