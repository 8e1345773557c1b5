"""Changed labels: the rows as they become, and a cluster as it falls apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..files import PairsError
from ..graph import ParaphraseGraph
from ..graph.arrays import connected, pair_keys
from ..graph.paths import disjoint_paths, shortest_path

__all__ = ["NONE", "Changes", "Decided", "Outcome", "relabelled"]

#: The effects of a cut on the rows of a positive.
CUT = {"drop": "dropped", "negative": "becomes 0"}
#: Parts of a cluster that are named, at most.
NAMED = 4


class Changes(NamedTuple):
    """Changed labels, as edges of the graph."""

    flipped: frozenset[int] = frozenset()  #: negatives that count as positive
    gone: frozenset[int] = frozenset()  #: positives cut, and pairs set aside as ambiguous


NONE = Changes()


class Outcome(NamedTuple):
    """A cluster under some changes."""

    parts: tuple[int, ...]  #: sentences of each cluster it falls into, largest first
    positive: int  #: inferred positive labels
    negative: int  #: inferred negative labels, including those to other clusters (rule "all")
    apart: frozenset[int]  #: its labels whose ends are no longer joined

    def cells(self, before: Outcome | None = None) -> list[str]:
        """Sizes of the parts, and inferred positives and negatives as changes from `before`, in words."""
        sizes = [f"{size:,}" for size in self.parts]
        if len(sizes) > NAMED:
            sizes[NAMED:] = ["…"]
        counts = [f"{self.positive:,}", f"{self.negative:,}"]
        if before is not None:
            more = (self.positive - before.positive, self.negative - before.negative)
            counts = [f"{one:+,}".replace("-", "−").replace("+0", "±0") for one in more]
        return [" + ".join(sizes), *counts]


class Decided:
    """A graph under changes, cluster by cluster: a change in one cluster never joins two.

    The graph is not copied. The first question is linear in the edges of the graph, others in those of the cluster.

    Examples
    --------
    >>> rows = [("a", "b", 1), ("b", "c", 1), ("c", "d", 1), ("a", "c", 0)]
    >>> graph = ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    >>> decided = Decided(graph)
    >>> decided.outcome(0)[:3]
    ((4,), 2, 0)
    >>> decided.outcome(0, Changes(gone=frozenset([1])))  # without b-c, the negative holds for 2 × 2 pairs
    Outcome(parts=(2, 2), positive=0, negative=3, apart=frozenset({1, 3}))
    """

    def __init__(self, graph: ParaphraseGraph):
        self.graph = graph
        self.changes: dict[int, Changes] = {}  # by cluster
        #: By sentence: its part of a cluster, of which the first keeps the cluster's number.
        self.part_of = graph.cluster_of.astype(np.int64)
        # of the part of each sentence
        self._size_of = graph.cluster_sizes[graph.cluster_of].astype(np.int64)
        self.parts = len(graph.cluster_sizes)  #: numbers of parts that were given
        self._cluster = lru_cache(1)(partial(_Cluster, self))

    def of(self, cluster: int) -> Changes:
        """The changes in a cluster."""
        return self.changes.get(cluster, NONE)

    def set(self, cluster: int, changes: Changes) -> None:
        """Make these the changes in a cluster."""
        if changes == self.of(cluster):
            return
        self.changes[cluster] = changes
        here = self._cluster(cluster)
        part, sizes = here.parts(changes)
        ids = np.arange(self.parts - 1, self.parts + len(sizes) - 1)
        ids[0] = cluster
        self.parts += len(sizes) - 1
        self.part_of[here.members] = ids[part]
        self._size_of[here.members] = sizes[part]

    def read(self, same: dict[int, str]) -> None:
        """Make the changes those by answers about edges, "1" (the same), "0", "?" or "later", and no others.

        An answer about a label between two clusters changes neither.
        """
        flipped = defaultdict(set)  # by cluster
        gone = defaultdict(set)
        for edge, home, away in zip(
            same, *self.graph.edge_clusters[:, [*same]].tolist(), strict=True
        ):
            positive = self.graph.edge_sign[edge] > 0
            if home != away:
                continue
            if same[edge] == "1" and not positive:
                flipped[home].add(edge)
            elif same[edge] == "?" or (same[edge] == "0" and positive):
                gone[home].add(edge)
        for cluster in {*self.changes, *flipped, *gone}:
            self.set(cluster, Changes(frozenset(flipped[cluster]), frozenset(gone[cluster])))

    def outcome(self, cluster: int, changes: Changes | None = None) -> Outcome:
        """The cluster under these changes instead of those that were set."""
        here = self._cluster(cluster)
        if changes is None:
            changes = self.of(cluster)
        part, sizes = here.parts(changes)
        ends = np.sort(part[[here.a, here.b]], axis=0)
        across = ends[0] != ends[1]
        flipped, gone = here.flags(changes)
        positive = (sizes * (sizes - 1) // 2).sum()
        positive -= np.count_nonzero(~gone & ~across)
        # A negative between two parts applies to every pair of them; so does one to a part of another cluster.
        stated = across & here.negative & ~gone & ~flipped
        a, b = np.unique(ends[:, stated], axis=1)
        near, far = np.unique([part[here.out], here.far], axis=1)
        negative = sizes[a] @ sizes[b] + sizes[near] @ here.far_size[far]
        negative -= np.count_nonzero(stated) + len(here.out)
        parts = tuple(sorted(sizes.tolist(), reverse=True))
        return Outcome(parts, int(positive), int(negative), frozenset(here.edges[across].tolist()))

    def disjoint(self, a: int, b: int, changes: Changes | None = None) -> int:
        """The number of edge-disjoint paths of positives that join two sentences of one cluster."""
        links, start, end = self._between(a, b, changes)
        if links.cluster_of[start] != links.cluster_of[end]:
            return 0
        return int(disjoint_paths(links, *np.array([[start], [end]]))[0])

    def path(self, a: int, b: int, changes: Changes | None = None) -> list[int]:
        """The nodes of a shortest path of positives, of several the least by node; empty if there is none."""
        links, start, end = self._between(a, b, changes)
        if links.cluster_of[start] != links.cluster_of[end]:
            return []
        members = self.graph.members(self.graph.cluster_of[a])
        return members[shortest_path(links, start, end)].tolist()

    def path_edges(self, path: list[int]) -> list[int]:
        """The edges of a path."""
        return [self.graph.edge_between(a, b) for a, b in pairwise(path)]

    def _between(self, a: int, b: int, changes: Changes | None) -> tuple[ParaphraseGraph, int, int]:
        """The positives of the cluster of two sentences as a graph, and the two in it."""
        cluster = int(self.graph.cluster_of[a])
        if changes is None:
            changes = self.of(cluster)
        here = self._cluster(cluster)
        stands = here.stands(changes)
        sign = np.ones(stands.sum(), dtype=np.int8)
        links = ParaphraseGraph(here.a[stands], here.b[stands], sign, len(here.members))
        return links, *self.graph.place_in_cluster[[a, b]].tolist()


class _Cluster:
    """The stated labels of one cluster, its sentences numbered from 0."""

    def __init__(self, decided: Decided, cluster: int):
        graph = decided.graph
        edges = graph.edges_at([cluster])
        inside = np.equal(*graph.edge_clusters[:, edges])
        self.members = graph.members(cluster)
        self.edges = edges[inside]  # which ascend
        self.negative = graph.edge_sign[self.edges] < 0
        place = graph.place_in_cluster
        self.a, self.b = place[graph.ends(self.edges)]
        a, b = graph.ends(edges[~inside])
        a_is_here = graph.cluster_of[a] == cluster
        self.out = place[np.where(a_is_here, a, b)]
        other = np.where(a_is_here, b, a)
        # Of each negative that leaves the cluster, the part at its other end; and the size of each such part.
        _, first, self.far = np.unique(
            decided.part_of[other], return_index=True, return_inverse=True
        )
        self.far_size = decided._size_of[other[first]]

    def flags(self, changes: Changes) -> tuple[np.ndarray, np.ndarray]:
        """Flags of the cluster's edges that are flipped, and of those that are gone."""
        flipped, gone = (np.isin(self.edges, [*some]) for some in changes)
        return flipped, gone

    def stands(self, changes: Changes) -> np.ndarray:
        """Flags of the cluster's edges that are positive under these changes."""
        flipped, gone = self.flags(changes)
        return (~self.negative & ~gone) | flipped

    def parts(self, changes: Changes) -> tuple[np.ndarray, np.ndarray]:
        """The part of each sentence, and the sizes of the parts."""
        stands = self.stands(changes)
        part = connected(len(self.members), self.a[stands], self.b[stands])
        return part, np.bincount(part)


