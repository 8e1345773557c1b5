"""The belief about the labels of a file: which are wrong, before and after people's answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..learn.logistic import sigmoid
from .prior import HELD, Normal, Prior, posterior, probability

__all__ = ["Belief", "Labels", "ranked", "weigh"]

#: Draws of levels and slopes behind an interval; the number of labels that stand for a longer list.
DRAWS, SAMPLED = 500, 500
TAILS = 0.025, 0.975
#: The least probability that counts as foreseen.
LEAST = 1e-6
#: The log-odds of the full belief against the cut one: in files left out, it foresees the more (`benchmarks.yields`).
FULL = float(np.log(2))
#: Reasons without a slope: rows count as they are, a conflict settles its label, blame is a second way to be wrong.
AS_THEY_ARE = ("rows", "conflict", "blame")
#: The column `top` is the rank of a label among those of its sign, from 0 to 1, to this power.
CURVED = 16


class Labels(NamedTuple):
    """The evidence about each stated label, as arrays."""

    positive: np.ndarray  #: flags
    x: np.ndarray  #: `Prior.columns`
    offset: np.ndarray  #: log-odds that need no slope
    fixed: np.ndarray  #: log-odds of a label that is settled elsewhere (a conflict), else NaN
    blame: np.ndarray  #: probability that it is wrong because of a conflict


def weigh(
    evidence: pd.DataFrame,
    prior: Prior | None = None,
    answers: Any = None,
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
    >>> before, after = weigh(evidence), weigh(evidence, answers=answers)
    >>> bool(after.p_wrong[79] < before.p_wrong[79] / 2)
    True

    A reason of your own has no slope until answers show one:

    >>> mine = evidence.assign(short=np.where(np.arange(100) > 50, 1.0, np.nan))
    >>> weigh(mine).slopes, weigh(mine, answers=answers).slopes["short"][0] < -0.5
    ({'short': (0.0, 1.0)}, True)
    """
    prior = prior or Prior.shipped("judge" if "judge" in evidence else "words")
    if "top" not in evidence:
        evidence = ranked(evidence, prior)
    own_reasons = [name for name in evidence if name not in ("label", "words", "top", *AS_THEY_ARE, *prior)]
    nothing = pd.Series(np.nan, evidence.index)
    rows, conflict, blame = (evidence.get(name, nothing).to_numpy(float) for name in AS_THEY_ARE)
    prior, x = _columns(evidence, prior, own_reasons)
    labels = Labels(
        positive=evidence["label"].to_numpy() > 0,
        x=x,
        offset=np.nan_to_num(rows),
        fixed=conflict,
        blame=np.where(np.isnan(blame), 0, sigmoid(blame)),
    )
    wrong = np.full(len(evidence), np.nan)
    if answers is not None:
        wrong[:] = answers
    flags = ~np.isnan(wrong) & np.asarray(random, dtype=bool)
    return Belief(evidence, labels, prior.normal(len(own_reasons)), wrong, flags, own_reasons)


def ranked(evidence: pd.DataFrame, prior: Prior | None = None) -> pd.DataFrame:
    """Add to evidence the column `top`: how near the top of its sign a label is before any answer, from 0 to 1.

    A review asks about the top of its list, where labels may be wrong more often than their reasons say. The answers
    then show the slope of `top`, and not so much the level, which is that of all labels.
    """
    prior = prior or Prior.shipped("judge" if "judge" in evidence else "words")
    prior, x = _columns(evidence.assign(top=0.0), prior)
    z = x @ prior.normal().mean + np.nan_to_num(evidence.get("rows", 0.0))
    by_sign = pd.Series(z, evidence.index).round(6).groupby(evidence["label"] > 0)
    return evidence.assign(top=by_sign.rank(pct=True) ** CURVED)


def _columns(evidence: pd.DataFrame, prior: Prior, own_reasons: Sequence[str] = ()) -> tuple[Prior, np.ndarray]:
    """The prior of the reasons that there are, and their columns; where a judge is silent, words speak."""
    if {"judge", "words"} <= {*evidence}:
        evidence = evidence.assign(judge=evidence["judge"].fillna(evidence["words"]))
    prior = Prior({name: slope for name, slope in prior.items() if name == "level" or name in evidence})
    return prior, prior.columns(evidence, own_reasons)


