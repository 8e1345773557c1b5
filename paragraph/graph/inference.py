"""Labels that follow by transitivity: finding friends (Chen, Ji and Evans 2020, section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from os import PathLike
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from ..pairs import PairsError
from ..pairs.writing import LabelWriter
from .distance import check_rule, longest_path
from .distance import distance as distance_of
from .pairspace import PairSpace, between, count_between, count_inside, inside
from .paraphrase import ParaphraseGraph

__all__ = ["Batch", "Closure", "infer", "taker", "write_labels"]


#: Rows of the largest table that is made at once: some 2 GB.
MOST_ROWS = 10_000_000


class Batch(NamedTuple):
    """Inferred labels as arrays of equal length."""

    a: np.ndarray  #: node of one sentence
    b: np.ndarray  #: node of the other
    label: np.ndarray  #: int8, 1 paraphrase, 0 not
    distance: np.ndarray | None  #: in the closure's convention, where asked for


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
    """The labels that follow from the stated ones, as a view: nothing is listed until it is asked for.

    Two sentences of one cluster without a stated label are an inferred positive. A stated negative between
    two clusters carries over to every pair across them; one inside a cluster carries nothing.

    Parameters
    ----------
    negatives : {"all", "clusters"}
        ``"all"``: a sentence in no cluster of two or more counts as a cluster of one (the paper's text and
        Figure 2). ``"clusters"``: a negative with such an end stays a single pair (its published code).
    max_distance, distance
        Leave out labels further than this, in ``"rounds"`` or ``"hops"`` (`distance.distance`).
    max_cluster_size : int
        Larger clusters contribute nothing, neither positives nor negatives.
    max_per_cluster : int
        At most so many positives, and so many negatives, of one cluster, drawn at random with `seed`. A
        negative counts for the larger (lower id) of its two clusters.

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
    check_rule(graph, negatives)
    longest_path(max_distance, +1, distance)
    for name, value in (("max_cluster_size", max_cluster_size), ("max_per_cluster", max_per_cluster)):
        if value is not None and value < 0:
            raise PairsError(f"{name} {value} is negative")
    return Closure(graph, negatives, max_distance, distance, max_cluster_size, max_per_cluster, seed)


