"""An audit: a random sample of a dataset's labels, read by hand, and estimates of the wrong labels of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..files import PairsError
from ..files.errors import check_int
from ..graph.arrays import Array, draw_ranks
from ..graph.core import checked_graph
from ..graph.pairspace import Inside
from .answered import answered_pairs

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["KINDS", "audit", "error_rates", "kind_counts", "kinds_of", "share", "share_interval"]

#: Kinds of pairs: stated positives; stated negatives between clusters; conflicts, which are negatives inside a
#: cluster; and pairs inside a cluster that no row labels, inferred positives.
KINDS = ("positive", "negative", "conflict", "unstated")
UNSTATED = KINDS.index("unstated")
MEANING = (
    "A conflict is a negative inside a cluster, and not counted among the other negatives; unstated pairs lie inside "
    "a cluster, and no row labels them"
)
#: The words of a note for the pairs that do not count, by their name in `answered_pairs`.
OTHERS = {
    "left": "of the sample left empty",
    "disputed": "answered both ways and left out",
    "elsewhere": "of the log neither stated nor in one cluster",
}


def kinds_of(graph: ParaphraseGraph, edges: Array) -> Array:
    """Return the kind of each edge as its place in `KINDS`; edge −1 stands for an unstated pair."""
    sign = np.append(graph.edge_sign, 0)[edges]
    conflict = np.append(graph.negatives_inside, False)[edges]
    return np.select([sign > 0, conflict, sign < 0], [0, 2, 1], UNSTATED)


def kind_counts(graph: ParaphraseGraph) -> Array:
    """Count the pairs of each of `KINDS`; bipartite data have stated pairs only, because nothing is inferred.

    Examples
    --------
    >>> import paragraph as pg
    >>> kind_counts(pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))).tolist()
    [783, 1268, 52, 616]
    """
    edges = np.arange(len(graph.edge_a))
    counts = np.bincount(kinds_of(graph, edges), minlength=len(KINDS))
    if not graph.bipartite:
        inside = Inside(graph)
        counts[UNSTATED] = inside.size - inside.n_stated
    return counts


def audit(graph: ParaphraseGraph, n: int = 100, seed: int = 0) -> pd.DataFrame:
    """Draw a random sample of pairs to judge by hand: columns `text_a`, `text_b` and `same`, which is empty.

    Fill `same` with 1 if the two sentences mean the same and with 0 if they do not; leave it empty if nobody can say.
    Do so in a spreadsheet, or by keys: ``PairReview(sample, graph)``. `error_rates` then estimates how many labels of
    the whole data are wrong.

    Equally many pairs of each kind (`KINDS`) are drawn, because each kind is estimated by itself; if a kind is
    too small, the others get more. Rows are shuffled, and the two sentences change places at random, so that
    nothing gives away the label of a row.

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
    counts = kind_counts(checked_graph(graph, "audit"))
    if not counts.any():
        raise PairsError("there is nothing to audit: no row states a label")
    rng = np.random.default_rng(seed)
    kinds = kinds_of(graph, np.arange(len(graph.edge_a)))
    space = Inside(graph)
    ends = []
    for kind, number in enumerate(allocation(counts, n)):
        ranks = draw_ranks(rng, int(counts[kind]), number)
        if kind == UNSTATED:
            ends.append(space.ends(space.nth_inferred(ranks)))
        else:
            edges = np.flatnonzero(kinds == kind)
            ends.append(graph.ends(edges[ranks]))
    shuffled = rng.permutation(np.hstack(ends), axis=1)
    sample = graph.pair_texts(*rng.permuted(shuffled, axis=0))
    return sample.assign(same=pd.Series(pd.NA, sample.index, dtype="Int8"))


