"""Conflicts decided in a spreadsheet, in Label Studio or in Prodigy."""

import json
import os
import shutil

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main
from paragraph.decisions.log import records_of
from paragraph.decisions.record import pair_of
from paragraph.decisions.sheets import CONFIG
from tests import hostile, reference
from tests.refused import refused

TEA = reference.table("a+b b+c c+d a-c a-d x+y y+z x-z")


KINDS = ["ada.csv", "ada.tsv", "ada.json", "ada.jsonl"]


def sheet(folder, name, pairs=TEA):
    """Write pairs and the sheet of their conflicts, and give the path of either."""
    file = folder / "tea.tsv"
    pg.write_pairs(pairs, file)
    assert main(["conflicts", str(file), "--to-decide", "-o", str(folder / name)]) == 0
    return file, folder / name


def said(records):
    return {one.text_a + one.text_b: one.same for one in records}


def fill(path, answer, more=()):
    """Answer each line of a sheet by a function of the two sentences; `more` is what a tool says of each answer."""
    words = {"0": "different", "1": "the same", "?": "nobody can say"}
    if path.suffix == ".json":
        tasks = json.loads(path.read_text())
        for task in tasks:
            same = str(answer(task["data"]["question1"], task["data"]["question2"]))
            value = {"choices": [words.get(same)]}
            result = [{"id": "x", "from_name": "same", "to_name": "question1", "type": "choices", "value": value}]
            one = {"completed_by": {"id": 1, "email": "ada"}, "result": result if same in words else []}
            task["annotations"] = [one | dict(more)]
        path.write_text(json.dumps(tasks))
    elif path.suffix == ".jsonl":
        lines = ""
        for task in map(json.loads, path.read_text().strip().split("\n")):
            same = str(answer(task["question1"], task["question2"]))
            done = {"accept": [same], "answer": "accept"} if same in words else {"accept": [], "answer": "ignore"}
            lines += json.dumps(task | done | {"_annotator_id": "ada"} | dict(more)) + "\n"
        path.write_text(lines)
    else:
        mark = {".csv": ",", ".tsv": "\t"}[path.suffix]
        table = pd.read_csv(path, sep=mark, keep_default_na=False, lineterminator="\n")
        table["same"] = list(map(answer, table["question1"], table["question2"]))
        table.to_csv(path, sep=mark, index=False)


def test_pairs_stated_both_ways_and_a_sentence_with_itself_are_lines(memory):
    file, path = sheet(memory, "ada.csv", reference.table("a+b a-b b+a c-c d+d"))
    table = pd.read_csv(path, keep_default_na=False)
    assert table[["conflicts", "question1", "question2", "label", "rows"]].values.tolist() == [
        ["#1", "a", "b", 1, "2 (1), 3 (0), 4 (1)"], ["#2", "c", "c", 0, "5"],
    ]  # fmt: skip
    fill(path, lambda a, b: 1)
    found = pg.replay(path, pg.read_pairs(file))
    assert reference.shown(found.pairs) == "a+b a+b b+a c+c d+d" and pg.conflicts(found.graph).empty


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("first", ["sheet", "flip"])
def test_the_later_answer_stands_whatever_becomes_of_the_file(memory, name, first):
    """A sheet that is touched, copied, sorted or filled in further holds the same answers."""
    (memory / "copy").mkdir()
    log, copy = pg.DecisionLog(memory / "log.db", "ada"), memory / "copy" / name
    if first == "flip":
        log.add("a", "c", 1, stated=0)
    file, path = sheet(memory, name)
    if first == "sheet":
        log.add("a", "c", 1, stated=0)
    fill(path, lambda a, b: {"ac": 0, "ab": 0}.get(a + b, ""))
    shutil.copy(path, copy)
    made = records_of(path)
    for each, change in ((path, os.utime), (copy, os.utime), (copy, turned)):
        change(each)
        assert {record.id for record in records_of(each)} == {record.id for record in made}
        found = pg.replay([log, each], pg.read_pairs(file)).outcome("becomes 1")
        assert len(found) == (first == "sheet")
    fill(copy, lambda a, b: {"ac": 0, "ab": 0, "xz": 1}.get(a + b, ""))
    assert log.merge(path) == len(made) and log.merge(path) == 0 and log.merge(copy) == 1
    fill(copy, lambda a, b: {"ac": 1}.get(a + b, ""))
    refused(
        "ada answered two ways about 'a' and 'c' at 20.*Z; put a later time into the later sheet", log.merge, copy
    )
    guessed = path.suffix in (".csv", ".tsv")
    told = "are both of 'ada', which is not known to be one person: say whose" if guessed else "answered two ways"
    refused(told, pg.replay, [path, copy], pg.read_pairs(file))


