"""The log of reviewers' decisions: a file to which records are only ever added."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple
from datetime import UTC, datetime, timedelta
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .decision_records import (
    DECISIONS,
    FIELDS,
    TIME,
    Decision,
    DecisionError,
    digest,
    in_order,
    pair_of,
    read_records,
    shortest_json,
    standing,
    write_records,
)

__all__ = ["DECISIONS", "Decision", "DecisionError", "DecisionLog", "records_of"]

_APPLICATION = 0x50474C47  # "PGLG" in the header of the file says that it is such a log
_VERSION = 1
_PATIENCE = 60  # seconds to wait for another process that is writing

_COLUMNS = ", ".join(FIELDS)
_SCHEMA = (
    f"CREATE TABLE decisions ({_COLUMNS}, UNIQUE (id))",
    "CREATE INDEX by_reviewer ON decisions (reviewer, time)",
    "CREATE TRIGGER no_update BEFORE UPDATE ON decisions"
    " BEGIN SELECT RAISE(ABORT, 'a decision is never changed'); END",
    "CREATE TRIGGER no_delete BEFORE DELETE ON decisions"
    " BEGIN SELECT RAISE(ABORT, 'a decision is never deleted'); END",
    # INSERT OR REPLACE deletes without asking the trigger above
    "CREATE TRIGGER no_replace BEFORE INSERT ON decisions"
    " WHEN EXISTS (SELECT 1 FROM decisions WHERE id = NEW.id)"
    " BEGIN SELECT RAISE(ABORT, 'a decision is never replaced'); END",
    f"PRAGMA application_id = {_APPLICATION}",
    f"PRAGMA user_version = {_VERSION}",
)


class DecisionLog:
    """An append-only log of decisions about sentence pairs, in one SQLite file.

    When a method that writes returns, the record is on disk: it survives the end of the process at any moment.
    Nothing is ever changed or deleted; taking back is a record too. Several processes may use one log at once
    (on one machine: SQLite's write-ahead log does not work across a network).

    Parameters
    ----------
    path : str or path
        Made where there is none yet, unless `create` is False. A file that is not such a log is refused, and
        left as it is.
    reviewer : str, optional
        Whose decisions are added, where a call does not say.
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
    >>> log.current()[["reviewer", "question1", "question2", "decision"]]
      reviewer question1 question2 decision
    0      Ada      Why?      How?     flip
    1      Ada      Why?     When?      cut
    >>> log.undo().undoes == made.id
    True
    >>> log.current()["decision"].tolist(), log.history()["decision"].tolist()
    (['flip'], ['flip', 'cut', 'undo'])
    """

    def __init__(self, path: str | PathLike, reviewer: str | None = None, create: bool = True):
        self.path, self.reviewer = Path(path), reviewer
        if create and not self.path.exists() and not self.path.parent.is_dir():
            raise DecisionError(f"{path}: there is no folder {self.path.parent}; make it first")
        with self._opened("rwc" if create else "rw") as connection:
            self._begin(connection, create)

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

        def undone(connection: sqlite3.Connection) -> dict[str, Any] | None:
            own = _select(connection, "WHERE reviewer = ?", reviewer)
            if id is None:
                left = standing(own)
                if not left:
                    return None
                target = left[-1]
            else:
                target = next((record for record in own if record.id == id), None)
                if target is None:
                    raise DecisionError(f"{self.path.name} has no record {id} of {reviewer}; history() lists them")
            values = {"question1": target.question1, "question2": target.question2}
            return values | {"decision": "undo", "undoes": target.id}

        return self._add(reviewer, undone)

    def merge(self, other: DecisionLog | str | PathLike) -> int:
        """Add the records of another log, or of a file that `export` wrote; the number of those that were new.

        All or none are added. In whichever order and how often logs are merged, they end up the same.
        """
        given = records_of(other)
        with self._opened("rw") as connection, _transaction(connection):
            known = {record.id: record for record in _select(connection)}
            new = {record.id: record for record in given if record.id not in known}
            known |= new
            for record in new.values():
                target = known.get(record.undoes)
                if record.undoes and not (
                    target and target.reviewer == record.reviewer and target.time < record.time
                ):
                    raise DecisionError(
                        f"undo {record.id} takes back {record.undoes}, which is not an earlier record of "
                        f"{record.reviewer} in either log; merge the whole log, not a part of it"
                    )
            _insert(connection, new.values())
        return len(new)

    # -- reading -------------------------------------------------------------------------------------------

    def records(self) -> list[Decision]:
        """All records, in the order of their time."""
        with self._opened("rw") as connection:
            return _select(connection)

    def history(self) -> pd.DataFrame:
        """All records as a table, with the column `stands`: is this the reviewer's word on the pair now?"""
        records = self.records()
        ids = {record.id for record in _last(standing(records))}
        return _table(records).assign(stands=[record.id in ids for record in records])

    def current(self, reviewer: str | None = None) -> pd.DataFrame:
        """The decisions that stand: of each reviewer (or of one) and each pair, the last not taken back.

        A pair whose last decision is *skip* is among them, undecided.
        """
        records = [record for record in self.records() if reviewer in (None, record.reviewer)]
        return _table(_last(standing(records)))

    def export(self, path: str | PathLike) -> None:
        """Write all records as .jsonl or .tsv, ordered by time: equal logs give equal bytes."""
        write_records(self.records(), path)

    def digest(self) -> str:
        """SHA-256 of the log's JSON Lines export. (The bytes of the log itself vary with how it was filled.)"""
        return digest(self.records())

    # -- the file ------------------------------------------------------------------------------------------

    def _whose(self, reviewer: str | None) -> str:
        return self.reviewer or "" if reviewer is None else reviewer

    def _add(self, reviewer: str, make: Any) -> Decision | None:
        with self._opened("rw") as connection, _transaction(connection):
            values = make(connection)
            if values is None:
                return None
            (last,) = connection.execute("SELECT max(time) FROM decisions WHERE reviewer = ?", [reviewer]).fetchone()
            record = Decision(_moment_after(last), reviewer, **values)
            _insert(connection, [record])
        return record

    @contextmanager
    def _opened(self, mode: str) -> Iterator[sqlite3.Connection]:
        """A connection to the file, its errors put in words."""
        name = self.path.name
        try:
            if self.path.is_dir():
                raise DecisionError(f"{self.path} is a folder; name a file in it")
            if mode == "rw" and not self.path.exists():
                raise DecisionError(f"there is no log {self.path}; was it moved or deleted?")
            if self.path.exists() and self.path.stat().st_size:
                with self.path.open("rb") as file:
                    if file.read(16) != b"SQLite format 3\0":
                        raise DecisionError(f"{name} is not a decision log, and is left as it is; name another file")
            with closing(self._connect(mode)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise DecisionError(f"{name}: {error}; {_advice(error, name)}") from error
        except OSError as error:
            raise DecisionError(f"{name}: {error.strerror}; see that the file can be read") from error

    def _connect(self, mode: str) -> sqlite3.Connection:
        uri = self.path.absolute().as_uri()

        def connect(options: str) -> sqlite3.Connection:
            return sqlite3.connect(f"{uri}?{options}", timeout=_PATIENCE, isolation_level=None, uri=True)

        connection = connect(f"mode={mode}")
        try:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError as error:
            connection.close()
            # SQLite reads a log in a folder that it may not write to only if told that nobody writes to it.
            if error.sqlite_errorcode != sqlite3.SQLITE_CANTOPEN or not self.path.exists():
                raise
            if self.path.with_name(f"{self.path.name}-wal").exists():
                raise
            connection = connect("immutable=1")
        except BaseException:
            connection.close()
            raise
        return connection

    def _begin(self, connection: sqlite3.Connection, create: bool) -> None:
        """See that the file is a log; make an empty one into a log."""
        if create and _empty(connection):
            with _transaction(connection):
                if _empty(connection):  # still: another process may have been quicker
                    for statement in _SCHEMA:
                        connection.execute(statement)
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application != _APPLICATION:
            raise DecisionError(
                f"{self.path.name} is a database, but not a decision log, and is left as it is; name another file"
            )
        if version > _VERSION:
            raise DecisionError(
                f"{self.path.name} was written by a newer paragraph (log version {version}; this one knows "
                f"{_VERSION}): update paragraph, or there export the log and merge the export here"
            )


def records_of(log: DecisionLog | str | PathLike) -> list[Decision]:
    """The records of a log, of the log at a path, or of a .jsonl or .tsv file that `DecisionLog.export` wrote."""
    if isinstance(log, DecisionLog):
        return log.records()
    if Path(log).suffix in (".jsonl", ".tsv"):
        if not Path(log).is_file():
            raise DecisionError(f"there is no file {log}")
        return read_records(log)
    return DecisionLog(log, create=False).records()


def _empty(connection: sqlite3.Connection) -> bool:
    """Whether there is nothing in a database yet: a new file, or one whose maker was stopped at once."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    return not tables and not application


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of what follows, or nothing; alone with the file."""
    with suppress(sqlite3.OperationalError):  # it stays set; while others use the file it cannot be set, nor need be
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _select(connection: sqlite3.Connection, where: str = "", *values: Any) -> list[Decision]:
    found = connection.execute(f"SELECT {_COLUMNS} FROM decisions {where} ORDER BY time, id", values)
    return [Decision(*row) for row in found]


def _insert(connection: sqlite3.Connection, records: Iterable[Decision]) -> None:
    places = ", ".join("?" * len(FIELDS))
    connection.executemany(f"INSERT INTO decisions ({_COLUMNS}) VALUES ({places})", map(astuple, records))


def _moment_after(last: str | None) -> str:
    """Now, to the millisecond, but after `last`: clocks are set back, and two decisions may share a millisecond."""
    now = datetime.now(UTC)
    if last is not None:
        now = max(now, datetime.strptime(last, TIME).replace(tzinfo=UTC) + timedelta(milliseconds=1))
    return now.strftime(TIME)[:-4] + "Z"


def _last(records: Iterable[Decision]) -> list[Decision]:
    """Of each reviewer and pair the last, in the order they were made."""
    last = {(record.reviewer, pair_of(record.question1, record.question2)): record for record in records}
    return in_order(last.values())


def _table(records: list[Decision]) -> pd.DataFrame:
    types = dict.fromkeys(FIELDS, "str") | {"label": "Int8", "seconds": "float64"}
    columns = zip(*map(astuple, records), strict=True) if records else [()] * len(FIELDS)
    return pd.DataFrame(dict(zip(FIELDS, map(list, columns), strict=True))).astype(types)


def _advice(error: sqlite3.Error, name: str) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the kind
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return "nothing was added, and earlier decisions are safe; make room on the disk, then decide again"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return "nothing was added; to add, copy the log to where you may write, or change what you may"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "nothing was added; another process is writing to it and does not end: close that one, then again"
    return f"{name} seems damaged: keep it, and merge an export or a copy of it into a new log"
