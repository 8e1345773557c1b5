"""Conflicts decided in a spreadsheet, in Label Studio or in Prodigy."""

import json
import os
import shutil

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main
from paragraph.decisions.log import records_of
from paragraph.decisions.sheets import CONFIG
from tests import hostile, reference
from tests.refused import refused

TEA = reference.table("a+b b+c c+d a-c a-d x+y y+z x-z")
#: What is answered for each pair: the decisions that follow, as question, decision and cut pair
ANSWERED = {
    "nothing about the positives": ({"ac": 0}, []),
    "the negative is wrong": ({"ac": 1, "ab": 1}, ["ac flip "]),
    "a positive of two conflicts is wrong": ({"ac": 0, "ab": 0}, ["ac cut ab", "ad cut ab"]),
    "two positives of one conflict are": ({"ab": 0, "bc": 0}, ["ac cut ab", "bc cut bc", "ad cut ab"]),
    "all are right": ({"ac": 0, "ab": 1, "bc": 1}, ["ac keep "]),
    "the negative is wrong, and a positive too": ({"xz": 1, "xy": 0}, ["xz flip ", "xy cut xy"]),
}  # fmt: skip


KINDS = ["ada.csv", "ada.tsv", "ada.json", "ada.jsonl"]


def sheet(folder, name, pairs=TEA):
    """Write pairs and the sheet of their conflicts, and give the path of either."""
    file = folder / "tea.tsv"
    pg.write_pairs(pairs, file)
    assert main(["conflicts", str(file), "--to-decide", "-o", str(folder / name)]) == 0
    return file, folder / name


def fill(path, answer, told=None):
    """Answer each line of a sheet as its reader would; `answer` is a function of the two sentences.

    `told` is what the tool says of each answer besides.
    """
    if path.suffix == ".json":
        tasks = json.loads(path.read_text())
        for task in tasks:
            same = answer(task["data"]["question1"], task["data"]["question2"])
            chosen = {"choices": [["different", "the same"][same]]} if same in (0, 1) else None
            result = {"id": "x", "from_name": "same", "to_name": "question1", "type": "choices", "value": chosen}
            whose = {"completed_by": {"id": 1, "email": "ada"}, **(told or {})}
            task["annotations"] = [whose | {"result": [result] if chosen else []}]
        path.write_text(json.dumps(tasks))
    elif path.suffix == ".jsonl":
        tasks = [json.loads(line) for line in path.read_text().split("\n") if line]
        for task in tasks:
            same = str(answer(task["question1"], task["question2"]))
            chosen = [option["id"] for option in task["options"] if option["id"] == same]
            task |= {"accept": chosen, "answer": "accept" if chosen else "ignore", "_annotator_id": "ada"}
            task |= told or {}
        path.write_text("".join(json.dumps(task) + "\n" for task in tasks))
    else:
        mark = "," if path.suffix == ".csv" else "\t"
        table = pd.read_csv(path, sep=mark, keep_default_na=False, lineterminator="\n")
        table["same"] = [answer(a, b) for a, b in zip(table["question1"], table["question2"], strict=True)]
        table.to_csv(path, sep=mark, index=False)