def test_whose_answers_are_in_a_file(memory):
    """Users are numbers in an installation: those of two are two people until somebody says otherwise."""
    made = {}
    for name, same in (("one.json", 0), ("two.json", 1)):
        file, path = sheet(memory, name)
        fill(path, lambda a, b, same=same: same, {"completed_by": 1})
        made[name] = str(path)
    one, two = made.values()
    refused("one.json and .*two.json are both of '1'.*as in Ada=one.json Bo=two.json", records_of, [one, two])
    refused("are both of '1'", pg.agreement, one, two)
    found = pg.agreement(f"Ada={one}", f"Bo ={two}")
    assert found.reviewers == ["Ada", "Bo"] and len(found.disagreements) == found.items == 8
    assert pg.replay([f"Ada={one}", f"Bo={two}"], pg.read_pairs(file)).outcome("becomes 1", "dropped").empty
    assert main(["apply", str(file), f"Ada={one}", f"Ada={one}", "-o", str(memory / "clean.tsv"), "-q"]) == 0
    log = pg.DecisionLog(memory / "log.db", "Ada")
    log.add("a", "b", 1)
    refused("log.db says whose its answers are; Bo= is for sheets", records_of, f"Bo={log.path}")


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
    assert [record.time for record in records_of(path) if record.same == "1"] == ["2026-01-31T12:00:00.000Z"]


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
    refused(f"{name}: no column written, only .*; fill in what `conflicts --to-decide` wrote", records_of, path)


@pytest.mark.parametrize("name", ["ada.csv", "ada.jsonl"])
def test_a_sheet_that_is_cut_off_at_a_line_end_is_noticed(memory, name):
    _, path = sheet(memory, name)
    fill(path, lambda a, b: 1)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    with pytest.warns(UserWarning, match=rf"{name}: 7 of 8 lines are there; the rest of ada's is not answered, or"):
        assert len(records_of(path)) == 7


@pytest.mark.parametrize("name", KINDS)
def test_hostile_sentences_come_back_equal(memory, name):
    file, path = sheet(memory, name, hostile.table())
    fill(path, lambda a, b: 1)
    found = {each.pair for each in records_of(path)}
    conflicts = pg.conflicts(pg.ParaphraseGraph.from_pairs(pg.read_pairs(file)))
    assert found >= {pair_of(*pair) for pair in zip(conflicts["text_a"], conflicts["text_b"], strict=True)}
    assert main(["apply", str(file), str(path), "-o", str(memory / "clean.tsv")]) == 0


def test_a_sheet_that_is_filled_in_is_never_written_over(memory, capsys):
    file, path = sheet(memory, "ada.csv")
    fill(path, lambda a, b: 0)
    assert main(["conflicts", str(file), "--to-decide", "-o", str(path)]) == 2
    assert "judged pairs, which would be lost" in capsys.readouterr().err
    whole = path.read_text()
    for name, text, said in (
        (
            "ada.csv",
            whole.replace(",0\n", ",maybe\n", 1),
            "ada.csv, row 2: same 'maybe' is not one of 1, 0, .*, or empty",
        ),
        ("bo.csv", whole.replace('""]]"', '""]"', 1), r"bo.csv, row 2: about '\[\[.*' is not a JSON list of pairs"),
        (
            "min.json",
            '[{"question1": "a", "same": "different"}]',
            "row 1: no annotations; export them as JSON",
        ),
        ("twice.json", '[{"data": {}, "data": {}, "annotations": []}]', "key 'data' is there twice"),
        ("none.json", '[{"data": {}, "annotations": []}]', "none.json: nothing is answered yet"),
        ("other.csv", "question1,question2\na,b\n", "no column label, only question1, question2; fill in"),
    ):
        (memory / name).write_text(text)
        refused(said, records_of, memory / name)


