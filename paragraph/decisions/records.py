"""Decisions: what one is, which of a log stand, and what they say of pairs and of words.

A record of tags says in `shown` into which words the sentences were cut (``words``: two lists) and which spans of
them are 1 (``tags``: two lists of [first, last + 1]). It is also a decision on the pair: without a 1 the two mean the
same, a *flip* of the 0 that an unlabelled pair counts as; with a 1 it is a *keep*. A pair that was skipped or is
*ambiguous* has no tags; its spans are those marked until then.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any

import pandas as pd

from ..pairs import PairsError
from ..words.tokens import tags_of

__all__ = [
    "AGAIN", "DECISIONS", "FIELDS", "FOR", "SETTLED", "SETTLES", "Decision", "DecisionError", "Marks", "has_tags",
    "in_order", "is_of_words", "last_words", "made_for", "marks_of", "of_unstated", "pair_of", "part_of", "says",
    "set_aside", "settles", "shortest_json", "standing", "time_text", "values_of", "verdicts",
]  # fmt: skip

Marks = list[list[int]]

#: The edge of a decision that names none.
NO_EDGE = frozenset({""})
#: Key in the `shown` of a cut that is recorded once more, on the positive itself: the next decision on the conflict
#: takes its first place.
AGAIN = "again"
#: Key in the `shown` of a record: the two sentences of the conflict for which a further cut was made.
FOR = "conflict"
#: Key in the `shown` of a record: the reviewers whose disagreement on the pair it settles.
SETTLES = "settles"
#: Begins the reason why a decision does not count: another one has settled its disagreement.
SETTLED = "settled by "
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
        UTC, to the millisecond. A log gives each record of a reviewer a time of its own, in the order they were made.
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

    @property
    def saw(self) -> dict[str, Any]:
        """The object that `shown` holds."""
        return json.loads(self.shown)


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
        if name in ("label", "seconds"):
            continue
        if not isinstance(value, str):
            raise DecisionError(f"{name} {value!r} is not text")
        if re.search("[\0\ud800-\udfff]", value):
            raise DecisionError(f"{name} {value!r} holds a NUL character or half a surrogate pair, which no text can")
    label, seconds = record.label, record.seconds
    if label is not None and not (type(label) is int and label in (0, 1)):
        raise DecisionError(f"label {label!r} is not one of 0, 1, None")
    if seconds is not None and not (type(seconds) is float and 0 <= seconds < math.inf):
        raise DecisionError(f"seconds {seconds!r} is not a number of seconds")
    if record.decision not in _KINDS:
        raise DecisionError(f"decision {record.decision!r} is not one of {', '.join(_KINDS)}")
    if not record.reviewer.strip():
        raise DecisionError('a decision needs to know whose it is: DecisionLog(path, reviewer="your name")')
    pairs = {"question1 and question2": (record.question1, record.question2)}
    if record.decision == "cut":
        pairs["edge1 and edge2 (the positive pair to cut)"] = (record.edge1, record.edge2)
    elif record.edge1 or record.edge2:
        raise DecisionError(f"only a cut names an edge, and this is {record.decision!r}")
    for name, (a, b) in pairs.items():
        if len(pair_of(a, b)) < 2 or "" in pair_of(a, b):
            raise DecisionError(f"{name} must be two different sentences, not {a!r} and {b!r}")
    if record.decision == "note" and not record.note:
        raise DecisionError("a note needs a text")
    if (record.decision == "undo") != bool(record.undoes):
        raise DecisionError("an undo, and nothing else, names the record that it takes back")
    if _normal(lambda: time_text(datetime.fromisoformat(record.time[:-1]))) != record.time:
        raise DecisionError(f"time {record.time!r} is not like 2026-01-31T12:00:00.000Z")
    if record.shown[:1] != "{" or _normal(lambda: shortest_json(record.saw)) != record.shown:
        raise DecisionError(f"shown {record.shown!r} is not a JSON object in its shortest form")


def _normal(text: Callable[[], str]) -> str | None:
    """Return a text written anew, or None where it cannot be read."""
    try:
        return text()
    except (ValueError, RecursionError):
        return None


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
    """Return True if `shown` says that a decision judges a pair that the data did not state.

    Its label is then the one that follows from others. (A cut of another pair is never one.)
    """
    return record.saw.get("stated") is False and record.edge in (record.pair, NO_EDGE)


def made_for(record: Decision) -> frozenset[str] | None:
    """The conflict that a further cut was made for, which stands in its `shown`; None for other decisions."""
    found = record.saw.get(FOR)
    if isinstance(found, list) and [type(text) for text in found] == [str, str]:
        return pair_of(*found)
    return None


def part_of(record: Decision) -> tuple[str, frozenset[str]]:
    """The reviewer of a decision and the conflict that it is a part of: its pair, or the one a further cut is for."""
    return record.reviewer, made_for(record) or record.pair


def in_order(records: Iterable[Decision]) -> list[Decision]:
    """Records by time; id decides between reviewers who worked in the same millisecond."""
    return sorted(records, key=lambda record: (record.time, record.id))


def standing(records: Iterable[Decision]) -> list[Decision]:
    """The decisions that were not taken back, in the order they were made; neither undos nor notes.

    A decision is taken back by an undo that is not taken back itself. A reviewer's decisions on one pair are
    all among them; which count, `last_words` says. `DecisionError` where two are of one moment, as those of a sheet
    that was changed.
    """
    ordered = in_order(records)
    undone = set()
    for record in reversed(ordered):  # an undo is later than what it undoes
        if record.undoes and record.id not in undone:
            undone.add(record.undoes)
    found, first = [], {}
    for record in ordered:
        if record.decision in DECISIONS and record.id not in undone:
            found.append(record)
            if first.setdefault((record.reviewer, record.pair, record.time), record) != record:
                raise DecisionError(
                    f"{record.reviewer} decided two ways about {record.question1!r} and {record.question2!r} at "
                    f"{record.time}; put a later time into the later sheet (written)"
                )
    return found


def last_words(records: Iterable[Decision]) -> list[Decision]:
    """Return the last record of each reviewer on each pair, in the order they were made."""
    last = {(record.reviewer, record.pair): record for record in in_order(records)}
    return in_order(last.values())


def settles(record: Decision) -> frozenset[str]:
    """Return the reviewers whose disagreement on its pair a decision settles."""
    names = record.saw.get(SETTLES)
    known = isinstance(names, list) and record.decision != "skip"
    return frozenset(name for name in names if isinstance(name, str)) if known else frozenset()


def set_aside(records: Iterable[Decision]) -> dict[str, str]:
    """Return by id why some decisions do not count: skipped, or their disagreement with others is settled."""
    records = list(records)
    settled = {(name, record.pair): record.reviewer for record in records for name in settles(record)}
    found = {record.id: "skipped: not decided yet" for record in records if record.decision == "skip"}
    for record in records:
        if by := settled.get(part_of(record)):
            found[record.id] = f"{SETTLED}{by}"
    return found


def says(record: Decision) -> dict[frozenset[str], int | None]:
    """Return for each pair that a decision speaks of 1 (the same), 0 (different), or None (nobody can say).

    *flip*: the two sentences mean the same. *cut*: those of the cut pair do not, nor do those of the negative that it
    was made for. *keep*: the label is right. *skip* and a *keep* of a label that nobody
    noted say nothing.

    Examples
    --------
    >>> cut = Decision("2026-01-31T12:00:00.000Z", "Ada", "a", "c", "cut", 0, "a", "b")
    >>> {"".join(sorted(pair)): same for pair, same in says(cut).items()}
    {'ac': 0, 'ab': 0}
    """
    if record.decision == "flip":
        return {record.pair: 1}
    if record.decision == "cut":
        return {record.pair: 0, record.edge: 0}
    if record.decision == "keep" and record.label is not None:
        return {record.pair: record.label}
    return {record.pair: None} if record.decision == "ambiguous" else {}


def verdicts(records: Iterable[Decision]) -> pd.DataFrame:
    """One row a pair that standing decisions speak of, in their order: `text_a`, `text_b`, `same`.

    `same` is 1, 0, or missing where nobody can say or two words differ: reviewers, or decisions of one.

    Parameters
    ----------
    records : iterable of Decision
        Those that stand (`records.standing`); of one reviewer's on one pair the last counts.
    """
    found: dict[frozenset[str], set[int | None]] = {}
    for record in last_words(records):
        for pair, same in says(record).items():
            found.setdefault(pair, set()).add(same)
    texts = [sorted(pair) for pair in found]
    same = [next(iter(words)) if len(words) == 1 else None for words in found.values()]
    table = pd.DataFrame(texts, columns=["text_a", "text_b"], dtype="str")
    table.attrs["log"] = True  # it may hold more than one purpose asks for
    return table.assign(same=pd.array(same, dtype="Int8"))


def is_of_words(record: Decision) -> bool:
    """Return True if a decision was made on the words of a pair."""
    return "words" in record.saw


def has_tags(record: Decision) -> bool:
    """Return True if the marks in a record are its tags."""
    return is_of_words(record) and record.decision in ("flip", "keep")


def marks_of(record: Decision) -> tuple[list[list[str]], Marks]:
    """The words of both sentences, and 1 for each that is marked."""
    try:
        words, tags = (record.saw[name] for name in ("words", "tags"))
        return words, [tags_of(map(tuple, tags[side]), len(words[side])) for side in (0, 1)]
    except (LookupError, TypeError, ValueError) as error:
        raise DecisionError(f"the tags of record {record.id} cannot be read: {error}") from None
