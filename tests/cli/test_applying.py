"""``paragraph apply``: from a log to the corrected dataset and its variants."""

import pytest

import paragraph as pg
from paragraph.decisions.log import digest
from paragraph.pairs.outputs import file_hash

from .. import reference
from .written import load_json, record, table


@pytest.fixture(autouse=True)
def log(desk):
    pg.write_pairs(reference.table("a+b b+c a-c c+d a-d b-d d-e"), "tea.tsv")
    log = pg.DecisionLog("log.db", "Ada")
    log.add("a", "c", "flip", label=0)
    log.add("a", "d", "cut", label=0, edge=("d", "c"), reason="entity")
    log.add("b", "d", "keep", label=0)
    log.add("x", "y", "flip", label=0)
    log.add("d", "e", "skip", label=0)
    return log


def rows(path):
    return reference.shown(pg.read_pairs(path))


@pytest.mark.slow
def test_apply(log, run):
    before = log.path.read_bytes()
    assert "  1  skipped\nrows: 7 → 6, labelled pairs: 7 → 6" in run("apply tea.tsv log.db -o out").out
    corrected = "a+b b+c a+c a-d b-d d-e"
    assert rows("out/corrected.tsv") == rows("out/original.tsv") == corrected
    assert rows("out/original_flipped.tsv") == corrected
    assert len(rows("out/augmented.tsv").split()) == 7  # c, d: no longer stated; d is the foe of all three
    changes = table("out/changes.tsv")
    assert " ".join(changes) == (
        "question1 question2 decision text_a text_b label effect rows reviewers times ids why"  # a contract
    )
    assert changes[["decision", "text_a", "text_b", "effect", "rows", "why"]].values.tolist() == [
        ["flip", "a", "c", "becomes 1", "[4]", ""],
        ["cut", "c", "d", "dropped", "[5]", "entity"],
        ["keep", "b", "d", "stays", "[7]", ""],
    ]
    refused = table("out/not_applied.tsv")
    assert " ".join(refused) == "question1 question2 decision edge1 edge2 reviewers times ids why"
    assert refused["why"].tolist() == ["not in these data: 'x', 'y'", "skipped: not decided yet"]
    report = load_json("out/report.json")
    assert (report["applied"], report["not_applied"]) == (3, 2)
    assert report["datasets"]["original"] == {"positive": 3, "negative": 3}
    told = report["record"]
    assert told["inputs"]["pairs"]["sha256"] == file_hash("tea.tsv")
    assert log.path.read_bytes() == before
    log.export("log.jsonl")
    of_log = {"file": "log.db", "records": 5, "sha256 of its JSONL export": file_hash("log.jsonl")}
    assert told["log"] == of_log and told["options"]["cut"] == "drop" and told["options"]["reviewer"] is None
    assert log.digest() == digest(log.records())


def test_the_users_own_file(desk, run, refuses):
    before = (desk / "tea.tsv").read_text()
    assert run("apply tea.tsv log.db -o clean.tsv").out.endswith("1 row left out: clean.left_out.tsv\n")
    assert (desk / "clean.tsv").read_text() == before.replace("a\tc\t0", "a\tc\t1").replace("c\td\t1\n", "")
    assert (desk / "clean.left_out.tsv").read_text() == before[: before.index("a\t")] + "c\td\t1\n"
    assert table("clean.decisions.tsv")["what"].tolist()[:3] == [
        "label becomes 1 (row 4)", "label stays (row 7)", "dropped (row 5)"
    ]  # fmt: skip
    told = record("clean.tsv")
    assert (told["applied"], told["not_applied"], told["inputs"]["pairs"]["file"]) == (3, 2, "tea.tsv")
    refuses("keeps the cells of its source", "apply tea.tsv log.db -o safe.tsv --spreadsheet-safe")


def test_cut_to_negative(run):
    run("apply tea.tsv log.db -o two -q --cut negative")
    assert "c-d" in rows("two/corrected.tsv")


def test_two_reviewers_and_one_log_twice(log, run):
    log.add("a", "c", "keep", label=0, reviewer="Ben")
    log.export("log.jsonl")
    run("apply tea.tsv log.db log.jsonl -o both -q")
    report = load_json("both/report.json")
    told = {"file": "log.db, log.jsonl", "records": 6, "sha256 of its JSONL export": log.digest()}
    assert report["record"]["log"] == told and report["applied"] == 2
    assert "a-c" in rows("both/corrected.tsv")
    run("apply tea.tsv log.db -o ada -q --reviewer Ada")
    assert "a+c" in rows("ada/corrected.tsv")
