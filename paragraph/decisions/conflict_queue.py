"""The queue of conflicts, and the state of each."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

import numpy as np

from ..doubts.what_if import Changes, Decided
from ..graph import ParaphraseGraph
from ..graph.arrays import connected
from .answers import Answers, Pair, Row
from .queue import Queue

__all__ = ["ConflictQueue", "what_if"]

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
        moot = f"{moot:,}" if moot else "–"
        rows.append([name, *after.cells(before), moot])
    return rows


class ConflictQueue(Queue):
    """All contradictions of a graph to decide, or some of them, each with its state.

    An item is an edge of the graph: a negative inside a cluster, or a pair that is stated both ways. They come
    in the order of the data; last come sentences that are stated to differ from themselves
    (`ParaphraseGraph.self_negatives`), which are not edges.

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
        edges = np.flatnonzero(graph.conflicting)
        self._edges = len(graph.edge_a)
        alone = graph.self_negatives
        beyond = range(self._edges, self._edges + len(alone))
        a, b = np.append(graph.ends(edges), [alone, alone], axis=1)
        nodes = zip(a.tolist(), b.tolist(), strict=True)
        pairs = dict(zip([*edges.tolist(), *beyond], answers.pairs_at(a, b), strict=True))
        self.ends = dict(zip(pairs, nodes, strict=True))
        if wanted is not None:
            pairs = {item: pair for item, pair in pairs.items() if pair in wanted}
            self.ends = {item: self.ends[item] for item in pairs}
        firsts = [a for a, _ in self.ends.values()]
        self.cluster = dict(zip(pairs, graph.cluster_of[firsts].tolist(), strict=True))
        texts = map(graph.texts, self.ends.values())
        super().__init__(pairs, texts, pairs.values())
        self.decided = Decided(graph)
        self._walk = lru_cache(8)(self.decided.path)
        self.read(answers)

    def together(self, item: int) -> list[int]:
        """The conflicts of a cluster go to one person: the answer about one may settle another."""
        home = self.cluster[item]
        return [one for one in self.items if self.cluster[one] == home]

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
        self.elsewhere = len(answers.rows)
        same = {}  # of the edges at these clusters
        homes = {*self.cluster.values()}
        for row in answers.rows:
            edge = self._of_pair.get(row.pair, row.edge)
            if edge < 0 or not row.fits:
                continue
            last[edge] = row
            if edge < self._edges:
                ends = self.graph.edge_clusters[:, edge]
                if homes.isdisjoint(ends.tolist()):
                    continue
                same[edge] = row.same
            self.elsewhere -= 1
        self.decided.read(same)
        self._about = defaultdict(
            dict
        )  # by item and edge: the last answers to other edges about it
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
        right = [edge for edge, row in last.items() if row.same == "1"]
        right = np.array(right, dtype=np.int64)
        a, b = graph.ends(right[right < self._edges])
        sure = connected(graph.n, a, b)  # lines that were found right join these
        across = graph.cluster_of[a] != graph.cluster_of[b]
        part = self.decided.part_of
        one = part[a[across]]
        other = part[b[across]]
        joined = connected(self.decided.parts, one, other)
        part = joined[part]
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
        rows = self._about.get(item, {})
        return [edge for edge, row in rows.items() if row.same == "0"]

    def about(self, item: int) -> list[Row]:
        """The answers about other pairs that were given only for this item."""
        rows = self._about.get(item, {})
        return [row for row in rows.values() if len(row.about) == 1]

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
        is_more = self.is_half_cut(item) and not self._is_split(item)
        if self.is_direct(item) and not is_more:
            return [a, b]
        return self._walk(a, b, self.before(item))
