"""Taggers in the shell: train and evaluate with --task tags, tag."""

import json

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tagger") / "model"
    assert main(["train", str(pg.DEMO_TAGS), "--task", "tags", "--model", "alignment", "-o", str(folder), "-q"]) == 0
    return folder


LINKS = """0:0	the cat sat	N/A	a cat sat down	N/A	1	1	1-1	2-2	
1:1	dogs bark	N/A	dogs sing	N/A	1	1	0-0		
"""


def test_a_model_is_written_with_a_record(model):
    record = json.loads((model / "record.json").read_text())
    assert record["options"]["model"] == "alignment"
    assert [each["file"] for each in record["inputs"].values()] == ["demo_tags.jsonl"]


def test_tag_keeps_the_order_and_reads_what_it_writes(run, model, tmp_path):
    (tmp_path / "links.tsv").write_text(LINKS)
    status, out, _ = run("tag", tmp_path / "links.tsv", "--tagger", model, "-o", tmp_path / "one.jsonl")
    assert status == 0 and "2 pairs, 11 words" in out
    lines = [json.loads(line) for line in (tmp_path / "one.jsonl").read_text().splitlines()]
    assert [line["text_b"] for line in lines] == ["a cat sat down", "dogs sing"]
    for line in lines:
        for side in "ab":
            assert len(line[f"words_{side}"]) == len(line[f"tags_{side}"]) == len(line[f"p_{side}"])
    again = run("tag", tmp_path / "one.jsonl", "--input", "tags", "--tagger", model, "-o", tmp_path / "two.jsonl")
    assert again[0] == 0 and (tmp_path / "two.jsonl").read_text() == (tmp_path / "one.jsonl").read_text()
    record = json.loads((tmp_path / "one.jsonl.record.json").read_text())
    assert record["options"]["pairs"] == 2 and record["options"]["threshold"] > 0


def test_pairs_of_any_format_are_tagged_without_labels(run, tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("left,right\nHe paid $2.,He paid $3.\n")
    columns = ["--columns", "text_a=left,text_b=right", "--unlabelled", "keep"]
    for reading in (["--input", "pairs", *columns], columns):
        status, _, err = run("tag", path, *reading, "-o", tmp_path / "out.jsonl", "-q")
        assert status == 0, err
        (line,) = pg.tags.read(tmp_path / "out.jsonl").to_dict("records")
        assert [word for word, tag in zip(line["words_a"], line["tags_a"], strict=True) if tag] == ["2"]


def test_tagged_pairs_that_a_tagger_was_trained_on_are_counted_and_told(run, model):
    status, _, err = run("evaluate", pg.DEMO_TAGS, "--task", "tags", "--model", model)
    n = len(pg.tags.read(pg.DEMO_TAGS))
    assert status == 0 and f"note: {n} of {n} pairs are among those that the model was trained on" in err


def test_evaluate_counts_words(run, model, tmp_path):
    (tmp_path / "links.tsv").write_text(LINKS)
    args = ["--task", "tags", "--model", model, "-o", tmp_path / "S.json"]
    status, out, _ = run("evaluate", tmp_path / "links.tsv", "--input", "multimwa", *args)
    found = json.loads((tmp_path / "S.json").read_text())
    assert status == 0 and "word F1" in out and "2 of links" not in out
    assert {"word F1", "precision", "recall", "accuracy", "AUC", "n"} <= {*found["scores"]}
    assert found["scores"]["n"] == 11 and found["scores"]["ones"] == pytest.approx(5 / 11)
    assert found["scores"]["threshold"] == pg.learn.load_tagger(model).threshold


def test_several_files_teach_together(run, tmp_path):
    (tmp_path / "links.tsv").write_text(LINKS)
    args = ["train", tmp_path / "links.tsv", pg.DEMO_TAGS, "--task", "tags", "-o", tmp_path / "model"]
    status, out, _ = run(*args)
    pairs = 2 + len(pg.tags.read(pg.DEMO_TAGS))
    assert status == 0 and f"trained on {pairs} tagged pairs" in out and "2 of links" in out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["train", pg.DEMO_TAGS, "--task", "tags", "--model", "tfidf", "-o", "m"], "alignment, cross-encoder"),
        (["train", pg.DEMO, "--model", "alignment", "-o", "m"], "which learn pairs"),
        (["train", pg.DEMO, "--task", "tags", "-o", "m"], "needs tags"),
        (["train", pg.DEMO_TAGS, "--task", "tags", "--dev", "x", "-o", "m"], "--dev is for models of pairs"),
        (["tag", pg.DEMO, "--tagger", "nowhere", "-o", "out.jsonl"], "nowhere holds no tagger"),
        (["tag", pg.DEMO, "--input", "etpc", "-o", "out.jsonl"], "--mrpc"),
        (["evaluate", pg.DEMO, "--task", "tags", "--model", "nowhere"], "has no tags"),
        (["tag", "gone.jsonl", "-o", "out.jsonl"], "gone.jsonl"),
    ],
)
def test_errors_say_what_to_do(run, tmp_path, monkeypatch, args, message):
    monkeypatch.chdir(tmp_path)
    status, _, err = run(*args)
    assert status == 2 and message in err
    assert not [*tmp_path.iterdir()]


def test_the_input_is_not_written_over(run, model, tmp_path):
    path = tmp_path / "tags.jsonl"
    pg.tags.write(pg.tags.untagged(pd.DataFrame({"text_a": ["a"], "text_b": ["b"]})), path)
    before = path.read_text()
    status, _, err = run("tag", path, "--tagger", model, "-o", path)
    assert status == 2 and "would be written over" in err and path.read_text() == before
