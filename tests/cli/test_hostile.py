"""What a file, its name or a closed terminal may hold against the commands: one clear line, or the plain result."""

import json
import os
import subprocess
import sys
from itertools import pairwise

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main

from ..growth import HUNG

ESCAPES = [
    "\x1b[31mred",
    "bell\x07",
    "title\x1b]0;x\x07",
    "csi \x9b2J",
    "back\rwards",
    "\u202eright to left",
    "two\nlines",
]
#: Characters that no line on a terminal may hold.
STEERING = {*map(chr, [*range(32), *range(127, 160)]), "\u202e"} - {"\n"}


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pairs = [(text, f"{text} again", 1) for text in ESCAPES]
    pg.write_pairs(pd.DataFrame(pairs, columns=["text_a", "text_b", "label"]), "tea.tsv")
    return tmp_path


@pytest.mark.parametrize("text", ESCAPES)
def test_no_sentence_steers_the_terminal(desk, capsys, text):
    assert main(["summary", "tea.tsv", "--clusters", "99"]) == 0
    assert main(["explain", "tea.tsv", text, f"{text} again"]) == 0
    assert main(["explain", "tea.tsv", text, "no such"]) == 2
    out, err = capsys.readouterr()
    assert not STEERING & {*out, *err}
    assert err.count("\n") == 1
    assert main(["explain", "tea.tsv", text, f"{text} again", "--json"]) == 0
    out = capsys.readouterr().out
    assert not STEERING & {*out}
    assert json.loads(out)["text_a"] == text


def test_an_error_is_one_line_of_moderate_length(desk, capsys):
    (desk / "long.tsv").write_text("question1\tquestion2\tis_duplicate\na\tb\t" + "x" * 1_000_000 + "\n")
    (desk / "lines.csv").write_text('question1,question2,is_duplicate\na,b,"x\n\x1b[2Jy"\n')
    (desk / "wide.tsv").write_text("\t".join(f"column {'w' * 1000} {i}" for i in range(1000)) + "\nx\n")
    for args in ("summary long.tsv", "summary lines.csv", "summary wide.tsv", f"summary {'n' * 5000}",
                 f"summary tea.tsv --labels {'x' * 9000}", f"explain tea.tsv {'x' * 9000} y"):  # fmt: skip
        assert main(args.split()) == 2
        err = capsys.readouterr().err
        assert err.startswith("paragraph: ") and err.count("\n") == 1 and len(err) < 1100
        assert not STEERING & {*err}
    with pytest.raises(pg.PairsError) as error:
        pg.read_pairs("long.tsv")
    assert len(str(error.value)) <= 1000 and str(error.value).startswith("long.tsv, row 2: label 'xxx")


@pytest.mark.parametrize(
    "text", ["[" * 200_000, '{"id": ' + "[" * 200_000, "{}", "[]", "7", '{"id": 1, "id": 2}', "\0"]
)
def test_a_log_that_is_none(desk, capsys, text):
    (desk / "log.jsonl").write_text(text + "\n")
    assert main(["apply", "tea.tsv", "log.jsonl", "-o", "out"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("paragraph: log.jsonl, line 1: ") and err.count("\n") == 1


def inputs_of(record):
    return record.get("record", record)["inputs"].values()


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text here")
@pytest.mark.parametrize(
    "command",
    ["summary {}.tsv", "summary {}.jsonl", "summary {}.tsv.gz", "augment {}.tsv -o out",
     "conflicts {}.tsv -o {}.out", "export {}.tsv -o {}.graphml", "augment {}.tsv -o {}",
     "repair {}.tsv -o out --model none", "split {}.tsv -o {}"],
)  # fmt: skip
def test_a_file_name_that_is_not_utf8(desk, capsys, command):
    name = os.fsdecode(b"caf\xe9")
    for ending in ("tsv", "jsonl", "tsv.gz"):
        pg.write_pairs(pg.read_pairs("tea.tsv"), desk / f"plain.{ending}")
        (desk / f"plain.{ending}").rename(desk / f"{name}.{ending}")
    assert main(command.format(*[name] * 2).split(" ")) == 0
    capsys.readouterr()
    records = [*desk.rglob("*record.json"), *desk.rglob("report.json")]
    assert bool(records) == ("-o" in command)
    for record in records:
        assert any(each["file"].startswith(name) for each in inputs_of(json.loads(record.read_text())))


def test_a_file_name_that_the_library_cannot_write(desk, capsys):
    name = os.fsdecode(b"caf\xe9")
    assert main(["augment", "tea.tsv", "-o", name, "--format", "parquet"]) == 2
    err = capsys.readouterr().err
    assert "is not UTF-8" in err and err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("args", "closed", "status", "said"),
    [
        ("summary tea.tsv", ">&-", 2, b"standard output is closed"),
        ("conflicts tea.tsv -o -", ">&-", 2, b"standard output is closed"),
        ("conflicts tea.tsv -o out.tsv -q", ">&-", 0, b""),
        ("summary none.tsv", "2>&-", 2, b""),
        ("summary tea.tsv", "2>&-", 0, b""),
    ],
)
def test_a_terminal_that_is_closed(desk, args, closed, status, said):
    command = ["sh", "-c", f'"$0" -m paragraph {args} {closed}', sys.executable]
    done = subprocess.run(command, capture_output=True, timeout=HUNG)
    assert done.returncode == status, done.stderr
    assert said in done.stderr and b"Traceback" not in done.stderr + done.stdout
    assert bool(done.stdout) == (closed == "2>&-" and status == 0)


@pytest.mark.parametrize("command", ["conflicts", "repair --model none", "suspects --model none"])
def test_no_cell_is_run_as_a_formula(desk, command):
    texts = ["=1+1", "+1", "-1", "@x", "plain = 1"]
    pairs = [*((a, b, 1) for a, b in pairwise(texts)), (texts[0], texts[-1], 0)]
    pg.write_pairs(pd.DataFrame(pairs, columns=["text_a", "text_b", "label"]), "tea.tsv")
    for option in ([], ["--spreadsheet-safe"]):
        assert main([*command.split(), "tea.tsv", "-o", "out.tsv", "-q", *option]) == 0
        found = pd.read_csv("out.tsv", sep="\t", dtype=str, keep_default_na=False)
        cells = {cell for cell in found.to_numpy().ravel() if cell.startswith(("=", "+", "@"))}
        assert bool(cells) != bool(option)
        assert ("'" * bool(option) + "=1+1") in set(found["question1"])
        assert json.loads((desk / "out.tsv.record.json").read_text())["options"]["spreadsheet_safe"] is bool(option)
