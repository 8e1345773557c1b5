"""A sheet of exercises: what counts, what is shown when, and what survives being put away."""

import hashlib
import itertools
import json
import re

import networkx as nx
import pandas as pd
import pytest

import paragraph as pg
from paragraph.lesson import EXERCISES, Sheet

from ..reference import graph_of
from ..refused import refused

COLUMNS = ["student", "seed", "number", "level", "title", "tries", "hints", "solved", "shown", "first_right"]
ALL = len(EXERCISES)
ONE_FLIP = next(n for n, row in enumerate(EXERCISES, 1) if row.title == "One flip")
#: What is kept of an exercise.
SOLVED = {"tries": 1, "solved": True}


def test_report():
    sheet = Sheet(seed=4, student="Ada")
    sheet.progress(1).tries = 7  # a copy
    assert sheet.progress(1).tries == 0 and sheet.solved == []
    sheet.keep(1, **SOLVED)
    sheet.keep(2, tries=1)
    sheet.keep(2, tries=2, hints=3, solved=True)
    sheet.keep(3, tries=1)
    assert sheet.solved == [1, 2]
    table = sheet.report()
    assert list(table.columns) == COLUMNS
    assert set(table["student"]) == {"Ada"} and set(table["seed"]) == {4}
    assert table["title"].tolist() == [row.title for row in EXERCISES] and table["title"].is_unique
    assert table["level"].is_monotonic_increasing and set(table["level"]) == set(range(1, 8))
    done = table[["tries", "hints", "solved", "first_right", "shown"]]
    assert done.loc[:2].values.tolist() == [
        [1, 0, True, True, False], [2, 3, True, False, False], [1, 0, False, False, False]]  # fmt: skip
    assert not done.loc[3:].any(axis=None)
    for wrong in (
        {"tries": "x"},
        {"tries": -1},
        {"hints": float("nan")},
        {"hints": 10**400},
        {"solved": 1},
        {"trials": 1},
    ):
        refused("exercise 3: this is no progress", sheet.keep, 3, **wrong)
    assert sheet.progress(3).tries == 1


CONFLICT = graph_of(("one", "two", 1), ("two", "three", 1), ("one", "three", 0))


def worked_on(graph=None):
    sheet = Sheet(7, "Ada <i>", graph)
    sheet.keep(1, **SOLVED)
    sheet.keep(ONE_FLIP, tries=1, hints=1)
    return sheet


@pytest.mark.parametrize("graph", [None, CONFLICT], ids=["shipped corpus", "own graph"])
def test_state_survives(graph):
    sheet = worked_on(graph)
    again = Sheet.from_json(sheet.to_json(), graph)
    pd.testing.assert_frame_equal(again.report(), sheet.report())
    for number in (1, 7, ONE_FLIP, 22, 23):
        assert str(again.exercise(number)) == str(sheet.exercise(number))
        assert list(again.exercise(number).graph) == list(sheet.exercise(number).graph)


def test_saved_sheets_that_do_not_fit():
    saved = worked_on(CONFLICT).to_json()
    other = json.loads(saved)
    other["progress"]["999"] = other["progress"].pop("1")  # another list of exercises
    broken = ["", "[]", "7", saved[:-9], saved.replace("tries", "trials"), json.dumps(other)]
    for name, value in (("tries", "x"), ("tries", -1), ("tries", 1.5), ("hints", -5), ("solved", "yes"),
                        ("hints", float("nan")), ("seed", [1]), ("student", None)):  # fmt: skip
        state = json.loads(saved)
        (state if name in state else state["progress"]["1"])[name] = value
        broken.append(json.dumps(state))
    for text in broken:
        refused("this is no saved sheet|a sheet has a whole number", Sheet.from_json, text, CONFLICT)


