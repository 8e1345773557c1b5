"""The model of a wrong label: the belief about a file's labels, before and after some of them are judged."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..learn.logistic import fit_logistic, newton, sigmoid
from ..pairs.tables import refuse
from .evidence import LABELS_PER_WEIGHT

__all__ = [
    "COLUMNS", "KNOWN", "NOTHING", "Belief", "Labels", "Normal", "belief_of", "columns_of", "drawn", "posterior",
    "prior", "probability", "said_of", "scale_of",
]  # fmt: skip

#: Levels and slopes of a file that nobody has judged; written by ``python -m benchmarks.yields``.
FITTED = Path(__file__).with_name("wrong.json")
#: The evidence about a label; each column has a slope for positives and one for negatives.
COLUMNS = {
    "level": "1 for each label",
    "judge": "log-odds against the label by who reads the two sentences, on the scale of the file's own labels",
    "own": "log-odds against the label by a model that learnt the file's other labels",
}
#: Draws of levels and slopes behind an interval; the wide draws they are taken from, and the factor of their
#: covariance.
DRAWS, WIDELY, WIDER = 500, 4000, 1.5
TAILS = 0.025, 0.975
#: Stated labels of each sign, drawn at random, that show a judge's scale.
SCALED = 200
#: Labels of each sign that are judged first.
TRIED = 3
#: Reading on is hardly worth it if less than this share of labels is wrong. The number of labels sampled to count
#: those.
LITTLE, SAMPLED = 0.1, 500
#: Columns of a list of suspects that, with the answers, determine its order; all except `by` are numbers.
KNOWN = {
    "judge": "log-odds against the label by who reads the two sentences",
    "own": "log-odds against the label by a model that learnt the file's other labels",
    "rows": "log-odds by the rows of the pair: 0 for one, less for rows that agree",
    "conflict": "log-odds that a negative inside a cluster is wrong, as `repair` says; empty for others",
    "blame": "probability that it is wrong because of a conflict",
    "judged": "what a person said before: 1, the label is wrong; 0, it is right; empty",
    "by": "who read the two sentences: words, minilm, another model; nobody yet: what words tell of that model",
}
#: The columns about a label by itself.
NOTHING = {"judge": 0.0, "own": 0.0, "rows": 0.0, "conflict": 20.0, "blame": 0.0, "judged": np.nan, "by": "words"}
#: Columns that may be empty.
_EMPTY = ("conflict", "judged")


class Normal(NamedTuple):
    """Levels and slopes, normally distributed: of files in general, or of one file after judgements."""

    mean: np.ndarray  #: (d,)
    covariance: np.ndarray  #: (d, d)


def posterior(before: Normal, x: np.ndarray, found: np.ndarray, offset: np.ndarray | float = 0.0) -> Normal:
    """Update levels and slopes by the results (1 or 0) for labels with columns x: Laplace's approximation."""
    if not len(x):
        return before
    precision = np.linalg.inv(before.covariance)
    mean, curvature = newton(x, found, np.ones(len(x)), before.mean, precision, offset)
    return Normal(mean, np.linalg.inv(curvature))


@lru_cache
def prior(name: str) -> Normal:
    """Levels and slopes of a file that nobody has judged: the mean of judged files, and the spread between files.

    `name` is "words" if no model reads the sentences, else "minilm"; or "follows", only for negatives, stated and
    inferred: their level, the slope of the judge, and the excess level of inferred ones.
    """
    fitted = json.loads(FITTED.read_bytes())[name]
    return Normal(np.array(fitted["mean"]), np.diag(np.square(fitted["spread"])))


def probability(of: Normal, x: np.ndarray, offset: np.ndarray | float = 0.0) -> np.ndarray:
    """The mean probability that labels with columns x are wrong, over possible levels and slopes."""
    variance = np.einsum("ij,ij->i", x @ of.covariance, x)
    return sigmoid((x @ of.mean + offset) / np.sqrt(1 + np.pi / 8 * variance))  # MacKay 1992


