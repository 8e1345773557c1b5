"""Agreement of reviewers, corrected for chance; their differences, and those that a third person settled.

Both coefficients are computed here, not by a library: all draws at once, NaN where undefined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..files.shown import shown
from .answers import Answers, Dispute
from .log import Log, records_of
from .record import SAME, DecisionError

__all__ = ["Agreement", "Estimate", "agreement", "cohen_kappa", "krippendorff_alpha"]


CATEGORIES = [same for same in SAME if same != "later"]
DRAWS = 2000  # behind an interval
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


def cohen_kappa(counts: np.ndarray) -> float | np.ndarray:
    """Return Cohen's κ of two raters, their agreement beyond chance: (p₀ − pₑ) / (1 − pₑ).

    Parameters
    ----------
    counts : array, shape (…, k, k)
        Items that the first rater put in category i and the second in j; several tables at once.

    Returns
    -------
    1 if they always agree, 0 if they agree as often as by chance; NaN if both put everything in one category.

    References
    ----------
    J. Cohen (1960), A coefficient of agreement for nominal scales. Educational and Psychological
    Measurement 20, 37–46.

    Examples
    --------
    >>> round(float(cohen_kappa([[20, 5], [10, 15]])), 3)
    0.4
    """
    counts = np.asarray(counts, dtype=float)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = counts / counts.sum(axis=(-2, -1), keepdims=True)
        observed = np.trace(share, axis1=-2, axis2=-1)
        by_chance = share.sum(axis=-1) * share.sum(axis=-2)
        expected = by_chance.sum(axis=-1)
        kappa = (observed - expected) / (1 - expected)
    return np.where(expected < 1, kappa, np.nan)[()]


def krippendorff_alpha(counts: np.ndarray, weights: np.ndarray | None = None) -> float | np.ndarray:
    """Krippendorff's α for categories and any number of raters, who may leave items out: 1 − Dₒ / Dₑ.

    Parameters
    ----------
    counts : array, shape (items, k)
        The number of raters that put an item in a category. Items with fewer than two raters do not count.
    weights : array, shape (…, items), optional
        The weight of each item; several weightings at once.

    Returns
    -------
    1 if all agree, 0 if they agree as by chance; NaN if everything is in one category.

    References
    ----------
    K. Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C.

    Examples
    --------
    >>> round(float(krippendorff_alpha([[2, 0], [1, 1], [0, 2], [2, 0]])), 3)
    0.533
    """
    counts = np.asarray(counts, dtype=float)
    if weights is None:
        weights = np.ones(len(counts))
    observed, expected = _disagreement(counts, np.asarray(weights, dtype=float))
    with np.errstate(invalid="ignore", divide="ignore"):
        alpha = 1 - observed / expected
    return np.where(expected > 0, alpha, np.nan)[()]


def _disagreement(counts: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the share of judgements of one item that differ, and the share by chance: Krippendorff's Dₒ and Dₑ."""
    raters = counts.sum(axis=1)
    differing = raters**2 - (counts**2).sum(axis=1)
    totals = weights @ np.where(raters[:, None] > 1, counts, 0)
    n = totals.sum(axis=-1)
    apart = n**2 - (totals**2).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = weights @ (differing / np.maximum(raters - 1, 1)) / n
        return observed, apart / (n * (n - 1))


@dataclass(frozen=True, repr=False)
class Agreement:
    """The agreement of reviewers in their answers about pairs.

    Printed, it is a table, a sentence, and the pairs to talk about with their notes, one line each.
    """

    reviewers: list[str]
    #: Pairs that two or more of them have answered (except *later*).
    items: int
    #: The share of answers of two reviewers about one pair that are the same.
    percent: Estimate
    #: Cohen's κ; None unless there are two reviewers.
    kappa: Estimate | None
    #: Krippendorff's α.
    alpha: Estimate
    #: The pairs to talk about, which nobody has settled: `text_a`, `text_b`, and for each reviewer `by …`, the
    #: answer, and `note by …`. A reviewer who cuts a conflict at a different place has the pair of the cut there.
    disagreements: pd.DataFrame
    #: The same, with the answers and the conflicts that they are about.
    disputes: list[Dispute]
    #: All answers of the logs that stand, also those that overrule others.
    answers: Answers
    #: The logs, as they were given.
    logs: tuple[Log | list, ...]

    def __repr__(self) -> str:
        lines = [f"{'':<18}value  95 % interval"]
        measures = {
            "agreement": self.percent,
            "Cohen's κ": self.kappa,
            "Krippendorff's α": self.alpha,
        }
        for name, estimate in measures.items():
            if estimate is not None:
                lines.append(f"{name:<18}{estimate}")
        names = ", ".join(map(shown, self.reviewers))
        talk = f"to talk about: {len(self.disputes):,}"
        lines.append(f"{names}: {self.items:,} pairs answered by two or more; {talk}")
        for row in self.disagreements.to_dict("records"):
            words = []
            for name in self.reviewers:
                note = f" ({row[f'note by {name}']})" if row[f"note by {name}"] else ""
                if row[f"by {name}"]:
                    words.append(f"{name}: {row[f'by {name}']}{note}")
            lines.append(shown(f"  {row['text_a']} / {row['text_b']}: {'; '.join(words)}"))
        return "\n".join(lines)

    @property
    def file(self) -> str:
        """The name of the only file that the answers are about, as reviews write it into their logs, or ""."""
        files = {row.record.saw.get("file", "") for row in self.answers.live}
        return files.pop() if len(files) == 1 else ""


