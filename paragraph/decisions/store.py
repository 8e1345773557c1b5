"""The file behind a log: an append-only SQLite table, one transaction per call."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from .record import FIELDS, Answer, DecisionError, values_of

__all__ = ["insert", "make_store", "opened", "select", "writing"]

_APPLICATION = 0x50474C47  # "PGLG" in the header of the file says that it is such a log
_VERSION = 2
_PATIENCE = 5  # seconds to wait while another process writes
_SMALLEST = 512  # bytes of a database that is not empty
_NO_LOG = "not a decision log, and is left as it is; name another file"

_COLUMNS = ", ".join(FIELDS)
#: Two processes may create one log at once: for the second, nothing is left to create.
_SCHEMA = (
    f"CREATE TABLE IF NOT EXISTS answers ({_COLUMNS}, UNIQUE (id))",
    "CREATE INDEX IF NOT EXISTS by_reviewer ON answers (reviewer, time)",
    f"PRAGMA application_id = {_APPLICATION}",
    f"PRAGMA user_version = {_VERSION}",
)


def make_store(path: Path, create: bool) -> None:
    """Check that the file is a log; with `create`, make a log of an empty or missing file."""
    with opened(path, create) as connection:
        tables = _value(connection, "SELECT count(*) FROM sqlite_master")
        if create and not tables and not _value(connection, "PRAGMA application_id"):
            with _transaction(connection):
                for statement in _SCHEMA:
                    connection.execute(statement)
        state = _value(connection, "PRAGMA integrity_check(1)")
        if state != "ok":
            raise sqlite3.DatabaseError(state)  # otherwise a query may silently miss records
        _check_version(connection, path.name)


def _check_version(connection: sqlite3.Connection, name: str) -> None:
    """Refuse a file that is not a log of this version."""
    if _value(connection, "PRAGMA application_id") != _APPLICATION:
        raise DecisionError(f"{name} is a database, but {_NO_LOG}")
    version = _value(connection, "PRAGMA user_version")
    if version != _VERSION:
        raise DecisionError(
            f"{name} was written by another version of paragraph (log version {version}; this one knows "
            f"{_VERSION}): use that one"
        )


def _value(connection: sqlite3.Connection, query: str) -> int | str:
    """The one value that a query gives."""
    return connection.execute(query).fetchone()[0]


@contextmanager
def opened(path: Path, create: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection to the file; every error becomes a `DecisionError` in one line.

    The file is opened only through SQLite: opening and closing it here would end the locks that another thread holds
    on it.
    """
    try:
        _check_place(path, create)
        uri = f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
        connection = sqlite3.connect(uri, timeout=_PATIENCE, isolation_level=None, uri=True)
        with closing(connection):
            connection.execute("PRAGMA synchronous = EXTRA")
            yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:
        why = " ".join(str(error).split())
        raise DecisionError(f"{path.name}: {why}; {_advice(error, path.name)}") from error
    except OSError as error:
        raise DecisionError(f"{path}: {error.strerror}; see that the file can be read") from error


def _check_place(path: Path, create: bool) -> None:
    """Refuse a path at which no log can be, before SQLite makes a file there."""
    if path.is_dir():
        raise DecisionError(f"{path} is a folder; name a file in it")
    if create and not path.parent.is_dir():
        raise DecisionError(f"{path}: there is no folder {path.parent}; make it first")
    if not create and not path.exists():
        raise DecisionError(f"there is no log {path}; was it moved or deleted?")
    if path.exists() and 0 < path.stat().st_size < _SMALLEST:
        raise DecisionError(f"{path.name} is {_NO_LOG}")


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write everything in the block, or nothing; the file is locked meanwhile."""
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
    """A connection whose block is one transaction."""
    with opened(path) as connection, _transaction(connection):
        _check_version(connection, path.name)  # another version may have written it since
        yield connection


def select(connection: sqlite3.Connection, where: str = "true", *values: str | int) -> list[Answer]:
    """The records for which an SQL condition holds, by time."""
    query = f"SELECT {_COLUMNS} FROM answers WHERE {where} ORDER BY time, id"
    try:
        return [Answer(*row) for row in connection.execute(query, values)]
    except DecisionError as error:
        raise sqlite3.DatabaseError(str(error)) from error


def insert(connection: sqlite3.Connection, records: Iterable[Answer]) -> None:
    """Add records that are not there yet."""
    places = ", ".join("?" for _ in FIELDS)
    connection.executemany(
        f"INSERT INTO answers ({_COLUMNS}) VALUES ({places})", map(values_of, records)
    )


def _advice(error: Exception, name: str) -> str:
    """Say what to do about an error of SQLite."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code == sqlite3.SQLITE_NOTADB:
        return f"{name} is {_NO_LOG}"
    # A full disk, a closed folder, another process that is writing.
    if code != sqlite3.SQLITE_ERROR and isinstance(error, sqlite3.OperationalError):
        return "nothing was added, and earlier answers are safe; fix that, then answer again"
    return (
        f"{name} seems damaged: keep it as it is, and merge an older copy into a new log, or what SQLite can read "
        f"of it: sqlite3 {name} .recover | sqlite3 recovered.db"
    )
