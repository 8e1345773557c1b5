"""The log of reviewers' answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from os import PathLike
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pandas as pd

from ..files import PairsError
from ..files.names import TABLES, ending
from ..files.shown import counting
from ..graph import ParaphraseGraph
from .answers import Answers
from .record import (
    Answer,
    DecisionError,
    by_time,
    drop_undone,
    name_of,
    shortest_json,
    standing_answers,
    time_text,
)
from .sheets import SHEETS, read_page, read_sheet
from .store import insert, make_store, opened, select, writing

__all__ = ["DecisionError", "DecisionLog", "Log", "records_of", "signed"]


class DecisionLog:
    """An append-only log of answers to sentence pairs, in one SQLite file.

    When a method that writes returns, the record is on disk: it survives if the process ends at any moment. Records
    are never changed or deleted; an undo is a record of its own. Several processes may use one log at once on one
    machine. Never keep a log on a network drive for several people to write to: SQLite's write-ahead log does not
    work across a network, and answers could be lost. Each reviewer keeps their own log, on their own disk;
    `paragraph.agreement`, `paragraph.replay` and `merge` read several.

    Parameters
    ----------
    path : str or path
        The file, created if it does not exist. A file that is not such a log is refused, and not
        changed.
    reviewer : str, optional
        The reviewer of added answers, unless a call names another.
    create : bool
        If False, a missing file is an error.

    Raises
    ------
    DecisionError
        Here and in every method: the file is not a log, has another version, cannot be written, or is gone.

    Notes
    -----
    Each call opens the file, does its work in one transaction and closes it, so between calls the file is complete
    and may be copied, and a log need not be closed.

    Examples
    --------
    >>> import tempfile
    >>> log = DecisionLog(Path(tempfile.mkdtemp()) / "decisions.db", reviewer="Ada")
    >>> first = log.add("Why?", "How?", 1, stated=0, note="one question")
    >>> second = log.add("Why?", "Since when?", 0, stated=1, note="not long")
    >>> log.answers()[["reviewer", "text_a", "text_b", "same", "stated", "note"]]
      reviewer text_a       text_b  same  stated          note
    0      Ada   Why?         How?     1       0  one question
    1      Ada   Why?  Since when?     0       1      not long
    >>> log.undo()[0].undoes == second.id
    True
    >>> log.answers()["same"].tolist(), [record.same for record in log.records()]
    ([1], ['1', '0', ''])
    """

    def __init__(self, path: str | PathLike, reviewer: str | None = None, create: bool = True):
        if not isinstance(path, str | PathLike):
            kind = type(path).__name__
            raise DecisionError(
                f"a log is named by its path, decisions.db for example, not by a {kind}"
            )
        self.path = Path(path).absolute()  # the folder of a notebook may change
        self.reviewer = name_of(reviewer or "")
        is_table = ending(path) in (*TABLES, ".xlsx")
        if create and is_table and not self.path.exists():
            raise DecisionError(
                f"{self.path.name} is the name of a table; a log is an SQLite file of its own: decisions.db"
            )
        make_store(self.path, create)

    def __repr__(self) -> str:
        return f"<DecisionLog: {counting(len(self.records()), 'record')} in {self.path.name}>"

    # -- writing -------------------------------------------------------------------------------------------

    def add(
        self,
        text_a: str,
        text_b: str,
        same: int | str = "",
        *,
        reviewer: str | None = None,
        **fields: Any,
    ) -> Answer:
        """Add one answer, or a note, about a pair; it is on disk when this returns.

        Parameters
        ----------
        text_a, text_b : str
            The pair, with its sentences as in the data.
        same : {1, 0, "?", "later"}, optional
            1: the two mean the same; 0: they do not; "?": nobody can say. Without it, the record is a `note`.
        stated : {1, 0}, optional
            The pair's current stated label, which a replay compares with the label it finds.
        about : list of pairs, optional
            The conflicts in view, each as the pair of its negative.
        note : str, optional
        shown : dict, optional
            What the reviewer saw, kept as JSON: ``{"blind": True}``.

        Raises
        ------
        DecisionError
            Nothing was added.
        """
        answer = {"text_a": text_a, "text_b": text_b, "same": same, **fields}
        return self.give([answer], reviewer=reviewer)[0]

    def give(
        self,
        answers: Iterable[Mapping[str, Any]],
        undoing: Iterable[Answer] = (),
        reviewer: str | None = None,
    ) -> list[Answer]:
        """Add answers that are given together, as for `add`, and take back others: all or nothing.

        They have one time, later than all other records of the reviewer, so `undo` takes them back
        together.
        """
        person = self._person(reviewer)
        with writing(self.path) as connection:
            moment = self._moment(connection, person)
            records = [Answer(moment, person, **_fields(**answer)) for answer in answers]
            for record in undoing:
                undo = Answer(moment, person, record.text_a, record.text_b, undoes=record.id)
                records.append(undo)
            insert(connection, records)
        return records

    def _moment(self, connection: Connection, reviewer: str) -> str:
        """The time of a reviewer's next records: the latest, even if the clock was set back."""
        now = time_text(datetime.now(UTC))
        query = "SELECT max(time) FROM answers WHERE reviewer = ?"
        last = connection.execute(query, [reviewer]).fetchone()[0] or ""
        if last < now:
            return now
        return time_text(datetime.fromisoformat(last) + timedelta(milliseconds=1))

    def undo(self, reviewer: str | None = None, id: str | None = None) -> list[Answer]:
        """Take back a reviewer's last standing answer; called again, the one before it.

        With `id`, take back that record of theirs and all others of the same moment. It may be a
        note, or an undo: the undo of an undo restores the answer. Returns the records added, none
        if there is nothing to take back.
        """
        person = self._person(reviewer)
        records = self.records(person)
        if id is None:
            chosen = standing_answers(records)[-1:]
        else:
            chosen = [record for record in records if record.id == id]
        if not chosen:
            return []
        time = chosen[0].time
        together = [record for record in drop_undone(records) if record.time == time]
        return self.give([], together or chosen, person)

    def merge(self, other: Log | list[Answer]) -> int:
        """Add the records of another log, of a filled-in sheet or of a saved page; return the number of new ones.

        Either all are added or none. The order of merges and their number make no difference.
        """
        records = records_of(other)
        with writing(self.path) as connection:
            known = {record.id: record for record in select(connection)}
            new = {record.id: record for record in records if record.id not in known}
            standing_answers((known | new).values())  # refuses two answers at one moment
            insert(connection, new.values())
        return len(new)

    # -- reading -------------------------------------------------------------------------------------------

    def records(self, reviewer: str | None = None) -> list[Answer]:
        """Return the records, of one reviewer if named, in order of time."""
        with opened(self.path) as connection:
            if reviewer is None:
                return select(connection)
            return select(connection, "reviewer = ?", name_of(reviewer))

    def records_after(self, place: int, reviewer: str) -> tuple[list[Answer], int]:
        """Return a reviewer's records that came after a place in the log (0: all), and its last place now.

        With an empty text as `reviewer`, the records of everybody. Some may have an earlier time:
        they were merged in. Nothing is ever deleted from a log, so its last place only grows: if it
        is lower than `place`, this is another file, and it is read from its beginning.
        """
        with opened(self.path) as connection:
            row = connection.execute("SELECT max(rowid) FROM answers").fetchone()
            last = row[0] or 0
            if place > last:
                place = 0
            return select(connection, "? IN (reviewer, '') AND rowid > ?", reviewer, place), last

    def count_besides(self, reviewer: str) -> int:
        """Return the number of records of all reviewers but one, without reading them."""
        with opened(self.path) as connection:
            query = "SELECT count(*) FROM answers WHERE reviewer != ?"
            return connection.execute(query, [reviewer]).fetchone()[0]

    def answers(self, reviewer: str | None = None) -> pd.DataFrame:
        """The answers that stand, of all reviewers or of one: see `Answers.table`."""
        return Answers(self.records(reviewer)).table()

    def answered(self) -> pd.DataFrame:
        """The answers that count, one row per pair: see `Answers.answered`.

        Columns `text_a`, `text_b`, `same` (1, 0, or missing if nobody can say or people differ);
        `random`: true if the pair was drawn at random.
        """
        return Answers(self.records()).answered().drop(columns=["a", "b"])

    def answered_in(self, graph: ParaphraseGraph) -> pd.DataFrame:
        """The answers that count, found in a graph: see `Answers.answered`.

        `paragraph.error_rates` and ``repair(answers=...)`` read it.
        """
        return Answers(self.records(), graph).answered()

    def _person(self, reviewer: str | None) -> str:
        """The name of a reviewer; by default, that of the log."""
        return self.reviewer if reviewer is None else name_of(reviewer)


