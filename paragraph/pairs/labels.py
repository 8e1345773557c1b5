"""Labels as texts and as numbers, and the sign of each as the user says."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any
from unicodedata import normalize

from ..files.errors import PairsError, meant
from ..files.spelling import option

__all__ = ["KNOWN", "label_text", "listed", "score_of", "sign_of"]

#: Labels that are understood without an explanation, in upper or lower case.
KNOWN = {"yes": 1, "no": 0, "true": 1, "false": 0}
VOTES = re.compile(r"\(\s*(\d+)\s*,\s*(\d+)\s*\)|(\d+)\s*/\s*(\d+)", re.ASCII)
NUMBER = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d{1,3})?", re.ASCII)


def label_text(value: Any) -> str:
    """Spell a label as it is compared: text without outer white space; 1, 1.0, "1.0", True and [1] are "1"."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if value is None or value != value:
        return ""
    text = str(int(value)) if isinstance(value, bool) else normalize("NFC", str(value).strip())
    whole = re.fullmatch(r"([+-]?\d+)\.0+", text, re.ASCII)
    return whole[1] if whole else text


def score_of(values: Iterable[str]) -> dict[str, float]:
    """The numbers among some labels of one column; votes become shares.

    ``4/6`` is 4 of 6. ``(4, 6)`` is the same if the second number is the same in all labels; if the sum is, it means
    4 for and 6 against.

    >>> score_of(["3.5", "x", "3,5", "4/6", "85 %", "1e999"])
    {'3.5': 3.5, '3,5': 3.5, '85 %': 0.85, '4/6': 0.6666666666666666}
    >>> score_of(["(3, 6)", "(6, 6)"]), score_of(["(3, 2)", "(1, 4)"])
    ({'(3, 6)': 0.5, '(6, 6)': 1.0}, {'(3, 2)': 0.6, '(1, 4)': 0.2})
    """
    found, votes = {}, {}
    for value in values:
        if NUMBER.fullmatch(number := value.removesuffix("%").strip()):
            found[value] = float(number.replace(",", ".")) / (100 if "%" in value else 1)
        elif vote := VOTES.fullmatch(value.strip()):
            votes[value] = tuple(int(number) for number in vote.groups() if number)
    bracketed = [vote for value, vote in votes.items() if "(" in value]
    against = len({n for _, n in bracketed}) > 1 and len({sum(vote) for vote in bracketed}) == 1
    for value, (k, n) in votes.items():
        n = k + n if against and "(" in value else n
        if 0 < n >= k:
            found[value] = k / n
    return {value: number for value, number in found.items() if math.isfinite(number)}


def listed(counts: Counter, most: int = 8) -> str:
    """The commonest labels with their counts, in words."""
    shown = ", ".join(f"{value[:40]!r} {n:,}" for value, n in counts.most_common(most))
    return shown + f", and {len(counts) - most:,} more" * (len(counts) > most)


def sign_of(labels: Any, values: Iterable[str] = ()) -> Callable[[str], int | None]:
    """Return a function from a label, as text, to 1, 0 or None (no sign); it raises ValueError for any other.

    Parameters
    ----------
    labels : dict or tuple of two numbers
        A map from label to 1, 0 or None; or (low, high): from `high` up positive, below `low` negative, the
        rest without a sign. Votes among the `values` of the column are shares (`score_of`).

    Examples
    --------
    >>> sign = sign_of({"yes": 1, "no": 0, "?": None})
    >>> sign("yes"), sign("?")
    (1, None)
    >>> sign("maybe")
    Traceback (most recent call last):
    ValueError: label 'maybe' is not one of yes, no, ?
    >>> [sign_of((3.5, 4.5))(score) for score in ("4.5", "3.5", "3.4")]
    [1, None, 0]
    """
    if isinstance(labels, dict):
        signs = {}
        for key, sign in labels.items():
            if sign is not None and sign not in (0, 1):
                raise PairsError(f"{option('labels')} maps {label_text(key)!r} to {sign!r}; a sign is 1, 0 or None")
            if signs.setdefault(label_text(key), sign) != sign:
                raise PairsError(f"{option('labels')} maps {label_text(key)!r} to two signs")

        def by_map(text):
            label = label_text(text)
            if label not in signs:
                raise ValueError(f"label {text!r} is not one of {', '.join(signs)}{meant(label, signs)}")
            return signs[label]

        return by_map
    numbers = isinstance(labels, tuple | list) and all(isinstance(x, int | float) for x in labels)
    if not numbers or len(labels) != 2 or not labels[0] <= labels[1]:
        raise PairsError(f"{option('labels')}: {labels!r} is neither a dict nor two thresholds, the lower first")
    (low, high), scores = labels, score_of(values)

    def by_thresholds(text):
        if (score := scores.get(text, score_of([text]).get(text))) is None:
            raise ValueError(f"label {text!r} is not a number")
        return 1 if score >= high else 0 if score < low else None

    return by_thresholds
