"""The labels that a review asks about next, a judge that reads ahead of them, and what is said of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Thread, main_thread
from typing import Any

import numpy as np

from ..learn.logistic import SUREST, log_odds
from .belief import Belief
from .judges import judge_of

__all__ = ["ENOUGH", "Ahead", "may_stop", "next_questions", "outlook", "summary"]

#: Labels of each sign that are drawn at random, before all others.
FIRST = 3
#: Labels drawn at random from which on something is said of all that are left.
ENOUGH = 20
#: Reading on is hardly worth it once the interval ends at this share of wrong labels.
LITTLE = 0.1
#: Labels of each sign at the top of a list among which a judge reads on, and labels read at once.
AHEAD, BATCH = 128, 64


def next_questions(belief: Belief, n: int = 10, seed: int = 0, first: int = FIRST) -> tuple[np.ndarray, np.ndarray]:
    """Choose the `n` labels to ask about next, and flag those that are drawn at random.

    Most are the most probably wrong one by the full belief, each according to its own draw of levels. So the review
    asks about promising labels, and tries the sign that may be promising (Thompson 1933). Slopes are the most
    probable ones, given the levels: trying others, too, costs more answers than it saves. The `first` ones of each
    sign are drawn at random, for answers about the top of a list tell little of the other labels; an audit in their
    place saves them. First they cost least: where they come later, no more wrong labels are found
    (`benchmarks.yields`). A seed and the answers so far give the same labels on any machine.
    """
    rows, (mean, covariance), positive = np.sort(belief.open), belief.full, belief.labels.positive
    answered = len(positive) - len(rows)
    drawn = np.random.default_rng((seed, answered)).multivariate_normal(mean, covariance, n, method="cholesky")
    levels = belief.level_columns
    step = np.linalg.solve(covariance[np.ix_(levels, levels)], covariance[levels])
    p = belief.p(rows, mean + (drawn - mean)[:, levels] @ step).round(6)
    free = np.isnan(belief.labels.fixed[rows])  # what settles a conflict tells nothing of other labels
    known = [int((belief.random & (positive == sign)).sum()) for sign in (False, True)]
    chosen: list[int] = []
    random: list[bool] = []
    for number, one in enumerate(p[: len(rows)], answered):
        one[chosen] = -2
        left = free & (one > -2)
        signs = [sign for sign in (0, 1) if known[sign] < first and (left & (positive[rows] == sign)).any()]
        random.append(bool(signs))
        if not signs:
            chosen.append(int(one.argmax()))
            continue
        sign = min(signs, key=known.__getitem__)
        known[sign] += 1
        places = np.flatnonzero(left & (positive[rows] == sign))
        chosen.append(int(np.random.default_rng((seed, number)).choice(places)))
    return rows[chosen], np.array(random, dtype=bool)


class Ahead:
    """Goes on with a list that a judge has read in part, in the background, best first, ahead of the questions.

    What a thread has read is `news` until the caller takes it over: the evidence changes only when it is written
    down. If the judge is not available, `failed` says why, and nothing is read.

    Parameters
    ----------
    judge
        The one that has read the list; see `judges.judge_of`.
    texts, label
        The sentences and the label of each row.
    against : float array
        The judge's log-odds against each label, on the scale of the list; NaN where it has not read.
    """

    def __init__(self, judge: Any, texts: Sequence[tuple[str, str]], label: np.ndarray, against: np.ndarray):
        self._judge = judge
        self._texts = texts
        self._sign = np.where(label > 0, -1, 1)
        self._known = np.flatnonzero(np.abs(against) < SUREST)[:BATCH]
        self._scale = (self._sign * against)[self._known]
        self.unread = np.isnan(against)
        self._gaps = self.unread.copy()
        self.failed = ""
        #: By row: log-odds that the two mean the same, on the scale of the list.
        self.news: dict[int, float] = {}
        self._order = np.empty(0, dtype=np.int64)
        self._thread = Thread()

    def take(self, read: dict[int, float]) -> tuple[list[int], np.ndarray]:
        """Take over the readings; return the rows that the list lacked, with log-odds against their labels."""
        rows = [row for row in read if self._gaps[row]]
        self.unread[rows] = False
        for row in read:
            self.news.pop(row, None)
        return rows, self._sign[rows] * [read[row] for row in rows]

    def prepare(self, order: np.ndarray) -> None:
        """Continue in the background with the first labels of each sign in an order."""
        self._order = order
        if not self.failed and not self._thread.is_alive():
            self._thread = Thread(target=self._read_on)
            self._thread.start()

    def _read_on(self) -> None:
        try:
            judge = judge_of(self._judge, progress=False)
            rows = self._following()
            while rows and main_thread().is_alive():
                texts = [self._texts[row] for row in (*self._known, *rows)]
                known, same = np.split(log_odds(judge(*zip(*texts, strict=True))), [len(self._known)])
                same = np.polyval(np.polyfit(known, self._scale, 1), same).clip(-SUREST, SUREST)
                self.news |= zip(rows, same.round(3).tolist(), strict=True)
                rows = self._following()
        except Exception as error:  # there is nobody else to tell
            self.failed = str(error)

    def _following(self) -> list[int]:
        """The rows to read next: of each sign, among those that come first."""
        found = []
        for sign in (-1, 1):
            first = self._order[self._sign[self._order] == sign][:AHEAD]
            found += [row for row in first[self.unread[first]].tolist() if row not in self.news][: BATCH // 2]
        return found


def outlook(belief: Belief, first: Sequence[int] = (50, 100, 1000)) -> dict[str, Any]:
    """The facts of a list, for its `attrs` and its messages.

    `answered`: the answered labels of each sign, the wrong ones among them; `random`: the number of these that were
    drawn at random; `left`: the number of labels without an answer; `expected`: the rows of `Belief.expected`, and
    one of all labels left once `ENOUGH` were drawn at random; `slopes`: those of reasons that no judged file has
    tested.
    """
    left = len(belief.open)
    random = int(belief.random.sum())
    numbers = {n for n in first if n < left} or {left}
    if random >= ENOUGH:
        numbers.add(left)
    expected = belief.expected(sorted(numbers)).to_dict("records")
    found = {"answered": belief.found(), "random": random, "left": left, "expected": expected}
    return found | {"slopes": belief.slopes}


def summary(known: Mapping[str, Any]) -> str:
    """Return the `outlook` of a list in one line.

    Examples
    --------
    >>> answered = {"positive": (14, 2), "negative": (10, 7)}
    >>> known = {"answered": answered, "random": 6, "left": 80, "slopes": {}}
    >>> summary(known | {"expected": [{"first": 50, "low": 9.0, "high": 34.0}]})
    'wrong: 9 of 24 read (positives 2 of 14, negatives 7 of 10), probably 9 to 34 of the next 50'
    >>> summary(known | {"random": 0, "expected": []})[60:]
    'none was drawn at random, so of the others only the order is known'
    """
    read, wrong = map(sum, zip(*known["answered"].values(), strict=True))
    parts = []
    if read:
        signs = [f"{sign}s {bad:,} of {n:,}" for sign, (n, bad) in known["answered"].items()]
        parts.append(f"{wrong:,} of {read:,} read ({', '.join(signs)})")
    for row in known["expected"]:
        all_left = row["first"] == known["left"] and known["random"] >= ENOUGH
        which = f"all {row['first']:,} others" if all_left else f"the next {row['first']:,}"
        parts.append(f"probably {row['low']:,.0f} to {row['high']:,.0f} of {which}")
    text = f"wrong: {', '.join(parts)}"
    if known["left"] and not known["expected"]:
        text += "; none was drawn at random, so of the others only the order is known"
    for name, (slope, error) in known["slopes"].items():
        text += f"; {name}: {slope:.1f} ± {error:.1f}"
    return text


def may_stop(known: Mapping[str, Any]) -> bool:
    """Return True if reading on is hardly worth it: the interval of the next labels ends at `LITTLE` or below."""
    return any(row["high"] <= LITTLE * row["first"] for row in known["expected"][:1])