def drawn(positive: np.ndarray, many: int = SCALED, least: int = LABELS_PER_WEIGHT) -> np.ndarray:
    """Draw that many labels of each sign, in their order; none if a sign has too few."""
    rng, signs = np.random.default_rng(0), [np.flatnonzero(positive), np.flatnonzero(~positive)]
    if min(map(len, signs)) < least:
        return signs[0][:0]
    return np.sort(np.concatenate([rng.permutation(edges)[:many] for edges in signs]))


def scale_of(same: np.ndarray, positive: np.ndarray) -> tuple[float, float]:
    """The level and slope that calibrate a judge's log-odds to a file's own labels, with equal weight for both signs.

    A judge's .05 on one kind of text is .9 on another. Most stated labels are right; a judge that cannot tell their
    signs apart gets a slope near 0. With fewer than `LABELS_PER_WEIGHT` of a sign the scale stays as it is.
    """
    if min(np.count_nonzero(positive), np.count_nonzero(~positive)) < LABELS_PER_WEIGHT:
        return 0.0, 1.0
    share = positive.mean()
    times = np.where(positive, 0.5 / share, 0.5 / (1 - share))
    found = fit_logistic(same[:, None], positive, times=times)
    slope = float(found.weight[0] / found.scale[0])
    return (float(found.bias - slope * found.mean[0]), slope) if slope > 0 else (0.0, 0.0)


class Labels(NamedTuple):
    """The evidence about each stated label of a file, without judgements."""

    positive: np.ndarray  #: flags
    known: np.ndarray  #: (n, columns): `COLUMNS`
    offset: np.ndarray  #: log-odds that need no slope
    fixed: np.ndarray  #: log-odds of a label that is settled elsewhere (a conflict), else NaN
    blame: np.ndarray  #: probability that it is wrong because of a conflict
    by: np.ndarray | str = "words"  #: who read its sentences

    @property
    def x(self) -> np.ndarray:
        """`known` for positives, then for negatives, 0 where a label has the other sign: (n, 2 columns)."""
        sign = np.stack([self.positive, ~self.positive], axis=1)
        return (sign[:, :, None] * self.known[:, None]).reshape(len(sign), 2 * self.known.shape[1])


