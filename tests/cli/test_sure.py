"""`augment --sure`: labels that follow and are less probably right are left out; stated rows all stay."""

import json
from pathlib import Path

import pandas as pd
import pytest

import paragraph as pg

ROWS = [
    ("How do I learn chess?", "How can I learn chess?", 1), ("How can I learn chess?", "Why is chess hard?", 1),
    ("Why is chess hard?", "Is milk white?", 0), ("Is tea hot?", "Is tea cold?", 0),
]  # fmt: skip


@pytest.fixture
def model(desk, put, run):
    """A folder with a model that `train` has written."""
    pg.write_pairs(pg.read_pairs(pg.DEMO)[:600], "demo.tsv")
    assert run("train demo.tsv --model tfidf -o model").status == 0
    put("pairs.tsv", *ROWS)
    put("held_out.tsv", *ROWS[:3])
    return "model"


def test_what_stays_is_as_sure_and_the_report_says_how_much(run, model):
    plain = run("augment pairs.tsv --test held_out.tsv -o plain")
    assert plain.status == 0 and "sure" not in json.loads(Path("plain/report.json").read_text())
    friends = pg.trust(pg.infer(pg.ParaphraseGraph.from_pairs(pg.read_pairs("pairs.tsv"))), model, progress=False)
    told = friends.to_frame()
    level = round(float(told["p_right"].median()), 3)
    done = run(f"augment pairs.tsv --test held_out.tsv --sure {level} --model {model} -o sure")
    assert done.status == 0, done.err
    kept = told[told["p_right"] >= level]
    assert 0 < len(kept) < len(told)
    for part in ("train", "test"):
        for name in ("original", "original_flipped"):
            file = f"{part}/{name}.tsv"
            assert Path(f"sure/{file}").read_text() == Path(f"plain/{file}").read_text()
    rows = pd.read_csv("sure/train/augmented.tsv", sep="\t")
    assert len(rows) == len(ROWS) + len(kept)
    said = json.loads(Path("sure/report.json").read_text())["sure"]
    assert {*said} == {"train", "test"}
    for sign, label in (("positive", 1), ("negative", 0)):
        of_sign, stay = told[told["label"] == label], kept[kept["label"] == label]
        figures = said["train"][sign]
        assert (figures["follow"], figures["stay"]) == (len(of_sign), len(stay))
        assert figures["right_of_all"] == pytest.approx(of_sign["p_right"].mean(), abs=1e-4)
        assert figures["right"] == pytest.approx(stay["p_right"].mean() if len(stay) else 0, abs=1e-4)
        assert f"{len(stay)} of {len(of_sign)} {sign}s that follow stay" in done.out + done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--model model", "--model goes with --sure"),
        ("--sure 2", "'2' is not a number from 0 to 1"),
        ("--sure .9 --model nowhere", "nowhere"),
    ],
)
def test_what_cannot_be_asked_is_one_line_and_writes_nothing(run, model, desk, options, message):
    done = run(f"augment pairs.tsv {options} -o out")
    assert done.status and message in done.err and not (desk / "out").exists()
