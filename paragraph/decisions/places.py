"""Where pairs of sentences, and answers about them, are in a graph."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from ..graph import ParaphraseGraph
from ..graph.arrays import PairIndex
from ..graph.search import lookup, nodes_of
from .record import OVERRULES, Answer, pair_of

__all__ = ["Pair", "Places", "Row", "ends_of"]

#: An unordered pair of nodes, one node for a sentence with itself. A text stands for itself where a graph lacks it.
Pair = frozenset[int | str]
#: Texts that are looked up one by one, without making an index of all sentences.
FEW = 4


@dataclass(frozen=True, slots=True)
class Row:
    """One person's last answer about one pair."""

    record: Answer
    pair: Pair
    #: The pairs of the conflicts in view, as the record names them.
    about: frozenset[Pair]
    #: The edge that states the pair, or -1.
    edge: int
    #: The nodes of the edge, or those of the pair: see `ends_of`.
    ends: tuple[int, int]
    #: The label that the graph states: 1, 0, or None. Of a sentence with itself, 0 if a row says so.
    label: int | None

    @property
    def same(self) -> str:
        """ "1", "0", "?" or "later"."""
        return self.record.same

    @property
    def reviewer(self) -> str:
        """The person."""
        return self.record.reviewer

    @property
    def conflicts(self) -> frozenset[Pair]:
        """The conflicts that the answer is about, by their pairs; only its own pair where none was in view."""
        return self.about or frozenset([self.pair])

    @property
    def fits(self) -> bool:
        """True if the person saw the label that the graph states, or saw none, or says what the graph states."""
        label = "" if self.label is None else str(self.label)
        return self.record.stated in ("", label) or self.same == label

    @property
    def random(self) -> bool:
        """True if the pair was drawn at random, not chosen by a list."""
        return self.record.saw.get("random") is True

    @property
    def overrules(self) -> list[str]:
        """The ids of other people's answers that this one overrules."""
        ids = self.record.saw.get(OVERRULES)
        if self.same == "later" or not isinstance(ids, list):
            return []
        return [id for id in ids if isinstance(id, str)]


class Places:
    """Finds pairs of sentences in a graph, or without one by their texts; each sentence is looked up once.

    A sentence is found in any spelling that is the same by the graph's identity; where ids decide, the first sentence
    of that text stands for all of them.
    """

    def __init__(self, graph: ParaphraseGraph | None):
        self.graph = graph
        self._node: dict[str, int | str] = {}  # of each text

    def pairs(self, texts: Iterable[tuple[str, str]]) -> list[Pair]:
        """The pairs of two sentences each."""
        pairs = [pair_of(a, b) for a, b in texts]
        self._look_up(chain.from_iterable(pairs))
        return [frozenset(map(self._node.get, pair)) for pair in pairs]

    def pairs_at(self, a: np.ndarray, b: np.ndarray) -> list[Pair]:
        """The pairs of nodes, as rows have them."""
        if self._first is not None:
            a = self._first[a]
            b = self._first[b]
        return [frozenset(ends) for ends in zip(a.tolist(), b.tolist(), strict=True)]

    def _look_up(self, texts: Iterable[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._node]
        self._node |= zip(new, new, strict=True)
        if self.graph is None or not new:
            return
        if len(new) > FEW:
            nodes = nodes_of(self.graph, new).tolist()
        else:
            nodes = [lookup(self.graph, text) for text in new]
        for text, node in zip(new, nodes, strict=True):
            if node >= 0:
                self._node[text] = node

    @cached_property
    def _first(self) -> np.ndarray | None:
        """Where ids decide, the first node of the same text, of each node."""
        if self.graph is None or self.graph.identity != "id":
            return None
        return nodes_of(self.graph, self.graph.sentences.to_pylist())

    @cached_property
    def _edges(self) -> PairIndex:
        """Finds the edges of pairs."""
        if self._first is None:
            return self.graph.edge_index
        a, b = self._first[[self.graph.edge_a, self.graph.edge_b]]
        return PairIndex.of(a, b, self.graph.n)

    def edges(self, pairs: list[Pair]) -> list[int]:
        """The edges that state some pairs, -1 for none."""
        if self.graph is None or not pairs:
            return [-1 for _ in pairs]
        ends = np.array([ends_of(pair) for pair in pairs])
        return self._edges.places(*ends.T).tolist()


def ends_of(pair: Pair) -> tuple[int, int]:
    """The nodes of a pair, the lower first, one node twice for a sentence with itself; (-1, -1) if one is missing."""
    if not all(isinstance(node, int) for node in pair):
        return -1, -1
    return min(pair), max(pair)
