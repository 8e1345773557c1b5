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
from .prior import HELD, Normal, Prior, posterior, probability

__all__ = ["Belief", "believe", "next_questions", "ranked"]

#: Draws of levels and slopes behind an interval; the number of labels that stand for a longer list.
DRAWS = 500
SAMPLED = 500
TAILS = (0.025, 0.975)
#: The least probability that counts as foreseen.
LEAST = 1e-6
#: The log-odds of the full belief against the cut one: in files left out, it foresees the more (`benchmarks.yields`).
FULL = float(np.log(2))
#: The column `top` is the rank of a label among those of its sign, from 0 to 1, to this power.
CURVED = 16
#: Labels of each sign that are drawn at random, before all others.
FIRST = 3
#: Columns of evidence that are no reasons of a user. Of these, rows count as they are, a conflict settles its label,
#: and blame is a second way to be wrong: they have no slope.
OURS = ("label", "top", "judge", "words", "own", "rows", "conflict", "blame")


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
        Of the answers about labels that were drawn at random; by default all were.

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
    prior, heard = _heard(evidence, prior)
    own_reasons = [name for name in evidence if name not in OURS]
    wrong = np.full(len(evidence), np.nan)
    wrong[:] = answers
    return Belief(
        evidence=evidence,
        positive=evidence["label"].to_numpy() > 0,
        x=prior.columns(heard, own_reasons),
        offset=np.nan_to_num(_column(evidence, "rows")),
        fixed=_column(evidence, "conflict"),
        blame=np.nan_to_num(sigmoid(_column(evidence, "blame"))),
        before=prior.normal(len(own_reasons)),
        wrong=wrong,
        random=~np.isnan(wrong) & np.asarray(random, dtype=bool),
        own_reasons=own_reasons,
    )


def ranked(evidence: pd.DataFrame, prior: Prior | None = None) -> pd.DataFrame:
    """Add to evidence the column `top`: how near the top of its sign a label is before any answer, from 0 to 1.

    A review asks about the top of its list, where labels may be wrong more often than their reasons say. The answers
    then show the slope of `top`, and not so much the level, which is that of all labels.
    """
    prior, heard = _heard(evidence.assign(top=0.0), prior)
    z = prior.columns(heard) @ prior.normal().mean
    z += np.nan_to_num(_column(evidence, "rows"))
    log_odds = pd.Series(z.round(6), evidence.index)
    by_sign = log_odds.groupby(evidence["label"] > 0)
    return evidence.assign(top=by_sign.rank(pct=True) ** CURVED)


def _heard(evidence: pd.DataFrame, prior: Prior | None) -> tuple[Prior, pd.DataFrame]:
    """The prior of the reasons that there are; and the evidence with words where a judge is silent."""
    by = "judge" if "judge" in evidence else "words"
    if by == "judge":
        words = evidence.get("words", np.nan)
        evidence = evidence.assign(judge=evidence["judge"].fillna(words))
    prior = prior or Prior.shipped(by)
    there = [name for name in prior if name == "level" or name in evidence]
    return Prior({name: prior[name] for name in there}), evidence


def _column(evidence: pd.DataFrame, name: str) -> Array:
    """A column of numbers, NaN if it is not there."""
    return evidence.reindex(columns=[name])[name].to_numpy(float)


