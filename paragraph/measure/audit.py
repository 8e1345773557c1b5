"""An audit: a random sample of a dataset's labels judged by hand, and how many labels of each kind are wrong."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..pairs import PairsError
from ..pairs.errors import whole
from .judged import judged_pairs
from .strata import KINDS, SIZES, Strata, allocation, share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph

__all__ = ["Audit", "audit", "audited"]

#: What each kind of pairs is called in a report.
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
STATED = "all stated labels"


def audit(graph: ParaphraseGraph, n: int = 100, seed: int = 0) -> pd.DataFrame:
    """Draw a random sample of pairs to judge by hand: columns `text_a`, `text_b` and `same`, which is empty.

    Fill `same` with 1 where the two sentences mean the same and with 0 where they do not; leave it empty where nobody
    can say. In a spreadsheet, or by keys: ``PairReview(sample, graph)``. `audited` then says how many labels of the
    whole data are wrong.

    Pairs are drawn from strata (`Strata`, `allocation`): stated positives, stated negatives, conflicts and unstated
    pairs inside clusters, each by the size of their cluster. Rows are shuffled, and the two sentences change places
    at random, so that nothing tells the label of a row.

    Parameters
    ----------
    n : int
        All pairs, where there are fewer.
    seed : int
        The same seed draws the same sample.

    Raises
    ------
    PairsError
        `n` is less than 1; the graph has no labels.

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
    found = pd.DataFrame({"text_a": graph.texts(a), "text_b": graph.texts(b)}, dtype="str")
    return found.assign(same=pd.array([pd.NA] * len(found), dtype="Int8"))


@dataclass(frozen=True)
class Audit:
    """The numbers of wrong labels of each kind, by an audit.

    Attributes
    ----------
    table : DataFrame
        One row a kind of pairs, and one for all stated labels: `kind`, `pairs` in the data, how many of them were
        `judged` and of these `wrong`; of all `pairs` the `share` that is wrong with its 95 % interval `low`, `high`
        (`stratified.share`); the same as numbers of pairs: `number`, `least`, `most`. NaN where nothing was judged.
    strata : DataFrame
        The same by `kind` and `size` of cluster, without the numbers.
    judged, left, elsewhere : int
        Pairs with a judgement, pairs of the sample without one, and pairs of the log that are in no stratum.
    """

    table: pd.DataFrame
    strata: pd.DataFrame
    judged: int
    left: int
    elsewhere: int = 0

    @property
    def note(self) -> str:
        """The numbers of judged and unjudged pairs, in words."""
        known = self.strata.loc[self.strata["judged"] > 0, "kind"]
        bare = self.strata[(self.strata["judged"] == 0) & self.strata["kind"].isin(known)]
        text = f"{self.judged:,} pairs judged" + f", {self.left:,} of the sample left empty" * bool(self.left)
        text += f", {self.elsewhere:,} of the log neither stated nor in one cluster" * bool(self.elsewhere)
        if len(bare):
            names = "; ".join(
                f"{NAMES[kind]} ({', '.join(sizes)})" for kind, sizes in bare.groupby("kind", sort=False)["size"]
            )
            text += f". None of these was judged, and others of their kind stand for them: {names}"
        return f"{text}. Intervals: 95 %. {MEANING}"

    def lines(self) -> list[tuple[str, ...]]:
        """Return the report as text: a heading, then a row a kind."""
        lines = [("labels", "in the data", "judged", "wrong", "wrong in the data", "as a number")]
        for row in self.table.itertuples():
            share, number = "not judged", ""
            if row.judged and row.share == row.share:
                share = f"{_percent(row.share)} % ({_percent(row.low)}–{_percent(row.high)} %)"
                number = f"{round(row.number):,} ({round(row.least):,}–{round(row.most):,})"
            counts = (f"{count:,}" for count in (row.pairs, row.judged, row.wrong))
            lines.append((NAMES.get(row.kind, row.kind), *counts, share, number))
        return lines

    def figure(self) -> Figure:
        """Draw the strata (`draw.draw_shares`)."""
        from ..draw.charts import draw_shares

        return draw_shares(self.strata, NAMES)

    def __str__(self) -> str:
        rows = ["{:<18}  {:>11}  {:>7}  {:>6}  {:<20}  {}".format(*line).rstrip() for line in self.lines()]
        return "\n".join([*rows, self.note])

    def _repr_html_(self) -> str:
        head, *rows = self.lines()
        table = pd.DataFrame(rows, columns=head).to_html(index=False, border=0)
        return f'<div class="tex2jax_ignore mathjax_ignore">{table}<p>{escape(self.note)}</p></div>'


def _percent(value: float) -> str:
    return f"{100 * value:.1f}" if 0 < value < 0.0995 else f"{100 * value:.0f}"


def audited(graph: ParaphraseGraph, judged: Any) -> Audit:
    """Estimate how many labels of each kind are wrong in the whole data, from a sample of `audit` that was judged.

    The strata and their weights come from the graph, so three columns are enough, in any order. Where only a part
    was judged, the first rows of a sample are a random part of it; strata without a judged pair are taken to be like
    the nearest size of their kind, and `note` names them.

    Parameters
    ----------
    judged : DataFrame, or a log or review with a method `judged`
        See `judged_pairs`. The estimates hold for pairs that were drawn at random: those of `audit`, not those that
        somebody picked.

    Raises
    ------
    PairsError
        A row that does not fit (`judged_pairs`), or nothing that is judged.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> sample = pg.audit(graph, n=40)
    >>> report = pg.audited(graph, sample.assign(same=1))  # somebody finds that all of them mean the same
    >>> report.table.set_index("kind")["share"].dropna().to_dict()["positive"]
    0.0
    """
    strata = Strata(graph)
    found = judged_pairs(graph, judged, strata)
    if not len(found.a):
        raise PairsError("nothing is judged yet: put 1 (the same) or 0 (different) into the column same")
    counts, sizes = strata.counts, np.arange(len(SIZES))
    number, wrong = (np.zeros_like(counts) for _ in range(2))
    np.add.at(number, (found.kind, found.size), 1)
    np.add.at(wrong, (found.kind, found.size), found.wrong)
    rows, cells, groups = [], [], {}
    for k, kind in enumerate(KINDS):
        for s in np.flatnonzero(counts[k]):
            one = (counts[k, s], number[k, s], wrong[k, s])
            cells.append((kind, SIZES[s], *one, *share(*([x] for x in one))))
        known = np.flatnonzero(number[k])
        pooled = np.zeros_like(counts[k])
        for s in sizes[counts[k] > 0]:
            if len(known):  # the nearest size, of two the larger
                pooled[known[::-1][np.argmin(np.abs(known[::-1] - s))]] += counts[k, s]
            else:
                pooled[s] = counts[k, s]
        groups[kind] = (pooled, number[k], wrong[k])
    groups[STATED] = np.hstack([groups[kind] for kind in ("positive", "negative", "conflict")])
    for kind, group in groups.items():
        estimate = share(*group)
        total = [int(np.sum(each)) for each in group]
        if total[0]:
            rows.append((kind, *total, *estimate, *(total[0] * x for x in estimate)))
    columns = ["pairs", "judged", "wrong", "share", "low", "high"]
    return Audit(
        pd.DataFrame(rows, columns=["kind", *columns, "number", "least", "most"]),
        pd.DataFrame(cells, columns=["kind", "size", *columns]),
        len(found.a),
        found.left,
        found.elsewhere,
    )
