"""The content of a picture: some sentences of a graph, the labels between them, and their places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..graph.distance import carrying
from ..graph.distance import distance as distance_of
from ..graph.pairspace import inferred_among
from ..pairs import PairsError
from .layout import bends, layout
from .style import LINES, Line, line

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph
    from ..graph.closure import Closure

__all__ = ["Drawn", "View", "nearest", "view_of"]


class Drawn(NamedTuple):
    """A label between two sentences of a view."""

    a: int  #: number of a sentence in the view, from 0
    b: int
    line: Line
    bend: float  #: of the drawn curve, see `layout.bends`
    why: str  #: where the label comes from: rows, or how far it was inferred


class View(NamedTuple):
    """Sentences numbered from 0 as drawn (pictures print number + 1), edges between them, positions."""

    title: str
    nodes: np.ndarray  #: node of each sentence in the graph
    texts: list[str]
    edges: list[Drawn]  #: inferred ones first, so that stated ones lie on top
    positions: np.ndarray  #: (number of sentences, 2)

    @property
    def lines(self) -> list[Line]:
        """The kinds of line that occur: what a legend has to explain."""
        present = {edge.line for edge in self.edges}
        return [kind for kind in LINES.values() if kind in present] + sorted(present - set(LINES.values()))

    @property
    def extent(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower left and upper right corner of what is drawn, bends included."""
        points = [self.positions] if len(self.positions) else [np.zeros((1, 2))]
        for edge in self.edges:
            start, end = self.positions[[edge.a, edge.b]]
            across = np.array([start[1] - end[1], end[0] - start[0]])
            points.append(((start + end) / 2 + edge.bend / 2 * across)[None])
        points = np.concatenate(points)
        return points.min(axis=0), points.max(axis=0)

    @property
    def inferred_opacity(self) -> float:
        """The opacity of the inferred lines: the more there are, the fainter, so that the stated ones show."""
        inferred = sum(edge.line.width < 1 for edge in self.edges)
        return min(1.0, max(0.25, 60 / max(inferred, 1)))

    @property
    def in_conflict(self) -> set[int]:
        """The sentences at the ends of labels that contradict others."""
        return {end for edge in self.edges if edge.line.halo for end in (edge.a, edge.b)}


#: Sentences of the largest picture: beyond, nothing can be made out, and the layout takes minutes.
MOST = 2_000
LABELS = 20_000  #: of them and between them


def view_of(
    graph: ParaphraseGraph,
    cluster: int | Iterable[int] | None = None,
    nodes: Iterable[int] | None = None,
    closure: Closure | None = None,
    limit: int = 60,
    seed: int = 0,
) -> View:
    """The part of a graph that a picture shows: one cluster, several, or the given nodes.

    Parameters
    ----------
    cluster : int or list of int
        Of clusters with more than `limit` sentences, those nearest to the best connected one are shown, and
        the title says so.
    nodes : list of int
        Instead of `cluster`. In this order the pictures number them.
    closure : Closure, optional
        With its inferred labels between the sentences shown: its rule for negatives and its limits on
        distance and cluster size hold, a cap on labels per cluster does not.
    limit : int
        Most sentences shown, 2,000 or fewer; more `nodes` than that are an error.

    Raises
    ------
    PairsError
        Neither or both of `cluster` and `nodes`; a cluster or node the graph does not have; a closure of
        another graph.
    """
    if (cluster is None) == (nodes is None):
        raise PairsError("say what to draw: either cluster= (an id, or a list of them) or nodes=")
    if closure is not None and closure.graph is not graph:
        raise PairsError("the closure was made from another graph: infer() it from the graph to be drawn")
    if nodes is not None:
        shown, title = _given(graph, nodes, limit)
    else:
        ids = [cluster] if isinstance(cluster, int | np.integer) else list(cluster)
        shown, title = _of_clusters(graph, [int(c) for c in ids], limit)
    if len(shown) > MOST:
        raise PairsError(
            f"{len(shown):,} sentences are more than a picture can show ({MOST:,}): a lower limit= shows the best "
            "connected of a cluster, and Explorer all of it, piece by piece"
        )
    inside = np.flatnonzero(np.isin(graph.edge_a, shown) & np.isin(graph.edge_b, shown))
    if len(inside) > LABELS:
        raise PairsError(
            f"{len(inside):,} labels between {len(shown):,} sentences are more than a picture can show ({LABELS:,}): "
            "a lower limit= shows the best connected of a cluster, and Explorer draws it as a matrix"
        )
    edges = sorted(_stated(graph, shown, inside), key=lambda label: label[4])  # conflicts lie on top
    positions = layout(len(shown), [(a, b) for a, b, sign, *_ in edges if sign > 0], seed)
    if closure is not None:
        edges = _inferred(closure, shown) + edges
    curves = bends(positions, [(a, b) for a, b, *_ in edges])
    drawn = [
        Drawn(a, b, line(sign, inferred, conflict), bend, why)
        for (a, b, sign, inferred, conflict, why), bend in zip(edges, curves, strict=True)
    ]
    return View(title, shown, graph.texts(shown), drawn, positions)


