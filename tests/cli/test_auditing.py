"""The shell's audit: drawn, filled in as in a spreadsheet, reported, and learned from."""

import json

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main


@pytest.fixture(scope="module")
def graph():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))


def shell(*args):
    return main([str(arg) for arg in args])


def read(path):
    return pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)


def filled(path, values):
    """The sample with judgements, as a spreadsheet writes it: with a byte order mark and quotes of its own."""
    out = path.with_name("filled.tsv")
    read(path).assign(same=values).to_csv(out, sep="\t", index=False, encoding="utf-8-sig", quoting=1)
    return out


def test_from_drawing_to_report(graph, tmp_path, capsys):
    sample = tmp_path / "audit.tsv"
    assert shell("audit", pg.DEMO, "-o", sample, "-n", 40, "--seed", 2) == 0
    assert "40 pairs drawn: " in capsys.readouterr().out
    table = read(sample)
    assert list(table) == ["text_a", "text_b", "same"] and set(table["same"]) == {""}
    own = pg.audit(graph, 40, seed=2)
    assert table[["text_a", "text_b"]].values.tolist() == own[["text_a", "text_b"]].values.tolist()
    record = json.loads((tmp_path / "audit.tsv.record.json").read_text())
    assert record["options"]["seed"] == 2 and sum(record["drawn"].values()) == 40
    same = np.where(np.arange(40) % 10 == 9, "", (np.arange(40) % 3 == 0).astype(int).astype(str))
    assert shell("audit", pg.DEMO, "--judged", filled(sample, same), "-o", tmp_path / "report.tsv") == 0
    report = pg.audited(graph, own.assign(same=same))
    assert capsys.readouterr().out == f"{report}\n" and report.left == 4
    written = pd.read_csv(tmp_path / "report.tsv", sep="\t")
    pd.testing.assert_frame_equal(written, report.table, check_dtype=False)
    record = json.loads((tmp_path / "report.tsv.record.json").read_text())
    assert record["inputs"]["judged"]["file"] == "filled.tsv" and "4 of the sample left empty" in record["note"]


def test_judgements_are_not_written_over(tmp_path, capsys):
    sample = tmp_path / "audit.tsv"
    for _ in range(2):  # one that is empty is
        assert shell("audit", pg.DEMO, "-o", sample, "-n", 9, "-q") == 0
    read(sample).assign(same="1").to_csv(sample, sep="\t", index=False)
    assert shell("audit", pg.DEMO, "-o", sample, "-n", 9) == 2
    assert "holds 9 judged pairs, which would be lost" in capsys.readouterr().err
    assert shell("audit", pg.DEMO, "--judged", sample, "-o", sample) == 2
    assert set(read(sample)["same"]) == {"1"}


@pytest.mark.parametrize(
    ("values", "error"),
    [
        (["1", "x"], "filled.tsv, row 3: same 'x' is not 1, 0 or empty"),
        (["", ""], "nothing is judged yet"),
    ],
)
def test_what_does_not_fit_is_refused(values, error, tmp_path, capsys):
    sample = tmp_path / "audit.tsv"
    assert shell("audit", pg.DEMO, "-o", sample, "-n", 2, "-q") == 0
    assert shell("audit", pg.DEMO, "--judged", filled(sample, values)) == 2
    assert error in capsys.readouterr().err


def test_an_edited_sentence_is_named(tmp_path, capsys):
    sample = tmp_path / "audit.tsv"
    assert shell("audit", pg.DEMO, "-o", sample, "-n", 2, "-q") == 0
    read(sample).assign(text_a=["edited", "too"], same="1").to_csv(sample, sep="\t", index=False)
    assert shell("audit", pg.DEMO, "--judged", sample) == 2
    assert "audit.tsv, row 2: 'edited' is not in the data" in capsys.readouterr().err
    assert shell("audit", pg.DEMO) == 2
    assert "where is the sample to go? -o audit.tsv" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["table", "log", "jsonl", "tsv"])
def test_repair_learns_from_it(kind, graph, tmp_path, capsys):
    conflicts = pg.conflicts(graph)[["text_a", "text_b"]].head(6)
    log = pg.DecisionLog(tmp_path / "log.db", "Ada")
    for a, b in conflicts.itertuples(index=False):
        log.add(a, b, "keep", label=0)
    conflicts.assign(same=0).to_csv(tmp_path / "table", sep="\t", index=False)
    for ending in ("jsonl", "tsv"):
        log.export(tmp_path / f"log.{ending}")
    given = tmp_path / ("table" if kind == "table" else f"log.{kind}".replace(".log", ".db"))
    out = tmp_path / "out.tsv"
    assert shell("repair", pg.DEMO, "--audit", given, "--model", "none", "-o", out) == 0
    said = capsys.readouterr().out
    own = pg.repair(graph, audit=conflicts.assign(same=0))
    assert pd.read_csv(out, sep="\t")["p_flip"].tolist() == pytest.approx(own["p_flip"].tolist())
    assert "6 conflicts judged" in said and f"δ −{abs(own.attrs['delta']['value']):.2f} (95 %: " in said
    record = json.loads((tmp_path / "out.tsv.record.json").read_text())
    assert record["inputs"]["audit"]["file"] == given.name and record["options"]["delta"]["judged"] == 6
