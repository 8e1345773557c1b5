"""The shell's repair and suspects: on the shipped corpus and on a file small enough to count by hand."""

import json
import subprocess
import sys

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main

from ..learn.synonyms import Synonyms

TEA, HEALTHY, COFFEE = "Is tea good?", "Is tea healthy?", "Is coffee healthy?"
ROWS = [(TEA, HEALTHY, 1), (HEALTHY, COFFEE, 1), (TEA, COFFEE, 0), ("Is <b>snow</b> white?", 'Is "snow" wet?', 0)]
HEAD = "question1,question2,is_duplicate\n"


@pytest.fixture
def tea(tmp_path):
    path = tmp_path / "tea.csv"
    pd.DataFrame(ROWS, columns=["question1", "question2", "is_duplicate"]).to_csv(path, index=False)
    return path


#: Evidence of 30 pairs, by a writer that quotes.
QUOTED = "question1 | question2 | p\n" + '"a ""word""" | b | .5\n' * 30


def read(path):
    return pd.read_csv(path, sep="\t", keep_default_na=False)


def evidence(tmp_path, text, name="columns.tsv"):
    path = tmp_path / name
    path.write_text(text.replace(" | ", "\t"), encoding="utf-8")
    return str(path)


def shell(*args):
    return main([str(arg) for arg in args])


def test_repair_writes_what_python_says_and_a_record(tea, tmp_path, capsys):
    out = tmp_path / "out.tsv"
    assert shell("repair", tea, "-o", out, "--model", "none") == 0
    (row,) = read(out).itertuples()
    (same,) = pg.repair(pg.ParaphraseGraph.from_pairs(pg.read_pairs(tea))).itertuples()
    assert list(read(out))[:6] == ["question1", "question2", "proposal", "margin", "edge1", "edge2"]
    assert (row.question1, row.question2) == (TEA, COFFEE)
    assert (row.proposal, row.edge1, row.edge2) == (same.proposal, same.edge1, same.edge2)
    assert row.margin == pytest.approx(same.margin)
    assert json.loads(row.changes) == same.changes
    record = json.loads((tmp_path / "out.tsv.record.json").read_text())
    assert record["inputs"]["pairs"]["file"] == "tea.csv"
    assert record["options"]["method"] == "map" and record["options"]["evidence"] == "none asked for"
    said = capsys.readouterr()
    assert "1 conflict" in said.out and "none asked for" in said.err


def test_flip_all_asks_no_model(tea, tmp_path, capsys):
    out = tmp_path / "out.tsv"
    assert shell("repair", tea, "-o", out, "--method", "flip_all") == 0
    (row,) = read(out).itertuples()
    assert (row.proposal, row.edge1, row.edge2, row.margin) == ("flip", TEA, COFFEE, "")
    assert capsys.readouterr().err == ""
    assert shell("repair", tea, "-o", out, "--method", "flip_all", "--model", "minilm") == 2
    assert "flip_all flips every conflict; leave out --model" in capsys.readouterr().err


@pytest.mark.parametrize(("model", "proposal", "pair"), [("0.999", "flip", {TEA, COFFEE}), ("0.001", "cut", None)])
def test_evidence_decides(tea, tmp_path, model, proposal, pair):
    given = evidence(tmp_path, f"question1 | question2 | model\n{COFFEE} | {TEA} | {model}\n{TEA} | {HEALTHY} | \n")
    assert shell("repair", tea, "-o", tmp_path / "out.tsv", "--evidence", given) == 0
    (row,) = read(tmp_path / "out.tsv").itertuples()
    assert row.proposal == proposal
    assert pair is None or {row.edge1, row.edge2} == pair
    record = json.loads((tmp_path / "out.tsv.record.json").read_text())
    assert record["inputs"]["evidence"]["file"] == "columns.tsv"


@pytest.mark.slow
def test_too_little_for_a_model_is_said_and_gone_without(tea, tmp_path, capsys):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    assert shell("suspects", tea, "-o", tmp_path / "out.tsv") == 0
    assert "evidence of a model: none (" in capsys.readouterr().err
    assert shell("repair", tea, "-o", tmp_path / "other.tsv", "--model", "tfidf") == 2


