"""The file behind a log of decisions: an append-only SQLite table, one transaction a call."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from .records import FIELDS, Decision, DecisionError, values_of

__all__ = ["insert", "latest_time", "make_store", "opened", "readable", "select", "writing"]

_APPLICATION = 0x50474C47  # "PGLG" in the header of the file says that it is such a log
_VERSION = 1
_PATIENCE = 60  # seconds to wait for other processes that are writing
_SMALLEST = 512  # bytes of a database that is not empty
_LEAST = 64  # bytes that a record takes

_COLUMNS = ", ".join(FIELDS)
#: Two processes may make one log at once: the second finds that all is there.
_SCHEMA = (
    f"CREATE TABLE IF NOT EXISTS decisions ({_COLUMNS}, UNIQUE (id))",
    "CREATE INDEX IF NOT EXISTS by_reviewer ON decisions (reviewer, time)",
    "CREATE TRIGGER IF NOT EXISTS no_update BEFORE UPDATE ON decisions"
    " BEGIN SELECT RAISE(ABORT, 'a decision is never changed'); END",
    "CREATE TRIGGER IF NOT EXISTS no_delete BEFORE DELETE ON decisions"
    " BEGIN SELECT RAISE(ABORT, 'a decision is never deleted'); END",
    # INSERT OR REPLACE deletes without asking the trigger above
    "CREATE TRIGGER IF NOT EXISTS no_replace BEFORE INSERT ON decisions"
    " WHEN EXISTS (SELECT 1 FROM decisions WHERE id = NEW.id)"
    " BEGIN SELECT RAISE(ABORT, 'a decision is never replaced'); END",
    f"PRAGMA application_id = {_APPLICATION}",
    f"PRAGMA user_version = {_VERSION}",
)


def make_store(path: Path, create: bool) -> None:
    """Check that the file is a log; with `create`, make a log of an empty or missing file."""
    with opened(path, create) as connection:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if create and not tables and not _pragma(connection, "application_id"):
            with transaction(connection):
                for statement in _SCHEMA:
                    connection.execute(statement)
        application, version = _pragma(connection, "application_id"), _pragma(connection, "user_version")
        if (found := _pragma(connection, "integrity_check(1)")) != "ok":
            raise sqlite3.DatabaseError(found)  # else a query may give fewer records without a word
    if application != _APPLICATION:
        raise DecisionError(f"{path.name} is a database, but not a decision log, and is left as it is; {_OTHER}")
    if version > _VERSION:
        raise DecisionError(
            f"{path.name} was written by a newer paragraph (log version {version}; this one knows {_VERSION}): "
            "update paragraph"
        )


def _pragma(connection: sqlite3.Connection, name: str) -> int | str:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


@contextmanager
def opened(path: Path, create: bool = False, write: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection to the file; every error becomes a `DecisionError` that says what to do.

    The file is looked at through SQLite alone: to open and close it here would end the locks that another
    thread holds on it.
    """
    try:
        if path.is_dir():
            raise DecisionError(f"{path} is a folder; name a file in it")
        if create and not path.parent.is_dir():
            raise DecisionError(f"{path}: there is no folder {path.parent}; make it first")
        if not create and not path.exists():
            raise DecisionError(f"there is no log {path}; was it moved or deleted?")
        if path.exists() and 0 < path.stat().st_size < _SMALLEST:
            raise DecisionError(f"{path.name} is not a decision log, and is left as it is; {_OTHER}")
        try:
            connection = _connect(path, f"mode={'rwc' if create else 'rw'}")
        except sqlite3.OperationalError as error:
            # SQLite needs space and permission for a file of its own beside the log, even to read. It does not if
            # it is told that nobody writes, which is true where nobody can.
            waiting = Path(f"{path}-wal")
            in_use = waiting.exists() and waiting.stat().st_size
            if write or in_use or _kind(error) not in _CLOSED or not path.exists():
                raise
            connection = _connect(path, "immutable=1")
        with closing(connection):
            yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:
        why = " ".join(str(error).split())
        raise DecisionError(f"{path.name}: {why}; {_advice(error, path.name)}") from error
    except OSError as error:
        raise DecisionError(f"{path}: {error.strerror}; see that the file can be read") from error


def _connect(path: Path, options: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{options}"
    connection = sqlite3.connect(uri, timeout=_PATIENCE, isolation_level=None, uri=True)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("SELECT count(*) FROM sqlite_master")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of the block is written, or nothing; the file is locked meanwhile."""
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


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection in one transaction."""
    with opened(path, write=True) as connection, transaction(connection):
        yield connection


def select(connection: sqlite3.Connection, since: str = "", **wanted: str) -> list[Decision]:
    """The records later than a time whose fields are as wanted, by time."""
    where = " AND ".join(["time > ?", *(f"{field} = ?" for field in wanted)])
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM decisions WHERE {where} ORDER BY time, id", [since, *wanted.values()]
    )
    try:
        return [Decision(*row) for row in found]
    except DecisionError as error:
        raise sqlite3.DatabaseError(str(error)) from error


def readable(path: Path) -> list[Decision]:
    """Return those records of a damaged log that can be read and are what was decided then."""
    found = []
    with opened(path) as connection:
        for row in range(path.stat().st_size // _LEAST):
            with suppress(sqlite3.Error):
                found += select(connection, rowid=f"{row}")
    return found


def latest_time(connection: sqlite3.Connection, reviewer: str) -> str | None:
    """Return the time of a reviewer's last record."""
    return connection.execute("SELECT max(time) FROM decisions WHERE reviewer = ?", [reviewer]).fetchone()[0]


def insert(connection: sqlite3.Connection, records: Iterable[Decision]) -> None:
    """Add records that are not there yet."""
    places = ", ".join("?" * len(FIELDS))
    connection.executemany(f"INSERT INTO decisions ({_COLUMNS}) VALUES ({places})", map(values_of, records))


_OTHER = "name another file"
_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
_CLOSED = (*_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)


def _kind(error: Exception) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF  # the other bits say more


def _advice(error: Exception, name: str) -> str:
    kind = _kind(error)
    if kind == sqlite3.SQLITE_NOTADB:
        return f"{name} is not a decision log, and is left as it is; {_OTHER}"
    if kind in _FULL:
        return "nothing was added, and earlier decisions are safe; make room on the disk, then decide again"
    if kind in _CLOSED:
        return "nothing was added; copy the log to where you may write, or have its permissions changed"
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "nothing was added; another process is writing and does not end: close it, then decide again"
    merge = f"merge an export or an older copy into a new log, or what can be read: merge({name!r}, damaged=True)"
    return f"{name} seems damaged: keep it as it is, and {merge}"
