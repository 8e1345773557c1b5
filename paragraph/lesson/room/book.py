"""The class book: pupils, questions, votes and work of one class, in one SQLite file or in memory."""

from __future__ import annotations

import json
import secrets
import time
from collections import Counter
from typing import Any

from ...files import PairsError
from ...serving.book import Book
from ..exercises import Sheet
from .asked import vote_as_counted

__all__ = ["MOST", "NAME", "ClassBook"]

MOST = 200  #: pupils of a class
NAME = 100  #: letters at most
WORK = 40_000  #: letters at most
NAMES = 6  #: who hand in from one phone
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that is taken for another
_SCHEMA = """
CREATE TABLE pupils (pupil INTEGER PRIMARY KEY AUTOINCREMENT, secret TEXT, name TEXT DEFAULT '');
CREATE TABLE questions (question INTEGER PRIMARY KEY, asked TEXT, answers TEXT, time REAL,
    revealed INTEGER DEFAULT 0);
CREATE TABLE votes (vote INTEGER PRIMARY KEY, question INTEGER, pupil INTEGER, answer TEXT);
CREATE TABLE work (pupil INTEGER, student TEXT, handed INTEGER, time REAL, record TEXT,
    PRIMARY KEY (pupil, student, handed));
"""
#: The last vote of each pupil who is in, on each question.
_LAST = """SELECT max(vote), question, pupil, answer FROM votes JOIN pupils USING (pupil)
    WHERE secret IS NOT NULL GROUP BY question, pupil"""
#: Pupils who never voted and have no work, the first first.
_IDLE = """SELECT pupil FROM pupils WHERE secret IS NOT NULL AND pupil NOT IN (SELECT pupil FROM votes)
    AND pupil NOT IN (SELECT pupil FROM work) ORDER BY pupil"""


