"""One record of a log: an answer, a note, or an undo; and the records that nobody took back."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any

from ..files import PairsError

__all__ = [
    "FIELDS",
    "NUMBERS",
    "OVERRULES",
    "SAME",
    "Answer",
    "DecisionError",
    "by_time",
    "digest",
    "drop_undone",
    "name_of",
    "pair_of",
    "shortest_json",
    "standing_answers",
    "time_text",
    "values_of",
]  # fmt: skip

#: The possible answers about a pair, in words.
SAME = {"1": "the same", "0": "different", "?": "nobody can say", "later": "later"}
NUMBERS = {"1": 1, "0": 0}
#: The key, in the `shown` of an answer, of the ids of other people's answers that it overrules.
OVERRULES = "overrules"


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
        A JSON object: what the reviewer saw (``{"blind":true}``), for how many seconds, and which
        answers of others this one overrules.
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
        content = shortest_json(values_of(self)[:-1])
        id = hashlib.sha256(content.encode()).hexdigest()[:32]
        if self.id not in ("", id):
            raise DecisionError(
                f"answer {self.id} differs from the original: it has been changed or damaged; "
                "use an unchanged copy of the file, and add a new answer for what should be different"
            )
        object.__setattr__(self, "id", id)

    @property
    def pair(self) -> frozenset[str]:
        """The pair that the record is about: see `pair_of`."""
        return pair_of(self.text_a, self.text_b)

    @property
    def saw(self) -> dict[str, Any]:
        """The object in `shown`."""
        return json.loads(self.shown)

    @property
    def about_pairs(self) -> list[list[str]]:
        """The pairs in `about`."""
        return json.loads(self.about)


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
    return frozenset([name_of(a), name_of(b)])


# -- valid records ---------------------------------------------------------------------------------------


#: By field: the function that gives the normal form of a value, and a description of that form.
_NORMAL: dict[str, tuple[Callable[[str], str], str]] = {
    "time": (
        lambda text: time_text(datetime.fromisoformat(text[:-1])),
        "like 2026-01-31T12:00:00.000Z",
    ),
    "shown": (
        lambda text: shortest_json(dict(json.loads(text))),
        "a JSON object in its shortest form",
    ),
    "about": (
        lambda text: _pairs_text(json.loads(text)),
        "a JSON list of pairs in its shortest form",
    ),
}


def _pairs_text(pairs: Iterable[Iterable[Any]]) -> str:
    return shortest_json([[str(a), str(b)] for a, b in pairs])


def _check(record: Answer) -> None:
    """Refuse a record that is not valid."""
    for name in FIELDS:
        value = getattr(record, name)
        if not isinstance(value, str):
            raise DecisionError(f"{name} {value!r} is not text")
        if re.search("[\0\ud800-\udfff]", value):
            raise DecisionError(
                f"{name} {value!r} holds a NUL character or half a surrogate pair, which no text can"
            )
    for name, allowed in (("same", SAME), ("stated", NUMBERS)):
        value = getattr(record, name)
        if value and value not in allowed:
            raise DecisionError(f"{name} {value!r} is not one of {', '.join(allowed)}, or empty")
    if not record.reviewer:
        raise DecisionError('an answer needs a reviewer: DecisionLog(path, reviewer="your name")')
    if record.reviewer != name_of(record.reviewer):
        raise DecisionError(
            f"reviewer {record.reviewer!r} is not in its normal form, {name_of(record.reviewer)!r}"
        )
    if "" in record.pair:
        raise DecisionError(
            f"text_a and text_b must be two sentences, not {record.text_a!r} and {record.text_b!r}"
        )
    if record.undoes and record.same:
        raise DecisionError("an undo names the record that it takes back, and says nothing else")
    if not (record.same or record.undoes or record.note or record.shown != "{}"):
        raise DecisionError("a note needs a text")
    for name, (normal, description) in _NORMAL.items():
        value = getattr(record, name)
        if not _is_normal(normal, value):
            raise DecisionError(f"{name} {value!r} is not {description}")


def _is_normal(normal: Callable[[str], str], text: str) -> bool:
    """True if a text is its own normal form."""
    try:
        return normal(text) == text
    except (TypeError, ValueError, RecursionError):
        return False


# -- records that stand ----------------------------------------------------------------------------------


def by_time(records: Iterable[Answer]) -> list[Answer]:
    """Records by time; the id decides between those of one millisecond."""
    return sorted(records, key=lambda record: (record.time, record.id))


def digest(records: Iterable[Answer]) -> str:
    """The SHA-256 of the sorted ids of records: the same for the same records in any log."""
    ids = sorted(record.id for record in records)
    return hashlib.sha256("".join(ids).encode()).hexdigest()


def drop_undone(records: Iterable[Answer]) -> list[Answer]:
    """The records, by time, that no undo takes back, unless the undo itself is taken back."""
    ordered = by_time(records)
    undone: set[tuple[str, str]] = set()  # reviewer and id: nobody takes back a record of others
    for record in reversed(ordered):  # an undo is later than what it takes back
        if record.undoes and (record.reviewer, record.id) not in undone:
            undone.add((record.reviewer, record.undoes))
    return [record for record in ordered if (record.reviewer, record.id) not in undone]


def standing_answers(records: Iterable[Answer]) -> list[Answer]:
    """The answers that nobody took back, by time; `Answers` says which of them count.

    `DecisionError` if a reviewer gave one pair two answers at one moment, as in a sheet that was
    changed.
    """
    answers = [record for record in drop_undone(records) if record.same]
    first: dict[tuple[str, frozenset[str], str], str] = {}
    for answer in answers:
        key = (answer.reviewer, answer.pair, answer.time)
        if first.setdefault(key, answer.same) != answer.same:
            texts = f"{answer.text_a!r} and {answer.text_b!r}"
            raise DecisionError(
                f"{answer.reviewer} answered two ways about {texts} at {answer.time}; "
                "put a later time into the later sheet (written)"
            )
    return answers
