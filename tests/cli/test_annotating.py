"""The shell's annotate and agreement: from pairs to candidates, to a log, to κ and a queue."""

import json

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main

ONE = "The committee will meet again on Monday to vote on the plan."
OTHERS = [
    "On Monday the committee is to meet and decide about that plan.",
    "The committee will meet on Monday and then it will vote.",
    ONE.replace("the plan", "a plan"),
    "Vote now",
]


def shell(*args):
    return main([str(arg) for arg in args])


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    table = pd.DataFrame({"question1": ONE, "question2": OTHERS, "is_duplicate": ["", 0, 1, 0]})
    table.to_csv(path, sep="\t", index=False)
    return path


def test_from_pairs_to_a_queue(pairs, tmp_path, capsys):
    log, queue = tmp_path / "tags.db", tmp_path / "queue.jsonl"
    assert shell("annotate", pairs, "--log", log, "--annotator", "Ada") == 0
    said = capsys.readouterr().out.splitlines()
    table = pg.tags.read(tmp_path / "tags.jsonl")
    assert table.text_b.tolist() == OTHERS[:1] and "tags_a" not in table
    assert said[0].startswith("1 of 4 pairs are in ") and "; 1 too short; 2 with BLEU" in said[0]
    record = json.loads((tmp_path / "tags.jsonl.record.json").read_text())
    assert "nrefs:1|case:mixed|eff:yes|tok:13a" in json.dumps(record)
    names = {}
    exec(said[1].replace("pg.TagReview", "review = pg.TagReview"), names)
    for name in ("Ada", "Ben"):
        review = pg.TagReview(table, log, name)
        review.mark("a" if name == "Ada" else "b", 0, 3)
        review.decide("tags")
    assert names["review"].reviewer == "Ada"

    assert shell("agreement", log, "-o", queue) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    found = names["review"].agreement()
    assert lines[0][:2] == ["Ada,", "Ben:"] and lines[1][3] == f"{found.kappa:.3f}"
    assert lines[-1] == ["to", "talk", "about", "1", "(F1", "below", "0.4)"]
    assert pg.tags.read(queue)[["text_b", "f1"]].values.tolist() == [[OTHERS[0], 0]]
    pg.tags.write(pd.concat([names["review"].tags, review.tags]), tmp_path / "both.jsonl")
    pg.DecisionLog(log).export(tmp_path / "log.jsonl")
    for other in ("both.jsonl", "log.jsonl"):
        assert shell("agreement", tmp_path / other) == 0
        assert [line.split() for line in capsys.readouterr().out.splitlines()] == lines


def test_all_pairs_or_some_drawn(pairs, tmp_path, capsys):
    assert shell("annotate", pairs, "--log", tmp_path / "t.db", "--all", "-o", tmp_path / "all.jsonl", "-q") == 0
    assert pg.tags.read(tmp_path / "all.jsonl").text_b.tolist() == OTHERS
    drawn = []
    for seed in (1, 1, 2):
        shell("annotate", tmp_path / "all.jsonl", "--log", tmp_path / "t.db", "--all", "-n", 2, "--seed", seed, "-q")
        drawn.append(pg.tags.read(tmp_path / "t.jsonl").text_b.tolist())
    assert drawn[0] == drawn[1] != drawn[2] and len(drawn[0]) == 2
    assert not (tmp_path / "t.db").exists() and capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["annotate", "pairs.tsv", "--log", "t.db", "-o", "pairs.tsv"], "would be written over"),
        (["annotate", "none.tsv", "--log", "t.db"], "none.tsv"),
        (["annotate", ".", "--log", "t.db"], "name the folder of MRPC with --mrpc"),
        (["agreement", "none.db"], "there is no log"),
        (["agreement", "empty.db"], "agreement takes two reviewers"),
    ],
)
def test_errors_are_one_line(pairs, tmp_path, monkeypatch, capsys, args, said):
    monkeypatch.chdir(tmp_path)
    pg.DecisionLog("empty.db")
    assert shell(*args) == 2
    assert said in capsys.readouterr().err


def test_decisions_have_an_agreement_too(tmp_path, capsys):
    log = pg.DecisionLog(tmp_path / "log.db")
    for i, (one, other) in enumerate([("flip", "flip"), ("keep", "flip"), ("keep", "keep"), ("flip", "flip")]):
        log.add(f"{i}?", "Why?", one, reviewer="Ada")
        log.add("Why?", f"{i}?", other, reviewer="Ben")
    log.export(tmp_path / "log.jsonl")
    for name in ("log.db", "log.jsonl"):
        assert shell("agreement", tmp_path / name, "-o", tmp_path / "talk.tsv") == 0
        assert capsys.readouterr().out == f"{pg.agreement(log)}\n"
        found = pd.read_csv(tmp_path / "talk.tsv", sep="\t")
        assert found[["question1", "question2"]].to_numpy().ravel().tolist() in (["1?", "Why?"], ["Why?", "1?"])


def test_a_bound_that_is_none(tmp_path):
    with pytest.raises(SystemExit):
        shell("agreement", tmp_path / "t.db", "--below", "2")
