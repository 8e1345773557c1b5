"""One person who answers in a log; a reviewer at a queue, with related logs of others."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import check_type
from ..files.spelling import from_here, reading_flags
from ..graph import ParaphraseGraph
from ..graph.conflicts import contradictions
from ..graph.proof import known_labels
from ..pairs.back import clean_name
from ..pairs.remembered import left_to_say
from .agreement import Agreement
from .answers import Answers, Pair, Row
from .log import Log, records_of, signed
from .queue import DONE, Queue
from .record import OVERRULES, Answer, pair_of

__all__ = ["Reviewer", "Session", "pairs_asked"]


class Reviewer:
    """One person who answers in a log, by default its own reviewer; `answers` are theirs, as far as they are read.

    Parameters
    ----------
    graph : ParaphraseGraph, optional
        In which the answers are found.
    only : function, optional
        Of an answer: does it count here?
    """

    def __init__(
        self,
        log: Log,
        reviewer: str | None,
        graph: ParaphraseGraph | None = None,
        only: Callable[[Answer], bool] | None = None,
    ):
        self.log, self.reviewer = signed(log, reviewer)
        self.answers = Answers((), graph, only)
        self._place = 0  # in the log, up to which it is read

    @property
    def last(self) -> Row | None:
        """The last answer that can be taken back."""
        raise NotImplementedError

    def catch_up(self) -> None:
        """Read the records that came into the log since."""
        self.take(self._news())

    def _news(self) -> list[Answer]:
        records, self._place = self.log.records_after(self._place, self.reviewer)
        return [record for record in records if not self.answers.has(record)]

    def take(self, records: list[Answer]) -> None:
        """Take in new records."""
        self.answers.add(records)

    def give(self, answers: Iterable[Mapping[str, Any]], undoing: Iterable[Row] = ()) -> None:
        """Log answers or notes that are given together, and take back others."""
        taken_back = [row.record for row in undoing]
        records = self.log.give(answers, taken_back, self.reviewer)
        self.take(records)

    def undo(self) -> Row | None:
        """Take back the last answers that were given together; return the last of them."""
        last = self.last
        if last is not None:
            records = self.log.undo(self.reviewer, last.record.id)
            self.take(records)
        return last


class Session(Reviewer):
    """The answers of one reviewer to the items of a queue.

    Parameters
    ----------
    log : path or DecisionLog
    reviewer : str, optional
        Default: that of the log.
    graph, only : optional
        As for `Reviewer`.
    second : path or DecisionLog, optional
        Only what somebody else has decided in this log.
    settle : Agreement, optional
        Only what its reviewers disagree on.
    by_conflict : bool
        The items are conflicts, not pairs: a line that somebody found wrong for a conflict asks about that conflict.

    Attributes
    ----------
    wanted : set of Pair, or None
        Only the items of these pairs.
    contested : dict
        By pair: the answers of others that an answer here overrules.
    """

    queue: Queue

    def __init__(
        self,
        log: Log,
        reviewer: str | None,
        graph: ParaphraseGraph | None = None,
        second: Log | None = None,
        settle: Agreement | None = None,
        by_conflict: bool = False,
        only: Callable[[Answer], bool] | None = None,
    ):
        super().__init__(log, reviewer, graph, only)
        self.answers.add(self._news())
        self.logs: list[Log] = []  #: of others
        self.wanted: set[Pair] | None = None
        self.contested: Mapping[Pair, list[Row]] = {}
        if second is not None and settle is not None:
            raise PairsError("second and settle are two reviews; give one of them")
        if second is not None:
            self.wanted = set()
            for row in _others(second, self.reviewer, graph).live:
                self.wanted |= (by_conflict and row.about) or {row.pair}
            self.logs = [second]
        if settle is not None:
            check_type(
                settle,
                Agreement,
                "settle",
                "an agreement",
                'settle=pg.agreement("ada.db", "bo.db")',
            )
            if self.reviewer in settle.reviewers:
                raise PairsError(
                    f"{self.reviewer!r} is one of those who disagree; a third person settles"
                )
            theirs = Answers(settle.answers.records, graph)
            self.contested = theirs.contested(by_conflict)
            self.wanted = set(self.contested)
            self.logs = list(settle.logs)

    # -- what is answered ----------------------------------------------------------------------------------

    def note(self, item: int, **content: Any) -> None:
        """Log a note on the pair of an item, or that something about it was shown."""
        text_a, text_b = self.queue.pair[item]
        self.give([{"text_a": text_a, "text_b": text_b, **content}])

    def take(self, records: list[Answer]) -> None:
        """Read the queue again, with new records."""
        super().take(records)
        self.queue.read(self.answers)

    def catch_up(self) -> bool:
        """Read new records by another review of this person; return True if they changed an item here."""
        news = self._news()
        if not news:
            return False
        states = self.queue.states
        rows = self.queue.rows
        self.take(news)
        return (self.queue.states, self.queue.rows) != (states, rows)

    @property
    def last(self) -> Row | None:
        """The last answer about an item of this queue that stands."""
        for row in reversed(self.answers.rows):
            if self.queue.item_of(row) is not None:
                return row
        return None

    def saw(self, item: int) -> bool:
        """Return whether this person has ever seen the hidden part of an item."""
        pair = pair_of(*self.queue.pair[item])
        seen = [one.saw for one in self.answers.records if one.pair == pair]
        return any(saw.get("blind") is False for saw in seen)

    def context(self, item: int) -> dict[str, Any]:
        """Return what the log says with an answer to an item: the answers that it overrules."""
        rows = self._contested(item)
        return {OVERRULES: [row.record.id for row in rows]} if rows else {}

    def views(self, item: int) -> list[list[str]]:
        """The pairs of the conflicts that the overruled answers were about."""
        rows = self._contested(item)
        return list(chain.from_iterable(row.record.about_pairs for row in rows))

    def _contested(self, item: int) -> list[Row]:
        return self.contested.get(self.queue.pair_of[item], [])

    def decision(self, item: int) -> str:
        """Return the decision on an item in words; empty if there is none."""
        if self.queue.state(item) not in DONE:
            return ""
        return self.queue.description(item)

    def notes(self, item: int) -> str:
        """The notes on the pair of an item."""
        key = (self.reviewer, self.queue.pair_of[item])
        return self.answers.notes.get(key, "")

    def left_out(self, one: str, repeats: int) -> str:
        """Count what is missing from the queue of items called `one`: rows, requested pairs, decisions of the log."""
        here = set(self.queue.pair_of.values())
        requested = self.wanted or set()
        counts = {
            "rows that name a pair again": repeats,
            f"pairs of the other logs that are no {one} of these": len(requested - here),
            f"answers of the log about no {one} of these": self.queue.elsewhere,
        }
        named = [f"{name} ({count:,})" for name, count in counts.items() if count]
        return f"Left out: {'; '.join(named)}." if named else ""

    def table(self) -> pd.DataFrame:
        """All items in their order: `number`, `text_a`, `text_b`, `state`."""
        queue = self.queue
        table = pd.DataFrame(queue.pair.values(), columns=["text_a", "text_b"], dtype="str")
        table.insert(0, "number", range(1, len(table) + 1))
        states = [queue.state(item) for item in queue.items]
        table["state"] = pd.array(states, dtype="str")
        return table

    def next_steps(self, graph: ParaphraseGraph, audit: bool = False) -> str:
        """The commands after the review or audit, for copying, with all known names."""
        file = "FILE"
        clean = "my.clean.csv"
        options = {}
        source = graph.report.get("path")
        if source:
            file = shlex.quote(from_here(source))
            clean = shlex.quote(clean_name(graph.report))
            options = left_to_say(source, graph.report.get("options", {}))
        read = reading_flags(options | {"identity": graph.identity})
        if audit:
            return f"paragraph audit {file} --answers {shlex.quote(from_here(self.log.path))}{read}"
        paths = [getattr(log, "path", log) for log in (*self.logs, self.log)]
        names = [from_here(path) for path in paths if isinstance(path, str | PathLike)]
        logs = shlex.join(dict.fromkeys(names))
        is_alone = not self.logs and not self.log.count_besides(self.reviewer)
        others = " OTHER.db" if is_alone else ""
        return f"paragraph agreement {logs}{others}\nparagraph apply {file} {logs}{read} -o {clean}"


def pairs_asked(
    graph: ParaphraseGraph,
    reviewer: str,
    second: Log | None = None,
    settle: Agreement | None = None,
) -> tuple[pd.DataFrame | None, str]:
    """The pairs that somebody else has answered in a log, or on which the reviewers of others disagree.

    For a review of pairs: a table with `text_a`, `text_b`, in the order of the answers; and the question, "right" if
    each pair has a label, stated or inferred, else "same". No table if all answers are about conflicts of the
    graph, which are decided as such.

    Raises
    ------
    PairsError
        There are such pairs, but none is in the graph.
    """
    rows = []
    if second is not None:
        rows = _others(second, reviewer, graph).live
    if settle is not None:
        disputes = Answers(settle.answers.records, graph).disputes
        rows = list(chain.from_iterable(one.rows for one in disputes))
    ends = contradictions(graph).ends
    conflicts = set(Answers((), graph).pairs_at(*ends))
    if all(row.conflicts <= conflicts for row in rows):
        return None, ""
    here = {row.pair: row.ends for row in rows if row.ends[0] >= 0}
    if not here:
        pairs = {row.pair for row in rows}
        raise PairsError(f"none of the {len(pairs):,} pairs is in these data")
    a, b = np.array(list(here.values())).T
    labels, _ = known_labels(graph, a, b)
    question = "right" if (labels >= 0).all() else "same"
    return graph.pair_texts(a, b), question


def _others(log: Log, reviewer: str, graph: ParaphraseGraph | None) -> Answers:
    """The answers in a log, or in a file of answers, without those of one person."""
    records = [record for record in records_of(log) if record.reviewer != reviewer]
    return Answers(records, graph)