@dataclass(frozen=True)
class Closure:
    """Inferred labels of a graph under named rules and limits; see `infer`.

    Order is stable: positives by cluster, then negatives by pair of clusters, each by order of appearance.
    """

    graph: ParaphraseGraph
    negatives: str
    max_distance: int | None
    distance: str
    max_cluster_size: int | None
    max_per_cluster: int | None
    seed: int

    @cached_property
    def _spaces(self) -> tuple[tuple[int, PairSpace], tuple[int, PairSpace]]:
        return (
            (1, inside(self.graph, self.max_cluster_size)),
            (0, between(self.graph, self.negatives, self.max_cluster_size)),
        )

    def counts(self) -> dict[str, int]:
        """How many labels follow, by sign. By arithmetic unless a limit on distance is set."""
        if self.max_distance is None:
            return self.at_most()
        positive, negative = (
            sum(len(positions) for positions, *_ in self._blocks(label, space, 1_000_000))
            for label, space in self._spaces
        )
        return {"positive": positive, "negative": negative}

    def at_most(self) -> dict[str, int]:
        """How many labels follow, by sign, as if there were no limit on distance: by arithmetic, so at once."""
        if self.max_per_cluster is None:
            positive = count_inside(self.graph, self.max_cluster_size)
            negative = count_between(self.graph, self.negatives, self.max_cluster_size)
        else:
            owned = (np.diff(space.rank(space.owner_starts)) for _, space in self._spaces)
            positive, negative = (int(np.minimum(each, self.max_per_cluster).sum()) for each in owned)
        return {"positive": positive, "negative": negative}

    def batches(self, size: int = 1_000_000, distances: bool = False, progress: str | None = None) -> Iterator[Batch]:
        """All inferred labels in stable order, at most `size` at a time, in memory bounded by `size`.

        With `progress` a bar of this name shows how many are done.
        """
        from tqdm.auto import tqdm

        total = sum(self.at_most().values()) if progress else None
        bar = tqdm(
            total=total, desc=progress, unit=" pairs", unit_scale=True, delay=2, leave=False, disable=not progress
        )
        with bar:
            for label, space in self._spaces:
                for _, rows, columns, used in self._blocks(label, space, size, distances):
                    a, b = space.ends(rows, columns)
                    far = None if used is None else distance_of(used, 1 if label else -1, self.distance)
                    bar.update(len(a))
                    yield Batch(a, b, np.full(len(a), label, dtype=np.int8), far)

    def by_distance(self) -> pd.DataFrame:
        """How many labels appear at each distance: columns `distance`, `positive`, `negative`."""
        totals = {1: np.zeros(0, dtype=np.int64), 0: np.zeros(0, dtype=np.int64)}
        for batch in self.batches(distances=True, progress="distances"):
            label = int(batch.label[0])
            found = np.bincount(batch.distance)
            longer = max(len(found), len(totals[label]))
            totals[label] = _padded(totals[label], longer) + _padded(found, longer)
        longest = max(map(len, totals.values()))
        table = pd.DataFrame(
            {"positive": _padded(totals[1], longest), "negative": _padded(totals[0], longest)},
            index=pd.RangeIndex(longest, name="distance"),
        )
        return table.iloc[1:].reset_index()

    def to_frame(self, distances: bool = True) -> pd.DataFrame:
        """All inferred labels: `text_a`, `text_b`, `label`, `distance`.

        Raises
        ------
        PairsError
            More than 10 million follow: `sample` draws some, `batches` and `write` hand out all, piece by piece.
        """
        batches, rows = [], sum(self.at_most().values()) if self.max_distance is None else 0
        for batch in self.batches(distances=distances) if rows <= MOST_ROWS else ():
            batches.append(batch)
            rows = max(rows, sum(len(each.a) for each in batches))
            if rows > MOST_ROWS:
                break
        if rows > MOST_ROWS:
            raise PairsError(
                f"{rows:,} or more labels follow, and a table is made of {MOST_ROWS:,} at most: draw some with "
                f"sample(n), go through all with batches(), or write them with write(path) or write_datasets"
            )
        return self._frame(batches, distances)

    def sample(self, n: int, seed: int = 0, distances: bool = True) -> pd.DataFrame:
        """`n` inferred labels drawn uniformly without repetition, or all where there are fewer."""
        rng = np.random.default_rng(seed)
        batches = []
        if self.max_distance is None and self.max_per_cluster is None:
            bounds = np.cumsum([0, *(space.n_inferred for _, space in self._spaces)])
            ranks = draw(rng, int(bounds[-1]), min(n, int(bounds[-1])))
            for i, (label, space) in enumerate(self._spaces):
                mine = ranks[(ranks >= bounds[i]) & (ranks < bounds[i + 1])] - bounds[i]
                batches.append(self._batch(label, space, space.nth_inferred(mine), distances))
        else:
            for label, space in self._spaces:
                for positions, *_ in self._blocks(label, space, 1_000_000):
                    batches.append((label, space, positions))
            bounds = np.cumsum([0, *(len(p) for *_, p in batches)])
            ranks = draw(rng, int(bounds[-1]), min(n, int(bounds[-1])))
            which = np.searchsorted(bounds, ranks, side="right") - 1
            batches = [
                self._batch(label, space, positions[ranks[which == i] - bounds[i]], distances)
                for i, (label, space, positions) in enumerate(batches)
            ]
        return self._frame(batches, distances)

    def write(self, path: str | PathLike) -> int:
        """Stream all inferred labels to a .tsv or .parquet file in bounded memory; the number written."""
        return write_labels(self.graph, path, ((b.a, b.b, b.label) for b in self.batches(progress="writing")))

    # -- how it is done ----------------------------------------------------------------------------------

    def _blocks(
        self, label: int, space: PairSpace, size: int, distances: bool = False
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]]:
        """Positions, rows, columns and (where asked for or limited) positive edges used, block by block."""
        if size < 1:
            raise PairsError(f"a batch of {size} labels is not 1 or more")
        if self.max_per_cluster is None:
            yield from self._within_distance(label, space, size, distances)
            return
        chosen = self._chosen(label, space)
        longest = longest_path(self.max_distance, 1 if label else -1, self.distance)
        for start in range(0, len(chosen), size):
            positions = chosen[start : start + size]
            rows, columns = space.locate(positions)
            used = space.edges_used(rows, columns, longest) if distances else None
            yield positions, rows, columns, used

    def _within_distance(self, label: int, space: PairSpace, size: int, distances: bool) -> Iterator:
        longest = longest_path(self.max_distance, 1 if label else -1, self.distance)
        for start in range(0, space.size, size):
            positions, rows, columns = space.unstated(start, min(start + size, space.size))
            used = None
            if distances or longest is not None:
                used = space.edges_used(rows, columns, longest)
                near = used >= 0
                if not near.all():
                    positions, rows, columns, used = positions[near], rows[near], columns[near], used[near]
            if len(positions):
                yield positions, rows, columns, used

    def _chosen(self, label: int, space: PairSpace) -> np.ndarray:
        """The positions that stay when every cluster may contribute only so many."""
        rng = np.random.default_rng([self.seed, label])
        most = self.max_per_cluster
        if self.max_distance is None:
            ranks = space.rank(space.owner_starts)
            kept = []
            for first, last in pairwise(ranks.tolist()):
                if last - first > most:
                    kept.append(first + draw(rng, last - first, most))
                elif last > first:
                    kept.append(np.arange(first, last))
            return space.nth_inferred(np.concatenate([np.empty(0, dtype=np.int64), *kept]))
        # Which pairs are near enough shows only on the way: keep, per owner, those with the smallest of
        # random keys. Owners stand one after another, so only the last one seen can still grow.
        done, positions, keys = [], np.empty(0, dtype=np.int64), np.empty(0)
        for found, *_ in self._within_distance(label, space, 1_000_000, distances=False):
            positions = np.concatenate([positions, found])
            keys = np.concatenate([keys, rng.random(len(found))])
            owner = np.searchsorted(space.owner_starts, positions, side="right")
            order = np.lexsort((keys, owner))
            begins = np.searchsorted(owner[order], owner[order])
            stay = np.sort(order[np.arange(len(order)) - begins < most])
            positions, keys, owner = positions[stay], keys[stay], owner[stay]
            if len(owner):
                closed = owner < owner[-1]
                done.append(positions[closed])
                positions, keys = positions[~closed], keys[~closed]
        return np.concatenate([*done, positions])

    def _batch(self, label: int, space: PairSpace, positions: np.ndarray, distances: bool) -> Batch:
        rows, columns = space.locate(positions)
        far = None
        if distances:
            used = space.edges_used(rows, columns, None)
            far = distance_of(used, 1 if label else -1, self.distance)
        return Batch(*space.ends(rows, columns), np.full(len(rows), label, dtype=np.int8), far)

    def _frame(self, batches: list[Batch], distances: bool) -> pd.DataFrame:
        def column(field: str, dtype: type) -> np.ndarray:
            return np.concatenate([np.empty(0, dtype), *(getattr(batch, field) for batch in batches)])

        frame = {
            "text_a": pd.Series(self.graph.texts(column("a", np.int64)), dtype="str"),
            "text_b": pd.Series(self.graph.texts(column("b", np.int64)), dtype="str"),
            "label": column("label", np.int8),
        }
        if distances:
            frame["distance"] = column("distance", np.int64)
        return pd.DataFrame(frame)


