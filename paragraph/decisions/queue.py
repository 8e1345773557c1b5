"""The queues of a review: items in the order for deciding them, each with its state."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from ..doubts.what_if import Changes, Decided
from ..graph.arrays import connected
from ..graph.bridges import bridges
from ..graph.distance import shortest_paths
from .answers import Answer, pair_of

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["DONE", "Items", "Queue", "changes_of", "effects"]

#: States that need no more work by hand.
DONE = {"flip", "cut", "keep", "ambiguous", "same", "different"}


class Items:
    """Items (integers of any meaning) numbered from 1 in the order for deciding them.

    A subclass reads all answers that stand (`read`): `state` is the decision, "settled" or "open", which it puts into
    words (`description`).

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
        self._standing: dict[int, Answer] = {}  # by item
        self._state: dict[int, str] = {}  # of the items that are not open
        self.elsewhere = 0  #: answers that say nothing of these items

    def standing(self, item: int) -> Answer | None:
        """The answer about the pair of an item that counts."""
        return self._standing.get(item)

    def item_of(self, answer: Answer) -> int | None:
        """The item that an answer is about."""
        items = map(self._of_pair.get, [*answer.conflicts(), answer.pair])
        return next((item for item in items if item is not None), None)

    def state(self, item: int) -> str:
        """The state of an item."""
        return self._state.get(item, "open")

    def name(self, item: int) -> str:
        """The answer about an item, in a word."""
        return self.description(item)

    def next(self, after: int | None = None) -> int | None:
        """The next open item in the order, from a given one round to it; if there is none, the next skipped one."""
        start = self.number[after] if after is not None else 0
        for wanted in ("open", "skip"):
            for item in chain(self.items[start:], self.items[:start]):
                if self.state(item) == wanted:
                    return item
        return None

    def find(self, words: str, show: str) -> list[int]:
        """Find items in a state whose sentences contain all the words, ignoring case; ``#12`` is the number."""
        wanted = {"all": None, "open": {"open", "skip"}, "settled": {"settled"}}.get(show, DONE)
        found = self.items if wanted is None else [item for item in self.items if self.state(item) in wanted]
        if words.strip()[:1] == "#" and words.strip()[1:].isdecimal():
            return [item for item in found if self.number[item] == int(words.strip()[1:])]
        for part in words.casefold().split():
            found = [item for item in found if part in "\n".join(self.pair[item]).casefold()]
        return found

    def progress(self) -> dict[str, float | int | None]:
        """Count the decided, settled, skipped and open items; and return the median of seconds that one took."""
        states = Counter(map(self.state, self._standing.keys() | self._state.keys()))
        done = sum(states[state] for state in DONE), states["settled"], states["skip"]
        seconds = [took for one in self._standing.values() if (took := one.saw.get("seconds")) is not None]
        return {
            "total": len(self.items),
            **dict(zip(("decided", "settled", "skipped"), done, strict=True)),
            "open": len(self.items) - sum(done),
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
    "settled": ("settled", "settled: the two are no longer joined"),
}
#: The state of a conflict by the answer about its pair, if that alone decides it.
BY_ANSWER = {"1": "flip", "?": "ambiguous", "later": "skip", "": "open"}


def changes_of(graph: ParaphraseGraph, said: dict[int, str]) -> Changes:
    """The changes of a graph after the last answers about some of its edges."""
    positive = {edge: graph.edge_sign[edge] > 0 for edge in said}
    flipped = {edge for edge, same in said.items() if same == "1" and not positive[edge]}
    gone = {edge for edge, same in said.items() if same == "?" or (same == "0" and positive[edge])}
    return Changes(frozenset(flipped), frozenset(gone))


