"""An audit: a random sample of a dataset's labels, judged by hand, and estimates of the wrong labels of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import whole
from ..graph.core import checked_graph
from ..graph.identity import nodes_of
from .judged import KINDS, SIZES, Judged, Strata, judged_pairs
from .scoring import calibration, clopper_pearson

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["Audit", "allocation", "audit", "audited", "share"]

#: The name of each kind of pairs in a report.
NAMES = {
    "positive": "stated positives",
    "negative": "stated negatives",
    "conflict": "conflicts",
    "unstated": "unstated pairs",
}
MEANING = (
    "Conflicts are stated negatives inside a cluster, and not counted among the other stated negatives; unstated "
    "pairs lie inside a cluster, and no row labels them."
)
HEADINGS = ("labels", "in the data", "judged", "wrong", "wrong in the data", "as a number")


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
    whole("n", n)
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
    """Assign seats by weight, one after another (Huntington–Hill: a first for each before a second for any)."""
    seats = np.zeros(len(most), dtype=np.int64)
    for _ in range(min(n, int(most.sum()))):
        with np.errstate(divide="ignore", invalid="ignore"):
            claim = np.where(seats < most, weight / np.sqrt(seats * (seats + 1)), -1)
        first = claim == np.inf
        seats[np.argmax(np.where(first, weight, -1) if first.any() else claim)] += 1
    return seats


def share(pairs: np.ndarray, judged: np.ndarray, wrong: np.ndarray) -> tuple[float, float, float]:
    """Estimate the share of wrong labels among all pairs of some strata: its value, and its 95 % interval.

    The stratified estimate is unbiased: each stratum's own share, weighted by how many pairs it holds. The interval
    is that of Clopper and Pearson (1934) at the *effective* number of judged pairs (Korn and Graubard 1998, Survey
    Methodology 24): the number that would be as informative if drawn from all pairs uniformly. The larger of two
    variances counts, the estimated one and the one for equal shares in all strata, so the interval also holds if
    nothing wrong was found or if a large stratum has few judged pairs. A stratum that was judged entirely adds no
    doubt.

    Parameters
    ----------
    pairs, judged, wrong : arrays of int, one entry per stratum
        All pairs, the random ones that were judged, and the wrong ones among these. A stratum with pairs but without
        a judged one makes the value NaN.

    Examples
    --------
    >>> [round(x, 3) for x in share([9000, 1000], [20, 10], [1, 3])]
    [0.075, 0.008, 0.258]
    >>> [round(x, 3) for x in share([9000], [20], [0])]
    [0.0, 0.0, 0.168]
    >>> share([8], [8], [2])
    (0.25, 0.25, 0.25)
    """
    pairs, judged, wrong = np.array([pairs, judged, wrong], dtype=float)[:, np.asarray(pairs) > 0]
    if not len(pairs) or (judged == 0).any():
        return np.nan, np.nan, np.nan
    weight, own = pairs / pairs.sum(), wrong / judged
    value = float(weight @ own)
    # Variance of a mean of `judged` values drawn without repetition, in units of p (1 − p).
    spread = weight**2 * (pairs - judged) / np.maximum(pairs - 1, 1) / judged
    if not spread.any():
        return value, value, value
    alike = 1 / spread.sum()
    near = (wrong + value) / (judged + 1)  # one judged pair alone would have no variance at all
    variance = float(spread @ (near * (1 - near)))
    n = min(alike, value * (1 - value) / variance) if variance else alike
    low, high = map(float, clopper_pearson(value * n, n))
    # What was seen is in the data.
    return value, max(low, wrong.sum() / pairs.sum()), min(high, 1 - (judged - wrong).sum() / pairs.sum())


@dataclass(frozen=True)
class Audit:
    """The estimated numbers of wrong labels of each kind, from an audit.

    Attributes
    ----------
    table : DataFrame
        One row per kind of pair, and one for all stated labels: `kind`, `pairs` in the data, how many of them were
        `judged` and of these `wrong`; of all `pairs` the `share` that is wrong with its 95 % interval `low`, `high`
        (`share`); the same as numbers of pairs: `number`, `least`, `most`. NaN where nothing was judged.
    strata : DataFrame
        The same by `kind` and `size` of cluster, without the numbers.
    note : str
        The numbers of judged and unjudged pairs, in words.
    judged, left, elsewhere : int
        The numbers of pairs with a judgement, of pairs of the sample without one, and of pairs of the log in no
        stratum.
    reliability : DataFrame or None
        Of the judged labels for which p_wrong was given: the bins of `scoring.calibration` that hold some.
    """

    table: pd.DataFrame
    strata: pd.DataFrame
    note: str
    judged: int
    left: int
    elsewhere: int
    reliability: pd.DataFrame | None = None

    def lines(self) -> list[tuple[str, ...]]:
        """Return the report as text: a heading, then a row per kind."""
        lines = [HEADINGS]
        for row in self.table.itertuples():
            share, number = "not judged", ""
            if not np.isnan(row.share):
                share = f"{_percent(row.share)} % ({_percent(row.low)}–{_percent(row.high)} %)"
                number = f"{round(row.number):,} ({round(row.least):,}–{round(row.most):,})"
            counts = (f"{count:,}" for count in (row.pairs, row.judged, row.wrong))
            lines.append((NAMES.get(row.kind, row.kind), *counts, share, number))
        return lines

    def __str__(self) -> str:
        rows = ["{:<18}  {:>11}  {:>7}  {:>6}  {:<20}  {}".format(*line).rstrip() for line in self.lines()]
        return "\n".join([*rows, self.note, *self._predictions()])

    def _predictions(self) -> list[str]:
        """Compare predictions with results: a line for each row of `reliability`."""
        if self.reliability is None:
            return []
        said = [f"p_wrong was predicted for {self.reliability['n'].sum():,} of the judged labels:"]
        for row in self.reliability.itertuples():
            found = f"{_percent(row.observed)} % ({_percent(row.least)}–{_percent(row.most)} %)"
            counted = f"{row.n:,} label{'s' * (row.n != 1)}"
            said.append(
                f"{row.low:.1f}–{row.high:.1f}: {counted}, {_percent(row.predicted)} % predicted, {found} wrong"
            )
        return said

    def _repr_html_(self) -> str:
        table = pd.DataFrame(self.lines()[1:], columns=HEADINGS).to_html(index=False, border=0)
        said = "".join(f"<p>{escape(line)}</p>" for line in (self.note, *self._predictions()))
        return f'<div class="tex2jax_ignore mathjax_ignore">{table}{said}</div>'


def _percent(value: float) -> str:
    return f"{100 * value:.1f}" if 0 < value < 0.0995 else f"{100 * value:.0f}"


def audited(graph: ParaphraseGraph, judged: Any, predicted: pd.DataFrame | None = None) -> Audit:
    """Estimate how many labels of each kind are wrong in the whole data, from a judged sample of `audit`.

    The strata and their weights come from the graph, so three columns are enough, in any order. If only a part was
    judged, the first rows of a sample are a random part of it; strata without a judged pair are assumed to be like
    the nearest size of their kind, and `note` names them.

    Parameters
    ----------
    judged : DataFrame, or a log or review with a method `judged`
        See `judged_pairs`. The estimates hold for pairs that were drawn at random: those of `audit`, not those that
        somebody picked.
    predicted : DataFrame, optional
        `text_a`, `text_b` and `p_wrong`, as in the table of `suspects` without this audit: the report then says how
        far to trust them.

    Raises
    ------
    PairsError
        A row that does not fit (`judged_pairs`), or no judged row.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> sample = pg.audit(graph, n=40)
    >>> report = pg.audited(graph, sample.assign(same=1))  # somebody finds that all of them mean the same
    >>> report.table.set_index("kind")["share"].dropna().to_dict()["positive"]
    0.0
    """
    strata = Strata(checked_graph(graph, "audited"))
    answers = judged_pairs(graph, judged, strata)
    if not len(answers.same):
        raise PairsError("nothing is judged yet: put 1 (the same) or 0 (different) into the column same")
    of_all = np.array([strata.counts, *np.zeros((2, *strata.counts.shape), dtype=np.int64)])
    np.add.at(of_all[1], (answers.kind, answers.size), 1)
    np.add.at(of_all[2], (answers.kind, answers.size), answers.wrong)
    rows, cells, groups, bare = [], [], {}, []
    for k, kind in enumerate(KINDS):
        there = [(size, cell) for size, cell in zip(SIZES, of_all[:, k].T, strict=True) if cell[0]]
        cells += [(kind, size, *cell, *share(*cell[:, None])) for size, cell in there]
        groups[kind] = _pooled(of_all[:, k])
        left_out = [size for size, cell in there if not cell[1]]
        if 0 < len(left_out) < len(there):
            bare.append(f"{NAMES[kind]} ({', '.join(left_out)})")
    groups["all stated labels"] = np.hstack([groups[kind] for kind in ("positive", "negative", "conflict")])
    for kind, group in groups.items():
        estimate, total = share(*group), group.sum(axis=1).tolist()
        if total[0]:
            rows.append((kind, *total, *estimate, *(total[0] * x for x in estimate)))
    note = f"{len(answers.same):,} pairs judged"
    if answers.left:
        note += f", {answers.left:,} of the sample left empty"
    if answers.disputed:
        note += f", {answers.disputed:,} judged both ways and left out"
    if answers.elsewhere:
        note += f", {answers.elsewhere:,} of the log neither stated nor in one cluster"
    if bare:
        note += f". None of these was judged, and others of their kind stand for them: {'; '.join(bare)}"
    columns = ["pairs", "judged", "wrong", "share", "low", "high"]
    return Audit(
        pd.DataFrame(rows, columns=["kind", *columns, "number", "least", "most"]),
        pd.DataFrame(cells, columns=["kind", "size", *columns]),
        f"{note}. Intervals: 95 %. {MEANING}",
        len(answers.same),
        answers.left,
        answers.elsewhere,
        None if predicted is None else _reliability(graph, answers, predicted),
    )


def _reliability(graph: ParaphraseGraph, answers: Judged, predicted: pd.DataFrame) -> pd.DataFrame:
    a, b = (nodes_of(graph, predicted[end].tolist()) for end in ("text_a", "text_b"))
    edges, p = graph.edge_index.places(a, b), np.full(len(graph.edge_a), np.nan)
    p[edges[edges >= 0]] = predicted["p_wrong"].to_numpy(float)[edges >= 0]
    known = (answers.edge >= 0) & ~np.isnan(p[answers.edge])
    if not known.any():
        raise PairsError("p_wrong is given for none of the judged labels; are the predictions from another file?")
    return calibration(answers.wrong[known], p[answers.edge[known]], 5).query("n > 0")


def _pooled(each: np.ndarray) -> np.ndarray:
    """Add the pairs of each size without a judged pair to the nearest size that has some, of two the larger.

    Rows of the array are numbers of pairs, judged and wrong; columns are sizes.
    """
    known = np.flatnonzero(each[1])[::-1]
    if not len(known):
        return each
    nearest = known[np.argmin(np.abs(known[:, None] - np.arange(each.shape[1])), axis=0)]
    return np.array([np.bincount(nearest, each[0], each.shape[1]), *each[1:]]).astype(np.int64)
