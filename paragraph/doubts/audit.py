"""An audit: a random sample of a dataset's labels, read by hand, and estimates of the wrong labels of each kind."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..files import PairsError
from ..files.errors import check_int
from ..graph.arrays import draw_ranks
from ..graph.core import checked_graph
from ..graph.pairspace import Inside
from .answered import answered_pairs

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = [
    "KINDS",
    "SIZES",
    "Strata",
    "allocation",
    "audit",
    "audited",
    "calibration",
    "share",
    "share_interval",
]

#: Kinds of pairs.
KINDS = ("positive", "negative", "conflict", "unstated")
#: Classes of clusters by their number of sentences, and the sizes at which the later ones begin.
SIZES = ("≤ 2", "3–4", "5–9", "≥ 10")
_BEGIN = (3, 5, 10)
_UNSTATED = KINDS.index("unstated")
MEANING = (
    "A conflict is a negative inside a cluster, and not counted among the other negatives; unstated pairs lie inside "
    "a cluster, and no row labels them"
)
#: What is said of pairs without one answer (`answered_pairs`).
OTHERS = {
    "left": "of the sample left empty",
    "disputed": "answered both ways and left out",
    "elsewhere": "of the log neither stated nor in one cluster",
}


class Strata:
    """The pairs of a graph by kind and size of cluster: counted, drawn from, and found again.

    Kinds are *positive* (stated), *negative* (stated, between clusters), *conflict* (a negative inside a cluster) and
    *unstated* (inside a cluster, without a label: an inferred positive, never listed). The size is that of the larger
    cluster of the two ends. In bipartite data nothing follows, so there are only stated pairs.

    Examples
    --------
    >>> import paragraph as pg
    >>> strata = Strata(pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO)))
    >>> strata.counts.sum(axis=1).tolist() == [
    ...     int((strata.graph.edge_sign > 0).sum()), len(strata.graph.link_negatives[1]),
    ...     int(strata.graph.negatives_inside.sum()), pg.infer(strata.graph).counts()["positive"]]
    True
    """

    def __init__(self, graph: ParaphraseGraph):
        self.graph = graph
        self._space = Inside(graph)
        #: Class of each cluster, as a place in `SIZES`; ids of clusters go by size, the largest first.
        self._class = np.searchsorted(_BEGIN, graph.cluster_sizes, side="right")
        bounds = [np.searchsorted(-self._class, [-size, 1 - size]) for size in range(len(SIZES))]
        #: The first and last ranks of the inferred pairs of each size.
        self._unstated = self._space.rank(self._space.owner_starts[np.array(bounds)])
        every = np.arange(len(graph.edge_a))
        self._kind, self._size = self.of(graph.edge_a, graph.edge_b, every)

    def of(self, a: np.ndarray, b: np.ndarray, edge: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return kind and size of pairs of nodes, by place; `edge` is −1 where no row states a label."""
        graph = self.graph
        conflict = np.append(graph.negatives_inside, False)[edge]
        sign = np.append(graph.edge_sign, 0)[edge]
        kind = np.select([sign > 0, conflict, sign < 0], [0, 2, 1], _UNSTATED)
        return kind, self._class[np.minimum(graph.cluster_of[a], graph.cluster_of[b])]

    @cached_property
    def counts(self) -> np.ndarray:
        """The number of pairs in each stratum: (kinds, sizes), int64."""
        found = np.zeros((len(KINDS), len(SIZES)), dtype=np.int64)
        np.add.at(found, (self._kind, self._size), 1)
        if not self.graph.bipartite:
            found[_UNSTATED] = np.diff(self._unstated)[:, 0]
        return found

    def draw(
        self, kind: int, size: int, count: int, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw pairs of a stratum, uniformly without repetition, and return their nodes."""
        ranks = draw_ranks(rng, int(self.counts[kind, size]), count)
        if kind == _UNSTATED:
            positions = self._space.nth_inferred(self._unstated[size, 0] + ranks)
            return self._space.ends(positions)
        edges = np.flatnonzero((self._kind == kind) & (self._size == size))
        return self.graph.ends(edges[ranks])


def audit(graph: ParaphraseGraph, n: int = 100, seed: int = 0) -> pd.DataFrame:
    """Draw a random sample of pairs to judge by hand: columns `text_a`, `text_b` and `same`, which is empty.

    Fill `same` with 1 if the two sentences mean the same and with 0 if they do not; leave it empty if nobody can say.
    Do so in a spreadsheet, or by keys: ``PairReview(sample, graph)``. `audited` then estimates how many labels of the
    whole data are wrong.

    Pairs are drawn from strata (`Strata`, `allocation`): stated positives, stated negatives, conflicts and unstated
    pairs inside clusters, each by the size of their cluster. Rows are shuffled, and the two sentences change places
    at random, so nothing gives away the label of a row.

    The sample has `n` pairs, or all if there are fewer; the same seed draws the same sample. Raises `PairsError` if
    `n` is less than 1 or the graph has no labels.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> sample = pg.audit(graph, n=40)
    >>> len(sample), list(sample), sample["same"].notna().sum()
    (40, ['text_a', 'text_b', 'same'], np.int64(0))
    """
    check_int("n", n)
    strata = Strata(checked_graph(graph, "audit"))
    if not strata.counts.any():
        raise PairsError("there is nothing to audit: no row states a label")
    rng = np.random.default_rng(seed)
    numbers = allocation(strata.counts, n)
    drawn = [
        strata.draw(kind, size, numbers[kind, size], rng) for kind, size in np.argwhere(numbers)
    ]
    ends = np.hstack(drawn)[:, rng.permutation(numbers.sum())]
    sample = graph.pair_texts(*rng.permuted(ends, axis=0))
    return sample.assign(same=pd.Series(pd.NA, sample.index, dtype="Int8"))


def allocation(counts: np.ndarray, n: int) -> np.ndarray:
    """Return the number of pairs to draw from each stratum: integers, (kinds, sizes), `n` in all, or all there are.

    Kinds get equal numbers, because each is estimated separately; numbers too large for a kind go to the others.
    Within a kind, numbers follow the square roots of the strata's counts (power allocation, Bankier 1988, The
    American Statistician 42), a compromise between the whole kind and each size. Each stratum gets one before any
    gets two.

    Examples
    --------
    >>> allocation(np.array([[900, 100], [0, 3]]), 20).tolist()
    [[13, 4], [0, 3]]
    """
    of_kind = _apportion(n, np.ones(len(counts)), counts.sum(axis=1))
    return np.array(
        [_apportion(n, np.sqrt(row), row) for n, row in zip(of_kind, counts, strict=True)]
    )


def _apportion(n: int, weight: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Assign seats by weight (Huntington–Hill: a first for each before a second for any)."""
    which = np.repeat(np.arange(len(most)), np.minimum(most, n))
    seat = np.arange(len(which)) - np.searchsorted(which, which)
    claim = weight[which] / np.sqrt(np.maximum(seat * (seat + 1), 1e-30))
    first = np.argsort(-claim, kind="stable")[:n]
    return np.bincount(which[first], minlength=len(most))


