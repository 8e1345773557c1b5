"""`augment --sure`: labels that follow and are less probably right are left out; stated rows all stay."""

from pathlib import Path

import pandas as pd
import pytest

import paragraph as pg

from .written import load_json

ROWS = [
    ("How do I learn chess?", "How can I learn chess?", 1), ("How can I learn chess?", "Why is chess hard?", 1),
    ("Why is chess hard?", "Is milk white?", 0), ("Is tea hot?", "Is tea cold?", 0),
]  # fmt: skip


@pytest.mark.slow
def test_what_stays_is_as_sure_and_the_report_says_how_much(desk, run, put, adapter):
    put("pairs.tsv", *ROWS)
    put("held_out.tsv", *ROWS[:3])
    run("augment pairs.tsv --test held_out.tsv -o plain")
    assert "sure" not in load_json("plain/report.json")
    closure = pg.infer(pg.ParaphraseGraph.from_pairs(pg.read_pairs("pairs.tsv")))
    told = pg.trust(closure, adapter).to_frame()
    level = round(float(told["p_right"].median()), 3)
    sure = pg.trust(closure, adapter, sure=level)
    done = run(f"augment pairs.tsv --test held_out.tsv --sure {level} --judge {adapter} -o sure")
    assert 0 < len(sure.to_frame()) < len(told)
    for part in ("train", "test"):
        for name in ("original", "original_flipped"):
            file = f"{part}/{name}.tsv"
            assert Path(f"sure/{file}").read_text() == Path(f"plain/{file}").read_text()
    rows = pd.read_csv("sure/train/augmented.tsv", sep="\t")
    assert len(rows) == len(ROWS) + len(sure.to_frame())
    said = load_json("sure/report.json")["sure"]
    assert {*said} == {"train", "test"}
    levels = sure.levels([0, level])
    pd.testing.assert_frame_equal(pd.DataFrame(said["train"]), levels, atol=1e-4)
    for sign in ("positive", "negative"):
        assert f"{levels[sign][1]} of {levels[sign][0]} inferred {sign}s stay" in done.out + done.err
