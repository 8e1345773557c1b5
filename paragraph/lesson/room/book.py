"""The class book: pupils, questions, votes and work of one class, in one SQLite file or in memory."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections import Counter
from os import PathLike
from pathlib import Path
from typing import Any

from ...files import PairsError
from ..exercises import Sheet

__all__ = ["ANSWER", "MOST", "NAME", "Book"]

MOST = 200  #: pupils of a class
NAME, ANSWER, WORK = 100, 300, 40_000  #: letters at most
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that is taken for another
_APPLICATION = 0x50474B4C  # "PGKL" in the header of the file says that it is such a book
_SCHEMA = """
CREATE TABLE about (name PRIMARY KEY, value);
CREATE TABLE pupils (pupil INTEGER PRIMARY KEY, secret TEXT, name TEXT DEFAULT '');
CREATE TABLE questions (question INTEGER PRIMARY KEY, asked TEXT, revealed INTEGER DEFAULT 0);
CREATE TABLE votes (vote INTEGER PRIMARY KEY, question INTEGER, pupil INTEGER, answer TEXT);
CREATE TABLE work (pupil INTEGER, handed INTEGER, record TEXT, PRIMARY KEY (pupil, handed));
"""
#: The last vote of each pupil on each question.
_LAST = "SELECT max(vote), question, pupil, answer FROM votes GROUP BY question, pupil"


class Book:
    """The questions, votes and hand-ins of a class. When a method returns, they are on disk, and survive a kill.

    Each vote is a row that stays; the last one of a pupil counts.
    """

    def __init__(self, path: str | PathLike | None = None):
        self.path = None if path is None else Path(path)
        try:
            if self.path:  # names and secrets are for no other user
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            self._base = sqlite3.connect(":memory:" if path is None else self.path, isolation_level=None)
            self._base.execute("PRAGMA synchronous = FULL")
            if self._one("PRAGMA application_id") == 0 == self._one("SELECT count(*) FROM sqlite_master"):
                self._base.executescript(f"BEGIN; {_SCHEMA} PRAGMA application_id = {_APPLICATION}; COMMIT")
            if self._one("PRAGMA application_id") != _APPLICATION:
                raise PairsError(f"{path} is not a class book, and is left as it is; name another file")
        except (sqlite3.Error, OSError) as error:
            raise PairsError(f"{path}: {error}; it cannot keep a class") from error

    def _one(self, query: str, *values: Any) -> Any:
        found = self._base.execute(query, values).fetchone()
        return None if found is None else found[0]

    def about(self, name: str, value: Any = None) -> Any:
        """Return what is kept under a name; the first value that is given stays."""
        if value is not None:
            self._base.execute("INSERT OR IGNORE INTO about VALUES (?, ?)", [name, json.dumps(value)])
        found = self._one("SELECT value FROM about WHERE name = ?", name)
        return None if found is None else json.loads(found)

    @property
    def code(self) -> str:
        """The four letters that let a pupil in."""
        return self.about("code", "".join(secrets.choice(LETTERS) for _ in range(4)))

    # -- pupils --------------------------------------------------------------------------------------------

    def join(self) -> tuple[str, str]:
        """Add a pupil; return the number and the secret that the phone keeps."""
        if self.pupils() >= MOST:
            raise PairsError(f"The class is full: it has {MOST} pupils.")
        secret = secrets.token_hex(16)
        added = self._base.execute("INSERT INTO pupils (secret) VALUES (?)", [secret])
        return str(added.lastrowid), secret

    def rename(self, pupil: str, name: str) -> None:
        """Keep the name that a pupil typed."""
        self._base.execute("UPDATE pupils SET name = ? WHERE pupil = ?", [name[:NAME], pupil])

    def secret(self, pupil: str) -> str | None:
        """Return the secret of a pupil."""
        return self._one("SELECT secret FROM pupils WHERE pupil = ?", pupil)

    def pupils(self) -> int:
        """Return how many have joined."""
        return self._one("SELECT count(*) FROM pupils")

    # -- the question on the wall --------------------------------------------------------------------------

    def ask(self, asked: Any) -> None:
        """Put a question on the wall."""
        self._base.execute("INSERT INTO questions (asked) VALUES (?)", [json.dumps(asked)])

    def reveal(self) -> None:
        """Close the vote on the question on the wall."""
        self._base.execute("UPDATE questions SET revealed = 1 WHERE question = ?", [self.wall()["question"]])

    def wall(self) -> dict[str, Any]:
        """Return the question on the wall: its number (0 for none), what is asked, whether the vote is closed."""
        last = "SELECT question, asked, revealed FROM questions ORDER BY question DESC LIMIT 1"
        number, asked, revealed = self._base.execute(last).fetchone() or (0, "null", 0)
        return {"question": number, "asked": json.loads(asked), "revealed": bool(revealed)}

    def vote(self, pupil: str, question: int, answer: str) -> None:
        """Keep a vote on the question on the wall, while it is open."""
        wall = self.wall()
        if question != wall["question"] or wall["revealed"]:
            raise PairsError("The vote on this question is closed.")
        row = [question, pupil, str(answer)[:ANSWER]]
        self._base.execute("INSERT INTO votes (question, pupil, answer) VALUES (?, ?, ?)", row)

    def voted(self, pupil: str) -> str:
        """Return a pupil's own vote on the question on the wall."""
        own = f"SELECT answer FROM ({_LAST}) WHERE question = ? AND pupil = ?"
        return self._one(own, self.wall()["question"], pupil) or ""

    def tally(self) -> dict[str, int]:
        """Return how many gave each answer to the question on the wall, the most frequent first."""
        number = self.wall()["question"]
        answers = self._base.execute(f"SELECT answer FROM ({_LAST}) WHERE question = ?", [number])
        return dict(Counter(answer for (answer,) in answers).most_common())

    # -- work ----------------------------------------------------------------------------------------------

    def keep(self, pupil: str, record: str, handed: bool) -> None:
        """Keep a pupil's sheet as it is now, and if it is handed in, as that."""
        if len(record) > WORK:
            raise PairsError("this is no saved sheet of exercises")
        Sheet.from_json(record)
        rows = [(pupil, 0, record)] + [(pupil, 1, record)] * bool(handed)
        self._base.executemany("INSERT OR REPLACE INTO work VALUES (?, ?, ?)", rows)

    def sheets(self, handed: bool) -> list[tuple[str, str]]:
        """Return the sheets of all pupils, as they are or as handed in: who, and the text."""
        query = """SELECT name || ' (' || pupil || ')', record FROM work JOIN pupils USING (pupil)
            WHERE handed = ? ORDER BY pupil"""
        return self._base.execute(query, [int(handed)]).fetchall()

    def solved(self) -> Counter:
        """Return by how many pupils each exercise is solved."""
        progress = [json.loads(text)["progress"] for _, text in self.sheets(False)]
        return Counter(int(number) for one in progress for number, done in one.items() if done["solved"])