def allocation(counts: Array, n: int) -> list[int]:
    """Return the number of pairs to draw of each kind: equal numbers, `n` in total, or all pairs if fewer.

    >>> allocation(np.array([1000, 3, 0, 500]), 20)
    [9, 3, 0, 8]
    """
    numbers = [0 for _ in counts]
    # The smallest kind comes first: the larger ones share what it leaves.
    kinds = np.argsort(counts, kind="stable").tolist()
    for place, kind in enumerate(kinds):
        kinds_left = len(kinds) - place
        equal = n // kinds_left
        numbers[kind] = min(int(counts[kind]), equal)
        n -= numbers[kind]
    return numbers


def share(pairs: Array, answered: Array, wrong: Array) -> tuple[float, float, float]:
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
    numbers = np.array([pairs, answered, wrong], dtype=float)
    pairs, answered, wrong = numbers[:, numbers[0] > 0]
    if not len(pairs) or (answered == 0).any():
        return np.nan, np.nan, np.nan
    weight = pairs / pairs.sum()
    value = float(weight @ (wrong / answered))
    # The variance of the mean of `answered` values, drawn without replacement, in units of p (1 − p).
    spread = weight**2 * (pairs - answered)
    spread /= np.maximum(pairs - 1, 1)
    spread /= answered
    if not spread.any():
        return value, value, value
    n = 1 / spread.sum()
    # One answered pair alone would have no variance: the mean counts as one more.
    p = (wrong + value) / (answered + 1)
    variance = float(spread @ (p * (1 - p)))
    if variance:
        n = min(n, value * (1 - value) / variance)
    low, high = map(float, share_interval(value * n, n))
    seen_wrong = wrong.sum() / pairs.sum()
    seen_right = (answered - wrong).sum() / pairs.sum()
    return value, max(low, seen_wrong), min(high, 1 - seen_right)


def share_interval(k: ArrayLike, n: ArrayLike) -> tuple[Array, Array]:
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
    zero = rest * 0  # NaN where n is 0
    low = betaincinv(k, rest + 1, 0.025)
    low = np.where(k > 1e-9, low, zero)
    high = betaincinv(k + 1, rest, 0.975)
    high = np.where(rest > 1e-9, high, zero + 1)
    return low[()], high[()]  # numbers, if k and n are


def error_rates(graph: ParaphraseGraph, answers: Any) -> pd.DataFrame:
    """Estimate how many labels of each kind are wrong in the whole data, from an answered sample of `audit`.

    The kinds and their numbers come from the graph, so three columns are enough, in any order. A sample may be
    answered in part: its first rows are themselves a random sample.

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
    >>> report = pg.error_rates(graph, sample.assign(same=1))  # somebody finds that all of them mean the same
    >>> report.set_index("kind")["share"].dropna().to_dict()["positive"]
    0.0
    """
    counts = kind_counts(checked_graph(graph, "error_rates"))
    pairs = answered_pairs(graph, answers)
    if pairs.empty:
        raise PairsError(
            "nothing is answered yet: put 1 (the same) or 0 (different) into the column same"
        )
    kinds = kinds_of(graph, pairs["edge"])
    answered = np.bincount(kinds, minlength=len(KINDS))
    wrong = np.bincount(kinds, pairs["wrong"], minlength=len(KINDS)).astype(int)
    groups = {kind: [place] for place, kind in enumerate(KINDS)}
    groups["stated"] = [0, 1, 2]
    rows = []
    for name, places in groups.items():
        group = np.array([counts, answered, wrong])[:, places]
        rows.append((name, *group.sum(axis=1), *share(*group)))
    columns = ["kind", "pairs", "answered", "wrong", "share", "low", "high"]
    report = pd.DataFrame(rows, columns=columns).query("pairs > 0").reset_index(drop=True)
    report["number"] = report["pairs"] * report["share"]
    report["least"] = report["pairs"] * report["low"]
    report["most"] = report["pairs"] * report["high"]
    note = f"{len(pairs):,} pairs answered"
    for name, count in pairs.attrs.items():
        if count:
            note += f", {count:,} {OTHERS[name]}"
    report.attrs["note"] = f"{note}. Intervals: 95 %. {MEANING}."
    return report