def write_labels(
    graph: ParaphraseGraph,
    path: str | PathLike,
    batches: Iterable[tuple[np.ndarray, np.ndarray, np.ndarray]],
) -> int:
    """Stream labelled pairs of nodes ``(a, b, label)`` to a .tsv or .parquet file; the number of rows."""
    with LabelWriter(path) as out:
        take = taker(graph, out)
        for a, b, label in batches:
            out.write(take(a), take(b), label)
        return sum(out.counts().values())


def taker(graph: ParaphraseGraph, out: LabelWriter) -> Callable[[np.ndarray], pa.LargeStringArray]:
    """From nodes to their sentences as a file takes them: prepared once each, unless they are too many for that."""
    if graph.sentences.nbytes > 1 << 28:
        return lambda nodes: out.prepare(graph.sentences.take(pa.array(nodes)))
    sentences = out.prepare(graph.sentences)
    return lambda nodes: sentences.take(pa.array(nodes))


def draw(rng: np.random.Generator, population: int, k: int) -> np.ndarray:
    """`k` distinct numbers below `population`, uniformly, sorted; in memory of order `k`."""
    if k > population // 2 or population < 1_000_000:
        return np.sort(rng.choice(population, k, replace=False, shuffle=False))
    drawn = np.empty(0, dtype=np.int64)
    while len(drawn) < k:
        drawn = np.union1d(drawn, rng.integers(0, population, k + k // 4 + 100))
    return drawn[np.sort(rng.choice(len(drawn), k, replace=False, shuffle=False))]


def _padded(counts: np.ndarray, length: int) -> np.ndarray:
    return np.pad(counts, (0, length - len(counts)))
