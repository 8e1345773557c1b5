"""The log itself: what it takes, what it refuses, and that nothing in it ever changes."""

import json
import sqlite3
from dataclasses import astuple, replace

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.decisions.answers import Answers
from paragraph.decisions.record import FIELDS, Answer, standing_answers

from ..facts import facts
from ..hostile import SENTENCES
from ..refused import refused

SURROGATE = "half \ud83d"

STANDING = [
    # what is so, what is done (pair and answer, or "undo"), what stands
    ("a pair is unordered", "ab 1, ba 0", "ba 0"),
    ("of two to one pair the last stands", "ab 1, ab 0", "ab 0"),
    ("later is a word, too", "ab 1, ab later", ""),
    ("undo takes back", "ab 1, undo", ""),
    ("and brings back what was before", "ab 1, ab 0, undo", "ab 1"),
    ("undo to any depth", "ab 1, cd 0, ef later, undo, undo", "ab 1"),
    ("a note is in nobody's way", "ab 1, ab note, undo", ""),
    ("what is said together is taken back together", "cd ?, ab 0+bc 0, undo", "cd ?"),
    ("a sentence with itself", "aa 1", "aa 1"),
    ("in the order they were given", "ef 1, cd 1, ab 1, cd 0", "ef 1, ab 1, cd 0"),
]


def say(log, word, reviewer=None):
    """Do ``"ab 1"``, ``"ab 0+bc 0"`` or ``"undo"``."""
    if word == "undo":
        return log.undo(reviewer)
    given = []
    for one in word.split("+"):
        (a, b), same = one.split()
        given.append({"text_a": a, "text_b": b} | ({"note": "hm"} if same == "note" else {"same": same}))
    return log.give(given, reviewer=reviewer)


def words(table):
    told = table["same"].astype(object).where(table["same"].notna(), "?")
    return ", ".join(f"{a}{b} {same}" for a, b, same in zip(table["text_a"], table["text_b"], told, strict=True))


@facts("done, stands", STANDING)
def test_what_stands(log, memory, done, stands):
    made = [record for word in done.split(", ") for record in say(log, word)]
    assert sorted(words(log.answers()).split(", ")) == sorted(stands.split(", "))
    assert words(pg.DecisionLog(memory / "log.db").answers("Ada")) == words(log.answers())
    assert sorted(one.id for one in log.records()) == sorted(record.id for record in made)  # each is there, and stays


def test_the_table_of_answers(log):
    log.add("a", "b", note="hm", reviewer="Ben")
    log.add("a", "b", 0, stated=1, about=[("a", "c")], note="two towns")
    log.add("b", "a", note="asked Bo\ntwice")
    log.add("x", "y", "?")
    table = log.answers()
    assert [*table] == [
        "text_a", "text_b", "same", "reviewer", "time", "stated", "note", "about", "shown", "id"
    ]  # fmt: skip
    assert table["same"].tolist() == [0, pd.NA] and table["stated"].tolist() == [1, pd.NA]
    assert table["note"].tolist() == ["two towns; asked Bo twice", ""] and table["about"][0] == '[["a","c"]]'
    log.add("y", "x", 0, reviewer="Ben", shown={"random": True})
    answered = log.answered()
    assert answered["same"].tolist() == [0, pd.NA] and answered["random"].tolist() == [False, True]


def test_undo_of_a_named_record_and_of_that_undo(log):
    assert str(log) == "<DecisionLog: 0 records in log.db>" and len(log.answers()) == 0
    (first,), _, (note,) = (say(log, word) for word in ("ab 1", "cd 0", "ab note"))
    (taken,) = log.undo(id=first.id)
    assert words(log.answers()) == "cd 0"
    (back,) = log.undo(id=taken.id)
    assert words(log.answers()) == "ab 1, cd 0"
    log.undo(id=back.id)
    assert words(log.answers()) == "cd 0"
    assert log.undo(id=note.id)[0].undoes == note.id
    assert log.undo(id="0000") == log.undo("Ben", id=first.id) == []
    assert log.undo("Ben") == [] and words(log.answers("Ben")) == ""  # nobody undoes what another did


def test_answers_that_take_back_others_are_undone_with_them(log):
    cut = say(log, "ac 0+ab 0")
    log.give([{"text_a": "a", "text_b": "c", "same": 1}], undoing=cut)
    assert words(log.answers()) == "ac 1"
    log.undo()
    assert words(log.answers()) in ("ac 0, ab 0", "ab 0, ac 0")
    log.undo()
    assert words(log.answers()) == "" and log.undo() == []


def test_one_reviewer_by_any_spelling_of_the_name(memory):
    log = pg.DecisionLog(memory / "zoe.db", "Zoe\u0308 ")
    log.add("a", "b", 1)
    log.add("a", "b", 0, reviewer=" Zo\u00eb")
    assert log.answers("Zoe\u0308")["reviewer"].tolist() == ["Zo\u00eb"] and words(log.answers()) == "ab 0"
    assert len(log.records("Zoe\u0308 ")) == 2


