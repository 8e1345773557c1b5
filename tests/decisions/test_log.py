"""The log itself: what it takes, what it refuses, and that nothing in it ever changes."""

import json
import sqlite3
from dataclasses import astuple, replace

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.decisions.records import FIELDS, Decision

from ..facts import facts
from ..hostile import SENTENCES
from ..refused import refused

SURROGATE = "half \ud83d"

STANDING = [
    # what is so, what is done (pair and decision, or "undo"), what stands
    ("a pair is unordered", "ab flip, ba keep", "ba keep"),
    ("of two on one pair the last stands", "ab flip, ab keep", "ab keep"),
    ("a skip is a word, too", "ab flip, ab skip", "ab skip"),
    ("undo takes back", "ab flip, undo", ""),
    ("and brings back what was before", "ab flip, ab keep, undo", "ab flip"),
    ("undo to any depth", "ab flip, cd keep, ef skip, undo, undo", "ab flip"),
    ("and is in nobody's way", "ab flip, ab note, undo", ""),
    ("a cut names an edge", "ab cut, cd flip", "ab cut, cd flip"),
    ("in the order they were made", "ef flip, cd flip, ab flip, cd keep", "ef flip, ab flip, cd keep"),
]


def decide(log, word, reviewer=None):
    """Do ``"ab flip"`` or ``"undo"``."""
    if word == "undo":
        return log.undo(reviewer)
    (a, b), decision = word.split()
    more = {"cut": {"edge": ("x", "y")}, "note": {"note": "hm"}}.get(decision, {})
    return log.add(a, b, decision, reviewer=reviewer, **more)


def words(table):
    return ", ".join(f"{r.text_a}{r.text_b} {r.decision}" for r in table.itertuples())


@facts("done, stands", STANDING)
def test_what_stands(log, memory, done, stands):
    made = [decide(log, word) for word in done.split(", ")]
    assert words(log.current()) == stands
    assert words(pg.DecisionLog(memory / "log.db").current("Ada")) == stands
    history = log.history()
    assert history["id"].tolist() == [record.id for record in made if record]  # each is there, and stays
    assert words(history[history["stands"]]) == stands


def test_answers_to_pairs(log):
    log.add("a", "c", "cut", label=0, edge=("a", "b"), note="hm")
    log.add("x", "y", "ambiguous", label=1)
    table = log.answers()
    assert [*table] == ["text_a", "text_b", "same", "reviewer", "time", "stated", "note", "shown", "id"]
    assert (table["text_a"] + table["text_b"]).tolist() == ["ac", "ab", "xy"]
    assert table["same"].tolist() == [0, 0, pd.NA] and table["stated"].tolist() == [0, 1, 1]


def test_undo_of_a_named_record_and_of_that_undo(log):
    assert str(log) == "<DecisionLog: 0 records in log.db>" and len(log.current()) == len(log.history()) == 0
    first, _second, note = (decide(log, word) for word in ("ab flip", "cd keep", "ab note"))
    taken = log.undo(id=first.id)
    assert words(log.current()) == "cd keep"
    back = log.undo(id=taken.id)
    assert words(log.current()) == "ab flip, cd keep"
    log.undo(id=back.id)
    assert words(log.current()) == "cd keep"
    assert log.undo(id=note.id).undoes == note.id
    refused(r"log\.db has no record 0000 of Ada", log.undo, id="0000")
    refused(f"has no record {first.id} of Ben", log.undo, "Ben", id=first.id)
    assert log.undo("Ben") is None and words(log.current("Ben")) == ""  # nobody undoes what another did


def test_a_record_is_kept_whole(log):
    note = "".join(SENTENCES) + "'; DROP TABLE decisions; --"
    made = log.add(
        "q1", "q2", "cut", label=np.int8(0), edge=("q2", note), reason="entity", note=note,
        seconds=np.float64(3.14159), shown={"blind": True, "order": ["margin", 3]},
    )  # fmt: skip
    (found,) = log.records()
    assert found == made
    assert (made.reviewer, made.label, made.edge1, made.seconds) == ("Ada", 0, "q2", 3.142)
    assert json.loads(found.shown) == {"blind": True, "order": ["margin", 3]}
    row = log.current().iloc[0]
    assert row["reason"] == "entity" and row["note"] == note and row["label"] == 0
    assert list(log.current().columns) == [*FIELDS[:2], "text_a", "text_b", *FIELDS[4:]]


