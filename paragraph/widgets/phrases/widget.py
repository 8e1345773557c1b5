"""A sentence whose phrases change places: what may be said, what sounds odd, and which dependency breaks."""

from __future__ import annotations

from html import escape
from math import cos, pi, sin, sqrt
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from IPython.display import display

from ...draw.lettering import columns, oneline
from ...draw.page import shared_script, svg_image
from ...pairs import PairsError
from ...pairs.parses import Parses
from ...pairs.shuffling import phrase_orders
from ...words.breaks import verdict
from ...words.japanese import JAPANESE
from ...words.orders import Parse
from ..bench.widget import Refused

__all__ = ["PhraseShuffler"]

ESM, CSS = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("row.js", "style.css"))
SAID = {
    "allowed": "Allowed", "breaks": "This breaks the sentence",
    "awkward": "Awkward: every dependency holds, but few would say so",
}  # fmt: skip
HIGH, PAD, GAP = 36, 9, 36  # pixels: of a box, around its text and inside a group, between groups
PIN = [(0, 5), (0, -3), (-5, -3), (-2, -6), (-4, -13), (4, -13), (2, -6), (5, -3), (0, -3)]
NUMBERED = 5_040  # orders among which one that was made by hand is looked up


class PhraseShuffler(anywidget.AnyWidget):
    """Put the phrases of a sentence in another order, and see what that does to it.

    Click a phrase, or the frame of a group, and then its new place; or drag it there; or move what has the focus with
    ``←`` and ``→``. The order is *allowed* (by the rule "strict"), *awkward* (by "paper" alone) or *breaks* what is
    marked then: see `paragraph.words.breaks.verdict`. ``n`` is the next order, ``r`` the sentence again.

    Parameters
    ----------
    sentence, rule, parses
        As of `phrase_orders`, with a rule that keeps dependencies: "strict" or "paper".
    gloss : list of str, optional
        What stands under each phrase.

    Examples
    --------
    >>> cup = Parse("猫が机で寝ている", ("猫が", "机で", "寝ている"), (2, 2, -1))
    >>> shuffler = PhraseShuffler(cup, gloss=["cat", "on the desk", "sleeps"])  # shows itself at a cell's end
    >>> shuffler.order = [0, 2, 1]
    >>> shuffler.picture["said"]
    'This breaks the sentence: “机で” stands behind “寝ている”; “寝ている” has lost its place.'
    """

    _esm, _css, _twin = f"{shared_script()}\n{ESM}", CSS, None
    order = traitlets.List(traitlets.Int()).tag(sync=True)  #: where in the sentence each phrase stood
    picture = traitlets.Dict().tag(sync=True)  #: shapes of SVG, the box around them, and what is said

    def __init__(self, sentence: str | Parse, rule: str = "strict", parses: Parses | None = None, gloss: Any = None):
        if rule not in ("strict", "paper"):
            raise PairsError(f"rule={rule!r} is not one of 'strict', 'paper'")
        self.parse = sentence if isinstance(sentence, Parse) else (parses or Parses()).of([sentence])[0]
        self.orders, self.rule, self._number = phrase_orders(self.parse, rule), rule, 0
        self.gloss = [""] * len(self.parse.phrases) if gloss is None else list(gloss)
        if len(self.gloss) != len(self.parse.phrases) or not all(isinstance(one, str) for one in self.gloss):
            raise PairsError(f"gloss {self.gloss} is not one text for each of {'|'.join(self.parse.phrases)}")
        super().__init__(order=[*range(len(self.gloss))])
        self.on_msg(lambda *_: self.next())

    def next(self) -> None:
        """Show the next of the orders; after the last the sentence itself."""
        self.order = [*self.orders[(self._number + 1) % self.orders.count]]

    def still(self) -> str:
        """What is on screen as SVG; all text is escaped."""
        (x, y, width, height), lines = self.picture["box"], [self.picture["said"], self.picture["counted"]]
        words = [("text", {"x": 8, "y": y + height + 14 + 20 * k}, line) for k, line in enumerate(lines)]
        width, height, parts = max([width, *(8 * columns(line) for line in lines)]), height + 48, []
        for tag, attributes, text in self.picture["shapes"] + words:
            given = "".join(f' {name}="{escape(oneline(str(value)))}"' for name, value in attributes.items())
            parts.append(f"<{tag}{given}>{escape(oneline(text))}</{tag}>")
        head = f'<svg xmlns="http://www.w3.org/2000/svg" class="pg-phrases" width="{width}" height="{height}"'
        return f'{head} viewBox="{x} {y} {width} {height}"><style>{CSS}</style>{"".join(parts)}</svg>'

    @traitlets.validate("order")
    def _check_order(self, proposal: dict[str, Any]) -> list[int]:
        try:
            self.verdict = verdict(self.parse, proposal["value"])
        except ValueError as error:
            raise Refused(str(error)) from None
        return proposal["value"]

    @traitlets.observe("order")
    def _follow(self, _: Any) -> None:
        """Show the order, and what it does."""
        self.text, found, count, number = (
            self.orders.text(self.order),
            self.verdict,
            self.orders.count,
            "none of them",
        )
        if found.word == "allowed" or (found.word, self.rule) == ("awkward", "paper"):
            near = (k % count for k in range(self._number, self._number + min(count, NUMBERED)))
            self._number = next((k for k in near if self.orders.text(self.orders[k]) == self.text), self._number)
            number = f"order {self._number + 1:,}"
        phrases, place = self.parse.phrases, self.order.index
        how = {i: "is cut off from" if place(i) < place(head) else "stands behind" for i, head in found.arcs}
        said = [f"“{phrases[i]}” {how[i]} “{phrases[head]}”" for i, head in found.arcs]
        said += [f"“{phrases[wall]}” has lost its place" for wall in found.walls]
        self.picture = self._drawn() | {
            "said": f"{SAID[found.word]}{': ' * bool(said)}{'; '.join(said)}.", "word": found.word,
            "counted": f"{count:,} order{'s' * (count > 1)}; {number}",
        }  # fmt: skip
        if self._twin is not None:
            self._twin.update(self._twin_bundle(), raw=True)

    def _drawn(self) -> dict[str, Any]:
        """All shapes (tag, attributes, text), and the box around them; 0 is where boxes of phrases begin."""
        order, found, phrases, units = self.order, self.verdict, self.parse.phrases, []
        for group in self.orders.groups:  # whole, or its phrases
            at = order.index(group[0])
            units += [group] if order[at : at + len(group)] == [*group] else [(i,) for i in group]
        units.sort(key=lambda unit: order.index(unit[0]))
        starts = [*(order.index(unit[0]) for unit in units), len(order)]
        x, top, left, right, slots, shapes = 0.0, 0.0, {}, {}, [], []
        for at, i in enumerate(order):
            gap = GAP if at in starts else PAD
            slots.append(x + gap / 2)
            left[i] = x + gap
            x = right[i] = left[i] + max(8.5 * columns(phrases[i]), 6.6 * columns(self.gloss[i])) + 2 * PAD
        slots, middle = [*slots, x + GAP / 2], {i: (left[i] + right[i]) / 2 for i in order}

        def box(kind: str, unit: tuple[int, ...], by: int, before: int, after: int) -> None:
            a, b = left[unit[0]] - by, right[unit[-1]] + by
            use = {
                "data-key": " ".join(map(str, unit)),
                "data-before": max(0, before),
                "data-after": after,
                "tabindex": 0,
            }
            use = use | {"role": "option", "aria-label": "".join(phrases[i] for i in unit)}
            place = {"class": kind, "x": a, "y": -by, "width": b - a, "height": HIGH + 2 * by, "rx": 5}
            shapes.append(("rect", place | (use if len(order) - 1 not in unit else {}), ""))

        def line(kind: str, points: list[tuple[float, float]], marked: bool = False) -> None:
            kind += f" pg-is-{found.word}" * marked
            shapes.append(
                ("polyline", {"class": kind, "points": " ".join(f"{a:.1f},{b:.1f}" for a, b in points)}, "")
            )

        for k, unit in enumerate(units):
            past = starts[max(0, k - 1)], starts[min(k + 2, len(units))]
            if len(unit) > 1:
                box("pg-group", unit, PAD - 2, *past)
            for at, i in enumerate(unit, starts[k]):
                box("pg-phrase", (i,), 0, *(past if len(unit) == 1 else (at - 1, at + 2)))
                for kind, y, text in (("pg-text", 24, phrases[i]), ("pg-gloss", HIGH + 26, self.gloss[i])):
                    lang = "ja" if JAPANESE.search(text) else ""
                    shapes.append(("text", {"class": kind, "x": middle[i], "y": y, "lang": lang}, text))
            if unit[-1] in {self.orders.groups[wall][-1] for wall in self.orders.walls}:
                line("pg-pin", [(right[unit[-1]] - 4 + a, b) for a, b in PIN])
                for at in {starts[k], starts[k + 1]} - {0, len(order)}:
                    line("pg-wall", [(slots[at], -14), (slots[at], HIGH + 14)], unit[-1] in found.walls)
        arcs = {(i, head) for i, head in enumerate(self.parse.heads) if head not in (-1, i)} | {*found.arcs}
        for i, head in sorted(arcs):
            way, far = (7 if middle[head] > middle[i] else -7), abs(order.index(head) - order.index(i))
            a, b, high = middle[i] + way, middle[head] - way, 12 + 20 * sqrt(far)
            bow = [((a + b - (b - a) * cos(t * pi / 24)) / 2, -3 - high * sin(t * pi / 24)) for t in range(25)]
            line("pg-arc", [*bow, (b - 4, -9), (b, -2), (b + 4, -9)], (i, head) in found.arcs)
            top = max(top, high)
        slot = {"class": "pg-slot", "y": -9, "width": 16, "height": HIGH + 18}
        shapes += [("rect", slot | {"x": x - 8, "data-slot": at}, "") for at, x in enumerate(slots)]
        return {"shapes": shapes, "box": [0, -top - 16, x + GAP, top + HIGH + 50]}

    def _twin_bundle(self) -> dict[str, str]:
        image = svg_image(self.still(), f"{self.text}. {self.picture['said']}")
        return {"text/html": f'<div class="pg-still">{image}</div>', "text/plain": f"<PhraseShuffler: {self.text}>"}

    def _ipython_display_(self) -> None:
        """The live picture and its still twin, which shows where no script runs."""
        live, metadata = self._repr_mimebundle_()
        live.pop("text/plain", None)  # on paper there is the twin
        display(live, metadata=metadata, raw=True)
        self._twin = display(self._twin_bundle(), raw=True, display_id=True)
