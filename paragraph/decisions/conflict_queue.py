"""The queue of conflicts, those first whose decision removes the most wrong labels; and the state of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..doubts.what_if import Changes, Decided
from ..graph.arrays import connected
from ..graph.bridges import bridges
from ..graph.paths import shortest_paths
from .answers import Answers, Pair, Row
from .queue import Queue

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["ConflictQueue", "effects", "what_if"]

#: A state in words: in the list, and above the pair.
STATES = {
    "open": ("", "not decided"),
    "skip": ("skipped", "skipped: comes back when nothing else is open"),
    "flip": ("flip", "decided: flip, the negative is wrong"),
    "cut": ("cut", "decided: cut"),
    "keep": ("keep", "decided: keep, both labels stand"),
    "ambiguous": ("ambiguous", "decided: ambiguous, the pair is set aside"),
    "moot": ("moot", "moot: the two are no longer joined"),
}
#: The state of a conflict by the answer about its pair, if that alone decides it.
BY_ANSWER = {"1": "flip", "?": "ambiguous", "later": "skip", "": "open"}


def what_if(decided: Decided, cluster: int, now: Changes, wrong: dict[str, int]) -> list[list[str]]:
    """Tabulate the effect if labels of a cluster were wrong, edges by their names: each its name, clusters, inferred
    labels and the number of conflicts that become moot besides; first what is so under the changes `now`."""
    graph, before = decided.graph, decided.outcome(cluster, now)
    rows = [["as it is", *before.cells(), ""]]
    for name, edge in wrong.items():
        cut = graph.edge_sign[edge] > 0
        then = now._replace(gone=now.gone | {edge}) if cut else now._replace(flipped=now.flipped | {edge})
        after = decided.outcome(cluster, then)
        moot = sum(bool(graph.negatives_inside[one]) for one in after.apart - before.apart - {*wrong.values()})
        rows.append([name, *after.cells(before), f"{moot:,}" if moot else "–"])
    return rows


class ConflictQueue(Queue):
    """All contradictions of a graph to decide, or some of them, each with its state.

    An item is an edge of the graph: a negative inside a cluster, or a pair that is stated both ways. First come those
    whose decision removes the most wrong labels (`effects`), ties in the order of the data; last come sentences that
    are stated to differ from themselves (`ParaphraseGraph.self_negatives`), which are not edges.

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
    moot
        Answers about other items have left no positive path between its two sentences.
    open
        Not answered; or the two differ, and another path is left.

    An answer given to a label other than the graph's says nothing. The time to read the answers in one cluster is
    linear in its edges and those answers.

    Parameters
    ----------
    answers : Answers, optional
        Those of one person.
    wanted : set of Pair, optional
        Only these conflicts.
    """

    def __init__(self, graph: ParaphraseGraph, answers: Answers | None = None, wanted: set[Pair] | None = None):
        self.graph = graph
        self.within = graph.negatives_inside
        answers = Answers((), graph) if answers is None else answers
        edges = np.flatnonzero(self.within | graph.labelled_twice)
        most = np.ones(len(edges))  # where the rows of a pair contradict each other, one label is wrong
        most[self.within[edges]] = effects(graph, edges[self.within[edges]])
        items = edges[np.argsort(-most, kind="stable")].tolist()
        self.ends = {item: (int(graph.edge_a[item]), int(graph.edge_b[item])) for item in items}
        self.ends |= {len(graph.edge_a) + i: (node, node) for i, node in enumerate(graph.self_negatives.tolist())}
        pairs = answers.pairs_at(*np.array([*self.ends.values()], dtype=np.int64).reshape(-1, 2).T)
        chosen = {item: pair for item, pair in zip(self.ends, pairs, strict=True) if wanted is None or pair in wanted}
        texts = [tuple(graph.texts(self.ends[item])) for item in chosen]
        super().__init__(chosen, texts, chosen.values())
        self.cluster = {item: int(graph.cluster_of[self.ends[item][0]]) for item in self.items}
        self.decided = Decided(graph)
        self._walk = lru_cache(8)(self.decided.path)
        self._about: dict[int, dict[int, Row]] = {}  # by item and edge: the last answers to other edges about it
        self.read(answers)

    def together(self, item: int) -> list[int]:
        """The conflicts of a cluster go to one person: the answer about one may settle another."""
        return [one for one in self.items if self.cluster[one] == self.cluster[item]]

    def is_direct(self, item: int) -> bool:
        """True if only the rows of the pair contradict each other, and no path has to be cut."""
        return item >= len(self.within) or (
            bool(self.graph.labelled_twice[item]) and (not self.within[item] or self._is_split(item))
        )

    def _is_split(self, item: int) -> bool:
        """True if no positive path inside a cluster joins the two sentences."""
        a, b = self.ends[item]
        return bool(self.decided.part_of[a] != self.decided.part_of[b])

    def read(self, answers: Answers) -> None:
        """Read the answers; recompute only clusters with new ones."""
        last: dict[int, Row] = {}  # by edge, or item beyond the edges
        for row in answers.rows:
            edge = self._of_pair.get(row.pair, row.edge)
            if edge >= 0 and row.fits:
                last[edge] = row
        edges = np.array([edge for edge in last if edge < len(self.within)], dtype=np.int64)
        here = np.isin(self.graph.edge_clusters[:, edges], [*self.cluster.values()])
        alone = len(last) - len(edges)
        self.elsewhere = len(answers.rows) - np.count_nonzero(here.any(axis=0)) - alone
        self.decided.read({edge: last[edge].same for edge in edges[here[0]].tolist()})
        self._about = defaultdict(dict)
        for edge, row in last.items():
            for item in map(self._of_pair.get, row.about):
                if item is not None and item != edge:
                    self._about[item][edge] = row
        self._standing = {item: last[item] for item in self.items if item in last}
        states = zip(self.items, self._states(last), strict=True)
        self._state = {item: state for item, state in states if state != "open"}

    def _states(self, last: dict[int, Row]) -> Iterator[str]:
        """Yield the state of each item, by the last answers to edges."""
        graph, part = self.graph, self.decided.part_of
        right = [edge for edge, one in last.items() if one.same == "1" and edge < len(self.within)]
        a, b = graph.ends(np.array(right, dtype=np.int64))
        sure = connected(graph.n, a, b)  # lines that were found right join these
        across = graph.cluster_of[a] != graph.cluster_of[b]
        part = connected(self.decided.parts, part[a[across]], part[b[across]])[part]
        for item in self.items:
            (a, b), same = self.ends[item], last[item].same if item in last else ""
            if same == "0" and part[a] != part[b]:
                yield "cut" if self.is_direct(item) or self.cuts(item) else "moot"
            elif same == "0":
                yield "keep" if sure[a] == sure[b] else "open"
            elif same in ("", "later") and part[a] != part[b] and not graph.labelled_twice[item]:
                yield "moot"
            else:
                yield BY_ANSWER[same]

    def description(self, item: int, long: bool = False) -> str:
        """The state of an item in words."""
        if (state := self.state(item)) == "open" and self.standing(item):
            return "another path" if not long else "cut, but another path, or a pair that you flipped, joins the two"
        return STATES[state][long]

    def cuts(self, item: int) -> list[int]:
        """The positives that were found wrong for an item, in the order of the answers."""
        return [edge for edge, one in self._about.get(item, {}).items() if one.same == "0"]

    def about(self, item: int) -> list[Row]:
        """The answers about other pairs that were given only for this item."""
        return [row for row in self._about.get(item, {}).values() if len(row.about) == 1]

    def before(self, item: int) -> Changes:
        """The changes in the cluster of an item, without those by its own answers once it is decided."""
        changes, own = self.decided.of(self.cluster[item]), {item}
        if self.state(item) != "open":
            own |= {row.edge for row in self.about(item)}
        return Changes(changes.flipped - own, changes.gone - own)

    def path(self, item: int) -> list[int]:
        """The nodes of a shortest positive path against an item, before its own answers; its own rows may be one."""
        a, b = self.ends[item]
        is_half_cut = self.state(item) == "open" and self.standing(item)
        if self.is_direct(item) and (self._is_split(item) or not is_half_cut):
            return [a, b] if a != b else []
        return self._walk(a, b, self.before(item))


def effects(graph: ParaphraseGraph, edges: np.ndarray) -> np.ndarray:
    """The number of wrong labels, stated or inferred, that a right decision on each conflict is expected to remove.

    One label of its cycle is wrong: the negative, or a positive of a shortest path, all equally likely. A flip
    removes one wrong label. A cut removes all positives between the two sides, and none if another path still joins
    them.
    """
    home = graph.edge_clusters[0]
    inside = np.isin(home, home[edges])
    conflicts = np.flatnonzero(inside & graph.negatives_inside)
    positive = np.flatnonzero(inside & (graph.edge_sign > 0))
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
