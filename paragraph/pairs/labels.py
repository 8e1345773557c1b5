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

#: The meaning of labels in a documented layout; words may be in upper or lower case.
ZERO_ONE = {"0": 0, "1": 1}
KNOWN = {"yes": 1, "no": 0, "true": 1, "false": 0}
SHARE = re.compile(r"\s*(\d+)\s*/\s*(\d+)\s*", re.ASCII)
NUMBER = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d{1,3})?", re.ASCII)
#: A number whose comma or point may separate thousands: 1,200 or 1.200.
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)
#: Two counts in brackets, as a tool or Python writes a pair.
VOTES = re.compile(r"\s*[(\[]\s*\d+\s*[,;]\s*\d+\s*[)\]]\s*", re.ASCII)
#: The words that a table shows for Python's True and False, and the label that they become.
BOOLEANS = {"true": "1", "false": "0"}


def label_text(value: Any) -> str:
    """Return a label as the text that is compared: without outer white space; 1, 1.0, "1.0", True and [1] are "1"."""
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
    """The numbers among the labels of one column, by label; ``4/6`` becomes a share, ``12 %`` becomes .12.

    ValueError if the column can be read in two ways: it has two decimal signs, or one that may separate thousands, or
    numbers with and without ``%``. Labels that the source holds `as_numbers` have one decimal sign: no check is made.

    >>> numbers_of(["3.5", "x", "4/6", "1e999"]), numbers_of(["3,5", "4"])
    ({'4/6': 0.6666666666666666, '3.5': 3.5}, {'3,5': 3.5, '4': 4.0})
    >>> numbers_of(["1,200", "950.5"])
    Traceback (most recent call last):
    ValueError: '1,200' beside '950.5' can be 1.2 or 1200; write all numbers with one decimal sign and no other
    """
    numerals = {}
    numbers = {}
    for label in values:
        numeral = label.removesuffix("%").strip()
        share = SHARE.fullmatch(label)
        if NUMBER.fullmatch(numeral):
            numerals[label] = numeral
        elif share and 0 < int(share[2]) >= int(share[1]):
            numbers[label] = int(share[1]) / int(share[2])
    percents = [label for label in numerals if label.endswith("%")]
    plain = [label for label in numerals if not label.endswith("%")]
    if percents and plain:
        raise ValueError(
            f"{percents[0]!r} beside {plain[0]!r} are two scales; write all numbers on one"
        )
    if not as_numbers:
        _check_decimal_signs([*numerals.values()])
    for label, numeral in numerals.items():
        numbers[label] = float(numeral.replace(",", "."))
        if percents:
            numbers[label] /= 100
    return {label: number for label, number in numbers.items() if math.isfinite(number)}


def _check_decimal_signs(numerals: list[str]) -> None:
    """Refuse the numbers of a column if a comma or point in them may be a decimal sign or separate thousands."""
    marked = [numeral for numeral in numerals if re.search("[.,]", numeral)]
    unclear = [numeral for numeral in marked if THOUSANDS.fullmatch(numeral)]
    first = (unclear or marked or [""])[0]
    rivals = [numeral for numeral in marked if ("," in numeral) != ("," in first)]
    if not rivals and len(unclear) == len(marked):
        whole = [numeral for numeral in numerals if numeral not in marked]
        rivals = [numeral for numeral in whole if len(numeral.lstrip("+-")) > 2]
        if "," in first:
            rivals.append("no other decimals")
    if first and rivals:
        small = float(first.replace(",", "."))
        large = re.sub("[.,]", "", first)
        raise ValueError(
            f"{first!r} beside {rivals[0]!r} can be {small:g} or {large}; write all numbers with one decimal sign "
            "and no other"
        )


def listed(counts: Counter, most: int = 8) -> str:
    """The commonest labels with their counts, in words."""
    shown = ", ".join(f"{label[:40]!r} {n:,}" for label, n in counts.most_common(most))
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
    """The meaning of labels by a map from label to 1, 0 or None, or by two thresholds.

    With thresholds (low, high), `high` or more is positive, below `low` is negative, and the rest has no sign. With
    the larger one first, the number is a distance: the second or less is positive, more than the first is negative.
    `values` are the labels of the column, and `whole` says that these are all of them: ValueError if they can be read
    in two ways (`numbers_of`), or if all lie on one side of both thresholds. `words` are labels that have a meaning
    beside the numbers. `as_numbers` as in `numbers_of`.

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
    is_pair = isinstance(labels, tuple | list) and len(labels) == 2
    if not is_pair or not all(isinstance(bound, int | float) for bound in labels):
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
        turn = -1 if low > high else 1  # of distances, small ones are positive
        score = scores[text] * turn
        if score >= high * turn:
            return 1
        if score < low * turn:
            return 0
        return None

    return Meaning(by_thresholds, scores)


def _check_scale(scores: dict[str, float], labels: Any) -> None:
    """Refuse thresholds that all numbers of a column lie above, or below."""
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
    """A function from a label to its sign in a map."""
    signs = {}
    for key, sign in labels.items():
        label = label_text(key)
        if sign is not None and sign not in (0, 1):
            raise PairsError(
                f"{option('labels')} maps {label!r} to {sign!r}; a sign is 1, 0 or None"
            )
        if signs.setdefault(label, sign) != sign:
            raise PairsError(f"{option('labels')} maps {label!r} to two signs")
    for word, digit in BOOLEANS.items():
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