class Belief:
    """A belief about which labels of a file are wrong, by a prior and by judged labels.

    Parameters
    ----------
    labels : Labels
    before : Normal
        Levels and slopes of files; `prior`.
    wrong : float array, one entry per label
        1 or 0 where a person judged the label, else NaN.
    aside : flags, one entry per label, optional
        Labels not to ask about: those about which nobody can say, or postponed ones.
    x : float array, optional
        `labels.x`, if it is known already.

    Attributes
    ----------
    after : Normal
        Levels and slopes of this file.
    p_wrong : float array
        The mean over possible levels and slopes; 1 or 0 for a judged label.

    Examples
    --------
    >>> known = np.column_stack([np.ones(100), np.linspace(-3, 3, 100), np.zeros(100)])
    >>> labels = Labels(np.arange(100) % 2 == 0, known, np.zeros(100), np.full(100, np.nan), np.zeros(100))
    >>> nobody, wrong = np.full(100, np.nan), np.full(100, np.nan)
    >>> before = Belief(labels, prior("words"), nobody)
    >>> wrong[80:] = 0
    >>> after = Belief(labels, prior("words"), wrong)
    >>> bool(after.p_wrong[79] < before.p_wrong[79] / 2)
    True
    """

    def __init__(
        self, labels: Labels, before: Normal, wrong: np.ndarray, aside: Any = False, x: np.ndarray | None = None
    ):
        self.labels, self.before, self.wrong = labels, before, wrong
        self.x, judged = labels.x if x is None else x, ~np.isnan(wrong)
        self.aside, self._closed = aside, judged | aside
        told = np.flatnonzero(judged & np.isnan(labels.fixed))
        known = self.x[told], labels.offset[told]
        own = probability(before, *known)  # a wrong label tells of the others as far as no conflict accounts for it
        own /= 1 - (1 - own) * (1 - labels.blame[told])
        self._told = known[0], wrong[told] * own, known[1]
        self.after = posterior(before, *self._told)
        p = probability(self.after, self.x, labels.offset)
        p = self._blamed(np.where(np.isnan(labels.fixed), p, sigmoid(labels.fixed)), slice(None))
        self.p_wrong = np.where(judged, wrong, p).round(6)  # the last digits differ between machines

    def _blamed(self, p: np.ndarray, rows: Any) -> np.ndarray:
        return 1 - (1 - p) * (1 - self.labels.blame[rows])

    def told(self, wrong: np.ndarray, aside: Any = False) -> Belief:
        """Return the belief after these answers, one entry per label: 1, 0 or NaN; see the parameters."""
        return Belief(self.labels, self.before, wrong, aside, self.x)

    def seen(self, rows: Sequence[int], judge: Sequence[float]) -> Belief:
        """Return the belief after a judge has read some labels, with its log-odds against each."""
        known = self.labels.known.copy()
        known[rows, list(COLUMNS).index("judge")] = judge
        return Belief(self.labels._replace(known=known), self.before, self.wrong, self.aside)

    def found(self) -> dict[str, tuple[int, int]]:
        """Count the judged labels, and the wrong ones among them, by sign."""
        judged = ~np.isnan(self.wrong)
        signs = {"positive": self.labels.positive & judged, "negative": ~self.labels.positive & judged}
        return {sign: (int(rows.sum()), round(self.wrong[rows].sum())) for sign, rows in signs.items()}

    @cached_property
    def open(self) -> np.ndarray:
        """Labels to ask about, the most probably wrong first."""
        order = np.argsort(-self.p_wrong, kind="stable")
        return order[~self._closed[order]]

    def levels(self, n: int, seed: Any = 0) -> np.ndarray:
        """Draw `n` possible sets of levels and slopes of the file: (n, d).

        They are drawn widely around `after`, then resampled by how well they explain the prior and the judgements:
        after a few answers, the distribution is not normal.
        """
        rng, (drawn, share) = np.random.default_rng(seed), self._wide
        place = share[-1] * (rng.permutation(n) + rng.random()) / n
        return drawn[np.searchsorted(share, place).clip(max=WIDELY - 1)]

    @cached_property
    def _wide(self) -> tuple[np.ndarray, np.ndarray]:
        """Levels and slopes drawn widely, and their cumulative weight."""
        wide = Normal(self.after.mean, WIDER * self.after.covariance)
        drawn = np.random.default_rng(0).multivariate_normal(*wide, WIDELY)
        x, found, offset = self._told
        z = drawn @ x.T + offset
        weight = _log_density(self.before, drawn) - _log_density(wide, drawn)
        weight += (found * z - np.logaddexp(0, z)).sum(axis=1)
        return drawn, np.cumsum(np.exp(weight - weight.max()))

    def p(self, rows: Any, levels: np.ndarray) -> np.ndarray:
        """The probability that some labels are wrong, for each of some levels and slopes: (levels, rows)."""
        fixed = self.labels.fixed[rows]
        z = levels @ self.x[rows].T + self.labels.offset[rows]
        return self._blamed(sigmoid(np.where(np.isnan(fixed), z, fixed)), rows)

    def expected(self, first: Sequence[int] = (50, 100, 1000), seed: int = 0) -> pd.DataFrame:
        """Estimate the number of wrong labels among the first ones of the list that nobody judged.

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

    def next(self, n: int = 10, seed: int = 0) -> np.ndarray:
        """Choose the `n` labels to judge next: each the most probably wrong one according to its own draw of levels.

        So the review asks about promising labels, and tries the sign that may be promising (Thompson 1933). Slopes
        are the most probable ones, given the levels: trying others, too, costs more answers than it saves. The first
        choices ensure that some labels of each sign are judged. A seed and the answers so far give the same labels on
        any machine.
        """
        rows, (mean, covariance) = self.open, self.after
        drawn = self.levels(n, (seed, len(self.wrong) - len(rows)))
        levels = np.arange(len(mean)) % len(COLUMNS) == 0
        step = np.linalg.solve(covariance[np.ix_(levels, levels)], covariance[levels])
        p = self.p(slice(None), mean + (drawn - mean)[:, levels] @ step)[:, rows].round(6)
        owed = {sign: TRIED - judged for sign, (judged, _) in zip((True, False), self.found().values(), strict=True)}
        signs = [sign for i in range(TRIED) for sign in owed if i < owed[sign]]
        chosen: list[int] = []
        for i, one in enumerate(p[: len(rows)]):
            if i < len(signs):
                one[self.labels.positive[rows] != signs[i]] -= 1
            one[chosen] = -2
            chosen.append(int(one.argmax()))
        return rows[chosen]


def _log_density(of: Normal, at: np.ndarray) -> np.ndarray:
    """The log-density of a normal distribution at some points, up to a constant."""
    z = at - of.mean
    return -np.einsum("ij,ij->i", z @ np.linalg.inv(of.covariance), z) / 2


def columns_of(belief: Belief) -> pd.DataFrame:
    """The columns with the evidence about each label: `KNOWN`."""
    labels = belief.labels
    known = dict(zip(("judge", "own"), labels.known[:, 1:].T, strict=True))
    known |= {"rows": labels.offset, "conflict": labels.fixed, "blame": labels.blame, "judged": belief.wrong}
    return pd.DataFrame(known).round(6).add(0.0).assign(by=labels.by)  # no -0


def belief_of(table: pd.DataFrame, label: np.ndarray) -> Belief | None:
    """Return the belief about the labels of a list, or None if it lacks the columns (`KNOWN`).

    Raises
    ------
    PairsError
        Naming the row and a value that is not a number.
    """
    if not {*KNOWN} <= {*table}:
        return None
    known = {}
    for name in KNOWN.keys() - {"by"}:
        given = table[name].replace("", None)
        known[name] = pd.to_numeric(given, errors="coerce").to_numpy(float, na_value=np.nan)
        empty = given.isna().to_numpy() & (name in _EMPTY)
        refuse(table, ~np.isfinite(known[name]) & ~empty, lambda row, name=name: f"{name} {row[name]!r} is no number")
    x = np.column_stack([np.ones(len(table)), known["judge"], known["own"]])
    labels = Labels(label > 0, x, known["rows"], known["conflict"], known["blame"])
    return Belief(labels, prior("words" if (table["by"] == "words").all() else "minilm"), known["judged"])


def said_of(known: Mapping[str, Any]) -> str:
    """Return the summary of a list of suspects, in one line, from its `attrs`.

    Examples
    --------
    >>> judged = {"positive": (14, 2), "negative": (10, 7)}
    >>> said_of({"judged": judged, "expected": [{"first": 50, "wrong": 21.3, "low": 9.0, "high": 34.0}]})
    'of 24 read 9 were wrong (positives 2 of 14, negatives 7 of 10); of the next 50 probably 9 to 34'
    >>> said_of({"judged": {"positive": (0, 0)}, "expected": [{"first": 50, "low": 9.0, "high": 34.0}]})
    'of the first 50 probably 9 to 34 are wrong'
    """
    judged = known["judged"]
    read, wrong = map(sum, zip(*judged.values(), strict=True))
    by_sign = ", ".join(f"{sign}s {bad:,} of {n:,}" for sign, (n, bad) in judged.items())
    told = [f"of {read:,} read {wrong:,} {'was' if wrong == 1 else 'were'} wrong ({by_sign})"] if read else []
    next_ = [
        f"of the {'next' if read else 'first'} {row['first']:,} probably {row['low']:.0f} to {row['high']:.0f}"
        for row in known["expected"]
    ]
    return "; ".join([*told, *next_]) + " are wrong" * (not read)
