"""Labels that follow by transitivity: finding friends (Chen, Ji and Evans 2020, section 3.1)."""

from __future__ import annotations

from collections import Counter
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
from ..pairs.write import LabelWriter
from .core import ParaphraseGraph
from .distance import check_rule, longest_path
from .distance import distance as distance_of
from .pairspace import Between, Inside, PairSpace, draw_ranks

__all__ = ["Batch", "Closure", "infer", "taker", "write_labels"]


BLOCK = 1_000_000  #: positions that are looked at together
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
    """Infer the labels that follow from the stated ones, as a view: nothing is listed until it is asked for.

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
    def _spaces(self) -> tuple[PairSpace, PairSpace]:
        most = self.max_cluster_size
        return Inside(self.graph, most), Between(self.graph, self.negatives, most)

    def counts(self) -> dict[str, int]:
        """Count the labels that follow, by sign. By arithmetic unless a limit on distance is set."""
        if self.max_distance is None:
            return self.at_most()
        positive, negative = (int(starts[-1]) for starts in self._found)
        return {"positive": positive, "negative": negative}

    def at_most(self) -> dict[str, int]:
        """Count the labels that follow, by sign, without the limit on distance: by arithmetic, so at once."""
        if self.max_per_cluster is None:
            positive, negative = (space.n_inferred for space in self._spaces)
        else:
            owned = (np.diff(space.rank(space.owner_starts)) for space in self._spaces)
            positive, negative = (int(np.minimum(each, self.max_per_cluster).sum()) for each in owned)
        return {"positive": positive, "negative": negative}

    def batches(self, size: int = BLOCK, distances: bool = False, progress: str | None = None) -> Iterator[Batch]:
        """All inferred labels in stable order, at most `size` at a time, in memory bounded by `size`.

        With `progress` a bar of this name shows how many are done.
        """
        from tqdm.auto import tqdm

        if size < 1:
            raise PairsError(f"a batch of {size} labels is not 1 or more")
        total = sum(self.at_most().values()) if progress else None
        bar = tqdm(
            total=total, desc=progress, unit=" pairs", unit_scale=True, delay=2, leave=False, disable=not progress
        )
        with bar:
            for number, space in enumerate(self._spaces):
                for start in range(0, self._extent(number), size):
                    batch = self._batch(space, *self._block(number, start, size), distances)
                    bar.update(len(batch.a))
                    if len(batch.a):
                        yield batch

    def by_distance(self) -> pd.DataFrame:
        """Count the labels at each distance: columns `distance`, `positive`, `negative`."""
        totals: dict[int, Counter] = {1: Counter(), 0: Counter()}
        for batch in self.batches(distances=True, progress="distances"):
            totals[int(batch.label[0])].update(dict(enumerate(np.bincount(batch.distance).tolist())))
        longest = max((far for total in totals.values() for far in total), default=0)
        far = np.arange(1, longest + 1)
        columns = {
            name: np.array([totals[label][d] for d in far.tolist()], dtype=np.int64)
            for name, label in (("positive", 1), ("negative", 0))
        }
        return pd.DataFrame({"distance": far} | columns)

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
        counts = self.counts()
        bounds = np.cumsum([0, *counts.values()])
        ranks = draw_ranks(np.random.default_rng(seed), int(bounds[-1]), min(n, int(bounds[-1])))
        batches = []
        for number, space in enumerate(self._spaces):
            mine = ranks[slice(*np.searchsorted(ranks, bounds[number : number + 2]))] - bounds[number]
            batches.append(self._batch(space, self._nth(number, mine), None, distances))
        return self._frame(batches, distances)

    def write(self, path: str | PathLike) -> int:
        """Stream all inferred labels to a .tsv or .parquet file in bounded memory; the number written."""
        return write_labels(self.graph, path, ((b.a, b.b, b.label) for b in self.batches(progress="writing")))

    # -- how it is done: labels are numbered by position in a space, or by place among those chosen -----------

    @cached_property
    def _chosen(self) -> list[np.ndarray] | None:
        """The positions that stay when every cluster may contribute only so many; None where it may give all."""
        if self.max_per_cluster is None:
            return None
        choose = self._choose if self.max_distance is None else self._choose_near
        return [choose(space, np.random.default_rng([self.seed, int(space.sign > 0)])) for space in self._spaces]

    @cached_property
    def _found(self) -> list[np.ndarray]:
        """For each space, the number of labels before each block, and in all."""
        extents = (range(0, self._extent(number), BLOCK) for number in (0, 1))
        counts = [[len(self._block(number, start)[0]) for start in starts] for number, starts in enumerate(extents)]
        return [np.cumsum([0, *each]) for each in counts]

    def _extent(self, number: int) -> int:
        return self._spaces[number].size if self._chosen is None else len(self._chosen[number])

    def _block(self, number: int, start: int, size: int = BLOCK) -> tuple[np.ndarray, np.ndarray | None]:
        """The positions of some labels, and the positive edges that each uses where that was found on the way."""
        space = self._spaces[number]
        if self._chosen is not None:
            return self._chosen[number][start : start + size], None
        positions = space.unstated(start, min(start + size, space.size))
        return self._near(space, positions) if self.max_distance is not None else (positions, None)

    def _near(self, space: PairSpace, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Those of some positions that are within the distance, and the positive edges that each uses."""
        longest = longest_path(self.max_distance, space.sign, self.distance)
        used = space.edges_used(*space.locate(positions), longest)
        return positions[used >= 0], used[used >= 0]

    def _nth(self, number: int, ranks: np.ndarray) -> np.ndarray:
        """The positions of the labels of the given ranks, which are sorted."""
        if self._chosen is not None:
            return self._chosen[number][ranks]
        if self.max_distance is None:
            return self._spaces[number].nth_inferred(ranks)
        starts = self._found[number]
        blocks = np.searchsorted(starts, ranks, side="right") - 1
        parts = [
            self._block(number, block * BLOCK)[0][ranks[blocks == block] - starts[block]]
            for block in set(blocks.tolist())
        ]
        return np.sort(np.concatenate([np.empty(0, dtype=np.int64), *parts]))

    def _choose(self, space: PairSpace, rng: np.random.Generator) -> np.ndarray:
        most, kept = self.max_per_cluster, [np.empty(0, dtype=np.int64)]
        for first, last in pairwise(space.rank(space.owner_starts).tolist()):
            if last - first > most:
                kept.append(first + draw_ranks(rng, last - first, most))
            elif last > first:
                kept.append(np.arange(first, last))
        return space.nth_inferred(np.concatenate(kept))

    def _choose_near(self, space: PairSpace, rng: np.random.Generator) -> np.ndarray:
        """Choose for each owner the pairs with the smallest random keys among those near enough."""
        done, positions, keys = [], np.empty(0, dtype=np.int64), np.empty(0)
        for start in range(0, space.size, BLOCK):
            found, _ = self._near(space, space.unstated(start, min(start + BLOCK, space.size)))
            positions = np.concatenate([positions, found])
            keys = np.concatenate([keys, rng.random(len(found))])
            owner = np.searchsorted(space.owner_starts, positions, side="right")
            order = np.lexsort((keys, owner))
            begins = np.searchsorted(owner[order], owner[order])
            stay = np.sort(order[np.arange(len(order)) - begins < self.max_per_cluster])
            positions, keys, owner = positions[stay], keys[stay], owner[stay]
            # Owners stand one after another, so only the last one seen can still grow.
            closed = owner < owner[-1:]
            done.append(positions[closed])
            positions, keys = positions[~closed], keys[~closed]
        return np.concatenate([*done, positions])

    def _batch(self, space: PairSpace, positions: np.ndarray, used: np.ndarray | None, distances: bool) -> Batch:
        rows, columns = space.locate(positions)
        far = None
        if distances:
            used = space.edges_used(rows, columns, None) if used is None else used
            far = distance_of(used, space.sign, self.distance)
        return Batch(*space.ends(rows, columns), np.full(len(rows), space.sign > 0, dtype=np.int8), far)

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
    graph: ParaphraseGraph, path: str | PathLike, batches: Iterable[tuple[np.ndarray, np.ndarray, np.ndarray]]
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
