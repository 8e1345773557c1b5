"""An audit: a random sample of a dataset's labels, read by hand, and estimates of the wrong labels of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..files import PairsError
from ..files.errors import check_int
from ..graph.core import checked_graph
from .answered import PAIR_KINDS, SIZES, Strata, answered_pairs

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["allocation", "audit", "audited", "calibration", "share", "share_interval"]

MEANING = (
    "A conflict is a negative inside a cluster, and not counted among the other negatives; unstated pairs lie inside "
    "a cluster, and no row labels them"
)
COLUMNS = ["kind", "pairs", "answered", "wrong", "share", "low", "high", "number", "least", "most"]


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
    strata, rng = Strata(graph), np.random.default_rng(seed)
    if not strata.counts.any():
        raise PairsError("there is nothing to audit: no row states a label")
    numbers = allocation(strata.counts, n)
    drawn = [strata.draw(kind, size, numbers[kind, size], rng) for kind, size in np.argwhere(numbers)]
    ends = np.hstack(drawn)[:, rng.permutation(numbers.sum())]
    a, b = rng.permuted(ends, axis=0)
    return graph.pair_texts(a, b).assign(same=pd.array([pd.NA] * len(a), dtype="Int8"))


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
    return np.array([_apportion(k, np.sqrt(row), row) for k, row in zip(of_kind, counts, strict=True)])


def _apportion(n: int, weight: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Assign seats by weight (Huntington–Hill: a first for each before a second for any)."""
    which = np.repeat(np.arange(len(most)), np.minimum(most, n))
    seat = np.arange(len(which)) - np.searchsorted(which, which)
    claim = weight[which] / np.sqrt(np.maximum(seat * (seat + 1), 1e-30))
    return np.bincount(which[np.argsort(-claim, kind="stable")[:n]], minlength=len(most))


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
    pairs, answered, wrong = np.array([pairs, answered, wrong], dtype=float)[:, np.asarray(pairs) > 0]
    if not len(pairs) or (answered == 0).any():
        return np.nan, np.nan, np.nan
    weight, own = pairs / pairs.sum(), wrong / answered
    value = float(weight @ own)
    # Variance of a mean of `answered` values drawn without repetition, in units of p (1 − p).
    spread = weight**2 * (pairs - answered) / np.maximum(pairs - 1, 1) / answered
    if not spread.any():
        return value, value, value
    alike = 1 / spread.sum()
    near = (wrong + value) / (answered + 1)  # one answered pair alone would have no variance at all
    variance = float(spread @ (near * (1 - near)))
    n = min(alike, value * (1 - value) / variance) if variance else alike
    low, high = map(float, share_interval(value * n, n))
    # What was seen is in the data.
    return value, max(low, wrong.sum() / pairs.sum()), min(high, 1 - (answered - wrong).sum() / pairs.sum())


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
    low = np.where(k > 1e-9, betaincinv(k, rest + 1, 0.025), rest * 0)
    return low[()], np.where(rest > 1e-9, betaincinv(k + 1, rest, 0.975), rest * 0 + 1)[()]


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
    found = answered_pairs(graph, answers, strata)
    if not len(found.same):
        raise PairsError("nothing is answered yet: put 1 (the same) or 0 (different) into the column same")
    of_all = np.array([strata.counts, *np.zeros((2, *strata.counts.shape), dtype=np.int64)])
    np.add.at(of_all[1], (found.kind, found.size), 1)
    np.add.at(of_all[2], (found.kind, found.size), found.wrong)
    rows, groups, bare = [], {}, []
    for kind, cells in zip(PAIR_KINDS, of_all.transpose(1, 0, 2), strict=True):
        groups[kind] = _pooled(cells)
        sizes = [size for size, pairs, answered in zip(SIZES, *cells[:2], strict=True) if pairs and not answered]
        if sizes and cells[1].any():
            bare.append(f"{kind} ({', '.join(sizes)})")
    groups["stated"] = np.hstack([groups[kind] for kind in ("positive", "negative", "conflict")])
    for kind, group in groups.items():
        estimate, total = share(*group), group.sum(axis=1).tolist()
        if total[0]:
            rows.append((kind, *total, *estimate, *(total[0] * x for x in estimate)))
    note = f"{len(found.same):,} pairs answered"
    if found.left:
        note += f", {found.left:,} of the sample left empty"
    if found.disputed:
        note += f", {found.disputed:,} answered both ways and left out"
    if found.elsewhere:
        note += f", {found.elsewhere:,} of the log neither stated nor in one cluster"
    if bare:
        note += f". None of these was answered, and others of their kind stand for them: {'; '.join(bare)}"
    report = pd.DataFrame(rows, columns=COLUMNS)
    report.attrs["note"] = f"{note}. Intervals: 95 %. {MEANING}."
    return report


def _pooled(each: np.ndarray) -> np.ndarray:
    """Add the pairs of each size without an answered pair to the nearest size that has some, of two the larger.

    Rows of the array are numbers of pairs, answered and wrong; columns are sizes.
    """
    known = np.flatnonzero(each[1])[::-1]
    if not len(known):
        return each
    nearest = known[np.argmin(np.abs(known[:, None] - np.arange(each.shape[1])), axis=0)]
    return np.array([np.bincount(nearest, each[0], each.shape[1]), *each[1:]]).astype(np.int64)


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
    edges = np.linspace(0, 1, bins + 1)
    of = np.minimum(np.searchsorted(edges, probability, side="right") - 1, bins - 1)
    n = np.bincount(of, minlength=bins)
    with np.errstate(invalid="ignore"):
        means = [np.bincount(of, weights=x, minlength=bins) / n for x in (probability, label)]
    table = pd.DataFrame({"low": edges[:-1], "high": edges[1:], "n": n, "predicted": means[0], "observed": means[1]})
    return table.assign(**dict(zip(("least", "most"), share_interval(means[1] * n, n), strict=True)))
