"""The content of a picture: some sentences of a graph, the labels between them, and their places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ..files import PairsError
from ..files.shown import counting
from ..graph import ParaphraseGraph
from ..graph.closure import Closure
from ..graph.paths import path_lengths
from ..graph.proof import explain, known_labels
from .layout import layout
from .shared import CAMPS, STILL, tint
from .style import CONFLICT, LINES, PAPER, POSITIVE, Line, line

__all__ = ["Drawn", "View", "nearest", "view_of"]


class Drawn(NamedTuple):
    """A label between two sentences of a view."""

    a: int  #: number of a sentence in the view, from 0
    b: int
    line: Line


class View(NamedTuple):
    """Sentences or names numbered from 0, edges between them, positions. Pictures print number + 1, or the name."""

    title: str
    texts: list[str]
    edges: list[Drawn]  #: inferred ones first, so that stated ones lie on top
    positions: np.ndarray  #: (number of sentences, 2)
    named: bool = (
        False  #: are `texts` names, which stand in the nodes? Sentences stand beside the picture
    )
    camps: tuple[int, ...] = ()  #: the number of a camp for each node, -1 for none
    chosen: frozenset[int] = frozenset()  #: nodes with a bold outline

    @property
    def inside(self) -> list[str]:
        """The text in each node."""
        if self.named:
            return self.texts
        numbers = range(1, len(self.texts) + 1)
        return list(map(str, numbers))

    @property
    def beside(self) -> list[str]:
        """The sentences to list beside the picture."""
        if self.named:
            return []
        return self.texts

    @property
    def fills(self) -> list[str]:
        """The colour inside each node: of its camp, else of a contradiction at a sentence."""
        fills = [PAPER for _ in self.texts]
        if not self.named:
            for number in self.in_conflict:
                fills[number] = CONFLICT
        for number, camp in enumerate(self.camps):
            if camp >= 0:
                fills[number] = tint(CAMPS[camp % len(CAMPS)])
        return fills

    @property
    def lines(self) -> list[Line]:
        """The kinds of line that occur, of each name one: what a legend has to explain."""
        present = {edge.line.name: edge.line for edge in self.edges}
        known = [kind for kind in LINES.values() if present.pop(kind.name, None)]
        return known + sorted(present.values())

    @property
    def extent(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower left and upper right corner of the nodes and of room around them."""
        points = self.positions
        if not len(points):
            points = np.zeros((1, 2))
        return points.min(axis=0) - 0.4, points.max(axis=0) + 0.4

    @property
    def inferred_opacity(self) -> float:
        """The opacity of the inferred lines: the more there are, the fainter, so that the stated ones show."""
        inferred = sum(edge.line.width < 1 for edge in self.edges)
        return float(np.clip(60 / max(inferred, 1), 0.25, 1))

    @property
    def in_conflict(self) -> set[int]:
        """The sentences at the ends of labels that contradict others."""
        ends = set()
        for edge in self.edges:
            if edge.line.halo:
                ends.update((edge.a, edge.b))
        return ends


def view_of(
    graph: ParaphraseGraph,
    cluster: int | Iterable[int] | None = None,
    nodes: Iterable[int] | None = None,
    closure: Closure | None = None,
) -> View:
    """Return the part of a graph that a picture shows: one cluster, several, or the given nodes.

    Parameters
    ----------
    cluster : int or list of int
        Of clusters with more than 60 sentences, those nearest to the best connected one are shown, and the title says
        so.
    nodes : list of int or str
        Instead of `cluster`, at most 60, by their numbers or texts. In this order the pictures number them.
    closure : Closure, optional
        With its inferred labels between the sentences shown: its rule for negatives and its limit on distance hold,
        a cap on labels per cluster does not.

    Raises
    ------
    PairsError
        Neither or both of `cluster` and `nodes`; a cluster or node the graph does not have; a closure of
        another graph; more than 60 nodes or clusters.
    """
    if (cluster is None) == (nodes is None):
        raise PairsError("say what to draw: either cluster= (an id, or a list of them) or nodes=")
    if closure is not None and closure.graph is not graph:
        raise PairsError(
            "the closure was made from another graph: infer() it from the graph to be drawn"
        )
    if cluster is None:
        wanted = _listed(nodes, "nodes", "numbers of sentences, or their texts")
        shown = np.array([graph.node(node) for node in wanted])
        title = counting(len(wanted), "sentence")
    else:
        wanted = _listed(cluster, "clusters", "ids")
        if not all(isinstance(one, int | np.integer) for one in wanted):
            raise PairsError(f"clusters are called by their ids, not {wanted!r:.100}")
        shown, title = _of_clusters(graph, wanted)
    edges = _stated(graph, shown)
    edges.sort(key=lambda edge: edge.line.halo)  # conflicts lie on top
    near = [edge[:2] for edge in edges if edge.line.color == POSITIVE]
    if closure is not None:
        edges = _inferred(closure, shown) + edges
    pairs = [edge[:2] for edge in edges]
    positions = layout(len(shown), near, pairs)
    return View(title, graph.texts(shown), edges, positions)


