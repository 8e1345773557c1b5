"""The table of the Triad Lab: a signed graph with its verdicts, and what changes it, by hand or by dynamics."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from string import ascii_uppercase
from typing import Any

import networkx as nx
import numpy as np

from ...balance import KINDS, Balance, Dynamics, as_signed, balance, dynamics, presets, shortest_unbalanced_cycle
from ...draw.layout import layout
from ...graph import ParaphraseGraph
from ...pairs import PairsError

__all__ = ["SPACING", "Board", "starts"]

SPACING = 150  # pixels between neighbouring nodes
MOST = 40  # nodes at most
PLAYED = 200  # steps at most

STILL = "Nothing moves any more: every triad is balanced, or each change would make it worse."
NO_TRIAD = "Nothing moves: dynamics turns edges of triads, and this graph has no triad."


def starts() -> dict[str, Callable[[], nx.Graph]]:
    """Return what the lab can begin with, by name: functions that make a signed networkx graph."""
    return (
        {"the four triads": _four_triads}
        | {f"triad {kind}": partial(presets.triad, kind) for kind in KINDS}
        | {name: partial(presets.classic, name) for name in presets.CLASSICS}
        | {"two camps": presets.two_camps, "three camps": presets.three_camps, "jammed": presets.jammed}
        | {"highland tribes": presets.tribes}
        | {f"Europe {year}": partial(presets.europe, year) for year in presets.EUROPE}
    )


def _four_triads() -> nx.Graph:
    """Return the four signed triads side by side."""
    graph = nx.Graph(source="Chen, Ji and Evans 2020, Figure 1")
    for number, kind in enumerate(("+++", "+--", "---", "++-"), 1):
        signs = presets.triad(kind).edges(data="sign")
        graph.add_edges_from((f"{a}{number}", f"{b}{number}", {"sign": sign}) for a, b, sign in signs)
    return graph


class Board:
    """A signed graph on a table.

    Attributes
    ----------
    graph : networkx.Graph
    name, message : str
        What the graph is called, and what is said of it or of the last change.
    verdicts : dict
        ``{"strong": Balance, "weak": Balance}``, with a shortest unbalanced cycle where there is one.
    history : list of dict
        The changes since the graph was laid.
    spots : dict
        Where each node is: [x, y] in pixels.
    scene : int
        Another number for other nodes.
    dynamics : Dynamics or None
        The run that is being played, by `rule`.
    hidden, votes
        Is the verdict hidden, and what has the class voted for so far?
    removes : bool
        Does a click on a negative edge remove it?
    """

    def __init__(self, seed: int = 0):
        self.seed, self.starts, self.scene = seed, starts(), 0
        self.rule, self.hidden, self.removes = "local", False, False
        self.votes: dict[tuple[str, str], int] = {}

    def lay(self, graph: Any, cluster: int | None = None) -> None:
        """Put a start (by name), a signed graph, or a cluster of a dataset on the table."""
        name = "your own"
        if isinstance(graph, str):
            if graph not in self.starts:
                raise PairsError(f"no start is called {graph!r}; there are: {', '.join(self.starts)}")
            name, graph = graph, self.starts[graph]()
        elif isinstance(graph, ParaphraseGraph):
            if cluster is None:
                raise PairsError("say which cluster of the data: TriadLab(graph, cluster=3)")
            if (size := len(graph.members(cluster))) > MOST:
                raise PairsError(f"cluster {cluster} has {size} sentences, more than {MOST} on one table")
            name, graph = f"cluster {cluster}", graph.to_networkx(cluster=cluster)
        n = as_signed(graph).n
        if n > MOST:
            raise PairsError(f"{n} nodes are more than {MOST} on one table")
        self.name, self.graph = name, nx.Graph(graph)
        self.message = str(self.graph.graph.get("source", ""))
        self.history, self._before = [], []
        self._number = {node: i for i, node in enumerate(self.graph)}
        edges = [(self._number[a], self._number[b]) for a, b in self.graph.edges]
        if edges:
            places = layout(n, edges, self.seed)
        else:  # on a circle: no line will pass a node that it does not join
            places = np.array([*nx.circular_layout(self.graph, scale=max(1, n / 4)).values()]).reshape(-1, 2)
        self.spots = dict(zip(self.graph, (places * [SPACING, -SPACING]).round(1).tolist(), strict=True))
        self.scene += 1
        self._changed()

    def _changed(self, keep_dynamics: bool = False) -> None:
        if not keep_dynamics:
            self.dynamics: Dynamics | None = None
            self.votes = {}
        signed = as_signed(self.graph)
        self.verdicts = {}
        for kind in ("strong", "weak"):  # the table is small enough for a shortest cycle
            verdict = balance(signed, kind)
            self.verdicts[kind] = verdict or replace(verdict, cycle=shortest_unbalanced_cycle(signed, kind))

    @property
    def unbalanced(self) -> Balance | None:
        """The verdict that shows an unbalanced cycle, the weak one first."""
        return next((self.verdicts[kind] for kind in ("weak", "strong") if not self.verdicts[kind]), None)

    # -- nodes -----------------------------------------------------------------------------------------------

    def text(self, node: Any) -> str:
        """Return the sentence of a node, else its name."""
        return str(self.graph.nodes[node].get("text", node))

    def key(self, node: Any) -> str:
        """Return what pages call a node."""
        return f"n{self._number[node]}"

    def nodes(self, keys: Iterable[str]) -> list[Any]:
        """Return the nodes of some keys, each once; keys of nodes that are gone are left out."""
        found = {self.key(node): node for node in self.graph}
        return [found[key] for key in dict.fromkeys(keys) if key in found]

    # -- by hand -----------------------------------------------------------------------------------------------

    def set_sign(self, a: Any, b: Any, sign: int) -> None:
        """Give an edge a sign, +1 or -1; 0 removes it. An edge that was not there is added."""
        if sign not in (1, -1, 0):
            raise PairsError(f"sign {sign!r} is not one of 1, -1, 0")
        for node in (a, b):
            if node not in self.graph:
                raise PairsError(f"{node!r} is not on the table")
        if a == b:
            raise PairsError("a node has no edge to itself")
        self._put(a, b, sign)
        self.message = ""  # a message about the start no longer holds
        self._changed()

    def _put(self, a: Any, b: Any, sign: int) -> None:
        before = self.graph.edges[a, b]["sign"] if self.graph.has_edge(a, b) else 0
        self._note("sign", edge=(a, b), **{"from": before, "to": sign})
        if sign:
            self.graph.add_edge(a, b, sign=sign)
        elif before:
            self.graph.remove_edge(a, b)

    def add(self) -> None:
        """Add a node, called by the first letter that is free."""
        if len(self.graph) >= MOST:
            raise PairsError(f"the table holds {MOST} nodes at most")
        names = (letter + number for number in ("", "1", "2") for letter in ascii_uppercase)
        node = next(name for name in names if name not in map(str, self.graph))
        self._note("add", node=node)
        spots = np.array(list(self.spots.values()) or [(0.0, 0.0)])
        self.graph.add_node(node)
        self._number.setdefault(node, len(self._number))  # a name keeps its number and spot, also while it is away
        self.spots.setdefault(node, [float(spots[:, 0].max()) + SPACING * 0.8, float(spots[:, 1].mean())])
        self.scene += 1
        self.removes = True
        self._changed()

    def remove(self, nodes: list[Any]) -> None:
        """Remove some nodes."""
        for node in nodes:
            self._note("remove", node=node, edges=list(self.graph.edges(node, data="sign")))
            self.graph.remove_node(node)
        if nodes:
            self.scene += 1
            self._changed()

    def undo(self) -> None:
        """Put the table back as it was before the last change."""
        if self.history:
            self.scene += self.history.pop()["did"] != "sign"
            self.graph = self._before.pop()
            self._changed()

    def _note(self, did: str, **what: Any) -> None:
        """Keep the graph as it is before a change."""
        self.history.append({"did": did, **what})
        self._before.append(self.graph.copy())

    # -- by dynamics -------------------------------------------------------------------------------------------

    def follow(self, rule: str) -> None:
        """Choose the rule of the dynamics."""
        self.rule, self.dynamics = rule, None

    def play(self, steps: int = PLAYED) -> None:
        """Take steps of the dynamics (Antal, Krapivsky and Redner 2005), until nothing can change."""
        if self.dynamics is None:
            self.dynamics = dynamics(self.graph, self.rule, seed=self.seed)
        for _ in range(steps):
            step = self.dynamics.forward()
            if step is None:
                self.message = STILL if np.isfinite(self.dynamics.balanced_share) else NO_TRIAD
                break
            self._take(step.edge, step.sign)
        self._changed(keep_dynamics=True)

    def back(self) -> None:
        """Take the last step back."""
        step = self.dynamics.back() if self.dynamics else None
        if step is not None:
            self._take(step.edge, -step.sign)
            self._changed(keep_dynamics=True)

    def _take(self, edge: tuple[Any, Any], sign: int) -> None:
        self._put(*edge, sign)
        self.message = f"{' – '.join(map(self.text, edge))} became {'+' if sign > 0 else '−'}"