@dataclass(frozen=True, eq=False)
class Belief:
    """A belief about which labels of a file are wrong; made by `weigh`.

    It is two beliefs by the same answers. In the *full* one, all answers teach levels and slopes. In the *cut* one,
    only answers about labels drawn at random teach levels (a cut posterior: Plummer 2015, Statistics and Computing
    25); those about labels that a list chose teach slopes, with the levels held. A list chooses what is probably
    wrong, also for causes that no reason knows, so its answers may make the other labels seem worse than they are.
    The full belief draws the next questions. Of labels that nobody was asked about, a mixture speaks: for each sign,
    the two are weighed by how well each foresaw the answers about random labels without them; before these, two to
    one (`FULL`), as in files left out.
    """

    evidence: pd.DataFrame  #: as it was weighed: the label, and a column for each reason
    labels: Labels
    before: Normal  #: levels and slopes of files in general
    wrong: np.ndarray  #: answers: 1 (wrong), 0 (right) or NaN
    random: np.ndarray  #: flags of answers about labels that were drawn at random
    own_reasons: Sequence[str] = ()  #: reasons that no judged file has tested
    aside: Any = False  #: flags of labels that are not asked about

    @cached_property
    def full(self) -> Normal:
        """Levels and slopes of this file by all answers."""
        return self._taught(self.before, ~np.isnan(self.wrong))

    @cached_property
    def cut(self) -> Normal:
        """Levels by the random answers alone, slopes by all."""
        return self._taught_slopes(self._taught(self.before, self.random), self._chosen)

    @cached_property
    def weights(self) -> np.ndarray:
        """The weight of the full belief in what is said of positives, and of negatives: (2,).

        Without random answers, it is 1: labels have an order, and no more is said of them.
        """
        if not self.random.any():
            return np.ones(2)
        rows = np.flatnonzero(self.random)
        by_all = self._taught(self.before, self._chosen)
        by_none = self._taught_slopes(self.before, self._chosen)
        wrong = self.wrong[rows] > 0
        positive = self.labels.positive[rows]
        gain = np.zeros(len(rows))
        for of, sign in ((by_all, 1), (by_none, -1)):
            p = self.mean(of, rows).clip(LEAST, 1 - LEAST)
            gain += sign * np.log(np.where(wrong, p, 1 - p))
        return sigmoid(FULL + np.array([gain[positive].sum(), gain[~positive].sum()]))

    @cached_property
    def p_wrong(self) -> np.ndarray:
        """The probability that each label is wrong, as the mixture says; 1 or 0 for an answered label."""
        weight = self.weights[np.where(self.labels.positive, 0, 1)]
        p = weight * self.mean(self.full) + (1 - weight) * self.mean(self.cut)
        return np.where(np.isnan(self.wrong), p, self.wrong).round(6)  # the last digits differ between machines

    @property
    def speaks(self) -> bool:
        """False if a list chose every answered label: then nothing is said of the others but their order."""
        return bool(self.random.any() or np.isnan(self.wrong).all())

    @property
    def _chosen(self) -> np.ndarray:
        return ~np.isnan(self.wrong) & ~self.random

    def _taught(self, of: Normal, flags: np.ndarray) -> Normal:
        """Levels and slopes after the answers about some labels."""
        labels = self.labels
        rows = np.flatnonzero(flags & np.isnan(labels.fixed))
        x, offset = labels.x[rows], labels.offset[rows]
        own = probability(self.before, x, offset)  # a wrong label tells as far as no conflict explains it
        own /= 1 - (1 - own) * (1 - labels.blame[rows])
        return posterior(of, x, self.wrong[rows] * own, offset)

    def _taught_slopes(self, of: Normal, flags: np.ndarray) -> Normal:
        """Hold the levels as they are; slopes go with them as before."""
        levels = self.level_columns
        inverse = np.linalg.inv(of.covariance[np.ix_(levels, levels)])
        with_levels = of.covariance[:, levels] @ inverse @ of.covariance[levels]
        alone = of.covariance - with_levels
        alone[levels, levels] += HELD
        slopes = self._taught(Normal(of.mean, alone), flags)
        return Normal(slopes.mean, slopes.covariance + with_levels)

    def mean(self, of: Normal, rows: Any = slice(None)) -> np.ndarray:
        """The mean probability that labels are wrong, over possible levels and slopes."""
        return self._settled(probability(of, self.labels.x[rows], self.labels.offset[rows]), rows)

    def _settled(self, p: np.ndarray, rows: Any) -> np.ndarray:
        """Probabilities by the reasons, and by conflicts, which settle a label or blame it."""
        fixed = self.labels.fixed[rows]
        return 1 - (1 - np.where(np.isnan(fixed), p, sigmoid(fixed))) * (1 - self.labels.blame[rows])

    def with_answers(self, wrong: np.ndarray, random: np.ndarray | None = None, aside: Any = False) -> Belief:
        """Return the belief after these answers instead; labels put aside are not asked about."""
        random = np.zeros(len(wrong), dtype=bool) if random is None else random
        return replace(self, wrong=wrong, random=random & ~np.isnan(wrong), aside=aside)

    def take(self, rows: np.ndarray) -> Belief:
        """Return the belief about some of the labels, or about all in another order."""
        evidence = self.evidence.iloc[rows].reset_index(drop=True)
        labels = Labels(*(column[rows] for column in self.labels))
        return replace(self, evidence=evidence, labels=labels, wrong=self.wrong[rows], random=self.random[rows])

    def with_judge(self, rows: Sequence[int], judge: Sequence[float]) -> Belief:
        """Return the belief after a judge has read some labels, with its log-odds against each."""
        x, positive = self.labels.x.copy(), self.labels.positive[rows]
        for sign, level in zip((positive, ~positive), self.level_columns, strict=True):
            x[rows, level + 1] = np.where(sign, judge, 0)
        return replace(self, labels=self.labels._replace(x=x))

    def found(self) -> dict[str, tuple[int, int]]:
        """Count the answered labels, and the wrong ones among them, by sign."""
        answered = ~np.isnan(self.wrong)
        signs = {"positive": self.labels.positive & answered, "negative": ~self.labels.positive & answered}
        return {sign: (int(rows.sum()), round(self.wrong[rows].sum())) for sign, rows in signs.items()}

    @property
    def slopes(self) -> dict[str, tuple[float, float]]:
        """The slope of each reason that no judged file has tested, and its standard deviation."""
        mean, spread = self.full.mean.tolist(), np.sqrt(np.diag(self.full.covariance)).tolist()
        first = len(mean) - len(self.own_reasons)
        return {name: (round(mean[i], 3), round(spread[i], 3)) for i, name in enumerate(self.own_reasons, first)}

    @property
    def level_columns(self) -> list[int]:
        """The places of the two levels among levels and slopes."""
        return [0, (len(self.before.mean) - len(self.own_reasons)) // 2]

    @cached_property
    def open(self) -> np.ndarray:
        """Labels to ask about, the most probably wrong first."""
        order = np.argsort(-self.p_wrong, kind="stable")
        return order[(np.isnan(self.wrong) & ~np.asarray(self.aside))[order]]

    def p(self, rows: Any, levels: np.ndarray) -> np.ndarray:
        """The probability that some labels are wrong, for each of some levels and slopes: (levels, rows)."""
        return self._settled(sigmoid(levels @ self.labels.x[rows].T + self.labels.offset[rows]), rows)

    def expected(self, first: Sequence[int] = (50, 100, 1000), seed: int = 0) -> pd.DataFrame:
        """Estimate the number of wrong labels among the first open ones; no rows if nothing is said of them.

        Columns `first`; `wrong`, the mean; `low`, `high`, the 95 % interval: levels and slopes of the file are not
        known, and a label is wrong by chance. A longer list contains a shorter one, and so has no smaller numbers.
        """
        if not self.speaks:
            return pd.DataFrame(columns=["first", "wrong", "low", "high"])
        rows = self.open
        rng = np.random.default_rng(seed)
        draws = [rng.multivariate_normal(*of, DRAWS, method="cholesky") for of in (self.full, self.cut)]
        by_full = rng.random((DRAWS, 2)) < self.weights
        count = np.zeros(DRAWS)
        start = 0
        found = []
        for n in sorted({min(n, len(rows)) for n in first} - {0}):
            step = -(-(n - start) // SAMPLED)  # of so many labels in their order, every step-th is enough
            some = rows[start + step // 2 : n : step]
            sign = np.where(self.labels.positive[some], 0, 1)
            full, cut = (self.p(some, levels) for levels in draws)
            p = np.where(by_full[:, sign], full, cut)
            mean = p.mean(axis=1)
            variance = (p * (1 - p)).mean(axis=1)
            more = n - start
            count += rng.normal(more * mean, np.sqrt(more * variance)).clip(0, more)
            low, high = np.quantile(count, TAILS).round()
            found.append((n, count.mean(), low, high))
            start = n
        return pd.DataFrame(found, columns=["first", "wrong", "low", "high"])
