"""The log of reviewers' decisions, and its exports: files that can be read, compared line by line, and sent."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from os import PathLike
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import numpy as np
import pandas as pd

from ..pairs import PairsError
from ..pairs.opening import json_objects
from ..pairs.outputs import as_counted, beside, write_record
from ..pairs.read import read_table
from ..pairs.write import write_table
from .records import (
    FIELDS,
    Decision,
    DecisionError,
    in_order,
    last_words,
    of_unstated,
    says,
    shortest_json,
    standing,
    time_text,
    values_of,
    verdicts,
)
from .sheets import is_sheet, read_sheet
from .store import insert, latest_time, make_store, opened, readable, select, writing

__all__ = ["DecisionError", "DecisionLog", "digest", "read_records", "records_of", "write_records"]

#: A new log with such a name would be taken for a table of pairs.
TABLES = (".csv", ".tsv", ".json", ".jsonl", ".txt", ".gz", ".xlsx", ".parquet")
#: A record of this year leaves no room for a later one.
LAST_YEAR = "9999"


class DecisionLog:
    """An append-only log of decisions about sentence pairs, in one SQLite file.

    When a method that writes returns, the record is on disk: it survives the end of the process at any moment.
    Records are never changed or deleted; an undo is a record of its own. Several processes may use one log at once
    on one machine. Never keep a log on a network drive for several people to write to: SQLite's write-ahead log does
    not work across a network, and decisions could be lost. Each reviewer keeps a log of their own, on their own disk;
    `paragraph.agreement`, `paragraph.replay` and `merge` read several.

    Parameters
    ----------
    path : str or path
        Created where there is none, unless `create` is False. A file that is not such a log is refused, and not
        changed.
    reviewer : str, optional
        The reviewer of added decisions, unless a call names another.
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
    >>> log.current()[["reviewer", "text_a", "text_b", "decision"]]
      reviewer text_a text_b decision
    0      Ada   Why?   How?     flip
    1      Ada   Why?  When?      cut
    >>> log.undo().undoes == made.id
    True
    >>> log.current()["decision"].tolist(), log.history()["decision"].tolist()
    (['flip'], ['flip', 'cut', 'undo'])
    """

    def __init__(self, path: str | PathLike, reviewer: str | None = None, create: bool = True):
        if not isinstance(path, str | PathLike):
            raise DecisionError(f"a log is named by its path, decisions.db for example, not by a {_kind_of(path)}")
        self.path, self.reviewer = Path(path).absolute(), reviewer  # the folder of a notebook may change
        if create and self.path.suffix in TABLES and not self.path.exists():
            raise DecisionError(
                f"{self.path.name} is the name of a table; a log is an SQLite file of its own: decisions.db"
            )
        make_store(self.path, create)

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
        seconds = None if seconds is None else round(float(seconds), 3)
        with writing(self.path) as connection:
            return self._record(
                connection, reviewer, question1=question1, question2=question2, decision=decision, label=label,
                edge1=edge1, edge2=edge2, reason=reason, note=note, seconds=seconds, shown=shortest_json(shown or {}),
            )  # fmt: skip

    def undo(self, reviewer: str | None = None, id: str | None = None) -> Decision | None:
        """Take back the last decision of a reviewer that stands; called again, the one before it.

        With `id`, that record of theirs, whichever it is: a note, or an undo, whose own undoing brings back
        what it took away. Returns the record added, or None where there is nothing to take back.
        """
        with writing(self.path) as connection:
            found = select(connection, reviewer=self._whose(reviewer))
            found = standing(found) if id is None else [record for record in found if record.id == id]
            if not found and id is not None:
                known = f"{self.path.name} has no record {id} of {self._whose(reviewer)}"
                raise DecisionError(f"{known}; history() lists them")
            if not found:
                return None
            last = found[-1]
            pair = {"question1": last.question1, "question2": last.question2}
            return self._record(connection, reviewer, **pair, decision="undo", undoes=last.id)

    def merge(self, other: DecisionLog | str | PathLike, damaged: bool = False) -> int:
        """Add the records of another log, or of a file that `export` wrote; the number of those that were new.

        Either all are added or none. The order of merges and their number make no difference. With `damaged`, the
        records are added that can still be read in a log whose file is damaged; others may be lost.
        """
        given = readable(Path(other)) if damaged else records_of(other)
        with writing(self.path) as connection:
            known = {record.id: record for record in select(connection)}
            new = {record.id: record for record in given if record.id not in known}
            known |= new
            for record in new.values():
                if record.time > LAST_YEAR:
                    raise DecisionError(
                        f"record {record.id} of {record.reviewer} is dated {record.time}, after which nothing can be "
                        "decided; mend the clock of its machine, and decide it again"
                    )
                target = known.get(record.undoes, record)
                if (
                    record.undoes
                    and not damaged
                    and (target.reviewer != record.reviewer or target.time >= record.time)
                ):
                    raise DecisionError(
                        f"undo {record.id} takes back {record.undoes}, which is not an earlier record of "
                        f"{record.reviewer} in either log; merge the whole log, not a part of it"
                    )
            standing(known.values())  # refuses two ways at one moment
            insert(connection, new.values())
        return len(new)

    # -- reading -------------------------------------------------------------------------------------------

    def records(self, reviewer: str | None = None, since: str = "") -> list[Decision]:
        """Return the records, of one reviewer if named, later than a time if given, in the order of their time."""
        with opened(self.path) as connection:
            return select(connection, since, **({} if reviewer is None else {"reviewer": reviewer}))

    def count_besides(self, reviewer: str) -> int:
        """Return the number of records of all reviewers but one, without reading them."""
        with opened(self.path) as connection:
            count = connection.execute("SELECT count(*) FROM decisions WHERE reviewer != ?", [reviewer])
            return count.fetchone()[0]

    def history(self) -> pd.DataFrame:
        """All records as a table, with the column `stands`: is this the reviewer's word on the pair now?"""
        records = self.records()
        ids = {record.id for record in last_words(standing(records))}
        return _table(records).assign(stands=[record.id in ids for record in records])

    def current(self, reviewer: str | None = None) -> pd.DataFrame:
        """The decisions that stand: of each reviewer (or of one) and each pair, the last not taken back.

        A pair whose last decision is *skip* is among them, undecided.
        """
        return _table(last_words(standing(self.records(reviewer))))

    def judged(self, reviewer: str | None = None) -> pd.DataFrame:
        """Return what standing decisions (of all reviewers, or of one) say of the meaning of pairs, stated or not.

        Columns `text_a`, `text_b`, `same`, as `paragraph.audited` and ``repair(audit=...)`` read them: see
        `records.verdicts`.
        """
        return verdicts(standing(self.records(reviewer)))

    def answers(self, reviewer: str | None = None) -> pd.DataFrame:
        """Return the answers to pairs that stand, by time: `DecisionLog.answers`, one row a reviewer and pair.

        Columns `text_a`, `text_b`; `same` (1, 0, missing where nobody can say); `reviewer`; `time`; `stated`, the
        label as it stood (missing where no row stated one); `note`; `shown`, what the reviewer saw, as JSON; `id`.
        """
        records, found = self.records(reviewer), {}
        notes = {(each.reviewer, each.pair): each.note for each in records if each.decision == "note"}
        for each in last_words(standing(records)):
            for pair, same in says(each).items():
                own, texts = pair == each.pair, (each.question1, each.question2)
                stated = (None if of_unstated(each) else each.label) if own else 1
                note = each.note or notes.get((each.reviewer, pair), "")
                row = *(texts if own else (each.edge1, each.edge2)), same, each.reviewer, each.time, stated, note
                found[each.reviewer, pair] = (*row, each.shown, each.id)
        names = ["text_a", "text_b", "same", "reviewer", "time", "stated", "note", "shown", "id"]
        table = pd.DataFrame([*found.values()], columns=names)
        return table.astype({name: "Int8" if name in ("same", "stated") else "str" for name in names})

    def export(self, path: str | PathLike, spreadsheet_safe: bool = False) -> None:
        """Write all records as .jsonl or .tsv, ordered by time: equal logs give equal bytes.

        With `spreadsheet_safe` no spreadsheet runs a text of the .tsv as a formula, and it is read back all the same.
        """
        write_records(self.records(), path, spreadsheet_safe)

    def digest(self) -> str:
        """SHA-256 of the log's JSON Lines export. (The bytes of the log itself vary with how it was filled.)"""
        return digest(self.records())

    def _whose(self, reviewer: str | None) -> str:
        return self.reviewer or "" if reviewer is None else reviewer

    def _record(self, connection: Connection, reviewer: str | None, **values: Any) -> Decision:
        """Add a record that is later than all others of its reviewer."""
        reviewer, now = self._whose(reviewer), datetime.now(UTC)
        if last := latest_time(connection, reviewer):  # clocks are set back, and two may share a millisecond
            now = max(now, datetime.fromisoformat(last) + timedelta(milliseconds=1))
        record = Decision(time_text(now), reviewer, **values)
        insert(connection, [record])
        return record


