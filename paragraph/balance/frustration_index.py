"""Frustration: the fewest edges to change for balance, and proof that none fewer do."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from ..pairs import PairsError
from .blocks import unbalanced_blocks
from .cycles import TOLERANCE, UnbalancedCycles, with_few_negatives
from .local_search import LocalSearch
from .signed import SignedGraph, as_signed
from .verdict import balance, check_kind, fitting_camps, misfits

__all__ = ["Frustration", "frustration", "multicut"]

METHODS = {
    "exact": "exact: covering of unbalanced cycles by cutting planes (HiGHS)",
    "heuristic": "heuristic: local search; bound by unbalanced cycles that share no edge",
}


@dataclass(frozen=True, eq=False)
class Frustration:
    """The distance of a signed graph from balance, and what shows it.

    Attributes
    ----------
    kind : str
        "strong" or "weak".
    value : int or float
        Edges to change (or the sum of their weights): the frustration index where `optimal`.
    bound : int or float
        No fewer will do. Equal to `value` where `optimal`: that is the proof.
    optimal : bool
    edge_index : integer array
        Which edges to change, as places in the graph's edges.
    camps : integer array (n,)
        The camp of each node once they are changed, as `balance` gives it.
    method : str
        How it was found.
    seconds : float
    """

    kind: str
    value: int | float
    bound: int | float
    optimal: bool
    edge_index: np.ndarray
    camps: np.ndarray
    method: str
    seconds: float
    graph: SignedGraph

    @property
    def edges(self) -> list[tuple[Hashable, Hashable]]:
        """The edges to change, each by the names of its two nodes."""
        a, b = (self.graph.named(ends[self.edge_index]) for ends in (self.graph.a, self.graph.b))
        return list(zip(a, b, strict=True))

    @property
    def changed(self) -> SignedGraph:
        """The graph with these edges flipped; it is balanced."""
        return self.graph.flipped(self.edge_index)

    def camp_of(self, name: Hashable) -> int:
        """Return the camp of a node, called by its name."""
        return int(self.camps[self.graph.index(name)])

    def __str__(self) -> str:
        known = f"{self.value:g}" if self.optimal else f"between {self.bound:g} and {self.value:g}"
        return f"{self.kind} frustration {known} of {self.graph.m:,} edges ({self.method})"


def frustration(
    graph: Any,
    kind: str = "strong",
    time_limit: float | None = None,
    method: str = "exact",
    weights: np.ndarray | None = None,
    seed: int = 0,
) -> Frustration:
    """Find the fewest edges to change so that the graph is balanced: the frustration index.

    *Strong*: two camps (the line index of balance of Harary 1959, with Abelson and Rosenberg 1958). *Weak*: any
    number of camps (Davis 1967; correlation clustering, or multicut). It does not matter whether to change means
    to flip or to delete:

    - Edges whose deletion balances the graph leave camps behind. Put back flipped, those of them that did not fit
      the camps now do; those that did need no change. So flipping takes no more edges than deleting.
    - Edges whose flipping balances the graph, taken out of the balanced result, leave part of a balanced graph,
      which is balanced. So deleting takes no more edges than flipping.

    Parameters
    ----------
    graph : ParaphraseGraph, networkx graph or SignedGraph
    kind : "strong" or "weak"
    time_limit : float, optional
        Seconds after which the best edges found so far are returned with the best bound proved so far.
    method : "exact" or "heuristic"
        The heuristic is local search; its bound counts unbalanced cycles of which no two share an edge.
    weights : array, optional
        What it costs to change each edge, in the order of the graph's edges; not negative. Default: 1 each.
    seed : int
        For the local search.

    Notes
    -----
    NP-hard. Unbalanced cycles lie inside blocks (biconnected components), so each block is solved by itself, small
    ones first; `cover` says how. The model covers all unbalanced cycles; compare the AND, XOR and ABS models of Aref,
    Mason and Wilson (2020) for strong, and Grötschel and Wakabayashi (1989) for weak balance.
    Random graphs of 40 nodes take less than a second at density .1; at .3, weak may take minutes.

    Examples
    --------
    Five that are all enemies of each other:

    >>> import networkx as nx
    >>> graph = nx.complete_graph(5)
    >>> nx.set_edge_attributes(graph, -1, "sign")
    >>> strong = frustration(graph)
    >>> print(strong)
    strong frustration 4 of 10 edges (exact: covering of unbalanced cycles by cutting planes (HiGHS))
    >>> strong.value, strong.bound, strong.optimal, len(strong.edges)
    (4, 4, True, 4)
    >>> frustration(graph, "weak").value
    0
    """
    began = perf_counter()
    signed = as_signed(graph)
    check_kind(kind)
    if method not in tuple(METHODS):
        raise PairsError(f"method={method!r} is not one of 'exact', 'heuristic'")
    weights = _checked(weights, signed.m)
    deadline = np.inf if time_limit is None else began + time_limit
    value = bound = 0.0
    optimal, change = True, np.zeros(signed.m, dtype=bool)
    tangles = unbalanced_blocks(signed, kind)
    for i, edges in enumerate(tangles):
        block = signed.part(edges)
        now = perf_counter()
        share = now + max(deadline - now, 0) / (len(tangles) - i)  # what a block leaves over goes to later ones
        found = cover(block, weights[edges], kind, method == "exact", seed, share)
        value, bound = value + found.value, bound + found.bound
        optimal &= found.value == found.bound
        change[edges] = misfits(block, found.camps)
    if (weights == np.round(weights)).all():
        value, bound = round(value), round(bound)
    edges = np.flatnonzero(change)
    camps = balance(signed.flipped(edges), kind).camps
    return Frustration(kind, value, bound, optimal, edges, camps, METHODS[method], perf_counter() - began, signed)


def multicut(
    n: int,
    a: np.ndarray,
    b: np.ndarray,
    sign: np.ndarray,
    weights: np.ndarray | None = None,
    time_limit: float | None = None,
) -> Frustration:
    """Find the partition into camps that the edges contradict least: weak frustration of arrays.

    With the log-odds of every label as its weight, this is the most probable weakly balanced labelling.

    Examples
    --------
    A positive path 0 – 1 – 2 and a negative 0 – 2: the weakest of the three labels gives way.

    >>> found = multicut(3, [0, 1, 0], [1, 2, 2], [1, 1, -1], [3.0, 0.5, 2.0])
    >>> found.edges, found.value, found.camps
    ([(1, 2)], 0.5, array([0, 0, 1]))
    """
    return frustration(SignedGraph.from_arrays(n, a, b, sign), "weak", time_limit, weights=weights)


def _checked(weights: np.ndarray | None, m: int) -> np.ndarray:
    if weights is None:
        return np.ones(m)
    weights = np.asarray(weights, dtype=float)
    if weights.shape != (m,):
        raise PairsError(f"weights has shape {weights.shape}, but the graph has {m} edges")
    if not (np.isfinite(weights) & (weights >= 0)).all():
        wrong = int(np.argmin(np.isfinite(weights) & (weights >= 0)))
        raise PairsError(f"weights[{wrong}] is {weights[wrong]}; weights are finite and not negative")
    return weights


# -- one block ---------------------------------------------------------------------------------------------


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
    """Find the least costly camps of a connected graph, as a covering of its unbalanced cycles.

    Let f be 1 for an edge that is changed and 0 for others:

        minimise  Σ weight · f   subject to   Σ f over C ≥ 1  for every unbalanced cycle C.

    Delete the edges with f = 1, and no unbalanced cycle is left. There are too many cycles to write down, so those
    that the present f violates are added until none is: first with 0 ≤ f ≤ 1, which gives a bound, then with
    f = 0 or 1 (HiGHS, through `scipy.optimize.milp`). Whenever the bound, rounded up where weights are whole
    numbers, reaches the cost of the best camps known, these are proved best.

    With ``exact=False``, or past the `deadline`, the bound is that of unbalanced cycles that share no edge.
    """
    search = LocalSearch(graph, weights, kind, seed)
    cycles = UnbalancedCycles(with_few_negatives(graph, search.best, kind), kind)
    whole_numbers = bool((weights == np.round(weights)).all())

    def raised(bound: float, least: float) -> float:
        """Return the better of two bounds; round up whole costs (by far more than rounding errors)."""
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
            kept = f < 0.5  # these edges suggest camps
            search.improve(fitting_camps(graph.n, graph.a[kept], graph.b[kept], graph.sign[kept], kind))
    return Cover(search.best, search.value, search.value if proved() else bound)


def _minimise(
    weights: np.ndarray, cycles: UnbalancedCycles, to_beat: float | None, deadline: float
) -> tuple[np.ndarray | None, float]:
    """Return f of least cost that covers the known cycles, and a lower bound on the cost of all such f.

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
