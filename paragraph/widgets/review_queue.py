"""The queue of a review: its conflicts in an order, and what one reviewer's decisions have made of them."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import TYPE_CHECKING

from ..decision_records import Decision, pair_of
from .review_effects import Changes, Decided

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["Queue"]


class Queue:
    """Conflicts in an order, numbered from 1, each with its state.

    The state of a conflict is the decision that stands ("flip", "cut", "keep", "ambiguous"), "skip" (asked again when
    nothing is open), "settled" (decisions on others have set its ends apart) or "open". A cut that leaves another
    positive path keeps its conflict open, and a further cut of the same pair adds to it; else the last decision on a
    pair counts.

    Parameters
    ----------
    edges : sequence of int
        The conflicts, as edges of the graph, in the order in which they are to be decided.
    records : iterable of Decision
        What one reviewer has decided and not taken back, in order.

    """

    def __init__(self, graph: ParaphraseGraph, edges: Iterable[int], records: Iterable[Decision] = ()):
        self.graph = graph
        self.edges = [int(edge) for edge in edges]
        self.number = {edge: i for i, edge in enumerate(self.edges, 1)}
        self.cluster = {edge: int(graph.cluster_of[graph.edge_a[edge]]) for edge in self.edges}
        self.decided = Decided(graph)
        ends = (graph.texts(end[self.edges]) for end in (graph.edge_a, graph.edge_b))
        self._edge_of_pair = {pair_of(*pair): edge for edge, *pair in zip(self.edges, *ends, strict=True)}
        self._records: dict[int, list[tuple[int, Decision]]] = {}  # by cluster: edge, record
        self._standing: dict[int, list[Decision]] = {}  # by edge
        self._pairs_elsewhere, self._odd = 0, {}
        self._cuts: dict[int, set[int]] = {}  # by edge: the positives that its decisions cut
        self._settled: dict[int, int] = {}  # edge: the conflict whose decision set its ends apart
        self.read(records)

    def read(self, records: Iterable[Decision]) -> None:
        """Take all that stands anew; of clusters in which nothing is new, nothing is computed."""
        found: dict[int, list[tuple[int, Decision]]] = {}
        self._pairs_elsewhere = 0
        for record in records:
            edge = self._edge_of_pair.get(pair_of(record.question1, record.question2))
            if edge is None:
                self._pairs_elsewhere += 1
            else:
                found.setdefault(self.cluster[edge], []).append((edge, record))
        before, self._records = self._records, found
        for cluster in before.keys() | found.keys():
            if before.get(cluster) != found.get(cluster):
                self._replay(cluster)

    @property
    def elsewhere(self) -> int:
        """Decisions that are about no conflict of this queue, or cut what is no positive of this graph."""
        return self._pairs_elsewhere + sum(self._odd.values())

    def state(self, edge: int) -> str:
        """What has become of a conflict."""
        last = self._standing[edge][-1].decision if edge in self._standing else "open"
        if last in ("open", "skip", "cut") and edge in self._settled:
            return "cut" if last == "cut" else "settled"
        return "open" if last == "cut" else last

    def standing(self, edge: int) -> list[Decision]:
        """The decisions that count: one, or several cuts."""
        return self._standing.get(edge, [])

    def edge_of(self, question1: str, question2: str) -> int | None:
        """The conflict between two sentences."""
        return self._edge_of_pair.get(pair_of(question1, question2))

    def before(self, edge: int) -> Changes:
        """The changes in the cluster of a conflict, those by its own decision left out once it is decided."""
        changes = self.decided.of(self.cluster[edge])
        if self.state(edge) == "open":
            return changes
        others = (cuts for one, cuts in self._cuts.items() if one != edge and self.cluster[one] == self.cluster[edge])
        gone = changes.gone - {edge} - self._cuts.get(edge, set())
        return Changes(changes.flipped - {edge}, gone.union(*others))

    def settled_by(self, edge: int) -> int | None:
        """Number of the conflict whose decision set the ends of this one apart."""
        return self.number.get(self._settled.get(edge, -1))

    def next(self, after: int | None = None) -> int | None:
        """The next open conflict in the order, from a given one round to it; where none is, the next skipped one."""
        start = self.number[after] if after is not None else 0
        around = self.edges[start:] + self.edges[:start]
        for wanted in ("open", "skip"):
            for edge in around:
                if self.state(edge) == wanted:
                    return edge
        return None

    def find(self, words: str, show: str) -> list[int]:
        """Conflicts whose sentences hold all the words, case aside, in one of the states; ``#12`` is the number."""
        wanted = {"all": None, "open": {"open", "skip"}, "settled": {"settled"}}.get(show, _DECIDED)
        found = [edge for edge in self.edges if wanted is None or self.state(edge) in wanted]
        parts = words.casefold().split()
        if len(parts) == 1 and parts[0][0] == "#" and parts[0][1:].isdigit():
            return [edge for edge in found if self.number[edge] == int(parts[0][1:])]
        if parts:
            texts = zip(
                *(self.graph.texts(end[found]) for end in (self.graph.edge_a, self.graph.edge_b)), strict=True
            )
            holds = ["\n".join(pair).casefold() for pair in texts]
            found = [edge for edge, text in zip(found, holds, strict=True) if all(part in text for part in parts)]
        return found

    def progress(self) -> dict[str, float | int | None]:
        """How many are decided, settled, skipped and open, and the median of seconds a decision."""
        states = [self.state(edge) for edge in self.edges]
        seconds = [r.seconds for records in self._standing.values() for r in records if r.seconds is not None]
        return {
            "total": len(states),
            "decided": sum(state in _DECIDED for state in states),
            "settled": states.count("settled"),
            "skipped": states.count("skip"),
            "open": states.count("open"),
            "seconds": median(seconds) if seconds else None,
        }

    def _replay(self, cluster: int) -> None:
        """The decisions of a cluster one after the other: what stands, and which of them settled which others."""
        mine = [edge for edge in self.edges if self.cluster[edge] == cluster]
        standing: dict[int, list[Decision]] = {}
        cuts: dict[int, set[int]] = {}
        settled: dict[int, int] = {}
        changes, odd = Changes(), 0
        names = self._names(cluster)
        for edge, record in self._records.get(cluster, []):
            wrong = self._positive(record, names) if record.decision == "cut" else None
            if wrong == -1:
                odd += 1
                continue
            if wrong is None:
                cuts.pop(edge, None)
            standing[edge] = [*standing[edge], record] if edge in cuts else [record]
            if wrong is not None:
                cuts.setdefault(edge, set()).add(wrong)
            last = {one: records[-1].decision for one, records in standing.items()}
            flipped = frozenset(one for one, decision in last.items() if decision == "flip")
            aside = {one for one, decision in last.items() if decision == "ambiguous"}
            after = Changes(flipped, frozenset(aside.union(*cuts.values())))
            if after != changes:
                changes = after
                apart = self.decided.outcome(cluster, changes).apart
                settled = {one: settled.get(one, edge) for one in mine if one in apart}
        for one in mine:
            self._standing.pop(one, None)
            self._settled.pop(one, None)
            self._cuts.pop(one, None)
        self._cuts.update(cuts)
        self._standing.update(standing)
        self._settled.update(settled)
        self._odd[cluster] = odd
        self.decided.set(cluster, changes)

    def _positive(self, record: Decision, names: dict[str, int]) -> int:
        """The stated positive that a cut names, or -1."""
        ends = [names.get(text, -1) for text in pair_of(record.edge1, record.edge2)]
        edge = self.graph.edge_between(*ends) if min(ends) >= 0 else -1
        return edge if edge >= 0 and self.graph.edge_sign[edge] > 0 else -1

    def _names(self, cluster: int) -> dict[str, int]:
        members = self.graph.members(cluster)
        return {
            next(iter(pair_of(text, text))): node
            for node, text in zip(members.tolist(), self.graph.texts(members), strict=True)
        }


_DECIDED = {"flip", "cut", "keep", "ambiguous"}
