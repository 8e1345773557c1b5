"""Labels as texts and as numbers, and what they mean: words with a sign each, or two thresholds of a score."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple
from unicodedata import normalize

from ..files.errors import PairsError, did_you_mean
from ..files.spelling import option

__all__ = ["KNOWN", "VOTES", "ZERO_ONE", "Meaning", "label_text", "listed", "meaning_of", "numbers_of"]

#: What labels mean in a documented layout; words in upper or lower case.
ZERO_ONE = {"0": 0, "1": 1}
KNOWN = {"yes": 1, "no": 0, "true": 1, "false": 0}
#: The ways to count votes in brackets: (4, 6) is 4 for and 6 against, or 4 of 6.
VOTES = ("for,against", "k,n")
BRACKETED = re.compile(r"[(\[]\s*(\d+)\s*,\s*(\d+)\s*[)\]]", re.ASCII)
SHARE = re.compile(r"(\d+)\s*/\s*(\d+)", re.ASCII)
NUMBER = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d{1,3})?", re.ASCII)
#: A number whose sign may part thousands: 1,200 or 1.200.
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)


def label_text(value: Any) -> str:
    """Spell a label as it is compared: text without outer white space; 1, 1.0, "1.0", True and [1] are "1"."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if value is None or value != value:
        return ""
    text = str(int(value)) if isinstance(value, bool) else normalize("NFC", str(value).strip())
    whole = re.fullmatch(r"([+-]?\d+)\.0+", text, re.ASCII)
    return whole[1] if whole else text


def numbers_of(values: Iterable[str], votes: str | None = None) -> dict[str, float]:
    """The numbers among the labels of one column; ``4/6`` and votes in brackets become shares, ``12 %`` becomes .12.

    ValueError says where a column can be read in two ways: two decimal signs, or a sign that may part thousands;
    numbers with and without ``%``; votes that can be *k of n* or *for, against*, unless `votes` says which.

    >>> numbers_of(["3.5", "x", "4/6", "1e999"]), numbers_of(["3,5", "4"])
    ({'3.5': 3.5, '4/6': 0.6666666666666666}, {'3,5': 3.5, '4': 4.0})
    >>> numbers_of(["(3, 2)", "(1, 4)"])
    {'(3, 2)': 0.6, '(1, 4)': 0.2}
    >>> numbers_of(["1,200", "950.5"])
    Traceback (most recent call last):
    ValueError: '1,200' beside '950.5' can be 1.2 or 1200; write all numbers with one decimal sign and no other
    """
    values = list(values)
    plain = [value for value in values if NUMBER.fullmatch(value.removesuffix("%").strip())]
    mark = _decimal_sign([value.removesuffix("%").strip() for value in plain])
    percents = [value for value in plain if value.endswith("%")]
    if 0 < len(percents) < len(plain):
        other = next(value for value in plain if value not in percents)
        raise ValueError(f"{percents[0]!r} beside {other!r} are two scales; write all numbers on one")
    found = {}
    for value in plain:
        number = float(value.removesuffix("%").strip().replace(mark, "."))
        found[value] = number / 100 if percents else number
    bracketed = {}
    for value in values:
        if share := SHARE.fullmatch(value.strip()):
            found[value] = _share(int(share[1]), int(share[2]))
        elif vote := BRACKETED.fullmatch(value.strip()):
            bracketed[value] = int(vote[1]), int(vote[2])
    of_all = _votes(bracketed, votes) == "k,n"
    for value, (first, second) in bracketed.items():
        found[value] = _share(first, second if of_all else first + second)
    return {value: found[value] for value in values if math.isfinite(found.get(value, math.inf))}


def _share(part: int, whole: int) -> float:
    return part / whole if 0 < whole >= part else math.inf


def _decimal_sign(numbers: list[str]) -> str:
    """The decimal sign of the numbers of a column, the only one in it."""
    commas = [number for number in numbers if "," in number]
    points = [number for number in numbers if "." in number]
    marked, beside = commas or points, []
    if commas and points:
        # The one that may part thousands is the one that can be read in two ways
        marked = sorted(commas[:1] + points[:1], key=lambda number: not THOUSANDS.fullmatch(number))
        beside = marked[1:]
    elif marked and all(map(THOUSANDS.fullmatch, marked)):
        large = [number for number in numbers if number not in marked and len(number.lstrip("+-")) > 2]
        beside = large[:1] or (["no other decimals"] if commas else [])
    if beside:
        small = marked[0].replace(",", ".")
        large = re.sub("[.,]", "", marked[0])
        where = beside[0] if beside[0].startswith("no ") else repr(beside[0])
        what = f"{marked[0]!r} beside {where} can be {float(small):g} or {large}"
        raise ValueError(f"{what}; write all numbers with one decimal sign and no other")
    return "," if commas else "."


