"""The queues of a review: items in the order in which they are decided, each with its state."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import chain
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from ..repairs.what_if import NONE, Changes, Decided
from .records import Decision, made_for, pair_of

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["DECIDED", "Items", "Queue"]

#: States in which nothing is left to do by hand.
DECIDED = {"flip", "cut", "keep", "ambiguous", "same", "different"}


class Items:
    """Items (integers of any meaning) numbered from 1 in the order in which they are to be decided.

    A subclass reads all decisions that stand (`read`); then it knows the state of an item (`state`: a decision,
    "settled" or "open"), also in words (`description`).

    Parameters
    ----------
    pairs : iterable of two sentences
        Of each item.
    """

    def __init__(self, items: Iterable[int], pairs: Iterable[tuple[str, str]]):
        self.items = list(items)
        self.number = {item: i for i, item in enumerate(self.items, 1)}
        self.pair = {item: (a, b) for item, (a, b) in zip(self.items, pairs, strict=True)}
        self._of_pair = {pair_of(*pair): item for item, pair in self.pair.items()}
        self._standing: dict[int, Decision] = {}
        self.elsewhere = 0  #: decisions that say nothing of these items

    def standing(self, item: int) -> Decision | None:
        """The decision on an item that counts."""
        return self._standing.get(item)

    def item_of(self, record: Decision) -> int | None:
        """The item that a decision was made for."""
        return self._of_pair.get(record.pair)

    def next(self, after: int | None = None) -> int | None:
        """The next open item in the order, from a given one round to it; where none is, the next skipped one."""
        start = self.number[after] if after is not None else 0
        for wanted in ("open", "skip"):
            for item in chain(self.items[start:], self.items[:start]):
                if self.state(item) == wanted:
                    return item
        return None

    def find(self, words: str, show: str) -> list[int]:
        """Items whose sentences hold all the words, case aside, in one of the states; ``#12`` is the number."""
        wanted = {"all": None, "open": {"open", "skip"}, "settled": {"settled"}}.get(show, DECIDED)
        found = [item for item in self.items if wanted is None or self.state(item) in wanted]
        if words.strip()[:1] == "#" and words.strip()[1:].isdecimal():
            return [item for item in found if self.number[item] == int(words.strip()[1:])]
        for part in words.casefold().split():
            found = [item for item in found if part in "\n".join(self.pair[item]).casefold()]
        return found

    def progress(self) -> dict[str, float | int | None]:
        """Count the decided, settled, skipped and open ones; and the median of seconds a decision."""
        states = [self.state(item) for item in self.items]
        seconds = [record.seconds for record in self._standing.values() if record.seconds is not None]
        return {
            "total": len(states),
            "decided": sum(state in DECIDED for state in states),
            "settled": states.count("settled"),
            "skipped": states.count("skip"),
            "open": states.count("open"),
            "seconds": median(seconds) if seconds else None,
        }


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

    States
    ------
    flip, cut, keep, ambiguous
        The last decision on the pair that was not taken back.
    skip
        Asked again when nothing is open.
    settled
        Decisions on other conflicts have left no positive path between its two sentences.
    open
        Not decided, or cut while another positive path is left. The next cut is a record on the positive pair
        itself; its `shown` names the conflict.

    Parameters
    ----------
    edges : sequence of int
        The conflicts, as edges of the graph, in the order in which they are to be decided.
    records : iterable of Decision
        What one reviewer has decided and not taken back, in order.
    """

    def __init__(self, graph: ParaphraseGraph, edges: Iterable[int], records: Iterable[Decision] = ()):
        edges = [int(edge) for edge in edges]
        super().__init__(edges, zip(*map(graph.texts, graph.ends(edges)), strict=True))
        self.graph = graph
        self.cluster = {edge: int(graph.cluster_of[graph.edge_a[edge]]) for edge in edges}
        self.decided = Decided(graph)
        self._walk = lru_cache(8)(self.decided.path)
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
            else:
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
        """Return the changes in the cluster of a conflict, without those that its own decision made."""
        changes = self.decided.of(self.cluster[edge])
        if self.state(edge) == "open":
            return changes
        further = {entry.cut for entry in self._entries.get(self.cluster[edge], []) if entry.edge is None}
        others = further | {cut for one, cut in self._cut.items() if one != edge}
        return Changes(changes.flipped - {edge}, changes.gone - ({edge, self.cut_by(edge)} - others))

    def path(self, edge: int) -> list[int]:
        """The nodes of a shortest positive path against a conflict, before its own decision."""
        return self._walk(*map(int, self.graph.ends(edge)), self.before(edge))

    def settled_by(self, edge: int) -> int | None:
        """Number of the conflict whose decision set the ends of this one apart."""
        return self.number.get(self._settled.get(edge))

    def _replay(self, cluster: int) -> None:
        """Apply the decisions of a cluster in their order: which count now, and which conflicts each has settled."""
        mine = [edge for edge in self.items if self.cluster[edge] == cluster]
        last: dict[int, _Entry] = {}
        further: set[int] = set()
        settled: dict[int, int | None] = {}
        changes = NONE
        for entry in self._entries.get(cluster, []):
            if entry.edge is None:
                further.add(entry.cut)
            else:
                last[entry.edge] = entry
            cuts = {one.cut for one in last.values() if one.cut is not None}
            flipped, aside = (
                {edge for edge, one in last.items() if one.record.decision == what} for what in ("flip", "ambiguous")
            )
            after = Changes(frozenset(flipped), frozenset(aside | further | cuts))
            if after != changes:
                changes = after
                apart = self.decided.outcome(cluster, changes).apart
                settled = {one: settled.get(one, self.item_of(entry.record)) for one in mine if one in apart}
        for known in (self._standing, self._cut, self._settled):
            for one in mine:
                known.pop(one, None)
        self._standing |= {edge: one.record for edge, one in last.items()}
        self._cut |= {edge: one.cut for edge, one in last.items() if one.cut is not None}
        self._settled |= settled
        self.decided.set(cluster, changes)

    def _positive(self, record: Decision) -> int:
        """The stated positive that a cut names, or -1."""
        nodes = [self._nodes.get(text, -1) for text in record.edge]
        edge = self.graph.edge_between(*nodes) if min(nodes) >= 0 else -1
        return edge if edge >= 0 and self.graph.edge_sign[edge] > 0 else -1

    @cached_property
    def _nodes(self) -> dict[str, int]:
        """The sentences of all clusters with conflicts, by their text."""
        clusters = set(self.cluster.values())
        members = [node for cluster in clusters for node in self.graph.members(cluster).tolist()]
        texts = zip(members, self.graph.texts(members), strict=True)
        return {normal: node for node, text in texts for normal in pair_of(text, text)}