def agreement(*logs: Log | list, seed: int = 0) -> Agreement:
    """Measure the agreement of the reviewers of one or more logs, in their answers that stand.

    Parameters
    ----------
    logs : DecisionLog, or path of a log or of its export
        One log per reviewer, or one for all. Answers that overrule others do not count. No file is
        changed.
    seed : int
        Of the draws behind the intervals, which are reproducible.

    Raises
    ------
    DecisionError
        There are fewer than two reviewers.

    Notes
    -----
    An interval is the middle 95 % of a measure's possible values, given the pairs: the share of each way to answer a
    pair is drawn from a Dirichlet distribution. Before any pair is seen, all ways to answer one count equally, and
    together as much as one pair. So a few pairs that all agree leave open how the next would be answered, whereas
    resampling them would give [1, 1]; and if everything is in one category, κ has an interval although it has no
    value. The interval is widened to its value at the ends of the scale. Without a shared pair, there are too few.

    References
    ----------
    S. Basu, M. Banerjee, A. Sen (2000), Bayesian inference for kappa from single and multiple studies. Biometrics
    56, 577–582. J. O. Berger, J. M. Bernardo, D. Sun (2015), Overall objective priors. Bayesian Analysis 10, 189–221,
    section 3 (a multinomial with k cells: 1/k each).

    Examples
    --------
    >>> import tempfile
    >>> from paragraph import DecisionLog
    >>> folder = tempfile.mkdtemp()
    >>> ada, ben = DecisionLog(f"{folder}/ada.db", "Ada"), DecisionLog(f"{folder}/ben.db", "Ben")
    >>> for i, (one, other) in enumerate([(1, 1), (0, 1), (0, 0), (1, 1)]):
    ...     _ = ada.add(f"{i}?", "Why?", one, note="once, not always" if i == 1 else "")
    ...     _ = ben.add("Why?", f"{i}?", other)
    >>> agreement(f"{folder}/ada.db", f"{folder}/ben.db")
                      value  95 % interval
    agreement         0.750  [0.238, 0.960]
    Cohen's κ         0.500  [-0.075, 0.899]
    Krippendorff's α  0.533  [-0.224, 0.912]
    Ada, Ben: 4 pairs answered by two or more; to talk about: 1
      1? / Why?: Ada: different (once, not always); Ben: the same
    """
    answers = Answers(records_of(logs))
    own = [row for row in answers.live if not row.overrules]
    reviewers = sorted({row.reviewer for row in own})
    if len(reviewers) < 2:
        raise DecisionError(
            f"agreement takes two reviewers or more; here: {', '.join(reviewers) or 'none'}"
        )
    answered = {}  # by pair: the category of each reviewer's answer, -1 if there is none
    for row in own:
        answered.setdefault(row.pair, [-1 for _ in reviewers])
        answered[row.pair][reviewers.index(row.reviewer)] = CATEGORIES.index(row.same)
    categories = np.array(list(answered.values()))
    shared = categories[(categories >= 0).sum(axis=1) > 1]

    # Pairs with the same answers are interchangeable: only the frequency of each way to answer a pair (a pattern)
    # counts.
    rng = np.random.default_rng(seed)
    k = len(CATEGORIES)
    seen, times = np.unique(shared, axis=0, return_counts=True)
    if k ** len(reviewers) > PATTERNS:
        possible = rng.integers(0, k, (PATTERNS, len(reviewers)))
    else:
        possible = np.array(list(product(range(k), repeat=len(reviewers))))
    patterns = np.concatenate([seen, possible])
    prior = np.repeat([0, 1 / len(possible)], [len(seen), len(possible)])
    times = np.append(times, np.zeros(len(possible)))
    drawn = len(shared) * rng.dirichlet(times + prior, DRAWS)
    is_category = patterns[:, :, None] == np.arange(k)
    counts = is_category.sum(axis=1)

    def estimate(measure: Callable[[np.ndarray], np.ndarray]) -> Estimate:
        if not len(shared):
            return Estimate(np.nan, np.nan, np.nan)
        value = float(measure(times))
        low, high = np.nanpercentile(measure(drawn), [2.5, 97.5])
        low = np.fmin(low, value)
        high = np.fmax(high, value)
        return Estimate(value, float(low), float(high))

    kappa = None
    if len(reviewers) == 2:
        first, second = np.moveaxis(is_category, 1, 0).astype(float)
        kappa = estimate(
            lambda weights: cohen_kappa((weights[..., None] * first).swapaxes(-1, -2) @ second)
        )
    return Agreement(
        reviewers=reviewers,
        items=len(shared),
        percent=estimate(lambda weights: 1 - _disagreement(counts, weights)[0]),
        kappa=kappa,
        alpha=estimate(lambda weights: krippendorff_alpha(counts, weights)),
        disagreements=_to_talk_about(answers, reviewers),
        disputes=answers.disputes,
        answers=answers,
        logs=logs,
    )


def _to_talk_about(answers: Answers, reviewers: list[str]) -> pd.DataFrame:
    """The pairs of all disputes, one row each, with the answers and the notes of each reviewer."""
    rows = {}
    names = dict.fromkeys(reviewers)
    for dispute in answers.disputes:
        for one in dispute.rows:
            names[one.reviewer] = None
            about = dict.fromkeys([one.pair, *sorted(dispute.conflicts, key=sorted)])
            notes = [answers.notes.get((one.reviewer, pair)) for pair in about]
            row = rows.setdefault(
                one.pair, {"text_a": one.record.text_a, "text_b": one.record.text_b}
            )
            row[f"by {one.reviewer}"] = SAME[one.same]
            row[f"note by {one.reviewer}"] = "; ".join(filter(None, notes))
    columns = ["text_a", "text_b"]
    for name in names:
        columns += [f"by {name}", f"note by {name}"]
    return pd.DataFrame(rows.values(), columns=columns, dtype="str").fillna("")
