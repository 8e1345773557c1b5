"""One person who answers in a log; a reviewer at a queue, with related logs of others."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any

import pandas as pd

from ..files import PairsError
from ..files.spelling import from_here, reading
from ..graph import ParaphraseGraph
from ..pairs.back import clean_name
from ..pairs.remembered import left_to_say
from .agreement import Agreement
from .log import DecisionLog, signed
from .queue import DONE, Items
from .record import SETTLES, Answer, final_answers, notes, pair_of, standing

__all__ = ["Answering", "Log", "Session"]

#: A log, or where it is.
Log = str | PathLike | DecisionLog


class Answering:
    """One person who answers in a log, by default its own reviewer; `records` are theirs, as far as they are read."""

    def __init__(self, log: Log, reviewer: str | None):
        self.log, self.reviewer = signed(log, reviewer)
        self.records: list[Answer] = []

    @property
    def last(self) -> Answer | None:
        """The last answer that can be taken back."""
        raise NotImplementedError

    def news(self) -> list[Answer]:
        """The records that were added to the log since."""
        return self.log.records(self.reviewer, self.records[-1].time if self.records else "")

    def take(self, news: list[Answer]) -> None:
        """Take in new records."""
        self.records += news

    def give(self, answers: Iterable[Mapping[str, Any]], undoing: Iterable[Answer] = ()) -> None:
        """Log answers or notes that are given together, and take back others."""
        self.take(self.log.give(answers, undoing, self.reviewer))

    def undo(self) -> Answer | None:
        """Take back the last answers that were given together; return the last of them."""
        if last := self.last:
            self.take(self.log.undo(self.reviewer, last.id))
        return last


class Session(Answering):
    """The answers of one reviewer to the items of a queue.

    Parameters
    ----------
    log : path or DecisionLog
    reviewer : str, optional
        Default: that of the log.
    second : path or DecisionLog, optional
        Only pairs that somebody else has decided in this log.
    settle : Agreement, optional
        Only pairs, or conflicts, on which its reviewers disagree.
    """

    queue: Items

    def __init__(
        self,
        log: Log,
        reviewer: str | None,
        second: Log | None,
        settle: Agreement | None,
    ):
        super().__init__(log, reviewer)
        super().take(self.news())
        if not self.records and second is None and self.log.count_besides(self.reviewer):
            whose = ", ".join(sorted({record.reviewer for record in self.log.records()}))
            warnings.warn(
                f"{self.log.path.name} is the log of {whose}; {self.reviewer} answers in it, too", stacklevel=4
            )
        self.logs: list[Log] = []  #: of others
        self.wanted: set[frozenset[str]] | None = None if second is None else self._decided(second)
        self.apart: dict[frozenset[str], list[str]] = {}  #: by pair or conflict: the answers that a third settles
        if settle is not None:
            if self.reviewer in settle.reviewers:
                raise PairsError(f"{self.reviewer!r} is one of those who disagree; a third person settles")
            for dispute in settle.disputes:
                differ = {one.id for one in dispute.answers}
                for conflict in dispute.conflicts:
                    about = [one.id for one in settle.answers if one.id in differ or conflict in one.conflicts()]
                    self.apart.setdefault(conflict, []).extend(about)
            self.wanted = {*self.apart} if self.wanted is None else self.wanted & {*self.apart}
            self.logs = settle.logs

    def _decided(self, second: Log) -> set[frozenset[str]]:
        log = second if isinstance(second, DecisionLog) else DecisionLog(second, create=False)
        self.logs = [] if log.path == self.log.path else [second]
        theirs = [record for record in log.records() if record.reviewer != self.reviewer]
        return set().union(*(one.conflicts() for one in final_answers(theirs)))

    # -- what is answered ----------------------------------------------------------------------------------

    def note(self, item: int, **content: Any) -> None:
        """Log a note on the pair of an item, or that something about it was shown."""
        self.give([dict(zip(("text_a", "text_b"), self.queue.pair[item], strict=True)) | content])

    def take(self, news: list[Answer]) -> None:
        """Read the queue again, with new records."""
        super().take(news)
        self.queue.read(standing(self.records))

    def catch_up(self) -> bool:
        """Read new records by another review of this person; return True if they changed an item here."""
        news, before = self.news(), self._states()
        self.take(news)
        return bool(news) and self._states() != before

    def _states(self) -> dict[int, tuple[str, Answer | None]]:
        """Return the state of each item, with the answer that made it."""
        return {item: (self.queue.state(item), self.queue.standing(item)) for item in self.queue.items}

    @property
    def last(self) -> Answer | None:
        """The last answer about an item of this queue that stands."""
        mine = (one for one in reversed(standing(self.records)) if self.queue.item_of(one) is not None)
        return next(mine, None)

    def saw(self, item: int) -> bool:
        """Return whether this person has ever seen the hidden part of an item."""
        pair = pair_of(*self.queue.pair[item])
        return any(record.saw.get("blind") is False for record in self.records if record.pair == pair)

    def settled(self, item: int) -> dict[str, Any]:
        """Return other people's answers about an item that are settled here, in the form for an answer."""
        ids = self.apart.get(pair_of(*self.queue.pair[item]))
        return {SETTLES: list(dict.fromkeys(ids))} if ids else {}

    def decided(self, item: int) -> str:
        """Return the decision on an item in words; empty if there is none."""
        return self.queue.description(item) if self.queue.state(item) in DONE else ""

    def noted(self, item: int) -> str:
        """The notes on the pair of an item."""
        return notes(self.records).get((self.reviewer, pair_of(*self.queue.pair[item])), "")

    def left_out(self, one: str, repeats: int) -> str:
        """Count what is missing from the queue of items called `one`: rows, requested pairs, decisions of the log."""
        odd = len(self.wanted - {pair_of(*pair) for pair in self.queue.pair.values()}) if self.wanted else 0
        counts = {
            "rows that name a pair again": repeats,
            f"pairs of the other logs that are no {one} of these": odd,
            f"answers of the log about no {one} of these": self.queue.elsewhere,
        }
        found = "; ".join(f"{name} ({count:,})" for name, count in counts.items() if count)
        return f"Left out: {found}." if found else ""

    def table(self) -> pd.DataFrame:
        """All items in their order: `number`, `text_a`, `text_b`, `state`."""
        items, queue = self.queue.items, self.queue
        table = pd.DataFrame([queue.pair[item] for item in items], columns=["text_a", "text_b"], dtype="str")
        table.insert(0, "number", range(1, len(items) + 1))
        return table.assign(state=pd.array([queue.state(item) for item in items], dtype="str"))

    def next_steps(self, graph: ParaphraseGraph, audit: bool = False) -> str:
        """The commands after the review or audit, for copying, with all known names."""
        given = [log.path if isinstance(log, DecisionLog) else log for log in (*self.logs, self.log)]
        logs = shlex.join(from_here(path) for path in given if isinstance(path, str | PathLike))
        source = graph.report.get("path", "")
        file = shlex.quote(from_here(source)) if source else "FILE"
        options = left_to_say(source, graph.report.get("options", {})) if source else {}
        read = reading(options | {"identity": graph.identity})
        if audit:
            return f"paragraph audit {file} --judged {shlex.quote(from_here(self.log.path))}{read}"
        alone = not self.logs and len({record.reviewer for record in self.log.records()}) < 2
        clean = shlex.quote(clean_name(graph.report) if source else "my.clean.csv")
        return f"paragraph agreement {logs}{' OTHER.db' * alone}\nparagraph apply {file} {logs}{read} -o {clean}"
