"""The queue of a review: its conflicts in an order, each with its state by one reviewer's decisions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..graph.distance import disjoint_paths, shortest_paths
from ..measure.logistic import sigmoid
from ..pairs import PairsError
from ..repairs.what_if import NONE, Changes, Decided
from .items import DECIDED, Items
from .records import Decision, made_for, pair_of

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["ORDERS", "Queue", "ordered"]

#: The orders of a queue.
ORDERS = ("effect", "margin", "size", "random")
ERROR_RATE = 0.05  # of a label, where nothing is known of it

#: A state in words: in the list, and above the pair.
STATES = {
    "open": ("", "not decided"),
    "skip": ("skipped", "skipped: comes back when nothing else is open"),
    "flip": ("flip", "decided: flip, the negative is wrong"),
    "cut": ("cut", "decided: cut"),
    "keep": ("keep", "decided: keep, both labels stand"),
    "ambiguous": ("ambiguous", "decided: ambiguous, the pair is set aside"),
}


class _Entry(NamedTuple):
    """A decision, as edges of the graph."""

    record: Decision
    edge: int | None  #: its conflict; none: a further cut
    cut: int | None  #: the positive it cuts


class Queue(Items):
    """Conflicts in an order, numbered from 1, each with its state.

    The state of a conflict is the decision that stands ("flip", "cut", "keep", "ambiguous"), "skip" (asked again when
    nothing is open), "settled" (decisions on others have set its ends apart) or "open". The last decision on a pair
    counts. A cut that leaves another positive path keeps its conflict open; a further cut is a record on the positive
    pair itself, which says in `shown` for which conflict it was made.

    Parameters
    ----------
    edges : sequence of int
        The conflicts, as edges of the graph, in the order in which they are to be decided.
    records : iterable of Decision
        What one reviewer has decided and not taken back, in order.
    """

    def __init__(self, graph: ParaphraseGraph, edges: Iterable[int], records: Iterable[Decision] = ()):
        edges = [int(edge) for edge in edges]
        super().__init__(edges, zip(*(graph.texts(end[edges]) for end in (graph.edge_a, graph.edge_b)), strict=True))
        self.graph = graph
        self.cluster = {edge: int(graph.cluster_of[graph.edge_a[edge]]) for edge in edges}
        self.decided = Decided(graph)
        self._entries: dict[int, list[_Entry]] = {}  # by cluster
        self._cut: dict[int, int] = {}  # by edge: the positive that its own decision cuts
        self._settled: dict[int, int | None] = {}  # edge: the conflict whose decision set its ends apart
        self.read(records)

    def read(self, records: Iterable[Decision]) -> None:
        """Read all decisions that stand; only clusters with new decisions are computed again."""
        found: dict[int, list[_Entry]] = {}
        self.elsewhere = 0
        for record in records:
            edge = super().item_of(record)
            cut = self._positive(record) if record.decision == "cut" else None
            if cut == -1 or (edge is None and cut is None):
                self.elsewhere += 1
                continue
            cluster = int(self.graph.cluster_of[self.graph.edge_a[cut if edge is None else edge]])
            found.setdefault(cluster, []).append(_Entry(record, edge, cut))
        before, self._entries = self._entries, found
        for cluster in before.keys() | found.keys():
            if before.get(cluster) != found.get(cluster):
                self._replay(cluster)

    def state(self, edge: int) -> str:
        """The state of a conflict."""
        last = self._standing[edge].decision if edge in self._standing else "open"
        if edge in self._settled:
            return last if last in DECIDED else "settled"
        return "open" if last == "cut" else last

    def description(self, edge: int, long: bool = False) -> str:
        """The state of a conflict in words."""
        state = self.state(edge)
        if state == "settled":
            by = self.settled_by(edge)
            return (f"settled by #{by}" if by else "settled") + ": the two are no longer joined" * long
        if state == "open" and self.standing(edge):
            return "another path" if not long else "cut, but another path still joins the two"
        return STATES[state][long]

    def cut_by(self, edge: int) -> int | None:
        """The positive that the decision on a conflict cuts."""
        return self._cut.get(edge)

    def item_of(self, record: Decision) -> int | None:
        """The conflict that a decision was made for."""
        conflict = made_for(record)
        return super().item_of(record) if conflict is None else self._of_pair.get(conflict)

    def before(self, edge: int) -> Changes:
        """The changes in the cluster of a conflict, those by its own decision left out once it is decided."""
        changes = self.decided.of(self.cluster[edge])
        if self.state(edge) == "open":
            return changes
        own = {edge} | ({self._cut[edge]} if edge in self._cut else set())
        others = {cut for one, cut in self._cut.items() if one != edge}
        others |= {entry.cut for entry in self._entries.get(self.cluster[edge], []) if entry.edge is None}
        return Changes(changes.flipped - {edge}, changes.gone - (own - others))

    def settled_by(self, edge: int) -> int | None:
        """Number of the conflict whose decision set the ends of this one apart."""
        return self.number.get(self._settled.get(edge))

    def _replay(self, cluster: int) -> None:
        """The decisions of a cluster one after the other: what stands, and which of them settled which others."""
        mine = [edge for edge in self.items if self.cluster[edge] == cluster]
        standing: dict[int, Decision] = {}
        cut: dict[int, int] = {}
        further: set[int] = set()
        settled: dict[int, int | None] = {}
        changes = NONE
        for record, edge, positive in self._entries.get(cluster, []):
            if edge is None:
                further.add(positive)
            else:
                standing[edge] = record
                cut.pop(edge, None)
                if positive is not None:
                    cut[edge] = positive
            flipped = frozenset(one for one, last in standing.items() if last.decision == "flip")
            aside = {one for one, last in standing.items() if last.decision == "ambiguous"}
            after = Changes(flipped, frozenset(aside | further | set(cut.values())))
            if after != changes:
                changes = after
                apart = self.decided.outcome(cluster, changes).apart
                settled = {one: settled.get(one, self.item_of(record)) for one in mine if one in apart}
        for known, new in ((self._standing, standing), (self._cut, cut), (self._settled, settled)):
            for one in mine:
                known.pop(one, None)
            known.update(new)
        self.decided.set(cluster, changes)

    def _positive(self, record: Decision) -> int:
        """The stated positive that a cut names, or -1."""
        a, b = (self._nodes.get(normal(text), -1) for text in (record.edge1, record.edge2))
        edge = self.graph.edge_between(a, b) if min(a, b) >= 0 else -1
        return edge if edge >= 0 and self.graph.edge_sign[edge] > 0 else -1

    @cached_property
    def _nodes(self) -> dict[str, int]:
        """The sentences of all clusters with conflicts, by their text."""
        clusters = set(self.cluster.values())
        members = [node for cluster in clusters for node in self.graph.members(cluster).tolist()]
        return {normal(text): node for node, text in zip(members, self.graph.texts(members), strict=True)}


def normal(text: str) -> str:
    """A sentence as pairs are compared by."""
    (found,) = pair_of(text, text)
    return found


def ordered(
    graph: ParaphraseGraph,
    edges: np.ndarray,
    order: str = "effect",
    seed: int = 0,
    p_flip: np.ndarray | None = None,
) -> list[int]:
    """Conflicts, as edges of the graph, in the order in which to decide them; ties in the order of the data.

    Orders
    ------
    effect
        By the number of wrong labels, stated or inferred, that a right decision is expected to remove. A flip removes
        one, a cut all positives between the two sides, and none where another path still joins them; each positive of
        a shortest path is taken to be as likely wrong as the others.
    margin
        The surest proposals first: by how far `p_flip` is from one half.
    size
        Those of the largest clusters first.
    random
        Shuffled by `seed`.

    Parameters
    ----------
    p_flip : float array, optional
        Probability of each edge of the graph to be truly positive. Without it: every label errs alone, 5 times in
        100, so that with k paths of length l the odds of cut against flip are l^k · (.05 / .95)^(k − 1).
    """
    if order not in ORDERS:
        raise PairsError(f"order {order!r} is not one of {', '.join(ORDERS)}")
    edges = np.asarray(edges, dtype=np.int64)
    if order == "random":
        return np.random.default_rng(seed).permutation(edges).tolist()
    if order == "size":
        sizes = graph.cluster_sizes[graph.cluster_of[graph.edge_a[edges]]]
        return edges[np.argsort(-sizes, kind="stable")].tolist()
    if order == "margin":
        if p_flip is None:
            raise PairsError("the order by margin needs a proposal for each conflict")
        return edges[np.argsort(-np.abs(p_flip[edges] - 0.5), kind="stable")].tolist()
    return edges[np.argsort(-_effect(graph, edges, p_flip), kind="stable")].tolist()


def _effect(graph: ParaphraseGraph, edges: np.ndarray, p_flip: np.ndarray | None) -> np.ndarray:
    decided = Decided(graph)
    a, b = graph.edge_a[edges], graph.edge_b[edges]
    paths = list(shortest_paths(graph, a, b))
    count, length = disjoint_paths(graph, a, b), np.array([len(path) - 1.0 for path in paths])
    if p_flip is None:
        log_odds = count * np.log(length) + (count - 1) * np.log(ERROR_RATE / (1 - ERROR_RATE))
        found = sigmoid(-log_odds)
    else:
        found = p_flip[edges].astype(float)
    # Only where a single path joins the two does a single cut part them.
    single = np.flatnonzero(count == 1)
    for i in single[np.argsort(graph.cluster_of[a[single]], kind="stable")].tolist():  # a cluster is looked at once
        cluster, path = int(graph.cluster_of[a[i]]), decided.path_edges(paths[i])
        found[i] += (1 - found[i]) * np.mean([decided.removed(cluster, edge) for edge in path])
    return found