def records_of(log: DecisionLog | str | PathLike | Sequence) -> list[Decision]:
    """The records of a log, of the log at a path, or of a .jsonl or .tsv file that `DecisionLog.export` wrote.

    Of a sheet of conflicts that is filled in, or an export of Label Studio or Prodigy: see `read_sheet`.

    Of a list of these, or of records, each record once, by time: what `DecisionLog.merge` would give, with no file
    changed.
    """
    if isinstance(log, list | tuple):
        found = (record for one in log for record in ([one] if isinstance(one, Decision) else records_of(one)))
        return in_order({record.id: record for record in found}.values())
    if isinstance(log, DecisionLog):
        return log.records()
    if not isinstance(log, str | PathLike):
        raise DecisionError(f"a log is a DecisionLog or the path of one, not a {_kind_of(log)}")
    path = Path(log)
    if path.is_file() and is_sheet(path):
        return read_sheet(path)
    if path.is_file() and path.suffix in (".jsonl", ".tsv"):
        return read_records(path)
    return DecisionLog(path, create=False).records()


def _kind_of(value: Any) -> str:
    return "table" if isinstance(value, pd.DataFrame) else type(value).__name__


def _table(records: list[Decision]) -> pd.DataFrame:
    types = dict.fromkeys(FIELDS, "str") | {"label": "Int8", "seconds": "float64"}
    table = pd.DataFrame(list(map(values_of, records)), columns=list(FIELDS)).astype(types)
    return table.rename(columns={"question1": "text_a", "question2": "text_b"})


