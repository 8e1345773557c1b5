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

__all__ = [
    "KNOWN",
    "ZERO_ONE",
    "Meaning",
    "is_number",
    "label_text",
    "listed",
    "meaning_of",
    "numbers_of",
]

#: What labels mean in a documented layout; words in upper or lower case.
ZERO_ONE = {"0": 0, "1": 1}
KNOWN = {"yes": 1, "no": 0, "true": 1, "false": 0}
SHARE = re.compile(r"\s*(\d+)\s*/\s*(\d+)\s*", re.ASCII)
NUMBER = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d{1,3})?", re.ASCII)
#: A number whose sign may part thousands: 1,200 or 1.200.
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)
#: Two counts in brackets, as a tool or Python writes a pair.
VOTES = re.compile(r"\s*[(\[]\s*\d+\s*[,;]\s*\d+\s*[)\]]\s*", re.ASCII)


def label_text(value: Any) -> str:
    """Spell a label as it is compared: text without outer white space; 1, 1.0, "1.0", True and [1] are "1"."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        value = int(value)
    text = normalize("NFC", str(value).strip())
    whole = re.fullmatch(r"([+-]?\d+)\.0+", text, re.ASCII)
    return whole[1] if whole else text


def is_number(label: str) -> bool:
    """True for a number, ``12 %`` or ``4/6``."""
    return bool(NUMBER.fullmatch(label.removesuffix("%").strip()) or SHARE.fullmatch(label))


def numbers_of(values: Iterable[str], as_numbers: bool | None = False) -> dict[str, float]:
    """The numbers among the labels of one column; ``4/6`` becomes a share, ``12 %`` becomes .12.

    ValueError says where a column can be read in two ways: two decimal signs, or a sign that may part thousands;
    numbers with and without ``%``. Those that a source holds `as_numbers` have one decimal sign.

    >>> numbers_of(["3.5", "x", "4/6", "1e999"]), numbers_of(["3,5", "4"])
    ({'4/6': 0.6666666666666666, '3.5': 3.5}, {'3,5': 3.5, '4': 4.0})
    >>> numbers_of(["1,200", "950.5"])
    Traceback (most recent call last):
    ValueError: '1,200' beside '950.5' can be 1.2 or 1200; write all numbers with one decimal sign and no other
    """
    numbers = {}
    found = {}
    for value in values:
        number = value.removesuffix("%").strip()
        share = SHARE.fullmatch(value)
        if NUMBER.fullmatch(number):
            numbers[value] = number
        elif share and 0 < int(share[2]) >= int(share[1]):
            found[value] = int(share[1]) / int(share[2])
    percents = [value for value in numbers if value.endswith("%")]
    plain = [value for value in numbers if not value.endswith("%")]
    if percents and plain:
        raise ValueError(
            f"{percents[0]!r} beside {plain[0]!r} are two scales; write all numbers on one"
        )
    if not as_numbers:
        _check_decimal_signs([*numbers.values()])
    for value, number in numbers.items():
        found[value] = float(number.replace(",", "."))
        if percents:
            found[value] /= 100
    return {value: number for value, number in found.items() if math.isfinite(number)}


def _check_decimal_signs(numbers: list[str]) -> None:
    """Refuse the numbers of a column if a sign in them may be a decimal sign, or part thousands."""
    marked = [number for number in numbers if re.search("[.,]", number)]
    unclear = [number for number in marked if THOUSANDS.fullmatch(number)]
    first = (unclear or marked or [""])[0]
    beside = [number for number in marked if ("," in number) != ("," in first)]
    if not beside and len(unclear) == len(marked):
        beside = [
            number for number in numbers if number not in marked and len(number.lstrip("+-")) > 2
        ]
        if "," in first:
            beside.append("no other decimals")
    if first and beside:
        small = float(first.replace(",", "."))
        large = re.sub("[.,]", "", first)
        raise ValueError(
            f"{first!r} beside {beside[0]!r} can be {small:g} or {large}; write all numbers with one decimal sign "
            "and no other"
        )


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
    #: The numbers that thresholds are compared with, by label; empty where labels are words.
    scores: dict[str, float]


def meaning_of(
    labels: Any,
    values: Iterable[str] = (),
    whole: bool = True,
    words: dict[str, int | None] | None = None,
    as_numbers: bool | None = False,
) -> Meaning:
    """The meaning of labels: a map from label to 1, 0 or None; or two thresholds.

    With thresholds (low, high), `high` or more is positive, below `low` negative, the rest without a sign. With the
    larger one first, the number is a distance: the second or less is positive, more than the first negative. The
    `values` are those of the column, all of them if it is `whole`: ValueError if they can be read in two ways
    (`numbers_of`), or all lie on one side of both thresholds. `words` have a meaning beside the numbers.
    `as_numbers` as in `numbers_of`.

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
        return Meaning(_by_map(labels), {})
    numbers = isinstance(labels, tuple | list) and all(
        isinstance(bound, int | float) for bound in labels
    )
    if not numbers or len(labels) != 2:
        raise PairsError(f"{option('labels')}: {labels!r} is neither a dict nor two thresholds")
    low, high = labels
    scores = numbers_of(values, as_numbers)
    if whole:
        _check_scale(scores, labels)

    def by_thresholds(text: str) -> int | None:
        if words and text in words:
            return words[text]
        if text not in scores:
            why = f"label {text!r} is not a number"
            if VOTES.fullmatch(text):
                why += ": for and against, or k of n? docs/layouts.md shows how pandas makes a share of it"
            raise ValueError(why)
        turn = -1 if low > high else 1
        score = scores[text] * turn
        if score >= high * turn:
            return 1
        if score < low * turn:
            return 0
        return None

    return Meaning(by_thresholds, scores)


def _check_scale(scores: dict[str, float], labels: Any) -> None:
    least = min(scores.values(), default=0)
    most = max(scores.values(), default=0)
    if least < most and (most < min(labels) or least > max(labels)):
        low, high = labels
        side = "above"
        if most < min(labels):
            side = "below"
        raise ValueError(
            f"all numbers, {least:g} to {most:g}, lie {side} both thresholds, {low:g} and {high:g}; "
            "say them on the scale of these numbers"
        )


def _by_map(labels: dict) -> Callable[[str], int | None]:
    signs = {}
    for key, sign in labels.items():
        label = label_text(key)
        if sign is not None and sign not in (0, 1):
            raise PairsError(
                f"{option('labels')} maps {label!r} to {sign!r}; a sign is 1, 0 or None"
            )
        if signs.setdefault(label, sign) != sign:
            raise PairsError(f"{option('labels')} maps {label!r} to two signs")

    for word, digit in (
        ("true", "1"),
        ("false", "0"),
    ):  # a table holds the one, and shows the other
        if word in signs:
            signs.setdefault(digit, signs[word])

    def by_map(text: str) -> int | None:
        label = label_text(text)
        if label not in signs:
            raise ValueError(
                f"label {text!r} is not one of {', '.join(signs)}{did_you_mean(label, signs)}"
            )
        return signs[label]

    return by_map