def relabelled(
    graph: ParaphraseGraph,
    ends: np.ndarray,
    same: Sequence[int | None],
    cut: str = "drop",
    ids: Sequence[str] | None = None,
) -> tuple[pd.DataFrame, np.ndarray, list[tuple[str, list[int]]]]:
    """A copy of the rows of a graph with changed labels, the effect on each row, and that on each pair with its rows.

    If the two are the same, the rows of the pair become 1; if they are not, those that do not say 0 are dropped or
    become 0; if nobody can say (None), all are dropped. A row without a label changes if others of its pair do. The
    effect on a row is "becomes 1", "becomes 0", "dropped", "stays", or "" if its pair is none of these. Of a pair,
    the rows that change are listed with their effect, or all of them with "stays"; their numbers are those of the
    source (column `row`), or places.

    Parameters
    ----------
    ends : int array, shape (2, pairs)
        The nodes of distinct pairs; the same node twice for a pair of a sentence with itself.
    cut : {"drop", "negative"}
    ids : list of str, optional
        The answer behind each pair, which goes into the column `decided`.
    """
    if graph.pairs is None:
        raise PairsError("this graph was made from codes; it has no rows to change")
    if cut not in CUT:
        raise PairsError(f"cut {cut!r} is not one of 'drop', 'negative'")
    pairs = graph.pairs
    wanted = pd.Index(pair_keys(*ends, graph.n))
    place = wanted.get_indexer(pair_keys(graph.row_a, graph.row_b, graph.n))
    hit = np.flatnonzero(place >= 0)
    at = place[hit]
    sign = np.asarray(graph.row_sign)[hit]
    signs = {1: 1, 0: -1, None: 0}
    wish = np.array([signs[one] for one in same], dtype=np.int64)[at]
    differs = (sign != wish) | (wish == 0)
    turned = np.isin(at, at[differs & ((sign != 0) | (wish == 0))])
    changes = turned & differs
    effect = np.full(len(pairs), "", dtype=object)
    by_wish = np.array(["dropped", "becomes 1", CUT[cut]], dtype=object)[wish]
    effect[hit] = np.where(changes, by_wish, "stays")
    label = pairs["label"].astype("Int8")
    label = label.mask(effect == "becomes 1", 1).mask(effect == "becomes 0", 0)
    columns = {"label": label.array}
    if ids is not None:
        decided = pairs.get("decided", pd.Series("", pairs.index)).to_numpy(object, copy=True)
        decided[hit] = np.array(ids, dtype=object)[at]
        columns["decided"] = pd.array(decided, dtype="str")
    found = pairs.assign(**columns)[effect != "dropped"].reset_index(drop=True)
    found.attrs = dict(pairs.attrs)
    numbers = np.asarray(pairs.get("row", np.arange(len(pairs))))
    effects = [("stays", []) for _ in wanted]
    listed = changes | ~turned
    for i, row in zip(at[listed], hit[listed], strict=True):
        _, rows = effects[i]
        effects[i] = (effect[row], [*rows, int(numbers[row])])
    return found, effect, effects
