"""The queue of conflicts, by the wrong labels that a decision removes; and their states."""

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

#: By state, its words in the list, and those above the pair.
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
#: By the answer about the pair of a conflict, the state, if that answer alone decides it.
BY_ANSWER = {"1": "flip", "?": "ambiguous", "later": "skip", "": "open"}


def what_if(decided: Decided, cluster: int, now: Changes, wrong: dict[str, int]) -> list[list[str]]:
    """Tabulate the effects if each of some labels of a cluster were wrong.

    `wrong` has the edge of a label by its name. A row has the name, the clusters, the inferred
    labels, and the number of conflicts that become moot besides. The first row is the state with
    the changes `now`.
    """
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
        moot_text = f"{moot:,}" if moot else "–"
        rows.append([name, *after.cells(before), moot_text])
    return rows


class ConflictQueue(Queue):
    """All contradictions of a graph to decide, or some of them, each with its state.

    An item is an edge of the graph: a negative inside a cluster, or a pair that is stated both
    ways. First come those whose decision removes the most wrong labels (`effects`), ties in the
    order of the data. Last come sentences that are stated to differ from themselves
    (`ParaphraseGraph.self_negatives`); these items are numbers beyond the edges.

    States
    ------
    flip, ambiguous
        The last answer about the pair that was not taken back: the same; nobody can say.
    cut
        The two differ, and no positive path joins them any more.
    keep
        The two differ, and every line of a path that joins them was found right.
    skip
        Asked again when nothing is open.
    moot
        Answers about other items have left no positive path between the two sentences.
    open
        Not answered; or the two differ, and another path is left.

    An answer to a label other than the graph's does not count. The time to read the answers in one
    cluster is linear in its edges and those answers.

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
        edges = _by_effect(graph)
        self._edge_count = len(graph.negatives_inside)
        alone = graph.self_negatives
        beyond = self._edge_count + np.arange(len(alone))
        items = np.append(edges, beyond).tolist()
        ends = np.append(graph.ends(edges), [alone, alone], axis=1)
        pairs_at = answers.pairs_at(*ends)
        pairs = []
        self.ends = {}
        self.cluster = {}
        for item, nodes, pair in zip(items, ends.T.tolist(), pairs_at, strict=True):
            if wanted is None or pair in wanted:
                pairs.append(pair)
                self.ends[item] = tuple(nodes)
                self.cluster[item] = int(graph.cluster_of[nodes[0]])
        texts = map(graph.texts, self.ends.values())
        super().__init__(self.ends, texts, pairs)
        self.decided = Decided(graph)
        self._walk = lru_cache(8)(self.decided.path)
        self.read(answers)

    def together(self, item: int) -> list[int]:
        """The conflicts of the same cluster: the answer about one may decide another."""
        cluster = self.cluster[item]
        return [other for other in self.items if self.cluster[other] == cluster]

    def is_direct(self, item: int) -> bool:
        """True if the rows of the pair alone contradict each other, and no path has to be cut."""
        if item >= self._edge_count:
            return True
        is_joined = self.graph.negatives_inside[item] and not self._is_split(item)
        return bool(self.graph.labelled_twice[item]) and not is_joined

    def _is_split(self, item: int) -> bool:
        """True if no positive path inside a cluster joins the two sentences."""
        a, b = self.ends[item]
        return bool(self.decided.part_of[a] != self.decided.part_of[b])

    def read(self, answers: Answers) -> None:
        """Read the answers; only clusters with new answers are computed again."""
        last = {}  # by edge, or item beyond the edges: the row of the last answer
        here = 0
        same = {}  # by edge at the clusters of the items
        homes = {*self.cluster.values()}
        for row in answers.rows:
            edge = self._item_by_pair.get(row.pair, row.edge)
            if edge < 0 or not row.fits:
                continue
            last[edge] = row
            if edge >= self._edge_count:
                here += 1
                continue
            clusters = self.graph.edge_clusters[:, edge]
            if not homes.isdisjoint(clusters.tolist()):
                here += 1
                same[edge] = row.same
        self.elsewhere = len(answers.rows) - here
        self.decided.read(same)
        # by item, then by edge: the rows of other edges that are about the item
        self._about = defaultdict(dict)
        for edge, row in last.items():
            for pair in row.about:
                item = self._item_by_pair.get(pair, edge)
                if item != edge:
                    self._about[item][edge] = row
        self.rows = {item: last[item] for item in self.items if item in last}
        self.states = self._states(last)

    def _states(self, last: dict[int, Row]) -> dict[int, str]:
        """The state of each item that is not open, by the last answers to edges."""
        part, sure = self._parts(last)
        states = {}
        for item in self.items:
            a, b = self.ends[item]
            same = last[item].same if item in last else ""
            apart = part[a] != part[b]
            if same == "0" and apart:
                state = "cut" if self.is_direct(item) or self.cuts(item) else "moot"
            elif same == "0":
                state = "keep" if sure[a] == sure[b] else "open"
            elif apart and same in ("", "later") and not self.graph.labelled_twice[item]:
                state = "moot"
            else:
                state = BY_ANSWER[same]
            if state != "open":
                states[item] = state
        return states

    def _parts(self, last: dict[int, Row]) -> tuple[np.ndarray, np.ndarray]:
        """By node: its part as all positives join them; and as those found right do alone."""
        graph = self.graph
        right = [edge for edge, row in last.items() if row.same == "1" and edge < self._edge_count]
        a, b = graph.ends(np.array(right, dtype=np.int64))
        sure = connected(graph.n, a, b)
        across = graph.cluster_of[a] != graph.cluster_of[b]
        part = self.decided.part_of
        part_a = part[a[across]]
        part_b = part[b[across]]
        return connected(graph.n, part_a, part_b)[part], sure

    def is_half_cut(self, item: int) -> bool:
        """True if a positive was found wrong for an item, and something else still joins the two."""
        return self.state(item) == "open" and item in self.rows

    def description(self, item: int, long: bool = False) -> str:
        """The state of an item in words."""
        state = "half cut" if self.is_half_cut(item) else self.state(item)
        return STATES[state][long]

    def cuts(self, item: int) -> list[int]:
        """The positives that were found wrong for an item, in the order of the answers."""
        rows = self._about.get(item, {})
        return [edge for edge, row in rows.items() if row.same == "0"]

    def about(self, item: int) -> list[Row]:
        """The answers about other pairs that were given for this item alone."""
        rows = self._about.get(item, {})
        return [row for row in rows.values() if len(row.about) == 1]

    def before(self, item: int) -> Changes:
        """The changes in the cluster of an item; if it is decided, without its own answers."""
        own = {item}
        if self.state(item) != "open":
            own |= {row.edge for row in self.about(item)}
        changes = self.decided.of(self.cluster[item])
        return Changes(changes.flipped - own, changes.gone - own)

    def path(self, item: int) -> list[int]:
        """The nodes of a shortest positive path that joins an item, before its own answers.

        If only its own rows contradict each other, these are its two nodes; none for a sentence
        with itself.
        """
        a, b = self.ends[item]
        if a == b:
            return []
        is_joined = self.is_half_cut(item) and not self._is_split(item)
        if self.is_direct(item) and not is_joined:
            return [a, b]
        return self._walk(a, b, self.before(item))


def _by_effect(graph: ParaphraseGraph) -> np.ndarray:
    """The edges that conflict, those first whose decision removes the most wrong labels."""
    edges = np.flatnonzero(graph.conflicting)
    removed = np.ones(len(edges))  # if the rows of a pair contradict each other, one label is wrong
    removed[graph.negatives_inside[edges]] = effects(graph)
    return edges[np.argsort(-removed, kind="stable")]


def effects(graph: ParaphraseGraph) -> np.ndarray:
    """The number of wrong labels, stated or inferred, that a right decision on each conflict is expected to remove.

    One number per negative inside a cluster, in their order. One label of the cycle is wrong: the
    negative, or a positive of a shortest path, all equally likely. A flip removes one wrong label.
    A cut removes all positives between the two sides, and none if another path still joins them.
    """
    conflicts = np.flatnonzero(graph.negatives_inside)
    cycles = contradictions(graph).steps[: len(conflicts)]
    length = np.array([len(cycle) for cycle in cycles], dtype=np.int64)
    steps = np.fromiter(chain.from_iterable(cycles), np.int64)
    # Cutting a bridge removes a wrong positive for each pair across it, except the conflicts: these
    # are stated negatives. Cutting another edge separates no pair.
    home = graph.edge_clusters[0]
    is_near = np.isin(home, home[conflicts])
    positive = np.flatnonzero(is_near & (graph.edge_sign > 0))
    nodes, ends = np.unique(graph.ends(positive), return_inverse=True)
    place, below = bridges(len(nodes), *ends.reshape(2, -1))
    bridge = positive[place]
    cluster = graph.cluster_of[graph.edge_a[bridge]]
    above = graph.cluster_sizes[cluster] - below
    conflicts_across = np.bincount(steps, minlength=len(home))[bridge]
    removed = np.zeros(len(home))  # by edge: if it is cut
    removed[bridge] = below * above - conflicts_across
    cycle_of_step = np.repeat(np.arange(len(cycles)), length)
    by_cuts = np.bincount(cycle_of_step, removed[steps], len(cycles))
    return (1 + by_cuts) / (1 + length)
