"""The requests of a page to its review, and the answers, notes and undos that they write into its log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import traitlets

from ...decisions.answers import Row
from ...decisions.queue import Queue
from ...decisions.session import Session
from ...files import PairsError
from ...learn.logistic import one_blas_thread
from ..base.records import Plain
from ..base.widget import Bench

__all__ = ["CHANGED", "SHOWN", "Answering"]

#: What happened to a key that came after the answer of another page, or of another review in the same log.
LATE = "Not taken: {key} for #{item}, which is no longer the one shown. Another page of this review has gone on."
CHANGED = "Not taken: this was answered elsewhere meanwhile, as is shown now. Decide again if it is wrong."
SHOWN = ("all", "open", "decided", "moot")


class Answering(Bench):
    """A bench whose person answers in a log. `_queue` has the items, `_session` the answers, `_item` is on screen.

    A subclass (`desk.Review`) shows an item, or that none is left (`_go`), tells the page of it (`_tell`), and sends
    a page of the list (`_list_page`). `_choose` writes the decision of an answer, and moves on; `_prepare_reveal`
    computes what is about to be revealed.
    """

    listing = traitlets.Dict()  #: one page of the list, and how it was asked for
    words = traitlets.Dict()  #: what an item is called, and the keys that decide it

    _queue: Queue
    _session: Session
    _item: int | None = None
    _revealed = False  #: is the hidden part of the item on screen visible?
    _can_reveal = True  #: is something of the item on screen hidden?
    _search = ""  #: words that the list is searched for
    _show = "all"  #: the part of the queue that is listed
    _error = ""
    _message = ""

    def __new__(cls, *args: Any, **options: Any):
        review = super().__new__(cls, *args, **options)
        review._given = args, options
        return review

    def _can_undo(self) -> bool:
        return self._session.last is not None

    # -- intents -------------------------------------------------------------------------------------------

    def on_decide(self, item: int, decision: str, edge: int | None = None) -> None:
        """Decide the item that the page shows; for a cut, `edge` is the number of the wrong positive."""
        buttons = {name: text.removesuffix("…") for _, name, text, _ in self.words["decide"]}
        if decision not in buttons:
            raise PairsError(f"{decision!r} is not one of {', '.join(buttons)}")
        if item is None:
            return
        if item != self._number:
            number = self._queue.number[self._checked(item)]
            self._message = LATE.format(key=buttons[decision], item=number)
            return self._tell()
        with (
            one_blas_thread()
        ):  # threads mostly wait for each other, and MiniLM may be reading meanwhile
            self._choose(decision, edge)

    def on_undo(self) -> None:
        """Take back the last decision of this queue that stands, and show its item."""
        last = self._session.last
        if last is None:
            self._message = "Nothing is left to undo."
            return self._tell()
        item = self._queue.item_of(last)
        if self._write(self._session.undo, lambda: self._session.last):
            self._message = f"Taken back: the answer to #{self._queue.number[item]}"
            self._go(item)

    def on_note(self, item: int, text: str) -> None:
        """Add a note to an item, which another page may have left meanwhile."""
        if not isinstance(text, str):
            raise PairsError(f"a note is text, not {text!r}")
        noted = self._checked(item)
        note = text.strip()
        if note and self._write(lambda: self._session.note(noted, note=note), lambda: None):
            self._message = "Noted." if noted == self._item else f"Noted: #{item}."
            self._tell()

    def on_look(self) -> None:
        """Show what was answered elsewhere in the log meanwhile; of the item on screen, go on to the next one."""
        before = self._basis()
        if not self._session.catch_up():
            return
        self._message = ""
        self._error = ""
        if self._item is None or self._basis() == before or not self._session.decision(self._item):
            return self._go(self._item, known=True)
        self._message = (
            f"#{self._number} was answered elsewhere: {self._queue.description(self._item)}"
        )
        self._go(self._queue.next(self._item))

    def on_next(self) -> None:
        """Show the next open item; if there is none, the next skipped one."""
        following = self._queue.next(self._item)
        self._message = ""
        if following is None:
            self._message = "Nothing is left to decide."
            return self._go(self._item, known=True)
        self._go(following)

    def on_reveal(self, item: int) -> None:
        """Show the hidden part; it stays visible while this item is on screen, and the log remembers this."""
        if item != self._number or self._revealed:
            return
        try:
            self._prepare_reveal()
        except PairsError as error:
            self._error = f"There is no proposal. {error}"
            return self._tell()
        if self._can_reveal and self._is_blind:
            seen = {"blind": False}
            if not self._write(lambda: self._session.note(self._item, shown=seen), lambda: None):
                return
        self._revealed = True
        self._tell()
        self._update_twin()

    def on_open(self, item: int) -> None:
        """Show an item of the list, by its number."""
        found = self._checked(item)
        if self._queue.is_left(found) and not self._queue.part.asks(found):
            self._message = (
                f"#{item} is not for you now: somebody else is at it, or has answered it."
            )
            return self._tell()
        self._message = ""
        self._go(found)

    def on_query(self, words: str | None = None, show: str | None = None) -> None:
        """Search the queue, or show a part of it."""
        if not isinstance(words, str | None) or show not in (None, *SHOWN):
            raise PairsError(
                f"find a text, not {words!r}, among one of {', '.join(SHOWN)}, not {show!r}"
            )
        if words is not None:
            self._search = words
        if show is not None:
            self._show = show
        self._list_page(0)

    def on_page(self, page: int, open: str | None = None) -> None:
        """Show another page of the list; `open` its first or last entry."""
        if open not in (None, "first", "last"):
            raise PairsError(f"{open!r} is not an end of a page")
        self._list_page(int(page))
        rows = self.listing["rows"]
        if open and rows:
            self.on_open(rows[0 if open == "first" else -1]["item"])

    def _checked(self, number: int) -> int:
        """The item that has a number."""
        last = len(self._queue.items)
        is_whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not is_whole or not 1 <= number <= last:
            one = self.words["one"]
            raise PairsError(f"{number!r} is not the number of a {one}: they are 1 to {last}")
        return self._queue.items[number - 1]

    # -- the log -------------------------------------------------------------------------------------------

    @property
    def _number(self) -> int | None:
        """Number of the item on screen."""
        return self._queue.number.get(self._item)

    @property
    def _is_blind(self) -> bool:
        """True if the reviewer has never seen the hidden part of the item on screen."""
        return not (self._revealed and self._can_reveal) and not self._session.saw(self._item)

    def _keep(self, answers: list[Plain], taken_back: Iterable[Row] = ()) -> bool:
        """Log answers given on screen, and show the decision and the one it replaced."""
        before = self._session.decision(self._item)
        if not self._write(lambda: self._session.give(answers, taken_back)):
            return False
        now = self._queue.description(self._item)
        self._message = f"#{self._number}: {now}"
        if before not in ("", now):
            self._message += f", changed from {before}"
        if self._search.strip().startswith("#"):  # a number finds one item, and that is decided
            self._search = ""
        return True

    def _write(self, act: Callable[[], None], basis: Callable[[], Any] | None = None) -> bool:
        """Change the log and the queue; an error is shown, and then nothing changes.

        Answers given elsewhere are read first. If they change the `basis` of the act (by default, what stands of the
        item on screen), nothing is written, and the page shows them.
        """
        basis = basis or self._basis
        self._message = ""
        self._error = ""
        try:
            before = basis()
            self._session.catch_up()
            if basis() == before:
                act()
                return True
            self._message = CHANGED
            self._go(self._item, known=True)
        except PairsError as error:
            self._error = f"Not decided. {error}"
            self._tell()
        return False

    def _basis(self) -> Any:
        """The grounds of a decision on the item on screen, which answers given elsewhere may change."""
        return self._queue.state(self._item), self._queue.rows.get(self._item)