def test_a_record_is_kept_whole(log):
    note = "".join(SENTENCES) + "'; DROP TABLE answers; --"
    made = log.add(
        "q1", note, 0, stated=np.int8(1), about=[("q1", "q3"), ("q2", note)], note=note,
        shown={"blind": True, "order": ["margin", 3]},
    )  # fmt: skip
    (found,) = log.records()
    assert found == made
    assert (made.reviewer, made.stated, made.text_b) == ("Ada", "1", note)
    assert json.loads(found.shown) == {"blind": True, "order": ["margin", 3]}
    [row] = Answers([found]).rows
    assert row.about == {frozenset(("q1", "q3")), frozenset(("q2", note.strip()))}


def test_times_follow_the_order_though_a_clock_is_set_back_or_too_coarse(log, monkeypatch):
    moments = []

    class Clock(__import__("datetime").datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(*moments.pop(0), tzinfo=tz)

    monkeypatch.setattr("paragraph.decisions.log.datetime", Clock)
    moments += [(2030, 1, 1)] * 3 + [(2029, 1, 1)] * 2 + [(2031, 1, 1), (2029, 6, 1)]
    made = [log.add("a", "b", same) for same in (1, 0, 1, "later", "?", 0)]
    assert [record.time for record in made] == [
        "2030-01-01T00:00:00.000Z", "2030-01-01T00:00:00.001Z", "2030-01-01T00:00:00.002Z",
        "2030-01-01T00:00:00.003Z", "2030-01-01T00:00:00.004Z", "2031-01-01T00:00:00.000Z",
    ]  # fmt: skip
    assert log.answers()["same"].tolist() == [0]
    assert log.add("a", "b", 1, reviewer="Ben").time.startswith("2029-06")  # the clock of one is not another's


REFUSED = [
    # the arguments of add, what is said
    (("a", "b", "flip"), {}, r"same 'flip' is not one of 1, 0, \?, later"),
    (("a", " ", 1), {}, r"must be two sentences, not 'a' and ' '"),
    ((None, "b", 1), {}, r"text_a None is not text"),
    (("a", "b\0", 1), {}, r"holds a NUL character"),
    (("a", "b", 1), {"note": SURROGATE}, r"note 'half \\ud83d' holds"),
    (("a", "b", 1), {"reviewer": " "}, r"needs a reviewer: DecisionLog"),
    (("a", "b", 1), {"stated": 2}, r"stated '2' is not one of 1, 0, or empty"),
    (("a", "b", 1), {"shown": {"x": object()}}, r"cannot be written as JSON"),
    (("a", "b", 1), {"about": ["abc"]}, r"about .* is not a JSON list of pairs"),
    (("a", "b"), {}, r"a note needs a text"),
]


@pytest.mark.parametrize("given, more, said", REFUSED)
def test_what_is_refused_is_not_added(log, given, more, said):
    refused(said, log.add, *given, **more)
    assert log.records() == []


def test_what_is_changed_in_the_file_is_found_out(log):
    log.add("a", "b", 1)
    connection = sqlite3.connect(log.path, isolation_level=None)
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        connection.execute("INSERT INTO answers SELECT * FROM answers")
    connection.execute("UPDATE answers SET same = '0'")
    connection.close()
    refused("has been changed or damaged", log.answers)


def test_the_id_tells_all_fields_apart():
    made = Answer("2026-01-01T00:00:00.000Z", "Ada", "a", "b", "0", "1", '[["a","c"]]', "n", "{}")
    other = {
        "time": "2026-01-01T00:00:00.001Z", "reviewer": "Ben", "text_a": "q", "text_b": "q", "same": "1",
        "stated": "", "about": "[]", "note": "", "shown": '{"blind":true}',
    }  # fmt: skip
    ids = {replace(made, id="", **{name: value}).id for name, value in other.items()}
    assert len(ids | {made.id}) == len(other) + 1 and {*other, "undoes", "id"} == {*FIELDS}
    assert Answer(*astuple(made)) == made
    for time in ("2026-01-01", "2026-01-01T00:00:00Z", "2026-13-01T00:00:00.000Z", "2026-01-01T00:00:00.0001Z"):
        refused("is not like 2026", replace, made, id="", time=time)
    refused("not a JSON object in its shortest form", replace, made, id="", shown='{"blind": true}')
    refused("names the record that it takes back, and says nothing else", replace, made, id="", undoes="x")
    refused("is not in its normal form, 'Ada'", replace, made, id="", reviewer="Ada ")


def test_nobody_takes_back_what_another_said(log):
    """Not even with a record that was made by hand."""
    first = log.add("a", "b", 1)
    forged = Answer("2999-01-01T00:00:00.000Z", "Ben", "a", "b", undoes=first.id)
    assert standing_answers([first, forged]) == [first]
    assert standing_answers([first, replace(forged, id="", reviewer="Ada")]) == []
