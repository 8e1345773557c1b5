"""A still picture of a sentence whose phrases change places: groups, dependencies, and those that an order breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import cos, pi, sin, sqrt
from typing import Any

from ...draw.page import svg_image
from ...draw.style import columns, oneline
from ...files import PairsError
from .orders import broken, orders
from .parse import JAPANESE, Parse

__all__ = ["PhrasePicture", "draw_phrases"]

HIGH, PAD, GAP = 36, 9, 30  # pixels: of a box, around its text and inside a group, between groups
PIN = [(0, 5), (0, -3), (-5, -3), (-2, -6), (-4, -13), (4, -13), (2, -6), (5, -3), (0, -3)]
CSS = """svg { background: #fff; font: 14px "Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic", sans-serif }
rect { fill: #fff; stroke: #1d2329 } .group { stroke: #59626b; stroke-dasharray: 3 2 } text { text-anchor: middle }
.phrase-text { font-size: 17px } .gloss { font-size: 12px; fill: #59626b } .pin { fill: #1d2329; stroke: #1d2329 }
.arc { fill: none; stroke: #0065a0; stroke-width: 1.4 } .wall { stroke: #1d2329; stroke-width: 3 }
.breaks { stroke: #a54100; stroke-width: 2.5; stroke-dasharray: 7 4 }"""


@dataclass(frozen=True)
class PhrasePicture:
    """A picture that shows itself in a notebook: SVG, in which all text is escaped, and what the order does."""

    svg: str
    said: str

    def _repr_html_(self) -> str:
        return f"{svg_image(self.svg, self.said)}<p>{escape(oneline(self.said))}</p>"


def draw_phrases(
    parse: Parse, order: Sequence[int] | None = None, gloss: Sequence[str] | None = None
) -> PhrasePicture:
    """Draw the phrases of a sentence in an order (default: as written), with what that order breaks.

    Each arc leads from a phrase to what it depends on; groups that may change places stand in dashed frames; a pin
    holds its group in place. Broken arcs and walls that are passed are dashed (see `orders.broken`).

    Parameters
    ----------
    order : sequence of int, optional
        Where in the sentence each phrase stood.
    gloss : sequence of str, optional
        What stands under each phrase.

    Raises
    ------
    PairsError
        `order` does not name each phrase once; `gloss` is not one text for each.

    Examples
    --------
    >>> cup = Parse("猫が机で寝ている", ("猫が", "机で", "寝ている"), (2, 2, -1))
    >>> draw_phrases(cup, [0, 2, 1], ["cat", "on the desk", "sleeps"]).said
    '猫が寝ている机で breaks: “机で” stands behind “寝ている”; “寝ている” has lost its place'
    """
    texts = parse.phrases
    order = [*range(len(texts))] if order is None else list(order)
    gloss = [""] * len(texts) if gloss is None else list(gloss)
    if len(gloss) != len(texts):
        raise PairsError(f"gloss {gloss} is not one text for each of {'|'.join(texts)}")
    arcs, walls = broken(parse, order)
    how = ("stands behind", "is cut off from")
    said = [f"“{texts[i]}” {how[order.index(i) < order.index(to)]} “{texts[to]}”" for i, to in arcs]
    said += [f"“{texts[wall]}” has lost its place" for wall in walls]
    sentence = "".join(texts[i] for i in order)
    told = f"{sentence} breaks: {'; '.join(said)}" if said else f"{sentence} keeps all dependencies"
    return PhrasePicture(_svg(parse, order, gloss, arcs, walls), told)


def _svg(parse: Parse, order: list[int], gloss: list[str], arcs: Any, passed: Any) -> str:
    """Return boxes of phrases and groups, their text, and arcs above them, as SVG; 0 is where the boxes begin."""
    texts, ways, units, shapes = parse.phrases, orders(parse), [], []
    for group in ways.groups:  # whole, or its phrases
        at = order.index(group[0])
        units += [group] if order[at : at + len(group)] == [*group] else [(i,) for i in group]
    units.sort(key=lambda unit: order.index(unit[0]))
    starts = [*(order.index(unit[0]) for unit in units), len(order)]
    x, top, left, right, slots = 0.0, 28 + 20 * sqrt(len(order)), {}, {}, []
    for at, i in enumerate(order):
        left[i] = x + (GAP if at in starts else PAD)
        slots.append((x + left[i]) / 2)
        x = right[i] = left[i] + max(8.5 * columns(texts[i]), 6.6 * columns(gloss[i])) + 2 * PAD
    slots, middle = [*slots, x + GAP / 2], {i: (left[i] + right[i]) / 2 for i in order}

    def add(tag: str, kind: str, text: str = "", line: Any = None, **given: Any) -> None:
        given |= {"points": " ".join(f"{a:.1f},{b:.1f}" for a, b in line)} if line else {}
        marks = "".join(
            f' {name}="{escape(oneline(str(value)))}"' for name, value in {"class": kind, **given}.items()
        )
        shapes.append(f"<{tag}{marks}>{escape(oneline(text))}</{tag}>")

    for k, unit in enumerate(units):
        for one, by in [(unit, PAD - 2)] * (len(unit) > 1) + [((i,), 0) for i in unit]:
            a, b = left[one[0]] - by, right[one[-1]] + by
            add("rect", "group" if by else "phrase", x=a, y=-by, width=b - a, height=HIGH + 2 * by, rx=5)
        for i in unit:
            add("text", "phrase-text", texts[i], x=middle[i], y=24, lang="ja" if JAPANESE.search(texts[i]) else "")
            add("text", "gloss", gloss[i], x=middle[i], y=HIGH + 26)
        if unit[-1] in {ways.groups[wall][-1] for wall in ways.walls}:
            add("polyline", "pin", line=[(right[unit[-1]] - 4 + a, b) for a, b in PIN])
            for x in {slots[starts[k]], slots[starts[k + 1]]} - {slots[0], slots[-1]}:
                add("polyline", "wall" + " breaks" * (unit[-1] in passed), line=[(x, -14), (x, HIGH + 14)])
    heads = {(i, head) for i, head in enumerate(parse.heads) if head not in (-1, i)}
    for i, head in sorted(heads | {*arcs}):
        way, far = (7 if middle[head] > middle[i] else -7), abs(order.index(head) - order.index(i))
        a, b, high = middle[i] + way, middle[head] - way, 12 + 20 * sqrt(far)
        bow = [((a + b - (b - a) * cos(t * pi / 24)) / 2, -3 - high * sin(t * pi / 24)) for t in range(25)]
        add("polyline", "arc" + " breaks" * ((i, head) in arcs), "", [*bow, (b - 4, -9), (b, -2), (b + 4, -9)])
    width, height = slots[-1] + GAP / 2, top + HIGH + 34
    box = f'width="{width}" height="{height}" viewBox="0 {-top} {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}><style>{escape(CSS)}</style>{"".join(shapes)}</svg>'