def _given(graph: ParaphraseGraph, nodes: Iterable[int], limit: int) -> tuple[np.ndarray, str]:
    shown = np.array(list(dict.fromkeys(int(node) for node in nodes)), dtype=np.int64)
    odd = [int(node) for node in shown if not 0 <= node < graph.n]
    if odd or not len(shown):
        raise PairsError(f"node {odd[0]} is not one of 0 .. {graph.n - 1}" if odd else "no nodes to draw")
    if len(shown) > limit:
        raise PairsError(f"{len(shown)} sentences are more than a picture can show (limit={limit})")
    return shown, _count(len(shown))


def _of_clusters(graph: ParaphraseGraph, ids: list[int], limit: int) -> tuple[np.ndarray, str]:
    ids = list(dict.fromkeys(ids))
    if not ids:
        raise PairsError("no clusters to draw")
    if len(ids) > limit:
        raise PairsError(f"{len(ids)} clusters are more than a picture can show (limit={limit})")
    members = [graph.members(c) for c in ids]
    total = sum(map(len, members))
    name = f"Cluster{'s' * (len(ids) > 1)} {', '.join(map(str, ids))}"
    if total <= limit:
        return np.concatenate(members), f"{name}: {_count(total)}"
    share = [max(1, limit * len(m) // total) for m in members]
    shown = np.concatenate([nearest(graph, m, k) for m, k in zip(members, share, strict=True)])
    return shown, f"{name}: {len(shown)} of {total:,} sentences, those nearest the best connected"


def _count(n: int) -> str:
    return f"{n} sentence{'s' * (n != 1)}"


def nearest(graph: ParaphraseGraph, members: np.ndarray, k: int) -> np.ndarray:
    """The `k` members nearest to the one with most positive edges, breadth first; in order of appearance."""
    begins, neighbours = graph.adjacency.indptr, graph.adjacency.indices
    start = int(members[np.argmax(np.diff(begins)[members])])
    found, seen = [start], {start}
    for node in found:
        for other in neighbours[begins[node] : begins[node + 1]].tolist():
            if len(found) < k and other not in seen:
                seen.add(other)
                found.append(other)
        if len(found) == k:
            break
    return np.sort(np.array(found))


# A label on its way to being drawn: both ends, sign, inferred?, in conflict?, why.
Label = tuple[int, int, int, bool, bool, str]


def _stated(graph: ParaphraseGraph, shown: np.ndarray, inside: np.ndarray) -> list[Label]:
    number = {int(node): i for i, node in enumerate(shown)}
    drawn = []
    for edge in inside.tolist():
        sign = int(graph.edge_sign[edge])
        yes, no = int(graph.edge_n_positive[edge]), int(graph.edge_n_negative[edge])
        rows = graph.source_rows(edge)
        why = ["a paraphrase" if sign > 0 else "not a paraphrase"]
        if yes and no:
            why.append(f"stated both ways ({yes} × yes, {no} × no)")
        if graph.within[edge]:
            why.append("contradicts the positive path between its ends")
        why.append(f"row{'s' * (len(rows) > 1)} {', '.join(map(str, rows[:8]))}{', …' * (len(rows) > 8)}")
        a, b = number[int(graph.edge_a[edge])], number[int(graph.edge_b[edge])]
        drawn.append((a, b, sign, False, bool(graph.conflicting[edge]), "; ".join(why)))
    return drawn


def _inferred(closure: Closure, shown: np.ndarray) -> list[Label]:
    """Inferred labels between the sentences shown, as far as the closure goes."""
    sizes = closure.graph.cluster_sizes[closure.graph.cluster_of[shown]]
    drawn = []
    for sign, what in ((1, "a paraphrase"), (-1, "not a paraphrase")):
        i, j, used = inferred_among(closure.graph, shown, sign)
        far = distance_of(used, sign, closure.distance)
        keep = np.ones(len(i), dtype=bool)
        if closure.max_distance is not None:
            keep &= far <= closure.max_distance
        if closure.max_cluster_size is not None:
            keep &= np.maximum(sizes[i], sizes[j]) <= closure.max_cluster_size
        if sign < 0:
            keep &= carrying(sizes[i], sizes[j], closure.negatives)
        for a, b, n, steps in np.stack([i, j, far, used], axis=1)[keep].tolist():
            proof = f"path of {steps}" if sign > 0 else f"one negative and {steps} positive labels"
            unit = closure.distance if n != 1 else closure.distance[:-1]
            drawn.append((a, b, sign, True, False, f"{what}; inferred, {n} {unit} ({proof})"))
    return sorted(drawn)
