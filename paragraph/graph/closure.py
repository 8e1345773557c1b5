"""Labels inferred by transitivity: finding friends (Chen, Ji and Evans 2020, section 3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import check_int
from .core import ParaphraseGraph, checked_graph
from .distance import RULES, carrying, check_rule, check_transitive, longest_path
from .distance import distance as distance_of
from .pairspace import Between, Inside, PairSpace, draw_ranks

__all__ = ["Batch", "Closure", "infer", "known_labels", "summary_with_inferred"]


SIGNS = ("positive", "negative")
BLOCK = 1_000_000  #: positions that are looked at together
#: The most rows of a table that is made at once: some 2 GB.
MOST_ROWS = 10_000_000


class Batch(NamedTuple):
    """Inferred labels as arrays of equal length."""

    a: np.ndarray  #: node of one sentence
    b: np.ndarray  #: node of the other
    label: np.ndarray  #: int8, 1 paraphrase, 0 not
    distance: np.ndarray | None  #: in the closure's convention, where asked for

    def where(self, kept: np.ndarray) -> Batch:
        """The labels that these flags mark."""
        return Batch(*(None if values is None else values[kept] for values in self))


NOTHING = Batch(*(np.empty(0, dtype) for dtype in (np.int64, np.int64, np.int8, np.int64)))


def infer(
    graph: ParaphraseGraph,
    *,
    negatives: str = "all",
    max_distance: int | None = None,
    distance: str = "rounds",
    max_cluster_size: int | None = None,
    max_per_cluster: int | None = None,
    seed: int = 0,
) -> Closure:
    """Infer the labels that follow from the stated ones, as a view: nothing is listed until it is asked for.

    Two sentences of one cluster without a stated label are an inferred positive. A stated negative between
    two clusters carries over to every pair across them; one inside a cluster carries nothing.

    Parameters
    ----------
    negatives : {"all", "clusters"}
        ``"all"``: a sentence in no cluster of two or more counts as a cluster of one (the paper's text and
        Figure 2). ``"clusters"``: a negative with such an end stays a single pair (its published code).
    max_distance, distance
        Leave out labels at a greater distance, in ``"rounds"`` or ``"hops"`` (`distance.distance`).
    max_cluster_size : int
        Larger clusters contribute nothing, neither positives nor negatives.
    max_per_cluster : int
        The most positives, and the most negatives, of one cluster, drawn at random with `seed`. A negative counts for
        the larger (lower id) of its two clusters.

    Raises
    ------
    PairsError
        An unknown option, or bipartite pairs.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "c", "x"], "label": [1, 1, 0]})
    >>> closure = infer(ParaphraseGraph.from_pairs(pairs))
    >>> closure.counts()
    {'positive': 1, 'negative': 2}
    >>> closure.to_frame()
      text_a text_b  label  distance
    0      a      c      1         1
    1      a      x      0         2
    2      b      x      0         1
    """
    check_transitive(checked_graph(graph, "infer"))
    check_rule(negatives)
    longest_path(max_distance, +1, distance)
    limits = {"max_cluster_size": max_cluster_size, "max_per_cluster": max_per_cluster, "seed": seed}
    for name, value in limits.items():
        if value is not None:
            check_int(name, value, 0)
    return Closure(graph, negatives, max_distance, distance, max_cluster_size, max_per_cluster, seed)


@dataclass(frozen=True)
class Closure:
    """Inferred labels of a graph under named rules and limits; see `infer`.

    The order is stable: positives by cluster, then negatives by pair of clusters, each by order of appearance. If
    `keep` is given, only the labels that it marks in each batch stay: ``replace(closure, keep=function)``, from
    `dataclasses`. Each call asks it again, and it must always say the same about a label.
    """

    graph: ParaphraseGraph
    negatives: str
    max_distance: int | None
    distance: str
    max_cluster_size: int | None
    max_per_cluster: int | None
    seed: int
    keep: Callable[[Batch], np.ndarray] | None = None

    @cached_property
    def _sides(self) -> tuple[_Labels, _Labels]:
        most = self.max_cluster_size
        return _Labels(self, Inside(self.graph, most)), _Labels(self, Between(self.graph, self.negatives, most))

    def counts(self) -> dict[str, int]:
        """Count the inferred labels, by sign. By arithmetic unless a limit on distance or `keep` is set."""
        if self.keep is not None:
            return dict(zip(SIGNS, self._staying, strict=True))
        return dict(zip(SIGNS, (side.count() for side in self._sides), strict=True))

    @cached_property
    def _staying(self) -> tuple[int, int]:
        """Count the labels that stay, by sign."""
        number = np.zeros(2, dtype=np.int64)
        for batch in self.batches(progress="labels that stay"):
            number += np.bincount(batch.label, minlength=2)
        return int(number[1]), int(number[0])

    def at_most(self) -> dict[str, int]:
        """Count the inferred labels, by sign, without the limit on distance and `keep`: by arithmetic, at once."""
        return dict(zip(SIGNS, (side.at_most() for side in self._sides), strict=True))

    def batches(self, size: int = BLOCK, distances: bool = False, progress: str | None = None) -> Iterator[Batch]:
        """All inferred labels in stable order, at most `size` at a time, in memory bounded by `size`.

        With `progress` a bar of this name shows how many are done.
        """
        from tqdm.auto import tqdm

        check_int("size", size)
        total = sum(self.at_most().values()) if progress else None
        look = {"unit": " pairs", "unit_scale": True, "delay": 2, "leave": False}
        with tqdm(total=total, desc=progress, disable=not progress, **look) as bar:
            for side in self._sides:
                for start in range(0, side.extent, size):
                    batch = self._batch(side.space, *side.block(start, size), distances)
                    bar.update(len(batch.a))
                    if self.keep is not None and len(batch.a):
                        batch = batch.where(self.keep(batch))
                    if len(batch.a):
                        yield batch

    def by_distance(self) -> pd.DataFrame:
        """Count the labels at each distance: columns `distance`, `positive`, `negative`."""
        columns = {"positive": Counter(), "negative": Counter()}
        for batch in self.batches(distances=True, progress="distances"):
            of_sign = columns[SIGNS[1 - batch.label[0]]]
            of_sign.update(dict(enumerate(np.bincount(batch.distance).tolist())))
        table = pd.DataFrame({name: pd.Series(of, dtype=np.int64) for name, of in columns.items()}).iloc[1:]
        return table.fillna(0).astype(np.int64).rename_axis("distance").reset_index()

    def to_frame(self, distances: bool = True) -> pd.DataFrame:
        """All inferred labels: `text_a`, `text_b`, `label`, `distance`.

        Raises
        ------
        PairsError
            More than 10 million follow: `sample` draws some, `batches` hands out all, piece by piece.
        """
        limited = self.max_distance is not None or self.keep is not None
        rows = 0 if limited else sum(self.at_most().values())
        batches = []
        stream = self.batches(distances=distances)
        while rows <= MOST_ROWS and (batch := next(stream, None)):
            batches.append(batch)
            rows = max(rows, sum(len(each.a) for each in batches))
        if rows > MOST_ROWS:
            raise PairsError(
                f"{rows:,} or more labels can be inferred, too many for a table (at most {MOST_ROWS:,}): draw some "
                f"with sample(n), go through all with batches(), or write them with write_datasets"
            )
        return self._frame(batches, distances)

    def sample(self, n: int, seed: int = 0, distances: bool = True) -> pd.DataFrame:
        """`n` inferred labels drawn uniformly without repetition, or all if there are fewer."""
        check_int("n", n, 0)
        positive, negative = self.counts().values()
        ranks = draw_ranks(np.random.default_rng(seed), positive + negative, min(n, positive + negative))
        if self.keep is not None:
            return self._frame(list(self._nth(ranks, distances)), distances)
        of_both = ranks[ranks < positive], ranks[ranks >= positive] - positive
        chosen = ((side, side.nth(mine)) for side, mine in zip(self._sides, of_both, strict=True))
        return self._frame([self._batch(side.space, at, None, distances) for side, at in chosen], distances)

    def _nth(self, ranks: np.ndarray, distances: bool) -> Iterator[Batch]:
        """The labels of some ranks among those that stay."""
        before = 0
        for batch in self.batches(distances=distances):
            first, last = np.searchsorted(ranks, [before, before + len(batch.a)])
            yield batch.where(ranks[first:last] - before)
            before += len(batch.a)

    def _batch(self, space: PairSpace, positions: np.ndarray, used: np.ndarray | None, distances: bool) -> Batch:
        far = None
        if distances:
            used = space.edges_used(positions, None) if used is None else used
            far = distance_of(used, space.sign, self.distance)
        return Batch(*space.ends(positions), np.full(len(positions), space.sign > 0, dtype=np.int8), far)

    def _frame(self, batches: list[Batch], distances: bool) -> pd.DataFrame:
        a, b, label, far = zip(NOTHING, *batches, strict=True)
        frame = self.graph.pair_texts(np.concatenate(a), np.concatenate(b)).assign(label=np.concatenate(label))
        return frame.assign(distance=np.concatenate(far)) if distances else frame


class _Labels:
    """The labels of one sign in a closure: by position in their space, or by place among those chosen."""

    def __init__(self, closure: Closure, space: PairSpace):
        self.space = space
        self._per_cluster = closure.max_per_cluster
        self._seed = [closure.seed, int(space.sign > 0)]
        self._longest = longest_path(closure.max_distance, space.sign, closure.distance)

    @property
    def extent(self) -> int:
        """The number of positions to go through."""
        return self.space.size if self._per_cluster is None else len(self._chosen)

    def block(self, start: int, size: int = BLOCK) -> tuple[np.ndarray, np.ndarray | None]:
        """The positions of some labels, and the positive edges that each uses, if that was found on the way."""
        return self._open(start, size) if self._per_cluster is None else (self._chosen[start : start + size], None)

    def at_most(self) -> int:
        """Count the labels, without the limit on distance."""
        if self._per_cluster is None:
            return self.space.n_inferred
        return int(np.minimum(np.diff(self.space.rank(self.space.owner_starts)), self._per_cluster).sum())

    def count(self) -> int:
        """Count the labels."""
        return self.at_most() if self._longest is None else int(self._before[-1])

    def nth(self, ranks: np.ndarray) -> np.ndarray:
        """The positions of the labels of the given ranks, which are sorted."""
        if self._per_cluster is not None:
            return self._chosen[ranks]
        if self._longest is None:
            return self.space.nth_inferred(ranks)
        blocks = np.searchsorted(self._before, ranks, side="right") - 1
        found = [np.empty(0, dtype=np.int64)]
        for block in np.unique(blocks).tolist():
            found.append(self.block(block * BLOCK)[0][ranks[blocks == block] - self._before[block]])
        return np.concatenate(found)

    def _open(self, start: int, size: int = BLOCK) -> tuple[np.ndarray, np.ndarray | None]:
        """`block`, without the limit on each cluster's contribution."""
        positions = self.space.unstated(start, min(start + size, self.space.size))
        if self._longest is None:
            return positions, None
        used = self.space.edges_used(positions, self._longest)
        return positions[used >= 0], used[used >= 0]

    @cached_property
    def _before(self) -> np.ndarray:
        """The number of labels before each block, and in all."""
        return np.cumsum([0, *(len(self.block(start)[0]) for start in range(0, self.extent, BLOCK))])

    @cached_property
    def _chosen(self) -> np.ndarray:
        """Return the positions that stay when every cluster contributes at most `max_per_cluster`."""
        rng = np.random.default_rng(self._seed)
        return self._choose(rng) if self._longest is None else self._choose_near(rng)

    def _choose(self, rng: np.random.Generator) -> np.ndarray:
        kept = [np.empty(0, dtype=np.int64)]
        for first, last in pairwise(self.space.rank(self.space.owner_starts).tolist()):
            if last - first > self._per_cluster:
                kept.append(first + draw_ranks(rng, last - first, self._per_cluster))
            elif last > first:
                kept.append(np.arange(first, last))
        return self.space.nth_inferred(np.concatenate(kept))

    def _choose_near(self, rng: np.random.Generator) -> np.ndarray:
        """Choose for each owner the pairs with the smallest random keys among those near enough."""
        found = [(np.empty(0, dtype=np.int64), np.empty(0))]
        for start in range(0, self.space.size, BLOCK):
            positions, _ = self._open(start)
            found.append(self._least(positions, rng.random(len(positions))))
        return self._least(*map(np.concatenate, zip(*found, strict=True)))[0]

    def _least(self, positions: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The pairs with the smallest keys of each owner, at most `max_per_cluster`, and their keys."""
        owner = np.searchsorted(self.space.owner_starts, positions, side="right")
        order = np.lexsort((keys, owner))
        begins = np.searchsorted(owner[order], owner[order])
        stay = np.sort(order[np.arange(len(order)) - begins < self._per_cluster])
        return positions[stay], keys[stay]


def summary_with_inferred(graph: ParaphraseGraph) -> pd.Series:
    """A graph in counts (`clusters.summary`), with the number of labels that follow by either rule for negatives."""
    counts = graph.summary()
    for rule in () if graph.bipartite else RULES:
        found = infer(graph, negatives=rule).counts()
        counts["inferred positive"] = found["positive"]  # by either rule
        counts[f"inferred negative (rule {rule!r})"] = found["negative"]
    return counts


def known_labels(
    graph: ParaphraseGraph, a: np.ndarray, b: np.ndarray, negatives: str = "all"
) -> tuple[np.ndarray, np.ndarray]:
    """Return the graph's labels of pairs of nodes (1, 0, or -1 if nothing follows), and whether they are stated.

    Inferred labels are those of `infer` without a limit. A stated label takes precedence.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c", "x"], "text_b": ["b", "c", "x", "y"], "label": [1, 1, 0, 0]})
    >>> graph = ParaphraseGraph.from_pairs(pairs)  # a b c are one cluster, x and y stand alone
    >>> known, stated = known_labels(graph, np.array([0, 0, 0, 0]), np.array([1, 2, 3, 4]))
    >>> known.tolist(), stated.tolist()
    ([1, 1, 0, -1], [True, False, False, False])
    """
    edge = graph.edge_index.places(a, b)
    known = np.full(len(edge), -1, dtype=np.int8)
    stated = edge >= 0
    if not graph.bipartite:
        home = graph.cluster_of[a]
        away = graph.cluster_of[b]
        carried = carrying(graph.cluster_sizes[home], graph.cluster_sizes[away], negatives)
        known[carried & (graph.links_between(home, away) >= 0)] = 0
        known[home == away] = 1
    known[stated] = graph.edge_sign[edge[stated]] > 0
    return known, stated
