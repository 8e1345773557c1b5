"""Good camps by local search: quick, and with no proof that none are better."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from itertools import count
from time import perf_counter

import numpy as np

from .signed import SignedGraph
from .verdict import fitting_camps, misfits

__all__ = ["LocalSearch"]

SLACK = 1e-9


class LocalSearch:
    """Camps whose misfits cost little: iterated local search on a graph in which every node has a neighbour.

    The first camps are joined greedily. A node moves to the camp that pulls it most, until all are content
    (`settle`). Then a few nodes that lie together move at random (`shake`), the nodes around them settle, and what
    does not get worse is kept. Strong balance has camps 0 and 1; weak balance has as many as there are nodes.

    Attributes
    ----------
    best : integer array (n,)
        The best camps met so far.
    value : float
        What they cost: the sum of the weights of the edges that do not fit.
    """

    def __init__(self, graph: SignedGraph, weights: np.ndarray, kind: str, seed: int = 0):
        self.graph, self.weights, self.kind, self.strong = graph, weights, kind, kind == "strong"
        self.rng, self.fresh = np.random.default_rng(seed), count(graph.n)  # numbers of camps not used before
        self.near: list[list[tuple[int, float]]] = [[] for _ in range(graph.n)]
        ends = graph.a.tolist(), graph.b.tolist(), (graph.sign * weights).tolist()
        for i, j, weight in zip(*ends, strict=True):
            self.near[i].append((j, weight))
            self.near[j].append((i, weight))
        self.value = np.inf
        self.improve(self._joined())

    def improve(self, camps: np.ndarray, enough: float = np.inf, patience: int = 0, deadline: float = np.inf) -> None:
        """Search on from some camps until they cost `enough`, for so many tries a node, but not past the deadline."""
        self.camps, self.moves, self.cost = camps.tolist(), [], self._cost(camps)
        self.settle(range(self.graph.n))
        for _ in range(min(patience * self.graph.n, 100_000)):
            if self.cost <= enough + SLACK or perf_counter() > deadline:
                break
            before, self.moves = self.cost, []
            self.shake()
            if self.cost > before:
                self.undo()
                self.cost = before
        found = np.array(self.camps)
        if (cost := self._cost(found)) < self.value:
            self.best, self.value = found, cost

    def settle(self, nodes: Iterable[int]) -> None:
        """Move nodes to the camp that pulls them most, and after each its neighbours, until all are content."""
        waiting = set(nodes)
        while waiting:
            node = waiting.pop()
            pulls = self._pulls(node)
            to = 1 - self.camps[node] if self.strong else max(pulls, key=pulls.get)
            if pulls.get(to, 0.0) > pulls.get(self.camps[node], 0.0) + SLACK:
                self._move(node, to, pulls)
                waiting.update(other for other, _ in self.near[node])

    def shake(self) -> None:
        """Move a few nodes that lie together, then let all around them settle.

        Strong: each goes to its other camp. Weak: all go to one camp, most often that of a neighbour.
        """
        node, size = int(self.rng.integers(self.graph.n)), int(self.rng.integers(1, 9))
        ball = {node: None}
        for inner in (walk := [node]):
            for place in self.rng.permutation(len(self.near[inner]))[:3]:
                other = self.near[inner][place][0]
                if other not in ball and len(ball) < size:
                    ball[other] = None
                    walk.append(other)
        beside = self.near[node][int(self.rng.integers(len(self.near[node])))][0]
        to = self.camps[beside] if self.rng.random() < 0.8 else next(self.fresh)
        for inner in ball:
            target = 1 - self.camps[inner] if self.strong else to
            if target != self.camps[inner]:
                self._move(inner, target, self._pulls(inner))
        self.settle([*ball, *(other for inner in ball for other, _ in self.near[inner])])

    def undo(self) -> None:
        """Take the moves back."""
        for node, camp in reversed(self.moves):
            self.camps[node] = camp

    def _cost(self, camps: np.ndarray) -> float:
        return float(self.weights[misfits(self.graph, camps)].sum())

    def _pulls(self, node: int) -> dict[int, float]:
        """Return how strongly each camp pulls a node: its positives there minus its negatives."""
        found: dict[int, float] = {}
        for other, weight in self.near[node]:
            camp = self.camps[other]
            found[camp] = found.get(camp, 0.0) + weight
        if not self.strong:
            found[next(self.fresh)] = 0.0  # a camp of its own
        return found

    def _move(self, node: int, to: int, pulls: dict[int, float]) -> None:
        self.cost -= pulls.get(to, 0.0) - pulls.get(self.camps[node], 0.0)
        self.moves.append((node, self.camps[node]))
        self.camps[node] = to

    def _joined(self) -> np.ndarray:
        """Join camps two at a time, always the two that pull each other most (Keuper et al. 2015).

        Weak: only camps that attract each other are joined. Strong: also those that repel each other, as the two
        sides of one; a camp is here two-sided, and known by the node that it began with.
        """
        pulls, found = [dict(near) for near in self.near], []
        heap = [(self._key(pull), i, j) for i, near in enumerate(pulls) for j, pull in near.items() if i < j]
        heap = [entry for entry in heap if entry[0] < 0]
        heapq.heapify(heap)
        while heap:
            key, i, j = heapq.heappop(heap)
            pull = pulls[i].get(j)
            if pull is None or self._key(pull) != key:
                continue  # an entry from before a join
            sign = 1 if pull > 0 else -1
            found.append((i, j, sign))
            if len(pulls[i]) < len(pulls[j]):
                i, j = j, i
            for other, more in pulls[j].items():
                del pulls[other][j]
                if other != i:
                    now = pulls[i][other] = pulls[other][i] = pulls[i].get(other, 0.0) + sign * more
                    if self._key(now) < 0:
                        heapq.heappush(heap, (self._key(now), min(i, other), max(i, other)))
            pulls[j] = {}
        joins = np.array(found, dtype=int).reshape(-1, 3)
        return fitting_camps(self.graph.n, *joins.T, self.kind)

    def _key(self, pull: float) -> float:
        """Return a number that is less for camps to be joined sooner, and negative for those to be joined."""
        return -abs(pull) if self.strong else -pull
