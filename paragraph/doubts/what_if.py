"""Changed labels: their effect on the rows of a table, and on the parts of a cluster."""

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
from ..graph.arrays import Array, connected, pair_keys
from ..graph.paths import disjoint_paths, shortest_path

__all__ = ["NONE", "Changes", "Decided", "Outcome", "relabelled"]

#: The effects of a cut on the rows of a positive.
CUT = {"drop": "dropped", "negative": "becomes 0"}
#: The number of parts of a cluster that are written out, at most.
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
            changes = (self.positive - before.positive, self.negative - before.negative)
            counts = [f"{change:+,}".replace("-", "−").replace("+0", "±0") for change in changes]
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
        starts, nodes = graph.cluster_members
        #: For each sentence the part of a cluster that it is in, as the first sentence of that part.
        self.part_of = nodes[starts[graph.cluster_of]]
        # for each sentence the size of that part
        self._size_of = graph.cluster_sizes[graph.cluster_of].astype(np.int64)
        self._cluster = lru_cache(1)(partial(_Cluster, self))

    def of(self, cluster: int) -> Changes:
        """The changes in a cluster."""
        return self.changes.get(cluster, NONE)

    def set(self, cluster: int, changes: Changes) -> None:
        """Make these the changes in a cluster."""
        if changes == self.of(cluster):
            return
        self.changes[cluster] = changes
        members = self.graph.members(cluster)
        part, sizes = self._cluster(cluster).parts(changes)
        _, first = np.unique(part, return_index=True)
        self.part_of[members] = members[first[part]]
        self._size_of[members] = sizes[part]

    def read(self, same: dict[int, str]) -> None:
        """Replace all changes by those that answers about edges make: "1" (the same), "0", "?" or "later".

        An answer about a label between two clusters changes neither.
        """
        flipped = defaultdict(set)  # by cluster
        gone = defaultdict(set)
        clusters = self.graph.edge_clusters[:, [*same]].T.tolist()
        for (edge, answer), (home, away) in zip(same.items(), clusters, strict=True):
            positive = self.graph.edge_sign[edge] > 0
            if home != away:
                continue
            if answer == "1" and not positive:
                flipped[home].add(edge)
            elif answer == "?" or (answer == "0" and positive):
                gone[home].add(edge)
        for cluster in {*self.changes, *flipped, *gone}:
            self.set(cluster, Changes(frozenset(flipped[cluster]), frozenset(gone[cluster])))

    def outcome(self, cluster: int, changes: Changes | None = None) -> Outcome:
        """The cluster under these changes in place of those that were set."""
        here = self._cluster(cluster)
        if changes is None:
            changes = self.of(cluster)
        part, sizes = here.parts(changes)
        ends = np.sort(part[here.ends], axis=0)
        across = ends[0] != ends[1]
        flipped, gone = here.flags(changes)
        pairs = sizes * (sizes - 1) // 2
        positive = pairs.sum()
        positive -= np.count_nonzero(~gone & ~across)
        # A negative between two parts applies to every pair of them; so does one to a part of another cluster.
        stated = across & here.negative
        stated &= ~gone & ~flipped
        a, b = np.unique(ends[:, stated], axis=1)
        near, far = np.unique([part[here.out], here.far], axis=1)
        negative = sizes[a] @ sizes[b]
        negative += sizes[near] @ here.far_size[far]
        negative -= np.count_nonzero(stated)
        negative -= len(here.out)
        parts = sorted(sizes.tolist(), reverse=True)
        apart = here.edges[across].tolist()
        return Outcome(tuple(parts), int(positive), int(negative), frozenset(apart))

    def disjoint(self, a: int, b: int, changes: Changes | None = None) -> int:
        """The number of edge-disjoint paths of positives that join two sentences of one cluster."""
        links, ends = self._positives(a, b, changes)
        part_a, part_b = links.cluster_of[ends]
        if part_a != part_b:
            return 0
        [number] = disjoint_paths(links, *ends[:, None])
        return int(number)

    def path(self, a: int, b: int, changes: Changes | None = None) -> list[int]:
        """The nodes of a shortest path of positives, of several the first by node number; empty if none."""
        links, ends = self._positives(a, b, changes)
        part_a, part_b = links.cluster_of[ends]
        if part_a != part_b:
            return []
        path = shortest_path(links, *ends.tolist())
        members = self.graph.members(self.graph.cluster_of[a])
        return members[path].tolist()

    def path_edges(self, path: list[int]) -> list[int]:
        """The edges of a path."""
        return [self.graph.edge_between(a, b) for a, b in pairwise(path)]

    def _positives(self, a: int, b: int, changes: Changes | None) -> tuple[ParaphraseGraph, Array]:
        """The positives of the cluster of two sentences as a graph, and the nodes of the two in it."""
        cluster = int(self.graph.cluster_of[a])
        if changes is None:
            changes = self.of(cluster)
        here = self._cluster(cluster)
        links = here.ends[:, here.stands(changes)]
        sign = np.ones(links.shape[1], dtype=np.int8)
        return ParaphraseGraph(*links, sign, here.size), self.graph.place_in_cluster[[a, b]]


