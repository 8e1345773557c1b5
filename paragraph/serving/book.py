"""The book of a server: what survives its end, in one SQLite file or in memory."""

from __future__ import annotations

import json
import os
import sqlite3
from os import PathLike
from pathlib import Path
from typing import Any

from ..files import PairsError

__all__ = ["Book"]


class Book:
    """The memory of a server. When a method returns, it is on disk, and survives a kill.

    A subclass says what the book `keeps`, has tables of its own (`schema`), and a number in the header of the file
    (`application`) by which it is known.

    Raises
    ------
    PairsError
        The file is another one, which is left as it is, or cannot be written.
    """

    keeps: str
    application: int
    schema = ""

    def __init__(self, path: str | PathLike | None = None):
        self.path = None if path is None else Path(path)
        try:
            if self.path:  # names and secrets are for no other user
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            self._base = sqlite3.connect(self.path or ":memory:", isolation_level=None)
            self._base.execute("PRAGMA synchronous = FULL")
            if (
                self._one("PRAGMA application_id")
                == 0
                == self._one("SELECT count(*) FROM sqlite_master")
            ):
                about = "CREATE TABLE about (name PRIMARY KEY, value)"
                mark = f"PRAGMA application_id = {self.application}"
                self._base.executescript(f"BEGIN; {about}; {self.schema} {mark}; COMMIT")
            if self._one("PRAGMA application_id") != self.application:
                raise PairsError(
                    f"{path} keeps no {self.keeps}, and is left as it is; name another file"
                )
        except (sqlite3.Error, OSError) as error:
            raise PairsError(f"{path}: {error}; it cannot keep a {self.keeps}") from error

    def _rows(self, query: str, *values: Any) -> list[tuple]:
        return self._base.execute(query, values).fetchall()

    def _one(self, query: str, *values: Any) -> Any:
        row = self._base.execute(query, values).fetchone() or [None]
        return row[0]

    def about(self, name: str, value: Any = None) -> Any:
        """Return what is kept under a name; the first value that is given stays."""
        if value is not None:
            self._base.execute(
                "INSERT OR IGNORE INTO about VALUES (?, ?)", [name, json.dumps(value)]
            )
        text = self._one("SELECT value FROM about WHERE name = ?", name)
        return json.loads(text or "null")

    def set_about(self, name: str, value: Any) -> None:
        """Keep another value under a name."""
        self._base.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", [name, json.dumps(value)])