class Queue(Items):
    """All contradictions of a graph to decide, or some of them, each with its state.

    An item is an edge of the graph: a negative inside a cluster, or a pair that is stated both ways. First come those
    whose decision removes the most wrong labels (`effects`), ties in the order of the data; last come sentences that
    are stated to differ from themselves (`ParaphraseGraph.denied`), which are not edges.

    States
    ------
    flip, ambiguous
        By the last answer about the pair that was not taken back: the same; nobody can say.
    cut
        The two differ, and no positive path joins them any more.
    keep
        The two differ, and every line of a path that joins them was found right.
    skip
        Asked again when nothing is open.
    settled
        Answers about other items have left no positive path between its two sentences.
    open
        Not answered; or the two differ, and another path is left.

    An answer given to a label other than the graph's says nothing. The time to read the answers in one cluster is
    linear in its edges and those answers.

    Parameters
    ----------
    wanted : set of pairs, optional
        Only these.
    answers : iterable of Answer
        The answers of one reviewer that were not taken back, in order.
    """

    def __init__(
        self, graph: ParaphraseGraph, wanted: set[frozenset[str]] | None = None, answers: Iterable[Answer] = ()
    ):
        self.graph, self.within = graph, graph.within & (not graph.bipartite)
        edges = np.flatnonzero(self.within | graph.both_ways)
        most = np.ones(len(edges))  # where the rows of a pair contradict each other, one label is wrong
        most[self.within[edges]] = effects(graph, edges[self.within[edges]])
        items = edges[np.argsort(-most, kind="stable")].tolist()
        self.ends = {item: (int(graph.edge_a[item]), int(graph.edge_b[item])) for item in items}
        self.ends |= {len(graph.edge_a) + i: (node, node) for i, node in enumerate(graph.denied.tolist())}
        named = {item: tuple(graph.texts(ends)) for item, ends in self.ends.items()}
        named = {item: pair for item, pair in named.items() if wanted is None or pair_of(*pair) in wanted}
        super().__init__(named, named.values())
        self.cluster = {item: int(graph.cluster_of[self.ends[item][0]]) for item in self.items}
        self._of_cluster: dict[int, list[int]] = defaultdict(list)
        for item, cluster in self.cluster.items():
            self._of_cluster[cluster].append(item)
        self.decided = Decided(graph)
        self._walk = lru_cache(8)(self.decided.path)
        self._words: dict[int, dict[int, Answer]] = {}  # by cluster and edge: the last answer
        self._about: dict[int, dict[int, Answer]] = {}  # by item and edge: the last answers to other edges about it
        self._apart: set[int] = set()  # items whose ends no positive of their cluster joins any more
        self._again: dict[int, str] = {}  # the state of those that a pair flipped between two clusters joins
        self.read(answers)

    def is_direct(self, item: int) -> bool:
        """True if only the rows of the pair contradict each other, and no path has to be cut."""
        return item >= len(self.within) or (
            bool(self.graph.both_ways[item]) and (not self.within[item] or item in self._apart)
        )

    def read(self, answers: Iterable[Answer]) -> None:
        """Read all answers that stand; recompute only clusters with new ones."""
        before, self._words, self.elsewhere = self._words, {}, 0
        for one in answers:
            edge = self._edge(one)
            if edge is None:
                self.elsewhere += 1
            else:
                node = self.ends[edge][0] if edge in self.ends else self.graph.edge_a[edge]
                self._words.setdefault(int(self.graph.cluster_of[node]), {})[edge] = one
        for cluster in before.keys() | self._words.keys():
            words = self._words.get(cluster, {})
            if before.get(cluster, {}) != words:
                self._replay(cluster, words)
        self._again = self._joined_again()

    def state(self, item: int) -> str:
        """The state of an item."""
        return self._again.get(item) or super().state(item)

    def description(self, item: int, long: bool = False) -> str:
        """The state of an item in words."""
        state = self.state(item)
        if item in self._again and state == "open":
            return "joined again" if not long else "cut, but a pair that you flipped joins the two again"
        if state == "open" and self.standing(item):
            return "another path" if not long else "cut, but another path still joins the two"
        return STATES[state][long]

    def name(self, item: int) -> str:
        """The decision on an item, in a word."""
        state = self.state(item)
        return "cut" if state in ("open", "settled") else state

    def cuts(self, item: int) -> list[int]:
        """The positives that were found wrong for an item, in the order of the answers."""
        return [edge for edge, one in self._about.get(item, {}).items() if one.same == "0"]

    def about(self, item: int) -> list[Answer]:
        """The answers about other pairs that were given only for this item."""
        return [one for one in self._about.get(item, {}).values() if len(one.conflicts()) == 1]

    def before(self, item: int) -> Changes:
        """The changes in the cluster of an item, without those by its own answers once it is decided."""
        changes, own = self.decided.of(self.cluster[item]), {item}
        if self.state(item) != "open":
            own |= {*map(self._edge, self.about(item))}
        return Changes(changes.flipped - own, changes.gone - own)

    def path(self, item: int) -> list[int]:
        """The nodes of a shortest positive path against an item, before its own answers; its own rows may be one."""
        a, b = self.ends[item]
        if self.is_direct(item) and (item in self._again or not (self.state(item) == "open" and self.standing(item))):
            return [a, b] if a != b else []
        return self._walk(a, b, self.before(item))

    def _replay(self, cluster: int, words: dict[int, Answer]) -> None:
        """Read the last answers about the edges of a cluster again: their changes, and the states of its items."""
        graph, mine = self.graph, self._of_cluster[cluster]
        said = {edge: one.same for edge, one in words.items() if edge < len(self.within)}
        changes = changes_of(graph, said)
        self.decided.set(cluster, changes)
        apart = self.decided.outcome(cluster).apart if any(changes) else frozenset()
        for known in (self._standing, self._state, self._about):
            for item in mine:
                known.pop(item, None)
        self._apart.difference_update(mine)
        self._apart.update(apart.intersection(mine))
        for edge, one in words.items():
            for item in map(self._of_pair.get, one.conflicts() if one.about != "[]" else ()):
                if item is not None and item != edge:
                    self._about.setdefault(item, {})[edge] = one
        # Lines that were found right join sentences: a conflict between two of them is kept.
        a, b = graph.ends(np.array([edge for edge, same in said.items() if same == "1"], dtype=np.int64))
        inside = graph.cluster_of[a] == graph.cluster_of[b]
        places = graph.place_in_cluster[np.stack([a, b])[:, inside]]
        right = connected(int(graph.cluster_sizes[cluster]), *places)
        for item in mine:
            if item in words:
                self._standing[item] = words[item]
            a, b = self.ends[item]
            same, across = words[item].same if item in words else "", graph.cluster_of[a] != graph.cluster_of[b]
            if same == "0" and (item in self._apart or across):
                state = "cut" if self.is_direct(item) or self.cuts(item) else "settled"
            elif same == "0":
                state = "keep" if right[graph.place_in_cluster[a]] == right[graph.place_in_cluster[b]] else "open"
            elif same in ("", "later") and item in self._apart and not graph.both_ways[item]:
                state = "settled"
            else:
                state = BY_ANSWER[same]
            if state != "open":
                self._state[item] = state

    def _joined_again(self) -> dict[int, str]:
        """The states of the items that are cut in their cluster, and joined by pairs flipped between clusters."""
        graph = self.graph
        right = [
            edge
            for words in self._words.values()
            for edge, one in words.items()
            if one.same == "1" and edge < len(self.within)
        ]
        a, b = graph.ends(np.array(right, dtype=np.int64))
        across = graph.cluster_of[a] != graph.cluster_of[b]
        if not across.any():
            return {}
        sure = connected(graph.n, a, b)
        part = self.decided.part_of
        part = connected(self.decided.parts, part[a[across]], part[b[across]])[part]
        return {
            item: "keep" if self.standing(item) and sure[a] == sure[b] else "open"
            for item, (a, b) in self.ends.items()
            if self._state.get(item) in ("cut", "settled") and part[a] == part[b]
        }

    def _edge(self, one: Answer) -> int | None:
        """The edge that an answer judges, or the item beyond the edges; None if none has that label."""
        nodes = [self._nodes.get(text, -1) for text in one.pair]
        if min(nodes) < 0 or len(nodes) < 2:
            return self._of_pair.get(one.pair)
        edge = self.graph.edge_between(*nodes)
        label = "1" if self.graph.edge_sign[edge] > 0 else "0"
        return edge if edge >= 0 and one.stated in ("", label) else None

    @cached_property
    def _nodes(self) -> dict[str, int]:
        """The sentences of all clusters with items, by text."""
        clusters = {*self.graph.cluster_of[[*chain(*self.ends.values())]].tolist()} if self.ends else ()
        members = [node for cluster in clusters for node in self.graph.members(cluster).tolist()]
        texts = zip(members, self.graph.texts(members), strict=True)
        return {normal: node for node, text in texts for normal in pair_of(text, text)}


