"""The content of a picture: some sentences of a graph, the labels between them, and their places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..files import PairsError
from ..graph import ParaphraseGraph
from ..graph.closure import Closure
from ..graph.distance import carrying, pair_lengths, path_lengths
from ..graph.distance import distance as distance_of
from ..graph.pairspace import lengths_across
from .layout import bends, layout
from .style import CAMPS, CONFLICT, LINES, PAPER, Line, line

__all__ = ["Drawn", "View", "in_words", "nearest", "told", "view_of"]


class Drawn(NamedTuple):
    """A label between two sentences of a view."""

    a: int  #: number of a sentence in the view, from 0
    b: int
    line: Line
    bend: float  #: of the drawn curve, see `layout.bends`
    why: str  #: where the label comes from: rows, or how far it was inferred


class View(NamedTuple):
    """Sentences or names numbered from 0, edges between them, positions. Pictures print number + 1, or the name."""

    title: str
    nodes: np.ndarray  #: node of each sentence in the graph
    texts: list[str]
    edges: list[Drawn]  #: inferred ones first, so that stated ones lie on top
    positions: np.ndarray  #: (number of sentences, 2)
    named: bool = False  #: are `texts` names, which stand in the nodes? Sentences stand beside the picture
    camps: tuple[int, ...] = ()  #: the number of a camp for each node, -1 for none
    parts: tuple[tuple[int, list[int]], ...] = ()  #: communities of a cluster: the number of a colour, sentences

    @classmethod
    def of(
        cls,
        title: str,
        nodes: np.ndarray,
        texts: list[str],
        edges: list[tuple[int, int, Line, str]],
        positions: np.ndarray,
        most: int | None = None,
    ) -> View:
        """Return a view whose edges ``(a, b, line, why)`` bend round sentences; more than `most` stay straight."""
        curves = [0.0] * len(edges)
        if most is None or len(edges) <= most:
            curves = bends(positions, [(a, b) for a, b, *_ in edges])
        drawn = [Drawn(a, b, kind, bend, why) for (a, b, kind, why), bend in zip(edges, curves, strict=True)]
        return cls(title, nodes, texts, drawn, positions)

    @property
    def inside(self) -> list[str]:
        """The text in each node."""
        return self.texts if self.named else [str(i + 1) for i in range(len(self.texts))]

    @property
    def beside(self) -> list[str]:
        """The sentences to list beside the picture."""
        return [] if self.named else self.texts

    @property
    def fills(self) -> list[str]:
        """The colour inside each node: of its camp, else of a contradiction at a sentence."""
        conflicting, camps = set() if self.named else self.in_conflict, self.camps or (-1,) * len(self.texts)
        plain = [CONFLICT if i in conflicting else PAPER for i in range(len(self.texts))]
        return [one if camp < 0 else CAMPS[camp % len(CAMPS)] for one, camp in zip(plain, camps, strict=True)]

    @property
    def grounds(self) -> list[tuple[str, np.ndarray]]:
        """The soft ground of each part of three sentences or more: its colour, the sentences at its corners."""
        found = []
        for number, part in self.parts:
            if len(part) > 2:
                color = CAMPS[number % len(CAMPS)]
                pale = "".join(f"{(int(color[i : i + 2], 16) + 255) // 2:02x}" for i in (1, 3, 5))
                found.append((f"#{pale}", np.array(part)[hull(self.positions[part])]))
        return found

    @property
    def lines(self) -> list[Line]:
        """The kinds of line that occur, of each name one: what a legend has to explain."""
        present = {edge.line.name: edge.line for edge in self.edges}
        known = [kind for kind in LINES.values() if present.pop(kind.name, None)]
        return known + sorted(present.values())

    @property
    def extent(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower left and upper right corner of what is drawn, bends included."""
        points = self.positions if len(self.positions) else np.zeros((1, 2))
        ends = np.array([(edge.a, edge.b) for edge in self.edges], dtype=np.int64).reshape(-1, 2)
        start, end = points[ends[:, 0]], points[ends[:, 1]]
        across = np.stack([start[:, 1] - end[:, 1], end[:, 0] - start[:, 0]], axis=1)
        bend = np.array([edge.bend for edge in self.edges])[:, None]
        points = np.concatenate([points, (start + end) / 2 + bend / 2 * across])
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


def hull(points: np.ndarray) -> list[int]:
    """Return the corners of the convex hull of three points or more, by number and around it.

    >>> sorted(hull(np.array([[0, 0], [2, 2], [1.5, 1], [2, 0]])))
    [0, 1, 3]
    """
    from scipy.spatial import ConvexHull

    # Points may lie on a line: Qhull moves them a little (QJ).
    return ConvexHull(points, qhull_options="QJ").vertices.tolist()


