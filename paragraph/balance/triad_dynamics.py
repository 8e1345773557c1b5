"""Dynamics that turn the edges of unbalanced triads (Antal, Krapivsky and Redner 2005)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..files import PairsError
from ..graph.arrays import Array, group
from .signed import SignedGraph, as_signed
from .triangles import Triad, all_triads, triads_of

__all__ = ["Dynamics", "Step", "dynamics"]


class Step(NamedTuple):
    """A change of one sign."""

    edge: tuple[Hashable, Hashable]
    sign: int  #: of the edge, after the step
    triad: Triad  #: the unbalanced triad that was chosen, as it was before
    balanced_share: float  #: of all triads, after the step


class Dynamics:
    """A run of triad dynamics, which continues as far as it is iterated (Antal, Krapivsky and Redner 2005).

    A triad is unbalanced where one or three of its edges are negative (strong balance). Each step draws one of the
    unbalanced triads and changes the sign of one of its edges.

    - *local*: in a `++-`, with probability `p` the negative edge becomes positive, else one of the two
      positive ones becomes negative; in a `---`, any edge becomes positive. Other triads of the edge do not matter.
    - *constrained*: any edge of the triad, but it changes only where the number of unbalanced triads
      falls, and with probability 1/2 where it stays the same; so it never rises. The run may end *jammed*, unbalanced
      but with no edge that may change.

    Parameters
    ----------
    graph : ParaphraseGraph, networkx graph or SignedGraph
    steps : int or None
        The most steps to take; None: until no triad is unbalanced, or the run is jammed. A local run on many nodes
        with p < 1/2 takes exponentially long, so set a limit.
    seed : int
        The same seed gives the same run.

    Attributes
    ----------
    history : list of Step
        The steps so far.
    graph : SignedGraph
        The graph after them.
    unbalanced : int
        Its number of unbalanced triads.
    balanced_share : float
        Its share of balanced triads; NaN where there are no triads.
    balanced_shares : list of float
        The share at the start and after each step of the history.

    Notes
    -----
    The rules are defined on complete graphs. On others, only the triads that are present take part. Longer cycles do
    not, so a run may end with balanced triads in an unbalanced graph. Memory is proportional to the number of triads;
    a step takes linear time in it.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.complete_graph(5)
    >>> nx.set_edge_attributes(graph, -1, "sign")
    >>> run = dynamics(graph, "constrained", seed=1)
    >>> len(list(run)), run.unbalanced
    (4, 0)
    >>> run.history[0].edge, run.history[0].sign
    ((1, 3), 1)
    """

    def __init__(
        self,
        graph: Any,
        rule: str = "local",
        p: float = 0.5,
        steps: int | None = None,
        seed: int = 0,
    ):
        if rule not in ("local", "constrained"):
            raise PairsError(f"rule={rule!r} is not one of 'local', 'constrained'")
        if not 0 <= p <= 1:
            raise PairsError(f"p={p!r} is not between 0 and 1")
        self.rule = rule
        self.p = p
        self.steps = steps
        self._start = as_signed(graph)
        self._sign = self._start.sign.copy()
        self._edges = all_triads(self._start)
        self._product = self._sign[self._edges].prod(axis=1, dtype=np.int8)
        self._of_edge = group(self._edges.ravel(), self._start.m)
        self._on_edge = np.diff(self._of_edge[0])  # triads of each edge
        self._rng = np.random.default_rng(seed)
        self.history: list[Step] = []
        self.balanced_shares = [self.balanced_share]

    @property
    def graph(self) -> SignedGraph:
        return self._start.with_sign(self._sign.copy())

    @property
    def unbalanced(self) -> int:
        return int(np.count_nonzero(self._product < 0))

    @property
    def balanced_share(self) -> float:
        if not len(self._edges):
            return float("nan")
        return 1 - self.unbalanced / len(self._edges)

    def __iter__(self) -> Iterator[Step]:
        """Yield steps until the graph is balanced or jammed, or all `steps` have been taken."""
        choose = self._choose_local if self.rule == "local" else self._choose_constrained
        starts, places = self._of_edge
        while self.steps is None or len(self.history) < self.steps:
            unbalanced = np.flatnonzero(self._product < 0)
            chosen = choose(unbalanced) if len(unbalanced) else None
            if chosen is None:
                return
            triad, edge = chosen
            (before,) = triads_of(self.graph, self._edges[[triad]])
            self._sign[edge] *= -1
            triads = places[starts[edge] : starts[edge + 1]] // 3
            self._product[triads] *= -1
            ends = self._start.named([self._start.a[edge], self._start.b[edge]])
            sign = int(self._sign[edge])
            step = Step(tuple(ends), sign, before, self.balanced_share)
            self.balanced_shares.append(step.balanced_share)
            self.history.append(step)
            yield step

    def _choose_local(self, unbalanced: Array) -> tuple[int, int]:
        """Draw one of the unbalanced triads, and the edge of it to change."""
        triad = int(self._rng.choice(unbalanced))
        edges = self._edges[triad]
        negative = self._sign[edges] < 0
        heal = negative.all() or self._rng.random() < self.p
        return triad, int(self._rng.choice(edges[negative == heal]))

    def _choose_constrained(self, unbalanced: Array) -> tuple[int, int] | None:
        """Draw one of the unbalanced triads, and the edge of it to change; None where no edge may.

        Instead of drawing until an edge is accepted, draw among the acceptable edges, with the same odds.
        """
        triads = self._edges[unbalanced]
        in_unbalanced = np.bincount(triads.ravel(), minlength=self._start.m)
        change = self._on_edge - 2 * in_unbalanced  # in the number of unbalanced triads
        chance = np.select([change < 0, change == 0], [1.0, 0.5], 0.0)
        weight = in_unbalanced * chance
        if not weight.any():
            return None
        edge = int(self._rng.choice(len(weight), p=weight / weight.sum()))
        around = (triads == edge).any(axis=1)
        return int(self._rng.choice(unbalanced[around])), edge


#: The same as a verb: ``dynamics(graph)`` starts a run.
dynamics = Dynamics
