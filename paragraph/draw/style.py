"""The style of signed graphs: one set of colours, dashes and weights for every picture."""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "CAMPS", "CONFLICT", "HALO", "INK", "LINES", "NEGATIVE", "PAPER", "POSITIVE", "QUIET", "RAMP", "Line", "line",
]  # fmt: skip

# Okabe and Ito (2008), "Color universal design": distinct with every common kind of colour blindness.
POSITIVE = "#0072B2"  # blue
NEGATIVE = "#D55E00"  # vermillion
HALO = "#F0E442"  # yellow, behind labels that contradict each other
CONFLICT = "#FFF6A8"  # its tint, inside the sentences such a label joins
INK = "#1D2329"
QUIET = "#59626B"
PAPER = "#FFFFFF"
#: Of camps, inside nodes: tints of blue, orange, green, pink, grey, violet, brown; yellow means a contradiction.
CAMPS = ("#BBDFF6", "#F7D99A", "#A5DCCB", "#EBCADD", "#D3D7DB", "#C9C2EA", "#DDC3AC")
#: Numbers from low to high; each colour can be seen on white and on black.
RAMP = ("#9AA3AB", "#E69F00", "#C03A00")


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


#: The width of an inferred line for probabilities below each value that its label is right.
SURE = {0.5: 0.45, 0.7: 0.6, 0.9: 0.8, 1.0: 0.99}


def line(sign: int, inferred: bool = False, conflict: bool = False, right: float | None = None) -> Line:
    """The line of an edge; the more probably an inferred one is `right`, the wider.

    >>> line(-1).name, line(-1).dashes
    ('not a paraphrase, stated', (7, 4))
    >>> line(+1).width > line(+1, inferred=True).width
    True
    >>> [line(+1, inferred=True, right=right).width for right in (0.3, 0.75, 1)]
    [0.45, 0.8, 0.99]
    """
    found = LINES[sign, inferred, conflict]
    if right is None:
        return found
    return found._replace(width=next((width for most, width in SURE.items() if right < most), SURE[1.0]))
