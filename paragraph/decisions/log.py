"""The log of reviewers' answers, and its exports: files to read, compare line by line, and send."""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from os import PathLike
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

import pandas as pd

from ..files import PairsError
from ..files.json_lines import json_objects
from ..files.names import TABLES, ending
from ..files.outputs import atomic_write, check_rows, record_of, write_record
from .answers import Answers
from .record import (
    FIELDS,
    Answer,
    DecisionError,
    by_time,
    name_of,
    shortest_json,
    standing,
    time_text,
    untaken,
    values_of,
)
from .sheets import is_sheet, read_sheet
from .store import BRIEFLY, insert, latest_time, make_store, opened, readable, select, select_after, writing

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = [
    "DecisionError", "DecisionLog", "digest", "file_of", "read_records", "records_of", "signed", "write_records",
]  # fmt: skip

#: The last time that can be written.
LAST = "9999-12-31T23:59:59.999Z"


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
        Created if it does not exist, unless `create` is False. A file that is not such a log is refused, and not
        changed.
    reviewer : str, optional
        The reviewer of added answers, unless a call names another.
    create : bool

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
    >>> made = log.add("Why?", "How?", 1, stated=0, note="one question")
    >>> made = log.add("Why?", "Since when?", 0, stated=1, note="not long")
    >>> log.answers()[["reviewer", "text_a", "text_b", "same", "stated", "note"]]
      reviewer text_a       text_b  same  stated          note
    0      Ada   Why?         How?     1       0  one question
    1      Ada   Why?  Since when?     0       1      not long
    >>> log.undo()[0].undoes == made.id
    True
    >>> log.answers()["same"].tolist(), [record.same for record in log.records()]
    ([1], ['1', '0', ''])
    """

    def __init__(self, path: str | PathLike, reviewer: str | None = None, create: bool = True):
        if not isinstance(path, str | PathLike):
            raise DecisionError(f"a log is named by its path, decisions.db for example, not by a {_kind_of(path)}")
        try:
            self.path = Path(path).absolute()  # the folder of a notebook may change
        except FileNotFoundError:
            raise DecisionError(f"{path}: the folder in which you are was deleted; change to another") from None
        self.reviewer = None if reviewer is None else name_of(reviewer)
        self.patience: float | None = None  #: seconds to wait for other processes that write, by default a minute
        if create and ending(path) in (*TABLES, ".xlsx") and not self.path.exists():
            raise DecisionError(
                f"{self.path.name} is the name of a table; a log is an SQLite file of its own: decisions.db"
            )
        make_store(self.path, create)

    def __repr__(self) -> str:
        count = len(self.records())
        return f"<DecisionLog: {count:,} record{'s' * (count != 1)} in {self.path.name}>"

    # -- writing -------------------------------------------------------------------------------------------

    def add(
        self, text_a: str, text_b: str, same: int | str = "", *, reviewer: str | None = None, **more: Any
    ) -> Answer:
        """Add one answer, or a note, about a pair; on disk when this returns.

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
        return self.give([{"text_a": text_a, "text_b": text_b, "same": same, **more}], reviewer=reviewer)[0]

    def give(
        self, answers: Iterable[Mapping[str, Any]], undoing: Iterable[Answer] = (), reviewer: str | None = None
    ) -> list[Answer]:
        """Add answers that are given together, each as for `add`, and take back others: all of it or nothing.

        They have one time, later than all others of their reviewer, so `undo` takes them back together.
        """
        whose = self._whose(reviewer)
        answers = list(answers)
        with writing(self.path, self.patience) as connection:
            moment = self._moment(connection, whose, any(answers))
            made = [Answer(moment, whose, **_fields(**one)) for one in answers]
            made += [Answer(moment, whose, one.text_a, one.text_b, undoes=one.id) for one in undoing]
            insert(connection, made)
        return made

    def _moment(self, connection: Connection, reviewer: str, answers: bool) -> str:
        """The time of a reviewer's next records: later than that of all others.

        Clocks are set back, and two records may share a millisecond. Only an undo may have the last time of all.
        """
        now = time_text(datetime.now(UTC))
        last = latest_time(connection, reviewer) or ""
        if last == LAST and answers:
            left = [one.time for one in untaken(select(connection, reviewer=reviewer)) if not one.undoes]
            last = max(left, default="")
            if last == LAST:
                raise DecisionError(
                    f"{self.path.name} has a record of {reviewer} dated {LAST}, and none can be later: take it back "
                    "(undo), or answer under another name"
                )
        if last < now or last == LAST:
            return max(now, last)
        return time_text(datetime.fromisoformat(last) + timedelta(milliseconds=1))

    def undo(self, reviewer: str | None = None, id: str | None = None) -> list[Answer]:
        """Take back a reviewer's last standing answer; called again, the one before it.

        With `id`, take back that record of theirs, whichever it is, with all others of the same moment: a note, or an
        undo, whose own undo restores what it took back. Returns the records added, none if there is nothing to take
        back.
        """
        whose = self._whose(reviewer)
        records = self.records(whose)
        last = standing(records)[-1:] if id is None else [record for record in records if record.id == id]
        if not last:
            if id is None:
                return []
            raise DecisionError(f"{self.path.name} has no record {id} of {whose}")
        together = [record for record in untaken(records) if record.time == last[0].time]
        return self.give([], together or last, whose)

    def merge(self, other: DecisionLog | str | PathLike, damaged: bool = False) -> int:
        """Add the records of another log, or of a file that `export` wrote; return the number of new ones.

        Either all are added or none. The order of merges and their number make no difference. With `damaged`, the
        records are added that can still be read in a log whose file is damaged; others may be lost.
        """
        given = readable(Path(other)) if damaged else records_of(other)
        with writing(self.path, self.patience) as connection:
            known = {record.id: record for record in select(connection)}
            new = {record.id: record for record in given if record.id not in known}
            standing((known | new).values())  # refuses two ways at one moment
            insert(connection, new.values())
        return len(new)

    # -- reading -------------------------------------------------------------------------------------------

    def records(self, reviewer: str | None = None) -> list[Answer]:
        """Return the records, of one reviewer if named, in order of time."""
        with opened(self.path) as connection:
            return select(connection, **({} if reviewer is None else {"reviewer": name_of(reviewer)}))

    def records_after(self, place: int, reviewer: str) -> tuple[list[Answer], int]:
        """Return a reviewer's records that came after a place in the log (0: all), and its last place now.

        With the empty text, those of all reviewers. Among them may be records of an earlier time, which were merged
        in.
        """
        with opened(self.path) as connection:
            return select_after(connection, place, reviewer)

    def count_besides(self, reviewer: str) -> int:
        """Return the number of records of all reviewers but one, without reading them."""
        with opened(self.path) as connection:
            count = connection.execute("SELECT count(*) FROM answers WHERE reviewer != ?", [reviewer])
            return count.fetchone()[0]

    def answers(self, reviewer: str | None = None) -> pd.DataFrame:
        """The answers that stand, of all reviewers or of one: see `Answers.table`."""
        return Answers(self.records(reviewer)).table()

    def answered(self, reviewer: str | None = None) -> pd.DataFrame:
        """Return the meanings of pairs according to the answers that stand (of all reviewers, or of one).

        Columns `text_a`, `text_b`, `same` (1, 0, or missing if nobody can say or people differ); `random`: was the
        pair drawn at random?
        """
        return Answers(self.records(reviewer)).answered()[["text_a", "text_b", "same", "random"]]

    def answered_in(self, graph: ParaphraseGraph) -> pd.DataFrame:
        """Return what counts of the answers about pairs, met with a graph: see `Answers.answered`.

        `paragraph.audited` and ``repair(answers=...)`` read it.
        """
        return Answers(self.records(), graph).answered()

    def export(self, path: str | PathLike) -> None:
        """Write all records as JSON Lines, ordered by time: equal logs give equal bytes.

        (The bytes of the log itself depend on how it was filled.) For a spreadsheet, use the table `answers`.
        """
        write_records(self.records(), path, inputs=[self.path])

    def _whose(self, reviewer: str | None) -> str:
        return name_of(self.reviewer or "" if reviewer is None else reviewer)


