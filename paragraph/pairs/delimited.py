"""Delimited text as a source: its delimiter, its header, and what its quotes are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import pandas as pd

from ..files.delimited import DELIMITERS, edit_records, field_pattern, first_records, read_rows
from ..files.errors import PairsError
from ..files.spelling import option
from .layouts import ANYONE, RELEASES
from .recognise import How, has_texts, release_of
from .source import Edits, Source, values_shown
from .tables import DECIDED

__all__ = ["Delimited", "open_delimited"]

#: A first line such as `sep=;`, which tells Excel the delimiter, and which Excel hides.
SEP = re.compile(rb"(?:sep=[,;|\t]\r?\n)?")
#: The words for delimiters, and for what quotes are.
MARKS = {"\t": "tabs", ",": "commas", ";": "semicolons"}
QUOTES = {True: "CSV quotes", False: "no quoting", None: "no quotes that matter"}


@dataclass(frozen=True)
class Delimited(Source):
    """A delimited text."""

    content: bytes = field(default=b"", repr=False)  #: all of it, as UTF-8
    delimiter: str = "\t"
    header: bool = True  #: whether the first record names the columns
    quoted: bool | None = None  #: whether quotes enclose fields; None where no quote matters
    start: int = 0  #: where the records begin in the content
    head: list = field(default_factory=list, repr=False)  #: the first records, as lists of texts

    @property
    def about(self) -> str:
        return f" ({MARKS.get(self.delimiter, 'vertical bars')}, {QUOTES[self.quoted]})"

    def read(self, names: Sequence) -> tuple[pd.DataFrame, list]:
        places = [self.names.index(name) for name in names]
        content = self.content[self.start :]
        header = [*self.names]
        quoted = bool(self.quoted)
        columns, rows, faults = read_rows(content, self.delimiter, quoted, header, places)
        texts = [column.to_pandas().array for column in columns]
        table = pd.DataFrame(dict(zip(names, texts, strict=True)), index=rows)
        if self.header:
            faults = [fault for fault in faults if fault[0] > 1]
            table = table.loc[2:]
        return table, faults

    def sample(self) -> dict[Any, list[str]]:
        rows = self.head[int(self.header) :]
        values = {}
        for i, name in enumerate(self.names):
            values[name] = values_shown(row[i] for row in rows if len(row) > i)
        return values

    def edited(self, edits: Edits) -> tuple[bytes, bytes]:
        place = {name: i for i, name in enumerate(self.names)}
        place.setdefault(edits.added, len(self.names))

        def changes(row: int) -> dict[int, str]:
            words = {}
            if edits.added is not None:
                words[place[edits.added]] = DECIDED if row == 1 and self.header else ""
            for cell, word in edits.cells.get(row, {}).items():
                words[place[cell]] = word or ""
            return words

        dialect = self.delimiter, bool(self.quoted)
        kept = [self.content[: self.start]]
        left = [self.content[: self.start]]
        records = self.content[self.start :]
        for row, line in edit_records(records, dialect, [*self.names], changes):
            if row not in edits.gone:
                kept.append(line)
            if row in edits.gone or (row == 1 and self.header):
                left.append(line)
        return b"".join(kept), b"".join(left)


def open_delimited(name: str, data: bytes, how: How) -> Delimited:
    """Split a text at the delimiter that fits best."""
    start = SEP.match(data).end()
    delimiters = DELIMITERS
    if how.format in RELEASES:
        delimiters = RELEASES[how.format].delimiters
    heads = first_records(data[start:], delimiters, name)
    trials = [_trial(name, data, mark, heads[mark], how) for mark in delimiters]
    best = max(trials, key=lambda trial: _fit(trial, how))
    best = replace(best, start=start)
    is_odd = "\ufffd" in "".join(best.head[0])
    if is_odd and not has_texts(best.names, how, best.release):
        way = option("encoding", "cp1252")
        raise PairsError(
            f"{name}, row 1: is not UTF-8; {way}, or that of another encoding, reads it"
        )
    if best.header and data[start : start + 1] in (b"\r", b"\n"):
        raise PairsError(f"{name}, row 1: is blank; take out the blank lines before the header")
    header = "".join(map(str, best.names))
    if not how.columns and re.search("[\r\n]", header):
        raise PairsError(
            f"{name}, row 1: the header runs over several lines, as if after a stray quote; "
            "if that is intended, name the columns"
        )
    is_open = how.header is None and "label" not in how.columns
    if is_open and not best.header and best.release is ANYONE:
        raise PairsError(
            f"{name}, row 1: may name the columns; {option('header', True)} says that it does, "
            f"{option('header', False)} that it is a pair"
        )
    return _with_quotes(best, how)


def _trial(name: str, data: bytes, delimiter: str, head: list, how: How) -> Delimited:
    """A text as split at one delimiter, before its quotes are known."""
    names = tuple(head[0])
    release = release_of(names, how, delimiter)
    is_free = how.format == "auto" and not how.columns
    if is_free and delimiter == "," and all(map(_is_of_mqp, head)):
        release = RELEASES["mqp"]
    columns = chain(how.columns.values(), *release.roles.values())
    counted = any(isinstance(column, int) for column in columns)
    header = how.header
    if header is None:
        header = not counted
    if counted or not header:
        width, _ = _width(head)
        names = tuple(range(width))
    kind = {"\t": "tsv"}.get(delimiter, "csv")
    return Delimited(
        name,
        kind,
        names,
        content=data,
        release=release,
        delimiter=delimiter,
        header=header,
        head=head,
    )


def _is_of_mqp(row: list[str]) -> bool:
    """True for a record such as MQP has: doctor, question, question, 0 or 1."""
    return len(row) == 4 and row[0].isdigit() and row[3] in ("0", "1")


def _width(head: list) -> tuple[int, int]:
    """The commonest number of fields, and the number of records that have it."""
    return Counter(map(len, head)).most_common(1)[0]


def _fit(trial: Delimited, how: How) -> tuple:
    """The fit of a delimiter, to compare: a release, named texts, several columns, the share of rows of one width."""
    width, count = _width(trial.head)
    is_named = has_texts(trial.names, how, trial.release)
    share = count / len(trial.head)
    return trial.release is not ANYONE, is_named, width > 1, share


def _with_quotes(table: Delimited, how: How) -> Delimited:
    """The table, with what its quotes are; of two tab-separated formats of Quora, they tell which one it is."""
    quora = how.format == "auto" and table.release.name == "qqp"
    if how.quoting is not None:
        return replace(table, quoted=how.quoting)
    if table.release.quoted is not None and not quora:
        return replace(table, quoted=table.release.quoted)
    if table.delimiter != "\t":
        # A text without a single comma is rare, so commas never come without quotes
        return replace(table, quoted=True)
    records = table.content[table.start :]
    readings = _readings(records, table.delimiter, len(table.names))
    if len(readings) > 1:
        as_marks = option("quoting", True)
        as_text = option("quoting", False)
        if quora:
            as_marks = option("format", "qqp")
            as_text = option("format", "qqp-glue")
        raise PairsError(
            f"{table.name}: quotes may be marks around fields or part of the texts, and the rows differ; "
            f"marks: {as_marks}; part of the texts: {as_text}"
        )
    if quora and readings == {False}:
        return replace(table, quoted=False, release=RELEASES["qqp-glue"])
    return replace(table, quoted=next(iter(readings), None))


def _readings(data: bytes, delimiter: str, width: int) -> set[bool]:
    """The readings that the quotes in the data allow: True for quotes as marks, False for quotes as text.

    A field that begins with a quote shows that quotes are marks if it ends as a quoted field must, and holds a
    doubled quote, or a delimiter or line end that would leave its line with too few or too many fields. It shows that
    they are text if it does not end so, or if its line is whole only without quoting. ``"Yes"`` shows neither. The
    set is empty if no field begins with a quote: both readings then give the same rows.
    """
    split = delimiter.encode()
    match_field = field_pattern(split).match
    evidence: set[bool | None] = set()
    end = 0
    # A quote at the start of a field: before it stands nothing, a delimiter or a line end
    for quote in re.finditer(rb'"(?<![^%b\r\n]")' % split, data):
        start = quote.start()
        if start < end:
            continue  # inside the field before
        match = match_field(data, start)
        end = match.end()
        if match[1] is None:
            evidence.add(False)
        elif b'""' in match[1]:
            evidence.add(True)
        elif re.search(rb"[%b\r\n]" % split, match[1]):
            line_start = data.rfind(b"\n", 0, start) + 1
            line = data[line_start:].partition(b"\n")[0]
            evidence.add(line.count(split) + 1 != width)
        else:
            evidence.add(None)
        if {True, False} <= evidence:
            break
    if evidence == {None} and data.startswith(b'"'):
        return {True}  # a header in quotes comes from a writer that quotes every text
    if evidence == {None}:
        return {True, False}
    return evidence - {None}
