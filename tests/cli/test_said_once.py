"""A layout is said once, and answers come back into the user's own file, which then needs no flags."""

import json
import os
import re
from pathlib import Path

import pandas as pd
import pytest

import paragraph as pg

FLAGS = ["--columns", "text_a=q,text_b=r,label=same", "--labels", "ja=1,nein=0"]
MY = "q;r;same\nWo?;Wo ist es?;ja\nWo?;Wann?;nein\n"


@pytest.fixture
def my(desk):
    Path("my.csv").write_text(MY)
    return Path("my.csv.layout.json")


def test_flags_are_kept_beside_the_file_and_told_in_one_line(my, run, refuses):
    refuses("names them", "summary", "my.csv")
    told = run("summary", "my.csv", *FLAGS)
    assert "how to read my.csv is kept in my.csv.layout.json; later commands need no flags" in told.err
    kept = {"columns": {"text_a": "q", "text_b": "r", "label": "same"}, "labels": {"ja": 1, "nein": 0}}
    assert json.loads(my.read_text()) == kept
    again = run("summary", "my.csv")
    assert again.out == told.out
    used = "as my.csv.layout.json says, read with --columns text_a=q,text_b=r,label=same --labels ja=1,nein=0"
    assert len(re.findall(re.escape(used), again.err)) == 1
    with pytest.warns(UserWarning, match="as my.csv.layout.json says"):
        assert pg.read_pairs("my.csv")["label"].tolist() == [1, 0]


@pytest.mark.parametrize("engine", ["memory", pytest.param("duckdb", marks=pytest.mark.scale)])
def test_engines_use_what_is_kept(my, run, engine):
    run("summary", "my.csv", *FLAGS)
    assert pg.open_pairs("my.csv", engine, progress=False).graph.edge_sign.tolist() == [1, -1]


def test_flags_win_and_are_kept_instead(my, run):
    run("summary", "my.csv", *FLAGS)
    run("summary", "my.csv", "--labels", "ja=0,nein=1")
    assert json.loads(my.read_text())["labels"] == {"ja": 0, "nein": 1}
    assert json.loads(my.read_text())["columns"]["label"] == "same"


def test_labels_of_one_column_are_not_those_of_another(my, run, refuses):
    Path("my.csv").write_text("text_a,text_b,differs,same\na,b,0,1\nc,d,1,0\n")
    run("summary", "my.csv", "--columns", "label=differs", "--labels", "0=1,1=0")
    refuses("what does label '1' in column 'same' mean?", "summary", "my.csv", "--columns", "label=same")


def test_other_commands_use_what_is_kept_and_keep_nothing(my, run):
    run("conflicts", "my.csv", *FLAGS, "-o", "c.tsv")
    assert not my.exists()
    run("summary", "my.csv", *FLAGS)
    told = run("conflicts", "my.csv", "--to-decide", "-o", "sheet.tsv")
    assert "as my.csv.layout.json says" in told.err


@pytest.mark.parametrize("content, message", [
    ("{", "my.csv.layout.json: cannot be used (JSONDecodeError"), ('{"colour": 1}', "'colour' is no option"),
    ('{"leave_out": "NS"}', "leave_out is no list of texts"),
    ('{"columns": ["q"]}', "columns is no object"), ('{"columns": {"x": "y"}}', "unknown role 'x'"),
    ('{"columns": {"text_a": "q", "text_b": "r", "label": "same"}, "labels": {"ja": 7}}', "a sign is 1, 0 or None"),
])  # fmt: skip
def test_a_damaged_layout_is_refused(my, refuses, content, message):
    my.write_text(content)
    refuses(message, "summary", "my.csv")


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written(my, run, desk):
    desk.chmod(0o555)
    assert "my.csv.layout.json cannot be written" in run("summary", "my.csv", *FLAGS).err


def test_a_place_that_cannot_be_written(my, run):
    my.mkdir()
    told = run("summary", "my.csv", *FLAGS)
    assert "my.csv.layout.json cannot be written" in told.err and "say the flags again" in told.err


