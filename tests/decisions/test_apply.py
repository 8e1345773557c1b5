"""``paragraph apply``: from a log to the corrected dataset and its variants."""

import json

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main
from paragraph.decisions.log import digest
from paragraph.pairs.outputs import file_hash

from .. import reference


@pytest.fixture
def tea(memory):
    pg.write_pairs(reference.table("a+b b+c a-c c+d a-d b-d d-e"), memory / "tea.tsv")
    return memory / "tea.tsv"


@pytest.fixture
def log(log):
    log.add("a", "c", "flip", label=0)
    log.add("a", "d", "cut", label=0, edge=("d", "c"), reason="entity")
    log.add("b", "d", "keep", label=0)
    log.add("x", "y", "flip", label=0)
    log.add("d", "e", "skip", label=0)
    return log


def rows(path):
    return reference.shown(pg.read_pairs(path))


def tsv(path):
    return pd.read_csv(path, sep="\t", keep_default_na=False)


@pytest.mark.slow
def test_apply(tea, log, memory, capsys):
    before = log.path.read_bytes()
    assert main(["apply", str(tea), str(log.path), "-o", str(memory / "out")]) == 0
    assert "  1  skipped\nrows: 7 → 6, labelled pairs: 7 → 6" in capsys.readouterr().out
    corrected = "a+b b+c a+c a-d b-d d-e"
    assert rows(memory / "out/corrected.tsv") == rows(memory / "out/original.tsv") == corrected
    assert rows(memory / "out/original_flipped.tsv") == corrected
    assert len(rows(memory / "out/augmented.tsv").split()) == 7  # c, d: no longer stated; d is the foe of all three
    changes = tsv(memory / "out/changes.tsv")
    assert " ".join(changes) == (
        "question1 question2 decision text_a text_b label effect rows reviewers times ids why"  # a contract
    )
    assert changes[["decision", "text_a", "text_b", "effect", "rows", "why"]].values.tolist() == [
        ["flip", "a", "c", "becomes 1", "[4]", ""],
        ["cut", "c", "d", "dropped", "[5]", "entity"],
        ["keep", "b", "d", "stays", "[7]", ""],
    ]
    refused = tsv(memory / "out/not_applied.tsv")
    assert " ".join(refused) == "question1 question2 decision edge1 edge2 reviewers times ids why"
    assert refused["why"].tolist() == ["not in these data: 'x', 'y'", "skipped: not decided yet"]
    report = json.loads((memory / "out/report.json").read_text())
    assert (report["applied"], report["not_applied"]) == (3, 2)
    assert report["datasets"]["original"] == {"positive": 3, "negative": 3}
    record = report["record"]
    assert record["inputs"]["pairs"]["sha256"] == file_hash(tea)
    assert log.path.read_bytes() == before
    log.export(memory / "log.jsonl")
    assert record["log"] == {
        "file": "log.db", "records": 5, "sha256 of its JSONL export": file_hash(memory / "log.jsonl"),
    }  # fmt: skip
    assert record["options"]["cut"] == "drop" and record["options"]["reviewer"] is None
    assert log.digest() == digest(log.records())


def test_the_users_own_file(tea, log, memory, capsys):
    before = tea.read_text()
    assert main(["apply", str(tea), str(log.path), "-o", str(memory / "clean.tsv")]) == 0
    assert capsys.readouterr().out.endswith(f"1 row left out: {memory / 'clean.left_out.tsv'}\n")
    assert (memory / "clean.tsv").read_text() == before.replace("a\tc\t0", "a\tc\t1").replace("c\td\t1\n", "")
    assert (memory / "clean.left_out.tsv").read_text() == before[: before.index("a\t")] + "c\td\t1\n"
    assert tsv(memory / "clean.decisions.tsv")["what"].tolist()[:3] == [
        "label becomes 1 (row 4)", "label stays (row 7)", "dropped (row 5)"
    ]  # fmt: skip
    record = json.loads((memory / "clean.tsv.record.json").read_text())
    assert (record["applied"], record["not_applied"], record["inputs"]["pairs"]["file"]) == (3, 2, "tea.tsv")
    assert main(["apply", str(tea), str(log.path), "-o", str(memory / "safe.tsv"), "--spreadsheet-safe"]) == 2
    assert "keeps the cells of its source" in capsys.readouterr().err and not (memory / "safe.tsv").exists()


def test_cut_to_negative(tea, log, memory):
    assert main(["apply", str(tea), str(log.path), "-o", str(memory / "two"), "-q", "--cut", "negative"]) == 0
    assert "c-d" in rows(memory / "two/corrected.tsv")


def test_two_reviewers_and_exports(tea, log, memory):
    log.add("a", "c", "keep", label=0, reviewer="Ben")
    for kind in ("jsonl", "tsv"):
        log.export(memory / f"log.{kind}")
    seen = set()
    for source in ("log.db", "log.jsonl", "log.tsv"):
        out = memory / f"out-{source}".replace(".", "-")
        assert main(["apply", str(tea), str(memory / source), "-o", str(out), "-q"]) == 0
        report = json.loads((out / "report.json").read_text())
        seen.add((report["applied"], report["record"]["log"]["sha256 of its JSONL export"]))
        assert "a-c" in rows(out / "corrected.tsv")
    assert seen == {(2, log.digest())}
    logs = [str(memory / f"log.{kind}") for kind in ("db", "jsonl")]  # one log twice counts once
    assert main(["apply", str(tea), *logs, "-o", str(memory / "both"), "-q"]) == 0
    record = json.loads((memory / "both/report.json").read_text())["record"]["log"]
    assert record == {"file": "log.db, log.jsonl", "records": 6, "sha256 of its JSONL export": log.digest()}
    assert main(["apply", str(tea), str(log.path), "-o", str(memory / "ada"), "-q", "--reviewer", "Ada"]) == 0
    assert "a+c" in rows(memory / "ada/corrected.tsv")