@dataclass(frozen=True, eq=False)
class Belief:
    """A belief about which labels of a file are wrong; made by `believe`.

    It is two beliefs by the same answers. In the *full* one, all answers teach levels and slopes. In the *cut* one,
    only answers about labels drawn at random teach levels (a cut posterior: Plummer 2015, Statistics and Computing
    25); those about labels that a list chose teach slopes, with the levels held. A list chooses what is probably
    wrong, also for causes that no reason knows, so its answers may make the other labels seem worse than they are.
    The full belief draws the next questions. Of labels that nobody was asked about, a mixture speaks: for each sign,
    the two are weighed by how well each foresaw the answers about random labels without them; before these, two to
    one (`FULL`), as in files left out.
    """

    #: as it was weighed: the label, and a column for each reason
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
        return self._taught(self.before, self.answered)

    @cached_property
    def cut(self) -> Normal:
        """Levels by the random answers alone, slopes by all."""
        return self._taught_slopes(self._taught(self.before, self.random))

    @cached_property
    def weights(self) -> Array:
        """The weight of the full belief in what is said of positives, and of negatives: (2,).

        Without random answers, it is 1: labels have an order, and no more is said of them.
        """
        if not self.random.any():
            return np.ones(2)
        by_all = self._foreseen(self._taught(self.before, self.answered & ~self.random))
        by_none = self._foreseen(self._taught_slopes(self.before))
        gain = by_all - by_none
        positive = self.positive[self.random]
        by_sign = [gain[positive].sum(), gain[~positive].sum()]
        return sigmoid(FULL + np.array(by_sign))

    def _foreseen(self, of: Normal) -> Array:
        """The log-probability of each random answer."""
        rows = np.flatnonzero(self.random)
        p = self.mean(of, rows).clip(LEAST, 1 - LEAST)
        return np.log(np.where(self.wrong[rows] > 0, p, 1 - p))

    @cached_property
    def p_wrong(self) -> Array:
        """The probability that each label is wrong, as the mixture says; 1 or 0 for an answered label."""
        full = self.weights[np.where(self.positive, 0, 1)]
        p = full * self.mean(self.full)
        p += (1 - full) * self.mean(self.cut)
        # the last digits differ between machines
        return np.where(self.answered, self.wrong, p).round(6)

    @property
    def speaks(self) -> bool:
        """False if a list chose every answered label: then nothing is said of the others but their order."""
        return bool(self.random.any() or not self.answered.any())

    def _taught(self, of: Normal, flags: Array) -> Normal:
        """Levels and slopes after the answers about some labels."""
        rows = np.flatnonzero(flags & np.isnan(self.fixed))
        x = self.x[rows]
        offset = self.offset[rows]
        # a wrong label tells as far as no conflict explains it
        own = probability(self.before, x, offset)
        own /= 1 - (1 - own) * (1 - self.blame[rows])
        return posterior(of, x, self.wrong[rows] * own, offset)

    def _taught_slopes(self, of: Normal) -> Normal:
        """Slopes after the answers about labels that a list chose; levels are held, and slopes go with them."""
        levels = self.level_columns
        with_levels = of.covariance[:, levels] @ self._by_levels(of)
        alone = of.covariance - with_levels
        alone[levels, levels] += HELD
        slopes = self._taught(Normal(of.mean, alone), self.answered & ~self.random)
        return Normal(slopes.mean, slopes.covariance + with_levels)

    def _by_levels(self, of: Normal) -> Array:
        """The change of the most probable levels and slopes per change of each level: (2, d)."""
        together = of.covariance[self.level_columns]
        return np.linalg.solve(together[:, self.level_columns], together)

    def mean(self, of: Normal, rows: Any = slice(None)) -> Array:
        """The mean probability that labels are wrong, over possible levels and slopes."""
        p = probability(of, self.x[rows], self.offset[rows])
        return self._with_conflicts(p, rows)

    def p(self, rows: Any, levels: Array) -> Array:
        """The probability that some labels are wrong, for each of some levels and slopes: (levels, rows)."""
        z = levels @ self.x[rows].T + self.offset[rows]
        return self._with_conflicts(sigmoid(z), rows)

    def _with_conflicts(self, p: Array, rows: Any) -> Array:
        """Probabilities by the reasons, and by conflicts, which settle a label or blame it."""
        fixed = self.fixed[rows]
        own = np.where(np.isnan(fixed), p, sigmoid(fixed))
        return 1 - (1 - own) * (1 - self.blame[rows])

    def with_answers(self, wrong: Array, random: Any = False, aside: Any = False) -> Belief:
        """Return the belief after these answers instead; labels put aside are not asked about."""
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
        slopes = {}
        for place, name in enumerate(self.own_reasons, len(mean) - len(self.own_reasons)):
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
        """Estimate the number of wrong labels among the first open ones; no rows if nothing is said of them.

        Columns `first`; `wrong`, the mean; `low`, `high`, the 95 % interval: levels and slopes of the file are not
        known, and a label is wrong by chance. A longer list contains a shorter one, and so has no smaller numbers.
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
            step = -(-more // SAMPLED)  # of so many labels in their order, every step-th is enough
            some = self.open[start + step // 2 : stop : step]
            speaks_full = by_full[:, np.where(self.positive[some], 0, 1)]
            p = np.where(speaks_full, self.p(some, full), self.p(some, cut))
            mean = more * p.mean(axis=1)
            variance = more * (p * (1 - p)).mean(axis=1)
            count += rng.normal(mean, np.sqrt(variance)).clip(0, more)
            low, high = np.quantile(count, TAILS).round()
            rows.append((stop, count.mean(), low, high))
            start = stop
        return pd.DataFrame(rows, columns=["first", "wrong", "low", "high"])


def next_questions(
    belief: Belief, n: int = 10, seed: int = 0, first: int = FIRST
) -> tuple[Array, Array]:
    """Choose the `n` labels to ask about next, and flag those that are drawn at random.

    Most are the most probably wrong one by the full belief, each according to its own draw of levels. So the review
    asks about promising labels, and tries the sign that may be promising (Thompson 1933). Slopes are the most
    probable ones, given the levels: trying others, too, costs more answers than it saves. The `first` ones of each
    sign are drawn at random, for answers about the top of a list tell little of the other labels; an audit in their
    place saves them. First they cost least: where they come later, no more wrong labels are found
    (`benchmarks.yields`). A seed and the answers so far give the same labels on any machine.
    """
    rows = np.sort(belief.open)
    positive = belief.positive
    mean = belief.full.mean
    asked = len(positive) - len(rows)
    rng = np.random.default_rng((seed, asked))
    drawn = rng.multivariate_normal(*belief.full, n, method="cholesky")
    away = (drawn - mean)[:, belief.level_columns]
    levels = mean + away @ belief._by_levels(belief.full)
    p = belief.p(rows, levels).round(6)
    # what settles a conflict tells nothing of other labels
    free = np.isnan(belief.fixed[rows])
    asked_of = positive[belief.random]
    count = [np.count_nonzero(asked_of == sign) for sign in (0, 1)]
    chosen: list[int] = []
    at_random: list[bool] = []
    for p_wrong in p[: len(rows)]:
        p_wrong[chosen] = -1
        choice = int(p_wrong.argmax())
        free[chosen] = False
        signs = np.unique(positive[rows][free])
        few = [sign for sign in (0, 1) if count[sign] < first and sign in signs]
        if few:
            sign = min(few, key=count.__getitem__)
            count[sign] += 1
            rng = np.random.default_rng((seed, asked + len(chosen)))
            choice = int(rng.choice(np.flatnonzero(free & (positive[rows] == sign))))
        chosen.append(choice)
        at_random.append(len(few) > 0)
    return rows[chosen], np.array(at_random, dtype=bool)
