"""People's answers about pairs, those of them that stand, and a table of these."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any

import pandas as pd

from ..files import PairsError

__all__ = [
    "FIELDS", "NUMBERS", "SAME", "SETTLES", "Answer", "DecisionError", "Key", "Lines", "answer_table",
    "by_time", "final_answers", "last_answers", "name_of", "normal", "notes", "pair_of",
    "shortest_json", "standing", "time_text", "values_of",
]  # fmt: skip

#: The possible answers about a pair, in words.
SAME = {"1": "the same", "0": "different", "?": "nobody can say", "later": "later"}
NUMBERS = {"1": 1, "0": 0}
#: The key, in the `shown` of an answer, of the ids of other people's answers that it replaces.
SETTLES = "settles"
#: Converts all spellings of an unordered pair to one.
Key = Callable[[str, str], frozenset]
#: By the pair of a line: the pairs of the conflicts on whose path it lies.
Lines = Mapping[frozenset, set[frozenset]]


class DecisionError(PairsError):
    """An error: an answer that cannot be given, kept or read; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One record of a log: an answer, a note, or the undo of an earlier record. All its fields are texts.

    Attributes
    ----------
    time : str
        UTC, to the millisecond. Records given together have one time; a reviewer's later records have later times.
    reviewer, text_a, text_b : str
        The person and the pair.
    same : str
        "1" (the two mean the same), "0" (they do not), "?" (nobody can say), "later"; empty for a note or an undo.
    stated : str
        The stated label at that time: "1", "0"; empty if no row stated one.
    about : str
        JSON: the pairs of the conflicts in view, each a list of two texts.
    note : str
        Anything worth keeping.
    shown : str
        A JSON object: what the reviewer saw (``{"blind":true}``), for how many seconds, and what the answer settles.
    undoes : str
        The id of the record taken back.
    id : str
        The first 32 hexadecimal digits of the SHA-256 of the rest. A record has the same id in every log into which
        it is merged, and a changed record is detected.
    """

    time: str
    reviewer: str
    text_a: str
    text_b: str
    same: str = ""
    stated: str = ""
    about: str = "[]"
    note: str = ""
    shown: str = "{}"
    undoes: str = ""
    id: str = ""

    def __post_init__(self) -> None:
        _check(self)
        found = hashlib.sha256(shortest_json(values_of(self)[:-1]).encode()).hexdigest()[:32]
        if self.id and self.id != found:
            raise DecisionError(
                f"answer {self.id} differs from the original: it has been changed or damaged; "
                "use an unchanged copy of the file, and add a new answer for what should be different"
            )
        object.__setattr__(self, "id", found)

    @property
    def pair(self) -> frozenset[str]:
        """The pair that the record is about: see `pair_of`."""
        return pair_of(self.text_a, self.text_b)

    @property
    def saw(self) -> dict[str, Any]:
        """The object in `shown`."""
        return json.loads(self.shown)

    def conflicts(self, key: Key | None = None, lines: Lines = MappingProxyType({})) -> set[frozenset]:
        """The pairs of the conflicts that the record is about; only its own pair if it is about none.

        `lines` names further ones by the pairs on their paths.
        """
        key = key or pair_of
        own = key(self.text_a, self.text_b)
        return {key(*pair) for pair in json.loads(self.about)} | lines.get(own, set()) or {own}


FIELDS = tuple(field.name for field in fields(Answer))
#: The values of a record in the order of `FIELDS`.
values_of = attrgetter(*FIELDS)


def time_text(moment: datetime) -> str:
    """A moment in UTC, to the millisecond: the order of the texts is that of the times."""
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def shortest_json(value: Any) -> str:
    """The shortest JSON text of a value; `DecisionError` if it has none."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise DecisionError(f"{value!r} cannot be written as JSON: {error}") from None


def _check(record: Answer) -> None:
    for name in FIELDS:
        value = getattr(record, name)
        if not isinstance(value, str):
            raise DecisionError(f"{name} {value!r} is not text")
        if re.search("[\0\ud800-\udfff]", value):
            raise DecisionError(f"{name} {value!r} holds a NUL character or half a surrogate pair, which no text can")
    for name, allowed in (("same", SAME), ("stated", NUMBERS)):
        if (value := getattr(record, name)) not in ("", *allowed):
            raise DecisionError(f"{name} {value!r} is not one of {', '.join(allowed)}, or empty")
    if not record.reviewer:
        raise DecisionError('an answer needs a reviewer: DecisionLog(path, reviewer="your name")')
    if record.reviewer != name_of(record.reviewer):
        raise DecisionError(f"reviewer {record.reviewer!r} is not in its normal form, {name_of(record.reviewer)!r}")
    if "" in record.pair:
        raise DecisionError(f"text_a and text_b must be two sentences, not {record.text_a!r} and {record.text_b!r}")
    if bool(record.undoes) + bool(record.same) > 1:
        raise DecisionError("an undo names the record that it takes back, and says nothing else")
    if not (record.same or record.undoes or record.note or record.shown != "{}"):
        raise DecisionError("a note needs a text")
    if normal(lambda: time_text(datetime.fromisoformat(record.time[:-1]))) != record.time:
        raise DecisionError(f"time {record.time!r} is not like 2026-01-31T12:00:00.000Z")
    if record.shown[:1] != "{" or normal(lambda: shortest_json(record.saw)) != record.shown:
        raise DecisionError(f"shown {record.shown!r} is not a JSON object in its shortest form")
    if normal(lambda: shortest_json([[*map(str, (a, b))] for a, b in json.loads(record.about)])) != record.about:
        raise DecisionError(f"about {record.about!r} is not a JSON list of pairs in its shortest form")


