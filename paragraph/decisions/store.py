"""The file behind a log: an append-only SQLite table, one transaction per call."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from .record import FIELDS, Answer, DecisionError, values_of

__all__ = ["BRIEFLY", "PATIENCE", "insert", "make_store", "opened", "readable", "select", "writing"]

_APPLICATION = 0x50474C47  # "PGLG" in the header of the file says that it is such a log
_VERSION = 2
PATIENCE = 60  # seconds to wait for other processes that are writing
BRIEFLY = 1  # while somebody waits for the answer
_SMALLEST = 512  # bytes of a database that is not empty
_LEAST = 64  # bytes that a record takes
_NO_LOG = "not a decision log, and is left as it is; name another file"

_COLUMNS = ", ".join(FIELDS)
_TABLE = f"answers ({_COLUMNS}, UNIQUE (id))"
_INDEX = "by_reviewer ON answers (reviewer, time)"
#: Two processes may create one log at once: the second finds that everything is there.
_SCHEMA = (
    f"CREATE TABLE IF NOT EXISTS {_TABLE}",
    f"CREATE INDEX IF NOT EXISTS {_INDEX}",
    f"PRAGMA application_id = {_APPLICATION}",
    f"PRAGMA user_version = {_VERSION}",
)
#: The names of all that a log contains, each with its SQL as SQLite keeps it.
_CONTENT = {
    "answers": f"CREATE TABLE {_TABLE}",
    "by_reviewer": f"CREATE INDEX {_INDEX}",
    "sqlite_autoindex_answers_1": None,
}


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
            raise sqlite3.DatabaseError(state)  # else a query may give fewer records without a word
        _check_content(connection, path.name)


def _check_content(connection: sqlite3.Connection, name: str) -> None:
    """Refuse what is no log of this version, or has another table, column, index, view or trigger.

    It might lose what is added. The tables in which SQLite counts its own entries (``ANALYZE``) may be there.
    """
    if _value(connection, "PRAGMA application_id") != _APPLICATION:
        raise DecisionError(f"{name} is a database, but {_NO_LOG}")
    version = _value(connection, "PRAGMA user_version")
    if version != _VERSION:
        raise DecisionError(
            f"{name} was written by another version of paragraph (log version {version}; this one knows "
            f"{_VERSION}): use that one"
        )
    content = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'"
    )
    odd = {name for name, _ in {*content} ^ {*_CONTENT.items()}}
    if odd:
        raise DecisionError(
            f"{name} is not as paragraph made it ({', '.join(sorted(odd))}: added, changed or missing): "
            "answers could be lost. It is left as it is; start a new log, and merge this one: "
            f"merge({name!r}, damaged=True)"
        )


def _value(connection: sqlite3.Connection, query: str) -> int | str:
    return connection.execute(query).fetchone()[0]


@contextmanager
def opened(
    path: Path, create: bool = False, patience: float = PATIENCE
) -> Iterator[sqlite3.Connection]:
    """A connection to the file; every error becomes a `DecisionError` in one line.

    Where nothing can be written beside the file, it is one to read a copy: a log needs files beside it even then.

    The file is opened only through SQLite: opening and closing it here would end the locks that another thread holds
    on it.
    """
    try:
        _check_place(path, create)
        with ExitStack() as stack:
            only_read = path.exists() and not os.access(path.parent, os.W_OK)
            if only_read:
                path = _copied(path, Path(stack.enter_context(TemporaryDirectory())))
            uri = f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
            connection = sqlite3.connect(uri, timeout=patience, isolation_level=None, uri=True)
            stack.enter_context(closing(connection))
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA query_only = {only_read}")
            yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:
        why = " ".join(str(error).split())
        raise DecisionError(f"{path.name}: {why}; {_advice(error, path.name)}") from error
    except OSError as error:
        raise DecisionError(f"{path}: {error.strerror}; see that the file can be read") from error


def _check_place(path: Path, create: bool) -> None:
    if path.is_dir():
        raise DecisionError(f"{path} is a folder; name a file in it")
    if create and not path.parent.is_dir():
        raise DecisionError(f"{path}: there is no folder {path.parent}; make it first")
    if not create and not path.exists():
        raise DecisionError(f"there is no log {path}; was it moved or deleted?")
    if path.exists() and 0 < path.stat().st_size < _SMALLEST:
        raise DecisionError(f"{path.name} is {_NO_LOG}")


def _copied(path: Path, folder: Path) -> Path:
    """A copy of a log, with what was not yet moved into the file itself."""
    for name in (path.name, f"{path.name}-wal"):
        if path.with_name(name).exists():
            shutil.copyfile(path.with_name(name), folder / name)
    return folder / path.name


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write everything in the block, or nothing; the file is locked meanwhile."""
    with suppress(
        sqlite3.OperationalError
    ):  # it stays set; while others use the file it cannot be set, nor need be
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
def writing(path: Path, patience: float = PATIENCE) -> Iterator[sqlite3.Connection]:
    """A connection in one transaction."""
    with opened(path, patience=patience) as connection, _transaction(connection):
        _check_content(connection, path.name)  # another program may have changed it since
        yield connection


def select(connection: sqlite3.Connection, where: str = "true", *values: str | int) -> list[Answer]:
    """The records for which an SQL condition holds, by time."""
    query = f"SELECT {_COLUMNS} FROM answers WHERE {where} ORDER BY time, id"
    try:
        return [Answer(*row) for row in connection.execute(query, values)]
    except DecisionError as error:
        raise sqlite3.DatabaseError(str(error)) from error


def readable(path: Path) -> list[Answer]:
    """Return the records of a damaged log that can be read and are unchanged."""
    records = []
    with opened(path) as connection:
        for row in range(path.stat().st_size // _LEAST):
            with suppress(sqlite3.Error):
                records += select(connection, "rowid = ?", row)
    return records


def insert(connection: sqlite3.Connection, records: Iterable[Answer]) -> None:
    """Add records that are not there yet."""
    places = ", ".join("?" for _ in FIELDS)
    connection.executemany(
        f"INSERT INTO answers ({_COLUMNS}) VALUES ({places})", map(values_of, records)
    )


def _advice(error: Exception, name: str) -> str:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code == sqlite3.SQLITE_NOTADB:
        return f"{name} is {_NO_LOG}"
    # A full disk, a closed folder, another process that is writing.
    if code != sqlite3.SQLITE_ERROR and isinstance(error, sqlite3.OperationalError):
        return "nothing was added, and earlier answers are safe; fix that, then answer again"
    return (
        f"{name} seems damaged: keep it as it is, and merge an export or an older copy into a new log, or what "
        f"can be read: merge({name!r}, damaged=True)"
    )
