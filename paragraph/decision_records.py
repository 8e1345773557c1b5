"""What a decision is, which decisions of a log stand, and how they are written to a file and read back."""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import Any

import pyarrow as pa

from .delimited import DelimitedWriter, quote_fields, read_columns
from .pairs import PairsError

__all__ = [
    "DECISIONS", "FIELDS", "TIME", "Decision", "DecisionError", "digest", "in_order", "pair_of", "read_records",
    "shortest_json", "standing", "write_records",
]  # fmt: skip

#: What a reviewer can decide of a pair.
DECISIONS = ("flip", "cut", "keep", "ambiguous", "skip")
_KINDS = (*DECISIONS, "note", "undo")
#: How times are written; the last three digits of six are left out.
TIME = "%Y-%m-%dT%H:%M:%S.%fZ"


class DecisionError(PairsError):
    """A decision that cannot be made, kept or read; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One record of a log: a decision, a note, or the undoing of an earlier record.

    Attributes
    ----------
    time : str
        UTC, to the millisecond. Records of one reviewer have different times, in the order they were made.
    reviewer, question1, question2, decision : str
        Who decided what of which pair: one of `DECISIONS`, or "note", or "undo".
    label : int or None
        The pair's stated label when it was decided: 0, 1, or not told.
    edge1, edge2 : str
        For *cut*: the pair whose positive label is wrong.
    reason, note : str
        Why, in a word; anything else worth keeping.
    seconds : float or None
        How long it took.
    shown : str
        A JSON object: what the reviewer saw (``{"blind": true}``).
    undoes : str
        For *undo*: the id of the record taken back.
    id : str
        The first 32 hexadecimal digits of the SHA-256 of the rest, so that a record is the same in every log
        it is merged into, and a record that was changed is found out.
    """

    time: str
    reviewer: str
    question1: str
    question2: str
    decision: str
    label: int | None = None
    edge1: str = ""
    edge2: str = ""
    reason: str = ""
    note: str = ""
    seconds: float | None = None
    shown: str = "{}"
    undoes: str = ""
    id: str = ""

    def __post_init__(self) -> None:
        _check(self)
        found = hashlib.sha256(shortest_json(astuple(self)[:-1]).encode()).hexdigest()[:32]
        if self.id and self.id != found:
            raise DecisionError(
                f"decision {self.id} is not what was decided then: it has been changed or damaged; "
                "take an unchanged copy of the file, and decide anew what should be different"
            )
        object.__setattr__(self, "id", found)


FIELDS = tuple(field.name for field in fields(Decision))