@pytest.mark.slow
def test_a_model_reads_the_sentences_in_conflict(tea, tmp_path, capsys):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    out = tmp_path / "out.tsv"
    assert shell("repair", tea, "-o", out) == 0
    assert "minilm, of the sentences in conflict; --model none goes without" in capsys.readouterr().err
    assert "minilm" in json.loads((tmp_path / "out.tsv.record.json").read_text())["options"]["evidence"]
    (row,) = read(out).itertuples()
    (same,) = pg.repair(pg.ParaphraseGraph.from_pairs(pg.read_pairs(tea)), model="minilm").itertuples()
    assert (row.proposal, row.p_flip) == (same.proposal, pytest.approx(same.p_flip, abs=1e-3))


def test_a_model_that_is_trained_is_asked_about_the_sentences_in_conflict_alone(tmp_path, monkeypatch, capsys):
    """One that `paragraph train` has written; Python says the same, in any order of the two sentences."""
    pytest.importorskip("sklearn")
    far = [(f"Who sang song {i}?", f"Who wrote song {i}?", i % 2) for i in range(30)]
    table = pd.DataFrame([*ROWS, *far], columns=["question1", "question2", "is_duplicate"])
    table.to_csv(tmp_path / "pairs.csv", index=False)
    assert shell("train", pg.DEMO, "--model", "tfidf", "-q", "-o", tmp_path / "model") == 0
    capsys.readouterr()
    from paragraph.learn import TfidfPairs, load_model

    asked = []
    honest = TfidfPairs.predict_proba

    def predict(self, pairs):
        asked.extend([*pairs["text_a"], *pairs["text_b"]])
        return honest(self, pairs)

    monkeypatch.setattr(TfidfPairs, "predict_proba", predict)
    out = tmp_path / "out.tsv"
    assert shell("repair", tmp_path / "pairs.csv", "-o", out, "--model", tmp_path / "model") == 0
    assert set(asked) == {TEA, HEALTHY, COFFEE}
    assert "model, not out of fold; P(paraphrase), the mean of both orders" in capsys.readouterr().err
    (row,) = read(out).itertuples()
    turned = pd.DataFrame({"text_a": [TEA, COFFEE], "text_b": [COFFEE, TEA]})
    assert row.p_same == pytest.approx(honest(load_model(tmp_path / "model"), turned).mean())
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(tmp_path / "pairs.csv"))
    (same,) = pg.repair(graph, model=tmp_path / "model").itertuples()
    assert (row.proposal, row.p_flip) == (same.proposal, pytest.approx(same.p_flip))