def effects(graph: ParaphraseGraph, edges: np.ndarray) -> np.ndarray:
    """The number of wrong labels, stated or inferred, that a right decision on each conflict is expected to remove.

    One label of its cycle is wrong: the negative, or a positive of a shortest path, all equally likely. A flip
    removes one wrong label. A cut removes all positives between the two sides, and none if another path still joins
    them.
    """
    home = graph.edge_clusters[0]
    inside = np.isin(home, home[edges])
    conflicts, positive = np.flatnonzero(inside & graph.within), np.flatnonzero(inside & (graph.edge_sign > 0))
    paths = list(shortest_paths(graph, *graph.ends(conflicts)))
    length = np.array([len(path) - 1 for path in paths], dtype=np.int64)
    steps = np.array([step for path in paths for step in pairwise(path)], dtype=np.int64).reshape(-1, 2)
    steps = graph.edge_index.places(*steps.T)
    # Cutting a bridge separates all pairs across it, and none of the conflicts among them is positive; cutting
    # another edge separates none.
    nodes, ends = np.unique(graph.ends(positive), return_inverse=True)
    bridge, below = bridges(len(nodes), *ends.reshape(2, -1))
    bridge, removed = positive[bridge], np.zeros(len(home))
    size = graph.cluster_sizes[graph.cluster_of[graph.edge_a[bridge]]]
    removed[bridge] = below * (size - below) - np.bincount(steps, minlength=len(removed))[bridge]
    by_cuts = np.bincount(np.repeat(np.arange(len(paths)), length), removed[steps], len(paths))
    return ((1 + by_cuts) / (1 + length))[np.searchsorted(conflicts, edges)]
