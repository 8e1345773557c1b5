"""Cover every unbalanced cycle of a block at least cost: camps, and a proof that none cost less."""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

import numpy as np

from .local_search import LocalSearch
from .signed import SignedGraph
from .unbalanced import TOLERANCE, UnbalancedCycles
from .verdict import fitting_camps, misfits

__all__ = ["Cover", "cover"]


class Cover(NamedTuple):
    """Camps of a block, what they cost, and a proved lower bound on what any camps cost."""

    camps: np.ndarray
    value: float
    bound: float


def cover(
    graph: SignedGraph,
    weights: np.ndarray,
    kind: str,
    exact: bool = True,
    seed: int = 0,
    deadline: float = np.inf,
) -> Cover:
    """The least costly camps of a connected graph, as a covering of its unbalanced cycles.

    Let f be 1 for an edge that is changed and 0 for others:

        minimise  Σ weight · f   subject to   Σ f over C ≥ 1  for every unbalanced cycle C.

    Delete the edges with f = 1, and no unbalanced cycle is left. There are too many cycles to write down, so those
    that the present f violates are added until none is: first with 0 ≤ f ≤ 1, which gives a bound, then with
    f = 0 or 1 (HiGHS, through `scipy.optimize.milp`). Whenever the bound, rounded up where weights are whole
    numbers, reaches the cost of the best camps known, these are proved best.

    With ``exact=False``, or past the `deadline`, the bound is that of unbalanced cycles that share no edge.
    """
    search = LocalSearch(graph, weights, kind, seed)
    # Switching leaves strong balance as it is, and by good camps it leaves few negatives to start a search from.
    switched = graph if kind == "weak" else graph.with_sign(np.where(misfits(graph, search.best), -1, 1))
    cycles = UnbalancedCycles(switched, kind)
    whole_numbers = bool((weights == np.round(weights)).all())

    def raised(bound: float, least: float) -> float:
        """The better of two bounds, rounded up where costs are whole numbers (by far more than rounding errors)."""
        return max(bound, float(min(np.ceil(least - 1e-4) if whole_numbers else least, search.value)))

    def proved() -> bool:
        return search.value - bound <= TOLERANCE * max(1.0, search.value)

    bound = raised(0.0, cycles.pack(weights))
    search.improve(search.best, bound, 6 if exact else 60, deadline)
    f = _minimise(weights, cycles, None, deadline)[0] if exact and not proved() else None
    whole = False
    while f is not None and not proved() and perf_counter() < deadline:
        if not cycles.add_violated(f, deadline) and perf_counter() < deadline:
            if whole:
                break  # f covers all unbalanced cycles: it was as good as the bound, up to rounding
            search.improve(search.best, bound, 60, deadline)  # before the slow part
            if proved():
                break
            whole = True
        to_beat = search.value - 0.5 * whole_numbers  # better camps do not cost more
        f, least = _minimise(weights, cycles, to_beat if whole else None, deadline)
        bound = raised(bound, least)
        if f is not None:
            search.improve(fitting_camps(graph, f < 0.5, kind))  # the edges that f keeps suggest them
    return Cover(search.best, search.value, search.value if proved() else bound)


def _minimise(
    weights: np.ndarray, cycles: UnbalancedCycles, to_beat: float | None, deadline: float
) -> tuple[np.ndarray | None, float]:
    """f of least cost that covers the known cycles, and a lower bound on the cost of all such f.

    f is 0 or 1 where there is a cost `to_beat`, else between the two; None where nothing costs as little, or where
    the time is up.
    """
    from scipy.optimize import LinearConstraint, milp

    if not cycles.known:
        return np.zeros(len(weights)), 0.0
    constraints = [LinearConstraint(cycles.matrix(), lb=1)]
    if to_beat is not None:
        constraints.append(LinearConstraint(weights[None, :], ub=to_beat))
    options = {"mip_rel_gap": 0.0}
    if deadline < np.inf:
        options["time_limit"] = max(deadline - perf_counter(), 0.01)
    integrality = np.full(len(weights), int(to_beat is not None))
    found = milp(weights, integrality=integrality, bounds=(0, 1), constraints=constraints, options=options)
    if found.status == 0:
        return (found.x if to_beat is None else np.round(found.x)), found.fun
    if found.status == 2 and to_beat is not None:
        return None, np.inf  # nothing beats the best camps known, so they are the best there are
    if found.status == 1:
        dual = None if to_beat is None else found.mip_dual_bound
        return None, -np.inf if dual is None else min(dual, to_beat)
    raise RuntimeError(f"HiGHS gave up: {found.message}")
