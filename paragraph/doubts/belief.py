"""The belief about the labels of a file: which are wrong, before and after people's answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..learn.logistic import sigmoid
from .prior import Normal, Prior, posterior, probability

__all__ = ["Belief", "Labels", "weigh"]

#: Draws of levels and slopes behind an interval; the wide draws they are taken from, and the factor of their
#: covariance.
DRAWS, WIDELY, WIDER = 500, 4000, 1.5
TAILS = 0.025, 0.975
#: Reading on is hardly worth it if less than this share of labels is wrong. The number of labels sampled to count
#: those.
LITTLE, SAMPLED = 0.1, 500
#: Reasons without a slope: rows count as they are, a conflict settles its label, blame is a second way to be wrong.
AS_THEY_ARE = ("rows", "conflict", "blame")
#: The reason `top` is the rank of a label among those of its sign, from 0 to 1, to this power.
CURVED = 4


class Labels(NamedTuple):
    """The evidence about each stated label, as arrays."""

    positive: np.ndarray  #: flags
    x: np.ndarray  #: `Prior.columns`
    offset: np.ndarray  #: log-odds that need no slope
    fixed: np.ndarray  #: log-odds of a label that is settled elsewhere (a conflict), else NaN
    blame: np.ndarray  #: probability that it is wrong because of a conflict
    top: Sequence[int] = ()  #: the columns of `x` that say how near the top a label is, for each sign

    def ranked(self, before: Normal) -> Labels:
        """Rank the labels of each sign by what is known before any answer, for the columns `top`.

        A review asks about the top of its list, where labels may be wrong more often than their columns say. The
        answers then show the slope of `top`, and not so much the level, which is that of all labels.
        """
        x = self.x.copy()
        x[:, self.top] = 0
        z = (x @ before.mean + self.offset).round(6)
        for sign, at in zip((self.positive, ~self.positive), self.top, strict=False):
            x[sign, at] = (pd.Series(z[sign]).rank().to_numpy() / max(1, sign.sum())) ** CURVED
        return self._replace(x=x)


def weigh(evidence: pd.DataFrame, prior: Prior | None = None, answers: Any = None, aside: Any = False) -> Belief:
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
    aside : flags, optional
        Labels not to ask about: those about which nobody can say, or postponed ones.

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
    nothing, read = pd.Series(np.nan, evidence.index), evidence
    if "judge" in evidence:
        read = evidence.assign(judge=evidence["judge"].fillna(evidence.get("words", nothing)))
    prior = prior or Prior.shipped("judge" if "judge" in read else "words")
    read = read.assign(top=0.0)
    prior = Prior({name: slope for name, slope in prior.items() if name == "level" or name in read})
    more = [name for name in evidence if name not in ("label", "words", *AS_THEY_ARE, *prior)]
    top = [[*prior].index("top") + first for first in (0, len(prior))] if "top" in prior else ()
    rows, conflict, blame = (evidence.get(name, nothing).to_numpy(float) for name in AS_THEY_ARE)
    blame = np.where(np.isnan(blame), 0, sigmoid(blame))
    x, before, offset = prior.columns(read, more), prior.normal(len(more)), np.nan_to_num(rows)
    labels = Labels(evidence["label"].to_numpy() > 0, x, offset, conflict, blame, top).ranked(before)
    wrong = np.full(len(evidence), np.nan) if answers is None else np.asarray(answers, dtype=float)
    return Belief(labels, before, wrong, aside, more)


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
        self, labels: Labels, before: Normal, wrong: np.ndarray, aside: Any = False, more: Sequence[str] = ()
    ):
        self.labels, self.before, self.wrong, self.aside, self._more = labels, before, wrong, aside, more
        answered = ~np.isnan(wrong)
        self._closed = answered | aside
        at = np.flatnonzero(answered & np.isnan(labels.fixed))
        x, offset = labels.x[at], labels.offset[at]
        own = probability(before, x, offset)  # a wrong label tells of the others as far as no conflict explains it
        own /= 1 - (1 - own) * (1 - labels.blame[at])
        self._seen = x, wrong[at] * own, offset
        self.after = posterior(before, *self._seen)
        p = probability(self.after, labels.x, labels.offset)
        p = self._blamed(np.where(np.isnan(labels.fixed), p, sigmoid(labels.fixed)), slice(None))
        self.p_wrong = np.where(answered, wrong, p).round(6)  # the last digits differ between machines

    def _blamed(self, p: np.ndarray, rows: Any) -> np.ndarray:
        return 1 - (1 - p) * (1 - self.labels.blame[rows])

    def told(self, wrong: np.ndarray, aside: Any = False) -> Belief:
        """Return the belief after these answers instead; see `weigh`."""
        return Belief(self.labels, self.before, wrong, aside, self._more)

    def seen(self, rows: Sequence[int], judge: Sequence[float]) -> Belief:
        """Return the belief after a judge has read some labels, with its log-odds against each."""
        x, positive = self.labels.x.copy(), self.labels.positive[rows]
        for sign, at in zip((positive, ~positive), np.flatnonzero(self.is_level) + 1, strict=True):
            x[rows, at] = np.where(sign, judge, 0)
        labels = self.labels._replace(x=x).ranked(self.before)
        return Belief(labels, self.before, self.wrong, self.aside, self._more)

    def found(self) -> dict[str, tuple[int, int]]:
        """Count the answered labels, and the wrong ones among them, by sign."""
        answered = ~np.isnan(self.wrong)
        signs = {"positive": self.labels.positive & answered, "negative": ~self.labels.positive & answered}
        return {sign: (int(rows.sum()), round(self.wrong[rows].sum())) for sign, rows in signs.items()}

    @property
    def slopes(self) -> dict[str, tuple[float, float]]:
        """The slope of each reason that no judged file has tested, and its standard deviation."""
        at = range(len(self.after.mean) - len(self._more), len(self.after.mean))
        return {
            name: (round(float(self.after.mean[i]), 3), round(float(self.after.covariance[i, i]) ** 0.5, 3))
            for name, i in zip(self._more, at, strict=True)
        }

    @property
    def is_level(self) -> np.ndarray:
        """Flags of the levels among levels and slopes."""
        return np.isin(np.arange(len(self.after.mean)), [0, (len(self.after.mean) - len(self._more)) // 2])

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
        fixed = self.labels.fixed[rows]
        z = levels @ self.labels.x[rows].T + self.labels.offset[rows]
        return self._blamed(sigmoid(np.where(np.isnan(fixed), z, fixed)), rows)

    def expected(self, first: Sequence[int] = (50, 100, 1000), seed: int = 0) -> pd.DataFrame:
        """Estimate the number of wrong labels among the first open ones.

        Columns `first`; `wrong`, the mean; `low`, `high`, the 95 % interval: levels and slopes of the file are not
        known, and a label is wrong by chance.
        """
        rows = self.open
        first = [n for n in first if n < len(rows)] + ([len(rows)] if len(rows) < max(first) else [])
        p = self.p(rows[: max(first)], self.levels(DRAWS, seed))
        wrong = (np.random.default_rng(seed).random(p.shape) < p).cumsum(axis=1)
        found = [
            (n, p[:, :n].sum(axis=1).mean(), *np.quantile(wrong[:, n - 1], TAILS, method="nearest"))
            for n in first
            if n
        ]
        return pd.DataFrame(found, columns=["first", "wrong", "low", "high"])

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