def test_the_name_makes_the_sheet_and_a_file_keeps_it(tmp_path):
    assert Sheet(student="Ada").seed == Sheet(student=" ada ").seed != Sheet(student="Bo").seed and Sheet().seed == 0
    file = tmp_path / "ada.json"
    sheet = Sheet(student="Ada", file=file)
    assert not file.exists()  # nothing is done yet
    for done in range(3):
        sheet.keep(5, tries=done + 1)
        assert Sheet(student="Ada", file=file).progress(5) == sheet.progress(5)
    pd.testing.assert_frame_equal(Sheet(student="Ada", file=file).report(), sheet.report())
    refused(r"ada.json holds sheet \d+ of 'Ada', not \d+ of 'Bo': name another", Sheet, student="Bo", file=file)


def test_what_is_refused():
    for options in ({"seed": "1"}, {"student": None}, {"graph": "x"}, {"graph": nx.Graph()}):
        refused("a sheet has a whole number|drawn from a ParaphraseGraph, not from a", Sheet, **options)
    sheet = Sheet()
    for ask in (sheet.exercise, sheet.progress, sheet.keep):
        for number in (99, 0, -1, "one", None, 1.5, []):
            refused(f"there is no exercise .*; they are numbered from 1 to {ALL}", ask, number)


def test_a_seed_gives_the_same_on_every_machine_and_in_every_version():
    """Saved sheets keep the seed alone. Strings hash differently in every process; nothing must hang on that."""
    told = hashlib.sha256()
    for number, seed in itertools.product(range(1, 27), (0, 5)):  # new exercises come after these
        one = Sheet(seed).exercise(number)
        edges = sorted((str(a), str(b), sign) for a, b, sign in one.graph.edges(data="sign"))
        told.update(f"{one} {list(one.graph)} {edges} {one.choices}".encode())
    assert told.hexdigest()[:16] == "1c83789f90038073"


def test_a_class_is_a_table_and_damaged_files_are_named(tmp_path):
    refused(f"{tmp_path}: no file here ends in .json", pg.lesson.summaries, tmp_path)
    for seed, name in ((3, "Bo"), (1, "=Ada")):
        sheet = Sheet(seed, student=name)
        sheet.keep(2, **SOLVED)
        sheet.keep(9, tries=1)
        (tmp_path / f"{name}.json").write_text(sheet.to_json(), "utf-8-sig")
    table = pg.lesson.summaries(tmp_path)
    assert table[["file", "student", "seed", "solved", "tries", 2, 9, 10]].values.tolist() == [
        ["=Ada.json", "=Ada", 1, 1, 2, "✓", "·", ""], ["Bo.json", "Bo", 3, 1, 2, "✓", "·", ""]]  # fmt: skip
    (tmp_path / "Ada (1).json").write_text(sheet.to_json())
    with pytest.warns(UserWarning, match=r"of a student: =Ada\.json, Ada \(1\)\.json; each"):
        assert len(pg.lesson.summaries(tmp_path)) == 3
    (tmp_path / "cut.json").write_text(sheet.to_json()[:99])
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "odd.json").write_bytes(b"\xff\xfe\x00")
    for name, old, new in (("many", '"tries": 1', f'"tries": {10**29}'), ("half", '"=Ada"', r'"\ud800"')):
        assert old in sheet.to_json()
        (tmp_path / f"{name}.json").write_text(sheet.to_json().replace(old, new, 1))
    (tmp_path / "Ada (1).json").unlink()
    with pytest.warns(UserWarning, match=f"^{tmp_path}: not what a student handed in") as said:
        pd.testing.assert_frame_equal(pg.lesson.summaries(tmp_path), table)
    damaged = ("cut.json", "half.json", "list.json", "many.json", "odd.json")
    assert re.findall(r"\w+\.json", str(said[0].message)) == [*damaged] and len(said) == 1
    for name in ("Bo.json", "=Ada.json"):
        (tmp_path / name).unlink()
    said = refused("not what a student handed in", pg.lesson.summaries, tmp_path)
    assert re.findall(r"\w+\.json", said) == [*damaged]
