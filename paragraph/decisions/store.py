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

__all__ = [
    "BRIEFLY", "insert", "latest_time", "make_store", "opened", "readable", "select", "select_after", "writing",
]  # fmt: skip

_APPLICATION = 0x50474C47  # "PGLG" in the header of the file says that it is such a log
_VERSION = 2
_PATIENCE = 60  # seconds to wait for other processes that are writing
BRIEFLY = 1  # while somebody waits for the answer
_SMALLEST = 512  # bytes of a database that is not empty
_LEAST = 64  # bytes that a record takes
_OTHER = "name another file"

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
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if create and not tables and not _pragma(connection, "application_id"):
            with transaction(connection):
                for statement in _SCHEMA:
                    connection.execute(statement)
        found = _pragma(connection, "integrity_check(1)")
        if found != "ok":
            raise sqlite3.DatabaseError(found)  # else a query may give fewer records without a word
        _check_content(connection, path.name)


def _check_content(connection: sqlite3.Connection, name: str) -> None:
    """Refuse what is no log of this version, or has another table, column, index, view or trigger.

    It might lose what is added. The tables in which SQLite counts its own entries (``ANALYZE``) may be there.
    """
    if _pragma(connection, "application_id") != _APPLICATION:
        raise DecisionError(f"{name} is a database, but not a decision log, and is left as it is; {_OTHER}")
    version = _pragma(connection, "user_version")
    if version != _VERSION:
        raise DecisionError(
            f"{name} was written by another version of paragraph (log version {version}; this one knows "
            f"{_VERSION}): use that one"
        )
    content = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'"))
    odd = sorted(one for one in content.keys() | _CONTENT if content.get(one, "") != _CONTENT.get(one, ""))
    if odd:
        raise DecisionError(
            f"{name} is not as paragraph made it ({', '.join(odd)}: added, changed or missing): answers could be "
            f"lost. It is left as it is; start a new log, and merge this one: merge({name!r}, damaged=True)"
        )


def _pragma(connection: sqlite3.Connection, name: str) -> int | str:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


@contextmanager
def opened(path: Path, create: bool = False, patience: float | None = None) -> Iterator[sqlite3.Connection]:
    """A connection to the file; every error becomes a `DecisionError` in one line.

    Where nothing can be written beside the file, it is one to read a copy: a log needs files beside it even then.

    The file is opened only through SQLite: opening and closing it here would end the locks that another thread holds
    on it.
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
        wait = _PATIENCE if patience is None else patience
        with ExitStack() as stack:
            if copied := path.exists() and not os.access(path.parent, os.W_OK):
                path = _copied(path, Path(stack.enter_context(TemporaryDirectory())))
            uri = f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
            connection = sqlite3.connect(uri, timeout=wait, isolation_level=None, uri=True)
            stack.enter_context(closing(connection))
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA query_only = {copied}")
            yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:
        why = " ".join(str(error).split())
        raise DecisionError(f"{path.name}: {why}; {_advice(error, path.name)}") from error
    except OSError as error:
        raise DecisionError(f"{path}: {error.strerror}; see that the file can be read") from error


def _copied(path: Path, folder: Path) -> Path:
    """A copy of a log, with what was not yet moved into the file itself."""
    for name in (path.name, f"{path.name}-wal"):
        if path.with_name(name).exists():
            shutil.copyfile(path.with_name(name), folder / name)
    return folder / path.name


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write everything in the block, or nothing; the file is locked meanwhile."""
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
def writing(path: Path, patience: float | None = None) -> Iterator[sqlite3.Connection]:
    """A connection in one transaction."""
    with opened(path, patience=patience) as connection, transaction(connection):
        _check_content(connection, path.name)  # another program may have changed it since
        yield connection


def select(connection: sqlite3.Connection, **wanted: str | int) -> list[Answer]:
    """The records with the wanted fields, by time."""
    where = " AND ".join(["true", *(f"{field} = ?" for field in wanted)])
    query = f"SELECT {_COLUMNS} FROM answers WHERE {where} ORDER BY time, id"
    return _records(connection.execute(query, [*wanted.values()]))


def select_after(connection: sqlite3.Connection, place: int, reviewer: str) -> tuple[list[Answer], int]:
    """A reviewer's records ("": everybody's) that the log took in after a place, whatever their time; its last place.

    Nothing is ever deleted from a log, so places only grow. A log with fewer is another file: it is read from its
    beginning.
    """
    last = connection.execute("SELECT max(rowid) FROM answers").fetchone()[0] or 0
    query = f"SELECT {_COLUMNS} FROM answers WHERE ? IN (reviewer, '') AND rowid > ? ORDER BY rowid"
    return _records(connection.execute(query, [reviewer, place if place <= last else 0])), last


def _records(rows: Iterable[tuple[str, ...]]) -> list[Answer]:
    try:
        return [Answer(*row) for row in rows]
    except DecisionError as error:
        raise sqlite3.DatabaseError(str(error)) from error


def readable(path: Path) -> list[Answer]:
    """Return the records of a damaged log that can be read and are unchanged."""
    found = []
    with opened(path) as connection:
        for row in range(path.stat().st_size // _LEAST):
            with suppress(sqlite3.Error):
                found += select(connection, rowid=row)
    return found


def latest_time(connection: sqlite3.Connection, reviewer: str) -> str | None:
    """Return the time of a reviewer's last record."""
    return connection.execute("SELECT max(time) FROM answers WHERE reviewer = ?", [reviewer]).fetchone()[0]


def insert(connection: sqlite3.Connection, records: Iterable[Answer]) -> None:
    """Add records that are not there yet."""
    places = ", ".join("?" * len(FIELDS))
    connection.executemany(f"INSERT INTO answers ({_COLUMNS}) VALUES ({places})", map(values_of, records))


def _advice(error: Exception, name: str) -> str:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code == sqlite3.SQLITE_NOTADB:
        return f"{name} is not a decision log, and is left as it is; {_OTHER}"
    # A full disk, a closed folder, another process that is writing.
    if code != sqlite3.SQLITE_ERROR and isinstance(error, sqlite3.OperationalError):
        return "nothing was added, and earlier answers are safe; fix that, then answer again"
    merge = f"merge an export or an older copy into a new log, or what can be read: merge({name!r}, damaged=True)"
    return f"{name} seems damaged: keep it as it is, and {merge}"