def test_without_a_conflict_no_model_is_loaded(tmp_path):
    (tmp_path / "calm.csv").write_text(HEAD + "a,b,1\nb,c,1\nc,x,0\n")
    code = (
        "import sys; from paragraph.cli import main;"
        f"code = main(['repair', {str(tmp_path / 'calm.csv')!r}, '-o', {str(tmp_path / 'out.tsv')!r}]);"
        "print(code, 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 False"
    assert "not needed: there is no conflict" in done.stderr
    assert read(tmp_path / "out.tsv").empty


def test_without_the_learn_extra(tea, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("paragraph.cli.repairing.LEARN", ("no_such_library",))
    assert shell("repair", tea, "-o", tmp_path / "out.tsv") == 0
    assert "none (not installed: no_such_library)" in capsys.readouterr().err
    assert shell("repair", tea, "-o", tmp_path / "other.tsv", "--model", "embedding") == 2
    assert (
        "--model embedding needs no_such_library: pip install 'paragraph-workbench[learn]'" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (f"question1 | question2 | p\n{TEA} | {COFFEE} | high\n", "c.tsv", "c.tsv, row 2: p 'high' is not a number"),
        (f"question1 | question2 | p\n{TEA} | {COFFEE} | inf\n", "c.tsv", "c.tsv, row 2: p 'inf' is not a number"),
        (f"question1,question2,model\n{TEA},{COFFEE},2\n", "c.csv", "model': 2.0 is not a probability"),
        (f"question1 | model\n{TEA} | .5\n", "c.tsv", "c.tsv needs the columns text_a, text_b (or question1, q"),
        ("question1 | question2 | model\nx | y | .5\n", "c.tsv", "no pair of the table of evidence is a stated pair"),
        ("", "c.tsv", "c.tsv: the file is empty"),
        ("question1 | question2 | p\na | b | .5\nc | d | .5 | \n", "c.tsv", "c.tsv, row 3: 4 fields where 3 are"),
        ("question1 | question2 | p\na | b\n", "c.tsv", "c.tsv, row 2: 2 fields where 3 are expected"),
        (QUOTED + 'a | "b | .5\nc | d | .5\n', "c.tsv", "c.tsv, row 32: stray quote"),
        (QUOTED + 'a | "b | .5\nc | d" | .5\n', "c.tsv", "c.tsv, row 32: seems to run on into the next"),
        (f"question1 | question2 | p\n\n\n{TEA} | {COFFEE} | x\n", "c.tsv", "c.tsv, row 4: p 'x' is not a number"),
        ("question1 | question2 | p | p\na | b | .5 | .5\n", "c.tsv", "c.tsv: there is more than one column 'p'"),
    ],
    ids=[
        "no number", "infinite", "no probability", "no pair", "other pairs", "empty", "a tab too many", "short row",
        "stray quote", "swallowed row", "blank lines", "one name twice",
    ],
)  # fmt: skip
def test_evidence_that_cannot_be(tea, tmp_path, capsys, text, name, message):
    given = evidence(tmp_path, text, name)
    assert shell("repair", tea, "-o", tmp_path / "out.tsv", "--evidence", given) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out.tsv").exists()


@pytest.mark.parametrize("command", ["repair", "suspects"])
def test_what_cannot_be_asked(tea, tmp_path, capsys, command):
    given = evidence(tmp_path, f"question1 | question2 | model\n{TEA} | {COFFEE} | .5\n")
    assert shell(command, tea, "-o", tmp_path / "o.tsv", "--evidence", given, "--model", "tfidf") == 2
    assert "give one" in capsys.readouterr().err
    assert shell(command, tea, "-o", tea, "--model", "none") == 2
    assert "would be written over" in capsys.readouterr().err
    (tmp_path / "bad.csv").write_text(HEAD + "a,b,maybe\n")
    assert shell(command, tmp_path / "bad.csv", "-o", tmp_path / "o.tsv", "--model", "none") == 2
    assert "bad.csv, row 2: label 'maybe'" in capsys.readouterr().err


def test_suspects_learn_from_an_audit(tea, tmp_path):
    given, out = tmp_path / "audit.tsv", tmp_path / "out.tsv"
    given.write_text(f"text_a\ttext_b\tsame\n{COFFEE}\t{TEA}\t0\n")
    assert shell("suspects", tea, "--audit", given, "--model", "none", "-q", "-o", out) == 0
    (row,) = (row for row in read(out).itertuples() if {row.question1, row.question2} == {TEA, COFFEE})
    assert float(row.p_wrong) < 0.01
    record = json.loads((tmp_path / "out.tsv.record.json").read_text())
    assert record["inputs"]["audit"]["file"] == "audit.tsv"
    assert "judged" in record["options"]["error_rates"]["source"]


def test_suspects_marks_negatives_in_which_a_tagger_finds_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("paragraph.learn.default_tagger", lambda: Synonyms(("buy", "purchase")), raising=False)
    rows = [("Do I buy tea?", "Do I purchase tea?", 0), ("Do I buy rice?", "Do I sell rice?", 0)]
    pg.write_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), "tea.tsv")
    assert main(["suspects", "tea.tsv", "--model", "none", "--tagger", "default", "-o", "out.tsv"]) == 0
    found = pd.read_csv("out.tsv", sep="\t").set_index("question2")["untagged"]
    assert found.to_dict() == {"Do I purchase tea?": True, "Do I sell rice?": False}
    assert "1 are labelled not, yet no word is tagged" in capsys.readouterr().out
    assert main(["suspects", "tea.tsv", "--model", "none", "--tagger", "nowhere", "-o", "out.tsv"]) == 2
    assert "nowhere holds no tagger" in capsys.readouterr().err
