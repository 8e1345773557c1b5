"""A sentence whose phrases change places: what may be said, what sounds odd, and which dependency breaks."""

from __future__ import annotations

from html import escape
from math import cos, pi, sin, sqrt
from pathlib import Path
from typing import Any

import traitlets

from ....draw.page import source, svg_image
from ....draw.text import columns, oneline
from ....pairs import PairsError
from ....widgets.base.keys import help_of
from ....widgets.base.live import LIVE_CSS, Live, Refused, script
from ....widgets.base.why import Plain
from ..orders import verdict
from ..parse import JAPANESE, Parse, Parses
from ..shuffle import phrase_orders

__all__ = ["PhraseShuffler"]

CSS = source(Path(__file__).with_name("style.css"))
HELP = help_of({"move": None, "step": None, "first": None, "back": "let go of a phrase"}, {}, "order", "orders")
SAID = {"allowed": "Allowed", "awkward": "Awkward, though all dependencies hold", "breaks": "This breaks"}
HIGH, PAD, GAP = 36, 9, 30  # pixels: of a box, around its text and inside a group, between groups
EXAMPLE = Parse("猫が机で寝ている", ("猫が", "机で", "寝ている"), (2, 2, -1)), ["cat", "on the desk", "sleeps"]
PIN = [(0, 5), (0, -3), (-5, -3), (-2, -6), (-4, -13), (4, -13), (2, -6), (5, -3), (0, -3)]


