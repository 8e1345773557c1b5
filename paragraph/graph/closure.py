"""Labels inferred by transitivity: finding friends (Chen, Ji and Evans 2020, section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import check_int
from .arrays import Array, draw_ranks
from .core import ParaphraseGraph, checked_graph
from .distance import RULES, check_rule, check_transitive, longest_path
from .distance import distance as distance_of
from .pairspace import BLOCK, Between, Inside, Labels, PairSpace

__all__ = ["SIGNS", "Batch", "Closure", "infer", "summary_with_inferred"]

SIGNS = ("positive", "negative")
#: The most rows of a table that is made at once: some 2 GB.
MOST_ROWS = 10_000_000


class Batch(NamedTuple):
    """Inferred labels as arrays of equal length."""

    a: Array  #: node of one sentence
    b: Array  #: node of the other
    label: Array  #: int8, 1 paraphrase, 0 not
    distance: Array | None  #: in the closure's convention, where asked for

    @property
    def kind(self) -> str:
        """The sign of the labels, all of which are of one sign."""
        return SIGNS[1 - self.label[0]]

    def where(self, mask: Array) -> Batch:
        """The labels that these flags mark, or that stand at these places."""
        distance = self.distance
        if distance is not None:
            distance = distance[mask]
        return Batch(self.a[mask], self.b[mask], self.label[mask], distance)


_NO_NODES = np.empty(0, dtype=np.int64)
_NO_LABELS = Batch(_NO_NODES, _NO_NODES, np.empty(0, dtype=np.int8), _NO_NODES)


def infer(
    graph: ParaphraseGraph,
    *,
    negatives: str = "all",
    max_distance: int | None = None,
    distance: str = "rounds",
    max_per_cluster: int | None = None,
    seed: int = 0,
) -> Closure:
    """Infer the labels that follow from the stated ones, as a view: none is listed until asked for.

    Two sentences of one cluster without a stated label are an inferred positive. A stated negative between
    two clusters carries over to every pair across them; one inside a cluster carries nothing.

    Parameters
    ----------
    negatives : {"all", "clusters"}
        ``"all"``: a sentence in no cluster of two or more counts as a cluster of one (the paper's text and
        Figure 2). ``"clusters"``: a negative with such an end stays a single pair (its published code).
    max_distance, distance
        Leave out labels at a greater distance, in ``"rounds"`` or ``"hops"`` (`distance.distance`).
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
    check_int("seed", seed, 0)
    if max_per_cluster is not None:
        check_int("max_per_cluster", max_per_cluster, 0)
    return Closure(graph, negatives, max_distance, distance, max_per_cluster, seed)


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
    max_per_cluster: int | None
    seed: int
    keep: Callable[[Batch], Array] | None = None

    @cached_property
    def _sides(self) -> tuple[Labels, Labels]:
        """The labels of each sign."""
        sides = []
        for space in (Inside(self.graph), Between(self.graph, self.negatives)):
            longest = longest_path(self.max_distance, space.sign, self.distance)
            sides.append(Labels(space, longest, self.max_per_cluster, self.seed))
        return tuple(sides)

    @property
    def _by_arithmetic(self) -> bool:
        """True if the labels can be counted without a look at each."""
        return self.max_distance is None and self.keep is None

    def counts(self) -> dict[str, int]:
        """Count the inferred labels, by sign. By arithmetic unless a limit on distance or `keep` is set."""
        if self._by_arithmetic:
            return self.at_most()
        return self._counts_by_search

    @cached_property
    def _counts_by_search(self) -> dict[str, int]:
        """Go through the labels, and count by sign those that the limits leave."""
        counts = dict.fromkeys(SIGNS, 0)
        for batch in self.batches(progress="labels that stay"):
            counts[batch.kind] += len(batch.a)
        return counts

    def at_most(self) -> dict[str, int]:
        """Count the inferred labels by sign, by arithmetic: without limit on distance, or `keep`."""
        positive, negative = self._sides
        return {"positive": positive.at_most(), "negative": negative.at_most()}

    def batches(
        self, size: int = BLOCK, distances: bool = False, progress: str | None = None
    ) -> Iterator[Batch]:
        """All inferred labels in stable order, of one sign and at most `size` at a time, in memory bounded by `size`.

        With `progress` a bar of this name shows how many are done.
        """
        from tqdm.auto import tqdm

        check_int("size", size)
        total = sum(self.at_most().values()) if progress else None
        options = {"unit": " pairs", "unit_scale": True, "delay": 2, "leave": False}
        with tqdm(total=total, desc=progress, disable=not progress, **options) as bar:
            for side in self._sides:
                for start in range(0, side.extent, size):
                    positions, used = side.block(start, size)
                    bar.update(len(positions))
                    batch = self._batch(side.space, positions, used, distances)
                    if self.keep is not None and len(batch.a):
                        batch = batch.where(self.keep(batch))
                    if len(batch.a):
                        yield batch

    def by_distance(self) -> pd.DataFrame:
        """Count the labels at each distance: columns `distance`, `positive`, `negative`."""
        counts = {sign: pd.Series(dtype=np.int64) for sign in SIGNS}
        for batch in self.batches(distances=True, progress="distances"):
            count = pd.Series(np.bincount(batch.distance))
            counts[batch.kind] = counts[batch.kind].add(count, fill_value=0)
        table = pd.DataFrame(counts).iloc[1:]  # none is at distance 0
        table = table.fillna(0)
        table.index.name = "distance"
        return table.astype(np.int64).reset_index()

    def to_frame(self, distances: bool = True) -> pd.DataFrame:
        """All inferred labels: `text_a`, `text_b`, `label`, `distance`.

        Raises
        ------
        PairsError
            More than 10 million follow: `sample` draws some, `batches` hands out all, piece by piece.
        """
        if self._by_arithmetic:
            _check_rows(sum(self.at_most().values()))
        rows = 0
        batches = []
        for batch in self.batches(distances=distances):
            batches.append(batch)
            rows += len(batch.a)
            _check_rows(rows)
        return self._frame(batches, distances)

    def sample(self, n: int, seed: int = 0, distances: bool = True) -> pd.DataFrame:
        """`n` inferred labels drawn uniformly without repetition, or all if there are fewer."""
        check_int("n", n, 0)
        counts = self.counts().values()
        total = sum(counts)
        ranks = draw_ranks(np.random.default_rng(seed), total, min(n, total))
        batches = []
        before = 0
        if not self._by_arithmetic:
            for batch in self.batches(distances=distances):
                after = before + len(batch.a)
                first, last = np.searchsorted(ranks, [before, after])
                batches.append(batch.where(ranks[first:last] - before))
                before = after
            return self._frame(batches, distances)
        for side, count in zip(self._sides, counts, strict=True):
            after = before + count
            first, last = np.searchsorted(ranks, [before, after])
            positions = side.nth(ranks[first:last] - before)
            batch = self._batch(side.space, positions, None, distances)
            batches.append(batch)
            before = after
        return self._frame(batches, distances)

    def _batch(
        self, space: PairSpace, positions: Array, used: Array | None, distances: bool
    ) -> Batch:
        """The labels at these positions; `used`: the positive edges that each uses, if known."""
        distance = None
        if distances:
            if used is None:
                used = space.edges_used(positions, None)
            distance = distance_of(used, space.sign, self.distance)
        label = np.full(len(positions), space.sign > 0, dtype=np.int8)
        a, b = space.ends(positions)
        return Batch(a, b, label, distance)

    def _frame(self, batches: list[Batch], distances: bool) -> pd.DataFrame:
        a, b, label, distance = zip(_NO_LABELS, *batches, strict=True)
        frame = self.graph.pair_texts(np.concatenate(a), np.concatenate(b))
        frame["label"] = np.concatenate(label)
        if distances:
            frame["distance"] = np.concatenate(distance)
        return frame


def _check_rows(rows: int) -> None:
    """Raise `PairsError` if this many labels are too many for a table."""
    if rows > MOST_ROWS:
        raise PairsError(
            f"{rows:,} or more labels can be inferred, too many for a table (at most {MOST_ROWS:,}): draw some "
            f"with sample(n), go through all with batches(), or write them with write_datasets"
        )


def summary_with_inferred(graph: ParaphraseGraph) -> pd.Series:
    """The summary of a graph, and how many labels follow under each rule for negatives."""
    counts = graph.summary()
    if graph.bipartite:
        return counts
    for rule in RULES:
        inferred = infer(graph, negatives=rule).counts()
        counts["inferred positive"] = inferred["positive"]  # the same under each rule
        counts[f"inferred negative (rule {rule!r})"] = inferred["negative"]
    return counts
