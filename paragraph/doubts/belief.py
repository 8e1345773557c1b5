"""The belief about the labels of a file: which are wrong, before and after people's answers; and what to ask next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from ..graph.arrays import Array
from ..learn.logistic import sigmoid
from .prior import FIXED, Normal, Prior, posterior, probability

__all__ = ["Belief", "believe", "next_questions", "ranked"]

#: The number of draws of levels and slopes behind an interval.
DRAWS = 500
#: The number of labels that stand for a longer list.
SAMPLED = 500
#: The quantiles that bound a 95 % interval.
TAILS = (0.025, 0.975)
#: The least probability of an answer: one surprise shall not decide everything.
LEAST = 1e-6
#: The log-odds of the full belief against the cut one: in files left out, it foresees the more (`benchmarks.yields`).
FULL = np.log(2)
#: The column `top` is the rank of a label among those of its sign, from 0 to 1, to this power.
CURVED = 16
#: The number of labels of each sign that are drawn at random, before all others.
FIRST = 3
#: Columns of evidence that are no reasons of a user. The last three have no slope: rows count as they are, a conflict
#: settles its label, and blame is a second way to be wrong.
SHIPPED_COLUMNS = ("label", "top", "judge", "words", "own", "rows", "conflict", "blame")


def believe(
    evidence: pd.DataFrame,
    prior: Prior | None = None,
    answers: Any = np.nan,
    random: Any = True,
) -> Belief:
    """Weigh the reasons against each label of a file.

    Parameters
    ----------
    evidence : DataFrame
        One row per label: `label`, 0 or 1, and a column for each reason, log-odds against the label; NaN: silent.
        Where a `judge` is silent, `words` speak in its place.
    prior : Prior, optional
        By default the one that ships, of files read by a judge or by words.
    answers : float array, optional
        For each label 1 (a person found it wrong), 0 (right) or NaN.
    random : flags, optional
        For each label, True if it was drawn at random; by default all were.

    Examples
    --------
    >>> evidence = pd.DataFrame({"label": np.arange(100) % 2, "words": np.linspace(-3, 3, 100), "own": 0.0})
    >>> answers = np.full(100, np.nan)
    >>> answers[80:] = 0
    >>> before, after = believe(evidence), believe(evidence, answers=answers)
    >>> bool(after.p_wrong[79] < before.p_wrong[79] / 2)
    True

    A reason of your own has no slope until answers show one:

    >>> mine = evidence.assign(short=np.where(np.arange(100) > 50, 1.0, np.nan))
    >>> believe(mine).slopes, believe(mine, answers=answers).slopes["short"][0] < -0.5
    ({'short': (0.0, 1.0)}, True)
    """
    if "top" not in evidence:
        evidence = ranked(evidence, prior)
    prior, complete = _prepare(evidence, prior)
    own_reasons = [name for name in evidence if name not in SHIPPED_COLUMNS]
    wrong = np.full(len(evidence), np.nan)
    wrong[:] = answers
    random = np.asarray(random, dtype=bool)
    blame = sigmoid(_column(evidence, "blame"))
    return Belief(
        evidence=evidence,
        positive=evidence["label"].to_numpy() > 0,
        x=prior.columns(complete, own_reasons),
        offset=np.nan_to_num(_column(evidence, "rows")),
        fixed=_column(evidence, "conflict"),
        blame=np.nan_to_num(blame),
        before=prior.normal(len(own_reasons)),
        wrong=wrong,
        random=random & ~np.isnan(wrong),
        own_reasons=own_reasons,
    )


def ranked(evidence: pd.DataFrame, prior: Prior | None = None) -> pd.DataFrame:
    """Add to evidence the column `top`: how near the top of its sign a label is before any answer, from 0 to 1.

    A review asks about the top of its list, where labels may be wrong more often than their reasons say. With this
    column, such answers change the slope of `top` more than the level, which holds for all labels.
    """
    prior, complete = _prepare(evidence.assign(top=0.0), prior)
    z = prior.columns(complete) @ prior.normal().mean
    z += np.nan_to_num(_column(evidence, "rows"))
    log_odds = pd.Series(z.round(6), evidence.index)
    by_sign = log_odds.groupby(evidence["label"] > 0)
    rank = by_sign.rank(pct=True)
    return evidence.assign(top=rank**CURVED)


def _prepare(evidence: pd.DataFrame, prior: Prior | None) -> tuple[Prior, pd.DataFrame]:
    """The prior of the reasons in the evidence; and the evidence with words where a judge is silent."""
    reader = "words"
    if "judge" in evidence:
        reader = "judge"
        words = evidence.get("words", np.nan)
        judge = evidence["judge"].fillna(words)
        evidence = evidence.assign(judge=judge)
    prior = prior or Prior.shipped(reader)
    names = [name for name in prior if name == "level" or name in evidence]
    return Prior({name: prior[name] for name in names}), evidence


def _column(evidence: pd.DataFrame, name: str) -> Array:
    """A column of numbers, NaN if the evidence lacks it."""
    column = evidence.reindex(columns=[name])[name]
    return column.to_numpy(float)


@dataclass(frozen=True, eq=False)
class Belief:
    """A belief about which labels of a file are wrong; made by `believe`.

    The same answers give two beliefs. For the *full* one, all answers teach levels and slopes. For the *cut*
    one, only answers about labels drawn at random teach levels (a cut posterior: Plummer 2015, Statistics and
    Computing 25); answers about labels that a list chose teach slopes, with the levels fixed. A list chooses
    labels that are probably wrong, also for causes that no reason knows, so its answers may make the other
    labels seem worse than they are.

    The full belief chooses the next questions. For labels without an answer, the two are mixed: for each
    sign, the weight of each depends on how well it predicted the answers about random labels, before it had
    learnt from them. The weights start at two to one (`FULL`), as measured on files left out.
    """

    #: one row per label: the label, and a column for each reason
    evidence: pd.DataFrame
    positive: Array  #: flags
    x: Array  #: `Prior.columns`
    offset: Array  #: log-odds that need no slope
    fixed: Array  #: log-odds of a label that is settled elsewhere (a conflict), else NaN
    blame: Array  #: probability that it is wrong because of a conflict
    before: Normal  #: levels and slopes of files in general
    wrong: Array  #: answers: 1 (wrong), 0 (right) or NaN
    random: Array  #: flags of answers about labels that were drawn at random
    own_reasons: Sequence[str] = ()  #: reasons that no judged file has tested
    aside: Any = False  #: flags of labels that are not asked about

    @cached_property
    def answered(self) -> Array:
        """Flags of the labels that have an answer."""
        return ~np.isnan(self.wrong)

    @cached_property
    def full(self) -> Normal:
        """Levels and slopes of this file by all answers."""
        return self._learn(self.before, self.answered)

    @cached_property
    def cut(self) -> Normal:
        """Levels by the random answers alone, slopes by all."""
        return self._learn_slopes(self._learn(self.before, self.random))

    @cached_property
    def weights(self) -> Array:
        """The weight of the full belief in the mixture, for positives and for negatives: (2,).

        Without random answers it is 1, because only the order of the labels is then known.
        """
        if not self.random.any():
            return np.ones(2)
        full = self._learn(self.before, self.answered & ~self.random)
        cut = self._learn_slopes(self.before)
        gain = self._log_likelihood(full)
        gain -= self._log_likelihood(cut)
        positive = self.positive[self.random]
        by_sign = [gain[positive].sum(), gain[~positive].sum()]
        return sigmoid(FULL + np.array(by_sign))

    def _log_likelihood(self, coefficients: Normal) -> Array:
        """The log-probability of each answer about a random label."""
        rows = np.flatnonzero(self.random)
        p_wrong = self.mean(coefficients, rows).clip(LEAST, 1 - LEAST)
        p_answer = np.where(self.wrong[rows] > 0, p_wrong, 1 - p_wrong)
        return np.log(p_answer)

    @cached_property
    def p_wrong(self) -> Array:
        """The probability that each label is wrong, by the mixture; 1 or 0 for an answered label."""
        sign = np.where(self.positive, 0, 1)
        weight = self.weights[sign]
        p = weight * self.mean(self.full)
        p += (1 - weight) * self.mean(self.cut)
        # the last digits differ between machines
        return np.where(self.answered, self.wrong, p).round(6)

    @property
    def speaks(self) -> bool:
        """False if a list chose every answered label: then only the order of the others is known."""
        return bool(self.random.any() or not self.answered.any())

    def _learn(self, start: Normal, flags: Array) -> Normal:
        """Update levels and slopes by the answers about the flagged labels."""
        rows = np.flatnonzero(flags & np.isnan(self.fixed))
        x = self.x[rows]
        offset = self.offset[rows]
        # A wrong label counts only in so far as no conflict explains it.
        by_reasons = probability(self.before, x, offset)
        either = 1 - (1 - by_reasons) * (1 - self.blame[rows])
        by_reasons /= either
        return posterior(start, x, self.wrong[rows] * by_reasons, offset)

    def _learn_slopes(self, start: Normal) -> Normal:
        """Update slopes by the answers about labels that a list chose, with the levels fixed."""
        levels = self.level_columns
        # The part of the covariance that is due to doubt about the levels leaves, and returns afterwards.
        by_levels = start.covariance[:, levels] @ self._regression_on_levels(start)
        given_levels = start.covariance - by_levels
        given_levels[levels, levels] += FIXED
        chosen = self.answered & ~self.random
        slopes = self._learn(Normal(start.mean, given_levels), chosen)
        return Normal(slopes.mean, slopes.covariance + by_levels)

    def _regression_on_levels(self, coefficients: Normal) -> Array:
        """The expected change of all levels and slopes per change of each level: (2, d)."""
        rows = coefficients.covariance[self.level_columns]
        return np.linalg.solve(rows[:, self.level_columns], rows)

    def mean(self, coefficients: Normal, rows: Any = slice(None)) -> Array:
        """The mean probability that labels are wrong, over possible levels and slopes."""
        p = probability(coefficients, self.x[rows], self.offset[rows])
        return self._with_conflicts(p, rows)

    def p(self, rows: Any, levels: Array) -> Array:
        """The probability that labels are wrong, for each row of levels and slopes: (levels, rows)."""
        z = levels @ self.x[rows].T
        z += self.offset[rows]
        return self._with_conflicts(sigmoid(z), rows)

    def _with_conflicts(self, p: Array, rows: Any) -> Array:
        """The probabilities `p` by the reasons, combined with conflicts, which settle a label or blame it."""
        fixed = self.fixed[rows]
        by_reasons = np.where(np.isnan(fixed), p, sigmoid(fixed))
        return 1 - (1 - by_reasons) * (1 - self.blame[rows])

    def with_answers(self, wrong: Array, random: Any = False, aside: Any = False) -> Belief:
        """Return the belief with these answers in place of its own; labels put aside are not asked about."""
        return replace(self, wrong=wrong, random=random & ~np.isnan(wrong), aside=aside)

    def counts(self) -> dict[str, tuple[int, int]]:
        """Count the answered labels, and the wrong ones among them, by sign."""
        counts = {}
        for name, positive in (("positive", True), ("negative", False)):
            wrong = self.wrong[self.answered & (self.positive == positive)]
            counts[name] = (len(wrong), int(wrong.sum()))
        return counts

    @property
    def slopes(self) -> dict[str, tuple[float, float]]:
        """The slope of each reason that no judged file has tested, and its standard deviation."""
        mean = self.full.mean.round(3).tolist()
        spread = np.sqrt(np.diag(self.full.covariance)).round(3).tolist()
        # the last columns of `x`
        first = len(mean) - len(self.own_reasons)
        slopes = {}
        for place, name in enumerate(self.own_reasons, first):
            slopes[name] = (mean[place], spread[place])
        return slopes

    @property
    def level_columns(self) -> list[int]:
        """The places of the two levels among levels and slopes."""
        return [0, (len(self.before.mean) - len(self.own_reasons)) // 2]

    @cached_property
    def open(self) -> Array:
        """Labels to ask about, the most probably wrong first."""
        order = np.argsort(-self.p_wrong, kind="stable")
        asked = self.answered | self.aside
        return order[~asked[order]]

    def expected(self, first: Sequence[int], seed: int = 0) -> pd.DataFrame:
        """Estimate the number of wrong labels among the first open ones; no rows if only their order is known.

        Columns `first`; `wrong`, the mean; `low`, `high`, the 95 % interval. It covers two doubts: levels and slopes
        of the file are not known, and a label is wrong by chance. The numbers never fall as the list gets longer.
        """
        rng = np.random.default_rng(seed)
        full = rng.multivariate_normal(*self.full, DRAWS, method="cholesky")
        cut = rng.multivariate_normal(*self.cut, DRAWS, method="cholesky")
        by_full = rng.random((DRAWS, 2)) < self.weights
        count = np.zeros(DRAWS)
        start = 0
        rows = []
        for stop in sorted({min(n, len(self.open)) for n in first}):
            more = stop - start
            if not (more and self.speaks):
                continue
            step = -(-more // SAMPLED)  # labels in their order are alike: every step-th is enough
            sample = self.open[start + step // 2 : stop : step]
            sign = np.where(self.positive[sample], 0, 1)
            p = np.where(by_full[:, sign], self.p(sample, full), self.p(sample, cut))
            mean = more * p.mean(axis=1)
            spread = p * (1 - p)
            variance = more * spread.mean(axis=1)
            count += rng.normal(mean, np.sqrt(variance)).clip(0, more)
            low, high = np.quantile(count, TAILS).round()
            rows.append((stop, count.mean(), low, high))
            start = stop
        return pd.DataFrame(rows, columns=["first", "wrong", "low", "high"])


def next_questions(
    belief: Belief, n: int = 10, seed: int = 0, first: int = FIRST
) -> tuple[Array, Array]:
    """Choose the `n` labels to ask about next, and flag those that are drawn at random.

    Most questions are about the most probably wrong label by the full belief, each for its own draw of levels. So the
    review asks about promising labels, and also tries a sign that may be promising (Thompson 1933). Slopes are the
    most probable ones, given the levels: to draw them too costs more answers than it saves.

    The `first` questions of each sign are about labels drawn at random, because answers about the top of a list say
    little about the other labels. Answers from an audit replace them. They cost least at the start: asked later, they
    lead to no more wrong labels (`benchmarks.yields`). A seed and the answers so far give the same labels on any
    machine.
    """
    rows = np.sort(belief.open)
    positive = belief.positive[rows]
    mean = belief.full.mean
    asked = len(belief.positive) - len(rows)
    rng = np.random.default_rng((seed, asked))
    draws = rng.multivariate_normal(*belief.full, n, method="cholesky")
    deviations = (draws - mean)[:, belief.level_columns]
    levels = deviations @ belief._regression_on_levels(belief.full)
    levels += mean
    p = belief.p(rows, levels).round(6)
    # The answer to a conflict says nothing about other labels, so none is drawn at random.
    free = np.isnan(belief.fixed[rows])
    audited = belief.positive[belief.random]
    count = [np.count_nonzero(audited == sign) for sign in (0, 1)]
    chosen = []
    at_random = []
    for p_wrong in p[: len(rows)]:
        p_wrong[chosen] = -1
        choice = int(p_wrong.argmax())
        free[chosen] = False
        signs = np.unique(positive[free])
        short = [sign for sign in (0, 1) if count[sign] < first and sign in signs]
        if short:
            sign = min(short, key=count.__getitem__)
            count[sign] += 1
            rng = np.random.default_rng((seed, asked + len(chosen)))
            candidates = np.flatnonzero(free & (positive == sign))
            choice = int(rng.choice(candidates))
        chosen.append(choice)
        at_random.append(len(short) > 0)
    return rows[chosen], np.array(at_random, dtype=bool)
