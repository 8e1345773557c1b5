"""The outlook of a list: what was found, and what is said of the labels that nobody was asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .belief import Belief

__all__ = ["ENOUGH", "may_stop", "outlook", "summary"]

#: Labels drawn at random from which on something is said of all that are left.
ENOUGH = 20
#: Reading on is hardly worth it once the interval ends at this share of wrong labels.
LITTLE = 0.1


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