class PhraseShuffler(Live):
    """Put the phrases of a sentence in another order, and see what that does to it.

    Click a phrase, or the frame of a group, and then its new place; or drag it there; or move what has the focus with
    ``←`` and ``→``. The order is *allowed* (by the rule "strict"), *awkward* (by "paper" alone) or *breaks* what is
    marked then: see `orders.verdict`. ``↓`` is the next order, ``↑`` the one before, ``Home`` the
    sentence again.

    Parameters
    ----------
    sentence, rule, parses
        As of `phrase_orders`, with a rule that keeps dependencies: "strict" or "paper". No sentence: an example.
    gloss : list of str, optional
        What stands under each phrase.

    Examples
    --------
    >>> cup = Parse("猫が机で寝ている", ("猫が", "机で", "寝ている"), (2, 2, -1))
    >>> shuffler = PhraseShuffler(cup, gloss=["cat", "on the desk", "sleeps"])  # shows itself at a cell's end
    >>> shuffler.order = [0, 2, 1]
    >>> shuffler.picture["said"]
    'This breaks: “机で” stands behind “寝ている”; “寝ている” has lost its place.'
    """

    _esm, _css, name = script(Path(__file__).with_name("row.js")), LIVE_CSS + CSS, "Phrase Shuffler"
    order = traitlets.List(traitlets.Int())  #: where in the sentence each phrase stood
    picture = traitlets.Dict()  #: shapes of SVG, the box around them, and what is said

    def __init__(
        self,
        sentence: str | Parse | None = None,
        rule: str = "strict",
        parses: Parses | None = None,
        gloss: Any = None,
    ):
        if sentence is None:
            sentence, gloss = EXAMPLE[0], EXAMPLE[1] if gloss is None else gloss
        if rule not in ("strict", "paper"):
            raise PairsError(f"rule={rule!r} is not one of 'strict', 'paper'")
        self.parse = sentence if isinstance(sentence, Parse) else (parses or Parses()).of([sentence])[0]
        self.orders, self.rule, self._number = phrase_orders(self.parse, rule), rule, 0
        self.gloss = [""] * len(self.parse.phrases) if gloss is None else list(gloss)
        if len(self.gloss) != len(self.parse.phrases) or not all(isinstance(one, str) for one in self.gloss):
            raise PairsError(f"gloss {self.gloss} is not one text for each of {'|'.join(self.parse.phrases)}")
        super().__init__(order=[*range(len(self.gloss))], shortcuts=HELP)

    def next(self, by: int = 1) -> None:
        """Show the next of the orders, or with -1 the one before; after the last the sentence itself."""
        self.order = [*self.orders[(self._number + by) % self.orders.count]]

    def on_next(self, by: int = 1) -> None:
        """Show the order after or before the one on screen."""
        self.next(-1 if by == -1 else 1)

    def still(self) -> str:
        """Return the screen as SVG; all text is escaped."""
        x, y, width, height = self.picture["box"]
        size = f'width="{width}" height="{height}" viewBox="{x} {y} {width} {height}"'
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" class="pg-phrases" {size}>']
        for tag, attributes, text in [("style", {}, CSS), *self.picture["shapes"]]:
            given = "".join(f' {name}="{escape(oneline(str(value)))}"' for name, value in attributes.items())
            parts.append(f"<{tag}{given}>{escape(oneline(text))}</{tag}>")
        return "".join([*parts, "</svg>"])

    @traitlets.validate("order")
    def _follow(self, proposal: Plain) -> list[int]:
        """The order, if it is one, once it is drawn with what it does."""
        order = proposal["value"]
        if sorted(order) != [*range(len(self.gloss))]:
            raise Refused(f"the order {order} does not name each of the {len(self.gloss)} phrases once")
        self.verdict = word, arcs, walls = verdict(self.parse, order)
        self.text, count, number = self.orders.text(order), self.orders.count, "none of them"
        if word == "allowed" or (word, self.rule) == ("awkward", "paper"):
            near = (k % count for k in range(self._number, self._number + min(count, 5_040)))
            self._number = next((k for k in near if self.orders.text(self.orders[k]) == self.text), self._number)
            number = f"order {self._number + 1:,}"  # far off among very many, the last one shown
        phrases, how = [f"“{one}”" for one in self.parse.phrases], ("stands behind", "is cut off from")
        said = [f"{phrases[i]} {how[order.index(i) < order.index(to)]} {phrases[to]}" for i, to in arcs]
        said += [f"{phrases[wall]} has lost its place" for wall in walls]
        self.picture = self._drawn(order) | {
            "said": f"{SAID[word]}{': ' * bool(said)}{'; '.join(said)}.", "word": word,
            "counted": f"{count:,} order{'s' * (count > 1)}; {number}",
        }  # fmt: skip
        self._draw_twin()
        return order

    def _drawn(self, order: list[int]) -> Plain:
        """All shapes (tag, attributes, text), and the box around them; 0 is where boxes of phrases begin."""
        (word, broken, passed), texts, units, shapes = self.verdict, self.parse.phrases, [], []
        for group in self.orders.groups:  # whole, or its phrases
            at = order.index(group[0])
            units += [group] if order[at : at + len(group)] == [*group] else [(i,) for i in group]
        units.sort(key=lambda unit: order.index(unit[0]))
        starts = [*(order.index(unit[0]) for unit in units), len(order)]
        x, top, left, right, slots = 0.0, 28 + 20 * sqrt(len(order)), {}, {}, []
        for at, i in enumerate(order):
            left[i] = x + (GAP if at in starts else PAD)
            slots.append((x + left[i]) / 2)
            x = right[i] = left[i] + max(8.5 * columns(texts[i]), 6.6 * columns(self.gloss[i])) + 2 * PAD
        slots, middle = [*slots, x + GAP / 2], {i: (left[i] + right[i]) / 2 for i in order}

        def add(tag: str, kind: str, text: str = "", line: Any = None, marked: bool = False, **given: Any) -> None:
            given |= {"points": " ".join(f"{a:.1f},{b:.1f}" for a, b in line)} if line else {}
            given["class"] = kind + f" pg-is-{word}" * marked
            shapes.append((tag, {name.replace("_", "-"): value for name, value in given.items()}, text))

        for k, unit in enumerate(units):
            past, whole = (starts[max(0, k - 1)], starts[min(k + 2, len(units))]), len(unit) > 1
            single = [((i,), 0, (max(0, at - 1), at + 2) if whole else past) for at, i in enumerate(unit, starts[k])]
            for one, by, (before, after) in [(unit, PAD - 2, past)] * whole + single:
                move = {"data_key": " ".join(map(str, one)), "data_before": before, "data_after": after}
                read = {"tabindex": 0, "role": "option", "aria_label": "".join(texts[i] for i in one)}
                use, a, b = {} if len(order) - 1 in one else move | read, left[one[0]] - by, right[one[-1]] + by
                kind = "pg-group" if by else "pg-phrase"
                add("rect", kind, x=a, y=-by, width=b - a, height=HIGH + 2 * by, rx=5, **use)
            for i in unit:
                add("text", "pg-text", texts[i], x=middle[i], y=24, lang="ja" if JAPANESE.search(texts[i]) else "")
                add("text", "pg-gloss", self.gloss[i], x=middle[i], y=HIGH + 26)
            if unit[-1] in {self.orders.groups[wall][-1] for wall in self.orders.walls}:
                add("polyline", "pg-pin", line=[(right[unit[-1]] - 4 + a, b) for a, b in PIN])
                for x in {slots[starts[k]], slots[starts[k + 1]]} - {slots[0], slots[-1]}:
                    add("polyline", "pg-wall", line=[(x, -14), (x, HIGH + 14)], marked=unit[-1] in passed)
        arcs = {(i, head) for i, head in enumerate(self.parse.heads) if head not in (-1, i)}
        for i, head in sorted(arcs | {*broken}):
            way, far = (7 if middle[head] > middle[i] else -7), abs(order.index(head) - order.index(i))
            a, b, high = middle[i] + way, middle[head] - way, 12 + 20 * sqrt(far)
            bow = [((a + b - (b - a) * cos(t * pi / 24)) / 2, -3 - high * sin(t * pi / 24)) for t in range(25)]
            add("polyline", "pg-arc", "", [*bow, (b - 4, -9), (b, -2), (b + 4, -9)], (i, head) in broken)
        for at, x in enumerate(slots):
            add("rect", "pg-slot", x=x - 8, y=-9, width=16, height=HIGH + 18, data_slot=at)
        return {"shapes": shapes, "box": [0, -top, slots[-1] + GAP / 2, top + HIGH + 34]}

    def _twin_parts(self) -> tuple[str, str]:
        said = f"{self.text}: {self.picture['said']} {self.picture['counted']}"
        return said, f"{svg_image(self.still(), said)}<p>{escape(said)}</p>"