@pytest.mark.parametrize("case", ANSWERED)
@pytest.mark.parametrize("name", KINDS)
def test_answers_are_decisions(memory, case, name):
    answers, decisions = ANSWERED[case]
    file, path = sheet(memory, name)
    fill(path, lambda a, b: answers.get(a + b, ""))
    if not decisions:
        refused("nothing is decided yet", records_of, path)
        return
    found = records_of(path)
    assert {each.reviewer for each in found} == {"ada"}
    said = [f"{each.question1}{each.question2} {each.decision} {each.edge1}{each.edge2}" for each in found]
    assert said == decisions
    assert pg.DecisionLog(memory / "log.db").merge(path) == len(found)
    assert pg.replay(path, pg.read_pairs(file)).not_applied["why"].str.startswith("already so").all()


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("first", ["sheet", "flip"])
def test_the_later_decision_stands_whatever_becomes_of_the_file(memory, name, first):
    """A sheet that is touched, copied, sorted or filled in further holds the same decisions."""
    (memory / "copy").mkdir()
    log, copy = pg.DecisionLog(memory / "log.db", "ada"), memory / "copy" / name
    if first == "flip":
        log.add("a", "c", "flip", label=0)
    file, path = sheet(memory, name)
    if first == "sheet":
        log.add("a", "c", "flip", label=0)
    fill(path, lambda a, b: {"ac": 0, "ab": 0}.get(a + b, ""))
    shutil.copy(path, copy)
    made = records_of(path)
    for each, change in ((path, os.utime), (copy, os.utime), (copy, turned)):
        change(each)
        assert {record.id for record in records_of(each)} == {record.id for record in made}
        found = pg.replay([log, each], pg.read_pairs(file)).changes
        assert ("flip" in found["decision"].tolist()) == (first == "sheet")
    fill(copy, lambda a, b: {"ac": 0, "ab": 0, "xz": 1}.get(a + b, ""))
    assert log.merge(path) == len(made) and log.merge(path) == 0 and log.merge(copy) == 1
    fill(copy, lambda a, b: {"ac": 1}.get(a + b, ""))
    refused("ada decided two ways about 'a' and 'c' at 20.*Z; put a later time into the later sheet", log.merge, copy)
    refused("decided two ways", pg.replay, [path, copy], pg.read_pairs(file))


def turned(path):
    """The rows of a sheet in another order, as a spreadsheet sorts them."""
    if path.suffix == ".json":
        path.write_text(json.dumps(json.loads(path.read_text())[::-1]))
    else:
        header, *rows = path.read_text().splitlines(keepends=True)
        rows = [*rows, header][::-1] if path.suffix == ".jsonl" else [header, *rows[::-1]]
        path.write_text("".join(rows))


@pytest.mark.parametrize(
    "name, answered",
    [("ada.json", {"created_at": "2026-01-30T10:00:00.5Z", "updated_at": "2026-01-31T12:00:00.000000Z"}),
     ("ada.jsonl", {"_timestamp": 1769860800})],
)  # fmt: skip
def test_the_tools_say_when_an_answer_was_given(memory, name, answered):
    _, path = sheet(memory, name)
    fill(path, lambda a, b: int(a + b == "xz"), answered)
    assert [record.time for record in records_of(path) if record.decision == "flip"] == ["2026-01-31T12:00:00.000Z"]


@pytest.mark.parametrize("name", ["ada.csv", "ada.tsv"])
def test_a_sheet_that_does_not_say_when_it_was_written_is_refused(memory, name):
    _, path = sheet(memory, name)
    fill(path, lambda a, b: {"xz": 0, "xy": 0}.get(a + b, ""))
    text = path.read_text()
    path.write_text(text.replace("Z, 8 lines", "", 1))
    like = "is not like 2026-01-31T12:00:00.000Z, 12 lines"
    refused(rf"{name}, row 2: written '20\S+' {like}", records_of, path)
    mark = "," if name == "ada.csv" else "\t"
    pd.read_csv(path, sep=mark).drop(columns="written").to_csv(path, sep=mark, index=False)
    refused(f"{name}: no column written; is it what `conflicts --to-decide` wrote", records_of, path)


@pytest.mark.parametrize("name", KINDS)
def test_a_sheet_that_is_cut_off_at_a_line_end_is_noticed(memory, name):
    _, path = sheet(memory, name)
    fill(path, lambda a, b: int(a + b not in ("ac", "ad", "xz")))
    assert [record.decision for record in records_of(path)] == ["keep"] * 3
    if path.suffix == ".json":
        path.write_text(json.dumps(json.loads(path.read_text())[:-1]))
    else:
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    with pytest.warns(UserWarning, match=rf"{name}: 7 of 8 lines are there; the rest of ada's is not answered, or"):
        found = records_of(path)
    assert [record.decision for record in found] == ["keep"] * 2  # of the third conflict not all was seen


