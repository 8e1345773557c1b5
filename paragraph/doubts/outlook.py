"""The labels that a review asks about next, and what it says of those that nobody was asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .belief import Belief

__all__ = ["ENOUGH", "may_stop", "next_questions", "outlook", "summary"]

#: Labels of each sign that are drawn at random, before all others.
FIRST = 3
#: Labels drawn at random from which on something is said of all that are left.
ENOUGH = 20
#: Reading on is hardly worth it once the interval ends at this share of wrong labels.
LITTLE = 0.1


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


def outlook(belief: Belief, first: Sequence[int] = (50, 100, 1000)) -> dict[str, Any]:
    """The facts of a list, for its `attrs` and its messages.

    `judged`: the judged labels of each sign, and the wrong ones among them; `random`: the number of these that were
    drawn at random; `left`: the number of labels that are not judged; `expected`: the rows of `Belief.expected`, and
    one of all labels left once `ENOUGH` were drawn at random; `slopes`: those of reasons that no judged file has
    tested.
    """
    left = len(belief.open)
    random = int(belief.random.sum())
    numbers = {n for n in first if n < left} or {left}
    if random >= ENOUGH:
        numbers.add(left)
    expected = belief.expected(sorted(numbers)).to_dict("records")
    found = {"judged": belief.found(), "random": random, "left": left, "expected": expected}
    return found | {"slopes": belief.slopes}


def summary(known: Mapping[str, Any]) -> str:
    """Return the `outlook` of a list in one line.

    Examples
    --------
    >>> judged = {"positive": (14, 2), "negative": (10, 7)}
    >>> known = {"judged": judged, "random": 6, "left": 80, "slopes": {}}
    >>> summary(known | {"expected": [{"first": 50, "low": 9.0, "high": 34.0}]})
    'wrong: 9 of 24 read (positives 2 of 14, negatives 7 of 10), probably 9 to 34 of the next 50'
    >>> summary(known | {"random": 0, "expected": []})[60:]
    'none was drawn at random, so of the others only the order is known'
    """
    read, wrong = map(sum, zip(*known["judged"].values(), strict=True))
    parts = []
    if read:
        signs = [f"{sign}s {bad:,} of {n:,}" for sign, (n, bad) in known["judged"].items()]
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
