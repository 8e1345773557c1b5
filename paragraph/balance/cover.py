"""Cover every guilty cycle of a block at least cost: camps, and a proof that none cost less."""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

import numpy as np

from .descent import good_camps, misfits, packed_cycles
from .guilty import TOLERANCE, GuiltyCycles
from .signed import connected

__all__ = ["Cover", "cover"]


class Cover(NamedTuple):
    """Camps of a block, what they cost, and a proved lower bound on what any camps cost."""

    camps: np.ndarray
    value: float
    bound: float


def cover(
    n: int,
    a: np.ndarray,
    b: np.ndarray,
    sign: np.ndarray,
    weights: np.ndarray,
    kind: str,
    exact: bool = True,
    seed: int = 0,
    deadline: float = np.inf,
) -> Cover:
    """The least costly camps of a connected graph, as a covering of its guilty cycles.

    Let f be 1 for an edge that is changed and 0 for others:

        minimise  Σ weight · f   subject to   Σ f over C ≥ 1  for every guilty cycle C.

    Delete the edges with f = 1, and no guilty cycle is left. There are too many cycles to write down, so those
    that the present f violates are added until none is: first with 0 ≤ f ≤ 1, which gives a bound, then with
    f = 0 or 1 (HiGHS, through `scipy.optimize.milp`). Whenever the bound, rounded up where weights are whole
    numbers, reaches the cost of the best camps known, these are proved best.

    With ``exact=False``, or past the `deadline`, the bound is that of guilty cycles that share no edge.
    """

    def search(start: np.ndarray | None, enough: float, patience: int) -> np.ndarray:
        return good_camps(n, a, b, sign, weights, kind, seed, start, enough, deadline, patience)

    camps = search(None, np.inf, 0)
    bound, packed = packed_cycles(n, a, b, _switched(sign, camps, a, b, kind), weights)
    camps = search(camps, bound, 6 if exact else 60)
    best = _Best(a, b, sign, weights, camps, bound)
    if not exact or best.proved:
        return best.cover()
    # Switching leaves strong guilt as it is, and by good camps it leaves few negatives to start a search from.
    cycles = GuiltyCycles(n, a, b, _switched(sign, camps, a, b, kind), kind)
    cycles.known.update(dict.fromkeys(packed))
    f = _minimise(weights, cycles, None, deadline)[0] if packed else np.zeros(len(a))
    whole = False
    while f is not None and perf_counter() < deadline:
        if not cycles.add_violated(f, deadline) and perf_counter() < deadline:
            if whole:
                break  # f covers all guilty cycles: it was as good as the bound, up to rounding
            whole = True
            best.improve(search(best.camps, best.bound, 60))  # before the slow part
            if best.proved:
                break
        f, least = _minimise(weights, cycles, best.to_beat if whole else None, deadline)
        best.raise_bound(least)
        if f is not None:
            best.improve(search(_kept_together(n, a, b, sign, f, kind), np.inf, 0))
        if best.proved:
            break
    return best.cover()


class _Best:
    """The best camps known, and the best bound."""

    def __init__(
        self, a: np.ndarray, b: np.ndarray, sign: np.ndarray, weights: np.ndarray, camps: np.ndarray, bound: float
    ):
        self.a, self.b, self.sign, self.weights = a, b, sign, weights
        self.whole_numbers = bool((weights == np.round(weights)).all())
        self.camps, self.value, self.bound = camps, self.cost(camps), 0.0
        self.raise_bound(bound)

    def cost(self, camps: np.ndarray) -> float:
        return float(self.weights[misfits(camps, self.a, self.b, self.sign)].sum())

    def improve(self, camps: np.ndarray) -> None:
        if (cost := self.cost(camps)) < self.value:
            self.camps, self.value = camps, cost

    def raise_bound(self, bound: float) -> None:
        if self.whole_numbers:
            bound = np.ceil(bound - 1e-4)  # far more than the solver's tolerance
        self.bound = float(min(max(bound, self.bound), self.value))

    @property
    def proved(self) -> bool:
        return self.value - self.bound <= TOLERANCE * max(1.0, self.value)

    @property
    def to_beat(self) -> float:
        """A cost that better camps do not exceed."""
        return self.value - 0.5 if self.whole_numbers else self.value

    def cover(self) -> Cover:
        return Cover(self.camps, self.value, self.value if self.proved else self.bound)


def _switched(sign: np.ndarray, camps: np.ndarray, a: np.ndarray, b: np.ndarray, kind: str) -> np.ndarray:
    """For strong balance, signs with one camp switched: the edges that do not fit are the negatives that are left."""
    return sign if kind == "weak" else np.where(misfits(camps, a, b, sign), -1, 1)


def _kept_together(n: int, a: np.ndarray, b: np.ndarray, sign: np.ndarray, f: np.ndarray, kind: str) -> np.ndarray:
    """Camps that the edges with f < 1/2 suggest, to start a local search from."""
    kept = f < 0.5
    if kind == "weak":
        kept &= sign > 0
        return connected(n, a[kept], b[kept])
    a, b, across = a[kept], b[kept], np.where(sign[kept] < 0, n, 0)
    part = connected(2 * n, np.concatenate([a, a + n]), np.concatenate([b + across, b + n - across]))
    return (part[:n] > part[n:]).astype(np.int64)


def _minimise(
    weights: np.ndarray, cycles: GuiltyCycles, to_beat: float | None, deadline: float
) -> tuple[np.ndarray | None, float]:
    """f of least cost that covers the known cycles, and a lower bound on the cost of all such f.

    f is 0 or 1 where there is a cost `to_beat`, else between the two; None where nothing costs as little, or where
    the time is up.
    """
    from scipy.optimize import LinearConstraint, milp

    constraints = [LinearConstraint(cycles.matrix(), lb=1)]
    if to_beat is not None:
        constraints.append(LinearConstraint(weights[None, :], ub=to_beat))
    options = {"mip_rel_gap": 0.0}
    if deadline < np.inf:
        options["time_limit"] = max(deadline - perf_counter(), 0.01)
    found = milp(
        weights,
        integrality=np.full(len(weights), int(to_beat is not None)),
        bounds=(0, 1),
        constraints=constraints,
        options=options,
    )
    if found.status == 0:
        return (found.x if to_beat is None else np.round(found.x)), found.fun
    if found.status == 2 and to_beat is not None:
        return None, np.inf  # nothing beats the best camps known, so they are the best there are
    if found.status == 1:
        dual = None if to_beat is None else found.mip_dual_bound
        return None, -np.inf if dual is None else min(dual, to_beat)
    raise RuntimeError(f"HiGHS gave up: {found.message}")