#: A log, or its path.
Log = str | PathLike | DecisionLog


def signed(log: Log, reviewer: str | None) -> tuple[DecisionLog, str]:
    """The log, created if missing, and the person who answers: by default its reviewer."""
    if not isinstance(log, DecisionLog):
        log = DecisionLog(log, reviewer)
    name = name_of(reviewer or log.reviewer)
    if not name:
        raise PairsError('whose decisions will these be? Say reviewer="your name"')
    return log, name


def _fields(
    text_a: str,
    text_b: str,
    same: Any = "",
    stated: Any = None,
    about: Iterable = (),
    note: str = "",
    shown: Any = None,
) -> dict[str, str]:
    """The fields of a record as texts, from the values that `add` takes."""
    fields = {"text_a": text_a, "text_b": text_b, "same": str(same), "note": note}
    if not pd.isna(stated):
        fields["stated"] = str(stated)
    fields["about"] = shortest_json([list(pair) for pair in about])
    fields["shown"] = shortest_json(shown or {})
    return fields


def records_of(log: Any) -> list[Answer]:
    """The records of a log, or of a file: a log, a filled-in sheet, or what a saved page wrote.

    For a list of these, or of records: each record once, by time, like `DecisionLog.merge` but
    without changing a file. A sheet is named after its reviewer: `DecisionError` refuses two sheets
    with one name.
    """
    if isinstance(log, list | tuple):
        return _records_of_all(log)
    if isinstance(log, DecisionLog):
        return log.records()
    if not isinstance(log, str | PathLike):
        raise DecisionError(
            f"a log is a DecisionLog or the path of one, not a {type(log).__name__}"
        )
    path = Path(log)
    if path.is_file() and path.suffix in SHEETS:
        return read_sheet(path)
    if path.is_file() and path.suffix == ".jsonl":
        return read_page(path)
    return DecisionLog(path, create=False).records()


def _records_of_all(logs: Iterable[Any]) -> list[Answer]:
    """The records of several logs, each once, by time."""
    records: dict[str, Answer] = {}
    sheets: dict[str, Path] = {}  # by reviewer
    for log in logs:
        if isinstance(log, Answer):
            records[log.id] = log
            continue
        for record in records_of(log):
            records[record.id] = record
        if isinstance(log, str | PathLike) and Path(log).suffix in SHEETS:
            path = Path(log).absolute()
            other = sheets.setdefault(path.stem, path)
            if path != other:
                raise DecisionError(
                    f"{other} and {path} are both of {path.stem!r}: name each sheet after its reviewer"
                )
    return by_time(records.values())
