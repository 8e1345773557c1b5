"""The numbers of a text as they are written, and the signs that change what they mean."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["decimals", "digit_runs", "signs_of"]


def decimals(text: str) -> set[str]:
    """The numbers of a text that a point or comma divides, but not before thousands."""
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    return set(re.findall(r"\d+(?:[.,]\d+)+", text))


def signs_of(text: str) -> set[str]:
    """The signs that carry meaning: of money, of mathematics, per cent; a minus only before a number."""
    found = set(re.findall(r"(?<![\w.,)])[-−](?=[.,]?\d)", text))
    if found:
        found = {"-"}
    signs = {sign for sign in text if unicodedata.category(sign) in ("Sc", "Sm") or sign in "%‰°"}
    return found | (signs - {"−"})


def digit_runs(text: str) -> list[str]:
    """The runs of digits of a text in order, without leading zeros."""
    return [run.lstrip("0") or "0" for run in re.findall(r"\d+", text)]
