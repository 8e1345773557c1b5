"""A world: all unordered pairs of distinct sentences, by rank, without listing them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ..graph.identity import sentence_keys
from ..graph.pairspace import inside
from ..graph.search import nodes_of
from .resampling import units_of

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["World"]

#: Rows and columns of a block of pairs: 16 MB of cosines.
TILE = (512, 4096)


class World:
    """The pairs of a graph's sentences, each with a rank in ``0 .. size-1``, and which of them are positive.

    Pairs are those of all sentences; in bipartite data those of a left and a right sentence (a text of both sides is
    one sentence, on both). Positive are the pairs inside clusters; in bipartite data, where nothing follows, those
    stated so. All others count as negative (Mussmann, Jia and Liang 2020, section 3.1.2).

    Parameters
    ----------
    graph : ParaphraseGraph
    others : sequence of str
        Further sentences, which no row names: on the right side, where there are two. Their numbers follow those of
        the graph's sentences; what is there already gets no second one.

    Attributes
    ----------
    n, size : int
        Sentences; pairs.
    rows, columns, first : integer arrays
        The pairs as steps: a sentence ``rows[i]`` with each of ``columns[first[i]:]``.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": [*"abd"], "text_b": [*"bce"], "label": [1, 1, 0]})
    >>> world = World(pg.ParaphraseGraph.from_pairs(pairs), others=["f", "a"])
    >>> world.n, world.size, world.positives.tolist(), world.ends(world.positives)[1].tolist()
    (6, 15, [0, 1, 5], [1, 2, 2])
    """

    def __init__(self, graph: ParaphraseGraph, others: Sequence[str] = ()):
        self.graph = graph
        node = nodes_of(graph, list(others))
        new: dict[str, str] = {}
        for key, text, at in zip(_keys(graph, others), others, node, strict=True):
            if at < 0:
                new.setdefault(key, text)
        self.further = list(new.values())
        self.n = graph.n + len(self.further)
        left, right = (np.full(self.n, not graph.bipartite) for _ in range(2))
        left[graph.row_a] = right[graph.row_b] = right[node[node >= 0]] = right[graph.n :] = True
        both = left & right
        self.rows = np.concatenate([np.flatnonzero(left & ~both), np.flatnonzero(both)])
        self.columns = np.concatenate([np.flatnonzero(both), np.flatnonzero(right & ~both)])
        self.first = np.maximum(np.arange(len(self.rows)) - len(self.rows) + np.count_nonzero(both) + 1, 0)
        self._starts = np.append(0, np.cumsum(len(self.columns) - self.first, dtype=np.int64))
        self.size = int(self._starts[-1])

    @cached_property
    def _grid(self) -> np.ndarray:
        """Row and column of each sentence, or −1."""
        places = np.full((2, self.n), -1)
        places[0, self.rows], places[1, self.columns] = np.arange(len(self.rows)), np.arange(len(self.columns))
        return places

    def texts(self, nodes: Iterable[int] | None = None) -> list[str]:
        """The sentences of some numbers, by default all."""
        every = pa.concat_arrays([self.graph.sentences, pa.array(self.further, pa.large_string())])
        return (every if nodes is None else every.take(pa.array(np.asarray(nodes, dtype=np.int64)))).to_pylist()

    def nodes(self, texts: Sequence[str]) -> np.ndarray:
        """The number of each sentence, or −1."""
        found = nodes_of(self.graph, list(texts))
        place = {key: self.graph.n + i for i, key in enumerate(_keys(self.graph, self.further))}
        for i in np.flatnonzero(found < 0).tolist() if place else ():
            found[i] = place.get(_keys(self.graph, [texts[i]])[0], -1)
        return found

    def ranks(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The rank of each pair, whichever sentence comes first; −1 for what is no pair of this world."""
        found = np.full(len(a), -1)
        for x, y in ((a, b), (b, a)):
            i, j = self._grid[0, x], self._grid[1, y]
            there = (i >= 0) & (j >= 0)
            there[there] = j[there] >= self.first[i[there]]
            found[there] = self.rank_at(i[there], j[there])
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

    @cached_property
    def positives(self) -> np.ndarray:
        """The ranks of the positive pairs, sorted."""
        if self.graph.bipartite:
            stated = self.graph.edge_sign > 0
            return np.sort(self.ranks(self.graph.edge_a[stated], self.graph.edge_b[stated]))
        space = inside(self.graph)
        return np.sort(self.ranks(*space.ends(*space.locate(np.arange(space.size)))))

    @cached_property
    def negatives(self) -> np.ndarray:
        """The ranks of the stated negatives that are not inside a cluster, sorted."""
        stated = (self.graph.edge_sign < 0) & (self.graph.bipartite | ~self.graph.within)
        return np.sort(self.ranks(self.graph.edge_a[stated], self.graph.edge_b[stated]))

    @cached_property
    def unit(self) -> np.ndarray:
        """The unit of each sentence that a bootstrap draws as a whole: its component, or cluster (`units_of`)."""
        found = units_of(self.graph)
        return np.append(found.of_node, found.count + np.arange(self.n - self.graph.n))

    def products(self, vectors: np.ndarray) -> Iterator[tuple[int, int, np.ndarray]]:
        """The scalar products of all pairs by blocks: row and column at which one begins, and its products.

        What is no pair has the product −2.
        """
        for i in range(0, len(self.rows), TILE[0]):
            some, first = vectors[self.rows[i : i + TILE[0]]], self.first[i : i + TILE[0]]
            for j in range(int(first[0]), len(self.columns), TILE[1]):
                found = some @ vectors[self.columns[j : j + TILE[1]]].T
                if j < first[-1]:
                    found[np.arange(j, j + found.shape[1]) < first[:, None]] = -2
                yield i, j, found


def _keys(graph: ParaphraseGraph, texts: Sequence[str]) -> list[str]:
    identity = "text" if graph.identity == "id" else graph.identity
    return sentence_keys(pa.array(list(texts), pa.large_string()), identity).to_pylist()
