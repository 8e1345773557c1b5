"""Places of pairs of sentences, and of answers about them, in a graph."""

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

#: An unordered pair of nodes; one node for a sentence with itself. If a graph lacks a text, the
#: text is the node.
Pair = frozenset[int | str]
#: Up to so many texts are looked up one by one: an index of all sentences would take longer.
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
    #: The label that the graph states: 1, 0, or None. Of a sentence with itself: 0 if a row says so.
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
    """Pairs of sentences, found in a graph or by their texts; each sentence is looked up once.

    A sentence is found in any spelling that is the same by the graph's identity. Where ids decide,
    the first sentence of a text stands for all with this text.
    """

    def __init__(self, graph: ParaphraseGraph | None):
        self.graph = graph
        self._node_of: dict[str, int | str] = {}  # by text

    def pairs(self, texts: Iterable[tuple[str, str]]) -> list[Pair]:
        """The pair of each two texts."""
        pairs = [pair_of(a, b) for a, b in texts]
        self._look_up(chain.from_iterable(pairs))
        return [frozenset(map(self._node_of.get, pair)) for pair in pairs]

    def pairs_at(self, a: np.ndarray, b: np.ndarray) -> list[Pair]:
        """The pairs of nodes `a` and `b`, as `Row.pair` has them."""
        if self._first_node is not None:
            a = self._first_node[a]
            b = self._first_node[b]
        return [frozenset(ends) for ends in zip(a.tolist(), b.tolist(), strict=True)]

    def _look_up(self, texts: Iterable[str]) -> None:
        """Find the nodes of texts that were not looked up before."""
        new_texts = [text for text in dict.fromkeys(texts) if text not in self._node_of]
        self._node_of |= zip(new_texts, new_texts, strict=True)
        if self.graph is None or not new_texts:
            return
        if len(new_texts) > FEW:
            nodes = nodes_of(self.graph, new_texts).tolist()
        else:
            nodes = [lookup(self.graph, text) for text in new_texts]
        for text, node in zip(new_texts, nodes, strict=True):
            if node >= 0:
                self._node_of[text] = node

    @cached_property
    def _first_node(self) -> np.ndarray | None:
        """By node, the first node of the same text; None where ids do not decide."""
        if self.graph is None or self.graph.identity != "id":
            return None
        return nodes_of(self.graph, self.graph.sentences.to_pylist())

    @cached_property
    def _edges(self) -> PairIndex:
        """The index that finds the edges of pairs."""
        if self._first_node is None:
            return self.graph.edge_index
        a, b = self._first_node[[self.graph.edge_a, self.graph.edge_b]]
        return PairIndex.of(a, b, self.graph.n)

    def edges(self, pairs: list[Pair]) -> list[int]:
        """The edge that states each pair, or -1."""
        if self.graph is None or not pairs:
            return [-1 for _ in pairs]
        ends = np.array([ends_of(pair) for pair in pairs])
        return self._edges.places(*ends.T).tolist()


def ends_of(pair: Pair) -> tuple[int, int]:
    """The nodes of a pair, the lower first; (-1, -1) if one is missing.

    A sentence with itself is one node twice.
    """
    if not all(isinstance(node, int) for node in pair):
        return -1, -1
    return min(pair), max(pair)
