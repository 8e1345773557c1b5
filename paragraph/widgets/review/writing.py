"""The log of a review, as its page writes it: answers, notes, undo, and what was answered elsewhere meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...decisions.answers import Row
from ...decisions.queue import Queue
from ...decisions.session import Session
from ...files import PairsError
from ..base.records import Plain
from ..base.widget import Bench

__all__ = ["CHANGED", "LATE", "Answering"]

#: What happened to a key that came after the answer of another page, or of another review in the same log.
LATE = "Not taken: {key} for #{item}, which is no longer the one shown. Another page of this review has gone on."
CHANGED = "Not taken: this was answered elsewhere meanwhile, as is shown now. Decide again if it is wrong."


class Answering(Bench):
    """A bench whose person answers in a log. `_queue` has the items, `_session` the answers, `_item` is on screen."""

    _queue: Queue
    _session: Session
    _item: int | None = None
    _revealed = False  #: is the hidden part of the item on screen visible?
    _can_reveal = True  #: is something of the item on screen hidden?
    _words = ""  #: those that the list is searched for
    _error = ""
    _message = ""

    def __new__(cls, *args: Any, **options: Any):
        review = super().__new__(cls, *args, **options)
        review._given = args, options
        return review

    # -- what the page shows, in `desk` --------------------------------------------------------------------

    @property
    def _number(self) -> int | None:
        """Number of the item on screen."""
        return None if self._item is None else self._queue.number[self._item]

    def _go(self, item: int | None, known: bool = False) -> None:
        """Show an item, or that none is left."""
        raise NotImplementedError

    def _tell(self) -> None:
        """Tell the page of the item on screen."""
        raise NotImplementedError

    def _checked(self, number: int) -> int:
        """The item that has a number."""
        raise NotImplementedError

    def _at_the_end(self) -> Plain:
        """The title where nothing is left, and what stands beside it."""
        note = self._queue.part.note
        title = note or self._title()
        why = {"title": "Nothing to decide", "text": title}
        if self._queue.items:
            facts = self._queue.progress()
            del facts["open"]
            why["facts"] = [[name, str(count)] for name, count in facts.items()]
            if not note:
                why |= self._summary()
        return {"title": title, "why": why}

    def _title(self) -> str:
        """The heading of the item on screen, or of the end."""
        raise NotImplementedError

    def _summary(self) -> Plain:
        """The next steps, once all is decided."""
        raise NotImplementedError

    # -- intents -------------------------------------------------------------------------------------------

    def on_look(self) -> None:
        """Show what was answered elsewhere in the log meanwhile; of the item on screen, go on to the next one."""
        before = self._basis()
        if not self._session.catch_up():
            return
        self._message = self._error = ""
        is_answered = self._item is not None and self._basis() != before and bool(self._session.decided(self._item))
        if not is_answered:
            return self._go(self._item, known=True)
        self._message = f"#{self._number} was answered elsewhere: {self._queue.description(self._item)}"
        self._go(self._queue.next(self._item))

    def on_undo(self) -> None:
        """Take back the last decision of this queue that stands, and show its item."""
        if (last := self._session.last) is None:
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
        if text.strip() and self._write(lambda: self._session.note(noted, note=text.strip()), lambda: None):
            self._message = "Noted." if noted == self._item else f"Noted: #{item}."
            self._tell()

    # -- the log -------------------------------------------------------------------------------------------

    def _keep(self, answers: list[Plain], taken_back: Iterable[Row] = ()) -> bool:
        """Log answers given on screen, and show the decision and the one it replaced."""
        before = self._session.decided(self._item)
        if not self._write(lambda: self._session.give(answers, taken_back)):
            return False
        now = self._queue.description(self._item)
        self._message = f"#{self._number}: {now}"
        if before not in ("", now):
            self._message += f", changed from {before}"
        self._words *= not self._words.strip().startswith("#")  # a number finds one item, and that is decided
        return True

    def _write(self, act: Callable[[], None], basis: Callable[[], Any] | None = None) -> bool:
        """Change the log and the queue; an error is shown, and then nothing changes.

        Answers given elsewhere are read first. If they change the `basis` of the act (by default, what stands of the
        item on screen), nothing is written, and the page shows them.
        """
        basis = basis or self._basis
        self._message = self._error = ""
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
        """What a decision on the item on screen rests on, and answers given elsewhere may change."""
        if self._item is None:
            return None
        return self._queue.state(self._item), self._queue.standing(self._item)

    @property
    def _is_blind(self) -> bool:
        """True if the reviewer has never seen the hidden part of the item on screen."""
        return not (self._revealed and self._can_reveal) and not self._session.saw(self._item)

    def _can_undo(self) -> bool:
        return self._session.last is not None