@pytest.mark.parametrize("name", KINDS)
def test_hostile_sentences_come_back_equal(memory, name):
    file, path = sheet(memory, name, hostile.table())
    fill(path, lambda a, b: 1)
    found = {each.pair for each in records_of(path)}
    conflicts = pg.conflicts(pg.ParaphraseGraph.from_pairs(pg.read_pairs(file)))
    within = conflicts[conflicts["kind"] == "within"]
    assert found == {frozenset(pair) for pair in zip(within["text_a"], within["text_b"], strict=True)}
    assert main(["apply", str(file), str(path), "-o", str(memory / "clean.tsv")]) == 0


def test_a_sheet_that_is_filled_in_is_never_written_over(memory, capsys):
    file, path = sheet(memory, "ada.csv")
    fill(path, lambda a, b: 0)
    assert main(["conflicts", str(file), "--to-decide", "-o", str(path)]) == 2
    assert "judged pairs, which would be lost" in capsys.readouterr().err
    changed = path.read_text().replace("#1 #2", "#1").replace(",0\n", ",maybe\n", 1)
    for name, text, said in (
        ("ada.csv", changed, "ada.csv, row 2: same 'maybe' is not 1, 0 or empty"),
        ("other.json", '[{"text": "a"}]', "is no export of these tasks"),
        ("other.csv", "question1,question2\na,b\n", "no column conflicts"),
    ):
        (memory / name).write_text(text)
        refused(said, records_of, memory / name)


DEEP = "[" * 200_000
#: What takes the place of a part of Label Studio's export, and the refusal
DAMAGE = {
    "no second question": (', "question2": "c"', "", "row 1: .*nan|: no column question2"),
    "null": ('"question2": "c"', '"question2": null', "row 1: .*(None|nan)"),
    "a number": ('"question2": "c"', '"question2": 3', "row 1: .*3"),
    "a list": ('"question2": "c"', '"question2": ["c"]', r"row 1: .*\['c'\]"),
    "half a character": ('"question2": "c"', r'"question2": "\ud800"', "row 1: .*surrogate"),
    "no choice": ('["different"]', '""', "row 1: .*IndexError"),
    "an empty choice": ('["different"]', "[]", "row 1: .*IndexError"),
    "an unknown choice": ('["different"]', '["maybe"]', "row 1: .*maybe"),
    "a task that is none": ('[{"data"', '[3, {"data"', "row 1: .*TypeError"),
    "nesting without an end": ('"c"', DEEP, "recursion"),
    "deep nesting": ('"c"', DEEP + DEEP.replace("[", "]"), "recursion"),
}


@pytest.mark.parametrize("case", DAMAGE)
@pytest.mark.parametrize("many", [True, False])
def test_a_damaged_export_is_refused_in_one_line(memory, case, many):
    old, new, said = DAMAGE[case]
    _, path = sheet(memory, "ada.json")
    fill(path, lambda a, b: 0)
    text = path.read_text() if many else json.dumps(json.loads(path.read_text())[:1])
    assert old in text
    path.write_text(text.replace(old, new, 1))
    assert "\n" not in refused(f"^ada.json.*({said})", records_of, path)


@pytest.mark.long
def test_label_studio_takes_the_tasks(memory):
    """In an environment of its own: its SDK brings 23 packages."""
    import subprocess
    import sys

    _, path = sheet(memory, "ada.json")
    fill(path, lambda a, b: 1)
    subprocess.run([sys.executable, "-m", "venv", memory / "env"], check=True)
    python = memory / "env/bin/python"
    subprocess.run([python, "-m", "pip", "install", "-q", "label-studio-sdk"], check=True)
    code = (
        "import json, sys; from label_studio_sdk.label_interface import LabelInterface\n"
        "interface = LabelInterface(open(sys.argv[1]).read()); interface.validate()\n"
        "for task in json.load(open(sys.argv[2])):\n"
        "    annotations = task.pop('annotations')\n"
        "    assert interface.validate_task(task) and all(map(interface.validate_annotation, annotations))\n"
        "    wrong = annotations[0]['result'][0] | {'from_name': 'other'}\n"
        "    assert not interface.validate_annotation({'result': [wrong]})\n"
    )
    assert path.with_suffix(".xml").read_text() == CONFIG
    subprocess.run([python, "-c", code, path.with_suffix(".xml"), path], check=True)
