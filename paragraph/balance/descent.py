"""Good camps by local search, and a bound by packing guilty cycles: quick, and often far apart."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import count
from time import perf_counter

import numpy as np

__all__ = ["good_camps", "misfits", "packed_cycles"]

Adjacency = list[list[tuple[int, float]]]  #: of each node: its neighbours, each with sign × weight


def misfits(camps: np.ndarray, a: np.ndarray, b: np.ndarray, sign: np.ndarray) -> np.ndarray:
    """Which edges do not fit the camps: a positive between two camps, or a negative inside one."""
    return (camps[a] == camps[b]) != (sign > 0)


def good_camps(
    n: int,
    a: np.ndarray,
    b: np.ndarray,
    sign: np.ndarray,
    weights: np.ndarray,
    kind: str,
    seed: int = 0,
    start: np.ndarray | None = None,
    enough: float = 0.0,
    deadline: float = np.inf,
    patience: int = 60,
) -> np.ndarray:
    """Camps that few edges contradict: iterated local search.

    From `start` (by default camps that fit a spanning tree for *strong*, camps joined greedily for *weak*) single
    nodes move to the camp that suits them best; then a few nodes that lie together are moved at random, and what
    does not get worse is kept. It ends when the cost is down to `enough`, at the `deadline`, or after `patience`
    tries a node. Every node has a neighbour.
    """
    rng = np.random.default_rng(seed)
    near: Adjacency = [[] for _ in range(n)]
    for i, j, weight in zip(a.tolist(), b.tolist(), (sign * weights).tolist(), strict=True):
        near[i].append((j, weight))
        near[j].append((i, weight))
    if start is None:
        start = along_tree(near) if kind == "strong" else join_greedily(near)
    camps = np.unique(start, return_inverse=True)[1].tolist()
    fresh = count(n)  # numbers of camps not used before
    settle(camps, near, kind, fresh, range(n))
    cost = float(weights[misfits(np.array(camps), a, b, sign)].sum())
    rounds = min(patience * n, 100_000)
    for _ in range(rounds):
        if cost <= enough + 1e-9 or perf_counter() > deadline:
            break
        changed, saved = shake(camps, near, kind, fresh, rng)
        if saved >= 0:
            cost -= saved
            continue
        for node, camp in reversed(changed):  # worse than before: take the moves back
            camps[node] = camp
    return np.array(camps)


def pulls(node: int, camps: list[int], near: Adjacency) -> dict[int, float]:
    """How strongly each neighbouring camp draws a node: its positives there minus its negatives."""
    found: dict[int, float] = {}
    for other, weight in near[node]:
        found[camps[other]] = found.get(camps[other], 0.0) + weight
    return found


def settle(
    camps: list[int], near: Adjacency, kind: str, fresh: Iterator[int], nodes: Iterable[int]
) -> tuple[list[tuple[int, int]], float]:
    """Move nodes to the camp that draws them most until all are content; the moves, and what they save."""
    waiting, queued = deque(nodes), set(nodes)
    moves, saved = [], 0.0
    while waiting:
        node = waiting.popleft()
        queued.discard(node)
        draw = pulls(node, camps, near)
        here = draw.get(camps[node], 0.0)
        if kind == "strong":
            to = 1 - camps[node]
            pull = draw.get(to, 0.0)
        else:
            to, pull = max(draw.items(), key=lambda item: item[1], default=(camps[node], 0.0))
            if pull < 0:
                to, pull = next(fresh), 0.0
        if pull <= here + 1e-9:
            continue
        moves.append((node, camps[node]))
        saved += pull - here
        camps[node] = to
        for other, _ in near[node]:
            if other not in queued:
                queued.add(other)
                waiting.append(other)
    return moves, saved


def shake(
    camps: list[int], near: Adjacency, kind: str, fresh: Iterator[int], rng: np.random.Generator
) -> tuple[list[tuple[int, int]], float]:
    """Move a few nodes that lie together, then let all around them settle; the moves, and what they save."""
    node = int(rng.integers(len(camps)))
    size = int(rng.integers(1, 1 + min(8, len(camps))))
    ball, seen = [node], {node}
    for inner in ball:
        for place in rng.permutation(len(near[inner]))[:3]:
            other = near[inner][place][0]
            if other not in seen and len(ball) < size:
                seen.add(other)
                ball.append(other)
    moves, saved = [], 0.0
    neighbours = [camps[other] for other, _ in near[node]]
    target = neighbours[int(rng.integers(len(neighbours)))] if rng.random() < 0.8 else next(fresh)
    for inner in ball:
        to = 1 - camps[inner] if kind == "strong" else target
        if to == camps[inner]:
            continue
        draw = pulls(inner, camps, near)
        saved += draw.get(to, 0.0) - draw.get(camps[inner], 0.0)
        moves.append((inner, camps[inner]))
        camps[inner] = to
    settled, more = settle(camps, near, kind, fresh, ball + [other for inner in ball for other, _ in near[inner]])
    return moves + settled, saved + more


def along_tree(near: Adjacency) -> list[int]:
    """Two camps that fit every edge of a breadth-first forest."""
    camps = [-1] * len(near)
    for root in range(len(near)):
        if camps[root] >= 0:
            continue
        camps[root] = 0
        reached = deque([root])
        while reached:
            node = reached.popleft()
            for other, weight in near[node]:
                if camps[other] < 0:
                    camps[other] = camps[node] if weight > 0 else 1 - camps[node]
                    reached.append(other)
    return camps


def join_greedily(near: Adjacency) -> list[int]:
    """Camps joined two at a time, always the two that draw each other most, while any do (Keuper et al. 2015)."""
    draw: list[dict[int, float]] = [{} for _ in near]
    for node, others in enumerate(near):
        for other, weight in others:
            draw[node][other] = draw[node].get(other, 0.0) + weight
    heap = [(-pull, i, j) for i, others in enumerate(draw) for j, pull in others.items() if i < j and pull > 0]
    heapq.heapify(heap)
    into = list(range(len(near)))
    while heap:
        pull, i, j = heapq.heappop(heap)
        if into[i] != i or into[j] != j or draw[i].get(j) != -pull:
            continue  # an entry from before a join
        if len(draw[i]) < len(draw[j]):
            i, j = j, i
        into[j] = i
        del draw[i][j]
        for other, more in draw[j].items():
            if other == i:
                continue
            del draw[other][j]
            now = draw[i][other] = draw[other][i] = draw[i].get(other, 0.0) + more
            if now > 0:
                heapq.heappush(heap, (-now, min(i, other), max(i, other)))
    camps = list(range(len(near)))
    for node in range(len(near)):
        root = node
        while into[root] != root:
            root = into[root]
        camps[node] = root
    return camps


def packed_cycles(
    n: int, a: np.ndarray, b: np.ndarray, sign: np.ndarray, weights: np.ndarray
) -> tuple[float, list[tuple[int, ...]]]:
    """Guilty cycles that share no edge, each of which costs one change: a lower bound, and the edges of each.

    Each cycle is one negative edge and a shortest positive path between its ends, short ones first; with weights
    it takes the least weight on it away from all its edges. The bound holds for weak balance; for strong balance
    too, of the graph as given and of any switching of it.
    """
    near: list[dict[int, int]] = [{} for _ in range(n)]
    left = weights.astype(float).tolist()
    for edge in np.flatnonzero((sign > 0) & (weights > 0)).tolist():
        near[a[edge]][int(b[edge])] = edge
        near[b[edge]][int(a[edge])] = edge
    waiting = np.flatnonzero((sign < 0) & (weights > 0)).tolist()
    bound, cycles, reach = 0.0, [], 2
    while waiting:
        later = []
        for edge in waiting:
            while left[edge] > 1e-12:
                path, cut_short = shortest_path(near, int(a[edge]), int(b[edge]), reach)
                if path is None:
                    if cut_short:
                        later.append(edge)
                    break
                share = min(left[edge], *(left[step] for step in path))
                bound += share
                cycles.append(tuple(sorted([edge, *path])))
                for step in (edge, *path):
                    left[step] -= share
                    if left[step] <= 1e-12 and step != edge:
                        del near[a[step]][int(b[step])], near[b[step]][int(a[step])]
        waiting, reach = later, reach * 2
    return bound, cycles


def shortest_path(near: list[dict[int, int]], start: int, end: int, reach: int) -> tuple[list[int] | None, bool]:
    """The edges of a shortest path of at most `reach` edges, if any; whether longer ones remain untried."""
    came: dict[int, tuple[int, int]] = {start: (-1, -1)}
    frontier = [start]
    for _ in range(reach):
        following = []
        for node in frontier:
            for other, edge in near[node].items():
                if other in came:
                    continue
                came[other] = (node, edge)
                if other == end:
                    path = []
                    while other != start:
                        other, edge = came[other]
                        path.append(edge)
                    return path, False
                following.append(other)
        frontier = following
    return None, bool(frontier)