def _votes(bracketed: dict[str, tuple[int, int]], votes: str | None) -> str:
    """How votes in brackets are counted: as the caller says, or in the only possible way."""
    if votes or not bracketed:
        return votes or VOTES[0]
    if all(first <= second for first, second in bracketed.values()):
        value, (first, second) = next(iter(bracketed.items()))
        ways = f"{first} for and {second} against ({option('votes', VOTES[0])}) or {first} of {second}"
        raise ValueError(f"{value!r} can be {ways} ({option('votes', VOTES[1])})")
    return VOTES[0]


def listed(counts: Counter, most: int = 8) -> str:
    """The commonest labels with their counts, in words."""
    shown = ", ".join(f"{value[:40]!r} {n:,}" for value, n in counts.most_common(most))
    if len(counts) <= most:
        return shown
    return f"{shown}, and {len(counts) - most:,} more"


class Meaning(NamedTuple):
    """The meaning of the labels of a column."""

    #: From a label, as text, to 1, 0 or None (no sign); it raises ValueError for any other.
    sign: Callable[[str], int | None]
    #: The numbers that thresholds are compared with, by label; None where labels are words.
    scores: dict[str, float] | None = None
    #: How votes in brackets are counted: as the caller says, or as is possible; None where there are none.
    votes: str | None = None


def meaning_of(labels: Any, values: Iterable[str] = (), votes: str | None = None, whole: bool = True) -> Meaning:
    """The meaning of labels: a map from label to 1, 0 or None; or two thresholds.

    With thresholds (low, high), `high` or more is positive, below `low` negative, the rest without a sign. With the
    larger one first, the number is a distance: the second or less is positive, more than the first negative. The
    `values` are those of the column, all of them if it is `whole`: ValueError if they can be read in two ways
    (`numbers_of`), or all lie on one side of both thresholds.

    Examples
    --------
    >>> sign = meaning_of({"yes": 1, "no": 0, "?": None}).sign
    >>> sign("yes"), sign("?")
    (1, None)
    >>> sign("maybe")
    Traceback (most recent call last):
    ValueError: label 'maybe' is not one of yes, no, ?
    >>> scores = ["4.5", "3.5", "3.4"]
    >>> [meaning_of((3.5, 4.5), scores).sign(score) for score in scores]
    [1, None, 0]
    >>> [meaning_of((10, 5), ["3", "7", "12"]).sign(distance) for distance in ("3", "7", "12")]
    [1, None, 0]
    """
    if isinstance(labels, dict):
        return Meaning(_by_map(labels))
    numbers = isinstance(labels, tuple | list) and all(isinstance(x, int | float) for x in labels)
    if not numbers or len(labels) != 2:
        raise PairsError(f"{option('labels')}: {labels!r} is neither a dict nor two thresholds")
    low, high = labels
    scores = numbers_of(values, votes)
    least, most = min(scores.values(), default=0), max(scores.values(), default=0)
    if whole and least < most and (most < min(labels) or least > max(labels)):
        side = "below" if most < min(labels) else "above"
        raise ValueError(
            f"all numbers, {least:g} to {most:g}, lie {side} both thresholds, {low:g} and {high:g}; "
            "say them on the scale of the column"
        )

    def by_thresholds(text: str) -> int | None:
        score = scores.get(text)
        if score is None:
            raise ValueError(f"label {text!r} is not a number")
        if low <= high:
            return 1 if score >= high else 0 if score < low else None
        return 1 if score <= high else 0 if score > low else None

    bracketed = any(BRACKETED.fullmatch(value.strip()) for value in scores)
    return Meaning(by_thresholds, scores, votes or (VOTES[0] if bracketed else None))


def _by_map(labels: dict) -> Callable[[str], int | None]:
    signs = {}
    for key, sign in labels.items():
        if sign is not None and sign not in (0, 1):
            raise PairsError(f"{option('labels')} maps {label_text(key)!r} to {sign!r}; a sign is 1, 0 or None")
        if signs.setdefault(label_text(key), sign) != sign:
            raise PairsError(f"{option('labels')} maps {label_text(key)!r} to two signs")

    for word, digit in (("true", "1"), ("false", "0")):  # a table holds the one, and shows the other
        if word in signs:
            signs.setdefault(digit, signs[word])

    def by_map(text: str) -> int | None:
        label = label_text(text)
        if label not in signs:
            raise ValueError(f"label {text!r} is not one of {', '.join(signs)}{did_you_mean(label, signs)}")
        return signs[label]

    return by_map
