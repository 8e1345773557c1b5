"""The shell's generate: the table, its record, the three ways, and errors that say what to do."""

import json

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main

from ..learn.tiny import tiny_bart

ROWS = [("How do I buy tea?", "How do I purchase tea?", 1), ("How do I purchase tea?", "Where is tea sold?", 1)]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pg.write_pairs(pd.DataFrame(ROWS, columns=["text_a", "text_b", "label"]), "tea.tsv")
    (tmp_path / "texts.txt").write_text("Can one buy soup?\nHow do I buy tea?\nWho won?\n", encoding="utf-8")
    return tmp_path


def generate(*args):
    return main(["generate", "tea.tsv", "-o", "out.tsv", *args])


def written():
    return pd.read_csv("out.tsv", sep="\t", keep_default_na=False)


def test_members_of_clusters(desk, capsys):
    assert generate("--tagger", "none", "-n", "1") == 0
    assert written()[["text", "paraphrase", "why"]].to_numpy().tolist() == [
        ["How do I buy tea?", "How do I purchase tea?", "row 2"],
        ["How do I purchase tea?", "How do I buy tea?", "row 2"],
        ["Where is tea sold?", "How do I purchase tea?", "row 3"],
    ]
    assert json.loads(written()["proof"][0]) == ["How do I buy tea?", "How do I purchase tea?"]
    record = json.loads((desk / "out.tsv.record.json").read_text())
    assert record["options"]["by"] == "cluster" and record["inputs"]["pairs"]["file"] == "tea.tsv"
    assert record["found"]["sentences"] == 3 and record["found"]["without"] == 0
    assert "3 paraphrases, 0 of 3 sentences without one" in capsys.readouterr().out


@pytest.mark.slow
def test_a_model_learns_and_is_kept(desk):
    bart = str(tiny_bart(desk / "bart", texts=[text for row in ROWS for text in row[:2]]))
    seq2seq = ("--by", "seq2seq", "--tagger", "none", "-q", "--texts", "texts.txt")
    assert generate(*seq2seq, "--model", bart, "--epochs", "1", "--save", "taught") == 0
    first = (desk / "out.tsv").read_text()
    assert (desk / "taught" / "config.json").is_file()
    assert generate(*seq2seq, "--model", "taught", "--epochs", "0") == 0
    assert (desk / "out.tsv").read_text() == first.replace("written by bart", "written by taught")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--by", "seq2seq"], "go together"),
        (["--model", "x"], "go together"),
        (["--by", "substitution"], "--by substitution is gone: use --by cluster"),
        (["--tagger", "none", "--theta", "2"], "theta 2.0"),
        (["--tagger", "none", "--texts", "tea.tsv", "-o", "tea.tsv"], "tea.tsv"),
        (["--tagger", "none", "--texts", "nowhere.txt"], "nowhere.txt"),
    ],
)
def test_errors(desk, capsys, args, message):
    assert generate(*args) == 2
    assert message in capsys.readouterr().err
    assert (desk / "tea.tsv").read_text().startswith("question1")


def test_no_paraphrase_at_all(desk, capsys):
    (desk / "texts.txt").write_text("Who won?\n")
    assert generate("--tagger", "none", "--texts", "texts.txt") == 0
    assert written().empty and "1 of 1 sentences without one" in capsys.readouterr().out
    json.loads((desk / "out.tsv.record.json").read_text(), parse_constant=lambda name: pytest.fail(name))
