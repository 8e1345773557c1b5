"""Strata of an audit: the pairs of a graph by kind and size of cluster, how many to draw of each, what they tell."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..graph.pairspace import Inside, PairSpace, draw_ranks
from .pool.worlds import check_graph

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["KINDS", "SIZES", "Share", "Strata", "allocation", "share", "size_class"]

#: Kinds of pairs, and whether the label that they have, stated or inferred, is "the same".
KINDS = {"positive": 1, "negative": 0, "conflict": 0, "unstated": 1}
#: Classes of clusters by their number of sentences, and the sizes at which the later ones begin.
SIZES = ("≤ 2", "3–4", "5–9", "≥ 10")
_BEGIN = (3, 5, 10)
_UNSTATED = list(KINDS).index("unstated")


def size_class(size: np.ndarray) -> np.ndarray:
    """Return the class of clusters of so many sentences, as a place in `SIZES`.

    Examples
    --------
    >>> [SIZES[i] for i in size_class(np.array([1, 2, 4, 5, 10]))]
    ['≤ 2', '≤ 2', '3–4', '5–9', '≥ 10']
    """
    return np.searchsorted(_BEGIN, size, side="right")


class Strata:
    """The pairs of a graph by kind and size of cluster: counted, drawn from, and found again.

    Kinds are *positive* (stated), *negative* (stated, between clusters), *conflict* (a negative inside a cluster) and
    *unstated* (inside a cluster, without a label: an inferred positive, never listed). The size is that of the larger
    cluster of the two ends. In bipartite data nothing follows, so there are stated pairs alone.

    Examples
    --------
    >>> import paragraph as pg
    >>> strata = Strata(pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO)))
    >>> strata.counts.sum(axis=1).tolist() == [
    ...     int((strata.graph.edge_sign > 0).sum()), int((strata.graph.edge_link >= 0).sum()),
    ...     int(strata.graph.within.sum()), pg.infer(strata.graph).counts()["positive"]]
    True
    """

    def __init__(self, graph: ParaphraseGraph):
        check_graph(graph)
        self.graph = graph
        within = graph.within & (not graph.bipartite)
        self._kind = np.select([graph.edge_sign > 0, within], [0, 2], 1)

    @cached_property
    def _size(self) -> np.ndarray:
        """Size class of each edge."""
        return self._size_of(self.graph.edge_a, self.graph.edge_b)

    def _size_of(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        # Ids of clusters go by size, the largest first.
        return size_class(self.graph.cluster_sizes[np.minimum(self.graph.cluster_of[a], self.graph.cluster_of[b])])

    @cached_property
    def _space(self) -> PairSpace:
        return Inside(self.graph)

    @cached_property
    def _unstated(self) -> np.ndarray:
        """For each size class the ranks of its inferred pairs: from, to."""
        sizes = size_class(self.graph.cluster_sizes)
        bounds = [np.searchsorted(-sizes, [-k, 1 - k]) for k in range(len(SIZES))]  # ids go by size, descending
        return self._space.rank(self._space.owner_starts[np.array(bounds)])

    @cached_property
    def counts(self) -> np.ndarray:
        """The number of pairs in each stratum: (kinds, sizes), int64."""
        found = np.zeros((len(KINDS), len(SIZES)), dtype=np.int64)
        np.add.at(found, (self._kind, self._size), 1)
        if not self.graph.bipartite:
            found[_UNSTATED] = np.diff(self._unstated)[:, 0]
        return found

    def draw(self, kind: int, size: int, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw so many pairs of a stratum, uniformly without repetition, and return their nodes."""
        ranks = draw_ranks(rng, int(self.counts[kind, size]), count)
        if kind == _UNSTATED:
            positions = self._space.nth_inferred(self._unstated[size, 0] + ranks)
            return self._space.ends(*self._space.locate(positions))
        edges = np.flatnonzero((self._kind == kind) & (self._size == size))[ranks]
        return self.graph.edge_a[edges], self.graph.edge_b[edges]

    def of(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return kind and size class of pairs of nodes; kind −1 for pairs that are in no stratum."""
        edge, clusters = self.graph.edge_index.places(a, b), self.graph.cluster_of
        joined = (clusters[a] == clusters[b]) & (a != b) & (not self.graph.bipartite)
        kind = np.where(joined, _UNSTATED, -1)
        kind[edge >= 0] = self._kind[edge[edge >= 0]]
        return kind, self._size_of(a, b)


class Share(NamedTuple):
    """A share with its 95 % interval; NaN where nothing was judged."""

    value: float
    low: float
    high: float


def allocation(counts: np.ndarray, n: int) -> np.ndarray:
    """Return how many pairs to draw of each stratum: integers, (kinds, sizes), `n` in all or all that there are.

    Kinds get equal numbers, because each is asked about by itself; what a kind is too small for goes to the others.
    Within a kind, numbers go by the square roots of the strata's counts (power allocation, Bankier 1988, The American
    Statistician 42), a compromise between the whole kind and each size. Each stratum gets one before any gets two.

    Parameters
    ----------
    counts : array of int, (kinds, sizes)
    n : int

    Examples
    --------
    >>> allocation(np.array([[900, 100], [0, 3]]), 20).tolist()
    [[13, 4], [0, 3]]
    """
    counts = np.asarray(counts)
    of_kind = _apportion(n, np.ones(len(counts)), counts.sum(axis=1))
    return np.array([_apportion(k, np.sqrt(row), row) for k, row in zip(of_kind, counts, strict=True)])


def _apportion(n: int, weight: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Give out seats by weight, one after the other (Huntington–Hill: a first for each before a second for any)."""
    seats = np.zeros(len(most), dtype=np.int64)
    for _ in range(min(n, int(most.sum()))):
        with np.errstate(divide="ignore", invalid="ignore"):
            claim = np.where(seats < most, weight / np.sqrt(seats * (seats + 1)), -1)
        first = claim == np.inf
        seats[np.argmax(np.where(first, weight, -1) if first.any() else claim)] += 1
    return seats


