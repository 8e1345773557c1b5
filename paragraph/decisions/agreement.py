"""Agreement of reviewers, corrected for chance.

Both coefficients are computed here, not by a library: all draws at once, NaN where undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import product
from os import PathLike
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..measure.scoring import cohen_kappa
from ..pairs.showing import printable, show
from .log import DecisionLog, records_of
from .records import DECISIONS, Decision, DecisionError, last_words, says, settles, standing

__all__ = ["Agreement", "Estimate", "agreement", "cohen_kappa", "krippendorff_alpha"]

CATEGORIES = tuple(decision for decision in DECISIONS if decision != "skip")
PATTERNS = 256  # ways to judge a pair that count before any pair is seen


class Estimate(NamedTuple):
    """A figure with its 95 % interval; NaN where it is not defined."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        if np.isnan(self.low):
            return "too few pairs"
        value = "–" if np.isnan(self.value) else f"{self.value:.3f}"
        return f"{value:<5}  [{self.low:.3f}, {self.high:.3f}]"


def krippendorff_alpha(counts: np.ndarray, weights: np.ndarray | None = None) -> float | np.ndarray:
    """Krippendorff's α for categories, any number of raters, each of whom may leave items out: 1 − Dₒ / Dₑ.

    Parameters
    ----------
    counts : array, shape (items, k)
        Raters that put an item in a category. Items with fewer than two raters do not count.
    weights : array, shape (…, items), optional
        How often each item counts; several weightings at once.

    Returns
    -------
    1 where all agree, 0 where they agree as by chance; NaN where everything is in one category.

    References
    ----------
    K. Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C.

    Examples
    --------
    >>> round(float(krippendorff_alpha([[2, 0], [1, 1], [0, 2], [2, 0]])), 3)
    0.533
    """
    counts = np.asarray(counts, dtype=float)
    weights = np.ones(len(counts)) if weights is None else np.asarray(weights, dtype=float)
    observed, expected = _disagreement(counts, weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 0, 1 - observed / expected, np.nan)[()]


