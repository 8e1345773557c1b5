"""What a decision is, and which decisions of a log stand."""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any

from ..pairs import PairsError

__all__ = [
    "AGAIN", "DECISIONS", "FIELDS", "FOR", "Decision", "DecisionError", "in_order", "is_untouched", "last_words",
    "made_for", "of_unstated", "pair_of", "shortest_json", "standing", "time_text", "values_of", "was_revealed",
]  # fmt: skip

#: The edge of a decision that names none.
NO_EDGE = frozenset({""})
#: Key in the `shown` of a record: it says an earlier one again, because the next record takes the place of that.
AGAIN = "again"
#: Key in the `shown` of a record: the two sentences of the conflict for which a further cut was made.
FOR = "conflict"
#: What a reviewer can decide of a pair.
DECISIONS = ("flip", "cut", "keep", "ambiguous", "skip")
_KINDS = (*DECISIONS, "note", "undo")


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
        The pair's stated label when it was decided: 0, 1, or unknown.
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
        The first 32 hexadecimal digits of the SHA-256 of the rest. A record has the same id in every log it is
        merged into, and a changed record is detected.
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
        found = hashlib.sha256(shortest_json(values_of(self)[:-1]).encode()).hexdigest()[:32]
        if self.id and self.id != found:
            raise DecisionError(
                f"decision {self.id} is not what was decided then: it has been changed or damaged; "
                "use an unchanged copy of the file, and add a new decision for what should be different"
            )
        object.__setattr__(self, "id", found)

    @property
    def pair(self) -> frozenset[str]:
        """The pair that was decided: see `pair_of`."""
        return pair_of(self.question1, self.question2)

    @property
    def edge(self) -> frozenset[str]:
        """The pair that a cut names."""
        return pair_of(self.edge1, self.edge2)


FIELDS = tuple(field.name for field in fields(Decision))
#: The values of a record in the order of `FIELDS`.
values_of = attrgetter(*FIELDS)


def time_text(moment: datetime) -> str:
    """A moment in UTC, to the millisecond: texts in the order of their times."""
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


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
                raise DecisionError(f"seconds {value!r} is not a number of seconds")
        else:
            _check_text(name, value)
    if record.decision not in _KINDS:
        raise DecisionError(f"decision {record.decision!r} is not one of {', '.join(_KINDS)}")
    if not record.reviewer.strip():
        raise DecisionError('a decision needs to know whose it is: DecisionLog(path, reviewer="your name")')
    _check_pair("question1 and question2", record.question1, record.question2)
    if record.decision == "cut":
        _check_pair("edge1 and edge2 (the positive pair to cut)", record.edge1, record.edge2)
    elif record.edge1 or record.edge2:
        raise DecisionError(f"only a cut names an edge, and this is {record.decision!r}")
    if record.decision == "note" and not record.note:
        raise DecisionError("a note needs a text")
    if (record.decision == "undo") != bool(record.undoes):
        raise DecisionError("an undo, and nothing else, names the record that it takes back")
    try:
        exact = time_text(datetime.fromisoformat(record.time[:-1])) == record.time
    except ValueError:
        exact = False
    if not exact:
        raise DecisionError(f"time {record.time!r} is not like 2026-01-31T12:00:00.000Z")
    try:
        shown = json.loads(record.shown)
        same = isinstance(shown, dict) and shortest_json(shown) == record.shown
    except (ValueError, RecursionError):
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


@lru_cache(2**16)
def pair_of(a: str, b: str) -> frozenset[str]:
    """An unordered pair of sentences, Unicode form (NFC) and outer white space aside.

    Examples
    --------
    >>> pair_of("Why?", "How? ") == pair_of("How?", "Why?")
    True
    """
    return frozenset(unicodedata.normalize("NFC", text).strip() for text in (a, b))


def of_unstated(record: Decision) -> bool:
    """Whether a decision is a judgement of a pair that the data did not state: its `shown` says so.

    Its label is then the one that follows from others. (A cut of another pair is never one.)
    """
    return json.loads(record.shown).get("stated") is False and record.edge in (record.pair, NO_EDGE)


def made_for(record: Decision) -> frozenset[str] | None:
    """The conflict that a further cut was made for, which stands in its `shown`; None for other decisions."""
    found = json.loads(record.shown).get(FOR)
    if isinstance(found, list) and [type(text) for text in found] == [str, str]:
        return pair_of(*found)
    return None


def was_revealed(record: Decision) -> bool:
    """Return True if a record says that its reviewer saw what a blind review hides."""
    return json.loads(record.shown).get("blind") is False


def is_untouched(record: Decision) -> bool:
    """Return True if `shown` says that the first sentence alone was read, in place of its shuffle."""
    return json.loads(record.shown).get("untouched") is True


def in_order(records: Iterable[Decision]) -> list[Decision]:
    """Records by time; id decides between reviewers who worked in the same millisecond."""
    return sorted(records, key=lambda record: (record.time, record.id))


def standing(records: Iterable[Decision]) -> list[Decision]:
    """The decisions that were not taken back, in the order they were made; neither undos nor notes.

    A decision is taken back by an undo that is not taken back itself. A reviewer's decisions on one pair are
    all among them; which count, `last_words` says.
    """
    ordered = in_order(records)
    undone = set()
    for record in reversed(ordered):  # an undo is later than what it undoes
        if record.undoes and record.id not in undone:
            undone.add(record.undoes)
    return [record for record in ordered if record.decision in DECISIONS and record.id not in undone]


def last_words(records: Iterable[Decision]) -> list[Decision]:
    """Of each reviewer's records on each pair the last, in the order they were made."""
    last = {(record.reviewer, record.pair): record for record in in_order(records)}
    return in_order(last.values())
