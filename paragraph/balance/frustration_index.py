"""Frustration: the fewest edges to change for balance, and a proof that no fewer are enough."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from scipy import optimize

from ..graph.arrays import Array
from .cycles import UnbalancedCycles, unbalanced_blocks, with_few_negatives
from .local_search import LocalSearch
from .signed import SignedGraph, as_signed
from .verdict import balance, check_kind, fitting_camps, misfits

__all__ = ["Frustration", "frustration"]

METHOD = "covering of unbalanced cycles by cutting planes (HiGHS)"


@dataclass(frozen=True, eq=False)
class Frustration:
    """The distance of a signed graph from balance, with its evidence.

    Attributes
    ----------
    kind : str
        "strong" or "weak".
    value : int
        Edges to change: the frustration index, if `optimal`.
    bound : int
        No fewer are enough. Equal to `value` if `optimal`: that is the proof.
    optimal : bool
    edge_index : integer array
        The edges to change, as places in the graph's edges.
    camps : integer array (n,)
        The camp of each node after the changes, as in `balance`.
    method : str
        How it was found.
    """

    kind: str
    value: int
    bound: int
    optimal: bool
    edge_index: Array
    camps: Array
    method: str
    graph: SignedGraph

    @property
    def edges(self) -> list[tuple[Hashable, Hashable]]:
        """The edges to change, each by the names of its two nodes."""
        a = self.graph.named(self.graph.a[self.edge_index])
        b = self.graph.named(self.graph.b[self.edge_index])
        return list(zip(a, b, strict=True))

    def camp_of(self, name: Hashable) -> int:
        """Return the camp of a node, called by its name."""
        return int(self.camps[self.graph.index(name)])

    def __str__(self) -> str:
        known = f"{self.value}" if self.optimal else f"between {self.bound} and {self.value}"
        return f"{self.kind} frustration {known} of {self.graph.m:,} edges ({self.method})"


def frustration(
    graph: Any,
    kind: str = "strong",
    time_limit: float | None = 10,
    seed: int = 0,
) -> Frustration:
    """Find the fewest edges to change so that the graph is balanced: the frustration index.

    *Strong*: two camps (the line index of balance of Harary 1959, with Abelson and Rosenberg 1958). *Weak*: any
    number of camps (Davis 1967; correlation clustering, or multicut). Flipping and deleting need the same number of
    edges: a deleted edge can be put back with the sign that fits the camps, and a part of a balanced graph is
    balanced.

    Parameters
    ----------
    graph : ParaphraseGraph, networkx graph or SignedGraph
    kind : "strong" or "weak"
    time_limit : float or None
        Seconds after which the best edges found so far are returned with the best bound proved so far; `method` says
        so. Such a `value` may be far from the index (on 20,000 edges, twice as large): the index lies between `bound`
        and `value`. None: no limit, and a graph of thousands of nodes may take hours.
    seed : int
        For the local search.

    Notes
    -----
    NP-hard. Unbalanced cycles lie inside blocks (biconnected components), so each block is solved by itself, small
    ones first, as a covering of its unbalanced cycles; compare Aref, Mason and Wilson (2020) for strong balance, and
    Grötschel and Wakabayashi (1989) for weak. Random graphs of 40 nodes take less than a second at density .1; at .3,
    weak may take minutes.

    Examples
    --------
    Five that are all enemies of each other:

    >>> import networkx as nx
    >>> graph = nx.complete_graph(5)
    >>> nx.set_edge_attributes(graph, -1, "sign")
    >>> strong = frustration(graph)
    >>> print(strong)
    strong frustration 4 of 10 edges (covering of unbalanced cycles by cutting planes (HiGHS))
    >>> strong.value, strong.bound, strong.optimal, len(strong.edges)
    (4, 4, True, 4)
    >>> frustration(graph, "weak").value
    0
    """
    signed = as_signed(graph)
    check_kind(kind)
    deadline = np.inf if time_limit is None else perf_counter() + time_limit
    value = bound = 0
    change = np.zeros(signed.m, dtype=bool)
    for edges in unbalanced_blocks(signed, kind):
        block = signed.part(edges)
        camps, most, least = cover(block, kind, seed, deadline)
        value += most
        bound += least
        change[edges] = misfits(block, camps)
    edges = np.flatnonzero(change)
    camps = balance(signed.flipped(edges), kind).camps
    method = METHOD
    if value > bound and perf_counter() > deadline:
        method += f"; stopped after time_limit={time_limit} s"
    return Frustration(kind, value, bound, value == bound, edges, camps, method, signed)


# -- one block ---------------------------------------------------------------------------------------------


def cover(
    graph: SignedGraph, kind: str, seed: int = 0, deadline: float = np.inf
) -> tuple[Array, int, int]:
    """Find the camps of an unbalanced block with the fewest misfits, as a covering of its unbalanced cycles.

    Return the camps, their misfits, and a proved lower bound on the misfits of any camps.

    Let f be 1 for an edge that is changed and 0 for others:

        minimise  Σ f   subject to   Σ f over C ≥ 1  for every unbalanced cycle C.

    There are too many cycles to write down, so those that the present f violates are added until none is: first with
    0 ≤ f ≤ 1, which gives a bound, then with f = 0 or 1 (HiGHS). When the bound reaches the misfits of the best camps
    known, these are proved best. The first bound is that of unbalanced cycles that share no edge.
    """
    search = LocalSearch(graph, kind, seed)
    cycles = UnbalancedCycles(with_few_negatives(graph, search.best, kind), kind)
    # What is left of the time is shared, so that neither the bound nor the camps go without.
    bound = max(1, cycles.pack(_part(deadline, 1 / 3)))  # the block is unbalanced
    search.search(search.best, bound, 6, _part(deadline, 2 / 3))
    whole = False
    while cycles.known and bound < search.value:
        f, least = _minimise(cycles, whole, deadline)
        # by far more than rounding errors
        bound = int(max(bound, min(np.ceil(least - 1e-4), search.value)))
        if f is None:
            break
        kept = f < 0.5  # these edges suggest camps
        search.search(fitting_camps(graph.n, graph.a[kept], graph.b[kept], graph.sign[kept], kind))
        if perf_counter() > deadline or bound >= search.value:
            break
        if cycles.add_violated(f, deadline):
            continue
        if whole:
            break  # f covers all unbalanced cycles: it was as good as the bound, up to rounding
        search.search(search.best, bound, 60, deadline)  # before the slow part
        whole = True
    return search.best, search.value, bound


def _part(deadline: float, share: float) -> float:
    """The moment at which a share of the time to the deadline has gone."""
    now = perf_counter()
    return now + share * (deadline - now)


def _minimise(cycles: UnbalancedCycles, whole: bool, deadline: float) -> tuple[Array | None, float]:
    """Return the least f that covers the known cycles, and a lower bound on the sum of all such f.

    f is between 0 and 1, or one of the two if it must be whole; None if the time is up.
    """
    covering = optimize.LinearConstraint(cycles.matrix(), lb=1)
    options = {"mip_rel_gap": 0.0}
    if deadline < np.inf:
        options["time_limit"] = max(deadline - perf_counter(), 0.01)
    each = np.ones(cycles.graph.m)
    solution = optimize.milp(
        each, integrality=each * whole, bounds=(0, 1), constraints=covering, options=options
    )
    if solution.status == 0 and whole:
        return np.round(solution.x), solution.fun
    if solution.status == 0:
        return solution.x, solution.fun
    if solution.status != 1:
        raise RuntimeError(f"HiGHS gave up: {solution.message}")
    if solution.mip_dual_bound is None:
        return None, -np.inf
    return None, solution.mip_dual_bound