class _Cluster:
    """The stated labels of one cluster, its sentences numbered from 0."""

    def __init__(self, decided: Decided, cluster: int):
        graph = decided.graph
        edges = graph.edges_at([cluster])
        inside = np.equal(*graph.edge_clusters[:, edges])
        self.size = int(graph.cluster_sizes[cluster])
        self.edges = edges[inside]  # ascending
        self.negative = graph.edge_sign[self.edges] < 0
        self.ends = graph.place_in_cluster[graph.ends(self.edges)]
        # Each negative that leaves the cluster: `out` is its sentence in the cluster, `far` the number of the part at
        # its other end. Few parts are reached, so they are numbered from 0; `far_size` has their sizes.
        a, b = graph.ends(edges[~inside])
        a_is_here = graph.cluster_of[a] == cluster
        near = np.where(a_is_here, a, b)
        self.out = graph.place_in_cluster[near]
        far = np.where(a_is_here, b, a)
        part = decided.part_of[far]
        parts, self.far = np.unique(part, return_inverse=True)
        self.far_size = decided._size_of[parts]

    def flags(self, changes: Changes) -> tuple[Array, Array]:
        """Flags of the cluster's edges that are flipped, and of those that are gone."""
        flipped = np.isin(self.edges, [*changes.flipped])
        gone = np.isin(self.edges, [*changes.gone])
        return flipped, gone

    def stands(self, changes: Changes) -> Array:
        """Flags of the cluster's edges that are positive under these changes."""
        flipped, gone = self.flags(changes)
        return (~self.negative & ~gone) | flipped

    def parts(self, changes: Changes) -> tuple[Array, Array]:
        """The part of each sentence, and the sizes of the parts."""
        part = connected(self.size, *self.ends[:, self.stands(changes)])
        return part, np.bincount(part)


def relabelled(
    graph: ParaphraseGraph,
    ends: Array,
    same: Sequence[int | None],
    ids: Sequence[str],
    cut: str = "drop",
) -> tuple[pd.DataFrame, Array, list[tuple[str, list[int]]]]:
    """Change the labels of answered pairs: the new rows, the effect on each old row, and the effect on each pair.

    If the two sentences are the same, the rows of the pair become 1. If they are not, the rows that do not say 0 are
    dropped or become 0. If nobody can say (None), all are dropped. A row without a label changes if others of its
    pair do.

    The effect on a row is "becomes 1", "becomes 0", "dropped", "stays", or "" if its pair has no answer. The effect
    on a pair goes with the numbers of the rows that change, or is "stays" with all its rows. Numbers are those of the
    source (column `row`), or places in the table.

    Parameters
    ----------
    ends : int array, shape (2, pairs)
        The nodes of distinct pairs; the same node twice for a pair of a sentence with itself.
    same : list of 1, 0 or None
        The answer about each pair.
    ids : list of str
        The identifier of each answer, which goes into the column `decided`.
    cut : {"drop", "negative"}
        Drop the rows of a positive that is wrong, or make them 0.
    """
    if graph.pairs is None:
        raise PairsError("this graph was made from codes; it has no rows to change")
    if cut not in CUT:
        raise PairsError(f"cut {cut!r} is not one of 'drop', 'negative'")
    pairs = graph.pairs
    keys = pd.Index(pair_keys(*ends, graph.n))
    row_keys = pair_keys(graph.row_a, graph.row_b, graph.n)
    place = keys.get_indexer(row_keys)
    rows = np.flatnonzero(place >= 0)
    pair = place[rows]  # of each row
    sign = graph.row_sign[rows]
    signs = {1: 1, 0: -1, None: 0}
    new_signs = np.array([signs[answer] for answer in same], dtype=np.int64)
    new_sign = new_signs[pair]
    dropped = new_sign == 0
    differs = (sign != new_sign) | dropped
    # A row without a label is no reason to change a pair, unless all its rows go.
    counts = (sign != 0) | dropped
    pair_changes = np.zeros(len(keys), dtype=bool)
    pair_changes[pair[differs & counts]] = True
    changes = differs & pair_changes[pair]
    effect = np.full(len(pairs), "", dtype=object)
    by_sign = np.array(["dropped", "becomes 1", CUT[cut]], dtype=object)  # 0, 1, -1
    effect[rows] = np.where(changes, by_sign[new_sign], "stays")
    label = pairs["label"].astype("Int8")
    label = label.mask(effect == "becomes 1", 1)
    label = label.mask(effect == "becomes 0", 0)
    empty = pd.Series("", pairs.index)
    decided = pairs.get("decided", empty).to_numpy(object, copy=True)
    decided[rows] = np.array(ids, dtype=object)[pair]
    after = pairs.assign(label=label.array, decided=pd.array(decided, dtype="str"))
    after = after[effect != "dropped"].reset_index(drop=True)
    after.attrs = dict(pairs.attrs)
    places = np.arange(len(pairs))
    numbers = np.asarray(pairs.get("row", places))
    effects = [("stays", []) for _ in keys]
    listed = changes | ~pair_changes[pair]
    for i, row in zip(pair[listed], rows[listed], strict=True):
        _, earlier = effects[i]
        number = int(numbers[row])
        effects[i] = (effect[row], [*earlier, number])
    return after, effect, effects
