"""The desk of every review: one person decides pairs by keys, and all of it is in a log."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from ...decisions.agreement import Agreement
from ...decisions.log import DecisionLog
from ...decisions.queue import DECIDED, Items
from ...decisions.records import AGAIN, SETTLES, Decision, pair_of, standing
from ...graph import ParaphraseGraph
from ...pairs import PairsError
from ...words.shared import word_diff
from ..base.live import held
from ..base.why import SHARED
from .others import Others
from .questions import Question, keys_off
from .screen import Screen

__all__ = ["Review"]

REVEALED = "revealed"  # the note that remembers it
NAMED = 5  # items named in a message
AFTER = 0.05  # seconds after an answer, so that it is on its way, before the next picture is laid out


class Review(Screen):
    """A queue of pairs of sentences that one person decides.

    A subclass is a task. It gives its items to `_start`, and of an item: the `_case` above the picture, the scene
    (`_nodes`, `_lines`), the `_evidence` on the right, and the `_label` on which its `_question` is asked. Where a
    decision is more than the answer to a question, `_choose` says what it writes.
    """

    _question: Question
    _label = 0, False  #: the label of the item on screen, and if it is stated
    _repeats = 0  #: rows that named a pair again
    _can_reveal = True  #: is something of the item on screen hidden?

    def __init__(
        self,
        graph: ParaphraseGraph | None,
        log: str | PathLike | DecisionLog,
        reviewer: str | None,
        words: dict[str, Any],
        *,
        blind: bool = True,
        second: bool | str | PathLike | DecisionLog = False,
        settle: Agreement | None = None,
        **look: Any,
    ):
        super().__init__(graph, words, **look)
        self.decision_log = log if isinstance(log, DecisionLog) else DecisionLog(log, reviewer)
        self.reviewer, self.blind = reviewer or self.decision_log.reviewer or "", blind
        if not self.reviewer.strip():
            raise PairsError('whose decisions will these be? Say reviewer="your name"')
        self._records = self.decision_log.records(self.reviewer)
        self._of_others = Others(self.decision_log, self.reviewer, second, settle)
        self._revealed = False
        self._began = time.monotonic()

    @held
    def _start(self, queue: Items) -> None:
        """Show the first item of the queue that is open."""
        self._queue = queue
        self._take([])
        self._go(queue.next())

    def _in_order(self, count: int, order: str) -> list[int]:
        """Items as they are given, or shuffled by the seed."""
        if order not in ("given", "random"):
            raise PairsError(f"order {order!r} is not one of given, random")
        rng = np.random.default_rng(self.seed)
        return rng.permutation(count).tolist() if order == "random" else list(range(count))

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def decisions(self) -> pd.DataFrame:
        """This reviewer's decisions that stand, of this queue and others: see `DecisionLog.current`."""
        return self.decision_log.current(self.reviewer)

    def decide(self, decision: str) -> None:
        """Decide the pair on screen as a key does, by the name of the choice: "flip", "keep", "ambiguous" or "skip";
        where it is asked what the two mean, "same", "different", "ambiguous" or "skip"."""
        self._decide(decision)

    def _decide(self, decision: str, edge: str | None = None) -> None:
        """Decide the item on screen as a key does; what cannot be written is an error."""
        if self._item is None:
            one = self.words["one"]
            raise PairsError(f"there is nothing to decide: set `current` to the number of a {one}")
        with self.hold_sync():
            self.on_decide(self.current, decision, edge)
        if self._error:
            raise PairsError(self._error)

    # -- intents -------------------------------------------------------------------------------------------

    def _answer(self, *message: Any) -> None:
        super()._answer(*message)
        with suppress(RuntimeError):  # no loop: nobody is waiting
            asyncio.get_running_loop().call_later(AFTER, self._prepare)

    def on_decide(self, item: int, decision: str, edge: str | None = None) -> None:
        """Decide the item that the page shows; of a cut, `edge` is the line of the positive that is wrong."""
        choices = [name for _, name, *_ in self.words["decide"]]
        if decision not in choices:
            raise PairsError(f"{decision!r} is not one of {', '.join(choices)}")
        if item is not None and item == self.current:  # a second press may come before the page shows the next item
            self._choose(decision, edge)

    def on_next(self) -> None:
        """Show the next item that is open; where none is, the next skipped one."""
        following = self._queue.next(self._item)
        self._message = "" if following is not None else "Nothing is left to decide."
        if following is None:
            return self._tell()
        self._go(following)

    def on_undo(self) -> None:
        """Take back the last decision of this queue that stands, and show its item."""
        last = self._last
        if last is None:
            self._message = "Nothing is left to undo."
            return self._tell()
        if self._write(self._undo):
            item = self._queue.item_of(last)
            self._message = f"Taken back: {self._name_of(last)} of #{self._queue.number[item]}"
            self._go(item)

    def on_note(self, item: int, text: str) -> None:
        """Note something on the item that the page shows."""
        if not isinstance(text, str):
            raise PairsError(f"a note is text, not {text!r}")
        if item == self.current and text.strip() and self._log("note", note=text.strip()):
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
        if self._is_blind and self._can_reveal and not self._log("note", note=REVEALED, shown={"blind": False}):
            return
        self._revealed = True
        self._draw()
        self._tell()
        self._update_twin()

    # -- what a task may say otherwise ----------------------------------------------------------------------

    def _choose(self, decision: str, edge: str | None) -> None:
        """Write what an answer says of the label, and go on."""
        at, (label, stated) = self._item, self._label
        if decision in ("same", "different"):
            decision = "keep" if (decision == "same") == bool(label) else "flip"
        shown = self._shown() | ({} if stated else {"stated": False})
        cut = {"edge": self._queue.pair[at]} if decision == "flip" and label else {}
        if self._keep("cut" if cut else decision, label=label, shown=shown, **cut):
            self._go(self._queue.next(at))

    def _shown(self) -> dict[str, Any]:
        """Return what the reviewer saw, for the log."""
        names = self._of_others.apart.get(pair_of(*self._queue.pair[self._item]))
        return {"blind": self._is_blind} | ({SETTLES: names} if names else {})

    def _title(self) -> str:
        total = len(self._queue.items)
        if self._item is not None:
            return f"{self.words['one'].capitalize()} #{self.current:,} of {total:,}: {self._question.asks}"
        return ". ".join(["All is decided", *self._estimate()[:1]]) if total else "The table has no pairs."

    def _listing_note(self) -> str:
        """Return what is not in the list, and why."""
        repeats, odd = self._repeats, self._queue.elsewhere
        are = "decisions of the log are" if odd > 1 else "decision of the log is"
        notes = [
            f"Left out: {repeats:,} row{'s' * (repeats > 1)} naming a pair again." if repeats else "",
            self._of_others.left_out(self._queue.pair.values()),
            f"{odd} {are} about no {self.words['one']} of these." if odd else "",
        ]
        return " ".join(filter(None, notes))

    def _summary(self) -> dict[str, Any]:
        """Return what the right-hand side shows besides when all is decided."""
        return self._next_steps()

    def _next_steps(self, audit: bool = False) -> dict[str, Any]:
        """The next steps as the right-hand side shows them, to be copied."""
        what = "the report, proposals" if audit else "compare two logs; correct the file (last line: in Python)"
        return {"copy": {"title": f"Next, in a shell: {what}", "text": self._of_others.next_steps(self.graph, audit)}}

    def _prepare_reveal(self) -> None:
        """Work out what is about to be revealed."""

    def _name_of(self, record: Decision) -> str:
        return self._question.states[self._question.of(record)][0]

    @property
    def _can_undo(self) -> bool:
        return self._last is not None

    # -- the log -------------------------------------------------------------------------------------------

    def _keep(self, decision: str, pair: tuple[str, str] | None = None, **content: Any) -> bool:
        """Log a decision made on screen, and tell it with the one that it replaced."""
        at, queue = self._item, self._queue
        before = queue.description(at) if queue.state(at) in DECIDED else ""
        if not self._log(decision, pair, seconds=time.monotonic() - self._began, **content):
            return False
        now = queue.description(at) or decision
        changed = f", changed from {before}" if before not in ("", now) else ""
        self._message = f"#{queue.number[at]}: {now}{changed}"
        if self._words.strip().startswith("#"):  # a number finds one item, and that is decided
            self._words = ""
        return True

    def _log(self, decision: str, pair: tuple[str, str] | None = None, **content: Any) -> bool:
        pair = pair or self._queue.pair[self._item]
        add = self.decision_log.add
        return self._write(lambda: self._take([add(*pair, decision, reviewer=self.reviewer, **content)]))

    def _write(self, act: Callable[[], None]) -> bool:
        """Do something to the log and to the queue; an error is shown, and then nothing is done."""
        self._message = self._error = ""
        try:
            changed = self._catch_up()
            if not changed:
                act()
        except PairsError as error:
            self._error = f"Not decided. {error}"
            self._tell()
            return False
        if changed:
            named = ", ".join(changed[:NAMED]) + ", …" * (len(changed) > NAMED)
            self._error = (
                f"Nothing was written: another review of {self.reviewer} has changed {named} in this log meanwhile. "
                "All is shown here now; decide again."
            )
            self._go(self._item, known=True)
        return not changed

    def _catch_up(self) -> list[str]:
        """Read what another review of this person wrote to the log, and name the items that it changed here."""
        news = self.decision_log.records(self.reviewer, self._records[-1].time if self._records else "")
        if not news:
            return []
        before = self._states()
        self._take(news)
        return [f"#{self._queue.number[item]}" for item, now in self._states().items() if now != before[item]]

    def _undo(self) -> None:
        """Take back the last decision of this queue, and one before it that the same key made."""
        again = True
        while again and (last := self._last):
            self._take([self.decision_log.undo(self.reviewer, last.id)])
            again = self._last and self._last.saw.get(AGAIN)

    def _take(self, news: list[Decision]) -> None:
        """Read the queue anew, with records that are new."""
        self._records += news
        self._queue.read(standing(self._records))

    @property
    def _last(self) -> Decision | None:
        """The last decision of this queue that stands."""
        mine = (one for one in reversed(standing(self._records)) if self._queue.item_of(one) is not None)
        return next(mine, None)

    def _states(self) -> dict[int, tuple[str, Decision | None]]:
        """Return the state of each item, with the decision that made it."""
        return {item: (self._queue.state(item), self._queue.standing(item)) for item in self._queue.items}

    def _about(self) -> list[Decision]:
        """Return what this person logged about the pair on screen."""
        pair = pair_of(*self._queue.pair[self._item])
        return [record for record in self._records if record.pair == pair]

    @property
    def _is_blind(self) -> bool:
        """Has the reviewer never seen what is hidden of the item on screen?"""
        saw = any(record.saw.get("blind") is False for record in self._about())
        return not (self._revealed and self._can_reveal) and not saw

    def _go(self, item: int | None, known: bool = False) -> None:
        """Show an item, or that none is left; `known`: what was revealed of it stays so."""
        if not known:
            self._revealed = not self.blind
            self._began = time.monotonic()
        super()._go(item)

    def _tell(self) -> None:
        case = {"item": None, "error": self._error, "message": self._message}
        if self._item is not None:
            item, queue = self._item, self._queue
            notes = [
                record.note for record in self._about()
                if record.decision == "note" and record.saw.get("blind") is not False
            ]  # fmt: skip
            case |= {"item": self.current, "notes": notes, "path": [], "sign": 0, "stated": ""}
            case |= {"state": queue.state(item), "description": queue.description(item, long=True)}
            case |= {"revealed": self._revealed or not self._can_reveal}
            case |= {"pair": list(word_diff(*queue.pair[item], SHARED))}
            case |= self._case()
        case["off"] = keys_off(self.words, case, self._revealed, self._can_undo)
        self.case = case
        self._explain()
