"""Conflicts decided in a spreadsheet."""

import os
import shutil

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main
from paragraph.decisions.log import records_of
from paragraph.decisions.record import pair_of
from tests import hostile, reference
from tests.refused import refused

TEA = reference.table("a+b b+c c+d a-c a-d x+y y+z x-z")
KINDS = ["ada.csv", "ada.tsv"]


def sheet(folder, name, pairs=TEA):
    """Write pairs and the sheet of their conflicts, and give the path of either."""
    file = folder / "tea.tsv"
    pg.write_pairs(pairs, file)
    assert main(["conflicts", str(file), "--to-decide", "-o", str(folder / name)]) == 0
    return file, folder / name


def said(records):
    return {one.text_a + one.text_b: one.same for one in records}


def mark_of(path):
    return {".csv": ",", ".tsv": "\t"}[path.suffix]


def fill(path, answer):
    """Answer each line of a sheet by a function of the two sentences."""
    table = pd.read_csv(path, sep=mark_of(path), keep_default_na=False, lineterminator="\n")
    table["same"] = list(map(answer, table["question1"], table["question2"]))
    table.to_csv(path, sep=mark_of(path), index=False)


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
    told = "ada.* and .*copy.* are both of 'ada': name each sheet after its reviewer"
    refused(told, pg.replay, [path, copy], pg.read_pairs(file))
    assert pg.replay([path, path], pg.read_pairs(file)).disputes == []


def turned(path):
    """The rows of a sheet in another order, as a spreadsheet sorts them."""
    header, *rows = path.read_text().splitlines(keepends=True)
    path.write_text("".join([header, *rows[::-1]]))


@pytest.mark.parametrize("name", ["ada.csv", "ada.tsv"])
def test_a_sheet_that_does_not_say_when_it_was_written_is_refused(memory, name):
    _, path = sheet(memory, name)
    fill(path, lambda a, b: {"xz": 0, "xy": 0}.get(a + b, ""))
    text = path.read_text()
    path.write_text(text.replace("Z, 8 lines", "", 1))
    like = "is not like 2026-01-31T12:00:00.000Z, 12 lines"
    refused(rf"{name}, row 2: written '20\S+' {like}", records_of, path)
    mark = mark_of(path)
    pd.read_csv(path, sep=mark).drop(columns="written").to_csv(path, sep=mark, index=False)
    refused(f"{name}: no column written, only .*; fill in what `conflicts --to-decide` wrote", records_of, path)


@pytest.mark.parametrize("name", KINDS)
def test_a_sheet_that_is_cut_off_at_a_line_end_is_noticed(memory, name):
    _, path = sheet(memory, name)
    fill(path, lambda a, b: 1)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    with pytest.warns(UserWarning, match=rf"{name}: 7 of 8 lines are there; the rest is deleted, or cut off"):
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
    assert "ada.csv exists, and may hold answers; name another output" in capsys.readouterr().err
    whole = path.read_text()
    for name, text, said in (
        (
            "ada.csv",
            whole.replace(",0\n", ",maybe\n", 1),
            "ada.csv, row 2: same 'maybe' is not one of 1, 0, .*, or empty",
        ),
        ("bo.csv", whole.replace('""]]"', '""]"', 1), r"bo.csv, row 2: about '\[\[.*' is not a JSON list of pairs"),
        ("none.csv", whole.replace(",0\n", ",\n"), "none.csv: nothing is answered yet"),
        ("other.csv", "question1,question2\na,b\n", "no column label, only question1, question2; fill in"),
    ):
        (memory / name).write_text(text)
        refused(said, records_of, memory / name)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_sheet_as_a_spreadsheet_saves_it(memory, mark):
    """With a mark of its encoding, with semicolons, with columns and rows that hold nothing."""
    pairs = reference.table([("Café?", "Tea?", 1), ("Tea?", "Chai?", 1), ("Café?", "Chai?", 0)])
    file, path = sheet(memory, "ada.tsv", pairs)
    fill(path, lambda a, b: 0)
    text = pd.read_csv(path, sep="\t").to_csv(sep=mark, index=False)
    text = "".join(line + mark * 2 + "\r\n" for line in [*text.splitlines(), mark * 8])
    path = path if mark == "\t" else path.with_suffix(".csv")
    path.write_bytes(text.replace(", 3 lines", "").encode("utf-8-sig"))
    assert main(["apply", str(file), str(path), "-o", str(memory / "clean.tsv"), "-q"]) == 0
    assert said(records_of(path)) == {"Café?Chai?": "0", "Café?Tea?": "0", "Tea?Chai?": "0"}
    for encoding in ("utf-16", "cp1252"):
        path.write_bytes(text.encode(encoding))
        refused(f"{path.name}.* UTF-(8|16)", records_of, path)


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


@pytest.mark.parametrize("name", ["a.db", "a.xlsx", "a.json", "a.jsonl", "a.parquet"])
def test_a_sheet_under_the_name_of_something_else_is_refused(memory, name, capfd):
    file, _ = sheet(memory, "ada.csv")
    assert main(["conflicts", str(file), "--to-decide", "-o", str(memory / name)]) == 2
    assert "end its name in .tsv or .csv" in capfd.readouterr().err and not (memory / name).exists()


def test_to_standard_output_and_without_conflicts(memory, capfd, monkeypatch):
    monkeypatch.chdir(memory)
    sheet(memory, "ada.csv")
    capfd.readouterr()
    assert main(["conflicts", "tea.tsv", "--to-decide", "-o", "-"]) == 0
    assert capfd.readouterr().out.startswith("conflicts\tquestion1\tquestion2\tlabel") and not os.path.exists("-")
    pg.write_pairs(reference.table("a+b"), "good.tsv")
    main(["conflicts", "good.tsv", "--to-decide", "-o", "none.csv"])
    assert capfd.readouterr().out == "No label contradicts another: there is nothing to decide.\n"
