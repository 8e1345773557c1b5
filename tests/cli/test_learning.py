"""The verbs of learning in the shell: train, evaluate, experiment."""

import json
import os
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest
from sklearn import metrics

import paragraph as pg
from paragraph.cli import parser
from paragraph.experiments import read_results
from paragraph.learn import TfidfPairs, load_model

FOUR = ["experiment", "four-by-four", pg.DEMO, "--share", ".3", "--by", "clusters", "--model", "tfidf"]
GRID = ["experiment", "distance-grid", pg.DEMO, "--share", ".2", "--by", "clusters", "--model", "tfidf"]


@pytest.fixture
def unlabelled(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("question1,question2,is_duplicate\nWhy?,How come?,1\nWhat?,Who?,\nWhen?,Where?,0\n")
    return path


def test_train_then_evaluate(run, tmp_path):
    status, out, _ = run("train", pg.DEMO, "--model", "tfidf", "-o", tmp_path / "model")
    assert status == 0 and "tfidf, trained on 2,112 pairs" in out
    record = json.loads((tmp_path / "model" / "record.json").read_text())
    assert record["options"]["model"] == "tfidf" and record["inputs"]["train"]["sha256"]
    status, out, _ = run("evaluate", pg.DEMO, "--model", tmp_path / "model", "-o", tmp_path / "scores.json")
    pairs = pg.read_pairs(pg.DEMO)
    label, probability = pairs["label"].to_numpy(int), TfidfPairs().fit(pairs).predict_proba(pairs)
    found = json.loads((tmp_path / "scores.json").read_text())
    assert found["pairs it was trained on"] == 2112
    accuracy = metrics.accuracy_score(label, probability >= 0.5)
    assert found["scores"]["accuracy"] == pytest.approx(accuracy) and found["scores"]["n"] == len(pairs)
    assert f"accuracy{accuracy:>20.4f}" in out and f"n{2112:>27,}" in out
    assert load_model(tmp_path / "model").predict_proba(pairs) == pytest.approx(probability)


def test_pairs_that_a_model_was_trained_on_are_counted_and_told(run, tmp_path):
    header, *rows = pg.DEMO.read_text().splitlines(keepends=True)
    turned = [
        "\t".join([*row.split("\t")[:-3], *reversed(row.split("\t")[-3:-1]), row.split("\t")[-1]]) for row in rows
    ]
    for name, some in (("train", rows[:300]), ("dev", rows[300:400]), ("test", [*turned[250:320], *rows[400:500]])):
        (tmp_path / f"{name}.tsv").write_text("".join([header, *some]))
    files = [tmp_path / "train.tsv", "--dev", tmp_path / "dev.tsv"]
    assert run("train", *files, "--model", "tfidf", "-o", tmp_path / "model")[0] == 0
    args = ["evaluate", tmp_path / "test.tsv", "--model", tmp_path / "model", "-o", tmp_path / "scores.json"]
    status, _, err = run(*args)
    assert status == 0 and "note: 70 of 170 pairs are among those that the model was trained on" in err
    assert json.loads((tmp_path / "scores.json").read_text())["pairs it was trained on"] == 70
    assert run(*args, "-q")[2] == ""
    (tmp_path / "model" / "trained_on.npy").write_bytes(b"no array")
    status, _, err = run(*args)
    assert status == 2 and "trained_on.npy: cannot be used" in err
    (tmp_path / "model" / "trained_on.npy").unlink()  # written by an earlier version
    assert run(*args)[2] == ""
    assert json.loads((tmp_path / "scores.json").read_text())["pairs it was trained on"] is None


def test_several_files(run, tmp_path):
    more = tmp_path / "more.csv"
    rows = [("Why is tea hot?", f"Why is tea {word}?", 0) for word in ("cold", "black", "hot")]
    rows += [("Why is tea hot?", "Who are you?", 0), ("Is tea hot?", "Is the tea hot?", 1)]
    pd.DataFrame(rows, columns=["question1", "question2", "is_duplicate"]).to_csv(more, index=False)
    status, out, _ = run("train", pg.DEMO, more, "--model", "tfidf", "-o", tmp_path / "all")
    assert status == 0 and "trained on 2,117 pairs" in out
    record = json.loads((tmp_path / "all" / "record.json").read_text())
    assert [record["inputs"][name]["file"] for name in ("train", "train 2")] == ["demo.tsv", "more.csv"]
    assert record["options"]["pairs"] == 2117
    assert run("train", more, "--model", "tfidf", "-o", more)[0] == 2


def test_a_further_file_is_named_where_it_is_wrong(run, tmp_path, unlabelled):
    for options in ([], ["--unlabelled", "keep"]):
        status, _, err = run("train", pg.DEMO, unlabelled, *options, "--model", "tfidf", "-o", tmp_path / "model")
        assert status == 2 and "pairs.csv, row 3" in err and not (tmp_path / "model").exists()


def test_a_score_that_is_not_defined_says_why(run, tmp_path):
    run("train", pg.DEMO, "--model", "tfidf", "-o", tmp_path / "model", "-q")
    path = tmp_path / "negatives.csv"
    path.write_text("question1,question2,is_duplicate\nWhy is tea hot?,Who are you?,0\n")
    status, out, _ = run("evaluate", path, "--model", tmp_path / "model", "-o", tmp_path / "scores.json")
    assert status == 0 and "no pair has the label 1" in out
    found = json.loads((tmp_path / "scores.json").read_text())
    assert found["scores"]["F1"] is None and found["undefined"]["F1"] == "no pair has the label 1"


def test_a_row_without_a_label_teaches_nothing(run, tmp_path, unlabelled):
    status, _, err = run("train", unlabelled, "--model", "tfidf", "-o", tmp_path / "model", "--unlabelled", "keep")
    assert status == 2 and "row 3" in err and "label" in err, err
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["evaluate", pg.DEMO, "--model", "nowhere"], "nowhere holds no model"),
        (
            ["train", pg.DEMO, "--model", "tfidf", "--encoder", "x", "-o", "m"],
            "--encoder is for models that have one",
        ),
        ([*FOUR[:3], "-o", "r"], "give --test, or --share to take it from FILE"),
        ([*FOUR, "--test", pg.DEMO, "-o", "r"], "give --test, or --share"),
        ([*GRID[:3], "--test", pg.DEMO, "-o", "r"], "give --dev and --test, or --share to take both from FILE"),
        ([*FOUR[:3], "--share", "1.5", "-o", "r"], "shares must be above 0"),
        ([*FOUR, "--seeds", "0", "-o", "r"], "seeds 0 is neither"),
        ([*FOUR, "--planted", "2", "-o", "r"], "share 2.0 is not a number from 0 to 1"),
    ],
)
def test_errors_say_what_to_do(run, tmp_path, monkeypatch, args, message):
    monkeypatch.chdir(tmp_path)
    status, _, err = run(*args)
    assert status == 2 and message in err


