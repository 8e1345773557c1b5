"""Good camps of a signed graph, found quickly and without a proof."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import count
from time import perf_counter

import numpy as np

from .signed import SignedGraph
from .verdict import first_camps, misfits

__all__ = ["LocalSearch"]


class LocalSearch:
    """Camps with few misfits, without a proof: iterated local search on graphs in which every node has a neighbour.

    The first camps fit a spanning forest (strong) or all positives (weak). A node moves to the camp that pulls it
    most, until all are content (`improve`). Then a few neighbouring nodes move at random (`shake`), the nodes around
    them improve, and a result that is no worse is kept.

    Attributes
    ----------
    best : integer array (n,)
        The best camps met so far.
    value : int
        The edges that do not fit them.
    """

    def __init__(self, graph: SignedGraph, kind: str, seed: int = 0):
        self.graph = graph
        self.strong = kind == "strong"
        self.value = graph.m + 1
        self.rng = np.random.default_rng(seed)
        self.fresh = count(graph.n)  # numbers of camps not used before
        self.near: list[list[tuple[int, int]]] = [[] for _ in range(graph.n)]
        columns = (graph.a, graph.b, graph.sign)
        for i, j, sign in np.column_stack(columns).tolist():
            self.near[i].append((j, sign))
            self.near[j].append((i, sign))
        self.search(first_camps(graph, kind))
        misfits_of_one = np.count_nonzero(graph.sign < 0)
        if self.strong and self.value > misfits_of_one:  # one camp fits more
            self.search(np.zeros(graph.n, np.int64))

    def search(
        self, camps: np.ndarray, enough: int = 0, patience: int = 0, deadline: float = np.inf
    ) -> None:
        """Search from some camps until few enough edges misfit, `patience` tries per node are over, or time is up."""
        self.camps = camps.tolist()
        self.cost = np.count_nonzero(misfits(self.graph, camps))
        self.improve(range(self.graph.n))
        for _ in range(min(patience * self.graph.n, 100_000)):
            if self.cost <= enough or perf_counter() > deadline:
                break
            camps = self.camps.copy()
            cost = self.cost
            self.shake()
            if self.cost > cost:
                self.camps = camps
                self.cost = cost
        if self.cost < self.value:
            self.best = np.array(self.camps)
            self.value = int(self.cost)

    def improve(self, nodes: Iterable[int]) -> None:
        """Move nodes to the camp that pulls them most, and after each node its neighbours, until all are content."""
        waiting = set(nodes)
        while waiting:
            node = waiting.pop()
            pulls = self._pulls(node)
            here = self.camps[node]
            to = 1 - here
            if not self.strong:
                to = max(pulls, key=pulls.get)
            if pulls[to] > pulls[here]:
                self._move(node, to, pulls)
                waiting.update(other for other, _ in self.near[node])

    def shake(self) -> None:
        """Move a few neighbouring nodes, then let all nodes around them improve.

        Strong: each goes to its other camp. Weak: all go to one camp, most often that of a neighbour.
        """
        node = int(self.rng.integers(self.graph.n))
        size = int(self.rng.integers(1, 9))
        ball = [node]
        for inner in ball:
            near = self.near[inner]
            for place in self.rng.permutation(len(near))[:3]:
                other, _ = near[place]
                if other not in ball and len(ball) < size:
                    ball.append(other)
        near = self.near[node]
        beside, _ = near[int(self.rng.integers(len(near)))]
        to = self.camps[beside]
        if self.rng.random() >= 0.8:
            to = next(self.fresh)
        for inner in ball:
            if self.strong:
                to = 1 - self.camps[inner]
            if to != self.camps[inner]:
                self._move(inner, to, self._pulls(inner))
        around = list(ball)
        for inner in ball:
            around += [other for other, _ in self.near[inner]]
        self.improve(around)

    def _pulls(self, node: int) -> dict[int, int]:
        """Return how strongly each camp pulls a node: its positives there minus its negatives."""
        pulls: dict[int, int] = defaultdict(int)
        for other, sign in self.near[node]:
            pulls[self.camps[other]] += sign
        if not self.strong:
            pulls[next(self.fresh)] = 0  # a camp of its own
        return pulls

    def _move(self, node: int, to: int, pulls: dict[int, int]) -> None:
        self.cost -= pulls[to] - pulls[self.camps[node]]
        self.camps[node] = to