def write_records(records: Iterable[Decision], path: str | PathLike, spreadsheet_safe: bool = False) -> None:
    """Write records, ordered by time, as JSON Lines or TSV by the ending of `path`.

    The same records give the same bytes. A record beside the file counts them, so that `read_records` notices where
    the end of it is lost. Texts with tabs, quotes or line ends are quoted in TSV; with
    `spreadsheet_safe` none of them is run as a formula by a spreadsheet (see `pairs.delimited.guarded`).
    """
    ordered, is_json = in_order(records), _kind(path) == ".jsonl"
    if is_json and spreadsheet_safe:
        raise DecisionError(f"{Path(path).name}: only .tsv is for a spreadsheet; spreadsheet_safe is for it")
    rows = [["" if value is None else str(value) for value in values_of(record)] for record in ordered]
    with beside(path) as part:
        if is_json:
            part.write_bytes(_json_lines(ordered))
        else:
            write_table(pd.DataFrame(rows, columns=list(FIELDS)), part, spreadsheet_safe)
        write_record(part, {"rows": len(ordered)})


def _json_lines(ordered: Iterable[Decision]) -> bytes:
    lines = (shortest_json(dict(zip(FIELDS, values_of(record), strict=True))) for record in ordered)
    return "".join(f"{line}\n" for line in lines).encode()


def digest(records: Iterable[Decision]) -> str:
    """SHA-256 of the records as JSON Lines, ordered by time: the same for the same records."""
    return hashlib.sha256(_json_lines(in_order(records))).hexdigest()


def read_records(path: str | PathLike) -> list[Decision]:
    """The records of a file that `write_records` wrote.

    Raises
    ------
    DecisionError
        Naming file and row, where a record is damaged, was changed, or has a field this version does not know.
    """
    try:
        rows = [*(_tsv(path) if _kind(path) == ".tsv" else json_objects(path) if os.path.getsize(path) else ())]
        as_counted(path, len(rows))
    except PairsError as error:
        raise DecisionError(str(error)) from None
    found = []
    for row, values in rows:
        if odd := set(values) ^ set(FIELDS):
            raise DecisionError(
                f"{Path(path).name}, row {row}: fields missing or unknown: {', '.join(sorted(map(str, odd)))}; "
                "this version of paragraph reads and writes " + ", ".join(FIELDS)
            )
        try:
            if not values["id"]:
                raise DecisionError("it has no id; only what a log wrote can be read back")
            found.append(Decision(**values))
        except DecisionError as error:
            raise DecisionError(f"{Path(path).name}, row {row}: {error}") from None
    return found


def _kind(path: str | PathLike) -> str:
    kind = Path(path).suffix
    if kind not in (".jsonl", ".tsv"):
        raise DecisionError(f"{Path(path).name} must end in .jsonl or .tsv")
    return kind


def _tsv(path: str | PathLike) -> Iterator[tuple[int, dict[str, Any]]]:
    table = read_table(path, quoting=True)
    if (*table,) != FIELDS:
        raise DecisionError(f"{Path(path).name}: the header is not that of a log's TSV: {', '.join(FIELDS)}")
    for row, values in zip(table.index, table.to_dict("records"), strict=True):
        values["label"] = {"": None, "0": 0, "1": 1}.get(values["label"], values["label"])
        with suppress(ValueError):  # `Decision` refuses what is no number
            values["seconds"] = float(values["seconds"]) if values["seconds"] else None
        yield row, values