GROUP = [("Wo?", "Wo ist es?", 1), ("Wo ist es?", "An welchem Ort?", 1), ("Wo?", "An welchem Ort?", 0)]
#: Files with one conflict, in layouts of their own: the name, the content, the flags.
CONFLICTS = {
    "words": ("my.csv", "n;q;r;same\n" + "".join(
        f"{i};{a};{b};{'ja' if sign else 'nein'}\n" for i, (a, b, sign) in enumerate(GROUP)),
        "--columns text_a=q,text_b=r,label=same --labels ja=1,nein=0"),
    "several people": ("my.csv", "id,q,r,ada,bo,remark\n" + "".join(
        f"x{i},{a},{b},{sign},{sign},é\n" for i, (a, b, sign) in enumerate(GROUP)),
        "--columns text_a=q,text_b=r,label=ada,label_2=bo --labels 0=0,1=1"),
    "several people, who differ in a reversed row": ("my.csv", "q,r,ada,bo\n" + "".join(
        f"{a},{b},{sign},{sign}\n{b},{a},{sign},{1 - sign}\n" for a, b, sign in GROUP),
        "--columns text_a=q,text_b=r,label=ada,label_2=bo --labels 0=0,1=1"),
    "an export with answers withdrawn": ("my.jsonl", "".join(
        json.dumps({"data": {"text_a": a, "text_b": b}, "annotations": [
            {"completed_by": who, "was_cancelled": who == "bo", "result": [
                {"from_name": "same", "value": {"choices": [str(word)]}}]} for who, word in (("ada", sign), ("bo", 1))
        ]}) + "\n" for a, b, sign in GROUP), "--unlabelled skip"),
    "scores, reversed rows": ("my.csv", "q,r,s\n" + "".join(
        f"{a},{b},{4.5 if sign else 1.50}\n{b},{a},{4.9 if sign else 1}\n" for a, b, sign in GROUP),
        "--columns text_a=q,text_b=r,label=s --labels 2,4"),
    "triplets": ("my.csv", "anchor,positive,negative\nWo?,Wo ist es?,An welchem Ort?\n"
        "Wo ist es?,An welchem Ort?,Wann?\n", ""),
    "nested": ("my.jsonl", "".join(
        json.dumps({"a": {"t": a, "n": 1.5}, "b": {"t": b}, "gold": {"same": bool(sign)}}) + "\n"
        for a, b, sign in GROUP), "--columns text_a=a.t,text_b=b.t,label=gold.same --labels 1=1,0=0"),
    "a list": ("my.json", json.dumps(
        [{"text_a": a, "text_b": b, "label": sign, "id": i} for i, (a, b, sign) in enumerate(GROUP)], indent=2), ""),
}  # fmt: skip


@pytest.mark.parametrize("name", CONFLICTS)
@pytest.mark.parametrize("same", [0, 1])
def test_the_clean_file_shows_the_answers_without_a_flag(desk, run, name, same):
    file, content, flags = CONFLICTS[name]
    Path(file).write_text(content)
    before = json.loads(run(*f"summary {file} --json {flags}".split()).out)
    assert before["conflicts"] > 0
    log = pg.DecisionLog("ada.db", "Ada")
    if same:
        log.add("Wo?", "An welchem Ort?", 1, stated=0)
        log.add("Wo?", "Wo ist es?", 1, stated=1)
        log.add("Wo ist es?", "An welchem Ort?", 1, stated=1)
    else:
        log.add("Wo ist es?", "An welchem Ort?", 0, stated=1, about=[("Wo?", "An welchem Ort?")])
        log.add("Wo?", "Wo ist es?", 1, stated=1)
        log.add("Wo?", "An welchem Ort?", 0, stated=0)
    run(*f"conflicts {file} --to-decide -o sheet.tsv".split())
    end = Path(file).suffix
    run(*f"apply {file} ada.db -o my.clean{end}".split())
    after = json.loads(run(*f"summary my.clean{end} --json".split()).out)
    assert after["conflicts"] == 0
    pairs = pg.read_pairs(f"my.clean{end}")
    texts = pairs[["text_a", "text_b"]].map(str)
    asked = ("Wo?", "An welchem Ort?") if same else ("Wo ist es?", "An welchem Ort?")
    there = pairs["label"][[{*row} == {*asked} for row in texts.itertuples(index=False)]]
    assert {*there} <= {same}
    if "decided" in Path(f"my.clean{end}").read_text():  # nobody's label changes, so nothing leaves
        assert len(there) and {*pairs["row"]} == {*pg.read_pairs(file)["row"]}


def test_parquet_comes_back_as_parquet(desk, run):
    frame = pd.DataFrame(GROUP, columns=["text_a", "text_b", "label"]).assign(when=pd.Timestamp("2026-01-01"), x=1.5)
    frame.to_parquet("my.parquet")
    pg.DecisionLog("ada.db", "Ada").add("Wo?", "An welchem Ort?", 1, stated=0)
    run("apply my.parquet ada.db -o my.clean.parquet")
    clean = pd.read_parquet("my.clean.parquet")
    pd.testing.assert_frame_equal(clean, frame.assign(label=1))
