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

HIGH = 36  #: pixels of a box
PAD = 9  #: pixels around its text, and between boxes of a group
GAP = 30  #: pixels between groups
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
    if order is None:
        order = range(len(texts))
    order = list(order)
    if gloss is None:
        gloss = ["" for _ in texts]
    gloss = list(gloss)
    if len(gloss) != len(texts):
        raise PairsError(f"gloss {gloss} is not one text for each of {'|'.join(texts)}")
    arcs, walls = broken(parse, order)
    breaks = []
    for i, to in arcs:
        how = "is cut off from" if order.index(i) < order.index(to) else "stands behind"
        breaks.append(f"“{texts[i]}” {how} “{texts[to]}”")
    breaks += [f"“{texts[wall]}” has lost its place" for wall in walls]
    sentence = "".join(texts[i] for i in order)
    summary = f"{sentence} keeps all dependencies"
    if breaks:
        summary = f"{sentence} breaks: {'; '.join(breaks)}"
    return PhrasePicture(_svg(parse, order, gloss, arcs, walls), summary)


def _svg(parse: Parse, order: list[int], gloss: list[str], arcs: Any, passed: Any) -> str:
    texts = parse.phrases
    ways = orders(parse)
    units = _units(ways.groups, order)
    starts = [order.index(unit[0]) for unit in units]
    starts.append(len(order))
    x = 0.0
    left = {}
    right = {}
    slots = []
    for at, i in enumerate(order):
        left[i] = x + (GAP if at in starts else PAD)
        slots.append((x + left[i]) / 2)
        of_text = 8.5 * columns(texts[i])
        wide = max(of_text, 6.6 * columns(gloss[i]))
        x = right[i] = left[i] + wide + 2 * PAD
    slots.append(x + GAP / 2)
    middle = {i: (left[i] + right[i]) / 2 for i in order}
    shapes = []

    def add(tag: str, kind: str, text: str = "", **given: Any) -> None:
        marks = ""
        for name, value in {"class": kind, **given}.items():
            marks += f' {name}="{escape(oneline(str(value)))}"'
        shapes.append(f"<{tag}{marks}>{escape(oneline(text))}</{tag}>")

    def add_line(kind: str, line: Any, breaks: bool = False) -> None:
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in line)
        add("polyline", f"{kind} breaks" if breaks else kind, points=points)

    def add_box(kind: str, first: int, last: int, by: int) -> None:
        begin = left[first] - by
        width = right[last] + by - begin
        height = HIGH + 2 * by
        add("rect", kind, x=begin, y=-by, width=width, height=height, rx=5)

    pinned = {ways.groups[wall][-1] for wall in ways.walls}
    ends = {slots[0], slots[-1]}
    for k, unit in enumerate(units):
        if len(unit) > 1:
            add_box("group", unit[0], unit[-1], PAD - 2)
        for i in unit:
            add_box("phrase", i, i, 0)
            language = "ja" if JAPANESE.search(texts[i]) else ""
            add("text", "phrase-text", texts[i], x=middle[i], y=24, lang=language)
            add("text", "gloss", gloss[i], x=middle[i], y=HIGH + 26)
        last = unit[-1]
        if last in pinned:
            begin = right[last] - 4
            add_line("pin", [(begin + a, b) for a, b in PIN])
            before = slots[starts[k]]
            behind = slots[starts[k + 1]]
            for x in {before, behind} - ends:
                wall = [(x, -14), (x, HIGH + 14)]
                add_line("wall", wall, last in passed)
    links = {*arcs, *enumerate(parse.heads)}
    for i, head in sorted(links):
        if head in (-1, i):
            continue
        way = 7 if middle[head] > middle[i] else -7
        far = abs(order.index(head) - order.index(i))
        high = 12 + 20 * sqrt(far)
        bow = _arc(middle[i] + way, middle[head] - way, high)
        add_line("arc", bow, (i, head) in arcs)
    top = 28 + 20 * sqrt(len(order))
    width = slots[-1] + GAP / 2
    height = top + HIGH + 34
    box = f'width="{width}" height="{height}" viewBox="0 {-top} {width} {height}"'
    style = f"<style>{escape(CSS)}</style>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{style}{"".join(shapes)}</svg>'


def _units(groups: Sequence[tuple[int, ...]], order: list[int]) -> list[tuple[int, ...]]:
    """The groups that stand together in the order, and the single phrases of the others."""
    units = []
    for group in groups:
        at = order.index(group[0])
        if order[at : at + len(group)] == [*group]:
            units.append(group)
        else:
            units += [(i,) for i in group]
    units.sort(key=lambda unit: order.index(unit[0]))
    return units


def _arc(begin: float, end: float, high: float) -> list[tuple[float, float]]:
    """The points of half an ellipse from begin to end, and of the arrowhead there."""
    middle = (begin + end) / 2
    half = end - middle
    points = []
    for step in range(25):
        turn = step * pi / 24
        across = middle - half * cos(turn)
        points.append((across, -3 - high * sin(turn)))
    points += [(end - 4, -9), (end, -2), (end + 4, -9)]
    return points