@pytest.mark.slow
def test_four_by_four(run, tmp_path):
    status, out, err = run(*FOUR, "--seeds", 2, "--planted", ".05", "-o", tmp_path / "results" / "demo")
    assert status == 0, err
    assert "Augmented-Flipped" in out and "Truth" in out and "planted errors undone" in out
    found = read_results(tmp_path / "results" / "demo")
    assert found.layout("F1").to_string() in out
    assert found.record["options"]["planted"] == 0.05 and len(found.table) == 4 * 5 * 2
    before = (tmp_path / "results" / "demo.parquet").read_bytes()
    status, again, _ = run(*FOUR, "--seeds", 2, "--planted", ".05", "-o", tmp_path / "results" / "demo")
    assert status == 0 and again == out  # everything was there already
    assert (tmp_path / "results" / "demo.parquet").read_bytes() == before
    status, _, err = run(*FOUR, "--seeds", 3, "--planted", ".05", "-o", tmp_path / "results" / "demo")
    assert status == 2 and "another run, which differs in seeds" in err


@pytest.mark.slow
def test_files_of_their_own(run, tmp_path):
    pairs = pg.read_pairs(pg.DEMO)
    rng = pairs.sample(frac=1, random_state=0)
    for name, rows in (("train", rng[:1500]), ("dev", rng[1500:1800]), ("test", rng[1800:])):
        pg.write_pairs(rows, tmp_path / f"{name}.tsv")
    files = [tmp_path / "train.tsv", "--dev", tmp_path / "dev.tsv", "--test", tmp_path / "test.tsv"]
    options = ["--model", "tfidf", "--seeds", 1, "--max-train", 800]
    status, out, err = run("experiment", "distance-grid", *files, *options, "-o", tmp_path / "grid")
    assert status == 0, err
    assert "distance 1, 2" in out and "detectable" in out
    found = read_results(tmp_path / "grid")
    assert (found.datasets["stated"] == 800).all()
    status, _, err = run("experiment", "four-by-four", *files, *options, "-o", tmp_path / "four")
    assert status == 0, err
    leaks = read_results(tmp_path / "four").leaks
    assert leaks["removed"].iloc[2] > leaks["removed"].iloc[0] > 0  # rows were split without regard to sentences


@pytest.mark.slow
def test_killed_and_begun_again(tmp_path):
    """kill -9 when some cells are on disk; the same command then ends at what an unbroken run gives."""
    command = [sys.executable, "-m", "paragraph", *map(str, FOUR), "--seeds", "3"]
    child = subprocess.Popen([*command, "-o", str(tmp_path / "broken")], stderr=subprocess.DEVNULL)
    cells = tmp_path / "broken.cells"
    while len(list(cells.glob("[!.]*.npz"))) < 3 and child.poll() is None:
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    kept = {file.name: file.stat().st_mtime_ns for file in cells.glob("[!.]*.npz")}
    assert 3 <= len(kept) < 12 and not (tmp_path / "broken.parquet").exists()
    for name in ("broken", "whole"):
        done = subprocess.run([*command, "-o", str(tmp_path / name)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert all((cells / name).stat().st_mtime_ns == when for name, when in kept.items())
    broken, whole = (read_results(tmp_path / name) for name in ("broken", "whole"))
    pd.testing.assert_frame_equal(broken.table, whole.table)
    pd.testing.assert_frame_equal(broken.differences(), whole.differences())


def test_every_option_of_an_experiment_says_what_it_is_for():
    (commands,) = (action for action in parser()._actions if action.choices)
    (experiments,) = (action for action in commands.choices["experiment"]._actions if action.choices)
    for verb, command in experiments.choices.items():
        assert [f"{verb} {action.dest}" for action in command._actions if not action.help] == []