MOST = 60  #: sentences of a picture


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
    nodes : list of int
        Instead of `cluster`, at most 60. In this order the pictures number them.
    closure : Closure, optional
        With its inferred labels between the sentences shown: its rule for negatives and its limits on
        distance and cluster size hold, a cap on labels per cluster does not.

    Raises
    ------
    PairsError
        Neither or both of `cluster` and `nodes`; a cluster or node the graph does not have; a closure of
        another graph; more than 60 nodes or clusters.
    """
    if (cluster is None) == (nodes is None):
        raise PairsError("say what to draw: either cluster= (an id, or a list of them) or nodes=")
    if closure is not None and closure.graph is not graph:
        raise PairsError("the closure was made from another graph: infer() it from the graph to be drawn")
    asked = nodes if cluster is None else [cluster] if isinstance(cluster, int | np.integer) else cluster
    asked = list(dict.fromkeys(int(one) for one in asked))
    if not asked:
        raise PairsError("no nodes to draw" if cluster is None else "no clusters to draw")
    if len(asked) > MOST:
        what = "sentences" if cluster is None else "clusters"
        raise PairsError(f"{len(asked)} {what} are more than a picture can show ({MOST}); Explorer shows more")
    shown, title = _given(graph, asked) if cluster is None else _of_clusters(graph, asked)
    edges = sorted(_stated(graph, shown), key=lambda label: label[2].halo)  # conflicts lie on top
    positive = line(1).color
    positions = layout(len(shown), [(a, b) for a, b, kind, _ in edges if kind.color == positive])
    if closure is not None:
        edges = _inferred(closure, shown) + edges
    return View.of(title, shown, graph.texts(shown), edges, positions)


def _given(graph: ParaphraseGraph, nodes: list[int]) -> tuple[np.ndarray, str]:
    nodes = np.array([graph.node(node) for node in nodes], dtype=np.int64)
    return nodes, f"{len(nodes)} sentence{'s' * (len(nodes) != 1)}"


def _of_clusters(graph: ParaphraseGraph, ids: list[int]) -> tuple[np.ndarray, str]:
    members = [graph.members(c) for c in ids]
    total = sum(map(len, members))
    name = f"Cluster{'s' * (len(ids) > 1)} {', '.join(map(str, ids))}"
    if total <= MOST:
        return np.concatenate(members), f"{name}: {total} sentence{'s' * (total != 1)}"
    share = [max(1, MOST * len(m) // total) for m in members]
    shown = np.concatenate([nearest(graph, m, k) for m, k in zip(members, share, strict=True)])
    return shown, f"{name}: {len(shown)} of {total:,} sentences, those nearest the best connected"


def nearest(graph: ParaphraseGraph, members: np.ndarray, k: int, first: Iterable[int] = ()) -> np.ndarray:
    """Return `k` members of a cluster, sorted: `first` and those nearest to it, else to the best connected one."""
    first = np.array(first, dtype=np.int64)
    start = first[:1] if len(first) else members[[np.argmax(graph.degree[members])]]
    _, far = path_lengths(graph, start)
    far[np.searchsorted(members, first)] = -1
    return np.sort(members[np.argsort(far, kind="stable")[:k]])


def told(graph: ParaphraseGraph, edge: int) -> str:
    """Describe a stated label, and what contradicts it."""
    yes, no = int(graph.edge_n_positive[edge]), int(graph.edge_n_negative[edge])
    text = "a paraphrase" if graph.edge_sign[edge] > 0 else "not a paraphrase"
    both = f", stated both ways ({yes} for, {no} against)" if yes and no else ""
    return text + both + (", yet a positive path joins the two" if graph.within[edge] else "")


def in_words(rows: list[int | str], most: int = 8) -> str:
    """Name rows, at most `most` of them.

    >>> in_words([3]), in_words([3, 5, 8], most=2)
    ('row 3', 'rows 3, 5, …')
    """
    return f"row{'s' * (len(rows) > 1)} {', '.join(map(str, rows[:most]))}{', …' * (len(rows) > most)}"


# A label on its way to being drawn: both ends, the line, why.
Label = tuple[int, int, Line, str]


def _stated(graph: ParaphraseGraph, shown: np.ndarray) -> list[Label]:
    number = {int(node): i for i, node in enumerate(shown)}
    drawn = []
    for edge in graph.edges_among(shown).tolist():
        a, b = (number[node] for node in graph.ends(edge).tolist())
        kind = line(int(graph.edge_sign[edge]), conflict=bool(graph.conflicting[edge]))
        drawn.append((a, b, kind, f"{told(graph, edge)}; {in_words(graph.source_rows(edge))}"))
    return drawn


def _inferred(closure: Closure, shown: np.ndarray) -> list[Label]:
    """Return the inferred labels between the sentences shown, as far as the closure goes."""
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
            drawn.append((a, b, line(sign, inferred=True), f"{what}; inferred, {n} {unit} ({proof})"))
    return sorted(drawn, key=lambda label: label[:2])


def inferred_among(graph: ParaphraseGraph, nodes: np.ndarray, sign: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The inferred labels of one sign between the given sentences: ``(i, j, used)``, arrays of equal length.

    `i` and `j` are places in `nodes`, ``i < j``, in this order; `used` is the number of positive edges that the
    shortest proof uses (`distance.distance` takes it). A positive joins two sentences of one cluster, a negative
    two of clusters that a stated negative joins (rule "all"). Paths may leave the given sentences. O(s²) memory for
    s sentences, and O(s²) time for each stated negative between two of their clusters.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "c", "x"], "label": [1, 1, 0]})
    >>> graph = pg.ParaphraseGraph.from_pairs(pairs)
    >>> [part.tolist() for part in inferred_among(graph, np.array([0, 2, 3]), +1)]  # a and c
    [[0], [1], [2]]
    >>> [part.tolist() for part in inferred_among(graph, np.array([0, 2, 3]), -1)]  # a and x
    [[0], [2], [2]]
    """
    i, j = np.triu_indices(len(nodes), 1)
    a, b = nodes[i], nodes[j]
    homes = graph.cluster_of[a], graph.cluster_of[b]
    link = graph.links_between(*homes)
    follows = np.flatnonzero((homes[0] == homes[1] if sign > 0 else link >= 0) & (graph.edge_index.places(a, b) < 0))
    if sign > 0:
        used = pair_lengths(graph, a[follows], b[follows])
    else:
        follows = follows[np.argsort(link[follows], kind="stable")]
        swap = homes[0][follows] > homes[1][follows]
        ends = np.where(swap, b[follows], a[follows]), np.where(swap, a[follows], b[follows])
        used = lengths_across(graph, link[follows], *ends)
    order = np.argsort(follows)
    return i[follows[order]], j[follows[order]], used[order]
