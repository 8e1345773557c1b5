"""The log of reviewers' decisions: an append-only SQLite table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from os import PathLike
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import numpy as np
import pandas as pd

from .files import digest, read_records, write_records
from .records import (
    DECISIONS,
    FIELDS,
    Decision,
    DecisionError,
    last_words,
    shortest_json,
    standing,
    time_text,
    values_of,
)
from .store import insert, latest_time, make_store, opened, select, transaction
from .tagging import tag_table
from .verdicts import verdicts

__all__ = ["DECISIONS", "Decision", "DecisionError", "DecisionLog", "records_of"]

#: A new log with such a name would be taken for a table of pairs.
TABLES = (".csv", ".tsv", ".json", ".jsonl", ".txt", ".gz", ".xlsx", ".parquet")
#: A record of this year leaves no room for a later one.
LAST_YEAR = "9999"


class DecisionLog:
    """An append-only log of decisions about sentence pairs, in one SQLite file.

    When a method that writes returns, the record is on disk: it survives the end of the process at any moment.
    Records are never changed or deleted; an undo is a record of its own. Several processes may use one log at once
    (on one machine: SQLite's write-ahead log does not work across a network).

    Parameters
    ----------
    path : str or path
        Created where there is none, unless `create` is False. A file that is not such a log is refused, and not
        changed.
    reviewer : str, optional
        The reviewer of added decisions, unless a call names another.
    create : bool

    Raises
    ------
    DecisionError
        Here and in every method: the file is no log, is of a newer version, cannot be written, is gone.

    Notes
    -----
    Each call opens the file, does its work in one transaction and closes it, so that between calls the file is
    whole and may be copied, and a log needs no closing.

    Examples
    --------
    >>> import tempfile
    >>> log = DecisionLog(Path(tempfile.mkdtemp()) / "decisions.db", reviewer="Ada")
    >>> made = log.add("Why?", "How?", "flip", label=0, seconds=4.2)
    >>> made = log.add("Why?", "When?", "cut", label=0, edge=("Why?", "Since when?"))
    >>> log.current()[["reviewer", "text_a", "text_b", "decision"]]
      reviewer text_a text_b decision
    0      Ada   Why?   How?     flip
    1      Ada   Why?  When?      cut
    >>> log.undo().undoes == made.id
    True
    >>> log.current()["decision"].tolist(), log.history()["decision"].tolist()
    (['flip'], ['flip', 'cut', 'undo'])
    """

    def __init__(self, path: str | PathLike, reviewer: str | None = None, create: bool = True):
        if not isinstance(path, str | PathLike):
            raise DecisionError(f"a log is named by its path, decisions.db for example, not by a {_kind_of(path)}")
        self.path, self.reviewer = Path(path).absolute(), reviewer  # the folder of a notebook may change
        if create and self.path.suffix in TABLES and not self.path.exists():
            raise DecisionError(
                f"{self.path.name} is the name of a table; a log is an SQLite file of its own: decisions.db"
            )
        make_store(self.path, create)

    def __repr__(self) -> str:
        count = len(self.records())
        return f"<DecisionLog: {count:,} record{'s' * (count != 1)} in {self.path.name}>"

    # -- writing -------------------------------------------------------------------------------------------

    def add(
        self,
        question1: str,
        question2: str,
        decision: str,
        *,
        label: int | None = None,
        edge: tuple[str, str] | None = None,
        reason: str = "",
        note: str = "",
        seconds: float | None = None,
        shown: dict[str, Any] | None = None,
        reviewer: str | None = None,
    ) -> Decision:
        """Add one decision, or a "note", about a pair; on disk when this returns.

        Parameters
        ----------
        question1, question2 : str
            The pair, as its sentences stand in the data.
        decision : {"flip", "cut", "keep", "ambiguous", "skip", "note"}
            *flip*: the pair's negative label is wrong; *cut*: the positive label of `edge` is; *keep*: both
            stand; *ambiguous*: the pair is not to be used; *skip*: undecided.
        label : int, optional
            The pair's stated label now, which a replay compares with the label it finds.
        edge : two sentences
            For *cut* only.
        shown : dict, optional
            What the reviewer saw, to be kept as JSON: ``{"blind": True}``.

        Raises
        ------
        DecisionError
            Nothing was added.
        """
        edge1, edge2 = edge or ("", "")
        label = int(label) if isinstance(label, np.integer) else label  # as it comes out of a table
        values = {
            "question1": question1, "question2": question2, "decision": decision, "label": label,
            "edge1": edge1, "edge2": edge2, "reason": reason, "note": note,
            "seconds": None if seconds is None else round(float(seconds), 3),
            "shown": shortest_json(shown or {}),
        }  # fmt: skip
        return self._add(self._whose(reviewer), lambda _: values)

    def undo(self, reviewer: str | None = None, id: str | None = None) -> Decision | None:
        """Take back the last decision of a reviewer that stands; called again, the one before it.

        With `id`, that record of theirs, whichever it is: a note, or an undo, whose own undoing brings back
        what it took away. Returns the record added, or None where there is nothing to take back.
        """
        reviewer = self._whose(reviewer)

        def undone(connection: Connection) -> dict[str, Any] | None:
            if id is None:
                found = standing(select(connection, reviewer=reviewer))
                if not found:
                    return None
            else:
                found = select(connection, reviewer=reviewer, id=id)
                if not found:
                    raise DecisionError(f"{self.path.name} has no record {id} of {reviewer}; history() lists them")
            target = found[-1]
            values = {"question1": target.question1, "question2": target.question2}
            return values | {"decision": "undo", "undoes": target.id}

        return self._add(reviewer, undone)

    def merge(self, other: DecisionLog | str | PathLike) -> int:
        """Add the records of another log, or of a file that `export` wrote; the number of those that were new.

        Either all are added or none. The order of merges and their number make no difference.
        """
        given = records_of(other)
        with opened(self.path, write=True) as connection, transaction(connection):
            known = {record.id: record for record in select(connection)}
            new = {record.id: record for record in given if record.id not in known}
            known |= new
            for record in new.values():
                if record.time > LAST_YEAR:
                    raise DecisionError(
                        f"record {record.id} of {record.reviewer} is dated {record.time}, after which nothing can be "
                        "decided; mend the clock of its machine, and decide it again"
                    )
                target = known.get(record.undoes)
                if record.undoes and not (
                    target and target.reviewer == record.reviewer and target.time < record.time
                ):
                    raise DecisionError(
                        f"undo {record.id} takes back {record.undoes}, which is not an earlier record of "
                        f"{record.reviewer} in either log; merge the whole log, not a part of it"
                    )
            insert(connection, new.values())
        return len(new)

    # -- reading -------------------------------------------------------------------------------------------

    def records(self) -> list[Decision]:
        """All records, in the order of their time."""
        with opened(self.path) as connection:
            return select(connection)

    def records_since(self, time: str, reviewer: str) -> list[Decision]:
        """The records of one reviewer that are later than a time."""
        with opened(self.path) as connection:
            return select(connection, time, reviewer=reviewer)

    def history(self) -> pd.DataFrame:
        """All records as a table, with the column `stands`: is this the reviewer's word on the pair now?"""
        records = self.records()
        ids = {record.id for record in last_words(standing(records))}
        return _table(records).assign(stands=[record.id in ids for record in records])

    def current(self, reviewer: str | None = None) -> pd.DataFrame:
        """The decisions that stand: of each reviewer (or of one) and each pair, the last not taken back.

        A pair whose last decision is *skip* is among them, undecided.
        """
        records = [record for record in self.records() if reviewer in (None, record.reviewer)]
        return _table(last_words(standing(records)))

    def judged(self, reviewer: str | None = None) -> pd.DataFrame:
        """What the decisions that stand (of all reviewers, or of one) say of the meaning of pairs, stated or not.

        Columns `text_a`, `text_b`, `same`, as `paragraph.audited` and ``repair(audit=...)`` read them: see
        `verdicts.verdicts`.
        """
        records = [record for record in self.records() if reviewer in (None, record.reviewer)]
        return verdicts(standing(records))

    def tags(self, annotator: str | None = None) -> pd.DataFrame:
        """The tags on words that stand (of all annotators, or of one), as a tag table: see `tagging.tag_table`."""
        return tag_table(self.records(), annotator)

    def export(self, path: str | PathLike, spreadsheet_safe: bool = False) -> None:
        """Write all records as .jsonl or .tsv, ordered by time: equal logs give equal bytes.

        With `spreadsheet_safe` no spreadsheet runs a text of the .tsv as a formula, and it is read back all the same.
        """
        write_records(self.records(), path, spreadsheet_safe)

    def digest(self) -> str:
        """SHA-256 of the log's JSON Lines export. (The bytes of the log itself vary with how it was filled.)"""
        return digest(self.records())

    def _whose(self, reviewer: str | None) -> str:
        return self.reviewer or "" if reviewer is None else reviewer

    def _add(self, reviewer: str, make: Callable[[Connection], dict[str, Any] | None]) -> Decision | None:
        with opened(self.path, write=True) as connection, transaction(connection):
            values = make(connection)
            if values is None:
                return None
            record = Decision(_moment_after(latest_time(connection, reviewer)), reviewer, **values)
            insert(connection, [record])
        return record


def records_of(log: DecisionLog | str | PathLike | list[Decision]) -> list[Decision]:
    """The records of a log, of the log at a path, or of a .jsonl or .tsv file that `DecisionLog.export` wrote."""
    if isinstance(log, list):
        return log
    if isinstance(log, DecisionLog):
        return log.records()
    if not isinstance(log, str | PathLike):
        raise DecisionError(f"a log is a DecisionLog or the path of one, not a {_kind_of(log)}")
    if Path(log).suffix in (".jsonl", ".tsv"):
        if not Path(log).is_file():
            raise DecisionError(f"there is no file {log}")
        return read_records(log)
    return DecisionLog(log, create=False).records()


def _moment_after(last: str | None) -> str:
    """Now, to the millisecond, but after `last`: clocks are set back, and two decisions may share a millisecond."""
    now = datetime.now(UTC)
    if last is not None:
        try:
            now = max(now, datetime.fromisoformat(last) + timedelta(milliseconds=1))
        except OverflowError:
            raise DecisionError(
                f"the reviewer's last record is dated {last}, and no time is later; decide under another name"
            ) from None
    return time_text(now)


def _kind_of(value: Any) -> str:
    return "table" if isinstance(value, pd.DataFrame) else type(value).__name__


def _table(records: list[Decision]) -> pd.DataFrame:
    types = dict.fromkeys(FIELDS, "str") | {"label": "Int8", "seconds": "float64"}
    columns = zip(*map(values_of, records), strict=True) if records else [()] * len(FIELDS)
    table = pd.DataFrame(dict(zip(FIELDS, map(list, columns), strict=True))).astype(types)
    return table.rename(columns={"question1": "text_a", "question2": "text_b"})
