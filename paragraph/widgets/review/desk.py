"""The desk of every review: one person decides pairs by keys, one of them on screen above its picture."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import traitlets

from ...decisions.agreement import Agreement
from ...decisions.answers import Answer
from ...decisions.queue import Items
from ...draw.page import source
from ...draw.view import View
from ...graph import ParaphraseGraph
from ...pairs import PairsError
from ..base.keys import review_help
from ..base.live import held
from ..base.scene import Scene
from ..base.why import Plain, why_pair, why_sentence
from ..base.widget import LAYERS, PAGE, Bench
from .pictures import Pictures
from .questions import Question, keys_off
from .sitting import Log, Sitting

__all__ = ["Review"]

AFTER = 0.05  # seconds after an answer, so that it is on its way, before the next picture is laid out
SHOWN = ("all", "open", "decided", "settled")


class Review(Bench):
    """A queue of pairs of sentences that one person decides; one of them is on screen.

    A subclass is a task. It gives its items to `_start`, and of an item: the `_case` above the picture, the scene
    (`_nodes`, `_lines`), and the `_evidence` on the right. `_choose` writes what an answer decides.
    """

    _css = Bench._css + source(Path(__file__).with_name("style.css"))

    case = traitlets.Dict()  #: the pair on screen, and how the last action went
    words = traitlets.Dict()  #: what an item is called, and the keys that decide it

    _entry = "item"
    _called: str
    _question: Question
    _queue: Items
    _layer = "judged"  #: a kind of line that only this review has
    _kinds = {}  # noqa: RUF012 - how its lines are drawn on paper, by what they say
    _repeats = 0  #: rows that named a pair again
    _can_reveal = True  #: is something of the item on screen hidden?

    def __init__(
        self, graph: ParaphraseGraph | None, log: Log, reviewer: str | None, *,
        blind: bool = True, second: bool | Log = False, settle: Agreement | None = None,
        seed: int = 0, height: int = 680, limit: int = 120,
    ):  # fmt: skip
        self._layers, words = LAYERS | {self._layer: True}, self._question.words
        traits = {"words": words, "shortcuts": review_help(words), "layers": self._layers}
        super().__init__(name=self._called, height=height, **traits)
        self.graph, self.seed, self.blind = graph, seed, blind
        self._sitting = Sitting(log, reviewer, second, settle)
        self.decision_log, self.reviewer = self._sitting.log, self._sitting.reviewer
        self._words, self._show = "", "all"
        self._item: int | None = None
        self._error = self._message = ""
        self._pictures = Pictures(graph, limit, seed)

    @held
    def _start(self, queue: Items) -> None:
        """Show the first item of the queue that is open."""
        self._queue = self._sitting.queue = queue
        self._sitting.take([])
        self._go(queue.next())

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def current(self) -> int | None:
        """Number of the item on screen."""
        return None if self._item is None else self._queue.number[self._item]

    @current.setter
    def current(self, number: int) -> None:
        with self.hold_sync():
            self.on_open(number)

    @property
    def queue(self) -> pd.DataFrame:
        """All items in their order: `number`, `text_a`, `text_b`, `state`."""
        return self._sitting.table()

    @property
    def answers(self) -> pd.DataFrame:
        """This reviewer's answers that stand, of this queue and others: see `DecisionLog.answers`."""
        return self.decision_log.answers(self.reviewer)

    def decide(self, decision: str) -> None:
        """Decide the pair on screen as a key does, by the name of the choice: "flip", "keep", "ambiguous" or "skip";
        where it is asked what the two mean, "same", "different", "ambiguous" or "skip"."""
        self._decide(decision)

    def _decide(self, decision: str, edge: str | None = None) -> None:
        if self._item is None:
            raise PairsError(f"there is nothing to decide: set `current` to the number of a {self.words['one']}")
        with self.hold_sync():
            self.on_decide(self.current, decision, edge)
        if self._error:
            raise PairsError(self._error)

    # -- intents -------------------------------------------------------------------------------------------

    def do(self, intent: str, **content: Any) -> None:
        super().do(intent, **content)
        with suppress(RuntimeError):  # no loop: nobody is waiting
            asyncio.get_running_loop().call_later(AFTER, self._prepare)

    def on_decide(self, item: int, decision: str, edge: str | None = None) -> None:
        """Decide the item that the page shows; of a cut, `edge` is the line of the positive that is wrong."""
        if decision not in (choices := [name for _, name, *_ in self.words["decide"]]):
            raise PairsError(f"{decision!r} is not one of {', '.join(choices)}")
        if item is not None and item == self.current:  # a second press may come before the page shows the next item
            self._choose(decision, edge)

    def on_next(self) -> None:
        """Show the next item that is open; where none is, the next skipped one."""
        following = self._queue.next(self._item)
        self._message = "" if following is not None else "Nothing is left to decide."
        return self._tell() if following is None else self._go(following)

    def on_undo(self) -> None:
        """Take back the last decision of this queue that stands, and show its item."""
        if (last := self._sitting.last) is None:
            self._message = "Nothing is left to undo."
            return self._tell()
        message = f"Taken back: {self._queue.name(item := self._queue.item_of(last))} of #{self._queue.number[item]}"
        if self._write(self._sitting.undo):
            self._message = message
            self._go(item)

    def on_note(self, item: int, text: str) -> None:
        """Note something on the item that the page shows."""
        if not isinstance(text, str):
            raise PairsError(f"a note is text, not {text!r}")
        if item == self.current and text.strip() and self._log(note=text.strip()):
            self._message = "Noted."
            self._tell()

    def on_reveal(self, item: int) -> None:
        """Show what was hidden; it stays visible while this item is on screen, and the log remembers that it was."""
        if item != self.current or self._revealed:
            return
        try:
            self._prepare_reveal()
        except PairsError as error:
            self._error = f"There is no proposal. {error}"
            return self._tell()
        if self._is_blind and self._can_reveal and not self._log(shown={"blind": False}):
            return
        self._revealed = True
        self._draw()
        self._tell()
        self._update_twin()

    def on_open(self, item: int) -> None:
        """Show an item of the list, by its number."""
        last = len(self._queue.items)
        if isinstance(item, bool) or not isinstance(item, int | np.integer) or not 1 <= item <= last:
            raise PairsError(f"{item!r} is not the number of a {self.words['one']}: they are 1 to {last}")
        self._message = ""
        self._go(self._queue.items[item - 1])

    def on_query(self, words: str | None = None, show: str | None = None) -> None:
        """Search the queue, or show a part of it."""
        if not isinstance(words, str | None) or show not in (None, *SHOWN):
            raise PairsError(f"find a text, not {words!r}, among one of {', '.join(SHOWN)}, not {show!r}")
        self._words, self._show = (self._words if words is None else words), (show or self._show)
        self._list_page(0)

    def on_select(self, keys: list[str]) -> None:
        """Explain one or two sentences that were clicked; none brings the item back."""
        self.selected = keys = self._pictures.scene.drawn(keys)
        if explain := {1: why_sentence, 2: why_pair}.get(len(keys)):
            return self._aside(explain(self.graph, *(int(key[1:]) for key in keys)))
        self._explain()

    def on_show(self, key: str) -> None:
        """Mark a sentence of the explanation in the picture, where it is drawn."""
        self.selected = self._pictures.scene.drawn([key])

    def on_edge(self, id: str) -> None:
        """Explain a line that was clicked: its label and its rows."""
        line = self._pictures.line(id)
        self.selected = [line["from"], line["to"]]
        self._aside(why_pair(self.graph, line["a"], line["b"]))

    def on_expand(self, key: str) -> None:
        """Do nothing after a double click."""

    # -- what a task may say otherwise ----------------------------------------------------------------------

    def _choose(self, decision: str, edge: str | None) -> None:
        """Write what an answer decides, and go on."""

    def _shown(self) -> Plain:
        """Return what the reviewer saw, for the log."""
        saw = {"blind": self._is_blind, "seconds": round(time.monotonic() - self._began, 3)}
        return saw | self._sitting.settled(self._item)

    def _title(self) -> str:
        total = len(self._queue.items)
        if self._item is not None:
            return f"{self.words['one'].capitalize()} #{self.current:,} of {total:,}: {self._question.asks}"
        return ". ".join(["All decided", *self._estimate()[:1]]) if total else "The table has no pairs."

    def _summary(self) -> Plain:
        """Return what the right-hand side shows besides when all is decided."""
        return self._sitting.next_steps(self.graph)

    def _prepare_reveal(self) -> None:
        """Work out what is about to be revealed."""

    @property
    def _can_undo(self) -> bool:
        return self._sitting.last is not None

    def _picture(self, item: int) -> tuple[int, Scene]:
        """The scene of an item, and its number; see `Pictures`."""
        return self._pictures.of(self._nodes(item))

    def _nodes(self, item: int) -> list[int]:
        """The sentences that the picture of an item must show, its two ends first; none where there is no picture."""
        return []

    def _lines(self, lines: list[Plain]) -> list[Plain]:
        """The lines of the picture, those marked that matter to the item on screen."""
        return lines

    def _beside(self, item: int) -> dict[str, str]:
        """The note beside an item in the list, and its hint."""
        return {"aside": "", "hint": ""}

    def _estimate(self) -> list[str]:
        """The line under the progress, a smaller one below it, and a hint; or nothing."""
        return []

    # -- the log -------------------------------------------------------------------------------------------

    def _keep(self, answers: list[Plain], taken_back: Iterable[Answer] = ()) -> bool:
        """Log answers given on screen, and tell what was decided with what that replaced."""
        before = self._sitting.decided(self._item)
        if not self._write(lambda: self._sitting.give(answers, taken_back)):
            return False
        now = self._queue.description(self._item)
        self._message = f"#{self.current}: {now}" + f", changed from {before}" * (before not in ("", now))
        if self._words.strip().startswith("#"):  # a number finds one item, and that is decided
            self._words = ""
        return True

    def _log(self, **content: Any) -> bool:
        """Log a note on the pair on screen, or what was shown of it."""
        return self._write(lambda: self._sitting.note(self._item, content))

    def _write(self, act: Callable[[], None]) -> bool:
        """Do something to the log and to the queue; an error is shown, and then nothing is done."""
        self._message = self._error = ""
        try:
            self._error = self._sitting.catch_up()
            if not self._error:
                act()
                return True
            self._go(self._item, known=True)
        except PairsError as error:
            self._error = f"Not decided. {error}"
            self._tell()
        return False

    @property
    def _is_blind(self) -> bool:
        """Has the reviewer never seen what is hidden of the item on screen?"""
        return not (self._revealed and self._can_reveal) and not self._sitting.saw(self._item)

    # -- what is shown -------------------------------------------------------------------------------------

    def _go(self, item: int | None, known: bool = False) -> None:
        """Show an item, or that none is left; `known`: what was revealed of it stays so."""
        if not known:
            self._revealed, self._began = not self.blind, time.monotonic()
        self._item = item
        with self.hold_sync():
            self.selected = []
            self._draw()
            self._tell()
            self._list_page()
        self._update_twin()  # last: it is drawn from what is shown

    def _draw(self) -> None:
        """Draw the clusters of the item, as decisions have left them."""
        number, scene = (0, Scene()) if self._item is None else self._picture(self._item)
        lines = [] if self._item is None else self._lines(scene.edges)
        self.picture = self._pictures.show(number, scene, lines) | {"title": self._title()}

    def _tell(self) -> None:
        case = {"item": None, "error": self._error, "message": self._message}
        if self._item is not None:
            case |= {"item": self.current, "path": [], "sign": 0, "stated": "", **self._sitting.above(self._item)}
            case |= {"revealed": self._revealed or not self._can_reveal} | self._case()
        case["off"] = keys_off(self.words, case, self._revealed, self._can_undo)
        self.case = case
        self._explain()

    def _prepare(self) -> None:
        """Lay out the next item while the reviewer reads this one."""
        following = self._queue.next(self._item) if self._item is not None else None
        if following not in (None, self._item):
            self._picture(following)

    def _explain(self) -> None:
        if self._item is None:
            explanation = {"title": "Nothing to decide", "text": self._title()}
            if self._queue.items:
                explanation |= {"facts": self._sitting.counts()} | self._summary()
        else:
            explanation = self._evidence()
            explanation["highlight"]["soft"] = self._pictures.few
        self._show_why(explanation)

    def _aside(self, explanation: Plain) -> None:
        """Show something else than the item on the right; Esc brings the item back."""
        back = {"text": f"Back to the {self.words['one']} (Esc)", "intent": "select", "content": {"keys": []}}
        self._show_why(explanation | {"actions": [back]})

    def _list_page(self, page: int | None = None) -> None:
        """Send a page of the list: by default that of the item on screen, or the one shown last."""
        found = self._queue.find(self._words, self._show)
        if page is None:
            page = found.index(self._item) // PAGE if self._item in found else self.listing.get("page", 0)
        self._send_list(
            found, page, current=self.current, words=self._words, show=self._show,
            progress=self._queue.progress(), estimate=self._estimate(),
            note=self._sitting.left_out(self.words["one"], self._repeats),
        )  # fmt: skip

    def _rows(self, found: list[int]) -> list[Plain]:
        return [self._sitting.row(item) | self._beside(item) for item in found]

    def _still(self) -> View:
        return self._pictures.still(self._title(), self.layers, self.placed, self._kinds)