def share(pairs: np.ndarray, answered: np.ndarray, wrong: np.ndarray) -> tuple[float, float, float]:
    """Estimate the share of wrong labels among all pairs of some strata: its value, and its 95 % interval.

    The stratified estimate is unbiased: each stratum's own share, weighted by how many pairs it holds. The interval
    is that of Clopper and Pearson (1934) at the *effective* number of answered pairs (Korn and Graubard 1998, Survey
    Methodology 24): the number that would be as informative if drawn from all pairs uniformly. The larger of two
    variances counts, the estimated one and the one for equal shares in all strata, so the interval also holds if
    nothing wrong was found or if a large stratum has few answered pairs. A stratum that was answered entirely adds no
    doubt.

    Parameters
    ----------
    pairs, answered, wrong : arrays of int, one entry per stratum
        All pairs, the random ones with an answer, and the wrong ones among these. A stratum with pairs but without
        an answered one makes the value NaN.

    Examples
    --------
    >>> [round(x, 3) for x in share([9000, 1000], [20, 10], [1, 3])]
    [0.075, 0.008, 0.258]
    >>> [round(x, 3) for x in share([9000], [20], [0])]
    [0.0, 0.0, 0.168]
    >>> share([8], [8], [2])
    (0.25, 0.25, 0.25)
    """
    some = np.asarray(pairs) > 0
    pairs, answered, wrong = np.array([pairs, answered, wrong], dtype=float)[:, some]
    if not len(pairs) or (answered == 0).any():
        return np.nan, np.nan, np.nan
    weight = pairs / pairs.sum()
    value = float(weight @ (wrong / answered))
    # Variance of a mean of `answered` values drawn without repetition, in units of p (1 − p).
    spread = weight**2 * (pairs - answered) / np.maximum(pairs - 1, 1) / answered
    if not spread.any():
        return value, value, value
    n = 1 / spread.sum()
    near = (wrong + value) / (answered + 1)  # one answered pair alone would have no variance at all
    variance = float(spread @ (near * (1 - near)))
    if variance:
        n = min(n, value * (1 - value) / variance)
    low, high = map(float, share_interval(value * n, n))
    seen_wrong = wrong.sum() / pairs.sum()
    seen_right = (answered - wrong).sum() / pairs.sum()
    return value, max(low, seen_wrong), min(high, 1 - seen_right)