DEEP = "[" * 200_000
#: What takes the place of a part of Label Studio's export, and the refusal
DAMAGE = {
    "no second question": (', "question2": "c"', "", "row 1: .*nan|: no column question2"),
    "null": ('"question2": "c"', '"question2": null', "row 1: text_b None is not text"),
    "a number": ('"question2": "c"', '"question2": 3', "row 1: .*3"),
    "a list": ('"question2": "c"', '"question2": ["c"]', r"row 1: .*\['c'\]"),
    "half a character": ('"question2": "c"', r'"question2": "\ud800"', "row 1: .*surrogate"),
    "an unknown choice": (
        '["different"]',
        '["Same"]',
        "row 1: the choice 'Same' is none of the same, diff",
    ),
    "two choices": ('["different"]', '["the same", "different"]', "row 1: more than one choice is ticked"),
    "a task that is none": ('[{"data"', '[3, {"data"', "row 1: no annotations"),
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


@pytest.mark.parametrize(
    "mark, encoding, given", [(",", "utf-16", None), (";", "cp1252", "cp1252"), ("\t", "utf-8", None)]
)
def test_a_sheet_as_a_spreadsheet_saves_it(memory, mark, encoding, given):
    """In another encoding, with semicolons, with columns and rows that hold nothing."""
    pairs = reference.table([("Café?", "Tea?", 1), ("Tea?", "Chai?", 1), ("Café?", "Chai?", 0)])
    file, path = sheet(memory, "ada.tsv", pairs)
    fill(path, lambda a, b: 0)
    text = pd.read_csv(path, sep="\t").to_csv(sep=mark, index=False)
    text = "".join(line + mark * 2 + "\r\n" for line in [*text.splitlines(), mark * 8])
    path = path if mark == "\t" else path.with_suffix(".csv")
    path.write_bytes(text.replace(", 3 lines", "").encode(encoding))
    file.write_text(file.read_text(), given or "utf-8")
    options = ["--encoding", given] if given else []
    assert main(["apply", str(file), str(path), "-o", str(memory / "clean.tsv"), "-q", *options]) == 0
    assert said(records_of(path, given)) == {"Café?Chai?": "0", "Café?Tea?": "0", "Tea?Chai?": "0"}


def test_a_sheet_says_the_labels_of_the_file_in_its_words(memory):
    file, path = memory / "dups.tsv", memory / "ada.tsv"
    rows = ["a\tb\tdup", "b\tc\tdup", "a\tc\tno dup", "d\te\tdup", "e\td\tno dup"]
    file.write_text("\n".join(["text_a\ttext_b\tlabel", *rows, ""]))
    options = ["--labels", "dup=1,no dup=0", "-q"]
    assert main(["conflicts", str(file), "--to-decide", "-o", str(path), *options]) == 0
    table = pd.read_csv(path, sep="\t")
    assert table["label"].tolist() == ["no dup", "dup", "dup", "no dup"] and table["stated"].tolist() == [0, 1, 1, 0]
    assert table["rows"].tolist() == ["4", "2", "3", "5 (dup), 6 (no dup)"]
    fill(path, lambda a, b: int((a, b) != ("d", "e")))
    assert main(["apply", str(file), str(path), "-o", str(memory / "clean.tsv"), *options]) == 0
    labels = [line.split("\t")[2] for line in (memory / "clean.tsv").read_text().splitlines()[1:]]
    assert labels == ["dup", "dup", "dup", "no dup"]
    decided = pd.read_csv(memory / "clean.decisions.tsv", sep="\t")
    assert {*zip(decided["outcome"], decided["label"], strict=True)} == {
        ("becomes 1", "no dup"), ("dropped", "no dup"), ("stays", "dup")}  # fmt: skip


@pytest.mark.parametrize("name", ["a.db", "a.xlsx", "a.json.gz", "a.parquet"])
def test_a_sheet_under_the_name_of_something_else_is_refused(memory, name, capfd):
    file, _ = sheet(memory, "ada.csv")
    assert main(["conflicts", str(file), "--to-decide", "-o", str(memory / name)]) == 2
    assert "end its name in .tsv or .csv" in capfd.readouterr().err and not (memory / name).exists()


def test_a_sheet_in_an_encoding_that_nobody_named(memory):
    _, path = sheet(memory, "ada.csv")
    path.write_bytes(path.read_bytes().replace(b"chai", b"caf\xe9") + b"\xe9")
    refused("ada.csv: is not UTF-8; save it as “CSV UTF-8”", records_of, path)


def test_a_table_of_label_studio_is_refused(tmp_path):
    task = {
        "question1": "a",
        "question2": "b",
        "label": "dup",
        "stated": 1,
        "about": "[]",
        "written": "2026-01-01T12:00:00.000Z, 1 lines",
    }
    path = tmp_path / "export.csv"
    pd.DataFrame([task | {"same": "different", "annotation_id": 1}]).to_csv(path, index=False)
    refused("export.csv is a table of Label Studio; export its answers as JSON", records_of, path)


def test_to_standard_output_and_without_conflicts(memory, capfd, monkeypatch):
    monkeypatch.chdir(memory)
    sheet(memory, "ada.csv")
    capfd.readouterr()
    assert main(["conflicts", "tea.tsv", "--to-decide", "-o", "-"]) == 0
    assert capfd.readouterr().out.startswith("conflicts\tquestion1\tquestion2\tlabel") and not os.path.exists("-")
    for name, advice in (("x.jsonl", "prodigy mark NAME x.jsonl"), ("x.json", "Import it into Label Studio")):
        main(["conflicts", "tea.tsv", "--to-decide", "-o", name])
        said = capfd.readouterr().out
        assert advice in said and "Fill the column" not in said
    pg.write_pairs(reference.table("a+b"), "good.tsv")
    main(["conflicts", "good.tsv", "--to-decide", "-o", "none.csv"])
    assert capfd.readouterr().out == "No label contradicts another: there is nothing to decide.\n"