def test_times_follow_the_order_though_a_clock_is_set_back_or_too_coarse(log, monkeypatch):
    moments = []

    class Clock(__import__("datetime").datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(*moments.pop(0), tzinfo=tz)

    monkeypatch.setattr("paragraph.decisions.log.datetime", Clock)
    moments += [(2030, 1, 1)] * 3 + [(2029, 1, 1)] * 2 + [(2031, 1, 1), (2029, 6, 1)]
    made = [log.add("a", "b", decision) for decision in ("flip", "keep", "flip", "skip", "ambiguous", "keep")]
    assert [record.time for record in made] == [
        "2030-01-01T00:00:00.000Z", "2030-01-01T00:00:00.001Z", "2030-01-01T00:00:00.002Z",
        "2030-01-01T00:00:00.003Z", "2030-01-01T00:00:00.004Z", "2031-01-01T00:00:00.000Z",
    ]  # fmt: skip
    assert log.current()["decision"].tolist() == ["keep"]
    assert log.add("a", "b", "flip", reviewer="Ben").time.startswith("2029-06")  # the clock of one is not another's


REFUSED = [
    # the arguments of add, what is said
    (("a", "b", "flop"), {}, r"decision 'flop' is not one of flip, cut, keep, ambiguous, skip"),
    (("a", "b", "undo"), {}, r"names the record that it takes back"),
    (("é", "e\u0301 ", "flip"), {}, r"must be two different sentences"),
    (("a", " ", "flip"), {}, r"must be two different sentences"),
    ((None, "b", "flip"), {}, r"question1 None is not text"),
    (("a", "b\0", "flip"), {}, r"holds a NUL character"),
    (("a", "b", "flip"), {"note": SURROGATE}, r"note 'half \\ud83d' holds"),
    (("a", "b", "flip"), {"reviewer": ""}, r"whose it is: DecisionLog"),
    (("a", "b", "flip"), {"label": 2}, r"label 2 is not one of 0, 1, None"),
    (("a", "b", "flip"), {"seconds": float("nan")}, r"seconds nan is not a number of seconds"),
    (("a", "b", "flip"), {"seconds": -1}, r"seconds -1.0 is not a number of seconds"),
    (("a", "b", "flip"), {"edge": ("a", "c")}, r"only a cut names an edge"),
    (("a", "b", "cut"), {}, r"edge1 and edge2 \(the positive pair to cut\) must be two different sentences"),
    (("a", "b", "cut"), {"edge": ("c", "c")}, r"must be two different sentences, not 'c' and 'c'"),
    (("a", "b", "flip"), {"shown": {"x": object()}}, r"cannot be written as JSON"),
    (("a", "b", "note"), {}, r"a note needs a text"),
]


@pytest.mark.parametrize("given, more, said", REFUSED)
def test_what_is_refused_is_not_added(log, given, more, said):
    refused(said, log.add, *given, **more)
    assert log.records() == []


def test_what_is_changed_in_the_file_is_found_out(log):
    log.add("a", "b", "flip")
    connection = sqlite3.connect(log.path, isolation_level=None)
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        connection.execute("INSERT INTO decisions SELECT * FROM decisions")
    connection.execute("UPDATE decisions SET decision = 'keep'")
    connection.close()
    refused("has been changed or damaged", log.current)


def test_the_id_tells_all_fields_apart():
    made = Decision("2026-01-01T00:00:00.000Z", "Ada", "q1", "q2", "cut", 0, "e1", "e2", "r", "n", 1.0, "{}")
    other = {
        "time": "2026-01-01T00:00:00.001Z", "reviewer": "Ben", "question1": "q", "question2": "q", "label": 1,
        "edge1": "e", "edge2": "e", "reason": "", "note": "", "seconds": None, "shown": '{"blind":true}',
    }  # fmt: skip
    ids = {replace(made, id="", **{name: value}).id for name, value in other.items()}
    assert len(ids | {made.id}) == len(other) + 1
    assert Decision(*astuple(made)) == made and made.id == "e99efbf62d117d09521eb9c37404d47e"
    for time in ("2026-01-01", "2026-01-01T00:00:00Z", "2026-13-01T00:00:00.000Z", "2026-01-01T00:00:00.0001Z"):
        refused("is not like 2026", replace, made, id="", time=time)
    refused("not a JSON object in its shortest form", replace, made, id="", shown='{"blind": true}')
