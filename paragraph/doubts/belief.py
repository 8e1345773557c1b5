"""The belief about the labels of a file: which are wrong, before and after people's answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..learn.logistic import sigmoid
from .prior import Normal, Prior, posterior, probability

__all__ = ["Belief", "Labels", "ranked", "weigh"]

#: Draws of levels and slopes behind an interval; the wide draws they are taken from, and the factor of their
#: covariance.
DRAWS, WIDELY, WIDER = 500, 4000, 1.5
TAILS = 0.025, 0.975
#: Reading on is hardly worth it if less than this share of labels is wrong. The number of labels sampled to count
#: those.
LITTLE, SAMPLED = 0.1, 500
#: Reasons without a slope: rows count as they are, a conflict settles its label, blame is a second way to be wrong.
AS_THEY_ARE = ("rows", "conflict", "blame")
#: The column `top` is the rank of a label among those of its sign, from 0 to 1, to this power.
CURVED = 4


class Labels(NamedTuple):
    """The evidence about each stated label, as arrays."""

    positive: np.ndarray  #: flags
    x: np.ndarray  #: `Prior.columns`
    offset: np.ndarray  #: log-odds that need no slope
    fixed: np.ndarray  #: log-odds of a label that is settled elsewhere (a conflict), else NaN
    blame: np.ndarray  #: probability that it is wrong because of a conflict


def weigh(evidence: pd.DataFrame, prior: Prior | None = None, answers: Any = None) -> Belief:
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
    evidence = evidence if "top" in evidence else ranked(evidence, prior)
    own_reasons = [name for name in evidence if name not in ("label", "words", "top", *AS_THEY_ARE, *prior)]
    nothing = pd.Series(np.nan, evidence.index)
    rows, conflict, blame = (evidence.get(name, nothing).to_numpy(float) for name in AS_THEY_ARE)
    blame = np.where(np.isnan(blame), 0, sigmoid(blame))
    prior, x = _columns(evidence, prior, own_reasons)
    labels = Labels(evidence["label"].to_numpy() > 0, x, np.nan_to_num(rows), conflict, blame)
    wrong = np.full(len(evidence), np.nan) if answers is None else np.asarray(answers, dtype=float)
    return Belief(labels, prior.normal(len(own_reasons)), wrong, own_reasons=own_reasons)


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


class Belief:
    """A belief about which labels of a file are wrong; made by `weigh`.

    Attributes
    ----------
    after : Normal
        Levels and slopes of this file.
    p_wrong : float array
        The mean over possible levels and slopes; 1 or 0 for an answered label.
    """

    def __init__(
        self, labels: Labels, before: Normal, wrong: np.ndarray, aside: Any = False, own_reasons: Sequence[str] = ()
    ):
        self.labels, self.before, self.wrong, self.aside, self._own = labels, before, wrong, aside, own_reasons
        answered = ~np.isnan(wrong)
        self._closed = answered | aside
        at = np.flatnonzero(answered & np.isnan(labels.fixed))
        x, offset = labels.x[at], labels.offset[at]
        own = probability(before, x, offset)  # a wrong label tells of the others as far as no conflict explains it
        own /= 1 - (1 - own) * (1 - labels.blame[at])
        self._seen = x, wrong[at] * own, offset
        self.after = posterior(before, *self._seen)
        p = self._settled(probability(self.after, labels.x, labels.offset), slice(None))
        self.p_wrong = np.where(answered, wrong, p).round(6)  # the last digits differ between machines

    def _settled(self, p: np.ndarray, rows: Any) -> np.ndarray:
        """Probabilities by the reasons, and by conflicts, which settle a label or blame it."""
        fixed = self.labels.fixed[rows]
        return 1 - (1 - np.where(np.isnan(fixed), p, sigmoid(fixed))) * (1 - self.labels.blame[rows])

    def with_answers(self, wrong: np.ndarray, aside: Any = False) -> Belief:
        """Return the belief after these answers instead; labels put aside are not asked about."""
        return Belief(self.labels, self.before, wrong, aside, self._own)

    def with_judge(self, rows: Sequence[int], judge: Sequence[float]) -> Belief:
        """Return the belief after a judge has read some labels, with its log-odds against each."""
        x, positive = self.labels.x.copy(), self.labels.positive[rows]
        for sign, level in zip((positive, ~positive), self.level_columns, strict=True):
            x[rows, level + 1] = np.where(sign, judge, 0)
        return Belief(self.labels._replace(x=x), self.before, self.wrong, self.aside, self._own)

    def found(self) -> dict[str, tuple[int, int]]:
        """Count the answered labels, and the wrong ones among them, by sign."""
        answered = ~np.isnan(self.wrong)
        signs = {"positive": self.labels.positive & answered, "negative": ~self.labels.positive & answered}
        return {sign: (int(rows.sum()), round(self.wrong[rows].sum())) for sign, rows in signs.items()}

    @property
    def slopes(self) -> dict[str, tuple[float, float]]:
        """The slope of each reason that no judged file has tested, and its standard deviation."""
        mean, spread = self.after.mean.tolist(), np.sqrt(np.diag(self.after.covariance)).tolist()
        first = len(mean) - len(self._own)
        return {name: (round(mean[i], 3), round(spread[i], 3)) for i, name in enumerate(self._own, first)}

    @property
    def level_columns(self) -> list[int]:
        """The places of the two levels among levels and slopes."""
        return [0, (len(self.after.mean) - len(self._own)) // 2]

    @cached_property
    def open(self) -> np.ndarray:
        """Labels to ask about, the most probably wrong first."""
        order = np.argsort(-self.p_wrong, kind="stable")
        return order[~self._closed[order]]

    def levels(self, n: int, seed: Any = 0) -> np.ndarray:
        """Draw `n` possible sets of levels and slopes of the file: (n, d).

        They are drawn widely around `after`, then resampled by how well they explain the prior and the answers: after
        a few answers, the distribution is not normal.
        """
        rng, (drawn, share) = np.random.default_rng(seed), self._wide
        place = share[-1] * (rng.permutation(n) + rng.random()) / n
        return drawn[np.searchsorted(share, place).clip(max=WIDELY - 1)]

    @cached_property
    def _wide(self) -> tuple[np.ndarray, np.ndarray]:
        """Levels and slopes drawn widely, and their cumulative weight."""
        wide = Normal(self.after.mean, WIDER * self.after.covariance)
        drawn = np.random.default_rng(0).multivariate_normal(*wide, WIDELY)
        x, found, offset = self._seen
        z = drawn @ x.T + offset
        weight = _log_density(self.before, drawn) - _log_density(wide, drawn)
        weight += (found * z - np.logaddexp(0, z)).sum(axis=1)
        return drawn, np.cumsum(np.exp(weight - weight.max()))

    def p(self, rows: Any, levels: np.ndarray) -> np.ndarray:
        """The probability that some labels are wrong, for each of some levels and slopes: (levels, rows)."""
        return self._settled(sigmoid(levels @ self.labels.x[rows].T + self.labels.offset[rows]), rows)

    def expected(self, first: Sequence[int] = (50, 100, 1000), seed: int = 0) -> pd.DataFrame:
        """Estimate the number of wrong labels among the first open ones.

        Columns `first`; `wrong`, the mean; `low`, `high`, the 95 % interval: levels and slopes of the file are not
        known, and a label is wrong by chance.
        """
        rows = self.open
        first = sorted({min(n, len(rows)) for n in first} - {0})
        p = self.p(rows[: max(first, default=0)], self.levels(DRAWS, seed))
        wrong = (np.random.default_rng(seed).random(p.shape) < p).cumsum(axis=1)
        last = np.array(first, dtype=np.int64) - 1
        low, high = np.quantile(wrong[:, last], TAILS, axis=0, method="nearest")
        mean = p.cumsum(axis=1)[:, last].mean(axis=0)
        return pd.DataFrame({"first": first, "wrong": mean, "low": low, "high": high})

    def left(self, seed: int = 0) -> tuple[int, int] | None:
        """The 95 % interval of the number of wrong labels left, once reading on is hardly worth it; else None.

        That is so if, with 90 % probability, fewer than `LITTLE` of the next hundred are wrong. None before the first
        answer.
        """
        rows = self.open
        if np.isnan(self.wrong).all() or not len(rows):
            return None
        levels, rng = self.levels(DRAWS, seed), np.random.default_rng(seed)
        p = self.p(rows[:100], levels)
        if np.quantile((rng.random(p.shape) < p).mean(axis=1), 0.9) >= LITTLE:
            return None
        step = -(-len(rows) // SAMPLED)  # of those in order every so many-th is enough
        p = self.p(rows[step // 2 :: step], levels)
        low, high = np.quantile(rng.poisson(p.sum(axis=1) * step), TAILS)
        return round(low), round(high)


def _log_density(of: Normal, at: np.ndarray) -> np.ndarray:
    """The log-density of a normal distribution at some points, up to a constant."""
    z = at - of.mean
    return -np.einsum("ij,ij->i", z @ np.linalg.inv(of.covariance), z) / 2