def _disagreement(counts: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the share of judgements of one item that differ, and that by chance: Krippendorff's Dₒ and Dₑ."""
    raters = counts.sum(axis=1)
    differing = (raters**2 - (counts**2).sum(axis=1)) / np.maximum(raters - 1, 1)
    totals = weights @ np.where(raters[:, None] > 1, counts, 0)
    n = totals.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (weights @ differing) / n, (n**2 - (totals**2).sum(axis=-1)) / (n * (n - 1))


@dataclass(frozen=True, repr=False)
class Agreement:
    """The agreement of reviewers in their decisions; which edge they cut matters to `disagreements` alone.

    Printed it is a table and a sentence; a notebook shows the pairs to talk about besides.
    """

    reviewers: list[str]
    #: Pairs that two of them or more have decided (*skip* aside).
    items: int
    #: Share of judgements of one pair by two reviewers that are the same.
    percent: Estimate
    #: Cohen's κ; None unless there are two reviewers.
    kappa: Estimate | None
    #: Krippendorff's α.
    alpha: Estimate
    #: The pairs to talk about, which nobody has settled: `text_a`, `text_b`, `decisions` and `edges` by reviewer.
    disagreements: pd.DataFrame
    #: The logs, as they were given.
    logs: list[DecisionLog | str | PathLike | list]

    @property
    def table(self) -> pd.DataFrame:
        """The figures with their 95 % intervals: `measure`, `value`, `low`, `high`."""
        found = {"agreement": self.percent, "Cohen's κ": self.kappa, "Krippendorff's α": self.alpha}
        rows = [(name, *estimate) for name, estimate in found.items() if estimate is not None]
        return pd.DataFrame(rows, columns=["measure", *Estimate._fields])

    def __repr__(self) -> str:
        rows = [f"{name:<18}{Estimate(*found)}" for name, *found in self.table.itertuples(index=False)]
        return "\n".join([f"{'':<18}value  95 % interval", *rows, self._sentence])

    def _repr_html_(self) -> str:
        apart = self.disagreements[["text_a", "text_b"]].join(
            pd.DataFrame(list(self.disagreements["decisions"])).add_prefix("by ")
        )
        tables = "".join(show(table).to_html() for table in (self.table, apart) if len(table))
        return f"{tables}<p>{escape(self._sentence)}</p>"

    @property
    def _sentence(self) -> str:
        *names, last = map(printable, self.reviewers)
        decided = "have both decided" if len(names) == 1 else "have decided, two of them or more,"
        pairs = f"{self.items:,} pair{'s' * (self.items != 1)}"
        return f"{', '.join(names)} and {last} {decided} {pairs}: {len(self.disagreements):,} to talk about."


def agreement(
    log: DecisionLog | str | PathLike | list,
    *others: DecisionLog | str | PathLike,
    reviewers: Sequence[str] | None = None,
    resamples: int = 2000,
    seed: int = 0,
) -> Agreement:
    """Agreement of the reviewers of one log or several (or of some), in the decisions of theirs that stand.

    Parameters
    ----------
    log, others : DecisionLog, or path of a log or of its export
        Of each reviewer an own one, or of all. No file is changed.
    reviewers : list of str, optional
        Two for Cohen's κ. Default: all, but for those decisions that settle a disagreement of others.
    resamples, seed : int
        Draws behind the intervals, which are reproducible.

    Raises
    ------
    DecisionError
        A reviewer is not in the log; there are fewer than two.

    Notes
    -----
    An interval is the middle 95 % of what a measure can be, given the pairs: of each way to judge a pair, the share
    is drawn from a Dirichlet distribution. Before any pair is seen, all ways to judge one count alike, and together
    as much as one pair. So a few pairs that all agree leave it open how the next would be judged, where resampling
    them would say [1, 1], and where everything is in one category, κ has an interval though it has no value. The
    interval is widened to its value at the ends of the scale. With no shared pair there are too few.

    References
    ----------
    S. Basu, M. Banerjee, A. Sen (2000), Bayesian inference for kappa from single and multiple studies. Biometrics
    56, 577–582. J. O. Berger, J. M. Bernardo, D. Sun (2015), Overall objective priors. Bayesian Analysis 10, 189–221,
    section 3 (a multinomial with k cells: 1/k each).

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> ada, ben = DecisionLog(f"{folder}/ada.db", "Ada"), DecisionLog(f"{folder}/ben.db", "Ben")
    >>> for i, (one, other) in enumerate([("flip", "flip"), ("keep", "flip"), ("keep", "keep"), ("flip", "flip")]):
    ...     _ = ada.add(f"{i}?", "Why?", one), ben.add("Why?", f"{i}?", other)
    >>> agreement(f"{folder}/ada.db", f"{folder}/ben.db")
                      value  95 % interval
    agreement         0.750  [0.223, 0.957]
    Cohen's κ         0.500  [-0.057, 0.892]
    Krippendorff's α  0.533  [-0.186, 0.905]
    Ada and Ben have both decided 4 pairs: 1 to talk about.
    """
    logs = [*(log if isinstance(log, list | tuple) else [log]), *others]
    records = [record for record in last_words(standing(records_of(logs))) if record.decision != "skip"]
    settled = {record.pair for record in records if settles(record)}
    records = [record for record in records if not settles(record)]
    known = sorted({record.reviewer for record in records})
    reviewers = known if reviewers is None else list(dict.fromkeys(reviewers))
    if unknown := [name for name in reviewers if name not in known]:
        raise DecisionError(
            f"no decision of {unknown[0]!r} stands; there are those of {', '.join(known) or 'nobody'}"
        )
    if len(reviewers) < 2:
        hint = "; does each log have a name of its own?" if len(logs) > 1 else ""
        raise DecisionError(f"agreement takes two reviewers or more; here: {', '.join(reviewers) or 'none'}{hint}")
    records = [record for record in records if record.reviewer in reviewers]
    of_pair: dict[frozenset, dict[str, Decision]] = {record.pair: {} for record in records}
    for record in sorted(records, key=lambda record: reviewers.index(record.reviewer)):
        of_pair[record.pair][record.reviewer] = record
    of_shared = {pair: _on_one_label(found) for pair, found in of_pair.items() if len(found) > 1}
    shared = list(of_shared.values())

    # Pairs judged alike are alike: what counts is how often each way to judge a pair (a pattern) occurs.
    rng, k = np.random.default_rng(seed), len(CATEGORIES)
    codes = {decision: code for code, decision in enumerate(CATEGORIES)}
    judged = [[codes[found[name].decision] if name in found else -1 for name in reviewers] for found in shared]
    seen, times = np.unique(np.reshape(judged, (-1, len(reviewers))).astype(int), axis=0, return_counts=True)
    if k ** len(reviewers) > PATTERNS:
        possible = rng.integers(0, k, (PATTERNS, len(reviewers)))
    else:
        possible = np.array(list(product(range(k), repeat=len(reviewers))))
    patterns = np.concatenate([seen, possible])
    times = np.concatenate([times, np.zeros(len(possible))])
    prior = np.repeat([0, 1 / len(possible)], [len(seen), len(possible)])
    counts = (patterns[:, :, None] == np.arange(k)).sum(axis=1)
    drawn = len(shared) * rng.dirichlet(times + prior, resamples)

    def estimate(measure: Callable[[np.ndarray], np.ndarray]) -> Estimate:
        if not shared:
            return Estimate(np.nan, np.nan, np.nan)
        value = float(measure(times))
        low, high = np.nanpercentile(measure(drawn), [2.5, 97.5])
        return Estimate(value, float(np.fmin(low, value)), float(np.fmax(high, value)))

    kappa = None
    if len(reviewers) == 2:
        cells = np.eye(k * k)[patterns @ [k, 1]]
        kappa = estimate(lambda weights: cohen_kappa((weights @ cells).reshape(*weights.shape[:-1], k, k)))
    open_ = [found for pair, found in of_shared.items() if pair not in settled]
    percent = estimate(lambda weights: 1 - _disagreement(counts, weights)[0])
    alpha = estimate(lambda weights: krippendorff_alpha(counts, weights))
    return Agreement(reviewers, len(shared), percent, kappa, alpha, _disagreements(open_), logs)


def _on_one_label(found: dict[str, Decision]) -> dict[str, Decision]:
    """Decisions on one pair; those on different labels become decisions on a 0 that say the same of its meaning.

    A pair that follows from labels in one review has none yet in another.
    """
    if len({record.label for record in found.values()} - {None}) < 2:
        return found
    words = {1: "flip", 0: "keep", None: "ambiguous"}
    return {
        name: replace(record, decision=words[says(record).get(record.pair)], label=0, edge1="", edge2="", id="")
        for name, record in found.items()
    }


def _disagreements(shared: list[dict[str, Decision]]) -> pd.DataFrame:
    rows = []
    for found in shared:
        first = next(iter(found.values()))
        if len({(record.decision, record.edge) for record in found.values()}) > 1:
            edges = {name: [record.edge1, record.edge2] for name, record in found.items() if record.edge1}
            decisions = {name: record.decision for name, record in found.items()}
            rows.append((first.question1, first.question2, decisions, edges))
    table = pd.DataFrame(rows, columns=["text_a", "text_b", "decisions", "edges"])
    return table.astype({"text_a": "str", "text_b": "str"})