def _listed(wanted: Any, noun: str, form: str) -> list[Any]:
    """The nodes or clusters that a picture shall show, each once."""
    if isinstance(wanted, int | np.integer | str):
        wanted = [wanted]
    if not isinstance(wanted, Iterable):
        raise PairsError(f"{noun} are {form}, not {wanted!r:.100}")
    wanted = list(dict.fromkeys(wanted))
    if not 0 < len(wanted) <= STILL:
        raise PairsError(
            f"a picture shows 1 to {STILL} {noun}, not {len(wanted)}; Explorer shows more"
        )
    return wanted


def _of_clusters(graph: ParaphraseGraph, ids: list[int]) -> tuple[np.ndarray, str]:
    members = [graph.members(c) for c in ids]
    total = sum(map(len, members))
    name = "Cluster" if len(ids) == 1 else "Clusters"
    name += f" {', '.join(map(str, ids))}"
    if total <= STILL:
        return np.concatenate(members), f"{name}: {counting(total, 'sentence')}"
    parts = []
    for nodes in members:
        share = STILL * len(nodes) // total
        parts.append(nearest(graph, nodes, max(1, share)))
    shown = np.concatenate(parts)
    return shown, f"{name}: {len(shown)} of {total:,} sentences, those nearest the best connected"


def nearest(
    graph: ParaphraseGraph, members: np.ndarray, k: int, first: Iterable[int] = ()
) -> np.ndarray:
    """Return `k` members of a cluster, sorted: `first` and those nearest to it, else to the best connected one."""
    first = np.array(first, dtype=np.int64)
    start = first[:1]
    if not len(first):
        start = members[[np.argmax(graph.degree[members])]]
    _, far = path_lengths(graph, start)
    far[np.searchsorted(members, first)] = -1
    order = np.argsort(far, kind="stable")
    return np.sort(members[order[:k]])


def _stated(graph: ParaphraseGraph, shown: np.ndarray) -> list[Drawn]:
    number = {node: i for i, node in enumerate(shown.tolist())}
    drawn = []
    for edge in graph.edges_among(shown).tolist():
        a, b = graph.ends(edge).tolist()
        sign = int(graph.edge_sign[edge])
        kind = line(sign, conflict=bool(graph.conflicting[edge]))
        drawn.append(Drawn(number[a], number[b], kind))
    return drawn


def _inferred(closure: Closure, shown: np.ndarray) -> list[Drawn]:
    """Return the inferred labels between the sentences shown, as far as the closure goes."""
    graph = closure.graph
    i, j = np.triu_indices(len(shown), 1)
    known, stated = known_labels(graph, shown[i], shown[j], closure.negatives)
    inferred = (known >= 0) & ~stated
    if closure.max_distance is not None:
        for at in np.flatnonzero(inferred).tolist():
            found = explain(graph, shown[i[at]], shown[j[at]], closure.negatives)
            inferred[at] = getattr(found, closure.distance) <= closure.max_distance
    drawn = []
    for at in np.flatnonzero(inferred).tolist():
        sign = 1 if known[at] else -1
        drawn.append(Drawn(int(i[at]), int(j[at]), line(sign, inferred=True)))
    return drawn
