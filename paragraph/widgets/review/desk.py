"""The desk of every review: one person decides pairs by keys, one of them on screen above its picture."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import traitlets

from ...decisions.agreement import Agreement
from ...decisions.answers import Answer
from ...decisions.queue import Items
from ...draw.page import source
from ...draw.view import View, view_of
from ...files import PairsError
from ...graph import ParaphraseGraph
from ...learn.logistic import one_blas_thread
from ..base.keys import review_help
from ..base.live import held
from ..base.records import Plain, records
from ..base.widget import LAYERS, PAGE, Bench
from ..pages.living import enclosed
from .questions import Question, keys_off
from .sitting import Log, Sitting

__all__ = ["Review"]

SHOWN = ("all", "open", "decided", "settled")
HERE = Path(__file__).parent
PARTS = ("pages/traits", *(f"base/{name}" for name in ("held", "layout", "scene", "reasons", "review")))


class Review(Bench):
    """A queue of pairs of sentences for one person to decide; one of them is on screen.

    A subclass is a task. It passes its items to `_start`, and has for each item: the `_case` above the picture, its
    sentences and lines (`_nodes`, `_marks`), and the `_evidence` on the right. `_choose` writes the decision of an
    answer. The page draws and explains, from records.
    """

    _script = f"{Bench._script}\n{enclosed('reviewModel', *(HERE.parent / f'{part}.js' for part in PARTS))}"
    _esm = f"{_script}\nexport default {{ render }};\n"
    _css = Bench._css + source(HERE / "style.css")

    records = traitlets.Dict()  #: the clusters on screen: their sentences, places and labels
    shown = traitlets.Dict()  #: the numbers of these clusters, marked lines, title, note
    evidence = traitlets.Dict()  #: what is said of the item on the right, besides what the records say
    listing = traitlets.Dict()  #: one page of the list, and how it was asked for
    case = traitlets.Dict()  #: the pair on screen, and how the last action went
    words = traitlets.Dict()  #: what an item is called, and the keys that decide it

    _called: str
    _question: Question
    _queue: Items
    _layer = "judged"  #: a kind of line that only this review has
    _repeats = 0  #: rows that named a pair again
    _can_reveal = True  #: is something of the item on screen hidden?
    _hidden = ""  #: why its picture is hidden, if it is

    def __init__(
        self, graph: ParaphraseGraph | None, log: Log, reviewer: str | None, *,
        blind: bool = True, second: Log | None = None, settle: Agreement | None = None,
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
        self._limit, self._clusters, self._on_screen = limit, [], set[int]()

    @held
    def _start(self, queue: Items) -> None:
        """Show the first open item of the queue."""
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

    def on_decide(self, item: int, decision: str, edge: str | None = None) -> None:
        """Decide the item that the page shows; for a cut, `edge` is the line of the wrong positive."""
        if decision not in (choices := [name for _, name, *_ in self.words["decide"]]):
            raise PairsError(f"{decision!r} is not one of {', '.join(choices)}")
        if item is not None and item == self.current:  # a second press may come before the page shows the next item
            with one_blas_thread():  # threads mostly wait for each other, and MiniLM may be reading meanwhile
                self._choose(decision, edge)

    def on_next(self) -> None:
        """Show the next open item; if there is none, the next skipped one."""
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
        """Add a note to the item that the page shows."""
        if not isinstance(text, str):
            raise PairsError(f"a note is text, not {text!r}")
        if item == self.current and text.strip() and self._log(note=text.strip()):
            self._message = "Noted."
            self._tell()

    def on_reveal(self, item: int) -> None:
        """Show the hidden part; it stays visible while this item is on screen, and the log remembers this."""
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

    def on_page(self, page: int, open: str | None = None) -> None:
        """Show another page of the list; `open` its first or last entry."""
        if open not in (None, "first", "last"):
            raise PairsError(f"{open!r} is not an end of a page")
        self._list_page(int(page))
        if open and self.listing["rows"]:
            self.on_open(self.listing["rows"][0 if open == "first" else -1]["item"])

    # -- what a task may say otherwise ----------------------------------------------------------------------

    def _choose(self, decision: str, edge: str | None) -> None:
        """Write the decision of an answer, and move on."""

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
        """Return the additional content of the right-hand side once all is decided."""
        return self._sitting.next_steps(self.graph)

    def _prepare_reveal(self) -> None:
        """Compute the part that is about to be revealed."""

    @property
    def _can_undo(self) -> bool:
        return self._sitting.last is not None

    def _nodes(self, item: int) -> list[int]:
        """The sentences that the picture of an item must show, its two ends first; none if there is no picture."""
        return []

    def _marks(self) -> dict[str, Plain]:
        """Lines of the picture, by id, that differ from the stated ones (`sign`, `layer`, `text`) or carry a `tag`.

        One with ends (`from`, `to`) is a line of its own.
        """
        return {}

    def _beside(self, item: int) -> dict[str, str]:
        """The note beside an item in the list, and its hint."""
        return {"aside": "", "hint": ""}

    def _estimate(self) -> list[str]:
        """The line under the progress, a smaller one below it, and a hint; or nothing."""
        return []

    # -- the log -------------------------------------------------------------------------------------------

    def _keep(self, answers: list[Plain], taken_back: Iterable[Answer] = ()) -> bool:
        """Log answers given on screen, and show the decision and the one it replaced."""
        before = self._sitting.decided(self._item)
        if not self._write(lambda: self._sitting.give(answers, taken_back)):
            return False
        now = self._queue.description(self._item)
        self._message = f"#{self.current}: {now}" + f", changed from {before}" * (before not in ("", now))
        if self._words.strip().startswith("#"):  # a number finds one item, and that is decided
            self._words = ""
        return True

    def _log(self, **content: Any) -> bool:
        """Log a note on the pair on screen, or that something about it was shown."""
        return self._write(lambda: self._sitting.note(self._item, content))

    def _write(self, act: Callable[[], None]) -> bool:
        """Change the log and the queue; an error is shown, and then nothing changes."""
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
        """True if the reviewer has never seen the hidden part of the item on screen."""
        return not (self._revealed and self._can_reveal) and not self._sitting.saw(self._item)

    # -- what is shown -------------------------------------------------------------------------------------

    def _go(self, item: int | None, known: bool = False) -> None:
        """Show an item, or that none is left; with `known`, its revealed part stays visible."""
        if not known:
            self._revealed, self._began = not self.blind, time.monotonic()
        self._item = item
        with self.hold_sync():
            self._draw()
            self._tell()
            self._list_page()
        self._update_twin()  # last: it is drawn from what is shown

    def _draw(self) -> None:
        """Show the clusters of the item, as changed by decisions."""
        nodes = [] if self._item is None or self._hidden else self._nodes(self._item)
        self._clusters = list(dict.fromkeys(self.graph.cluster_of[nodes].tolist())) if nodes else []
        if not self._clusters or not {*nodes} <= self._on_screen:
            self.records = records(self.graph, self._clusters, limit=self._limit, wanted=nodes) if nodes else {}
            told = self.records.get("records", [])
            self._on_screen = {one["nodes"][place][0] for one in told for place in one["drawn"]}
        self.shown = {
            "clusters": self._clusters, "marks": self._marks() if nodes else {},
            "title": self._title(), "note": "" if self._item is None else self._hidden,
        }  # fmt: skip

    def _tell(self) -> None:
        case = {"item": None, "error": self._error, "message": self._message}
        if self._item is not None:
            case |= {"item": self.current, "path": [], "sign": 0, "stated": "", **self._sitting.above(self._item)}
            case |= {"revealed": self._revealed or not self._can_reveal} | self._case()
        self.case = case | {"off": keys_off(self.words, case, self._revealed, self._can_undo)}
        said = self._evidence() if self._item is not None else {"title": "Nothing to decide", "text": self._title()}
        if self._item is None and self._queue.items:
            said |= {"facts": self._sitting.counts()} | self._summary()
        self.evidence = said | {"n": self.evidence.get("n", 0) + 1}  # another, even if it says the same

    def _list_page(self, page: int | None = None) -> None:
        """Send a page of the list: by default that of the item on screen, or the one shown last."""
        found = self._queue.find(self._words, self._show)
        if page is None:
            page = found.index(self._item) // PAGE if self._item in found else self.listing.get("page", 0)
        pages = -(-len(found) // PAGE)
        page = max(0, min(page, pages - 1))
        rows = [self._sitting.row(item) | self._beside(item) for item in found[page * PAGE : (page + 1) * PAGE]]
        self.listing = {
            "rows": rows, "total": len(found), "page": page, "pages": pages,
            "current": self.current, "words": self._words, "show": self._show,
            "progress": self._queue.progress(), "estimate": self._estimate(),
            "note": self._sitting.left_out(self.words["one"], self._repeats),
        }  # fmt: skip

    def _still(self) -> View:
        if not self._clusters:
            return View.of(self._title(), np.empty(0, np.int64), [], [], np.empty((0, 2)))
        return view_of(self.graph, self._clusters)._replace(title=self._title())