def signed(log: DecisionLog | str | PathLike, reviewer: str | None) -> tuple[DecisionLog, str]:
    """The log, created if it does not exist, and the person who adds decisions: by default its reviewer."""
    log = log if isinstance(log, DecisionLog) else DecisionLog(log, reviewer)
    log.patience = BRIEFLY  # somebody waits at a page
    if not (name := name_of(reviewer or log.reviewer or "")):
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
) -> dict[str, Any]:
    """The fields of a record from the values of a table."""
    stated = "" if stated is None or pd.isna(stated) else str(stated)
    about = shortest_json([list(pair) for pair in about])
    shown = shortest_json(shown or {})
    texts = {"text_a": text_a, "text_b": text_b, "same": str(same), "stated": stated}
    return texts | {"about": about, "note": note, "shown": shown}


def records_of(log: DecisionLog | str | PathLike | Mapping | Sequence, encoding: str | None = None) -> list[Answer]:
    """The records of a log, of the log at a path, or of a .jsonl file that `DecisionLog.export` wrote.

    For a sheet of conflicts that is filled in, or an export of Label Studio or Prodigy, see `read_sheet`. The text
    ``Ada=sheet.csv`` names the author of the answers in a file.

    For a list of these, or of records, return each record once, by time, like `DecisionLog.merge` but without
    changing a file. If two files have the same guessed name, from the file or from an annotator's number, and neither
    holds all answers of the other, they may be by two people: `DecisionError` asks for their names.
    """
    if isinstance(log, list | tuple):
        found: dict[str, Answer] = {}
        guessed: dict[str, tuple[str, set[str]]] = {}
        for one in log:
            some = [one] if isinstance(one, Answer) else records_of(one, encoding)
            unsure = () if isinstance(one, Answer) else (r for r in some if r.saw.get("named") is False)
            for name in {record.reviewer for record in unsure}:
                ids = {record.id for record in some if record.reviewer == name}
                file, known = guessed.setdefault(name, (str(one), ids))
                if not (ids <= known or known <= ids):
                    raise DecisionError(
                        f"{file} and {one} are both of {name!r}, which is not known to be one person: say whose they "
                        f"are, as in Ada={Path(file).name} Bo={Path(str(one)).name}; one name for both, if it is one"
                    )
            found |= {record.id: record for record in some}
        return by_time(found.values())
    if isinstance(log, DecisionLog):
        return log.records()
    if not isinstance(log, str | PathLike):
        raise DecisionError(f"a log is a DecisionLog or the path of one, not a {_kind_of(log)}")
    path, name = Path(file_of(log)), str(log).removesuffix(file_of(log))[:-1]
    if path.is_file() and is_sheet(path):
        return read_sheet(path, encoding, name)
    if name:
        raise DecisionError(f"{path.name} says whose its answers are; {name}= is for sheets and exports of tools")
    if path.is_file() and path.suffix == ".jsonl":
        return read_records(path)
    return DecisionLog(path, create=False).records()


