"""Labellings of a large block: what holds together firmly becomes one node, and the rest is summed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .frustration import multicut
from .partitions import connected_partitions

__all__ = ["Contracted", "contracted", "supernodes"]

#: Log-odds from which the cheap estimate of a joined edge stands.
FIRM = 7.0
#: Nodes left by contraction.
KEEP = 9
#: Seconds for the proof that a labelling is the most probable.
PATIENCE = 20.0


class Contracted(NamedTuple):
    """What is found of one block; arrays have an entry for each of its edges."""

    log_odds: np.ndarray  #: that the edge is joined, given all
    best: np.ndarray  #: int8, the most probable labelling, +1 joined, -1 cut
    gap: np.ndarray  #: how much less probable (log) the best labelling found is that has the edge otherwise
    log_sum: float  #: log-sum over the labellings that were looked at: a lower bound
    proved: bool  #: whether `best` is proved the most probable


def contracted(n: int, a: np.ndarray, b: np.ndarray, weight: np.ndarray) -> Contracted:
    """Estimates of marginals for a connected graph too large for `connected_partitions`.

    The best labelling comes from `multicut`. An edge that it joins may be cut by either end leaving its camp alone,
    or by a division of the camp contracted to `KEEP` nodes (see `supernodes`): the lesser estimate stands where it
    says log-odds of `FIRM` or more. Around every other edge the whole graph is contracted to `KEEP` nodes, of which
    its ends are two, and their labellings are summed exactly.

    Each looks at a part of all labellings, so the log-odds are rather too sure than too modest.

    Parameters
    ----------
    weight : float array
        Log-odds of each edge by its own evidence.

    Examples
    --------
    A ring of 16 with one negative label: any one of the 15 others may be wrong instead.

    >>> ring = np.arange(16)
    >>> found = contracted(16, ring, (ring + 1) % 16, np.where(ring < 15, 3.0, -3.0))
    >>> found.proved, found.best[15], found.log_odds[15].round(1)  # exact: -2.3
    (True, np.int8(-1), np.float64(-2.2))
    """
    sign = np.where(weight >= 0, 1, -1).astype(np.int8)
    solved = multicut(n, a, b, sign, np.abs(weight), PATIENCE)
    best, camps = solved.changed.sign.copy(), solved.camps
    dense, adjacent = np.zeros((n, n)), np.zeros((n, n), dtype=bool)
    dense[a, b] = dense[b, a] = weight
    adjacent[a, b] = adjacent[b, a] = True

    hold = (dense * (camps[:, None] == camps)).sum(axis=1)  # what keeps each node in its camp
    log_odds, gap = -np.logaddexp(-hold[a], -hold[b]), np.minimum(hold[a], hold[b])
    for camp in np.flatnonzero(np.bincount(camps) > 2):
        inside = np.flatnonzero(camps == camp)
        group = np.full(n, -1)
        group[inside] = supernodes(dense[np.ix_(inside, inside)], adjacent[np.ix_(inside, inside)], KEEP)
        found = connected_partitions(*(stack[None] for stack in _reduced(dense, adjacent, group)))
        between = np.flatnonzero((camps[a] == camp) & (camps[b] == camp) & (group[a] != group[b]))
        i, j = group[a[between]], group[b[between]]
        log_odds[between] = np.minimum(log_odds[between], (found.log_joined - found.log_apart)[0, i, j])
        gap[between] = np.minimum(gap[between], (found.best_joined - found.best_apart)[0, i, j])

    most = float(weight[best > 0].sum())
    log_sum = most
    reduced: dict[int, list[tuple]] = {}
    for edge in np.flatnonzero((best < 0) | (log_odds < FIRM)).tolist():
        group = supernodes(dense, adjacent, KEEP, camps, (int(a[edge]), int(b[edge])))
        weights, near = _reduced(dense, adjacent, group)
        fixed = most - float(weight[(best > 0) & (group[a] != group[b])].sum())  # what no longer varies
        reduced.setdefault(len(near), []).append((edge, weights, near, fixed))
    for same in reduced.values():
        for at in range(0, len(same), 100):
            edges, weights, near, fixed = zip(*same[at : at + 100], strict=True)
            found = connected_partitions(np.stack(weights), np.stack(near))
            log_odds[list(edges)] = (found.log_joined - found.log_apart)[:, 0, 1]
            gap[list(edges)] = np.abs(found.best_joined - found.best_apart)[:, 0, 1]
            log_sum = max(log_sum, float((found.log_sum + fixed).max()))
    return Contracted(log_odds, best, gap, log_sum, solved.optimal)


def supernodes(
    weights: np.ndarray,
    adjacent: np.ndarray,
    keep: int,
    camps: np.ndarray | None = None,
    single: tuple[int, ...] = (),
) -> np.ndarray:
    """The group of each node once all but `keep` groups are merged or left out (-1).

    Two adjacent groups of one camp merge, those with the greatest weight between them first (greedy additive edge
    contraction, Keuper et al. 2015); the nodes in `single` stay by themselves, as groups 0, 1, …. Where camps alone
    are too many, those with the strongest ties to what is kept stay, and the others are taken to keep apart.

    Examples
    --------
    Two triangles that one weak edge joins:

    >>> weights = np.zeros((6, 6))
    >>> for i, j in [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)]:
    ...     weights[i, j] = weights[j, i] = 1 if (i, j) == (2, 3) else 2
    >>> supernodes(weights, weights > 0, 2), supernodes(weights, weights > 0, 4, single=(2, 3))
    (array([0, 0, 0, 1, 1, 1]), array([2, 2, 0, 1, 3, 3]))
    """
    n = len(weights)
    weights, adjacent = weights.copy(), adjacent.copy()
    camps = np.zeros(n, dtype=np.int64) if camps is None else camps
    free = np.ones(n, dtype=bool)
    free[list(single)] = False
    value = np.where(adjacent & (camps[:, None] == camps) & free[:, None] & free, weights, -np.inf)
    into = np.arange(n)
    for _ in range(n - keep):
        i, j = divmod(int(value.argmax()), n)
        if value[i, j] == -np.inf:
            break
        into[into == j] = i
        free[j] = False
        weights[i] += weights[j]
        weights[:, i] = weights[i]
        adjacent[i] |= adjacent[j]
        adjacent[i, [i, j]] = False
        adjacent[:, i] = adjacent[i]
        value[j] = value[:, j] = -np.inf
        value[i] = value[:, i] = np.where(adjacent[i] & free & (camps == camps[i]), weights[i], -np.inf)
    chosen, others = list(single), np.setdiff1d(into, single).tolist()
    ties = np.abs(np.where(adjacent, weights, 0))
    tie = ties[:, chosen].sum(axis=1)
    while others and len(chosen) < keep:
        nearest = max(others, key=lambda i: (tie[i], -i))
        chosen.append(nearest)
        others.remove(nearest)
        tie += ties[:, nearest]
    place = np.full(n, -1)
    place[chosen] = np.arange(len(chosen))
    return place[into]


def _reduced(dense: np.ndarray, adjacent: np.ndarray, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights and adjacency between groups."""
    kept = np.flatnonzero(group >= 0)
    member = np.zeros((int(group.max()) + 1, len(group)))
    member[group[kept], kept] = 1
    near = member @ adjacent @ member.T > 0
    np.fill_diagonal(near, False)
    return member @ dense @ member.T, near
