"""The desk of every review: one person decides pairs by keys, one of them on screen above its picture."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import traitlets

from ...decisions.agreement import Agreement
from ...decisions.log import Log
from ...decisions.queue import Queue
from ...decisions.record import Answer
from ...decisions.replay import cut_choice
from ...decisions.session import Session
from ...draw.page import source
from ...draw.shared import PAGE, STILL
from ...draw.view import View, view_of
from ...files import PairsError
from ...graph import ParaphraseGraph
from ..base.keys import review_help
from ..base.live import held
from ..base.records import Plain, about, clusters
from ..base.widget import LAYERS, Bench
from ..explorer.widget import Explorer
from ..pages.living import enclosed
from .answering import CHANGED, Answering
from .evidence import Rows
from .questions import Question

__all__ = ["Review"]

HERE = Path(__file__).parent
EXPLORER = ("picture", "keeper", "screen", "choice", "moves")
PARTS = ("pages/traits", *(f"base/{name}" for name in ("signed", "layout", "scene", "reasons")),
         *(f"explorer/{name}" for name in EXPLORER), "review/model")  # fmt: skip


class Review(Answering):
    """A queue of pairs of sentences for one person to decide; one of them is on screen.

    Python keeps the queue, the belief and the log. The page has the rest, as the page of an Explorer: it asks for
    the clusters of an item (`case`), draws and explains them, and asks for decisions by the same keys.

    A subclass is a task. It passes its items to `_start`, and has for each item the sentences of its picture
    (`_nodes`), the facts about it (`_case`), and what is said on the right besides (`_why`). `_choose` writes the
    decision of an answer.
    """

    _script = f"{Bench._script}\n{source(HERE / 'queue.js', HERE / 'pair.js')}\n"
    _script += enclosed("reviewModel", *(HERE.parent / f"{part}.js" for part in PARTS))
    _esm = f"{_script}\nexport default {{ render }};\n"
    _css = Bench._css + source(HERE / "style.css")
    _layers = LAYERS | {"cut": True, "judged": True}

    data = traitlets.Dict()  #: what stays the same of the graph
    case = traitlets.Dict()  #: the facts about the pair on screen, and how the last action went

    _question: Question
    _rows: Rows
    _repeats = 0  #: rows that named a pair again
    _by_conflict = False  #: are the items conflicts?
    _only: Callable[[Answer], bool] | None = None  #: of an answer of the log: does it count here?
    _hidden = ""  #: why its picture is hidden, if it is

    def __init__(
        self, graph: ParaphraseGraph | None, log: Log, reviewer: str | None, *,
        blind: bool = True, second: Log | None = None, settle: Agreement | None = None,
        show: Sequence[str] = (), height: int = 680,
    ):  # fmt: skip
        words = self._question.words
        data = {}
        if graph is not None:
            self._rows = Rows(graph, show)
            self._questions = {"clusters": partial(clusters, graph, beside=self._rows.beside)}
            data = about(graph)
            if "words" in graph.report:  # the labels of the file
                words = words | {"labels": graph.report["words"]}
        shortcuts = review_help(words)
        super().__init__(
            name=self._called,
            height=height,
            words=words,
            shortcuts=shortcuts,
            layers=self._layers,
            data=data,
        )
        self.graph = graph
        self.blind = blind
        self._session = Session(log, reviewer, graph, second, settle, self._by_conflict, self._only)
        self.decision_log = self._session.log
        self.reviewer = self._session.reviewer

    @held
    def _start(self, queue: Queue) -> None:
        """Show the first open item of the queue."""
        self._queue = queue
        self._session.queue = queue
        self._session.take([])
        self._go(queue.next())

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def current(self) -> int | None:
        """Number of the item on screen."""
        return self._number

    @current.setter
    @held
    def current(self, number: int) -> None:
        self.on_open(number)

    @property
    def queue(self) -> pd.DataFrame:
        """All items in their order: `number`, `text_a`, `text_b`, `state`."""
        return self._session.table()

    @property
    def answers(self) -> pd.DataFrame:
        """This reviewer's answers that stand, of this queue and others: see `DecisionLog.answers`."""
        return self.decision_log.answers(self.reviewer)

    def decide(self, decision: str, edge: int | None = None) -> None:
        """Decide the pair on screen as a key does, by the name of the choice: "flip", "keep", "ambiguous" or "skip";
        where it is asked what the two mean, "same", "different", "ambiguous" or "skip"."""
        if self._item is None:
            raise PairsError(
                f"there is nothing to decide: set `current` to the number of a {self.words['one']}"
            )
        with self.hold_sync():
            self.on_decide(self._number, decision, edge)
        if self._error or self._message == CHANGED:
            raise PairsError(self._error or CHANGED)

    # -- what a task may say otherwise ---------------------------------------------------------------------

    def _prepare_reveal(self) -> None:
        """Compute the part that is about to be revealed."""

    def _shown(self) -> Plain:
        """Return what the reviewer saw, for the log."""
        saw = {"blind": self._is_blind, "seconds": round(time.monotonic() - self._began, 3)}
        return saw | self._session.context(self._item)

    def _title(self) -> str:
        total = len(self._queue.items)
        if self._item is not None:
            return f"{self.words['one'].capitalize()} #{self._number:,} of {total:,}: {self._question.asks}"
        if not total:
            return "The table has no pairs."
        return ". ".join(["All decided", *self._estimate()[:1]])

    def _summary(self, audit: bool = False) -> Plain:
        """Return the additional content of the right-hand side once all is decided: the next steps."""
        text = self._session.next_steps(self.graph, audit)
        found = {"copy": {"title": "Next: in a shell, or in Python", "text": text}}
        if not audit:
            found["note"] = cut_choice(self.graph)
        return found

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

    # -- what is shown -------------------------------------------------------------------------------------

    def _go(self, item: int | None, known: bool = False) -> None:
        if not known:
            self._revealed = not self.blind
            self._began = time.monotonic()
        self._item = item
        with self.hold_sync():
            self._tell()
            self._list_page()
        self._update_twin()  # last: it is drawn from what is shown

    @property
    def _pictured(self) -> list[int]:
        """The sentences of the picture."""
        if self._item is None or self._hidden:
            return []
        return self._nodes(self._item)

    def _tell(self) -> None:
        case = {
            "item": self._number, "title": self._title(), "error": self._error, "message": self._message,
            "nodes": self._pictured, "undo": self._can_undo(),
            "n": self.case.get("n", 0) + 1,  # always another
        }  # fmt: skip
        if self._item is not None:
            case |= self._row(self._item, long=True)
            case |= {
                "note": self._hidden,
                "can_reveal": self._can_reveal,
                "revealed": self._revealed,
            }
            note = self._session.notes(self._item)
            case |= {"notes": [note] if note else [], "why": self._why()} | self._case()
        else:
            note = self._queue.part.note
            case["title"] = note or self._title()
            case["why"] = {"title": "Nothing to decide", "text": case["title"]}
            if self._queue.items:
                progress = self._queue.progress()
                del progress["open"]
                case["why"]["facts"] = [[name, str(count)] for name, count in progress.items()]
                if not note:
                    case["why"] |= self._summary()
        self.case = case

    def _row(self, item: int, long: bool = False) -> Plain:
        """Return an item in the form for the list, or for the place above the picture."""
        queue = self._queue
        found = {"item": queue.number[item], "pair": [*queue.pair[item]]}
        return found | {"state": queue.state(item), "description": queue.description(item, long)}

    def _list_page(self, page: int | None = None) -> None:
        found = self._queue.find(self._search, self._show)
        if page is None:
            page = self.listing.get("page", 0)
            if self._item in found:
                page = found.index(self._item) // PAGE
        pages = -(-len(found) // PAGE)
        page = max(0, min(page, pages - 1))
        shown = found[page * PAGE : (page + 1) * PAGE]
        rows = [self._row(item) | self._beside(item) for item in shown]
        notes = [self._session.left_out(self.words["one"], self._repeats)]
        if self.graph is not None:
            notes.insert(0, self.graph.report.get("turned", ""))
        self.listing = {
            "rows": rows, "total": len(found), "page": page, "pages": pages,
            "current": self._number, "words": self._search, "show": self._show,
            "progress": self._queue.progress(), "estimate": self._estimate(),
            "note": "\n".join(filter(None, notes)),
        }  # fmt: skip

    def _page(self) -> str:
        """The page of an Explorer that opens at the item on screen."""
        explorer = Explorer(self.graph)
        explorer.selection = self._pictured[:2]
        return explorer._page()

    def _still(self) -> View:
        """The sentences that the picture must show, and what is stated between them."""
        nodes = self._pictured[:STILL]
        if not nodes:
            return View(self._title(), [], [], np.empty((0, 2)))
        return view_of(self.graph, nodes=nodes)._replace(title=self._title())
