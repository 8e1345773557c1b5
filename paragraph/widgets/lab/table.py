"""The table of the Triad Lab: a signed graph, where its nodes are, and what changes it, by hand or by dynamics."""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from ...balance import Step, as_signed, dynamics
from ...draw.layout import layout
from ...graph import ParaphraseGraph
from ...pairs import PairsError

if TYPE_CHECKING:
    from .widget import TriadLab

__all__ = ["MOST", "SPACING", "add", "back", "lay", "play", "put", "remove", "undo"]

SPACING = 150  # pixels between neighbouring nodes
MOST = 40  # nodes at most
PLAYED = 200  # steps at most

STILL = "Nothing moves any more: every triad is balanced, or each change would make it worse."
NO_TRIAD = "Nothing moves: dynamics turns edges of triads, and this graph has no triad."


def lay(lab: TriadLab, graph: Any, cluster: int | None = None) -> None:
    """Put a start (by name), a signed graph, or a cluster of a dataset on the table."""
    name = "your own"
    if isinstance(graph, str):
        if graph not in lab._starts:
            raise PairsError(f"no start is called {graph!r}; there are: {', '.join(lab._starts)}")
        name, graph = graph, lab._starts[graph]()
    elif isinstance(graph, ParaphraseGraph):
        if cluster is None:
            raise PairsError("say which cluster of the data: TriadLab(graph, cluster=3)")
        if (size := len(graph.members(cluster))) > MOST:
            raise PairsError(f"cluster {cluster} has {size} sentences, more than {MOST} on one table")
        name, graph = f"cluster {cluster}", graph.to_networkx(cluster=cluster)
    as_signed(graph)  # an error where it is no signed graph
    if graph.number_of_nodes() > MOST:
        raise PairsError(f"{graph.number_of_nodes()} nodes are more than {MOST} on one table")
    lab._start, lab._graph = name, nx.Graph(graph)
    lab.history, lab._before, lab.placed, lab.selected = [], [], {}, []
    lab._message = str(lab._graph.graph.get("source", ""))
    lab._number = {node: i for i, node in enumerate(lab._graph)}
    edges = [(lab._number[a], lab._number[b]) for a, b in lab._graph.edges]
    spots = (layout(len(lab._number), edges, lab.seed) if edges else _ring(len(lab._number))) * [SPACING, -SPACING]
    lab._spots = dict(zip(lab._graph, spots.round(1).tolist(), strict=True))
    lab._scene_number += 1
    lab._changed()


def _ring(n: int) -> np.ndarray:
    """Places of nodes that are still to be joined: on a circle, so that no line will pass a node it does not join."""
    angle = np.arange(n) * 2 * np.pi / max(n, 1)
    return np.stack([np.sin(angle), np.cos(angle)], axis=1) * max(1, n / 4)


def put(lab: TriadLab, a: Any, b: Any, sign: int) -> None:
    """Give an edge a sign, +1 or -1; 0 removes it."""
    before = lab._graph.edges[a, b]["sign"] if lab._graph.has_edge(a, b) else 0
    _note(lab, "sign", edge=(a, b), **{"from": before, "to": sign})
    if sign:
        lab._graph.add_edge(a, b, sign=sign)
    elif before:
        lab._graph.remove_edge(a, b)


def add(lab: TriadLab) -> None:
    """Add a node, called by the first letter that is free."""
    if len(lab._graph) >= MOST:
        raise PairsError(f"the table holds {MOST} nodes at most")
    taken = {str(node) for node in lab._graph}
    letters = (letter + number for number in ("", "1", "2") for letter in ascii_uppercase)
    node = next(name for name in letters if name not in taken)
    _note(lab, "add", node=node)
    spots = np.array(list(lab._spots.values()) or [(0.0, 0.0)])
    lab._graph.add_node(node)
    lab._number.setdefault(node, len(lab._number))  # a name keeps its number and spot, also while it is away
    lab._spots.setdefault(node, [float(spots[:, 0].max()) + SPACING * 0.8, float(spots[:, 1].mean())])
    lab._scene_number += 1
    lab._cycle_none = True
    lab._changed()


def remove(lab: TriadLab) -> None:
    """Remove the chosen nodes; nothing happens where none is chosen."""
    chosen = lab._chosen
    if not chosen:
        return
    for node in chosen:
        _note(lab, "remove", node=node, edges=list(lab._graph.edges(node, data="sign")))
        lab._graph.remove_node(node)
    lab.selected = []
    lab._scene_number += 1
    lab._changed()


def undo(lab: TriadLab) -> None:
    """Put the table back as it was before the last change."""
    if lab.history:
        did = lab.history.pop()["did"]
        lab._answer_is_open()
        lab._graph = lab._before.pop()
        lab._scene_number += did != "sign"
        lab._changed()


def _note(lab: TriadLab, did: str, **what: Any) -> None:
    """Keep the table as it is before a change."""
    lab.history.append({"did": did, **what})
    lab._before.append(lab._graph.copy())
    lab._answer_is_open()


def play(lab: TriadLab, steps: int = PLAYED) -> None:
    """Take steps of the dynamics (Antal, Krapivsky and Redner 2005), until nothing can change."""
    if lab._dynamics is None:
        lab._dynamics = dynamics(lab._graph, lab._rule, seed=lab.seed)
    for _ in range(steps):
        step = lab._dynamics.forward()
        if step is None:
            none = not np.isfinite(lab._dynamics.balanced_share)
            lab._message = NO_TRIAD if none else STILL
            break
        _take(lab, step, step.sign)
    lab._changed(keep_dynamics=True)


def back(lab: TriadLab) -> None:
    """Take the last step back."""
    step = lab._dynamics.back() if lab._dynamics else None
    if step is not None:
        _take(lab, step, -step.sign)
        lab._changed(keep_dynamics=True)


def _take(lab: TriadLab, step: Step, sign: int) -> None:
    a, b = step.edge
    put(lab, a, b, sign)
    lab._message = f"{lab._text(a)} – {lab._text(b)} became {'+' if sign > 0 else '−'}"