class ClassBook(Book):
    """The questions, votes and hand-ins of a class. When a method returns, they are on disk, and survive a kill.

    Each vote is a row that stays; the last one of a pupil counts. Work belongs to a pupil and a name: pupils who
    share a phone do not replace each other's.
    """

    keeps = "class"
    application = 0x50474B4C  # "PGKL"
    schema = _SCHEMA

    @property
    def code(self) -> str:
        """The four letters that let a pupil in."""
        letters = [secrets.choice(LETTERS) for _ in range(4)]
        return self.about("code", "".join(letters))

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
        self._base.execute(
            "UPDATE pupils SET name = ? WHERE pupil = ?", [name[:NAME].strip(), pupil]
        )

    def secret(self, pupil: str) -> str | None:
        """Return the secret of a pupil who is in."""
        return self._one("SELECT secret FROM pupils WHERE pupil = ?", pupil)

    def pupils(self) -> int:
        """Return how many are in."""
        return self._one("SELECT count(*) FROM pupils WHERE secret IS NOT NULL")

    def named(self, name: str) -> list[str]:
        """Return the pupils who are in under a name, in any case."""
        rows = self._rows("SELECT pupil, name FROM pupils WHERE secret IS NOT NULL")
        wanted = name.strip().casefold()
        return [str(pupil) for pupil, own in rows if own.casefold() == wanted]

    def idle(self) -> list[str]:
        """Return the pupils who never voted and have no work, the first first."""
        return [str(pupil) for (pupil,) in self._rows(_IDLE)]

    def send_out(self, pupils: list[str]) -> None:
        """Take away the seats of pupils: their votes no longer count, what they handed in stays."""
        rows = [[pupil] for pupil in pupils]
        self._base.executemany("UPDATE pupils SET secret = NULL WHERE pupil = ?", rows)

    # -- the question on the wall --------------------------------------------------------------------------

    def ask(self, asked: Any, answers: Any) -> None:
        """Put a question on the wall, with its answers (see `asked.py`)."""
        row = [json.dumps(asked), json.dumps(answers), time.time()]
        self._base.execute("INSERT INTO questions (asked, answers, time) VALUES (?, ?, ?)", row)

    def reveal(self) -> None:
        """Close the vote on the question on the wall."""
        self._base.execute(
            "UPDATE questions SET revealed = 1 WHERE question = ?", [self.wall()["question"]]
        )

    def wall(self) -> dict[str, Any]:
        """Return the question on the wall as phones see it.

        Its number (0 for none), what is asked, `revealed` (then nobody votes any more), and, once it is, the `right`
        answers.
        """
        last = "SELECT question, asked, answers, revealed FROM questions ORDER BY question DESC LIMIT 1"
        row = self._base.execute(last).fetchone()
        if row is None:
            return {"question": 0, "asked": None, "revealed": True, "right": []}
        number, asked, answers, revealed = row
        wall = {"question": number, "asked": json.loads(asked), "revealed": bool(revealed)}
        if revealed:
            wall["right"] = json.loads(answers)["right"]
        return wall

    def answers(self, question: int) -> dict[str, Any]:
        """Return the answers to a question: their kind, those that there are, and the right ones."""
        text = self._one("SELECT answers FROM questions WHERE question = ?", question)
        if text is None:
            return {"kind": "choice", "of": [], "right": []}
        return json.loads(text)

    def vote(self, pupil: str, question: int, answer: str) -> None:
        """Keep a vote on the question on the wall, until it is revealed; refuse what is no answer to it."""
        wall = self.wall()
        if question != wall["question"] or wall["revealed"]:
            raise PairsError("The vote on this question is closed.")
        row = [question, pupil, vote_as_counted(answer, self.answers(question))]
        self._base.execute("INSERT INTO votes (question, pupil, answer) VALUES (?, ?, ?)", row)

    def voted(self, pupil: str) -> str:
        """Return a pupil's own vote on the question on the wall."""
        own = f"SELECT answer FROM ({_LAST}) WHERE question = ? AND pupil = ?"
        return self._one(own, self.wall()["question"], pupil) or ""

    def tally(self, question: int | None = None) -> dict[str, int]:
        """Return how many gave each answer to a question, by default the one on the wall.

        Choices stand in their order, numbers by size, other answers the most frequent first. Choices and right
        answers that nobody gave have 0.
        """
        if question is None:
            question = self.wall()["question"]
        rows = self._rows(f"SELECT answer FROM ({_LAST}) WHERE question = ?", question)
        votes = Counter(answer for (answer,) in rows)
        answers = self.answers(question)
        if answers["kind"] == "choice":
            order = answers["of"]
        elif answers["kind"] == "number":
            order = sorted({*votes, *answers["right"]}, key=int)
        else:
            return dict(votes.most_common())
        return {answer: votes[answer] for answer in order}

    def before(self) -> int | None:
        """Return the number of the question before the one on the wall that asked the same, if there is one."""
        same = """SELECT max(question) FROM questions WHERE question < ?1
            AND asked = (SELECT asked FROM questions WHERE question = ?1)"""
        return self._one(same, self.wall()["question"])

    # -- work ----------------------------------------------------------------------------------------------

    def keep(self, pupil: str, record: str, handed: bool) -> None:
        """Keep the sheet of the name in it as it is now, and if it is handed in, as that."""
        if len(record) > WORK:
            raise PairsError("this is no saved sheet of exercises")
        student = Sheet.from_json(record).student
        if len(student) > NAME:
            raise PairsError(f"a name has at most {NAME} letters")
        names = {name for (name,) in self._rows("SELECT student FROM work WHERE pupil = ?", pupil)}
        if len({*names, student}) > NAMES:
            raise PairsError(f"{NAMES} pupils at most share one phone: use another one.")
        now = time.time()
        rows = [(pupil, student, 0, now, record)]
        if handed:
            rows.append((pupil, student, 1, now, record))
        self._base.executemany("INSERT OR REPLACE INTO work VALUES (?, ?, ?, ?, ?)", rows)

    def handed(self, pupil: str) -> dict[str, dict[str, float]]:
        """Return what was handed in on a phone, by name: the `time`, in seconds since 1970, and how many `solved`."""
        rows = self._rows(
            "SELECT student, time, record FROM work WHERE pupil = ? AND handed", pupil
        )
        handed = {}
        for student, when, record in rows:
            handed[student] = {"time": when, "solved": _solved(record)}
        return handed

    def sheets(self, handed: bool) -> list[tuple[str, str]]:
        """Return the sheets of all pupils, as they are or as handed in: who, and the text."""
        query = """SELECT student || ' (' || pupil || ')', record FROM work WHERE handed = ?
            ORDER BY pupil, student"""
        return self._rows(query, int(handed))


def _solved(record: str) -> int:
    """Return how many exercises are solved on a saved sheet."""
    progress = json.loads(record)["progress"]
    return sum(done["solved"] for done in progress.values())
