"""The style of pictures: colours, dashes and weights, faces, and sentences on one line or wrapped."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from .shared import LIGHT

__all__ = [
    "CONFLICT", "HALO", "INK", "LINES", "NEGATIVE", "PAPER", "POSITIVE", "QUIET", "Line",
    "columns", "drawable", "families", "line", "oneline", "point_width", "shorten", "wrap",
]  # fmt: skip

POSITIVE = LIGHT["positive"]
NEGATIVE = LIGHT["negative"]
HALO = LIGHT["halo"]  # behind labels that contradict each other
CONFLICT = LIGHT["conflict"]  # its tint, inside the sentences such a label joins
INK = LIGHT["ink"]
QUIET = LIGHT["quiet"]
PAPER = LIGHT["paper"]


class Line(NamedTuple):
    """An edge as drawn: sign by colour *and* dash, stated against inferred by weight, conflicts by a halo."""

    name: str
    color: str
    width: float
    dashes: tuple[int, int] | None = None  #: on, off in points; None is a solid line
    halo: bool = False


LINES = {
    (1, False, False): Line("paraphrase, stated", POSITIVE, 2.6),
    (-1, False, False): Line("not a paraphrase, stated", NEGATIVE, 2.6, (7, 4)),
    (1, True, False): Line("paraphrase, inferred", POSITIVE, 0.9),
    (-1, True, False): Line("not a paraphrase, inferred", NEGATIVE, 0.9, (3, 3)),
    (1, False, True): Line("stated both ways: 1 by majority", POSITIVE, 2.6, None, True),
    (-1, False, True): Line("not a paraphrase, in conflict", NEGATIVE, 2.6, (7, 4), True),
}


def line(sign: int, inferred: bool = False, conflict: bool = False) -> Line:
    """The line of an edge.

    >>> line(-1).name, line(-1).dashes
    ('not a paraphrase, stated', (7, 4))
    >>> line(+1).width > line(+1, inferred=True).width
    True
    """
    return LINES[sign, inferred, conflict]


# Fonts in order of preference, if installed: a Latin font, then fonts for the characters it lacks.
FACES = [
    "DejaVu Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "Hiragino Sans", "PingFang SC", "Yu Gothic",
    "Microsoft YaHei", "Malgun Gothic", "Noto Sans Arabic", "Noto Sans Devanagari", "Noto Emoji",
    "Segoe UI Symbol", "Arial Unicode MS",
]  # fmt: skip


def oneline(text: str) -> str:
    """The sentence with white space and control characters shown as single spaces.

    >>> oneline("two\\nlines\\tand\\x00more")
    'two lines and more'
    """
    if not text.isprintable():  # most are, and then hold no such character
        control = {c for c in text if unicodedata.category(c) in ("Cc", "Cs")}
        text = text.translate({ord(c): " " for c in control})
    return " ".join(text.split())


def columns(text: str) -> int:
    """Width in columns of half an em, as a terminal counts: wide East Asian characters and emoji take two.

    >>> columns("cat"), columns("ネコ")
    (3, 4)
    """
    if text.isascii():  # most are, and a layout asks often
        return len(text)
    seen = [c for c in text if not unicodedata.combining(c)]
    wide = [c for c in seen if unicodedata.east_asian_width(c) in "WF"]
    return len(seen) + len(wide)


def wrap(text: str, width: float, measure: Callable[[str], float] = columns) -> list[str]:
    """Lines no wider than `width` as `measure` sees them; words that are too long are broken.

    >>> wrap("How do I boil an egg?", 10)
    ['How do I', 'boil an', 'egg?']
    >>> wrap("Donaudampfschiff ahoi", 8)
    ['Donaudam', 'pfschiff', 'ahoi']
    """
    lines = [""]
    for word in oneline(text).split():
        longer = f"{lines[-1]} {word}".lstrip()
        if measure(longer) <= width:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        while measure(word) > width and len(word) > 1:
            fits = max(1, _longest_prefix(word, width, measure))
            lines[-1:] = [word[:fits], ""]
            word = word[fits:]
        lines[-1] = word
    return lines


def _longest_prefix(word: str, width: float, measure: Callable[[str], float]) -> int:
    lengths = range(1, len(word) + 1)
    return bisect_right(lengths, width, key=lambda n: measure(word[:n]))


def shorten(text: str, width: int) -> str:
    """The first `width` columns, with an ellipsis if something was left out.

    >>> shorten("How do I boil an egg?", 12)
    'How do I boi…'
    """
    lines = wrap(text, width)
    if len(lines) == 1:
        return lines[0]
    text = oneline(text)
    return text[: _longest_prefix(text, width, columns)].rstrip() + "…"


@cache
def families() -> tuple[str, ...]:
    """The installed fonts for matplotlib's `family`, best first; matplotlib would warn about a missing one."""
    from matplotlib import font_manager

    installed = set(font_manager.get_font_names())
    return tuple(face for face in FACES if face in installed) or ("sans-serif",)


@cache
def _glyphs() -> frozenset[str]:
    from matplotlib import font_manager as fonts

    known: set[str] = set()
    for face in families():
        path = fonts.findfont(fonts.FontProperties(family=face))
        font = fonts.get_font(path)
        known.update(map(chr, font.get_charmap()))
    return frozenset(known)


def drawable(text: str) -> str:
    """The sentence with a box for each character that no installed font can draw, such as a colour emoji.

    Joiners and direction marks, which show nothing, are left out: of some, matplotlib makes no PDF.
    """
    shown = ""
    for c in oneline(text):
        if unicodedata.category(c) == "Cf":
            continue
        if not c.isascii() and c not in _glyphs():
            c = "□"
        shown += c
    return shown


@cache
def point_width(size: float) -> Callable[[str], float]:
    """A measure for `wrap`: the width in points of text drawn by matplotlib at `size` points.

    Adds up characters, without kerning: each is measured once, whereas matplotlib would lay out every line again.
    """
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    to_path = TextToPath()
    properties = FontProperties(family=families(), size=size)

    def ink(text: str) -> float:
        return to_path.get_text_width_height_descent(text, properties, ismath=False)[0]

    between = ink("nn")

    @cache
    def advance(character: str) -> float:
        if character not in _glyphs():
            character = "W"  # it would complain of the others
        return ink(f"n{character}n") - between  # of a space alone there is no ink

    return lambda text: sum(map(advance, text))
