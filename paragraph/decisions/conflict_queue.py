"""The queue of conflicts, those first whose decision removes the most wrong labels; and the state of each."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import chain

import numpy as np

from ..doubts.what_if import Changes, Decided
from ..graph import ParaphraseGraph
from ..graph.arrays import connected
from ..graph.bridges import bridges
from ..graph.conflicts import contradictions
from .answers import Answers, Pair, Row
from .queue import Queue

__all__ = ["ConflictQueue", "effects", "what_if"]

#: A state in words: in the list, and above the pair.
STATES = {
    "open": ("", "not decided"),
    "half cut": (
        "another path",
        "cut, but another path, or a pair that you flipped, joins the two",
    ),
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
    graph = decided.graph
    before = decided.outcome(cluster, now)
    rows = [["as it is", *before.cells(), ""]]
    for name, edge in wrong.items():
        if graph.edge_sign[edge] > 0:
            then = now._replace(gone=now.gone | {edge})
        else:
            then = now._replace(flipped=now.flipped | {edge})
        after = decided.outcome(cluster, then)
        apart = after.apart - before.apart - {*wrong.values()}
        moot = np.count_nonzero(graph.negatives_inside[list(apart)])
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

    def __init__(
        self,
        graph: ParaphraseGraph,
        answers: Answers | None = None,
        wanted: set[Pair] | None = None,
    ):
        self.graph = graph
        answers = answers or Answers((), graph)
        within = graph.negatives_inside
        order = np.flatnonzero(graph.conflicting)
        # where the rows of a pair contradict each other, one label is wrong
        removed = np.ones(len(order))
        removed[within[order]] = effects(graph)
        order = order[np.argsort(-removed, kind="stable")]
        self._edges = len(within)
        alone = graph.self_negatives
        items = [*order.tolist(), *range(self._edges, self._edges + len(alone))]
        ends = np.append(graph.ends(order), [alone, alone], axis=1)
        pairs = []
        self.ends = {}
        self.cluster = {}
        for item, nodes, pair in zip(items, ends.T.tolist(), answers.pairs_at(*ends), strict=True):
            if wanted is None or pair in wanted:
                pairs.append(pair)
                self.ends[item] = tuple(nodes)
                self.cluster[item] = int(graph.cluster_of[nodes[0]])
        super().__init__(self.ends, map(graph.texts, self.ends.values()), pairs)
        self.decided = Decided(graph)
        self._walk = lru_cache(8)(self.decided.path)
        self.read(answers)

    def together(self, item: int) -> list[int]:
        """The conflicts of a cluster go to one person: the answer about one may settle another."""
        return [one for one in self.items if self.cluster[one] == self.cluster[item]]

    def is_direct(self, item: int) -> bool:
        """True if only the rows of the pair contradict each other, and no path has to be cut."""
        if item >= self._edges:
            return True
        joined = self.graph.negatives_inside[item] and not self._is_split(item)
        return bool(self.graph.labelled_twice[item]) and not joined

    def _is_split(self, item: int) -> bool:
        """True if no positive path inside a cluster joins the two sentences."""
        a, b = self.ends[item]
        return bool(self.decided.part_of[a] != self.decided.part_of[b])

    def read(self, answers: Answers) -> None:
        """Read the answers; recompute only clusters with new ones."""
        last = {}  # by edge, or item beyond the edges
        near = 0
        same = {}  # of the edges at these clusters
        homes = {*self.cluster.values()}
        for row in answers.rows:
            edge = self._of_pair.get(row.pair, row.edge)
            if edge < 0 or not row.fits:
                continue
            last[edge] = row
            if edge >= self._edges:
                near += 1
            elif not homes.isdisjoint(self.graph.edge_clusters[:, edge].tolist()):
                near += 1
                same[edge] = row.same
        self.elsewhere = len(answers.rows) - near
        self.decided.read(same)
        # by item and edge: the last answers to other edges about it
        self._about = defaultdict(dict)
        for edge, row in last.items():
            for pair in row.about:
                item = self._of_pair.get(pair, edge)
                if item != edge:
                    self._about[item][edge] = row
        self.rows = {item: last[item] for item in self.items if item in last}
        self.states = self._states(last)

    def _states(self, last: dict[int, Row]) -> dict[int, str]:
        """The state of each item that is not open, by the last answers to edges."""
        graph = self.graph
        right = [edge for edge, row in last.items() if row.same == "1" and edge < self._edges]
        a, b = graph.ends(np.array(right, dtype=np.int64))
        sure = connected(graph.n, a, b)  # lines that were found right join these
        across = graph.cluster_of[a] != graph.cluster_of[b]
        part = self.decided.part_of
        part = connected(graph.n, part[a[across]], part[b[across]])[part]
        states = {}
        for item in self.items:
            a, b = self.ends[item]
            same = last[item].same if item in last else ""
            apart = part[a] != part[b]
            if same == "0" and apart:
                state = "cut" if self.is_direct(item) or self.cuts(item) else "moot"
            elif same == "0":
                state = "keep" if sure[a] == sure[b] else "open"
            elif apart and same in ("", "later") and not graph.labelled_twice[item]:
                state = "moot"
            else:
                state = BY_ANSWER[same]
            if state != "open":
                states[item] = state
        return states

    def is_half_cut(self, item: int) -> bool:
        """True if a positive was found wrong for an item, and something else still joins the two."""
        return self.state(item) == "open" and item in self.rows

    def description(self, item: int, long: bool = False) -> str:
        """The state of an item in words."""
        state = "half cut" if self.is_half_cut(item) else self.state(item)
        return STATES[state][long]

    def cuts(self, item: int) -> list[int]:
        """The positives that were found wrong for an item, in the order of the answers."""
        return [edge for edge, row in self._about.get(item, {}).items() if row.same == "0"]

    def about(self, item: int) -> list[Row]:
        """The answers about other pairs that were given only for this item."""
        return [row for row in self._about.get(item, {}).values() if len(row.about) == 1]

    def before(self, item: int) -> Changes:
        """The changes in the cluster of an item, without those by its own answers once it is decided."""
        own = {item}
        if self.state(item) != "open":
            own |= {row.edge for row in self.about(item)}
        changes = self.decided.of(self.cluster[item])
        return Changes(changes.flipped - own, changes.gone - own)

    def path(self, item: int) -> list[int]:
        """The nodes of a shortest positive path against an item, before its own answers; its own rows may be one."""
        a, b = self.ends[item]
        if a == b:
            return []
        if self.is_direct(item) and (self._is_split(item) or not self.is_half_cut(item)):
            return [a, b]
        return self._walk(a, b, self.before(item))


def effects(graph: ParaphraseGraph) -> np.ndarray:
    """The number of wrong labels, stated or inferred, that a right decision on each conflict is expected to remove.

    Of the negatives inside clusters, in their order. One label of the cycle is wrong: the negative, or a positive of
    a shortest path, all equally likely. A flip removes one wrong label. A cut removes all positives between the two
    sides, and none if another path still joins them.
    """
    conflicts = np.flatnonzero(graph.negatives_inside)
    cycles = contradictions(graph).steps[: len(conflicts)]
    length = np.array([len(cycle) for cycle in cycles], dtype=np.int64)
    steps = np.fromiter(chain.from_iterable(cycles), np.int64)
    # Cutting a bridge separates all pairs across it, and none of the conflicts among them is positive; cutting
    # another edge separates none.
    home = graph.edge_clusters[0]
    positive = np.flatnonzero(np.isin(home, home[conflicts]) & (graph.edge_sign > 0))
    nodes, ends = np.unique(graph.ends(positive), return_inverse=True)
    bridge, below = bridges(len(nodes), *ends.reshape(2, -1))
    bridge = positive[bridge]
    size = graph.cluster_sizes[graph.cluster_of[graph.edge_a[bridge]]]
    removed = np.zeros(len(home))
    removed[bridge] = below * (size - below) - np.bincount(steps, minlength=len(removed))[bridge]
    by_cuts = np.bincount(np.repeat(np.arange(len(cycles)), length), removed[steps], len(cycles))
    return (1 + by_cuts) / (1 + length)
