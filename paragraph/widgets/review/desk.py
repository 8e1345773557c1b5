"""The desk of every review: one person decides pairs by keys, one of them on screen above its picture."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import traitlets

from ...decisions.agreement import Agreement
from ...decisions.queue import Queue
from ...decisions.record import Answer
from ...decisions.replay import cut_choice
from ...decisions.session import Log, Session
from ...draw.page import source
from ...draw.view import View
from ...files import PairsError
from ...graph import ParaphraseGraph
from ...learn.logistic import one_blas_thread
from ..base.keys import review_help
from ..base.live import held
from ..base.records import Plain
from ..base.widget import LAYERS, PAGE, Bench
from ..explorer.keeper import Keeper
from ..pages.living import enclosed
from .evidence import Rows, still_of
from .questions import Question
from .writing import CHANGED, LATE, Answering

__all__ = ["Review"]

#: The title while a thread makes the list.
READING = "The pairs are being read. The list begins in a moment; all else works meanwhile."
SHOWN = ("all", "open", "decided", "moot")
HERE = Path(__file__).parent
EXPLORER = ("apart", "picture", "like", "keeper", "screen", "choice", "moves")
PARTS = ("pages/traits", *(f"base/{name}" for name in ("held", "layout", "scene", "reasons")),
         *(f"explorer/{name}" for name in EXPLORER), "review/model")  # fmt: skip


class Review(Answering):
    """A queue of pairs of sentences for one person to decide; one of them is on screen.

    Python keeps the queue, the belief and the log. The page has the rest, as the page of an Explorer: it asks for
    the clusters of an item (`case`), draws and explains them, and asks for decisions by the same keys.

    A subclass is a task. It passes its items to `_start`, or a thread that makes them to `_start_behind`, so that
    the cell is done at once; their first use in Python waits. It has for each item the sentences of its picture
    (`_nodes`), the facts about it (`_case`), and what is said on the right besides (`_why`). `_choose` writes the
    decision of an answer.
    """

    _script = f"{Bench._script}\n{source(HERE / 'queue.js', HERE / 'pair.js')}\n"
    _script += enclosed("reviewModel", *(HERE.parent / f"{part}.js" for part in PARTS))
    _esm = f"{_script}\nexport default {{ render }};\n"
    _css = Bench._css + source(HERE / "style.css")
    _layers = LAYERS | {"cut": True, "judged": True}

    data = traitlets.Dict()  #: what stays the same of the graph
    listing = traitlets.Dict()  #: one page of the list, and how it was asked for
    case = traitlets.Dict()  #: the facts about the pair on screen, and how the last action went
    words = traitlets.Dict()  #: what an item is called, and the keys that decide it

    _question: Question
    _repeats = 0  #: rows that named a pair again
    _by_conflict = False  #: are the items conflicts?
    _only: Callable[[Answer], bool] | None = None  #: of an answer of the log: does it count here?
    _show = "all"  #: the part of the queue that is listed
    _making: Future | None = None  #: the items, while a thread makes them
    _hidden = ""  #: why its picture is hidden, if it is
    _rows: Rows

    def __init__(
        self, graph: ParaphraseGraph | None, log: Log, reviewer: str | None, *,
        blind: bool = True, second: Log | None = None, settle: Agreement | None = None,
        show: Sequence[str] = (), height: int = 680,
    ):  # fmt: skip
        words = self._question.words
        if graph is not None and "words" in graph.report:  # the labels of the file
            words = words | {"labels": graph.report["words"]}
        traits = {"words": words, "shortcuts": review_help(words), "layers": self._layers}
        if graph is not None:
            self._rows = Rows(graph, show)
            keeper = Keeper(graph, beside=self._rows.beside)
            traits["data"] = keeper.about
            self._questions = {"clusters": keeper.clusters, "like": keeper.like}
        super().__init__(name=self._called, height=height, **traits)
        self.graph, self.blind = graph, blind
        self._session = Session(log, reviewer, graph, second, settle, self._by_conflict, self._only)
        self.decision_log, self.reviewer = self._session.log, self._session.reviewer

    @held
    def _start(self, queue: Queue) -> None:
        """Show the first open item of the queue."""
        self._queue = self._session.queue = queue
        self._session.take([])
        self._go(queue.next())

    @held
    def _start_behind(self, make: Callable[[], Any]) -> None:
        """Show that a thread makes what `_begin` takes; the page asks until it is there."""
        self._making = ThreadPoolExecutor(1).submit(make)
        self._queue = self._session.queue = Queue([], [], [])
        self._go(None)

    def _begin(self, made: Any) -> None:
        """Start with what a thread has made."""
        raise NotImplementedError

    def _wait(self) -> None:
        """Begin, once all is made."""
        if self._making is not None:
            made = self._making.result()
            self._making = None
            self._begin(made)

    def do(self, intent: str, **content: Any) -> None:
        if self._making is not None and not self._making.done():
            return
        try:
            self._wait()
        except PairsError as error:
            self._error = f"There is no list. {error}"
            self._tell()
        else:
            super().do(intent, **content)

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def current(self) -> int | None:
        """Number of the item on screen."""
        self._wait()
        return self._number

    @current.setter
    @held
    def current(self, number: int) -> None:
        self._wait()
        self.on_open(number)

    @property
    def queue(self) -> pd.DataFrame:
        """All items in their order: `number`, `text_a`, `text_b`, `state`."""
        self._wait()
        return self._session.table()

    @property
    def answers(self) -> pd.DataFrame:
        """This reviewer's answers that stand, of this queue and others: see `DecisionLog.answers`."""
        return self.decision_log.answers(self.reviewer)

    def decide(self, decision: str, edge: int | None = None) -> None:
        """Decide the pair on screen as a key does, by the name of the choice: "flip", "keep", "ambiguous" or "skip";
        where it is asked what the two mean, "same", "different", "ambiguous" or "skip"."""
        self._wait()
        if self._item is None:
            raise PairsError(f"there is nothing to decide: set `current` to the number of a {self.words['one']}")
        with self.hold_sync():
            self.on_decide(self._number, decision, edge)
        if self._error or self._message == CHANGED:
            raise PairsError(self._error or CHANGED)

    # -- intents -------------------------------------------------------------------------------------------

    def on_decide(self, item: int, decision: str, edge: int | None = None) -> None:
        """Decide the item that the page shows; for a cut, `edge` is the number of the wrong positive."""
        if decision not in (choices := [name for _, name, *_ in self.words["decide"]]):
            raise PairsError(f"{decision!r} is not one of {', '.join(choices)}")
        if item is None:
            return
        if item != self._number:
            self._message = LATE.format(key=self._button(decision), item=self._queue.number[self._checked(item)])
            return self._tell()
        with one_blas_thread():  # threads mostly wait for each other, and MiniLM may be reading meanwhile
            self._choose(decision, edge)

    def on_next(self) -> None:
        """Show the next open item; if there is none, the next skipped one."""
        following = self._queue.next(self._item)
        self._message = "" if following is not None else "Nothing is left to decide."
        self._go(self._item if following is None else following, known=following is None)

    def on_reveal(self, item: int) -> None:
        """Show the hidden part; it stays visible while this item is on screen, and the log remembers this."""
        if item != self._number or self._revealed:
            return
        try:
            self._prepare_reveal()
        except PairsError as error:
            self._error = f"There is no proposal. {error}"
            return self._tell()
        blind, seen = self._is_blind and self._can_reveal, {"blind": False}
        if blind and not self._write(lambda: self._session.note(self._item, shown=seen), lambda: None):
            return
        self._revealed = True
        self._tell()
        self._update_twin()

    def on_open(self, item: int) -> None:
        """Show an item of the list, by its number."""
        self._message, found = "", self._checked(item)
        self._go(found)

    def on_query(self, words: str | None = None, show: str | None = None) -> None:
        """Search the queue, or show a part of it."""
        if not isinstance(words, str | None) or show not in (None, *SHOWN):
            raise PairsError(f"find a text, not {words!r}, among one of {', '.join(SHOWN)}, not {show!r}")
        if words is not None:
            self._words = words
        self._show = show or self._show
        self._list_page(0)

    def on_page(self, page: int, open: str | None = None) -> None:
        """Show another page of the list; `open` its first or last entry."""
        if open not in (None, "first", "last"):
            raise PairsError(f"{open!r} is not an end of a page")
        self._list_page(int(page))
        if open and self.listing["rows"]:
            self.on_open(self.listing["rows"][0 if open == "first" else -1]["item"])

    def _checked(self, number: int) -> int:
        """The item that has a number."""
        last = len(self._queue.items)
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 1 <= number <= last:
            raise PairsError(f"{number!r} is not the number of a {self.words['one']}: they are 1 to {last}")
        return self._queue.items[number - 1]

    # -- what a task may say otherwise ----------------------------------------------------------------------

    def _choose(self, decision: str, edge: int | None) -> None:
        """Write the decision of an answer, and move on."""

    def _shown(self) -> Plain:
        """Return what the reviewer saw, for the log."""
        saw = {"blind": self._is_blind, "seconds": round(time.monotonic() - self._began, 3)}
        return saw | self._session.overrules(self._item)

    def _title(self) -> str:
        if self._making is not None:
            return "" if self._error else READING
        total = len(self._queue.items)
        if self._item is not None:
            return f"{self.words['one'].capitalize()} #{self._number:,} of {total:,}: {self._question.asks}"
        return ". ".join(["All decided", *self._estimate()[:1]]) if total else "The table has no pairs."

    def _summary(self, audit: bool = False) -> Plain:
        """Return the additional content of the right-hand side once all is decided: the next steps."""
        text = self._session.next_steps(self.graph, audit)
        found = {"copy": {"title": "Next: in a shell, or in Python", "text": text}}
        return found if audit else found | {"note": cut_choice(self.graph)}

    def _prepare_reveal(self) -> None:
        """Compute the part that is about to be revealed."""

    def _nodes(self, item: int) -> list[int]:
        """The sentences that the picture of an item must show, its two ends first; none if there is no picture."""
        return []

    def _case(self) -> Plain:
        """The facts about the item on screen: see `model.js`."""
        return {}

    def _why(self) -> Plain:
        """The text on the right of the item on screen, besides what the records say."""
        return {}

    def _beside(self, item: int) -> dict[str, str]:
        """The note beside an item in the list, and its hint."""
        return {"aside": "", "hint": ""}

    def _estimate(self) -> list[str]:
        """The line under the progress, a smaller one below it, and a hint; or nothing."""
        return []

    def _button(self, decision: str) -> str:
        """The words on the button of a decision."""
        return next(text for _, name, text, _ in self.words["decide"] if name == decision).removesuffix("…")

    # -- what is shown -------------------------------------------------------------------------------------

    def _go(self, item: int | None, known: bool = False) -> None:
        """Show an item, or that none is left; with `known`, its revealed part stays visible."""
        if not known:
            self._revealed, self._began = not self.blind, time.monotonic()
        self._item = item
        with self.hold_sync():
            self._tell()
            self._list_page()
        self._update_twin()  # last: it is drawn from what is shown

    def _tell(self) -> None:
        """Tell the page of the item on screen."""
        nodes = [] if self._item is None or self._hidden else self._nodes(self._item)
        is_reading = self._making is not None and not self._error
        case = {
            "item": self._number, "title": self._title(), "error": self._error, "message": self._message,
            "nodes": nodes, "undo": self._can_undo(), "is_reading": is_reading,
            "n": self.case.get("n", 0) + 1,  # always another
        }  # fmt: skip
        if self._item is None:
            case |= self._at_the_end()
        else:
            case |= self._row(self._item, long=True) | {"note": self._hidden}
            case |= {
                "notes": [*filter(None, [self._session.noted(self._item)])], "can_reveal": self._can_reveal,
                "revealed": self._revealed, "why": self._why(), **self._case(),
            }  # fmt: skip
        self.case = case

    def _row(self, item: int, long: bool = False) -> Plain:
        """Return an item in the form for the list, or for the place above the picture."""
        queue = self._queue
        found = {"item": queue.number[item], "pair": [*queue.pair[item]], "state": queue.state(item)}
        return found | {"description": queue.description(item, long)}

    def _list_page(self, page: int | None = None) -> None:
        """Send a page of the list: by default that of the item on screen, or the one shown last."""
        found = self._queue.find(self._words, self._show)
        if page is None:
            page = found.index(self._item) // PAGE if self._item in found else self.listing.get("page", 0)
        pages = -(-len(found) // PAGE)
        page = max(0, min(page, pages - 1))
        rows = [self._row(item) | self._beside(item) for item in found[page * PAGE : (page + 1) * PAGE]]
        turned = self.graph.report.get("turned", "") if self.graph is not None else ""
        note = f"{turned}\n{self._session.left_out(self.words['one'], self._repeats)}".strip()
        self.listing = {
            "rows": rows, "total": len(found), "page": page, "pages": pages,
            "current": self._number, "words": self._words, "show": self._show,
            "progress": self._queue.progress(), "estimate": self._estimate(),
            "note": note, "reading": "Reading …" if self._making is not None and not self._error else "",
        }  # fmt: skip

    def _still(self) -> View:
        return still_of(
            self.graph, [] if self._item is None or self._hidden else self._nodes(self._item), self._title()
        )