def share(pairs: np.ndarray, judged: np.ndarray, wrong: np.ndarray) -> Share:
    """Estimate the share of wrong labels among all pairs of some strata, from random pairs of each that were judged.

    The stratified estimate is unbiased: each stratum's own share, weighted by how many pairs it holds. The interval
    is that of Clopper and Pearson (1934) at the *effective* number of judged pairs (Korn and Graubard 1998, Survey
    Methodology 24): as many as would tell as much if drawn from all pairs alike. The larger of two variances counts,
    the one estimated and the one if all strata had the same share, so the interval holds where nothing wrong was
    found and where a large stratum has few judged pairs. A stratum that was judged entirely adds no doubt.

    Parameters
    ----------
    pairs, judged, wrong : arrays of int, one entry a stratum
        A stratum that holds pairs of which none was judged makes the value NaN.

    Examples
    --------
    >>> [round(x, 3) for x in share([9000, 1000], [20, 10], [1, 3])]
    [0.075, 0.008, 0.258]
    >>> [round(x, 3) for x in share([9000], [20], [0])]
    [0.0, 0.0, 0.168]
    >>> share([8], [8], [2])
    Share(value=0.25, low=0.25, high=0.25)
    """
    pairs, judged, wrong = (np.asarray(each, dtype=float) for each in (pairs, judged, wrong))
    there = pairs > 0
    pairs, judged, wrong = pairs[there], judged[there], wrong[there]
    if not len(pairs) or (judged == 0).any():
        return Share(np.nan, np.nan, np.nan)
    weight, own = pairs / pairs.sum(), wrong / judged
    value = float(weight @ own)
    # Variance of a mean of `judged` values drawn without repetition, in units of p (1 − p).
    spread = weight**2 * (pairs - judged) / np.maximum(pairs - 1, 1) / judged
    if not spread.any():
        return Share(value, value, value)
    alike = 1 / spread.sum()
    near = (wrong + value) / (judged + 1)  # one judged pair alone would have no variance at all
    variance = float(spread @ (near * (1 - near)))
    n = min(alike, value * (1 - value) / variance) if variance else alike
    low, high = _clopper_pearson(value * n, n)
    # What was seen is in the data.
    return Share(value, max(low, wrong.sum() / pairs.sum()), min(high, 1 - (judged - wrong).sum() / pairs.sum()))


def _clopper_pearson(k: float, n: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    low = float(betaincinv(k, n - k + 1, 0.025)) if k > 1e-9 else 0.0
    high = float(betaincinv(k + 1, n - k, 0.975)) if n - k > 1e-9 else 1.0
    return low, high