def normal(text: Callable[[], str]) -> str | None:
    """Return a text in normal form, or None if it cannot be read."""
    try:
        return text()
    except (TypeError, ValueError, RecursionError):
        return None


def name_of(reviewer: str) -> str:
    """The name of a reviewer, without outer white space and in Unicode form NFC.

    >>> name_of("Zoe\u0308 ") == name_of("Zo\u00eb")
    True
    """
    return unicodedata.normalize("NFC", reviewer).strip()


@lru_cache(2**16)
def pair_of(a: str, b: str) -> frozenset[str]:
    """An unordered pair of sentences, without outer white space and in Unicode form NFC.

    Examples
    --------
    >>> pair_of("Why?", "How? ") == pair_of("How?", "Why?")
    True
    """
    return frozenset(unicodedata.normalize("NFC", text).strip() for text in (a, b))


def by_time(records: Iterable[Answer]) -> list[Answer]:
    """Records by time; the id decides between those of one millisecond."""
    return sorted(records, key=lambda record: (record.time, record.id))


def _stand(records: Iterable[Answer]) -> list[Answer]:
    """The records, in order, that no undo takes back, unless the undo itself is taken back."""
    ordered, undone = by_time(records), set()
    for record in reversed(ordered):  # an undo is later than what it undoes, and of the same person
        if record.undoes and (record.reviewer, record.id) not in undone:
            undone.add((record.reviewer, record.undoes))
    return [record for record in ordered if (record.reviewer, record.id) not in undone]


def standing(records: Iterable[Answer]) -> list[Answer]:
    """The answers that were not taken back, in the order they were given; `last_answers` says which of them count.

    `DecisionError` where a reviewer gave a pair two answers at one moment, as in a sheet that was changed.
    """
    found, first = [record for record in _stand(records) if record.same], {}
    for one in found:
        if first.setdefault((one.reviewer, one.pair, one.time), one).same != one.same:
            raise DecisionError(
                f"{one.reviewer} answered two ways about {one.text_a!r} and {one.text_b!r} at {one.time}; "
                "put a later time into the later sheet (written)"
            )
    return found


def last_answers(answers: Iterable[Answer], key: Key = pair_of) -> list[Answer]:
    """The last answer of each reviewer about each pair, in the order in which they were given."""
    return by_time({(one.reviewer, key(one.text_a, one.text_b)): one for one in by_time(answers)}.values())


def final_answers(records: Iterable[Answer]) -> list[Answer]:
    """The last answers that stand, except *later*."""
    return [one for one in last_answers(standing(records)) if one.same != "later"]


def notes(records: Iterable[Answer]) -> dict[tuple[str, frozenset[str]], str]:
    """All notes of each reviewer on each pair that were not taken back, in one line, by reviewer and pair."""
    found: dict[tuple[str, frozenset[str]], list[str]] = {}
    for record in _stand(records):
        if record.note:
            found.setdefault((record.reviewer, record.pair), []).append(" ".join(record.note.split()))
    return {who: "; ".join(dict.fromkeys(said)) for who, said in found.items()}


def answer_table(records: Iterable[Answer]) -> pd.DataFrame:
    """Return the answers about pairs that stand, by time, one row per reviewer and pair.

    Columns `text_a`, `text_b`; `same` (1, 0, missing if nobody can say); `reviewer`; `time`; `stated`, the label at
    that time (missing if no row stated one); `note`, all notes of the reviewer on the pair; `about` and `shown` as
    JSON: the conflicts in view, and what the reviewer saw; `id`. Pairs left for later have no row.
    """
    records = list(records)
    noted = notes(records)
    names = ("text_a", "text_b", "same", "reviewer", "time", "stated", "note", "about", "shown", "id")
    rows = [
        {name: getattr(one, name) for name in names} | {"note": noted.get((one.reviewer, one.pair), "")}
        for one in final_answers(records)
    ]
    table = pd.DataFrame(rows, columns=list(names)).astype("str")
    numbers = {name: table[name].map(NUMBERS).astype("Int8") for name in ("same", "stated")}
    return table.assign(**numbers)