def shortest_json(value: Any) -> str:
    """The shortest JSON text of a value; `DecisionError` where it has none."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise DecisionError(f"{value!r} cannot be written as JSON: {error}") from None


def _check(record: Decision) -> None:
    for name in FIELDS:
        value = getattr(record, name)
        if name == "label":
            if not (value is None or (type(value) is int and value in (0, 1))):
                raise DecisionError(f"label {value!r} is not one of 0, 1, None")
        elif name == "seconds":
            if not (value is None or (type(value) is float and math.isfinite(value) and value >= 0)):
                raise DecisionError(f"seconds {value!r} is not a time taken")
        else:
            _check_text(name, value)
    if record.decision not in _KINDS:
        raise DecisionError(f"decision {record.decision!r} is not one of {', '.join(_KINDS)}")
    if not record.reviewer.strip():
        raise DecisionError('a decision needs to know whose it is: DecisionLog(path, reviewer="your name")')
    _check_pair("question1 and question2", record.question1, record.question2)
    if record.decision == "cut":
        _check_pair("edge1 and edge2, the positive pair to cut", record.edge1, record.edge2)
    elif record.edge1 or record.edge2:
        raise DecisionError(f"only a cut names an edge, and this is {record.decision!r}")
    if record.decision == "note" and not record.note:
        raise DecisionError("a note needs a text")
    if (record.decision == "undo") != bool(record.undoes):
        raise DecisionError("an undo, and nothing else, names the record that it takes back")
    try:
        exact = datetime.strptime(record.time, TIME).strftime(TIME)[:-4] + "Z" == record.time
    except ValueError:
        exact = False
    if not exact:
        raise DecisionError(f"time {record.time!r} is not like 2026-01-31T12:00:00.000Z")
    try:
        shown = json.loads(record.shown)
        same = isinstance(shown, dict) and shortest_json(shown) == record.shown
    except ValueError:
        same = False
    if not same:
        raise DecisionError(f"shown {record.shown!r} is not a JSON object in its shortest form")


def _check_text(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise DecisionError(f"{name} {value!r} is not text")
    if "\0" in value or re.search("[\ud800-\udfff]", value):
        raise DecisionError(f"{name} {value!r} holds a NUL character or half a surrogate pair, which no text can")


def _check_pair(name: str, a: str, b: str) -> None:
    if len(pair_of(a, b)) < 2 or not all(pair_of(a, b)):
        raise DecisionError(f"{name} must be two different sentences, not {a!r} and {b!r}")


def pair_of(a: str, b: str) -> frozenset[str]:
    """An unordered pair of sentences, Unicode form (NFC) and outer white space aside.

    Examples
    --------
    >>> pair_of("Why?", "How? ") == pair_of("How?", "Why?")
    True
    """
    return frozenset(unicodedata.normalize("NFC", text).strip() for text in (a, b))


def in_order(records: Iterable[Decision]) -> list[Decision]:
    """Records by time; id decides between reviewers who worked in the same millisecond."""
    return sorted(records, key=lambda record: (record.time, record.id))


def standing(records: Iterable[Decision]) -> list[Decision]:
    """The decisions that were not taken back, in the order they were made; neither undos nor notes.

    A decision is taken back by an undo that is not taken back itself. Of several that stand on one pair the
    last counts, which is for the reader to apply: what one pair is depends on the identity of sentences.
    """
    ordered = in_order(records)
    undone = set()
    for record in reversed(ordered):  # an undo is later than what it undoes
        if record.undoes and record.id not in undone:
            undone.add(record.undoes)
    return [record for record in ordered if record.decision in DECISIONS and record.id not in undone]


# -- files -------------------------------------------------------------------------------------------------


def write_records(records: Iterable[Decision], path: str | PathLike) -> None:
    """Write records, ordered by time, as JSON Lines or TSV by the ending of `path`.

    The same records give the same bytes. Texts with tabs, quotes or line ends are quoted in TSV.
    """
    ordered = in_order(records)
    if _kind(path) == ".jsonl":
        Path(path).write_bytes(_json_lines(ordered))
        return
    columns = zip(*map(astuple, ordered), strict=True) if ordered else [()] * len(FIELDS)
    with DelimitedWriter(path, list(FIELDS)) as out:
        out.write([quote_fields(pa.array(map(_field, column), pa.large_string())) for column in columns])


def _json_lines(ordered: Iterable[Decision]) -> bytes:
    lines = (shortest_json(dict(zip(FIELDS, astuple(record), strict=True))) for record in ordered)
    return "".join(f"{line}\n" for line in lines).encode()


def digest(records: Iterable[Decision]) -> str:
    """SHA-256 of the records as JSON Lines, ordered by time: the same for the same records."""
    return hashlib.sha256(_json_lines(in_order(records))).hexdigest()


def _field(value: Any) -> str:
    return "" if value is None else str(value)


def read_records(path: str | PathLike) -> list[Decision]:
    """The records of a file that `write_records` wrote.

    Raises
    ------
    DecisionError
        Naming file and line, where a record is damaged, was changed, or has a field this version does not know.
    """
    rows = _jsonl(path) if _kind(path) == ".jsonl" else _tsv(path)
    found = []
    for line, values in rows:
        if odd := set(values) ^ set(FIELDS):
            raise DecisionError(
                f"{Path(path).name}, {line}: fields missing or unknown: {', '.join(sorted(map(str, odd)))}; "
                "this version of paragraph reads and writes " + ", ".join(FIELDS)
            )
        try:
            if not values["id"]:
                raise DecisionError("it has no id; only what a log wrote can be read back")
            found.append(Decision(**values))
        except DecisionError as error:
            raise DecisionError(f"{Path(path).name}, {line}: {error}") from None
    return found


def _kind(path: str | PathLike) -> str:
    kind = Path(path).suffix
    if kind not in (".jsonl", ".tsv"):
        raise DecisionError(f"{Path(path).name} must end in .jsonl or .tsv")
    return kind


def _jsonl(path: str | PathLike) -> Iterable[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(Path(path).read_bytes().split(b"\n"), 1):
        if line.strip():
            try:
                values = json.loads(line)
            except ValueError as error:
                raise DecisionError(f"{Path(path).name}, line {number}: not JSON: {error}") from None
            if not isinstance(values, dict):
                raise DecisionError(f"{Path(path).name}, line {number}: not a JSON object")
            yield f"line {number}", values


def _tsv(path: str | PathLike) -> Iterable[tuple[str, dict[str, Any]]]:
    def numbers(name: str, text: str) -> Any:
        if name == "label":
            return {"": None, "0": 0, "1": 1}.get(text, text)
        try:
            return text if name != "seconds" else float(text) if text else None
        except ValueError:
            return text  # which Decision refuses, saying which it is

    with open(path, encoding="utf-8-sig", errors="replace") as file:
        header = file.readline().rstrip("\n").split("\t")
    if header != list(FIELDS):
        raise DecisionError(f"{Path(path).name}: the header is not that of a log's TSV: {', '.join(FIELDS)}")
    places = list(range(len(FIELDS)))
    found = read_columns(lambda: pa.input_stream(str(path)), "\t", True, len(FIELDS), places)
    if found.bad:
        row, value, why = found.bad[0]
        raise DecisionError(f"{Path(path).name}, row {row}: {value}: {why}")
    columns = [column.to_pylist()[1:] for column in found.columns]
    for row, values in zip(found.row[1:], zip(*columns, strict=True), strict=True):
        yield (
            f"row {row}",
            {name: numbers(name, value) for name, value in zip(FIELDS, values, strict=True)},
        )