def share_interval(k: ArrayLike, n: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the 95 % interval of the share k / n of things drawn at random (Clopper and Pearson 1934).

    Neither number need be whole; NaN where n is 0.

    Examples
    --------
    >>> [round(float(end), 3) for end in share_interval(37, 40)]
    [0.796, 0.984]
    """
    from scipy.special import betaincinv

    k = np.asarray(k, dtype=float)
    rest = np.where(np.asarray(n) > 0, n, np.nan) - k
    none = rest * 0  # NaN where n is
    low = np.where(k > 1e-9, betaincinv(k, rest + 1, 0.025), none)
    high = np.where(rest > 1e-9, betaincinv(k + 1, rest, 0.975), none + 1)
    return low[()], high[()]


def audited(graph: ParaphraseGraph, answers: Any) -> pd.DataFrame:
    """Estimate how many labels of each kind are wrong in the whole data, from an answered sample of `audit`.

    The strata and their weights come from the graph, so three columns are enough, in any order. If only a part was
    answered, the first rows of a sample are a random part of it; strata without an answer are assumed to be like
    the nearest size of their kind, and the note names them.

    Parameters
    ----------
    answers : DataFrame, or a log or review with a method `answered`
        See `answered_pairs`. The estimates hold for pairs that were drawn at random: those of `audit`, not those that
        somebody picked.

    Returns
    -------
    DataFrame
        One row per kind of pair, and one for all stated labels: `kind`, `pairs` in the data, how many of them were
        `answered` and of these `wrong`; of all `pairs` the `share` that is wrong with its 95 % interval `low`, `high`
        (`share`); the same as numbers of pairs: `number`, `least`, `most`. NaN where nothing was answered.
        ``.attrs["note"]`` says how many pairs were answered, and how many were not.

    Raises
    ------
    PairsError
        A row that does not fit (`answered_pairs`), or no answered row.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> sample = pg.audit(graph, n=40)
    >>> report = pg.audited(graph, sample.assign(same=1))  # somebody finds that all of them mean the same
    >>> report.set_index("kind")["share"].dropna().to_dict()["positive"]
    0.0
    """
    strata = Strata(checked_graph(graph, "audited"))
    found = answered_pairs(graph, answers)
    if found.empty:
        raise PairsError(
            "nothing is answered yet: put 1 (the same) or 0 (different) into the column same"
        )
    nothing = np.zeros_like(strata.counts)
    cells = np.array([strata.counts, nothing, nothing])  # all, answered, wrong
    kind, size = strata.of(*found[["a", "b", "edge"]].to_numpy().T)
    np.add.at(cells[1], (kind, size), 1)
    np.add.at(cells[2], (kind, size), found["wrong"])
    groups = {}
    bare = []
    for name, each in zip(KINDS, cells.transpose(1, 0, 2), strict=True):
        groups[name] = _pooled(each)
        pairs, answered, _ = each
        sizes = np.array(SIZES)[(pairs > 0) & (answered == 0)]
        if len(sizes) and answered.any():
            bare.append(f"{name} ({', '.join(sizes)})")
    groups["stated"] = np.hstack([groups[kind] for kind in ("positive", "negative", "conflict")])
    rows = [(kind, *group.sum(axis=1), *share(*group)) for kind, group in groups.items()]
    report = pd.DataFrame(
        rows, columns=["kind", "pairs", "answered", "wrong", "share", "low", "high"]
    )
    report = report[report["pairs"] > 0].reset_index(drop=True)
    for number, part in {"number": "share", "least": "low", "most": "high"}.items():
        report[number] = report["pairs"] * report[part]
    note = f"{len(found):,} pairs answered"
    for name, count in found.attrs.items():
        if count:
            note += f", {count:,} {OTHERS[name]}"
    if bare:
        note += f". None of these was answered, and others of their kind stand for them: {'; '.join(bare)}"
    report.attrs["note"] = f"{note}. Intervals: 95 %. {MEANING}."
    return report


def _pooled(each: np.ndarray) -> np.ndarray:
    """Add the pairs of each size without an answered pair to the nearest size that has some, of two the larger.

    Rows of the array are numbers of pairs, answered and wrong; columns are sizes.
    """
    pairs, answered, wrong = each
    known = np.flatnonzero(answered)[::-1]
    if not len(known):
        return each
    distance = np.abs(known[:, None] - np.arange(len(pairs)))
    nearest = known[distance.argmin(axis=0)]
    pairs = np.bincount(nearest, pairs, len(pairs))
    return np.array([pairs, answered, wrong], dtype=np.int64)


def calibration(label: ArrayLike, probability: ArrayLike, bins: int = 10) -> pd.DataFrame:
    """Compare the predicted with the observed share of paraphrases, in bins of equal width over [0, 1].

    Returns
    -------
    DataFrame
        One row per bin: low, high (the last bin includes 1), n, predicted (mean probability), observed (share
        of the label 1), least and most (its 95 % interval by Clopper and Pearson); missing in an empty bin. The
        expected calibration error is the mean of ``|observed − predicted|`` weighted by n (Guo et al. 2017, eq. 3, of
        P(1) instead of the confidence).

    Examples
    --------
    >>> calibration([0, 1, 1], [0.1, 0.2, 0.9], bins=2).round(2)
       low  high  n  predicted  observed  least  most
    0  0.0   0.5  2       0.15       0.5   0.01  0.99
    1  0.5   1.0  1       0.90       1.0   0.02  1.00
    """
    label = np.asarray(label, dtype=float)
    probability = np.asarray(probability, dtype=float)
    edges = np.linspace(0, 1, bins + 1)
    place = np.searchsorted(edges, probability, side="right") - 1
    place = place.clip(max=bins - 1)
    means = pd.DataFrame({"predicted": probability, "observed": label}).groupby(place).mean()
    table = pd.DataFrame({"low": edges[:-1], "high": edges[1:]})
    table["n"] = np.bincount(place, minlength=bins)
    table = table.join(means)
    least, most = share_interval(table["observed"] * table["n"], table["n"])
    return table.assign(least=least, most=most)