def file_of(log: str | PathLike) -> str:
    """The file that an argument names, which may include its author: ``Ada=sheet.csv``."""
    name, _, file = str(log).partition("=")
    return file if name.strip() and file and not Path(log).exists() else str(log)


def _kind_of(value: Any) -> str:
    return "table" if isinstance(value, pd.DataFrame) else type(value).__name__


def write_records(records: Iterable[Answer], path: str | PathLike, inputs: Iterable[str | PathLike] = ()) -> None:
    """Write records, ordered by time, as JSON Lines: the same records give the same bytes.

    A record beside the file counts them, so `read_records` notices if its end is lost.
    `inputs` are the logs that the records are from, and are not written over.
    """
    if Path(path).suffix != ".jsonl":
        raise DecisionError(f"{Path(path).name} must end in .jsonl")
    ordered = by_time(records)
    with atomic_write(path, inputs=inputs) as part:
        part.write_bytes(_json_lines(ordered))
        write_record({"rows": len(ordered)}, record_of(part))


def _json_lines(ordered: Iterable[Answer]) -> bytes:
    lines = (shortest_json(dict(zip(FIELDS, values_of(record), strict=True))) for record in ordered)
    return "".join(f"{line}\n" for line in lines).encode()


def digest(records: Iterable[Answer]) -> str:
    """SHA-256 of the records as JSON Lines, ordered by time: the same for the same records."""
    return hashlib.sha256(_json_lines(by_time(records))).hexdigest()


def read_records(path: str | PathLike) -> list[Answer]:
    """The records of a file that `write_records` wrote; or of a page that `Explorer.save` wrote.

    A page gives its records no `id`, but ends the file with their number and a checksum.

    Raises
    ------
    DecisionError
        Naming file and row, if a record is damaged, was changed, or has a field that this version does not know. Or
        records without an `id` are not as the page wrote them.
    """
    rows = list(json_objects(path)) if os.path.getsize(path) else []
    seal = rows.pop()[1] if rows and "crc32" in rows[-1][1] else None
    check_rows(path, len(rows))
    found = []
    for row, values in rows:
        try:
            if odd := {*values, "id"} ^ {*FIELDS}:
                wrong = f"fields missing or unknown: {', '.join(sorted(map(str, odd)))}"
                raise DecisionError(f"{wrong}; this version of paragraph reads and writes {', '.join(FIELDS)}")
            if not values.get("id", "of a saved page"):
                raise DecisionError("it has no id; only what a log wrote can be read back")
            found.append(Answer(**values))
        except DecisionError as error:
            raise DecisionError(f"{Path(path).name}, row {row}: {error}") from None
    if seal or any("id" not in values for _, values in rows):
        text = "".join(f"{shortest_json(values)}\n" for _, values in rows).encode("utf-16-le")
        if seal != {"records": len(rows), "crc32": zlib.crc32(text)}:
            raise DecisionError(
                f"{Path(path).name}: it has been changed, or cut off: the last line does not count these "
                f"{len(rows):,} records; save the file on the page again"
            )
    return found
