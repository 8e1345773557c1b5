"""One person who answers in a log; and one who answers the items of a queue."""

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
from .places import Places
from .queue import DONE, Queue
from .record import OVERRULES, Answer, pair_of

__all__ = ["Reviewer", "Session", "pairs_asked"]


class Reviewer:
    """One person who answers in a log, by default its own reviewer; `answers` are as last read.

    Parameters
    ----------
    graph : ParaphraseGraph, optional
        The answers are found in it.
    only : function, optional
        Takes an answer; true if it counts here.
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
        self._place = 0  # the place in the log up to which it is read

    @property
    def last(self) -> Row | None:
        """The last answer that can be taken back."""
        raise NotImplementedError

    def catch_up(self) -> None:
        """Take in the records that are new in the log."""
        self.take(self._new_records())

    def _new_records(self) -> list[Answer]:
        """The records of this person that came into the log since the last call."""
        records, self._place = self.log.records_after(self._place, self.reviewer)
        return [record for record in records if not self.answers.has(record)]

    def take(self, records: list[Answer]) -> None:
        """Take in new records."""
        self.answers.add(records)

    def give(self, answers: Iterable[Mapping[str, Any]], undoing: Iterable[Row] = ()) -> None:
        """Log answers or notes that are given together, and take back others."""
        undone = [row.record for row in undoing]
        records = self.log.give(answers, undone, self.reviewer)
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
        Only items that somebody else has answered in this log.
    settle : Agreement, optional
        Only items on which its reviewers disagree.
    by_conflict : bool
        The items are conflicts, not pairs; if somebody found a line wrong for a conflict, the item
        is the conflict.

    Attributes
    ----------
    wanted : set of Pair, or None
        The pairs of the only items, or None for all.
    contested : dict
        By pair, the answers of others that an answer here overrules.
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
        self.answers.add(self._new_records())
        self.logs: list[Log] = []  #: of others
        self.wanted: set[Pair] | None = None
        self.contested: Mapping[Pair, list[Row]] = {}
        if second is not None and settle is not None:
            raise PairsError("second and settle are two reviews; give one of them")
        if second is not None:
            self.wanted = set()
            for row in _rows_of_others(second, self.reviewer, graph):
                about = row.about if by_conflict else ()
                self.wanted |= about or {row.pair}
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

    # -- answers -------------------------------------------------------------------------------------------

    def note(self, item: int, **content: Any) -> None:
        """Log a note on the pair of an item, or what was shown of it."""
        text_a, text_b = self.queue.pair[item]
        self.give([{"text_a": text_a, "text_b": text_b, **content}])

    def take(self, records: list[Answer]) -> None:
        """Read the queue again, with new records."""
        super().take(records)
        self.queue.read(self.answers)

    def catch_up(self) -> bool:
        """Take in new records of this person; return True if they changed an item here."""
        records = self._new_records()
        if not records:
            return False
        states = self.queue.states
        rows = self.queue.rows
        self.take(records)
        return self.queue.states != states or self.queue.rows != rows

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
        records = [record for record in self.answers.records if record.pair == pair]
        return any(record.saw.get("blind") is False for record in records)

    def context(self, item: int) -> dict[str, Any]:
        """Return what to log with an answer to an item: the ids of those that it overrules."""
        rows = self._contested(item)
        if not rows:
            return {}
        return {OVERRULES: [row.record.id for row in rows]}

    def views(self, item: int) -> list[list[str]]:
        """The pairs of the conflicts that the overruled answers were about."""
        rows = self._contested(item)
        return list(chain.from_iterable(row.record.about_pairs for row in rows))

    def _contested(self, item: int) -> list[Row]:
        """The answers of others that an answer to an item overrules."""
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
        """Count the rows, pairs and answers that the queue, of items called `one`, leaves out."""
        missing = (self.wanted or set()) - set(self.queue.pair_of.values())
        counts = {
            "rows that name a pair again": repeats,
            f"pairs of the other logs that are no {one} of these": len(missing),
            f"answers of the log about no {one} of these": self.queue.elsewhere,
        }
        texts = [f"{name} ({count:,})" for name, count in counts.items() if count]
        return f"Left out: {'; '.join(texts)}." if texts else ""

    def table(self) -> pd.DataFrame:
        """All items in their order: `number`, `text_a`, `text_b`, `state`."""
        queue = self.queue
        table = pd.DataFrame(queue.pair.values(), columns=["text_a", "text_b"], dtype="str")
        table.insert(0, "number", range(1, len(table) + 1))
        states = [queue.state(item) for item in queue.items]
        table["state"] = pd.array(states, dtype="str")
        return table

    def next_steps(self, graph: ParaphraseGraph, audit: bool = False) -> str:
        """The shell commands to copy after the review or audit, with the known file names."""
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
            log = shlex.quote(from_here(self.log.path))
            return f"paragraph audit {file} --answers {log}{read}"
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
    """The pairs that others have answered in a log, or on which those of an agreement differ.

    For a review of pairs: a table with `text_a`, `text_b`, in the order of the answers; and the
    question, "right" if each pair has a label, stated or inferred, else "same". If all answers are
    about conflicts of the graph: None and "", as a review of conflicts asks about them.

    Raises
    ------
    PairsError
        There are such pairs, but none is in the graph.
    """
    rows = []
    if second is not None:
        rows = _rows_of_others(second, reviewer, graph)
    if settle is not None:
        disputes = Answers(settle.answers.records, graph).disputes
        rows = list(chain.from_iterable(dispute.rows for dispute in disputes))
    ends = contradictions(graph).ends
    conflicts = set(Places(graph).pairs_at(*ends))
    if all(row.conflicts <= conflicts for row in rows):
        return None, ""
    ends_of_pair = {row.pair: row.ends for row in rows if row.ends[0] >= 0}
    if not ends_of_pair:
        missing = {row.pair for row in rows}
        raise PairsError(f"none of the {len(missing):,} pairs is in these data")
    a, b = np.array(list(ends_of_pair.values())).T
    labels, _ = known_labels(graph, a, b)
    question = "right" if (labels >= 0).all() else "same"
    return graph.pair_texts(a, b), question


def _rows_of_others(log: Log, reviewer: str, graph: ParaphraseGraph | None) -> list[Row]:
    """The answers but "later" in a log, or in a file of answers, without those of one person."""
    records = [record for record in records_of(log) if record.reviewer != reviewer]
    return Answers(records, graph).live
